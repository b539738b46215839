//! What a move takes, and static exchange evaluation: who gains by captures on one square, judged without playing them.
//!
//! The first move is counted in full: a range capture with all it flies over, own pieces as losses, a lion with both captures,
//! promotion with what it gains. After it the sides capture on its last square in turn, the least valuable piece first, and
//! each may stop. Pieces behind a capturer on the same line join in.
//!
//! What is left out, because finding it costs more than it tells: captures elsewhere, promotion while recapturing, what a range
//! capture flies over while recapturing, and lines that a capture opens or closes for over-slides, range captures and hooks.

use super::attack::{Attack, line_to};
use super::board::{Board, bits};
use super::lines::{Star, Stretch, free_star, pieces_between, square_on, stretch};
use super::piece::{Move, Piece};
use super::position::Position;
use super::ruleset::RuleSet;
use super::square::{SLOTS, Square};
use super::values::Values;
use crate::game::Side;

/// What a move takes and gains by itself: enemies count for it, own pieces it removes against it.
#[inline]
pub(crate) fn gain(position: &Position, values: &Values, mv: Move) -> i32 {
    gain_after(position, values, mv, &mut None)
}

/// The gain of each of a list of moves. Range captures that follow each other along a line count what they fly over only once.
pub(crate) fn gains(position: &Position, values: &Values, moves: &[Move], gains: &mut Vec<i32>) {
    let mut flight = None;
    gains.extend(moves.iter().map(|&mv| gain_after(position, values, mv, &mut flight)));
}

#[inline(always)]
fn gain_after(position: &Position, values: &Values, mv: Move, flight: &mut Option<Flight>) -> i32 {
    let mut sum = 0;
    if mv.is_special() {
        sum += special_gain(position, values, mv, flight);
    } else if mv.from() != mv.to() {
        let piece = position.board.at(mv.to());
        if piece.is_some() {
            // Under some rules a range capture may end on an own piece.
            let worth = worth_in_exchange(position, values, piece);
            sum += if piece.side() == position.side_to_move() { -worth } else { worth };
        }
    }
    if mv.promotes() {
        let piece = position.board.at(mv.from());
        let promoted = position.promotion_of(piece).unwrap_or(piece);
        sum += values.material(promoted) - values.material(piece);
    }
    sum
}

/// What pieces of a move's way are worth together; see [`Values::taken`].
#[derive(Clone, Copy, Default)]
struct Taken(i64);

impl Taken {
    /// What they bring the side to move if it removes them. Whoever loses the last of two royals loses as much as with one.
    #[inline(always)]
    fn gain(self, position: &Position, values: &Values) -> i32 {
        let us = position.side_to_move();
        let lost_by_second = self.0 as i32;
        let mut sum = if us == Side::First { lost_by_second } else { -lost_by_second };
        let royals = (self.0 - i64::from(lost_by_second)) >> 32;
        if royals != 0 {
            for side in Side::ALL {
                let fallen = (royals >> (16 * side.index()) & 0xFFFF) as usize;
                if fallen > 0 && fallen == position.royal_count(side) {
                    sum += if side == us { -values.last_royal } else { values.last_royal };
                }
            }
        }
        sum
    }
}

/// What a range capture flies over before its last square.
#[derive(Clone, Copy)]
struct Flight {
    from: Square,
    to: Square,
    /// The slots between one square of the way and the next.
    slots: i32,
    passed: Taken,
}

impl Flight {
    /// The flight of a move, from the one before if it ends a square farther or nearer.
    #[inline(always)]
    fn of(position: &Position, values: &Values, mv: Move, before: Option<Self>) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let taken = |square| values.taken(position.board.at(square));
        let known = before.filter(|flight| flight.from == from);
        let farther = known.map(|flight| (to.slot() as i32 - flight.to.slot() as i32, flight));
        match farther {
            Some((slots, flight)) if slots == flight.slots => {
                Self { to, passed: Taken(flight.passed.0 + taken(flight.to)), ..flight }
            }
            Some((slots, flight)) if slots == -flight.slots => {
                Self { to, passed: Taken(flight.passed.0 - taken(to)), ..flight }
            }
            _ => Self::afresh(position, values, from, to),
        }
    }

    fn afresh(position: &Position, values: &Values, from: Square, to: Square) -> Self {
        let board = &*position.board;
        let [first, second] = &board.lines;
        let Stretch { family, line, bits: over, .. } = stretch(from, to);
        let passed = bits(over & (first[line] | second[line]))
            .map(|bit| values.taken(board.at(square_on(family, line, bit as u32))))
            .sum();
        let (rows, columns) = (to.row().cmp(&from.row()), to.column().cmp(&from.column()));
        let slots = 64 * rows as i32 + columns as i32;
        Self { from, to, slots, passed: Taken(passed) }
    }
}

/// What a move with several captures takes.
#[inline(always)]
fn special_gain(
    position: &Position,
    values: &Values,
    mv: Move,
    flight: &mut Option<Flight>,
) -> i32 {
    let mut taken = Taken::default();
    if mv.sweeps() {
        let whole = Flight::of(position, values, mv, *flight);
        *flight = Some(whole);
        taken = whole.passed;
    }
    if let Some(first) = mv.first_capture() {
        taken.0 += values.taken(position.board.at(first));
    }
    if mv.from() != mv.to() {
        taken.0 += values.taken(position.board.at(mv.to()));
    }
    taken.gain(position, values)
}

fn is_last_royal(position: &Position, piece: Piece) -> bool {
    position.is_royal(piece) && position.royal_count(piece.side()) == 1
}

/// The worth of a piece in exchanges; the last royal is worth the game.
fn worth_in_exchange(position: &Position, values: &Values, piece: Piece) -> i32 {
    if is_last_royal(position, piece) { values.last_royal } else { values.material(piece) }
}

/// Whether a legal move, which gains so much by itself, and the exchanges after it on its last square bring the mover at least
/// `threshold`. What is `found` out serves the next exchange.
pub(crate) fn exchange_at_least(
    position: &Position,
    values: &Values,
    found: &mut Exchanges,
    mv: Move,
    gain: i32,
    threshold: i32,
) -> bool {
    let Some(mover) = position.piece_at(mv.from()) else { return threshold <= 0 };
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    let arriving =
        if mv.promotes() { position.promotion_of(mover).unwrap_or(mover) } else { mover };
    // What is left when the mover is lost as well.
    balance = worth_in_exchange(position, values, arriving) - balance;
    if balance <= 0 || !leaves_royals(position, mv) {
        return true;
    }
    let us = position.side_to_move();
    let mut exchange = Exchange::new(position, values, found, mv);
    let mut side = us;
    let mut occupant = arriving;
    let mut holds = true;
    loop {
        side = !side;
        // Nobody takes back after the last royal; and one that brings enough even if it falls settles it as well as the least.
        let takes_last = is_last_royal(position, occupant);
        let enough = if takes_last { i32::MAX } else { balance - i32::from(holds) };
        let Some((capturer, worth)) = exchange.least(side, enough) else { return holds };
        holds = !holds;
        if worth <= enough {
            return holds;
        }
        balance = worth - balance;
        occupant = capturer;
    }
}

/// Whether the enemy has a royal left after the move, so that it can answer.
fn leaves_royals(position: &Position, mv: Move) -> bool {
    let them = !position.side_to_move();
    let left = position.royal_count(them);
    if left > 2 {
        // More royals never fall at once but by a range capture, which `gain` has counted.
        return true;
    }
    let falls = |square: Square| {
        let piece = position.board.at(square);
        usize::from(piece.is_some() && piece.side() == them && position.is_royal(piece))
    };
    let mut taken = mv.first_capture().map_or(0, falls);
    if mv.from() != mv.to() {
        taken += falls(mv.to());
    }
    if mv.sweeps() {
        // Royals rank above others.
        let ranked = &position.board.ranked;
        taken += pieces_between(ranked, ranked, mv.from(), mv.to()).map(falls).sum::<usize>();
    }
    taken < left
}

/// Attackers kept per side; more never decide an exchange.
const MOST: usize = 24;

/// The pieces of a side that attack a square of a position by their programs.
#[derive(Clone, Copy)]
struct Programs {
    /// The rule set, the key of the position and the square.
    of: (RuleSet, u64, Square),
    count: u8,
    list: [Square; MOST],
}

/// Squares whose attackers are kept, per side.
const KEPT: usize = 16;

/// Attackers by program of the squares that exchanges were last looked at on, kept because moves to the same square come in
/// numbers. Right for any position and rule set, as each entry knows its own.
pub struct Exchanges([Programs; 2 * KEPT]);

impl Default for Exchanges {
    fn default() -> Self {
        let nowhere = Square::from_slot(SLOTS as u32 - 1);
        let of = (RuleSet::Seed, 0, nowhere);
        Self([Programs { of, count: 0, list: [nowhere; MOST] }; 2 * KEPT])
    }
}

impl Exchanges {
    /// The attackers of a square.
    #[inline(always)]
    fn programs(&mut self, position: &Position, side: Side, target: Square) -> &Programs {
        let place = (target.row() * 5 + target.column()) % KEPT * 2 + side.index();
        let programs = &mut self.0[place];
        let of = (position.rules().set, position.key(), target);
        if programs.of != of {
            (programs.of, programs.count) = (of, 0);
            let [first, second] = &position.board.lines;
            let star = free_star(first, second, target);
            Attack::new(position, side).visit_programs(target, &star, |from, _| {
                programs.list[usize::from(programs.count)] = from;
                programs.count += 1;
                usize::from(programs.count) < MOST
            });
        }
        programs
    }
}

/// An exchange on a square.
struct Exchange<'a> {
    position: &'a Position,
    board: &'a Board,
    values: &'a Values,
    target: Square,
    /// Occupied squares seen from the target; capturers leave.
    lines: Star,
    found: &'a mut Exchanges,
    /// Which of the attackers by program are left, one bit each; looked up when a side first needs them.
    left: [Option<u32>; 2],
    mv: Move,
}

impl<'a> Exchange<'a> {
    fn new(position: &'a Position, values: &'a Values, found: &'a mut Exchanges, mv: Move) -> Self {
        let board = &*position.board;
        let [first, second] = &board.lines;
        let target = mv.to();
        let (lines, left) = (Star::new(first, second, target), [None; 2]);
        let mut exchange = Self { position, board, values, target, lines, found, left, mv };
        if mv.from() != target {
            exchange.leave(mv.from());
        }
        if mv.sweeps()
            && let Some((direction, distance)) = exchange.seen(mv.from())
        {
            exchange.lines.empty_up_to(direction, distance);
        }
        if let Some(first) = mv.first_capture() {
            exchange.leave(first);
        }
        exchange
    }

    /// Direction and distance of a square as seen from the target.
    fn seen(&self, square: Square) -> Option<(usize, u32)> {
        line_to(self.target, square)
    }

    /// Takes a square off the lines of the target.
    fn leave(&mut self, square: Square) {
        if let Some((direction, distance)) = self.seen(square) {
            self.lines.empty(direction, distance);
        }
    }

    /// Whether the piece of a square is gone since the first move.
    fn is_gone(&self, square: Square) -> bool {
        let mv = self.mv;
        square == mv.from()
            || Some(square) == mv.first_capture()
            || mv.sweeps()
                && match (self.seen(mv.from()), self.seen(square)) {
                    (Some((line, whole)), Some((direction, distance))) => {
                        line == direction && distance <= whole
                    }
                    _ => false,
                }
    }

    /// Removes the least valuable attacker of a side, or one of those worth no more than `enough`; the piece and its worth,
    /// `None` if there is none.
    fn least(&mut self, side: Side, enough: i32) -> Option<(Piece, i32)> {
        let mut best: Option<(i32, Square, u32)> = None;
        for direction in 0..8 {
            let place = self.lines.first(direction);
            let from = self.target.onward(direction, place + 1);
            let piece = self.board.at(from);
            let range = self.position.table.slides[piece.code()][(direction + 4) & 7];
            if piece.side() == side && u32::from(range) > place {
                let worth = worth_in_exchange(self.position, self.values, piece);
                if worth <= enough {
                    return Some((piece, worth));
                }
                if best.is_none_or(|(least, ..)| worth < least) {
                    best = Some((worth, from, 0));
                }
            }
        }
        let (left, list) = self.programs(side);
        for index in bits(u64::from(left)) {
            let from = list[index % MOST];
            let worth = worth_in_exchange(self.position, self.values, self.board.at(from));
            if worth <= enough {
                return Some((self.board.at(from), worth));
            }
            if best.is_none_or(|(least, ..)| worth < least) {
                best = Some((worth, from, 1 << index));
            }
        }
        let (worth, from, bit) = best?;
        self.left[side.index()] = Some(left & !bit);
        self.leave(from);
        Some((self.board.at(from), worth))
    }

    /// Which attackers of a side by their programs are left, one bit each, and all of them.
    #[inline(always)]
    fn programs(&mut self, side: Side) -> (u32, [Square; MOST]) {
        let Programs { count, list, .. } = *self.found.programs(self.position, side, self.target);
        let stays = |index: usize| u32::from(!self.is_gone(list[index])) << index;
        let left = self.left[side.index()];
        (left.unwrap_or_else(|| (0..usize::from(count)).map(stays).sum()), list)
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::square::SIZE;
    use super::super::{Kind, Taikyoku};
    use super::*;
    use crate::game::{Game, MoveKind};
    use crate::random::Random;

    /// The exchange on a square played out with the generator: the least valuable piece captures, or nothing.
    fn exchange_slow(position: &mut Position, values: &Values, target: Square) -> i32 {
        let mut moves = Vec::new();
        Taikyoku::generate(position, MoveKind::Noisy, &mut moves);
        let order = |mv: &Move| {
            let piece = position.piece_at(mv.from()).unwrap();
            (worth_in_exchange(position, values, piece), line_to(target, mv.from()))
        };
        let Some(&mv) = moves.iter().filter(|mv| mv.to() == target).min_by_key(|mv| order(mv))
        else {
            return 0;
        };
        let taken = gain(position, values, mv);
        position.make(mv);
        let answer = exchange_slow(position, values, target);
        position.unmake();
        (taken - answer).max(0)
    }

    /// Pieces that only step and slide, crowded in the middle of the board, far from both zones.
    fn crowd(state: &mut u64) -> Position {
        let mut below = |limit: usize| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((*state >> 33) as usize) % limit
        };
        let mut position = Position::empty(RuleSet::Seed.rules());
        let plain: Vec<Kind> = Kind::all()
            .filter(|&kind| {
                let moves = position.table.move_set(kind);
                moves.leaps.is_empty()
                    && moves.oblique.is_empty()
                    && moves.overs.is_empty()
                    && moves.range_captures == 0
                    && moves.hooks == 0
                    && !moves.lion
                    && moves.igui == 0
                    && !position.is_royal(Piece::new(Side::First, kind, false))
            })
            .collect();
        let king = Kind::from_code("K").unwrap();
        for side in Side::ALL {
            let row = 14 + below(8);
            position.place(Square::new(row, side.index()), Piece::new(side, king, false));
        }
        for _ in 0..30 {
            let square = Square::new(14 + below(8), 14 + below(8));
            let kind = plain[below(plain.len())];
            let promoted = below(2) == 0;
            position.place(square, Piece::new(Side::ALL[below(2)], kind, promoted));
        }
        if below(3) == 0 {
            let (side, square) = (Side::ALL[below(2)], Square::new(14 + below(8), 14 + below(8)));
            for row in 0..SIZE {
                position.clear(Square::new(row, side.index()));
            }
            position.place(square, Piece::new(side, king, false));
        }
        if position.is_over() { crowd(state) } else { position }
    }

    #[test]
    fn exchanges_of_steps_and_slides_are_exact() {
        let params = Params::default();
        let values = params.values(RuleSet::Seed);
        let mut seen = Exchanges::default();
        let mut state = 7;
        let mut captures = 0;
        for _ in 0..400 {
            let mut position = crowd(&mut state);
            let mut moves = Vec::new();
            Taikyoku::generate(&position, MoveKind::All, &mut moves);
            // In the zones recaptures may promote, which the estimate leaves out.
            let in_zone = |mv: &Move| Side::ALL.iter().any(|&side| mv.to().in_zone(side));
            for mv in moves.into_iter().filter(|mv| !in_zone(mv)) {
                let taken = gain(&position, values, mv);
                captures += u32::from(taken > 0);
                position.make(mv);
                let exact = taken - exchange_slow(&mut position, values, mv.to());
                position.unmake();
                let bounds = if exact.abs() > 10_000 { [-3000, 3000] } else { [exact, exact + 1] };
                for bound in bounds {
                    let found = exchange_at_least(&position, values, &mut seen, mv, taken, bound);
                    assert_eq!(found, exact >= bound, "{mv:?} is worth {exact}: {position:?}");
                }
            }
        }
        assert!(captures > 2000, "only {captures} captures were compared");
    }

    /// Calls `visit` at positions of random games under both rule sets, with their noisy moves.
    fn along_games(mut visit: impl FnMut(&Position, &Values, &[Move])) {
        let params = Params::default();
        let mut random = Random::new(11, 1);
        for set in [RuleSet::Seed, RuleSet::Atsa] {
            let values = params.values(set);
            let mut position = Position::initial(set.rules());
            for ply in 0..500 {
                let mut moves = Vec::new();
                if ply % 5 == 0 {
                    Taikyoku::generate(&position, MoveKind::Noisy, &mut moves);
                    visit(&position, values, &moves);
                    moves.clear();
                }
                Taikyoku::generate(&position, MoveKind::All, &mut moves);
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn moves_gain_what_they_capture_and_become() {
        let mut sweeps = 0;
        along_games(|position, values, moves| {
            let us = position.side_to_move();
            let mut found = Vec::new();
            gains(position, values, moves, &mut found);
            assert_eq!(found.len(), moves.len());
            for (&mv, found) in moves.iter().zip(found) {
                let mut gain = 0;
                let mut fallen = [0; 2];
                for (_, piece) in position.captures(mv) {
                    let worth = values.material(piece);
                    gain += if piece.side() == us { -worth } else { worth };
                    fallen[piece.side().index()] += usize::from(position.is_royal(piece));
                    // Where nothing else falls, the last royal is worth the game and no more.
                    if !mv.is_special() && is_last_royal(position, piece) {
                        gain -= if piece.side() == us { -worth } else { worth };
                    }
                }
                for side in Side::ALL {
                    if fallen[side.index()] == position.royal_count(side) {
                        gain += if side == us { -values.last_royal } else { values.last_royal };
                    }
                }
                if mv.promotes() {
                    let piece = position.piece_at(mv.from()).unwrap();
                    let promoted = position.promotion_of(piece).unwrap();
                    gain += values.material(promoted) - values.material(piece);
                }
                assert_eq!(found, gain, "{mv:?} in {position:?}");
                sweeps += u32::from(mv.sweeps());
            }
        });
        assert!(sweeps > 5000, "only {sweeps} range captures were compared");
    }

    #[test]
    fn what_exchanges_found_out_changes_no_other() {
        let mut kept = Exchanges::default();
        let mut count = 0;
        along_games(|position, values, moves| {
            for &mv in moves.iter().step_by(3) {
                let gain = gain(position, values, mv);
                for threshold in [gain - 1500, gain - 300, 0] {
                    let mut fresh = Exchanges::default();
                    let [anew, again] = [&mut fresh, &mut kept].map(|found| {
                        exchange_at_least(position, values, found, mv, gain, threshold)
                    });
                    assert_eq!(again, anew, "{mv:?} for {threshold} in {position:?}");
                    count += 1;
                }
            }
        });
        assert!(count > 10_000, "only {count} exchanges were compared");
    }

    #[test]
    fn what_exchanges_found_out_by_other_rules_changes_none() {
        let params = Params::default();
        let mut kept = Exchanges::default();
        let mut random = Random::new(5, 1);
        let mut positions =
            [RuleSet::Seed, RuleSet::Atsa].map(|set| Position::initial(set.rules()));
        let mut count = 0;
        for _ in 0..100 {
            let mut shared: Option<Vec<Move>> = None;
            for position in &positions {
                let mut moves = Vec::new();
                Taikyoku::generate(position, MoveKind::All, &mut moves);
                shared = Some(match shared {
                    Some(others) => others.into_iter().filter(|mv| moves.contains(mv)).collect(),
                    None => moves,
                });
            }
            let shared = shared.unwrap();
            for &mv in shared.iter().filter(|&&mv| positions[0].is_capture(mv)) {
                for position in &positions {
                    let values = params.values(position.rules().set);
                    let gain = gain(position, values, mv);
                    let mut fresh = Exchanges::default();
                    let [anew, again] = [&mut fresh, &mut kept]
                        .map(|found| exchange_at_least(position, values, found, mv, gain, 0));
                    assert_eq!(again, anew, "{mv:?} in {position:?}");
                    count += 1;
                }
            }
            let mv = shared[random.below(shared.len())];
            positions.iter_mut().for_each(|position| position.make(mv));
            assert_eq!(positions[0].key(), positions[1].key());
        }
        assert!(count > 1000, "only {count} exchanges were compared");
    }

    #[test]
    fn a_range_capture_counts_all_that_it_flies_over() {
        let params = Params::default();
        let values = params.values(RuleSet::Seed);
        let mut position = Position::empty(RuleSet::Seed.rules());
        let piece = |side, code| Piece::new(side, Kind::from_code(code).unwrap(), false);
        let (general, king) = (piece(Side::First, "GG"), piece(Side::First, "K"));
        position.place(Square::new(20, 5), general);
        position.place(Square::new(35, 0), king);
        position.place(Square::new(0, 0), piece(Side::Second, "K"));
        position.place(Square::new(20, 7), piece(Side::First, "G"));
        position.place(Square::new(20, 9), piece(Side::Second, "Q"));
        position.place(Square::new(20, 11), piece(Side::Second, "Q"));
        // A pawn guards the second queen.
        position.place(Square::new(19, 11), piece(Side::Second, "P"));
        let mv = |column| Move::new(Square::new(20, 5), Square::new(20, column)).sweeping();
        let at_least = |mv, threshold| {
            let (gain, mut found) = (gain(&position, values, mv), Exchanges::default());
            exchange_at_least(&position, values, &mut found, mv, gain, threshold)
        };
        let worth = |side, code| values.material(piece(side, code));
        let queen = worth(Side::Second, "Q");
        let gold = worth(Side::First, "G");
        assert_eq!(gain(&position, values, mv(11)), 2 * queen - gold);
        assert_eq!(gain(&position, values, mv(12)), 2 * queen - gold);
        let lost = 2 * queen - gold - values.material(general);
        assert!(at_least(mv(11), lost));
        assert!(!at_least(mv(11), lost + 1));
        // Beyond the queens nobody takes back.
        assert!(at_least(mv(12), 2 * queen - gold));
        assert!(!at_least(mv(12), 2 * queen - gold + 1));
    }
}
