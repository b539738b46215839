//! The terms of the evaluation of a xiangqi position.
//!
//! Every term is counted for both sides from the piece's own view and added as a pair (middle game, end game) in one number. The
//! same code, given a different [`Trace`], explains itself term by term or tells how often each weight counts.

use super::attacks::{HORSE, SOLDIER, SOLDIER_FROM, between_bits};
use super::bitboard::Bitboard;
use super::cross::Cross;
use super::params::{Packed, Params};
use super::piece::Kind;
use super::position::Position;
use super::square::Square;
use super::tuning::slot;
use crate::game::Side;

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

/// Notes how often each weight counts.
pub(super) fn trace(position: &Position, params: &Params, trace: &mut impl Trace) {
    Evaluation { position, params }.sum(trace);
}

/// An evaluation at work.
pub(super) struct Evaluation<'a> {
    pub(super) position: &'a Position,
    pub(super) params: &'a Params,
}

impl Evaluation<'_> {
    /// All terms, from the first player's view.
    pub(super) fn sum<T: Trace>(&self, trace: &mut T) -> Packed {
        self.placement(trace) + self.activity(trace)
    }

    /// Material and placement, from the first player's view.
    pub(super) fn placement<T: Trace>(&self, trace: &mut T) -> Packed {
        self.pieces(Side::First, trace) - self.pieces(Side::Second, trace)
    }

    /// What the pieces of both sides do to each other, from the first player's view.
    pub(super) fn activity<T: Trace>(&self, trace: &mut T) -> Packed {
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
        let palace = Bitboard::PALACE[them.index()];
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
        let mut hits = |trace: &mut T, kind: Kind, count: u32| {
            let count = count as i32;
            trace.weigh(slot::PALACE_ATTACK + kind.index(), us, count);
            danger += weights.palace_attack[kind.index()] * count;
            attackers += usize::from(count > 0);
        };

        let soldiers = position.pieces(us, Kind::Soldier);
        let chariots = position.pieces(us, Kind::Chariot);
        chariots.for_each_square(|from| {
            let (file, rank) = (from.file(), from.rank());
            let seen = Cross::seen_by_chariot(position, from);
            let own = Cross::of_side(position, us, from);
            let reach = seen.without(own).count() as usize;
            mobility += weights.chariot_mobility[reach];
            trace.weigh(slot::CHARIOT_MOBILITY + reach, us, 1);
            hits(trace, Kind::Chariot, seen.and(Cross::of_palace(them, from)).count());
            if (soldiers & Bitboard::file(file)).is_empty() {
                files += weights.open_file;
                trace.weigh(slot::OPEN_FILE, us, 1);
            }
            // Each of two linked chariots sees the other: counted once.
            if chariots.count() > 1 && !(seen.and(own).board(from) & chariots).is_empty() {
                links += weights.linked_chariots;
                trace.weigh(slot::LINKED_CHARIOTS, us, 1);
            }
            let enemies = seen.and(Cross::of_side(position, them, from));
            if enemies.count() > 0 {
                let loose = (enemies.board(from) & enemy_lesser).count() as i32;
                threats += weights.loose * loose;
                trace.weigh(slot::LOOSE, us, loose);
            }
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
            hits(trace, Kind::Horse, (targets & palace).count());
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
            let (quiet, captures) = Cross::seen_by_cannon(position, from);
            mobility += weights.cannon_mobility * quiet.count() as i32;
            trace.weigh(slot::CANNON_MOBILITY, us, quiet.count() as i32);
            hits(trace, Kind::Cannon, captures.and(Cross::of_palace(them, from)).count());
            let enemies = captures.and(Cross::of_side(position, them, from));
            if enemies.count() > 0 {
                let attacked = enemies.board(from);
                attacked_by_lesser |= attacked;
                let loose = (attacked & enemy_lesser).count() as i32;
                threats += weights.loose * loose;
                trace.weigh(slot::LOOSE, us, loose);
            }
            files += self.cannon_on_general(us, from, trace);
        });
        (soldiers & !Bitboard::HOME[us.index()]).for_each_square(|from| {
            let targets = SOLDIER[us.index()][from.index()];
            hits(trace, Kind::Soldier, (targets & palace).count());
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
fn horse_targets(position: &Position, from: Square) -> Bitboard {
    HORSE[from.index()][position.legs(from)]
}
