//! Each position once: the others get a mark. Games that are the same move for move are left out.
//!
//! Sorted on disk by the position's key, so memory is bounded. Keys have 64 bits: among 100 million positions, one pair of
//! different ones is taken for equal with a chance of one in 3,700.

use serde_json::json;

use super::error::Problem;
use super::history::{Counts, Step, header_after};
use super::numbers::NumberSet;
use super::spill::{Record, Spill};
use super::stream::{Batch, Item, Watch, each_game, size};
use super::target::Games;
use super::{Target, ToolError};
use crate::data::block::LONGEST_GAME;
use crate::data::header::stable_hash;
use crate::data::{ChainView, Ply, PlyFlags, Reader};
use crate::game::{Evaluate, Rules};

/// Which of equal positions stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// The first one of the file.
    First,
    /// The last one of the file.
    Last,
    /// The first one whose score is a teacher's or of a later search, else the first one.
    Teacher,
}

impl Keep {
    /// The name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Teacher => "teacher",
        }
    }

    /// A number that is lowest for the position to keep.
    fn rank(self, ply: &Ply, place: u64) -> u64 {
        match self {
            Self::First => place,
            Self::Last => MOST_PLACES - 1 - place,
            Self::Teacher if ply.flags.intersects(PlyFlags::TEACHER | PlyFlags::RESCORED) => place,
            Self::Teacher => MOST_PLACES | place,
        }
    }

    /// The place of a rank.
    fn place(self, rank: u64) -> u64 {
        match self {
            Self::First | Self::Teacher => rank % MOST_PLACES,
            Self::Last => MOST_PLACES - 1 - rank,
        }
    }
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The whole.
    pub counts: Counts,
    /// Positions marked.
    pub duplicates: u64,
    /// Games left out.
    pub equal_games: u64,
}

/// A place is a game by its order in the file, and a ply in it.
const PLY_BITS: u32 = LONGEST_GAME.ilog2();
const MOST_PLACES: u64 = 1 << 62;

/// Writes a file in which each position stands once without a mark. Marks of an earlier run are made anew.
///
/// # Errors
/// See [`ToolError`].
pub fn dedupe<G: Evaluate>(
    reader: &Reader,
    target: Target,
    keep: Keep,
    memory_mib: u64,
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Report, ToolError> {
    let step = Step::new("dedupe", json!({"keep": keep.name()}));
    let scratch = target.scratch()?;
    let size = size(reader);
    let memory = memory_mib << 20;
    let mut quiet =
        Watch { stop: watch.stop.clone(), progress: &mut |_, _| (), fault: &mut |_| () };
    let mut report = Report::default();

    let mut spill = Spill::new(&scratch, "games", size.games, memory)?;
    let key = |item: Item<'_>| Ok((game_key(&item.game), item.ordinal));
    each_game(reader, &mut quiet, Batch::USUAL, key, |(key, ordinal)| {
        spill.push([key, ordinal], key, u64::MAX)
    })?;
    let mut equal_games = NumberSet::default();
    for records in spill.sorted()? {
        for pair in records?.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
            equal_games.insert(pair[1][1]);
            report.equal_games += 1;
        }
    }

    let mut spill = Spill::new(&scratch, "positions", size.plies, memory)?;
    let keys = |item: Item<'_>| -> Result<(u64, Vec<Record>), Problem> {
        let mut keys = Vec::new();
        let mut ply_number = 0;
        item.game.replay::<G>(rules, |position, ply, _| {
            if is_candidate(ply) {
                let place = item.ordinal << PLY_BITS | ply_number;
                keys.push([G::hash(position), keep.rank(ply, place)]);
            }
            ply_number += 1;
        })?;
        Ok((item.ordinal, keys))
    };
    each_game(reader, watch, Batch::USUAL, keys, |(ordinal, keys)| {
        if equal_games.contains(ordinal) {
            return Ok(());
        }
        keys.into_iter().try_for_each(|record| spill.push(record, record[0], u64::MAX))
    })?;
    let mut marks = Spill::new(&scratch, "marks", size.plies, memory)?;
    for records in spill.sorted()? {
        watch.check()?;
        for pair in records?.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
            let place = keep.place(pair[1][1]);
            marks.push([place, 0], place >> PLY_BITS, size.games)?;
            report.duplicates += 1;
        }
    }

    let header = |counts| header_after(reader.header(), &step, Some(counts));
    let mut games = Games::begin(target, &header(report.counts))?;
    let mut parts = marks.sorted()?;
    let mut part = Vec::<Record>::new().into_iter();
    let mut next_mark = || -> Result<Option<u64>, ToolError> {
        loop {
            if let Some([place, _]) = part.next() {
                return Ok(Some(place));
            }
            match parts.next() {
                Some(records) => part = records?.into_iter(),
                None => return Ok(None),
            }
        }
    };
    let mut mark = next_mark()?;
    let legal = |item: Item<'_>| -> Result<_, Problem> {
        item.game.replay::<G>(rules, |_, _, _| ())?;
        Ok((item.ordinal, item.game.to_chain()))
    };
    each_game(reader, &mut quiet, Batch::USUAL, legal, |(ordinal, mut game)| {
        report.counts.see(&game);
        for ply in &mut game.plies {
            ply.flags = ply.flags.without(PlyFlags::DUPLICATE);
        }
        while let Some(place) = mark.filter(|place| place >> PLY_BITS == ordinal) {
            let ply = &mut game.plies[(place % (1 << PLY_BITS)) as usize];
            ply.flags = ply.flags | PlyFlags::DUPLICATE;
            mark = next_mark()?;
        }
        if equal_games.contains(ordinal) {
            return Ok(());
        }
        report.counts.write(&game);
        games.push(game)
    })?;
    games.finish(&header(report.counts))?;
    Ok(report)
}

/// Whether a position may be marked: it has a score, and no other tool left it out.
fn is_candidate(ply: &Ply) -> bool {
    ply.score.is_some() && !ply.flags.intersects(PlyFlags::EXCLUDED)
}

/// The hash of a game's start and moves.
fn game_key(game: &ChainView<'_>) -> u64 {
    let codes: Vec<u32> = game.plies().map(|ply| ply.code).collect();
    let start = stable_hash(game.start().unwrap_or_default().as_bytes());
    start.rotate_left(32) ^ stable_hash(bytemuck::cast_slice(&codes))
}
