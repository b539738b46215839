//! Weaker levels: a short look, and then not always the best of what was seen.
//!
//! Weak players overlook things, and among what they see they choose with some taste. So a level bounds the nodes, and the
//! move is drawn from a few lines, with chances that fall with what a line costs. The draw depends on seed and position
//! only: a game against a level can be played again.

use crate::search::{Line, Report};

/// The level that plays as well as it can.
pub const FULL_SKILL: u32 = 20;

/// A level and the seed of its choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// From 0 to [`FULL_SKILL`].
    pub level: u32,
    /// Games with other seeds go other ways.
    pub seed: u64,
}

impl Default for Skill {
    fn default() -> Self {
        Self { level: FULL_SKILL, seed: 0 }
    }
}

/// Nodes of level 0.
const LEAST_NODES: f64 = 60.0;
/// Factor of the nodes from level to level: level 19 sees about 300,000.
const NODES_FACTOR: f64 = 1.57;
/// Nodes that come on top for each move beyond [`FEW_MOVES`]: to choose from a few lines, each move has to be looked at a few
/// times. No position of xiangqi that comes up in games has more moves than that, most of taikyoku have.
const NODES_PER_MOVE: u64 = 6;
const FEW_MOVES: u64 = 100;
/// Lines that a move is chosen from.
const LINES: usize = 5;
/// Centipawns that cut the chance of a line to 1/e, at level 0.
const GREATEST_TEMPERATURE: f64 = 130.0;
/// The same at the last level below full strength.
const LEAST_TEMPERATURE: f64 = 5.0;

impl Skill {
    /// Whether this level plays as well as it can.
    pub const fn is_full(self) -> bool {
        self.level >= FULL_SKILL
    }

    /// The nodes that this level looks at where there are so many moves; `None`: no bound.
    pub fn nodes(self, moves: u64) -> Option<u64> {
        let nodes = (LEAST_NODES * NODES_FACTOR.powi(self.level as i32)) as u64;
        let more = NODES_PER_MOVE * moves.saturating_sub(FEW_MOVES);
        (!self.is_full()).then_some(nodes + more)
    }

    /// The lines to search where so many are shown.
    pub const fn lines(self, shown: usize) -> usize {
        if self.is_full() || shown > LINES { shown } else { LINES }
    }

    /// The line to play in the position with this key.
    pub fn choose<M: Copy>(self, report: &Report<M>, key: u64) -> Option<&Line<M>> {
        let best = report.lines.first()?;
        if self.is_full() {
            return Some(best);
        }
        let share = f64::from(self.level) / f64::from(FULL_SKILL - 1);
        let temperature =
            GREATEST_TEMPERATURE * (LEAST_TEMPERATURE / GREATEST_TEMPERATURE).powf(share);
        let weight = |line: &Line<M>| {
            let lost = f64::from(best.score.get() - line.score.get()).max(0.0);
            (-lost / temperature).exp()
        };
        let sum: f64 = report.lines.iter().map(weight).sum();
        let mut left = uniform(self.seed ^ key) * sum;
        for line in &report.lines {
            left -= weight(line);
            if left < 0.0 {
                return Some(line);
            }
        }
        Some(best)
    }
}

/// A number from 0 to 1 that looks random, made from another.
// CITE: the finalizer of splitmix64, Sebastiano Vigna, https://prng.di.unimi.it/splitmix64.c
fn uniform(number: u64) -> f64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    (mixed >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::score::{Bound, Score};

    fn report(scores: &[i32]) -> Report<usize> {
        let line = |(index, &score): (usize, &i32)| Line {
            rank: index + 1,
            score: Score::centipawns(score),
            bound: Bound::Exact,
            moves: vec![index],
        };
        Report {
            lines: scores.iter().enumerate().map(line).collect(),
            best_move: Some(0),
            ponder: None,
            depth: 1,
            seldepth: 1,
            nodes: 1,
            time: Duration::ZERO,
            stop_reason: None,
            hashfull: 0,
        }
    }

    fn best_moves(level: u32, report: &Report<usize>) -> usize {
        let skill = Skill { level, seed: 1 };
        (0..1000).filter(|&key| skill.choose(report, key).unwrap().moves[0] == 0).count()
    }

    #[test]
    fn higher_levels_choose_the_best_move_more_often() {
        let report = report(&[50, 20, 0, -40]);
        let counts: Vec<usize> =
            [0, 5, 10, 15, FULL_SKILL].iter().map(|&level| best_moves(level, &report)).collect();
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < 500 && counts[4] == 1000, "{counts:?}");
    }

    #[test]
    fn no_level_throws_a_won_game_away_when_it_sees_the_win() {
        let mut report = report(&[0, 0]);
        report.lines[0].score = Score::mate_in(1);
        assert_eq!(best_moves(0, &report), 1000);
    }

    #[test]
    fn choices_can_be_repeated_and_seeds_differ() {
        let report = report(&[10, 9, 8, 7]);
        let play = |seed| -> Vec<usize> {
            let skill = Skill { level: 3, seed };
            (0..50).map(|key| skill.choose(&report, key).unwrap().moves[0]).collect()
        };
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }

    #[test]
    fn nodes_grow_with_the_level() {
        let nodes = |level, moves| Skill { level, seed: 0 }.nodes(moves);
        assert!((0..19).all(|level| nodes(level, 40) < nodes(level + 1, 40)));
        assert_eq!(nodes(FULL_SKILL, 40), None);
        assert!(nodes(0, 480) > Some(4 * 480), "each move has to be looked at for each line");
    }
}
