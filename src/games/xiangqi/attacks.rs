//! Precompiled attack look-ups.
//!
//! Chariots and cannons look up one line at a time: 9 bits of a rank, 10 bits of a file. The four tables take 60 kB and stay
//! in the first- and second-level caches; a table by square and both lines would take megabytes. Horses and elephants look
//! up by square and the four points that can block them.

use super::bitboard::Bitboard;
use super::piece::Kind;
use super::square::{FILES, RANKS, SQUARES, Square};
use crate::game::Side;

/// Points a chariot at a file sees on its rank, by occupancy of the rank: empty points and the first piece each way.
pub static CHARIOT_RANK: [[u16; 512]; FILES] = line_table::<512, FILES>(0);
/// Points a chariot at a rank sees on its file, by occupancy of the file.
pub static CHARIOT_FILE: [[u16; 1024]; RANKS] = line_table::<1024, RANKS>(0);
/// The pieces a cannon at a file could take on its rank: the second piece each way.
pub static CANNON_RANK: [[u16; 512]; FILES] = line_table::<512, FILES>(1);
/// The pieces a cannon at a rank could take on its file.
pub static CANNON_FILE: [[u16; 1024]; RANKS] = line_table::<1024, RANKS>(1);

/// For every place on a line and every occupancy: the points seen past exactly `screens` pieces. Without screens, empty
/// points and the first piece; with screens, only the piece behind them.
const fn line_table<const OCCUPANCIES: usize, const LENGTH: usize>(
    screens: u32,
) -> [[u16; OCCUPANCIES]; LENGTH] {
    let mut table = [[0; OCCUPANCIES]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut occupancy = 0;
        while occupancy < OCCUPANCIES {
            let mut up = place + 1;
            let mut passed = 0;
            while up < LENGTH && passed <= screens {
                let occupied = occupancy >> up & 1 != 0;
                if passed == screens && (screens == 0 || occupied) {
                    table[place][occupancy] |= 1 << up;
                }
                passed += occupied as u32;
                up += 1;
            }
            let mut down = place;
            passed = 0;
            while down > 0 && passed <= screens {
                down -= 1;
                let occupied = occupancy >> down & 1 != 0;
                if passed == screens && (screens == 0 || occupied) {
                    table[place][occupancy] |= 1 << down;
                }
                passed += occupied as u32;
            }
            occupancy += 1;
        }
        place += 1;
    }
    table
}

/// Orthogonal steps in the order of the leg index: left, down, right, up.
const ORTHOGONAL: [(i32, i32); 4] = [(-1, 0), (0, -1), (1, 0), (0, 1)];
/// Diagonal steps in the order of the diagonal index: down-left, up-left, down-right, up-right.
const DIAGONAL: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The horse moves past each leg: two targets for each orthogonal step.
const fn horse_jumps(leg: (i32, i32)) -> [(i32, i32); 2] {
    if leg.0 != 0 { [(2 * leg.0, 1), (2 * leg.0, -1)] } else { [(1, 2 * leg.1), (-1, 2 * leg.1)] }
}

/// Targets of a horse by square and occupied legs (bit order of [`leg_index`]).
pub static HORSE: [[Bitboard; 16]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let mut legs = 0;
        while legs < 16 {
            let mut leg = 0;
            while leg < 4 {
                if legs >> leg & 1 == 0 {
                    let jumps = horse_jumps(ORTHOGONAL[leg]);
                    let mut jump = 0;
                    while jump < 2 {
                        if let Some(to) = square.offset(jumps[jump].0, jumps[jump].1) {
                            table[index][legs] = table[index][legs].with(to);
                        }
                        jump += 1;
                    }
                }
                leg += 1;
            }
            legs += 1;
        }
        index += 1;
    }
    table
};

/// Points from which a horse attacks a square, by occupied diagonal neighbours of the square (bit order of
/// [`diagonal_index`]): the leg of such a horse is a diagonal neighbour of its target.
pub static HORSE_FROM: [[Bitboard; 16]; SQUARES] = {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let mut legs = 0;
        while legs < 16 {
            let mut leg = 0;
            while leg < 4 {
                let (file, rank) = DIAGONAL[leg];
                if legs >> leg & 1 == 0 {
                    if let Some(from) = square.offset(2 * file, rank) {
                        table[index][legs] = table[index][legs].with(from);
                    }
                    if let Some(from) = square.offset(file, 2 * rank) {
                        table[index][legs] = table[index][legs].with(from);
                    }
                }
                leg += 1;
            }
            legs += 1;
        }
        index += 1;
    }
    table
};

/// Targets of an elephant of each side by square and occupied eyes (bit order of [`diagonal_index`]).
pub static ELEPHANT: [[[Bitboard; 16]; SQUARES]; 2] =
    [elephant_table(Side::First), elephant_table(Side::Second)];

const fn elephant_table(side: Side) -> [[Bitboard; 16]; SQUARES] {
    let mut table = [[Bitboard::EMPTY; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut eyes = 0;
        while eyes < 16 {
            let mut eye = 0;
            while eye < 4 {
                let (file, rank) = DIAGONAL[eye];
                if eyes >> eye & 1 == 0
                    && let Some(to) = Square::from_index(index).offset(2 * file, 2 * rank)
                    && to.is_home(side)
                {
                    table[index][eyes] = table[index][eyes].with(to);
                }
                eye += 1;
            }
            eyes += 1;
        }
        index += 1;
    }
    table
}

/// Targets of the pieces that step one point, by side and square.
pub static GENERAL: [[Bitboard; SQUARES]; 2] =
    [step_table(Kind::General, Side::First), step_table(Kind::General, Side::Second)];
/// Targets of an advisor, by side and square.
pub static ADVISOR: [[Bitboard; SQUARES]; 2] =
    [step_table(Kind::Advisor, Side::First), step_table(Kind::Advisor, Side::Second)];
/// Targets of a soldier, by side and square.
pub static SOLDIER: [[Bitboard; SQUARES]; 2] =
    [step_table(Kind::Soldier, Side::First), step_table(Kind::Soldier, Side::Second)];

const fn step_table(kind: Kind, side: Side) -> [Bitboard; SQUARES] {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let steps = if matches!(kind, Kind::Advisor) { DIAGONAL } else { ORTHOGONAL };
        let mut step = 0;
        while step < 4 {
            let (file, rank) = steps[step];
            if let Some(to) = square.offset(file, rank) {
                let allowed = match kind {
                    Kind::Soldier => {
                        let forward = if matches!(side, Side::First) { 1 } else { -1 };
                        rank == forward || rank == 0 && !square.is_home(side)
                    }
                    _ => to.is_palace(side),
                };
                if allowed {
                    table[index] = table[index].with(to);
                }
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// Points from which a soldier of a side attacks a square, by side and square.
pub static SOLDIER_FROM: [[Bitboard; SQUARES]; 2] = [reversed(&SOLDIER[0]), reversed(&SOLDIER[1])];
/// Points from which an advisor of a side attacks a square, by side and square.
pub static ADVISOR_FROM: [[Bitboard; SQUARES]; 2] = [reversed(&ADVISOR[0]), reversed(&ADVISOR[1])];
/// Points from which a general of a side attacks a square by a step, by side and square.
pub static GENERAL_FROM: [[Bitboard; SQUARES]; 2] = [reversed(&GENERAL[0]), reversed(&GENERAL[1])];

const fn reversed(table: &[Bitboard; SQUARES]) -> [Bitboard; SQUARES] {
    let mut sources = [Bitboard::EMPTY; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            if table[from].0 >> to & 1 != 0 {
                sources[to].0 |= 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    sources
}

/// The points on the rank and the file of a square: nothing else can attack it along a line.
pub static CROSS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        table[index] = Bitboard(Bitboard::rank(square.rank()).0 | Bitboard::file(square.file()).0);
        index += 1;
    }
    table
};

/// The diagonal neighbours of a square: the legs of the horses that attack it.
pub static DIAGONALS: [Bitboard; SQUARES] = {
    let mut table = [Bitboard::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let mut step = 0;
        while step < 4 {
            let (file, rank) = DIAGONAL[step];
            if let Some(point) = Square::from_index(index).offset(file, rank) {
                table[index] = table[index].with(point);
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// The four bits around a place on a line: bit 0 the neighbour below, bit 2 the neighbour above.
#[inline(always)]
const fn neighbours(line: u16, place: usize) -> usize {
    ((line as u32) << 1 >> place & 0b101) as usize
}

/// The occupied legs of a horse (left, down, right, up) from the occupancies of its rank and its file.
#[inline(always)]
pub const fn leg_index(rank_line: u16, file_line: u16, file: usize, rank: usize) -> usize {
    neighbours(rank_line, file) | neighbours(file_line, rank) << 1
}

/// The occupied diagonal neighbours (down-left, up-left, down-right, up-right) from the occupancies of the ranks below and
/// above.
#[inline(always)]
pub const fn diagonal_index(below: u16, above: u16, file: usize) -> usize {
    neighbours(below, file) | neighbours(above, file) << 1
}

/// The leg of a horse jump: the point next to `from` in the long direction of the jump.
///
/// # Panics
/// In debug builds, if the points are not a horse jump apart.
pub fn horse_leg(from: Square, to: Square) -> Square {
    let (files, ranks) =
        (to.file() as i32 - from.file() as i32, to.rank() as i32 - from.rank() as i32);
    debug_assert!((files * ranks).abs() == 2);
    Square::new(
        (from.file() as i32 + files / 2) as usize,
        (from.rank() as i32 + ranks / 2) as usize,
    )
}

/// The bits strictly between two places of a line.
#[inline(always)]
pub const fn between_bits(a: usize, b: usize) -> u16 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (((1u32 << high) - 1) & !((2u32 << low) - 1)) as u16
}
