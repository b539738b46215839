//! What the engine thinks of a xiangqi position: a tapered sum of hand-written terms.
//!
//! Every term is counted for both sides from the piece's own view and added as a pair (middle game, end game) in one number.
//! How much of each counts depends on the attacking pieces left on the board. The same code, given a different [`Trace`],
//! explains itself term by term.

use super::attacks::{
    CANNON_FILE, CANNON_RANK, CHARIOT_FILE, CHARIOT_RANK, HORSE, SOLDIER, SOLDIER_FROM,
    between_bits,
};
use super::bitboard::Bitboard;
use super::checks::Checks;
use super::exchange;
use super::moves::Move;
use super::params::{Packed, Params};
use super::piece::{Kind, PIECES};
use super::position::Position;
use super::square::{SQUARES, Square};
use super::tuning::slot;
use super::{Xiangqi, attacks};
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

    fn exchange_after_gain(
        position: &Position,
        params: &Params,
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
}

/// Halves of the board by side.
const HOME: [Bitboard; 2] = [Bitboard::RED_HOME, Bitboard::BLACK_HOME];

/// Palaces by side.
static PALACE: [Bitboard; 2] = [palace(Side::First), palace(Side::Second)];

const fn palace(side: Side) -> Bitboard {
    let mut points = Bitboard::EMPTY;
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        if square.is_palace(side) {
            points = points.with(square);
        }
        index += 1;
    }
    points
}

const fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

/// Takes note of terms and of the weights in them; `()` takes none and costs nothing.
pub(super) trait Trace {
    /// A term of a side has this value.
    #[inline(always)]
    fn add(&mut self, _name: &'static str, _side: Side, _value: Packed) {}

    /// A weight (see [`slot`]) counts so many times for a side.
    #[inline(always)]
    fn weigh(&mut self, _slot: usize, _side: Side, _times: i32) {}

    /// All palace attacks of a side are noted, and so many pieces make them.
    #[inline(always)]
    fn attackers(&mut self, _side: Side, _pieces: usize) {}
}

impl Trace for () {}

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

/// Notes how often each weight counts.
pub(super) fn trace(position: &Position, params: &Params, trace: &mut impl Trace) {
    Evaluation { position, params }.sum(trace);
}

/// An evaluation at work.
struct Evaluation<'a> {
    position: &'a Position,
    params: &'a Params,
}

impl Evaluation<'_> {
    /// All terms, from the first player's view.
    fn sum<T: Trace>(&self, trace: &mut T) -> Packed {
        self.placement(trace) + self.activity(trace)
    }

    /// Material and placement, from the first player's view.
    fn placement<T: Trace>(&self, trace: &mut T) -> Packed {
        self.pieces(Side::First, trace) - self.pieces(Side::Second, trace)
    }

    /// What the pieces of both sides do to each other, from the first player's view.
    fn activity<T: Trace>(&self, trace: &mut T) -> Packed {
        let mut side = |us| self.attack(us, trace) + self.shelter(us, trace);
        side(Side::First) - side(Side::Second)
    }

    /// Material and placement.
    fn pieces<T: Trace>(&self, us: Side, trace: &mut T) -> Packed {
        let mut sum = Packed::ZERO;
        let mut material = Packed::ZERO;
        for kind in Kind::ALL {
            let pieces = self.position.pieces(us, kind);
            let table = &self.params.squares[us.index() * 7 + kind.index()];
            for square in pieces {
                sum += table[square.index()];
                trace.weigh(slot::placement(us, kind, square), us, 1);
            }
            trace.weigh(slot::MATERIAL + kind.index(), us, pieces.count() as i32);
            material += self.params.compiled.material[kind.index()] * pieces.count() as i32;
        }
        trace.add("material", us, material);
        trace.add("placement", us, sum - material);
        sum
    }

    /// Mobility, cooperation, attacks on the enemy palace and on pieces.
    fn attack<T: Trace>(&self, us: Side, trace: &mut T) -> Packed {
        let position = self.position;
        let weights = &self.params.compiled;
        let them = !us;
        let palace = PALACE[them.index()];
        let own = position.side(us);
        let enemy_chariots = position.pieces(them, Kind::Chariot);
        let enemy_lesser = position.pieces(them, Kind::Horse) | position.pieces(them, Kind::Cannon);
        let mut mobility = Packed::ZERO;
        let mut files = Packed::ZERO;
        let mut threats = Packed::ZERO;
        let mut links = Packed::ZERO;
        let mut danger = Packed::ZERO;
        let mut attackers = 0;
        let mut attacked_by_lesser = Bitboard::EMPTY;
        let mut hits = |trace: &mut T, kind: Kind, targets: Bitboard| {
            let count = (targets & palace).count() as i32;
            trace.weigh(slot::PALACE_ATTACK + kind.index(), us, count);
            danger += weights.palace_attack[kind.index()] * count;
            attackers += usize::from(count > 0);
        };

        let soldiers = position.pieces(us, Kind::Soldier);
        let chariots = position.pieces(us, Kind::Chariot);
        chariots.for_each_square(|from| {
            let (file, rank) = (from.file(), from.rank());
            let targets = chariot_targets(position, from);
            let reach = (targets & !own).count() as usize;
            mobility += weights.chariot_mobility[reach];
            trace.weigh(slot::CHARIOT_MOBILITY + reach, us, 1);
            hits(trace, Kind::Chariot, targets);
            if (soldiers & Bitboard::from_file(file, 0x3FF)).is_empty() {
                files += weights.open_file;
                trace.weigh(slot::OPEN_FILE, us, 1);
            }
            // Each of two linked chariots sees the other: counted once.
            if !(targets & chariots).is_empty() {
                links += weights.linked_chariots;
                trace.weigh(slot::LINKED_CHARIOTS, us, 1);
            }
            let loose = (targets & enemy_lesser).count() as i32;
            threats += weights.loose * loose;
            trace.weigh(slot::LOOSE, us, loose);
            let general = position.general(them);
            let beside = file.abs_diff(general.file()) == 1 && !from.is_home(us);
            let behind_one = file == general.file()
                && (position.file_line(file) & between_bits(rank, general.rank())).count_ones()
                    == 1;
            if beside || behind_one {
                files += weights.rib_chariot;
                trace.weigh(slot::RIB_CHARIOT, us, 1);
            }
        });
        let horses = position.pieces(us, Kind::Horse);
        horses.for_each_square(|from| {
            let targets = horse_targets(position, from);
            let reach = (targets & !own).count() as usize;
            mobility += weights.horse_mobility[reach];
            trace.weigh(slot::HORSE_MOBILITY + reach, us, 1);
            hits(trace, Kind::Horse, targets);
            attacked_by_lesser |= targets;
            if !(targets & horses).is_empty() {
                links += weights.linked_horses;
                trace.weigh(slot::LINKED_HORSES, us, 1);
            }
            let loose = (targets & enemy_lesser).count() as i32;
            threats += weights.loose * loose;
            trace.weigh(slot::LOOSE, us, loose);
        });
        position.pieces(us, Kind::Cannon).for_each_square(|from| {
            let (quiet, captures) = cannon_targets(position, from);
            mobility += weights.cannon_mobility * quiet.count() as i32;
            trace.weigh(slot::CANNON_MOBILITY, us, quiet.count() as i32);
            hits(trace, Kind::Cannon, captures);
            attacked_by_lesser |= captures;
            let loose = (captures & enemy_lesser).count() as i32;
            threats += weights.loose * loose;
            trace.weigh(slot::LOOSE, us, loose);
            files += self.cannon_on_general(us, from, trace);
        });
        (soldiers & !HOME[us.index()]).for_each_square(|from| {
            let targets = SOLDIER[us.index()][from.index()];
            hits(trace, Kind::Soldier, targets);
            let dearer = (targets & (enemy_lesser | enemy_chariots)).count() as i32;
            threats += weights.threat * dearer;
            trace.weigh(slot::THREAT, us, dearer);
            if !(targets & soldiers & SOLDIER_FROM[us.index()][from.index()]).is_empty() {
                links += weights.linked_soldiers;
                trace.weigh(slot::LINKED_SOLDIERS, us, 1);
            }
        });
        let dearer = (attacked_by_lesser & enemy_chariots).count() as i32;
        threats += weights.threat * dearer;
        trace.weigh(slot::THREAT, us, dearer);
        trace.attackers(us, attackers);
        let percent = &self.params.numbers().weights.attackers_percent;
        let percent = percent[attackers.min(percent.len() - 1)];
        let danger = Packed::new(super::params::Weight(
            danger.middle() * percent / 100,
            danger.end() * percent / 100,
        ));
        trace.add("mobility", us, mobility);
        trace.add("lines to the general", us, files);
        trace.add("linked pieces", us, links);
        trace.add("palace attack", us, danger);
        trace.add("threats", us, threats);
        mobility + files + links + danger + threats
    }

    /// What a cannon does on the lines of the enemy general.
    fn cannon_on_general<T: Trace>(&self, us: Side, from: Square, trace: &mut T) -> Packed {
        let position = self.position;
        let weights = &self.params.compiled;
        let general = position.general(!us);
        if from.file() == general.file() {
            let span = between_bits(from.rank(), general.rank());
            return match (position.file_line(from.file()) & span).count_ones() {
                0 => {
                    trace.weigh(slot::HOLLOW_CANNON, us, 1);
                    weights.hollow_cannon
                }
                2 => {
                    trace.weigh(slot::CENTRAL_CANNON, us, 1);
                    weights.central_cannon
                }
                _ => Packed::ZERO,
            };
        }
        let back_rank = if us == Side::First { 9 } else { 0 };
        if from.rank() == back_rank && general.rank() == back_rank {
            let span = between_bits(from.file(), general.file());
            // With nothing between it is a hollow cannon of the rank; with one piece it gives check, with two it pins both.
            if (position.rank_line(back_rank as i32) & span).count_ones() <= 2 {
                trace.weigh(slot::BOTTOM_CANNON, us, 1);
                return weights.bottom_cannon;
            }
        }
        Packed::ZERO
    }

    /// The guards of the own general, against the pieces that profit from their absence.
    fn shelter<T: Trace>(&self, us: Side, trace: &mut T) -> Packed {
        let position = self.position;
        let weights = &self.params.compiled;
        let missing = |kind: Kind| (2 - position.pieces(us, kind).count() as i32).max(0);
        let enemies = |kind: Kind| position.pieces(!us, kind).count() as i32;
        let advisors = missing(Kind::Advisor) * enemies(Kind::Chariot);
        let elephants = missing(Kind::Elephant) * enemies(Kind::Cannon);
        let mut sum = weights.missing_advisor * advisors + weights.missing_elephant * elephants;
        trace.weigh(slot::MISSING_ADVISOR, us, advisors);
        trace.weigh(slot::MISSING_ELEPHANT, us, elephants);
        if missing(Kind::Advisor) == 2 {
            sum += weights.no_advisors;
            trace.weigh(slot::NO_ADVISORS, us, 1);
        }
        trace.add("missing guards", us, sum);
        sum
    }
}

#[inline(always)]
fn chariot_targets(position: &Position, from: Square) -> Bitboard {
    let (file, rank) = (from.file(), from.rank());
    let rank_line = position.rank_line(rank as i32) as usize;
    let file_line = position.file_line(file) as usize;
    Bitboard::from_rank(rank, CHARIOT_RANK[file][rank_line])
        | Bitboard::from_file(file, CHARIOT_FILE[rank][file_line])
}

#[inline(always)]
fn cannon_targets(position: &Position, from: Square) -> (Bitboard, Bitboard) {
    let (file, rank) = (from.file(), from.rank());
    let rank_line = position.rank_line(rank as i32) as usize;
    let file_line = position.file_line(file) as usize;
    let quiet = chariot_targets(position, from) & !position.occupied();
    let captures = Bitboard::from_rank(rank, CANNON_RANK[file][rank_line])
        | Bitboard::from_file(file, CANNON_FILE[rank][file_line]);
    (quiet, captures)
}

#[inline(always)]
fn horse_targets(position: &Position, from: Square) -> Bitboard {
    let (file, rank) = (from.file(), from.rank());
    let rank_line = position.rank_line(rank as i32);
    HORSE[from.index()][attacks::leg_index(rank_line, position.file_line(file), file, rank)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveKind, Named};
    use crate::games::xiangqi::piece::Piece;
    use crate::games::xiangqi::rules::RuleSet;

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
