//! Quiet moves that give check, for the first plies of quiescence: only pieces that could give one are looked at, and of
//! those only the points from which they would.

use super::bitboard::Bitboard;
use super::checks::Checks;
use super::movegen::{Guard, widest_targets};
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::Square;

/// Appends the legal quiet moves that give check.
pub(super) fn generate_quiet_checks(position: &Position, checks: &Checks, moves: &mut Vec<Move>) {
    let us = position.side_to_move();
    let empty = !position.occupied();
    // Most positions have none, so that what threatens the own general is looked at only for the first.
    let mut guard = None;
    let mut add = |from: Square, piece: Piece, points: Bitboard, tested: bool| {
        if (widest_targets(from, piece) & points).is_empty() {
            return;
        }
        (position.targets(from, piece) & points).for_each_square(|to| {
            let mv = Move::new(from, to);
            if tested && !checks.has(position, mv) {
                return;
            }
            let guard = guard.get_or_insert_with(|| Guard::new(position));
            if guard.is_safe(position, mv) {
                moves.push(mv);
            }
        });
    };
    for kind in Kind::ALL {
        let piece = Piece::new(us, kind);
        let pieces = position.pieces(us, kind);
        let tested = pieces & checks.tested();
        tested.for_each_square(|from| add(from, piece, empty, true));
        let points = checks.arrivals(kind) & empty;
        if !points.is_empty() {
            (pieces & !tested).for_each_square(|from| add(from, piece, points, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Evaluate, Game, MoveKind, Named};
    use crate::games::xiangqi::Xiangqi;
    use crate::games::xiangqi::rules::RuleSet;
    use crate::random::Random;

    #[test]
    fn quiet_checks_are_the_quiet_moves_that_give_check() {
        let mut random = Random::new(7, 3);
        let (mut listed, mut moves, mut found) = (0, Vec::new(), Vec::new());
        for _ in 0..300 {
            let mut position = Xiangqi::start(RuleSet::ALL[0].rules());
            for _ in 0..200 {
                let checks = Xiangqi::checks(&position);
                moves.clear();
                position.generate(MoveKind::Quiet, &mut moves);
                moves.retain(|&mv| position.gives_check(mv));
                found.clear();
                Xiangqi::generate_quiet_checks(&position, &checks, &mut found);
                let by_code = |mv: &Move| mv.code();
                found.sort_by_key(by_code);
                moves.sort_by_key(by_code);
                assert_eq!(found, moves, "{position:?}");
                listed += found.len();
                moves.clear();
                position.generate(MoveKind::All, &mut moves);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.below(moves.len())]);
            }
        }
        assert!(listed > 10_000, "{listed}");
    }
}
