//! Principal variations: the triangular table of the search, and their completion from the transposition table.

use super::table::Table;
use super::worker::{PLY_LIMIT, no_moves_score, verdict_score};
use crate::game::{Evaluate, MoveKind};
use crate::score::{Score, ScoreKind};

/// The best line found below each ply of the current path.
pub(super) struct PvTable<M> {
    lines: Vec<Vec<M>>,
}

impl<M: Copy> PvTable<M> {
    pub(super) fn new(plies: usize) -> Self {
        Self { lines: (0..plies).map(|_| Vec::new()).collect() }
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The line at `ply` becomes the move and the line below it.
    pub(super) fn set(&mut self, ply: usize, mv: M) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    pub(super) fn line(&self, ply: usize) -> &[M] {
        &self.lines[ply]
    }
}

/// Lengthens a mate line that a table cut ended early, up to the mate, with moves of the table and, one ply before the
/// mate, any move that mates. Every move is checked, so the line is legal to its end.
pub(super) fn complete<G: Evaluate>(
    root: &G::Position,
    table: &Table,
    score: Score,
    line: &mut Vec<G::Move>,
) {
    let ScoreKind::Mate(plies) = score.kind() else { return };
    let length = (plies.unsigned_abs() as usize).min(PLY_LIMIT);
    if line.len() >= length {
        return;
    }
    let mut position = root.clone();
    for &mv in &*line {
        G::make(&mut position, mv);
    }
    let mut moves = Vec::new();
    while line.len() < length {
        let missing = length - line.len();
        let winner = missing % 2 == 1;
        moves.clear();
        G::generate(&position, MoveKind::All, &mut moves);
        if verdict_score::<G>(&position, line.len()).is_some() {
            return;
        }
        let best = best_known::<G>(&mut position, table, &moves, winner, missing);
        let Some(mv) = best else { return };
        G::make(&mut position, mv);
        line.push(mv);
    }
}

/// The move after which the table (or the rules) knows a mate of the right distance.
fn best_known<G: Evaluate>(
    position: &mut G::Position,
    table: &Table,
    moves: &[G::Move],
    winner: bool,
    missing: usize,
) -> Option<G::Move> {
    moves.iter().copied().find(|&mv| {
        G::make(position, mv);
        let distance = known_mate_distance::<G>(position, table, winner);
        G::unmake(position);
        distance.is_some_and(|distance| distance + 1 == missing)
    })
}

/// Plies to the mate of the side to move (after a move of the winner) or by it (after a move of the loser).
fn known_mate_distance<G: Evaluate>(
    position: &G::Position,
    table: &Table,
    after_winner: bool,
) -> Option<usize> {
    let score = match verdict_score::<G>(position, 0) {
        Some(score) => score,
        None if after_winner && G::count(position) == 0 => no_moves_score::<G>(position, 0),
        None => table.load(G::hash(position), 0)?.score?.0,
    };
    match score.kind() {
        ScoreKind::Mate(plies) if score.get() < 0 && after_winner => {
            Some(plies.unsigned_abs() as usize)
        }
        ScoreKind::Mate(plies) if score.get() > 0 && !after_winner => {
            Some(plies.unsigned_abs() as usize)
        }
        _ => None,
    }
}
