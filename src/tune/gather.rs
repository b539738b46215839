//! From files of games to samples: replays every game and takes the positions that a static evaluation can be judged by.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::sample::{Features, Outcome, Samples, points};
use super::{Model, Tunable};
use crate::data::{Block, BlockFault, ChainView, Ply, PlyFlags, Reader, ReplayFault};
use crate::game::{Evaluate, Game, Rules, Side};
use crate::random::Random;
use crate::score::ScoreKind;

/// Which positions are taken.
///
/// Never those of the opening, marked by a tool, without a searched score, or with a mate or a win by rule in sight: no static evaluation
/// could, or should, know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Plies of a game that are passed over.
    pub min_ply: u32,
    /// Whether positions in check are passed over.
    pub skip_check: bool,
    /// Whether positions whose best move is a capture (or promotion) are passed over.
    pub skip_noisy: bool,
    /// Largest score in centipawns.
    pub max_score: i32,
    /// Largest difference of the score from the static evaluation in centipawns.
    pub max_difference: Option<i32>,
    /// The part of the remaining positions that is taken.
    pub fraction: f64,
    /// Chooses that part.
    pub seed: u64,
}

/// What was read, taken and passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games that were replayed.
    pub games: u64,
    /// Games whose moves are not legal by the rules of the file.
    pub broken_games: u64,
    /// Positions of all games.
    pub positions: u64,
    /// Positions taken.
    pub taken: u64,
    /// Passed over: opening moves, and plies below the least.
    pub opening: u64,
    /// Passed over: marked by a tool as left out, or as a position that stands elsewhere.
    pub marked: u64,
    /// Passed over: no score.
    pub unscored: u64,
    /// Passed over: mate or a win by rule in sight, or a score beyond the largest.
    pub decided: u64,
    /// Passed over: in check.
    pub in_check: u64,
    /// Passed over: the best move captures or promotes.
    pub noisy: u64,
    /// Passed over: the score is far from the static evaluation.
    pub unsettled: u64,
    /// Passed over: left out by chance.
    pub left_out: u64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.broken_games += other.broken_games;
        self.positions += other.positions;
        self.taken += other.taken;
        self.opening += other.opening;
        self.marked += other.marked;
        self.unscored += other.unscored;
        self.decided += other.decided;
        self.in_check += other.in_check;
        self.noisy += other.noisy;
        self.unsettled += other.unsettled;
        self.left_out += other.left_out;
    }
}

/// Reads files of one game into samples.
pub struct Gatherer<'a, G: Tunable> {
    /// The weights.
    pub model: &'a G::Model,
    /// The numbers that the weights are of.
    pub params: &'a G::Params,
    /// Which positions are taken.
    pub filter: Filter,
    /// What was taken.
    pub samples: Samples,
    /// What was seen.
    pub tally: Tally,
    /// The number of games so far, those that gave nothing included: the next game's number in the samples.
    pub next_game: u32,
}

/// Blocks that are worked on together; bounds the memory beside the samples.
const BLOCKS_AT_ONCE: usize = 32;

/// Something in a file that was passed over.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A part of the file is damaged.
    #[error("{0}")]
    Block(#[from] BlockFault),
    /// A game cannot be replayed.
    #[error("game {number}, {fault}")]
    Game {
        /// Its number in the run that made it.
        number: u64,
        /// What is wrong with it.
        fault: ReplayFault,
    },
}

impl<G: Tunable> Gatherer<'_, G> {
    /// Adds the positions of a file. Damaged blocks and broken games are told to `warn` and passed over. Ends early if told
    /// to stop.
    pub fn read(
        &mut self,
        reader: &Reader,
        rules: Rules<G::RuleSet>,
        stop: &AtomicBool,
        mut watch: impl FnMut(&Tally),
        mut warn: impl FnMut(&Fault),
    ) {
        let mut places = reader.places();
        loop {
            let mut batch = Vec::new();
            for place in places.by_ref().take(BLOCKS_AT_ONCE) {
                match place {
                    Ok(place) => {
                        batch.push((place, self.next_game));
                        self.next_game += place.head.games;
                    }
                    Err(fault) => warn(&fault.into()),
                }
            }
            // Relaxed: the flag carries no data.
            if batch.is_empty() || stop.load(Ordering::Relaxed) {
                return;
            }
            let gatherer = &*self;
            let parts: Vec<_> = batch
                .par_iter()
                .map(|(place, first)| match reader.block(place) {
                    Ok(block) => gatherer.read_block(&block, *first, rules),
                    Err(fault) => (Samples::new(), Tally::default(), vec![fault.into()]),
                })
                .collect();
            for (samples, tally, faults) in parts {
                self.samples.append(&samples);
                self.tally.add(&tally);
                faults.iter().for_each(&mut warn);
            }
            watch(&self.tally);
        }
    }

    fn read_block(
        &self,
        block: &Block,
        first: u32,
        rules: Rules<G::RuleSet>,
    ) -> (Samples, Tally, Vec<Fault>) {
        let (mut samples, mut tally) = (Samples::new(), Tally::default());
        let mut faults = Vec::new();
        for (game, number) in block.games().zip(first..) {
            if let Err(fault) = self.read_game(&game, number, rules, &mut samples, &mut tally) {
                tally.broken_games += 1;
                faults.push(Fault::Game { number: game.number(), fault });
            }
        }
        (samples, tally, faults)
    }

    /// Nothing of a game that cannot be replayed to its end is taken: its result belongs to other moves.
    fn read_game(
        &self,
        game: &ChainView<'_>,
        number: u32,
        rules: Rules<G::RuleSet>,
        samples: &mut Samples,
        tally: &mut Tally,
    ) -> Result<(), ReplayFault> {
        let Some(result) = points(game.result()) else { return Ok(()) };
        let mut random = Random::new(self.filter.seed ^ u64::from(number), 3);
        let (mut own, mut counts) = (Samples::new(), Tally { games: 1, ..Tally::default() });
        let mut features = Features::default();
        let mut ply_number = game.first_ply();
        game.replay::<G>(rules, |position, ply, _| {
            counts.positions += 1;
            let reason = self.score_of(position, ply, ply_number, &mut random);
            ply_number += 1;
            let score = match reason {
                Ok(score) => score,
                Err(reason) => return *reason(&mut counts) += 1,
            };
            counts.taken += 1;
            features.clear();
            self.model.features(position, &mut features);
            own.push(&features, Outcome { game: number, result, score: Some(score) });
        })?;
        samples.append(&own);
        tally.add(&counts);
        Ok(())
    }

    /// The score of a position that is taken, from the first player's view, or the count of those passed over for the same
    /// reason.
    fn score_of(
        &self,
        position: &G::Position,
        ply: &Ply,
        number: u32,
        random: &mut Random,
    ) -> Result<i16, fn(&mut Tally) -> &mut u64> {
        let filter = &self.filter;
        if ply.flags.contains(PlyFlags::RANDOM) || number < filter.min_ply {
            return Err(|tally| &mut tally.opening);
        }
        if ply.flags.intersects(PlyFlags::MARKS) {
            return Err(|tally| &mut tally.marked);
        }
        let score = ply.score.ok_or((|tally| &mut tally.unscored) as fn(&mut Tally) -> &mut u64)?;
        let ScoreKind::Centipawns(centipawns) = score.kind() else {
            return Err(|tally| &mut tally.decided);
        };
        if centipawns.abs() > filter.max_score {
            return Err(|tally| &mut tally.decided);
        }
        if filter.skip_check && ply.flags.contains(PlyFlags::IN_CHECK) {
            return Err(|tally| &mut tally.in_check);
        }
        if filter.skip_noisy && ply.flags.contains(PlyFlags::NOISY) {
            return Err(|tally| &mut tally.noisy);
        }
        if let Some(most) = filter.max_difference {
            let present = <G as Evaluate>::evaluate(position, self.params).get();
            if (present - centipawns).abs() > most {
                return Err(|tally| &mut tally.unsettled);
            }
        }
        if filter.fraction < 1.0 && random.unit() >= filter.fraction {
            return Err(|tally| &mut tally.left_out);
        }
        let sign = if <G as Game>::side_to_move(position) == Side::First { 1 } else { -1 };
        Ok((sign * centipawns) as i16)
    }
}
