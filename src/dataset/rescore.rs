//! New scores for a file's positions, from another effort or other weights. The input stays; games keep their moves.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::ToolError;
use super::error::Problem;
use super::history::{Step, header_after};
use super::searchers::Searchers;
use super::stream::{Batch, Item, Watch, each_game};
use crate::data::header::evaluation_hash;
use crate::data::{Chain, Ply, PlyFlags, Reader, Writer};
use crate::datagen::Effort;
use crate::game::{Evaluate, Rules};
use crate::score::Bound;
use crate::search::{Limits, Searcher};

/// Which positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Those to learn from.
    Used,
    /// All, also those of openings and those that are marked.
    All,
}

/// How positions are searched.
pub struct Plan<G: Evaluate> {
    /// The limits of a search.
    pub effort: Effort,
    /// The numbers of search and evaluation.
    pub params: Arc<G::Params>,
    /// Size of each searcher's table.
    pub hash_mib: usize,
    /// Which positions.
    pub scope: Scope,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games that the output had already.
    pub resumed: u64,
    /// Games written.
    pub games: u64,
    /// Positions searched.
    pub positions: u64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// The sum of the distances between old and new scores, in centipawns, where neither is decisive.
    pub distance_cp: u64,
    /// The number of these distances.
    pub distances: u64,
}

/// Writes the games with new scores. The output has its name from the start, so that it can be taken up again after a stop.
///
/// # Errors
/// See [`ToolError`].
pub fn rescore<G: Evaluate>(
    reader: &Reader,
    output: &Path,
    plan: &Plan<G>,
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Report, ToolError> {
    let Effort { depth, soft_nodes, hard_nodes } = plan.effort;
    let step = Step::new(
        "rescore",
        json!({
            "depth": depth, "nodes": soft_nodes, "hard_nodes": hard_nodes, "hash_mib": plan.hash_mib,
            "evaluation": format!("{:016x}", evaluation_hash::<G>(&plan.params)),
            "all": plan.scope == Scope::All,
        }),
    );
    let searchers = Searchers::<G>::new(&plan.params, plan.hash_mib)?;
    let header = header_after(reader.header(), &step, None);
    let (mut writer, resumed) = Writer::resume(output, &header, |_| ())?;
    let mut report = Report { resumed: resumed.games, ..Report::default() };
    let stop = Arc::clone(&watch.stop);
    let work = |item: Item<'_>| -> Result<Option<Rescored>, Problem> {
        if item.ordinal < resumed.games {
            item.game.replay::<G>(rules, |_, _, _| ())?;
            return Ok(Some(Rescored::default()));
        }
        let limits = Limits {
            depth,
            soft_nodes,
            nodes: hard_nodes,
            stop: Arc::clone(&stop),
            ..Limits::default()
        };
        searchers.with(|searcher| search_game::<G>(item, searcher, &limits, plan.scope, rules))
    };
    let mut done = 0;
    let result = each_game(reader, watch, Batch::SMALL, work, |rescored| {
        let Some(rescored) = rescored else { return Err(ToolError::Interrupted) };
        done += 1;
        if done <= resumed.games {
            return Ok(());
        }
        let Some(game) = rescored.game else { return Ok(()) };
        report.games += 1;
        report.positions += rescored.positions;
        report.nodes += rescored.nodes;
        report.distance_cp += rescored.distance_cp;
        report.distances += rescored.distances;
        Ok(writer.push(game)?)
    });
    writer.finish()?;
    result.map(|()| report)
}

/// A game with new scores; without a game where it needs none.
#[derive(Default)]
struct Rescored {
    game: Option<Chain>,
    positions: u64,
    nodes: u64,
    distance_cp: u64,
    distances: u64,
}

/// Searches the positions of a game; `None` if the tool was stopped.
fn search_game<G: Evaluate>(
    item: Item<'_>,
    searcher: &mut Searcher<G>,
    limits: &Limits<G::Move>,
    scope: Scope,
    rules: Rules<G::RuleSet>,
) -> Result<Option<Rescored>, Problem> {
    let mut game = item.game.to_chain();
    let mut new = Rescored::default();
    let mut plies = Vec::with_capacity(game.plies.len());
    // Relaxed: the flag orders no other memory.
    let is_stopped = || limits.stop.load(std::sync::atomic::Ordering::Relaxed);
    item.game.replay::<G>(rules, |position, ply, _| {
        if is_stopped() || !(scope == Scope::All || ply.is_used()) {
            plies.push(*ply);
            return;
        }
        let report = searcher.search(position, limits, &mut |_| ());
        new.positions += 1;
        new.nodes += report.nodes;
        let line = &report.lines[0];
        if let Some(old) = ply.score.filter(|old| !old.is_decisive() && !line.score.is_decisive()) {
            new.distance_cp += u64::from(old.get().abs_diff(line.score.get()));
            new.distances += 1;
        }
        let best = line.moves.first().map_or(ply.code, |&best| G::encode(best));
        let is_noisy = G::decode(position, best).is_some_and(|best| G::is_noisy(position, best));
        let replaced = PlyFlags::LOWER
            | PlyFlags::UPPER
            | PlyFlags::TEACHER
            | PlyFlags::NOISY
            | PlyFlags::SAMPLED;
        let mut flags = ply.flags.without(replaced) | PlyFlags::RESCORED;
        match line.bound {
            Bound::Exact => {}
            Bound::Lower => flags = flags | PlyFlags::LOWER,
            Bound::Upper => flags = flags | PlyFlags::UPPER,
        }
        if is_noisy {
            flags = flags | PlyFlags::NOISY;
        }
        if best != ply.code {
            flags = flags | PlyFlags::SAMPLED;
        }
        let best = (best != ply.code).then_some(best);
        plies.push(Ply { code: ply.code, score: Some(line.score), flags, best });
    })?;
    if is_stopped() {
        return Ok(None);
    }
    game.plies = plies;
    new.game = Some(game);
    Ok(Some(new))
}
