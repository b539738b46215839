//! Which games a match has: pairs from one opening, with colours swapped.

use super::record::GameRecord;

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the game, from 0.
    pub index: u64,
}

impl Fixture {
    /// Number of the pair, from 0.
    pub const fn pair(self) -> u64 {
        self.index / 2
    }

    /// The engine (0 or 1) that plays first: each once in a pair.
    pub const fn first_engine(self) -> usize {
        (self.index % 2) as usize
    }

    /// The fixture of a record; `None` for a number that no game has.
    pub fn of(record: &GameRecord) -> Option<Self> {
        Some(Self { index: record.id.checked_sub(1)? })
    }
}

/// The games of a match of `games` games that are not among the finished ones, in order.
pub fn remaining(games: u64, finished: &[GameRecord]) -> Vec<Fixture> {
    let mut done: Vec<u64> =
        finished.iter().filter_map(Fixture::of).map(|fixture| fixture.index).collect();
    done.sort_unstable();
    (0..games)
        .filter(|index| done.binary_search(index).is_err())
        .map(|index| Fixture { index })
        .collect()
}
