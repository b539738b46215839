//! The thinking side: a thread that owns the searcher and does one job after another.
//!
//! A session never waits for it. It sends jobs, keeps the flags that end them, and hears of progress and results on a
//! channel. Every job ends with exactly one [`News::Done`], in the order of the jobs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use crate::game::Evaluate;
use crate::search::{Limits, Report, Searcher};

/// The number of a job.
pub(super) type JobId = u64;

/// Something to do that is no search. It may say lines of text.
pub(super) type Task = Box<dyn FnOnce(&mut dyn FnMut(String)) + Send>;

/// Something to do.
pub(super) enum Job<G: Evaluate> {
    /// Search a position.
    Search { position: G::Position, limits: Limits<G::Move> },
    /// Change the size of the table.
    Resize(usize),
    /// Forget everything.
    Clear,
    /// Its end tells that all before it is done; a new table is readied, if that does not take long.
    Sync,
    /// Something else.
    Task(Task),
}

/// What a job has to tell.
pub(super) enum News<M> {
    /// A search finished an iteration.
    Progress(Report<M>),
    /// A task says something.
    Text(String),
    /// The job has ended.
    Done(Done<M>),
}

/// How a job ended.
pub(super) enum Done<M> {
    /// The result of a search.
    Searched(Report<M>),
    /// The table has so many MiB now; with the reason, if it is not what was asked for.
    Resized { hash_mib: usize, error: Option<String> },
    /// Any other job did what it was asked.
    Finished,
    /// A fault of the program ended the job.
    Failed,
}

/// News of a job.
pub(super) struct Event<M> {
    pub(super) job: JobId,
    pub(super) news: News<M>,
}

/// The session's end of the thinking thread. Dropped, it lets the thread end after its job.
pub(super) struct Engine<G: Evaluate> {
    jobs: Sender<(JobId, Job<G>)>,
    events: Receiver<Event<G::Move>>,
    next: JobId,
}

/// How long an answer that all is done may wait for a new table to be readied.
const READY_TIME: Duration = Duration::from_millis(50);
/// Stack of the thinking thread.
const STACK_BYTES: usize = 64 << 20;

impl<G: Evaluate> Engine<G> {
    /// Starts the thread.
    ///
    /// # Errors
    /// The table does not fit into memory, or the system has no thread left.
    pub(super) fn new(params: Arc<G::Params>, hash_mib: usize) -> Result<Self, String> {
        let searcher =
            Searcher::<G>::new(Arc::clone(&params), hash_mib).map_err(|error| error.to_string())?;
        let (jobs, to_do) = unbounded();
        let (sender, events) = unbounded();
        let work = move || Thinker { params, searcher, sender }.work(&to_do);
        Builder::new()
            .name("engine".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)
            .map_err(|error| format!("no thread to think in: {error}"))?;
        Ok(Self { jobs, events, next: 0 })
    }

    /// Queues a job.
    pub(super) fn send(&mut self, job: Job<G>) -> JobId {
        self.next += 1;
        self.jobs.send((self.next, job)).expect("the thinking thread lives as long as its session");
        self.next
    }

    /// Where the news arrive.
    pub(super) const fn events(&self) -> &Receiver<Event<G::Move>> {
        &self.events
    }
}

struct Thinker<G: Evaluate> {
    params: Arc<G::Params>,
    searcher: Searcher<G>,
    sender: Sender<Event<G::Move>>,
}

impl<G: Evaluate> Thinker<G> {
    fn work(mut self, jobs: &Receiver<(JobId, Job<G>)>) {
        while let Some((id, job)) = self.next(jobs) {
            // A fault must not leave the other side without an answer, so it is caught here and told.
            let done =
                catch_unwind(AssertUnwindSafe(|| self.execute(id, job))).unwrap_or(Done::Failed);
            if matches!(done, Done::Failed) {
                self.start_afresh();
            }
            if self.sender.send(Event { job: id, news: News::Done(done) }).is_err() {
                return;
            }
        }
    }

    /// The next job; `None` if the session is over. While there is none, a new table is readied, as the clock of a game may run
    /// during the next search.
    fn next(&mut self, jobs: &Receiver<(JobId, Job<G>)>) -> Option<(JobId, Job<G>)> {
        loop {
            match jobs.try_recv() {
                Ok(job) => return Some(job),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if self.searcher.ready_next() => {}
                Err(TryRecvError::Empty) => return jobs.recv().ok(),
            }
        }
    }

    fn execute(&mut self, id: JobId, job: Job<G>) -> Done<G::Move> {
        let sender = self.sender.clone();
        // If nobody listens any more, the session is over and the thread about to end.
        let tell = move |news| drop(sender.send(Event { job: id, news }));
        match job {
            Job::Search { position, limits } => {
                let mut observer = |report: &Report<G::Move>| tell(News::Progress(report.clone()));
                Done::Searched(self.searcher.search(&position, &limits, &mut observer))
            }
            Job::Resize(hash_mib) => {
                let error = self.searcher.set_hash(hash_mib).err().map(|error| error.to_string());
                Done::Resized { hash_mib: self.searcher.hash_mib(), error }
            }
            Job::Clear => {
                self.searcher.clear();
                Done::Finished
            }
            Job::Sync => {
                let started = Instant::now();
                while started.elapsed() < READY_TIME && self.searcher.ready_next() {}
                Done::Finished
            }
            Job::Task(task) => {
                task(&mut |text| tell(News::Text(text)));
                Done::Finished
            }
        }
    }

    /// A new searcher in place of one that a fault may have left in disorder.
    fn start_afresh(&mut self) {
        match Searcher::new(Arc::clone(&self.params), self.searcher.hash_mib()) {
            Ok(searcher) => self.searcher = searcher,
            Err(_) => self.searcher.clear(),
        }
    }
}
