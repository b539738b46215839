//! What the engine thinks of a taikyoku position: material and placement, kept up to date move by move, and the safety of the
//! royals, looked up along their lines.
//!
//! With 800 pieces on the board a walk over them would cost more than the rest of a node, so whatever depends on one piece and
//! its square is a sum that make and unmake keep; see [`super::values`] for what is in it.

use super::Taikyoku;
use super::attack;
use super::board::Board;
use super::exchange::{self, Exchanges};
use super::lines::{ROW_MASK, free_star, low_bits};
use super::movegen;
use super::params::{Params, Weights};
use super::piece::Move;
use super::position::Position;
use super::square::{SIZE, SQUARES, Square, direction_for};
use crate::game::{Evaluate, Side, Term};
use crate::score::Score;
use crate::search::params::SearchParams;

/// Kinds in the table; [`Evaluate::PIECES`] needs it as a constant, and a test compares it with the table.
const KINDS: usize = 301;

/// Marks a move code, so that none is zero.
const CODE: u32 = 1 << 31;

/// Royals whose safety is looked at; a side with more has none to fear for.
const MOST_ROYALS: usize = 3;

impl Evaluate for Taikyoku {
    type Params = Params;

    // 0 stands for "no piece".
    const PIECES: usize = 2 * KINDS + 1;
    const SQUARES: usize = SQUARES;

    fn search_params(params: &Params) -> &SearchParams {
        &params.numbers().search
    }

    fn prepare(position: &mut Position, params: &Params) {
        let values = params.values(position.rules().set);
        position.set_values(values);
    }

    // The position itself keeps its sums up to date.
    type Tally = ();

    fn tally(_: &Position, _: &Params) {}

    fn tally_after(_: &Position, _: &Params, (): (), _: Move) {}

    fn evaluate_tallied(position: &Position, params: &Params, (): ()) -> Score {
        let weights = &params.numbers().weights;
        let us = position.side_to_move();
        let worth = position.worth_by(params.values(position.rules().set));
        let mut score = worth[us.index()] - worth[(!us).index()];
        score += safety(position, us, weights) - safety(position, !us, weights);
        Score::centipawns(cut_lead(score, weights) + weights.tempo)
    }

    fn evaluation_after_pass(params: &Params, before: Score) -> Score {
        Score::centipawns(2 * params.numbers().weights.tempo - before.get())
    }

    fn explain(position: &Position, params: &Params) -> Vec<Term> {
        let weights = &params.numbers().weights;
        let values = params.values(position.rules().set);
        let us = position.side_to_move();
        let material = Side::ALL.map(|side| {
            position.pieces(side).map(|(_, piece)| values.material(piece)).sum::<i32>()
        });
        let worth = position.worth_by(values);
        let safety = Side::ALL.map(|side| safety(position, side, weights));
        let whole: i32 = worth[0] + safety[0] - worth[1] - safety[1];
        let tempo = |side| if us == side { weights.tempo } else { 0 };
        let term = |name, [first, second]: [i32; 2]| Term { name, first, second };
        vec![
            term("material", material),
            term("placement", [worth[0] - material[0], worth[1] - material[1]]),
            term("royal safety", safety),
            term("large lead", [cut_lead(whole, weights) - whole, 0]),
            term("tempo", [tempo(Side::First), tempo(Side::Second)]),
        ]
    }

    type Exchanges = Exchanges;

    fn exchange_after_gain(
        position: &Position,
        params: &Params,
        found: &mut Exchanges,
        mv: Move,
        gain: i32,
        threshold: i32,
    ) -> bool {
        let values = params.values(position.rules().set);
        exchange::exchange_at_least(position, values, found, mv, gain, threshold)
    }

    fn gain(position: &Position, params: &Params, mv: Move) -> i32 {
        exchange::gain(position, params.values(position.rules().set), mv)
    }

    fn gains(position: &Position, params: &Params, moves: &[Move], gains: &mut Vec<i32>) {
        exchange::gains(position, params.values(position.rules().set), moves, gains);
    }

    fn promise(position: &Position, params: &Params, mv: Move) -> i32 {
        let Some(piece) = position.piece_at(mv.from()) else { return 0 };
        let weights = &params.numbers().weights;
        let values = params.values(position.rules().set);
        let better = values.worth(piece, mv.to()) - values.worth(piece, mv.from());
        let mut promise = better * weights.placement_order;
        if position.is_royal(piece) && position.royal_count(piece.side()) == 1 {
            promise += weights.flight_order;
        }
        promise
    }

    fn is_noisy(position: &Position, mv: Move) -> bool {
        mv.promotes() || position.is_capture(mv)
    }

    fn generate_noisy_to(position: &Position, target: usize, moves: &mut Vec<Move>) {
        movegen::generate_noisy_to(position, Square::from_index(target), moves);
    }

    const HAS_CHECKS: bool = false;

    type Checks = ();

    fn checks(_: &Position) {}

    fn gives_check(_: &Position, (): &(), _: Move) -> bool {
        false
    }

    fn wins_at_once(position: &Position) -> bool {
        attack::is_last_royal_attacked(position, !position.side_to_move())
    }

    fn null_move_is_sane(position: &Position) -> bool {
        let us = position.side_to_move();
        position.piece_count(us) > position.royal_count(us) + 1
    }

    fn moved_piece(position: &Position, mv: Move) -> usize {
        number_at(position, mv.from())
    }

    fn captured_piece(position: &Position, mv: Move) -> usize {
        if mv.from() != mv.to() {
            let number = number_at(position, mv.to());
            if number != 0 {
                return number;
            }
        }
        mv.first_capture().map_or(0, |square| number_at(position, square))
    }

    fn source(mv: Move) -> usize {
        mv.from().index()
    }

    fn target(mv: Move) -> usize {
        mv.to().index()
    }

    fn encode(mv: Move) -> u32 {
        mv.bits() | CODE
    }

    fn decode(position: &Position, code: u32) -> Option<Move> {
        let mv = Move::from_bits(code & !CODE);
        (code & CODE != 0 && movegen::is_legal(position, mv)).then_some(mv)
    }
}

/// The number of the piece on a square with its side; 0: none.
fn number_at(position: &Position, square: Square) -> usize {
    position
        .piece_at(square)
        .map_or(0, |piece| 1 + piece.kind().index() + KINDS * piece.side().index())
}

/// A lead that exceeds `full_lead` counts less, so that even a whole army ahead fits the band of static scores and more is
/// still better.
fn cut_lead(score: i32, weights: &Weights) -> i32 {
    let full = weights.full_lead;
    let beyond = (score.abs() - full).max(0);
    (score.abs().min(full) + beyond / weights.lead_divisor) * score.signum()
}

/// How safe the royals of a side are; negative: in danger.
fn safety(position: &Position, side: Side, weights: &Weights) -> i32 {
    let sum = safety_sum(position, side, weights);
    if position.royal_count(side) > 1 { sum * weights.spare_royal_percent / 100 } else { sum }
}

/// The safety of all royals of a side, as if each were the last.
pub(super) fn safety_sum(position: &Position, side: Side, weights: &Weights) -> i32 {
    if position.royal_count(side) > MOST_ROYALS {
        return 0;
    }
    position.royals(side).map(|royal| safety_of(position, side, royal, weights)).sum()
}

fn safety_of(position: &Position, side: Side, royal: Square, weights: &Weights) -> i32 {
    let board: &Board = &position.board;
    let (own, enemy) = (&board.lines[side.index()], &board.lines[1 - side.index()]);
    let mut sum = 0;
    let star = free_star(own, enemy, royal);
    for (direction, free) in star.into_iter().enumerate() {
        let piece = board.at(royal.onward(direction, free + 1));
        if !piece.is_some() {
            continue;
        }
        if piece.side() != side {
            let range = position.table.slides[piece.code()][(direction + 4) & 7];
            if u32::from(range) > free {
                sum -= weights.line_attack;
            }
            sum -= weights.open_line * free.min(OPEN) as i32;
        } else if free == 0 {
            sum += weights.shelter;
        } else if matches!(direction_for(side, direction), 7 | 0 | 1) {
            sum -= weights.open_line * free.min(OPEN) as i32;
        }
    }
    let (row, column) = (royal.row(), royal.column() as u32);
    let window = (low_bits(2 * NEAR as u32 + 1) << column >> NEAR) & ROW_MASK;
    let rows = row.saturating_sub(NEAR)..(row + NEAR + 1).min(SIZE);
    let near: u32 = rows.map(|row| (board.row(!side, row) & window).count_ones()).sum();
    sum - weights.near_enemy * near as i32
}

/// Empty squares of a line that count.
const OPEN: u32 = 6;
/// Rows and columns around a royal in which enemies count as near.
const NEAR: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::taikyoku::Kind;

    #[test]
    fn the_number_of_kinds_is_that_of_the_table() {
        assert_eq!(Kind::all().count(), KINDS);
    }
}
