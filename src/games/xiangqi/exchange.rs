//! Static exchange evaluation: who gains by captures on one point, judged without playing them.
//!
//! The usual shortcut (always capture with the least valuable attacker, look behind it for sliding pieces) is wrong in xiangqi:
//! a capture may give a cannon its screen or take it away, free a horse's leg, leave the own general exposed or facing the
//! other. So this is a real search over all legal captures on the point, in any order, on a board reduced to what it needs:
//! which pieces have left, and which piece stands on the point. Two facts keep it as cheap as the shortcut:
//!
//! 1. The question is only "at least so much?", so most exchanges are decided by the first capture or its answer.
//! 2. A side may always stop. A capturer worth no more than what is left to give away settles the question at once.

use super::attacked::attacked_by;
use super::attacks::{
    ADVISOR_FROM, CANNON_FILE, CANNON_RANK, CHARIOT_FILE, CHARIOT_RANK, CROSS, DIAGONALS, ELEPHANT,
    GENERAL_FROM, HORSE_FROM, SOLDIER_FROM, diagonal_index,
};
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::Kind;
use super::position::Position;
use super::square::Square;
use crate::game::Side;

/// What each kind is worth in an exchange, by [`Kind::index`]. The general is worth nothing: it never captures where it
/// could be taken, and is never taken.
pub type ExchangeValues = [i32; 7];

/// A board during an exchange on `target`.
#[derive(Clone, Copy)]
struct Exchange<'a> {
    position: &'a Position,
    values: &'a ExchangeValues,
    target: Square,
    /// Where the capturers came from.
    left: Bitboard,
    /// The points that were occupied and are empty, or the other way round.
    changed: Bitboard,
    /// The occupancies around the target.
    lines: Lines,
    /// The kind of what stands on the target.
    occupant: Kind,
}

/// The occupancies around a point.
#[derive(Clone, Copy)]
struct Lines {
    rank: u16,
    file: u16,
    below: u16,
    above: u16,
}

/// Whether a legal move and all exchanges after it on its target bring the mover at least `threshold`.
pub fn exchange_at_least(
    position: &Position,
    values: &ExchangeValues,
    mv: Move,
    threshold: i32,
) -> bool {
    let Some(mover) = position.piece_at(mv.from()) else { return threshold <= 0 };
    let captured = position.piece_at(mv.to());
    let gain = captured.map_or(0, |piece| values[piece.kind().index()]);
    let spare = gain - threshold;
    if spare < 0 {
        return false;
    }
    if values[mover.kind().index()] <= spare {
        return true;
    }
    let left = Bitboard::of(mv.from());
    let changed = if captured.is_none() { left.with(mv.to()) } else { left };
    let lines = Lines::of(position, mv.to()).without(mv.to(), mv.from());
    let (target, occupant) = (mv.to(), mover.kind());
    let exchange = Exchange { position, values, target, left, changed, lines, occupant };
    !exchange.can_gain(!mover.side(), spare + 1)
}

impl Exchange<'_> {
    /// Whether `side`, to move, can gain at least `need` (more than nothing) by captures on the target. The general is tried
    /// first, as it settles the exchange if it may capture, then the others by their usual value.
    fn can_gain(&self, side: Side, need: i32) -> bool {
        debug_assert!(need > 0);
        let spare = self.values[self.occupant.index()] - need;
        if spare < 0 {
            return false;
        }
        let index = self.target.index();
        let (file, rank) = (self.target.file(), self.target.rank());
        let standing = !self.left;
        let from = |kind, sources| sources & self.position.pieces(side, kind) & standing;
        let try_with = |kind, attackers: Bitboard| {
            !attackers.is_empty() && self.can_gain_with(side, kind, attackers, spare)
        };
        // Most targets have next to nothing around them, so that several kinds are ruled out at once.
        let general = from(Kind::General, GENERAL_FROM[side.index()][index]);
        let soldiers = from(Kind::Soldier, SOLDIER_FROM[side.index()][index]);
        let advisors = from(Kind::Advisor, ADVISOR_FROM[side.index()][index]);
        if !(general | soldiers | advisors).is_empty()
            && (try_with(Kind::General, general)
                || try_with(Kind::Soldier, soldiers)
                || try_with(Kind::Advisor, advisors))
        {
            return true;
        }
        // Elephants move both ways, so targets are sources; the eye is the same point.
        let (elephant, horse) = (&ELEPHANT[side.index()][index], &HORSE_FROM[index]);
        let elephants = match self.target.is_home(side) {
            true => from(Kind::Elephant, elephant[0]),
            false => Bitboard::EMPTY,
        };
        let horses = from(Kind::Horse, horse[0]);
        if !(elephants | horses).is_empty() {
            let legs = diagonal_index(self.lines.below, self.lines.above, file);
            if try_with(Kind::Elephant, elephants & elephant[legs])
                || try_with(Kind::Horse, horses & horse[legs])
            {
                return true;
            }
        }
        let cannons = from(Kind::Cannon, CROSS[index]);
        let chariots = from(Kind::Chariot, CROSS[index]);
        !cannons.is_empty()
            && try_with(Kind::Cannon, cannons & cannon_sources(file, rank, self.lines))
            || !chariots.is_empty()
                && try_with(Kind::Chariot, chariots & chariot_sources(file, rank, self.lines))
    }

    /// Whether the side gains enough if one of the pieces, all of a kind, captures first.
    fn can_gain_with(&self, side: Side, kind: Kind, pieces: Bitboard, spare: i32) -> bool {
        for from in pieces {
            let next = Exchange {
                left: self.left.with(from),
                changed: self.changed.with(from),
                lines: self.lines.without(self.target, from),
                occupant: kind,
                ..*self
            };
            if next.general_is_safe(side)
                && (self.values[kind.index()] <= spare || !next.can_gain(!side, spare + 1))
            {
                return true;
            }
        }
        false
    }

    /// The pieces of a side that still stand where the position has them.
    #[inline(always)]
    fn standing(&self, side: Side, kind: Kind) -> Bitboard {
        self.position.pieces(side, kind) & !self.left & !Bitboard::of(self.target)
    }

    /// Whether the general of the side that just captured is neither attacked nor facing the other.
    ///
    /// It was safe before the exchange, or else the first move made it so. Then only what changes on its lines or on the legs of
    /// horses can expose it.
    #[inline]
    fn general_is_safe(&self, side: Side) -> bool {
        if self.occupant == Kind::General {
            return self.is_safe(side, self.target);
        }
        let general = self.position.general(side);
        let around = CROSS[general.index()] | DIAGONALS[general.index()];
        (self.changed & around).is_empty() || self.is_safe(side, general)
    }

    /// Whether the general of a side would be safe on a point.
    #[inline(never)]
    fn is_safe(&self, side: Side, general: Square) -> bool {
        let pieces = |kind| self.standing(!side, kind);
        let rank_line = |rank: i32| {
            let mut line = self.position.rank_line(rank);
            for point in self.left {
                line &= !(u16::from(point.rank() as i32 == rank) << point.file());
            }
            line | u16::from(self.target.rank() as i32 == rank) << self.target.file()
        };
        let file_line = |file: usize| {
            let mut line = self.position.file_line(file);
            for point in self.left {
                line &= !(u16::from(point.file() == file) << point.rank());
            }
            line | u16::from(self.target.file() == file) << self.target.rank()
        };
        !attacked_by(general, !side, pieces, rank_line, file_line)
    }
}

impl Lines {
    /// The occupancies around a point of the position.
    #[inline(always)]
    fn of(position: &Position, square: Square) -> Self {
        let (file, rank) = (square.file(), square.rank() as i32);
        Self {
            rank: position.rank_line(rank),
            file: position.file_line(file),
            below: position.rank_line(rank - 1),
            above: position.rank_line(rank + 1),
        }
    }

    /// The lines around `square` once `point` is empty.
    #[inline(always)]
    fn without(mut self, square: Square, point: Square) -> Self {
        let clear = |line: &mut u16, place: usize| *line &= !(1 << place);
        if point.file() == square.file() {
            clear(&mut self.file, point.rank());
        }
        match point.rank() as i32 - square.rank() as i32 {
            0 => clear(&mut self.rank, point.file()),
            -1 => clear(&mut self.below, point.file()),
            1 => clear(&mut self.above, point.file()),
            _ => {}
        }
        self
    }
}

fn chariot_sources(file: usize, rank: usize, lines: Lines) -> Bitboard {
    Bitboard::from_rank(rank, CHARIOT_RANK[file][lines.rank as usize])
        | Bitboard::from_file(file, CHARIOT_FILE[rank][lines.file as usize])
}

fn cannon_sources(file: usize, rank: usize, lines: Lines) -> Bitboard {
    Bitboard::from_rank(rank, CANNON_RANK[file][lines.rank as usize])
        | Bitboard::from_file(file, CANNON_FILE[rank][lines.file as usize])
}

/// The exchange by playing every legal capture on the point: the slow twin of [`exchange_at_least`], as a value.
pub fn exchange_slow(position: &mut Position, values: &ExchangeValues, mv: Move) -> i32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| values[piece.kind().index()]);
    position.make(mv);
    let mut replies = Vec::new();
    position.generate(crate::game::MoveKind::Noisy, &mut replies);
    let best = replies
        .into_iter()
        .filter(|reply| reply.to() == mv.to())
        .map(|reply| exchange_slow(position, values, reply))
        .max()
        .unwrap_or(0);
    position.unmake();
    captured - best.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveKind, Named};
    use crate::games::xiangqi::Xiangqi;
    use crate::games::xiangqi::rules::RuleSet;

    const VALUES: ExchangeValues = [0, 120, 130, 430, 950, 440, 90];

    fn position(fen: &str) -> Position {
        Xiangqi::parse_position(fen, RuleSet::ALL[0].rules()).unwrap().position
    }

    fn check(fen: &str, text: &str, expected: i32) {
        let mut position = position(fen);
        let mv = Xiangqi::parse_move(&position, text).unwrap();
        assert_eq!(exchange_slow(&mut position, &VALUES, mv), expected, "{fen} {text}");
        assert!(exchange_at_least(&position, &VALUES, mv, expected), "{fen} {text}");
        assert!(!exchange_at_least(&position, &VALUES, mv, expected + 1), "{fen} {text}");
    }

    #[test]
    fn a_recapture_that_exposes_the_general_does_not_count() {
        // The horse on e7 alone stands between the generals, so it protects nothing.
        check("4k4/9/4n4/9/R2p5/9/9/9/9/4K4 w", "a5d5", 90);
        // With the red general elsewhere it does.
        check("4k4/9/4n4/9/R2p5/9/9/9/9/3K5 w", "a5d5", 90 - 950);
    }

    #[test]
    fn a_cannon_may_lose_its_screen_by_the_capture() {
        // The capturing soldier was the screen of the black cannon.
        check("3k5/9/9/2c1P1n2/9/9/9/9/9/4K4 w", "e6f6", 0);
        check("3k5/9/9/2c2Pn2/9/9/9/9/9/4K4 w", "f6g6", 430);
        // Another screen stands behind it.
        check("3k5/9/9/2c1pPn2/9/9/9/9/9/4K4 w", "f6g6", 430 - 90);
    }

    #[test]
    fn the_exchange_equals_all_legal_captures_on_the_point() {
        let mut seed = 0x5EED_u64;
        let mut random = move |bound: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % bound as u64) as usize
        };
        let mut compared = 0;
        let mut long = 0;
        for _ in 0..60 {
            let mut position = Xiangqi::start(RuleSet::ALL[0].rules());
            for _ in 0..220 {
                let mut moves = Vec::new();
                position.generate(MoveKind::All, &mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let value = exchange_slow(&mut position, &VALUES, mv);
                    let captured =
                        position.piece_at(mv.to()).map_or(0, |p| VALUES[p.kind().index()]);
                    long += usize::from(value != captured);
                    for threshold in [-1000, -400, -1, 0, 1, 100, value, value + 1] {
                        let fast = exchange_at_least(&position, &VALUES, mv, threshold);
                        assert_eq!(
                            fast,
                            value >= threshold,
                            "{position:?} {mv} {threshold} {value}"
                        );
                    }
                    compared += 1;
                }
                // Captures with preference, so that generals become exposed.
                let captures: Vec<_> = moves
                    .iter()
                    .copied()
                    .filter(|mv| position.piece_at(mv.to()).is_some())
                    .collect();
                let list = if !captures.is_empty() && random(4) == 0 { &captures } else { &moves };
                position.make(list[random(list.len())]);
            }
        }
        assert!(compared > 100_000 && long > 5_000, "{compared} {long}");
    }
}
