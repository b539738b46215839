//! A whole match: several games at once, results to one place as they come.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};

use super::opening::Book;
use super::pace::Pace;
use super::player::{Player, Stop};
use super::record::GameRecord;
use super::referee::{Label, Referee, Seat};
use super::schedule::Fixture;
use crate::game::Evaluate;
use crate::search::TableError;

/// An engine of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The name in records.
    pub name: String,
    /// Its limits.
    pub pace: Pace,
    /// How far it may overstep its time.
    pub margin: Duration,
}

/// A match.
pub struct Contest<'a, G: Evaluate> {
    /// The rules of all games.
    pub referee: &'a Referee<G>,
    /// Their openings.
    pub book: &'a Book<G>,
    /// The two engines.
    pub entrants: &'a [Entrant; 2],
    /// The games to play.
    pub fixtures: &'a [Fixture],
    /// Ends the match when set; games under way are given up. The match sets it itself when its sink has enough.
    pub stop: Stop,
}

/// Whether a match goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Continue,
    /// The result is clear.
    Enough,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played.
    Complete,
    /// The sink had enough.
    Enough,
    /// The stop flag was set.
    Interrupted,
}

/// Both engines, for one game at a time.
pub type Pairing<G> = [Box<dyn Player<G>>; 2];

/// The stop flag is looked at so often while no game ends.
const GLANCE: Duration = Duration::from_millis(50);

impl<G: Evaluate> Contest<'_, G> {
    /// Plays all games, one at a time for each pairing.
    ///
    /// # Errors
    /// What the sink returned, or no memory (by `From`); games under way are given up.
    pub fn run<E: From<TableError>>(
        &self,
        pairings: Vec<Pairing<G>>,
        mut sink: impl FnMut(GameRecord) -> Result<Flow, E>,
    ) -> Result<End, E> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = bounded(pairings.len());
        // Relaxed: the flag orders no other memory.
        let stop = || self.stop.store(true, Ordering::Relaxed);
        thread::scope(|scope| {
            for pairing in pairings {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(pairing, next, &sender));
            }
            drop(sender);
            let mut end = Ok(End::Complete);
            loop {
                match receiver.recv_timeout(GLANCE) {
                    // Games that end while the match does are as good as any other.
                    Ok(record) if end.is_err() => drop(record),
                    Ok(record) => match record.map_err(E::from).and_then(&mut sink) {
                        Ok(Flow::Continue) => {}
                        Ok(Flow::Enough) => {
                            end = Ok(End::Enough);
                            stop();
                        }
                        Err(error) => {
                            end = Err(error);
                            stop();
                        }
                    },
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            match end {
                Ok(End::Complete) if self.stop.load(Ordering::Relaxed) => Ok(End::Interrupted),
                end => end,
            }
        })
    }

    fn work(
        &self,
        mut pairing: Pairing<G>,
        next: &AtomicUsize,
        sender: &Sender<Result<GameRecord, TableError>>,
    ) {
        while !self.stop.load(Ordering::Relaxed) {
            // Relaxed: each number is taken once, and orders nothing.
            let Some(&fixture) = self.fixtures.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let record = match self.book.opening(fixture.pair()) {
                Err(error) => Some(Err(error)),
                Ok(opening) => {
                    let label = Label { id: fixture.index + 1, pair: fixture.pair() + 1 };
                    let mut seats =
                        pairing.iter_mut().zip(self.entrants).map(|(player, entrant)| {
                            let Entrant { name, pace, margin } = entrant;
                            Seat { name, player: &mut **player, pace: *pace, margin: *margin }
                        });
                    let mut seats = [(); 2].map(|()| seats.next().expect("two engines"));
                    seats.rotate_left(fixture.first_engine());
                    self.referee.play(label, &opening, seats).map(Ok)
                }
            };
            let Some(record) = record else { return };
            if sender.send(record).is_err() {
                return;
            }
        }
    }
}
