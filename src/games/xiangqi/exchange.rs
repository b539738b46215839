//! Static exchange evaluation: who gains by captures on one point, judged without playing them.
//!
//! The usual shortcut (always capture with the least valuable attacker, look behind it for sliding pieces) is wrong in xiangqi:
//! a capture may give a cannon its screen or take it away, free a horse's leg, leave the own general exposed or facing the
//! other. So this is a real search over all legal captures on the point, in any order, on a board reduced to what it needs:
//! which pieces have left, and which piece stands on the point. Two facts keep it as cheap as the shortcut:
//!
//! 1. The question is only "at least so much?", so most exchanges are decided by the first capture or its answer.
//! 2. A side may always stop. A capturer worth no more than what is left to give away settles the question at once.

use super::attacks::{
    ADVISOR_FROM, CANNON_FILE, CANNON_RANK, CHARIOT_FILE, CHARIOT_RANK, ELEPHANT, GENERAL_FROM,
    HORSE_FROM, SOLDIER_FROM, diagonal_index,
};
use super::bitboard::Bitboard;
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::Square;
use crate::game::Side;

/// What each kind is worth in an exchange, by [`Kind::index`]. The general is worth nothing: it never captures where it
/// could be taken, and is never taken.
pub type ExchangeValues = [i32; 7];

/// The order in which attackers are tried: the general settles the exchange if it may capture, then by usual value.
const ATTACKERS: [Kind; 7] = [
    Kind::General,
    Kind::Soldier,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Cannon,
    Kind::Chariot,
];

/// A board during an exchange on `target`.
#[derive(Clone, Copy)]
struct Exchange<'a> {
    position: &'a Position,
    values: &'a ExchangeValues,
    target: Square,
    /// Where the capturers came from.
    left: Bitboard,
    /// What stands on the target.
    occupant: Piece,
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
    let captured = position.piece_at(mv.to()).map_or(0, |piece| values[piece.kind().index()]);
    let spare = captured - threshold;
    if spare < 0 {
        return false;
    }
    if values[mover.kind().index()] <= spare {
        return true;
    }
    let exchange = Exchange {
        position,
        values,
        target: mv.to(),
        left: Bitboard::of(mv.from()),
        occupant: mover,
    };
    !exchange.can_gain(!mover.side(), spare + 1)
}

impl Exchange<'_> {
    /// Whether `side`, to move, can gain at least `need` (more than nothing) by captures on the target.
    fn can_gain(&self, side: Side, need: i32) -> bool {
        debug_assert!(need > 0);
        let spare = self.values[self.occupant.kind().index()] - need;
        if spare < 0 {
            return false;
        }
        let lines = self.lines(self.target);
        for kind in ATTACKERS {
            for from in self.attackers(side, kind, lines) {
                let next = Exchange {
                    left: self.left.with(from),
                    occupant: Piece::new(side, kind),
                    ..*self
                };
                if next.general_is_safe(side)
                    && (self.values[kind.index()] <= spare || !next.can_gain(!side, spare + 1))
                {
                    return true;
                }
            }
        }
        false
    }

    /// The pieces of a side that still stand where the position has them.
    #[inline]
    fn standing(&self, side: Side, kind: Kind) -> Bitboard {
        self.position.pieces(side, kind) & !self.left & !Bitboard::of(self.target)
    }

    /// The pieces of a side and kind that attack the target.
    fn attackers(&self, side: Side, kind: Kind, lines: Lines) -> Bitboard {
        let standing = self.standing(side, kind);
        if standing.is_empty() {
            return standing;
        }
        let index = self.target.index();
        let (file, rank) = (self.target.file(), self.target.rank());
        standing
            & match kind {
                Kind::General => GENERAL_FROM[side.index()][index],
                Kind::Advisor => ADVISOR_FROM[side.index()][index],
                Kind::Soldier => SOLDIER_FROM[side.index()][index],
                // Elephants move both ways, so targets are sources; the eye is the same point.
                Kind::Elephant if self.target.is_home(side) => {
                    ELEPHANT[side.index()][index][diagonal_index(lines.below, lines.above, file)]
                }
                Kind::Elephant => Bitboard::EMPTY,
                Kind::Horse => HORSE_FROM[index][diagonal_index(lines.below, lines.above, file)],
                Kind::Chariot => chariot_sources(file, rank, lines),
                Kind::Cannon => cannon_sources(file, rank, lines),
            }
    }

    /// Whether the general of the side that just captured is neither attacked nor facing the other.
    fn general_is_safe(&self, side: Side) -> bool {
        let them = !side;
        let general = if self.occupant == Piece::new(side, Kind::General) {
            self.target
        } else {
            self.position.general(side)
        };
        let (file, rank) = (general.file(), general.rank());
        let lines = self.lines(general);
        let chariots = self.standing(them, Kind::Chariot);
        let file_sight = Bitboard::from_file(file, CHARIOT_FILE[rank][lines.file as usize]);
        let rank_sight = Bitboard::from_rank(rank, CHARIOT_RANK[file][lines.rank as usize]);
        let attackers = (rank_sight | file_sight) & chariots
            | file_sight & self.standing(them, Kind::General)
            | cannon_sources(file, rank, lines) & self.standing(them, Kind::Cannon)
            | HORSE_FROM[general.index()][diagonal_index(lines.below, lines.above, file)]
                & self.standing(them, Kind::Horse)
            | SOLDIER_FROM[them.index()][general.index()] & self.standing(them, Kind::Soldier);
        attackers.is_empty()
    }

    /// The occupancies around a point, as they are now.
    fn lines(&self, square: Square) -> Lines {
        let (file, rank) = (square.file(), square.rank());
        let mut lines = Lines {
            rank: self.position.rank_line(rank as i32),
            file: self.position.file_line(file),
            below: self.position.rank_line(rank as i32 - 1),
            above: self.position.rank_line(rank as i32 + 1),
        };
        for point in self.left {
            lines.set(square, point, 0);
        }
        lines.set(square, self.target, 1);
        lines
    }
}

impl Lines {
    /// Sets or clears a point in the lines around `square`.
    fn set(&mut self, square: Square, point: Square, bit: u16) {
        let edit = |line: &mut u16, place: usize| *line = *line & !(1 << place) | bit << place;
        if point.file() == square.file() {
            edit(&mut self.file, point.rank());
        }
        match point.rank() as i32 - square.rank() as i32 {
            0 => edit(&mut self.rank, point.file()),
            -1 => edit(&mut self.below, point.file()),
            1 => edit(&mut self.above, point.file()),
            _ => {}
        }
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
