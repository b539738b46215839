//! What the engine thinks of a xiangqi position: a tapered sum of hand-written terms.
//!
//! The terms are in [`super::terms`]. How much of each half (middle game, end game) counts depends on the attacking pieces left on
//! the board. Material and placement are carried from move to move as a [`Tally`].

use super::Xiangqi;
use super::checks::Checks;
use super::exchange;
use super::moves::Move;
use super::params::{Packed, Params};
use super::piece::{Kind, PIECES};
use super::position::Position;
use super::quiet_checks::generate_quiet_checks;
use super::square::SQUARES;
use super::terms::{Evaluation, Trace};
use crate::game::{Evaluate, Side, Term};
use crate::score::Score;
use crate::search::params::SearchParams;

impl Evaluate for Xiangqi {
    type Params = Params;

    // One number is for "no piece": the last of moved pieces, 0 of captured ones.
    const PIECES: usize = PIECES + 1;
    const SQUARES: usize = SQUARES;

    fn search_params(params: &Params) -> &SearchParams {
        &params.numbers().search
    }

    type Tally = Tally;

    fn tally(position: &Position, params: &Params) -> Tally {
        let placement = Evaluation { position, params }.placement(&mut ());
        Tally { placement, phase: unbound_phase(position) }
    }

    #[inline]
    fn tally_after(position: &Position, params: &Params, tally: Tally, mv: Move) -> Tally {
        let (from, to) = (mv.from().index(), mv.to().index());
        let (Some(moved), captured) = (position.piece_at(mv.from()), position.piece_at(mv.to()))
        else {
            return tally;
        };
        let table = &params.squares[moved.index()];
        let mut gain = table[to] - table[from];
        let mut phase = tally.phase;
        if let Some(captured) = captured {
            gain += params.squares[captured.index()][to];
            phase -= PHASE[captured.kind().index()];
        }
        Tally { placement: tally.placement + gain * sign(position.side_to_move()), phase }
    }

    fn evaluate_tallied(position: &Position, params: &Params, tally: Tally) -> Score {
        let sum = tally.placement + Evaluation { position, params }.activity(&mut ());
        let us = position.side_to_move();
        let score = taper(tally.phase.min(FULL_PHASE), sum);
        let score = scaled(position, params, score) + params.numbers().weights.tempo * sign(us);
        Score::centipawns(score * sign(us))
    }

    fn evaluation_after_pass(params: &Params, before: Score) -> Score {
        Score::centipawns(2 * params.numbers().weights.tempo - before.get())
    }

    fn explain(position: &Position, params: &Params) -> Vec<Term> {
        let mut terms = Terms(Vec::new());
        let sum = Evaluation { position, params }.sum(&mut terms);
        let phase = phase(position);
        let mut list: Vec<Term> = terms
            .0
            .iter()
            .map(|&(name, [first, second])| Term {
                name,
                first: taper(phase, first),
                second: taper(phase, second),
            })
            .collect();
        // What rounding and scaling change, so that the terms add up to the evaluation.
        let whole = scaled(position, params, taper(phase, sum));
        let parts: i32 = list.iter().map(|term| term.first - term.second).sum();
        list.push(Term { name: "scaling", first: whole - parts, second: 0 });
        let tempo = |side| {
            if position.side_to_move() == side { params.numbers().weights.tempo } else { 0 }
        };
        let (first, second) = (tempo(Side::First), tempo(Side::Second));
        list.push(Term { name: "tempo", first, second });
        list
    }

    type Exchanges = ();

    fn exchange_after_gain(
        position: &Position,
        params: &Params,
        (): &mut (),
        mv: Move,
        _: i32,
        threshold: i32,
    ) -> bool {
        exchange::exchange_at_least(position, &params.exchange, mv, threshold)
    }

    #[inline(always)]
    fn gain(position: &Position, params: &Params, mv: Move) -> i32 {
        position.piece_at(mv.to()).map_or(0, |piece| params.exchange[piece.kind().index()])
    }

    #[inline(always)]
    fn is_noisy(position: &Position, mv: Move) -> bool {
        position.piece_at(mv.to()).is_some()
    }

    const HAS_CHECKS: bool = true;

    type Checks = Checks;

    fn checks(position: &Position) -> Checks {
        Checks::new(position)
    }

    #[inline(always)]
    fn gives_check(position: &Position, checks: &Checks, mv: Move) -> bool {
        checks.has(position, mv)
    }

    fn generate_quiet_checks(position: &Position, checks: &Checks, moves: &mut Vec<Move>) {
        generate_quiet_checks(position, checks, moves);
    }

    fn null_move_is_sane(position: &Position) -> bool {
        // With few pieces, being stalemated (a loss) and having to give way are common enough to mislead.
        let us = position.side_to_move();
        let lesser = position.pieces(us, Kind::Cannon) | position.pieces(us, Kind::Horse);
        2 * position.pieces(us, Kind::Chariot).count() + lesser.count() >= 3
    }

    #[inline(always)]
    fn moved_piece(position: &Position, mv: Move) -> usize {
        position.number_at(mv.from())
    }

    #[inline(always)]
    fn captured_piece(position: &Position, mv: Move) -> usize {
        match position.number_at(mv.to()) {
            PIECES => 0,
            number => number + 1,
        }
    }

    #[inline(always)]
    fn source(mv: Move) -> usize {
        mv.from().index()
    }

    #[inline(always)]
    fn target(mv: Move) -> usize {
        mv.to().index()
    }

    #[inline(always)]
    fn encode(mv: Move) -> u32 {
        mv.code()
    }

    fn decode(position: &Position, code: u32) -> Option<Move> {
        Move::from_code(code).filter(|&mv| position.is_legal(mv))
    }

    fn decode_out_of_check(position: &Position, code: u32) -> Option<Move> {
        Move::from_code(code).filter(|&mv| position.is_legal_out_of_check(mv))
    }
}

const fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

struct Terms(Vec<(&'static str, [Packed; 2])>);

impl Trace for Terms {
    fn add(&mut self, name: &'static str, side: Side, value: Packed) {
        let index = self.0.iter().position(|&(known, _)| known == name).unwrap_or_else(|| {
            self.0.push((name, [Packed::ZERO; 2]));
            self.0.len() - 1
        });
        self.0[index].1[side.index()] += value;
    }
}

/// What a search carries along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Material and placement, from the first player's view.
    placement: Packed,
    /// See [`phase`]; without its bound.
    phase: i32,
}

/// What each kind adds to the phase: chariots twice as much as horses and cannons.
const PHASE: [i32; Kind::ALL.len()] = [0, 0, 0, 1, 2, 1, 0];

/// How much the middle game counts, of [`FULL_PHASE`].
pub(super) fn phase(position: &Position) -> i32 {
    unbound_phase(position).min(FULL_PHASE)
}

fn unbound_phase(position: &Position) -> i32 {
    let mut phase = 0;
    for side in Side::ALL {
        for kind in Kind::ALL {
            phase += PHASE[kind.index()] * position.pieces(side, kind).count() as i32;
        }
    }
    phase
}

pub(super) const FULL_PHASE: i32 = 16;

fn taper(phase: i32, sum: Packed) -> i32 {
    (sum.middle() * phase + sum.end() * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Less, where the better side has next to nothing to win with.
fn scaled(position: &Position, params: &Params, score: i32) -> i32 {
    let better = if score > 0 { Side::First } else { Side::Second };
    if can_attack(position, better) {
        score
    } else {
        score * params.numbers().weights.drawish_percent / 100
    }
}

/// Whether a side has more than one piece that could attack, or a strong one.
pub(super) fn can_attack(position: &Position, side: Side) -> bool {
    let lesser =
        position.pieces(side, Kind::Horse).count() + position.pieces(side, Kind::Cannon).count();
    let strong = !position.pieces(side, Kind::Chariot).is_empty()
        || !position.pieces(side, Kind::Soldier).is_empty();
    strong || lesser > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveKind, Named};
    use crate::games::xiangqi::piece::Piece;
    use crate::games::xiangqi::rules::RuleSet;
    use crate::games::xiangqi::square::Square;

    /// Positions of random games, many of them wild.
    fn for_each_random_position(mut check: impl FnMut(&mut Position)) {
        let mut seed = 0xE7A1_u64;
        for _ in 0..40 {
            let mut position = Xiangqi::start(RuleSet::ALL[0].rules());
            for _ in 0..150 {
                check(&mut position);
                let mut moves = Vec::new();
                position.generate(MoveKind::All, &mut moves);
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn the_terms_add_up_to_the_evaluation() {
        let params = Params::default();
        for_each_random_position(|position| {
            let terms = Xiangqi::explain(position, &params);
            let sum: i32 = terms.iter().map(|term| term.first - term.second).sum();
            let score = Xiangqi::evaluate(position, &params).get();
            assert_eq!(sum, score * sign(position.side_to_move()), "{position:?}");
        });
    }

    #[test]
    fn the_tally_follows_the_moves() {
        let params = Params::default();
        for_each_random_position(|position| {
            let tally = Xiangqi::tally(position, &params);
            let mut moves = Vec::new();
            position.generate(MoveKind::All, &mut moves);
            for mv in moves {
                let expected = Xiangqi::tally_after(position, &params, tally, mv);
                position.make(mv);
                assert_eq!(Xiangqi::tally(position, &params), expected, "{position:?} {mv}");
                position.unmake();
            }
        });
    }

    #[test]
    fn after_a_pass_only_the_turn_differs() {
        let params = Params::default();
        for_each_random_position(|position| {
            let before = Xiangqi::evaluate(position, &params);
            let expected = Xiangqi::evaluation_after_pass(&params, before);
            position.make_null();
            assert_eq!(Xiangqi::evaluate(position, &params), expected, "{position:?}");
            position.unmake();
        });
    }

    #[test]
    fn a_turned_board_has_the_same_evaluation() {
        let params = Params::default();
        for_each_random_position(|position| {
            let turned = Square::all().filter_map(|square| {
                let piece = position.piece_at(square)?;
                Some((square.rotated(), Piece::new(!piece.side(), piece.kind())))
            });
            let turned = Position::from_board(
                turned.collect::<Vec<_>>(),
                !position.side_to_move(),
                0,
                1,
                position.rules(),
            );
            let expected = Xiangqi::evaluate(position, &params);
            assert_eq!(Xiangqi::evaluate(&turned, &params), expected, "{position:?}");
        });
    }

    #[test]
    fn a_move_gives_check_if_the_other_side_is_in_check_after_it() {
        for_each_random_position(|position| {
            let mut moves = Vec::new();
            position.generate(MoveKind::All, &mut moves);
            let checks = Xiangqi::checks(position);
            for mv in moves {
                let foretold = Xiangqi::gives_check(position, &checks, mv);
                position.make(mv);
                assert_eq!(foretold, position.in_check(), "{position:?} {mv}");
                position.unmake();
            }
        });
    }

    #[test]
    fn a_hollow_cannon_is_worth_something() {
        let params = Params::default();
        let terms = |fen: &str| {
            let rules = RuleSet::ALL[0].rules();
            let position = Xiangqi::parse_position(fen, rules).unwrap().position;
            let terms = Xiangqi::explain(&position, &params);
            terms.iter().find(|term| term.name == "lines to the general").map(|term| term.first)
        };
        let hollow = terms("3k5/9/9/9/9/3C5/9/R7r/9/4K4 w - - 0 1");
        let idle = terms("3k5/9/9/9/9/2C6/9/R7r/9/4K4 w - - 0 1");
        assert!(hollow > idle, "{hollow:?} {idle:?}");
    }
}
