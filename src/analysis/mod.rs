//! Batch analysis: a stream of positions in, a stream of records out, in bounded memory and on all cores.
//!
//! [`input::Reader`] makes jobs, [`pool::Pool`] spreads them over workers with a searcher each, the caller's
//! [`pool::Sink`] writes the finished lines; [`journal`] lets a later run continue an output. Nothing here prints.

mod analyst;
pub mod input;
pub mod job;
pub mod journal;
pub mod output;
pub mod pool;
pub mod record;

pub use self::analyst::{Finished, Plan, Timing};

use self::analyst::Analyst;
use self::input::{ReadError, Reader};
use self::job::Job;
use self::journal::Done;
use self::pool::{End, Pool, Sink};
use crate::game::Evaluate;
use crate::search::TableError;

/// Why the input of a batch ended early.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A resumed batch got other input than the run before.
    #[error(
        "record {index} of the output was made from another line than {place}; --resume needs the \
         input of the first run"
    )]
    Changed {
        /// The record.
        index: u64,
        /// Where the input that disagrees stands.
        place: String,
    },
    /// A resumed batch got less input than the run before.
    #[error(
        "the output has {done} records, but the input gives only {given}; --resume needs the input \
         of the first run"
    )]
    Shorter {
        /// Records in the output.
        done: u64,
        /// Records that the input gives.
        given: u64,
    },
}

/// A batch that has all the memory it needs.
pub struct Batch<'a, G: Evaluate> {
    analysts: Vec<Analyst<'a, G>>,
}

impl<'a, G: Evaluate> Batch<'a, G> {
    /// Makes `workers` searchers.
    ///
    /// # Errors
    /// There is no memory for their hash tables.
    pub fn new(plan: &'a Plan<G>, workers: usize) -> Result<Self, TableError> {
        let analysts: Result<_, _> = (0..workers).map(|_| Analyst::new(plan)).collect();
        Ok(Self { analysts: analysts? })
    }

    /// Analyses all positions of a reader but those that are done.
    ///
    /// # Errors
    /// What the sink returned.
    pub fn run<S: Sink<Finished>>(
        self,
        reader: Reader<G>,
        done: Done,
        pool: &Pool,
        sink: &mut S,
    ) -> Result<End<SourceError>, S::Error> {
        let source = Remaining { reader, done, given: 0, has_ended: false };
        let workers = self.analysts.into_iter().map(|mut analyst| move |job| analyst.finish(job));
        pool.run(source, workers.collect(), sink)
    }
}

/// The jobs that an earlier run has not done; those that it did are compared with their records.
struct Remaining<G: Evaluate> {
    reader: Reader<G>,
    done: Done,
    given: u64,
    has_ended: bool,
}

impl<G: Evaluate> Iterator for Remaining<G> {
    type Item = Result<Job<G>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        for job in self.reader.by_ref() {
            let job = match job {
                Ok(job) => job,
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error.into()));
                }
            };
            self.given += 1;
            let index = job.label.index;
            match self.done.fingerprint(index) {
                None => return Some(Ok(job)),
                Some(fingerprint) if fingerprint == job.label.fingerprint() => {}
                Some(_) => {
                    self.has_ended = true;
                    let file = job.label.file.as_deref().unwrap_or("standard input");
                    let place = format!("{file}:{}", job.label.line);
                    return Some(Err(SourceError::Changed { index, place }));
                }
            }
        }
        self.has_ended = true;
        let (done, given) = (self.done.len(), self.given);
        (given < done).then_some(Err(SourceError::Shorter { done, given }))
    }
}
