//! Marks positions that a trainer should not learn from.

use std::sync::Arc;

use serde_json::{Value, json};

use super::error::Problem;
use super::history::{Counts, Step, header_after};
use super::searchers::Searchers;
use super::stream::{Batch, Item, Watch, each_game};
use super::target::Games;
use super::{Target, ToolError};
use crate::data::header::evaluation_hash;
use crate::data::{Chain, EndReason, Ply, PlyFlags, Reader};
use crate::game::{Evaluate, Rules};
use crate::score::Score;
use crate::search::Searcher;

/// Size of a table for quiescence.
const HASH_MIB: usize = 1;

/// What is left out. A position is told under the first condition that it fails.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// Positions before this ply of the game.
    pub min_ply: Option<u32>,
    /// Positions after this ply of the game.
    pub max_ply: Option<u32>,
    /// Scores beyond so many centipawns, mates and decisions by a rule among them.
    pub max_score: Option<i32>,
    /// Mates and decisions by a rule.
    pub no_decisive: bool,
    /// Scores that are only bounds.
    pub no_bounds: bool,
    /// Positions in check.
    pub no_check: bool,
    /// Positions whose best move changes material.
    pub no_captures: bool,
    /// Positions where another move than the best was played.
    pub no_sampled: bool,
    /// Games that ended so.
    pub ends: Vec<EndReason>,
    /// Positions with fewer pieces.
    pub min_pieces: Option<u32>,
    /// Positions in check, and those whose static score and score after quiescence are farther apart, in centipawns.
    pub quiet: Option<i32>,
}

/// What a filter did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The whole.
    pub counts: Counts,
    /// How many positions each condition left out.
    pub reasons: Vec<(&'static str, u64)>,
}

/// Whether marks of earlier filters and samples stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// They stay.
    Keep,
    /// They are taken away first.
    Forget,
}

impl Filter {
    /// The conditions by name, for the history.
    fn settings(&self) -> Value {
        json!({
            "min_ply": self.min_ply, "max_ply": self.max_ply, "max_score": self.max_score,
            "no_decisive": self.no_decisive, "no_bounds": self.no_bounds, "no_check": self.no_check,
            "no_captures": self.no_captures, "no_sampled": self.no_sampled,
            "ends": self.ends.iter().map(|end| end.name()).collect::<Vec<_>>(),
            "min_pieces": self.min_pieces, "quiet": self.quiet,
        })
    }

    /// The first condition that a position fails, of those that need no board.
    fn refuses(&self, ply: &Ply, score: Score, at: u32, end: EndReason) -> Option<&'static str> {
        let fact = |wanted: bool, flags: PlyFlags| wanted && ply.flags.intersects(flags);
        let beyond = |bound: i32| score.is_decisive() || score.get().abs() > bound;
        let conditions = [
            ("ply", self.min_ply.is_some_and(|least| at < least)),
            ("ply", self.max_ply.is_some_and(|most| at > most)),
            ("score", self.max_score.is_some_and(beyond)),
            ("decisive", self.no_decisive && score.is_decisive()),
            ("bound", fact(self.no_bounds, PlyFlags::LOWER | PlyFlags::UPPER)),
            ("check", fact(self.no_check, PlyFlags::IN_CHECK)),
            ("capture", fact(self.no_captures, PlyFlags::NOISY)),
            ("sampled", fact(self.no_sampled, PlyFlags::SAMPLED)),
            ("end", self.ends.contains(&end)),
        ];
        conditions.iter().find(|(_, fails)| *fails).map(|(name, _)| *name)
    }

    /// As [`Filter::refuses`], for the conditions that need the board.
    fn refuses_board<G: Evaluate>(
        &self,
        position: &G::Position,
        searcher: &mut Searcher<G>,
    ) -> Option<&'static str> {
        if let Some(least) = self.min_pieces {
            let pieces = G::cells(position).iter().filter(|&&cell| cell != 0).count();
            if pieces < least as usize {
                return Some("pieces");
            }
        }
        let margin = self.quiet?;
        let is_quiet = !G::in_check(position) && {
            let difference =
                searcher.evaluate(position).get() - searcher.quiescence(position).get();
            difference.abs() <= margin
        };
        (!is_quiet).then_some("quiet")
    }

    fn needs_board(&self) -> bool {
        self.min_pieces.is_some() || self.quiet.is_some()
    }
}

/// Writes a file with the positions marked that the filter leaves out. All games stay.
///
/// # Errors
/// See [`ToolError`].
pub fn filter<G: Evaluate>(
    reader: &Reader,
    target: Target,
    filter: &Filter,
    earlier: Earlier,
    params: &Arc<G::Params>,
    rules: Rules<G::RuleSet>,
    watch: &mut Watch<'_>,
) -> Result<Report, ToolError> {
    let mut settings = filter.settings();
    settings["forget_marks"] = json!(earlier == Earlier::Forget);
    if filter.quiet.is_some() {
        settings["evaluation"] = json!(format!("{:016x}", evaluation_hash::<G>(params)));
    }
    let step = Step::new("filter", settings);
    let searchers = Searchers::<G>::new(params, HASH_MIB)?;
    let header = |counts| header_after(reader.header(), &step, Some(counts));
    let mut report = Report::default();
    let mut games = Games::begin(target, &header(report.counts))?;
    let work = |item: Item<'_>| -> Result<(Chain, Counts, Vec<&'static str>), Problem> {
        let mut game = item.game.to_chain();
        let mut counts = Counts::default();
        counts.see(&game);
        if earlier == Earlier::Forget {
            game.plies.iter_mut().for_each(|ply| {
                ply.flags = ply.flags.without(PlyFlags::EXCLUDED);
            });
        }
        let (first_ply, end) = (game.first_ply, game.end);
        let mut reasons = vec![None; game.plies.len()];
        for (index, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.is_used()) {
            let score = ply.score.expect("a position that is used has one");
            reasons[index] = filter.refuses(ply, score, first_ply + index as u32, end);
        }
        if filter.needs_board() {
            searchers.with(|searcher| {
                let mut index = 0;
                game.replay::<G>(rules, |position, ply, _| {
                    if ply.is_used() && reasons[index].is_none() {
                        reasons[index] = filter.refuses_board::<G>(position, searcher);
                    }
                    index += 1;
                })
            })?;
        }
        for (ply, _) in game.plies.iter_mut().zip(&reasons).filter(|(_, reason)| reason.is_some()) {
            ply.flags = ply.flags | PlyFlags::EXCLUDED;
        }
        counts.write(&game);
        Ok((game, counts, reasons.into_iter().flatten().collect()))
    };
    each_game(reader, watch, Batch::USUAL, work, |(game, counts, reasons)| {
        report.counts.games_in += counts.games_in;
        report.counts.games_out += counts.games_out;
        report.counts.positions_in += counts.positions_in;
        report.counts.positions_out += counts.positions_out;
        for reason in reasons {
            match report.reasons.iter_mut().find(|(name, _)| *name == reason) {
                Some((_, count)) => *count += 1,
                None => report.reasons.push((reason, 1)),
            }
        }
        games.push(game)
    })?;
    games.finish(&header(report.counts))?;
    report.reasons.sort_unstable();
    Ok(report)
}
