//! Searchers for many threads: each borrows one for a game, emptied first, so that a game does not depend on those before it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Evaluate;
use crate::search::{Searcher, TableError};

pub(super) struct Searchers<G: Evaluate> {
    free: Mutex<Vec<Searcher<G>>>,
}

impl<G: Evaluate> Searchers<G> {
    /// As many as the current rayon pool has threads.
    pub(super) fn new(params: &Arc<G::Params>, hash_mib: usize) -> Result<Self, TableError> {
        let make = |_| Searcher::new(Arc::clone(params), hash_mib);
        let free = (0..rayon::current_num_threads()).map(make).collect::<Result<_, _>>()?;
        Ok(Self { free: Mutex::new(free) })
    }

    /// Works with an empty searcher.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Searcher<G>) -> T) -> T {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut searcher = lock().pop().expect("there is one for each thread");
        searcher.clear();
        let result = work(&mut searcher);
        lock().push(searcher);
        result
    }
}
