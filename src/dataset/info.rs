//! What is in a file: counts, lengths, results by end and by score, phases, duplicates.

use std::collections::{BTreeMap, HashMap};

use super::ToolError;
use super::error::{Fault, Problem};
use super::stream::{Batch, Item, Watch, each_game};
use crate::data::{EndReason, PlyFlags, Reader};
use crate::game::{Evaluate, GameResult, Rules, Side};
use crate::score::ScoreKind;

/// Upper ends of the classes of scores, in centipawns for the side to move; the last class has none.
pub const SCORE_BOUNDS: [i32; 14] =
    [-2000, -1000, -600, -300, -150, -75, -25, 25, 75, 150, 300, 600, 1000, 2000];
/// Classes of scores.
pub const SCORE_CLASSES: usize = SCORE_BOUNDS.len() + 1;
/// Classes of the share of pieces that are left: each is one tenth of those of the initial position.
pub const PHASES: usize = 10;
/// Classes of plies: each is so many plies long, the last one without end.
pub const PLY_CLASS: u32 = 20;
/// Classes of plies.
pub const PLY_CLASSES: usize = 16;

/// Numbers of results, from a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl Results {
    fn add(&mut self, result: GameResult, side: Side) {
        if result == GameResult::Draw {
            self.draws += 1;
        } else if result == GameResult::win(side) {
            self.wins += 1;
        } else {
            self.losses += 1;
        }
    }

    /// How many there are.
    pub fn sum(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a win being 1 and a draw one half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// What is in a file.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// Games.
    pub games: u64,
    /// Plies.
    pub plies: u64,
    /// Plies with a score.
    pub scored: u64,
    /// Plies with a score and without a mark.
    pub positions: u64,
    /// Plies with the mark of exclusion.
    pub excluded: u64,
    /// Plies with the mark of duplicates.
    pub duplicates: u64,
    /// Results of games by their end, for the first player.
    pub ends: BTreeMap<EndReason, Results>,
    /// Plies of the shortest and the longest game.
    pub lengths: Option<(usize, usize)>,
    /// Games by length: classes of [`PLY_CLASS`] plies.
    pub length_classes: [u64; PLY_CLASSES],
    /// Positions by ply: classes of [`PLY_CLASS`] plies.
    pub ply_classes: [u64; PLY_CLASSES],
    /// Positions by the share of pieces left, fewest first.
    pub phases: [u64; PHASES],
    /// Results by class of score, for the side to move.
    pub scores: [Results; SCORE_CLASSES],
    /// The same for mates: lost ones, won ones.
    pub mates: [Results; 2],
    /// The same for decisions by a rule.
    pub rules: [Results; 2],
    /// The flags of positions by name.
    pub flags: [(&'static str, u64); 8],
    /// Positions, without marks, that stand elsewhere too.
    pub again: Distinct,
    /// First positions with a score that are equal to those of other games.
    pub openings_again: Distinct,
    /// What could not be read; the watch was told of each.
    pub faults: u64,
}

/// The flags that are counted: all but the marks, which have counts of their own.
const FLAGS: [(&str, PlyFlags); 8] = {
    let [random, sampled, teacher, in_check, noisy, lower, upper, rescored, ..] = PlyFlags::NAMES;
    [random, sampled, teacher, in_check, noisy, lower, upper, rescored]
};

/// What one game adds.
struct Part {
    info: Info,
    keys: Vec<u64>,
}

/// Looks at everything.
///
/// # Errors
/// Only [`ToolError::Interrupted`]: what is wrong with the file is told to the watch.
pub fn info<G: Evaluate>(
    reader: &Reader,
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Info, ToolError> {
    let mut faults = 0;
    let fault = &mut watch.fault;
    let mut count = |found: Fault| {
        faults += 1;
        fault(found);
    };
    let mut counting =
        Watch { stop: watch.stop.clone(), progress: &mut *watch.progress, fault: &mut count };
    let all_pieces = pieces::<G>(&G::start(rules));
    let mut info = Info { flags: FLAGS.map(|(name, _)| (name, 0)), ..Info::default() };
    let work = |item: Item<'_>| look::<G>(item, rules, all_pieces);
    each_game(reader, &mut counting, Batch::USUAL, work, |part| {
        info.add(part);
        Ok(())
    })?;
    info.faults = faults;
    Ok(info)
}

fn pieces<G: Evaluate>(position: &G::Position) -> usize {
    G::cells(position).iter().filter(|&&cell| cell != 0).count()
}

/// The place of a ply in classes of [`PLY_CLASS`].
fn ply_class(ply: usize) -> usize {
    (ply / PLY_CLASS as usize).min(PLY_CLASSES - 1)
}

fn look<G: Evaluate>(
    item: Item<'_>,
    rules: Rules<G::RuleSet>,
    all_pieces: usize,
) -> Result<Part, Problem> {
    let game = item.game;
    let (result, first_ply) = (game.result(), game.first_ply() as usize);
    let mut info = Info { games: 1, plies: game.len() as u64, ..Info::default() };
    info.flags = FLAGS.map(|(name, _)| (name, 0));
    info.lengths = Some((game.len(), game.len()));
    info.length_classes[ply_class(game.len())] = 1;
    info.ends.entry(game.end()).or_default().add(result, Side::First);
    let mut keys = Vec::new();
    let mut at = first_ply;
    game.replay::<G>(rules, |position, ply, _| {
        info.excluded += u64::from(ply.flags.contains(PlyFlags::EXCLUDED));
        info.duplicates += u64::from(ply.flags.contains(PlyFlags::DUPLICATE));
        info.scored += u64::from(ply.score.is_some());
        for ((_, flag), (_, count)) in FLAGS.iter().zip(&mut info.flags) {
            *count += u64::from(ply.flags.contains(*flag));
        }
        if let Some(score) = ply.score.filter(|_| ply.is_used()) {
            info.positions += 1;
            info.ply_classes[ply_class(at)] += 1;
            let left = pieces::<G>(position) * PHASES / all_pieces.max(1);
            info.phases[left.min(PHASES - 1)] += 1;
            let results = match score.kind() {
                ScoreKind::Centipawns(value) => {
                    let class = SCORE_BOUNDS.iter().position(|&bound| value < bound);
                    &mut info.scores[class.unwrap_or(SCORE_CLASSES - 1)]
                }
                ScoreKind::Mate(plies) => &mut info.mates[usize::from(plies > 0)],
                ScoreKind::Rule(plies) => &mut info.rules[usize::from(plies > 0)],
            };
            results.add(result, G::side_to_move(position));
            keys.push(G::hash(position));
        }
        at += 1;
    })?;
    Ok(Part { info, keys })
}

impl Info {
    fn add(&mut self, part: Part) {
        let Part { info, keys } = part;
        self.games += info.games;
        self.plies += info.plies;
        self.scored += info.scored;
        self.positions += info.positions;
        self.excluded += info.excluded;
        self.duplicates += info.duplicates;
        for (end, results) in info.ends {
            self.ends.entry(end).or_default().merge(results);
        }
        self.lengths = match (self.lengths, info.lengths) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
        let add = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        add(&mut self.length_classes, &info.length_classes);
        add(&mut self.ply_classes, &info.ply_classes);
        add(&mut self.phases, &info.phases);
        let merge = |to: &mut [Results], from: &[Results]| {
            to.iter_mut().zip(from).for_each(|(to, from)| to.merge(*from));
        };
        merge(&mut self.scores, &info.scores);
        merge(&mut self.mates, &info.mates);
        merge(&mut self.rules, &info.rules);
        for ((_, to), (_, from)) in self.flags.iter_mut().zip(info.flags) {
            *to += from;
        }
        if let Some(&first) = keys.first() {
            self.openings_again.see(first);
        }
        keys.into_iter().for_each(|key| self.again.see(key));
    }
}

impl Results {
    fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// How many keys come again: exact while few are different, then by the keys whose low bits are zero, which are a fair sample.
#[derive(Clone, Debug, Default)]
pub struct Distinct {
    /// Keys with one of these bits are not looked at.
    mask: u64,
    /// How often each key was seen.
    seen: HashMap<u64, u32>,
    all: u64,
}

impl Distinct {
    /// Most keys that are remembered.
    const MOST: usize = 1 << 22;

    /// Sees a key.
    pub fn see(&mut self, key: u64) {
        if key & self.mask != 0 {
            return;
        }
        self.all += 1;
        *self.seen.entry(key).or_default() += 1;
        if self.seen.len() > Self::MOST {
            self.mask = self.mask << 1 | 1;
            let mask = self.mask;
            self.seen.retain(|key, _| key & mask == 0);
            self.all = self.seen.values().map(|&times| u64::from(times)).sum();
        }
    }

    /// The share of keys that had been seen before.
    pub fn share(&self) -> f64 {
        match self.all {
            0 => 0.0,
            all => 1.0 - self.seen.len() as f64 / all as f64,
        }
    }

    /// Whether [`Distinct::share`] is exact.
    pub fn is_exact(&self) -> bool {
        self.mask == 0
    }
}
