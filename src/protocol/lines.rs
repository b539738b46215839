//! What a search found, as lines of text.

use super::dialect::Dialect;
use crate::chances::Chances;
use crate::game::{Game, MoveKind};
use crate::score::ScoreKind;
use crate::search::{Line, Report};

/// How a search is to be shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Show<N> {
    pub(super) dialect: Dialect,
    pub(super) notation: N,
    /// The most lines to show.
    pub(super) lines: usize,
    /// Whether chances to win, draw and lose are shown.
    pub(super) wdl: bool,
}

/// The lines of a report on a position.
pub(super) fn report<G: Game>(
    show: Show<G::Notation>,
    position: &G::Position,
    report: &Report<G::Move>,
) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::new();
    let time = report.time.as_millis();
    let nps = (report.nodes as f64 / report.time.as_secs_f64().max(1e-3)) as u64;
    if show.dialect == Dialect::Ucci {
        texts.push(format!("info time {time} nodes {}", report.nodes));
    }
    for line in report.lines.iter().take(show.lines) {
        let score = show.dialect.score(line.score, line.bound);
        let pv = moves::<G>(&mut position, show.notation, line).join(" ");
        let pv = if pv.is_empty() { String::new() } else { format!(" pv {pv}") };
        let multipv = if show.dialect == Dialect::Ucci && show.lines == 1 {
            String::new()
        } else {
            format!(" multipv {}", line.rank)
        };
        if show.dialect == Dialect::Ucci {
            texts.push(format!("info depth {}{multipv} {score}{pv}", report.depth));
            continue;
        }
        let wdl = if show.wdl {
            let chances = Chances::of(line.score);
            format!(" wdl {} {} {}", chances.win, chances.draw, chances.loss)
        } else {
            String::new()
        };
        texts.push(format!(
            "info depth {} seldepth {}{multipv} {score}{wdl} nodes {} nps {nps} hashfull {} time {time}{pv}",
            report.depth, report.seldepth, report.nodes, report.hashfull
        ));
    }
    texts
}

/// The moves of a line as text. A line is cut before a move that is not legal, which should not be there.
pub(super) fn moves<G: Game>(
    position: &mut G::Position,
    notation: G::Notation,
    line: &Line<G::Move>,
) -> Vec<String> {
    let mut texts = Vec::new();
    for &mv in &line.moves {
        if !is_legal::<G>(position, mv) {
            debug_assert!(false, "illegal {mv:?} in a line of {position:?}");
            break;
        }
        texts.push(G::format_move(position, mv, notation));
        G::make(position, mv);
    }
    for _ in 0..texts.len() {
        G::unmake(position);
    }
    texts
}

/// Whether a move is legal.
pub(super) fn is_legal<G: Game>(position: &G::Position, mv: G::Move) -> bool {
    let mut legal = Vec::new();
    G::generate(position, MoveKind::All, &mut legal);
    legal.contains(&mv)
}

/// What is to be said of a score that rests on a repetition rule.
pub(super) fn rule_note<M>(report: &Report<M>) -> Option<String> {
    match report.score().kind() {
        ScoreKind::Rule(plies) if plies > 0 => Some(format!(
            "rule: the score is a win by the repetition rules within {plies} plies, not a mate"
        )),
        ScoreKind::Rule(plies) => Some(format!(
            "rule: the score is a loss by the repetition rules within {} plies, not a mate",
            -plies
        )),
        ScoreKind::Centipawns(_) | ScoreKind::Mate(_) => None,
    }
}
