//! Spreads a stream of jobs over threads and brings the results to one place, in order or as they come.
//!
//! ```text
//! feeder --jobs--> workers --results--> the calling thread (one writer)
//!    ^----------------tickets---------------'
//! ```
//!
//! All channels are bounded. A job needs a ticket, given back when its result is delivered: so even one slow worker and
//! thousands of quick ones keep at most [`Pool::window`] results waiting for their turn.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

/// In which order results are delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As the jobs came.
    Input,
    /// As the results come.
    Completion,
}

/// How to spread the work.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Most jobs that are fed and not delivered; the number of workers, if that is more.
    pub window: usize,
    /// Order of delivery.
    pub order: Order,
    /// Set from outside: no new job is begun, those begun are finished and delivered.
    pub interrupt: Arc<AtomicBool>,
    /// Set by the pool when a result cannot be delivered: what runs may be cut short.
    pub abort: Arc<AtomicBool>,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End<E> {
    /// All jobs are done.
    Complete,
    /// Interrupted before the last job.
    Interrupted,
    /// The source failed; all jobs before the failure are done.
    SourceFailed(E),
}

/// Who takes the results.
pub trait Sink<R> {
    /// Why a result could not be taken.
    type Error;

    /// Takes a result.
    ///
    /// # Errors
    /// It cannot be taken, and the run is pointless.
    fn deliver(&mut self, result: R) -> Result<(), Self::Error>;

    /// Called a few times a second, for progress.
    fn tick(&mut self) {}
}

/// How often waiting threads look at the flags.
const POLL: Duration = Duration::from_millis(50);

impl Pool {
    /// Runs all jobs of `source`, each by one of the workers, which get a thread each.
    ///
    /// After an interrupt, a source that blocks is left alone: its thread ends with the next item or the process.
    ///
    /// # Errors
    /// What [`Sink::deliver`] returned.
    pub fn run<J, R, E, W, S>(
        &self,
        source: impl Iterator<Item = Result<J, E>> + Send + 'static,
        workers: Vec<W>,
        sink: &mut S,
    ) -> Result<End<E>, S::Error>
    where
        J: Send + 'static,
        R: Send,
        E: Send + 'static,
        W: FnMut(J) -> R + Send,
        S: Sink<R>,
    {
        let (jobs, job_receiver) = bounded(workers.len());
        let (results, result_receiver) = bounded(workers.len() * 4);
        let (tickets, ticket_receiver) = bounded(self.window.max(workers.len()));
        let (ends, end_receiver) = bounded(1);
        let feeder = Feeder {
            jobs,
            tickets,
            ends,
            flags: [Arc::clone(&self.interrupt), Arc::clone(&self.abort)],
        };
        thread::spawn(move || feeder.feed(source));
        let delivered = thread::scope(|scope| {
            for worker in workers {
                let (jobs, results) = (job_receiver.clone(), results.clone());
                scope.spawn(move || self.work(&jobs, &results, worker));
            }
            drop(results);
            let delivered = self.deliver(&result_receiver, &ticket_receiver, sink);
            if delivered.is_err() {
                self.abort.store(true, Relaxed);
            }
            // Workers that still have results must not wait for a writer that is gone.
            drop(result_receiver);
            delivered
        })?;
        Ok(match end_receiver.try_recv() {
            Ok((_, Err(error))) => End::SourceFailed(error),
            Ok((fed, Ok(()))) if fed == delivered => End::Complete,
            _ => End::Interrupted,
        })
    }

    fn is_halted(&self) -> bool {
        // Relaxed: the flags order no other memory.
        self.interrupt.load(Relaxed) || self.abort.load(Relaxed)
    }

    fn work<J, R>(
        &self,
        jobs: &Receiver<(u64, J)>,
        results: &Sender<(u64, R)>,
        mut work: impl FnMut(J) -> R,
    ) {
        loop {
            match jobs.recv_timeout(POLL) {
                _ if self.is_halted() => return,
                Ok((sequence, job)) => {
                    if results.send((sequence, work(job))).is_err() {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Delivers until all workers are gone; the number of results delivered.
    fn deliver<R, S: Sink<R>>(
        &self,
        results: &Receiver<(u64, R)>,
        tickets: &Receiver<()>,
        sink: &mut S,
    ) -> Result<u64, S::Error> {
        let mut waiting = BTreeMap::new();
        let mut delivered = 0;
        loop {
            match results.recv_timeout(POLL * 2) {
                Err(RecvTimeoutError::Disconnected) => return Ok(delivered),
                Err(RecvTimeoutError::Timeout) => sink.tick(),
                Ok((sequence, result)) => {
                    let key = match self.order {
                        Order::Input => sequence,
                        Order::Completion => delivered,
                    };
                    waiting.insert(key, result);
                    while let Some(result) = waiting.remove(&delivered) {
                        sink.deliver(result)?;
                        delivered += 1;
                        // The feeder put a ticket in before it fed the job.
                        let _ = tickets.try_recv();
                    }
                }
            }
        }
    }
}

struct Feeder<J, E> {
    jobs: Sender<(u64, J)>,
    tickets: Sender<()>,
    ends: Sender<(u64, Result<(), E>)>,
    flags: [Arc<AtomicBool>; 2],
}

impl<J, E> Feeder<J, E> {
    /// Feeds until the source ends or fails, a flag is set, or nobody listens. The end is told before the jobs run dry.
    fn feed(self, source: impl Iterator<Item = Result<J, E>>) {
        let mut fed = 0;
        for item in source {
            if self.flags.iter().any(|flag| flag.load(Relaxed)) {
                return;
            }
            match item {
                Ok(job) => {
                    if self.tickets.send(()).is_err() || self.jobs.send((fed, job)).is_err() {
                        return;
                    }
                    fed += 1;
                }
                Err(error) => {
                    let _ = self.ends.send((fed, Err(error)));
                    return;
                }
            }
        }
        let _ = self.ends.send((fed, Ok(())));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    fn pool(order: Order) -> Pool {
        Pool { window: 8, order, interrupt: Arc::default(), abort: Arc::default() }
    }

    struct Collect<'a>(Vec<u64>, Option<&'a AtomicU64>);

    impl Sink<u64> for Collect<'_> {
        type Error = &'static str;

        fn deliver(&mut self, result: u64) -> Result<(), Self::Error> {
            self.0.push(result);
            if let Some(counter) = self.1 {
                counter.fetch_add(1, Relaxed);
            }
            if result == 666 { Err("disk full") } else { Ok(()) }
        }
    }

    fn numbers(count: u64) -> impl Iterator<Item = Result<u64, &'static str>> + Send {
        (0..count).map(Ok)
    }

    #[test]
    fn results_come_in_input_order_for_any_number_of_workers() {
        for workers in [1, 2, 7] {
            let mut sink = Collect(Vec::new(), None);
            let end =
                pool(Order::Input).run(numbers(500), vec![|job| job * 2 + 1; workers], &mut sink);
            assert_eq!(end, Ok(End::Complete));
            assert_eq!(sink.0, (0..500).map(|job| job * 2 + 1).collect::<Vec<_>>());
        }
    }

    #[test]
    fn unordered_results_are_complete() {
        let mut sink = Collect(Vec::new(), None);
        let end = pool(Order::Completion).run(numbers(500), vec![|job| job; 3], &mut sink);
        assert_eq!(end, Ok(End::Complete));
        sink.0.sort_unstable();
        assert_eq!(sink.0, (0..500).collect::<Vec<_>>());
    }

    #[test]
    fn one_slow_job_holds_back_at_most_a_window() {
        let (fed, delivered) = (Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
        let counter = Arc::clone(&fed);
        let source = numbers(300).inspect(move |_| {
            counter.fetch_add(1, Relaxed);
        });
        let most = AtomicU64::new(0);
        let work = |job: u64| {
            if job == 100 {
                thread::sleep(POLL);
            }
            most.fetch_max(fed.load(Relaxed) - delivered.load(Relaxed), Relaxed);
            job
        };
        let mut sink = Collect(Vec::new(), Some(&delivered));
        assert_eq!(pool(Order::Input).run(source, vec![work; 2], &mut sink), Ok(End::Complete));
        // The window, one job that waits for its ticket, and one result whose ticket is on its way back.
        assert!(most.load(Relaxed) <= 10, "{most:?} jobs were under way");
    }

    #[test]
    fn an_interrupt_finishes_what_runs() {
        let pool = pool(Order::Input);
        let work = |job| {
            if job == 40 {
                pool.interrupt.store(true, Relaxed);
            }
            job
        };
        let mut sink = Collect(Vec::new(), None);
        assert_eq!(pool.run(numbers(1000), vec![work; 2], &mut sink), Ok(End::Interrupted));
        assert!(sink.0.len() >= 40 && sink.0.len() < 100, "{}", sink.0.len());
        assert_eq!(sink.0, (0..sink.0.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn failures_end_the_run() {
        let mut sink = Collect(Vec::new(), None);
        let end = pool(Order::Input).run(numbers(2000), vec![|job| job; 2], &mut sink);
        assert_eq!(end, Err("disk full"));
        assert_eq!(sink.0.len(), 667);
        let source = numbers(10).chain([Err("unreadable")]);
        let mut sink = Collect(Vec::new(), None);
        let end = pool(Order::Input).run(source, vec![|job| job; 2], &mut sink);
        assert_eq!(end, Ok(End::SourceFailed("unreadable")));
        assert_eq!(sink.0.len(), 10);
    }
}
