//! What pieces are worth: computed from their moves, without a list of 301 numbers.
//!
//! The worth of a kind grows with the squares it reaches on the average, over all squares of random boards of several
//! densities. No board is ever drawn: on a board where each square is occupied with the same probability, by either side,
//! the expectation is a sum over the distances of a line.
//!
//! ```text
//! slide      n squares on: the n - 1 before are empty, the n-th is empty or an enemy
//! leap       the target is empty or an enemy; going on after it needs it empty
//! over-slide at most so many of the n - 1 squares before are occupied
//! range      all squares of the line, at a premium: it takes what it flies over
//! hook       from each empty square of the first leg two slides across, at a discount: routes meet
//! lion       24 squares, and a second capture after a first
//! ```
//!
//! To that comes a part of what promotion gains, the larger the nearer the promotion zone is.

use std::collections::BTreeMap;

use super::catalog::{Kind, catalog};
use super::compile::Table;
use super::moveset::{MoveSet, UNLIMITED};
use super::params::Weights;
use super::piece::{PIECE_CODES, Piece};
use super::royals::is_royal;
use super::ruleset::RuleSet;
use super::square::{SIZE, Square, ZONE_RANKS};
use crate::game::Side;

/// What a piece is worth: everywhere, and for each rank and file.
#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    /// Centipawns wherever it stands.
    material: i32,
    /// For each rank forward up to the promotion zone, in 64ths.
    per_rank: i16,
    /// For each file towards the centre, in 64ths.
    per_file: i16,
}

/// What pieces are worth under a rule set.
#[derive(Debug)]
pub(crate) struct Values {
    worth: Box<[Worth; PIECE_CODES]>,
    taken: Box<[i64; PIECE_CODES]>,
    kinds: Vec<i32>,
    /// Worth of the last royal in exchanges.
    pub(crate) last_royal: i32,
}

/// Ranks forward after which a piece gains nothing more by advancing: the first rank of the zone.
pub(super) const RANKS_TO_ZONE: usize = SIZE - ZONE_RANKS;

/// Ranks that a square lies ahead of a side's back rank, up to the zone.
const AHEAD: [[u8; SIZE]; 2] = {
    let mut ahead = [[0; SIZE]; 2];
    let mut row = 0;
    while row < SIZE {
        let from_top = if row < RANKS_TO_ZONE { row } else { RANKS_TO_ZONE };
        ahead[1][row] = from_top as u8;
        ahead[0][SIZE - 1 - row] = from_top as u8;
        row += 1;
    }
    ahead
};

const fn files_from_edge(column: usize) -> i32 {
    let other = SIZE - 1 - column;
    (if column < other { column } else { other }) as i32
}

impl Values {
    /// Values by moves, but for the kinds given.
    pub(super) fn new(set: RuleSet, weights: &Weights, given: &BTreeMap<Kind, i32>) -> Self {
        let table = Table::of(set);
        let lines = LineLengths::new();
        let kinds: Vec<i32> = Kind::all()
            .map(|kind| {
                given
                    .get(&kind)
                    .copied()
                    .unwrap_or_else(|| rounded(by_moves(table, kind, weights, &lines)))
            })
            .collect();
        let mut worth = Box::new([Worth::default(); PIECE_CODES]);
        let mut taken = Box::new([0; PIECE_CODES]);
        for (number, info) in catalog().kinds.iter().enumerate() {
            let own = kinds[number];
            let royal = is_royal(&info.code);
            let advance = if royal { weights.royal_advance } else { weights.advance };
            let centre = if royal { 0 } else { weights.centre };
            for promoted in [false, true] {
                let gain = match info.promotes_to {
                    Some(target) if !promoted => (kinds[target.index()] - own).max(0),
                    _ => 0,
                };
                let approach = gain * weights.approach_percent / 100 * 64 / RANKS_TO_ZONE as i32;
                let entry = Worth {
                    material: own + gain * weights.promotion_percent / 100,
                    per_rank: saturated(advance + approach),
                    per_file: saturated(centre),
                };
                for side in Side::ALL {
                    let code = Piece::new(side, Kind(number as u16), promoted).code();
                    worth[code] = entry;
                    let lost = i64::from(entry.material);
                    taken[code] = if side == Side::First { -lost } else { lost };
                    taken[code] += i64::from(royal) << (32 + 16 * side.index());
                }
            }
        }
        Self { worth, taken, kinds, last_royal: weights.last_royal }
    }

    /// The worth of a piece on a square.
    #[inline(always)]
    pub(crate) fn worth(&self, piece: Piece, square: Square) -> i32 {
        let worth = &self.worth[piece.code()];
        let ahead = i32::from(AHEAD[piece.side().index()][square.row()]);
        let inward = files_from_edge(square.column());
        worth.material
            + ((i32::from(worth.per_rank) * ahead + i32::from(worth.per_file) * inward) >> 6)
    }

    /// The worth of a piece wherever it stands.
    #[inline(always)]
    pub(crate) fn material(&self, piece: Piece) -> i32 {
        self.worth[piece.code()].material
    }

    /// What it means that a piece leaves the board, as a number of which sums can be made: in the low half what the second side
    /// loses (what the first loses counts against it), 32 bits higher the royals of the first side, 48 bits higher those of the
    /// second. 0 for no piece.
    #[inline(always)]
    pub(crate) fn taken(&self, piece: Piece) -> i64 {
        self.taken[piece.code()]
    }

    /// The worth of a kind by its moves alone.
    pub(crate) fn of_kind(&self, kind: Kind) -> i32 {
        self.kinds[kind.index()]
    }
}

/// What the moves of a kind alone make it worth, not rounded.
fn by_moves(table: &Table, kind: Kind, weights: &Weights, lines: &LineLengths) -> f64 {
    let squares = average_squares(table.move_set(kind), weights, lines);
    let royal = if is_royal(&kind.info().code) { weights.royal } else { 0 };
    squares * f64::from(weights.per_square) + f64::from(weights.base + royal)
}

/// What their moves alone make all kinds worth under a rule set, not rounded.
pub(super) fn all_by_moves(set: RuleSet, weights: &Weights) -> Vec<f64> {
    let (table, lines) = (Table::of(set), LineLengths::new());
    Kind::all().map(|kind| by_moves(table, kind, weights, &lines)).collect()
}

/// Ranks that a square lies ahead of a side's back rank, up to the zone, and files from the nearer edge.
pub(super) fn place(side: Side, square: Square) -> [i32; 2] {
    [i32::from(AHEAD[side.index()][square.row()]), files_from_edge(square.column())]
}

fn saturated(value: i32) -> i16 {
    value.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

fn rounded(value: f64) -> i32 {
    (value + 0.5).floor() as i32
}

/// For each length the part of the squares that have at least so many squares before them, along ranks and files (0) and
/// along diagonals (1).
struct LineLengths([[f64; SIZE]; 2]);

impl LineLengths {
    fn new() -> Self {
        let part = |length: usize| (SIZE - length) as f64 / SIZE as f64;
        Self([std::array::from_fn(part), std::array::from_fn(|length| part(length) * part(length))])
    }

    /// The part of the squares from which a line in this direction goes on for `length` squares.
    fn at_least(&self, direction: usize, length: usize) -> f64 {
        self.0[direction & 1].get(length).copied().unwrap_or(0.0)
    }
}

/// A random board, by the part of its squares that are empty.
#[derive(Clone, Copy)]
struct Crowd {
    empty: f64,
}

impl Crowd {
    fn enemy(self) -> f64 {
        (1.0 - self.empty) / 2.0
    }

    /// Empty or an enemy.
    fn open(self) -> f64 {
        1.0 - self.enemy()
    }

    /// The chance that so many squares in a row are empty.
    fn all_empty(self, squares: usize) -> f64 {
        (0..squares).fold(1.0, |chance, _| chance * self.empty)
    }

    /// The chance that at most `most` of `squares` squares are occupied.
    fn at_most(self, most: usize, squares: usize) -> f64 {
        let mut chances = vec![0.0; most + 1];
        chances[0] = 1.0;
        for _ in 0..squares {
            for pieces in (0..=most).rev() {
                let before = if pieces > 0 { chances[pieces - 1] } else { 0.0 };
                chances[pieces] = chances[pieces] * self.empty + before * (1.0 - self.empty);
            }
        }
        chances.iter().sum()
    }
}

/// The squares that a kind reaches, weighted by direction, on the average over boards and squares.
fn average_squares(moves: &MoveSet, weights: &Weights, lines: &LineLengths) -> f64 {
    let crowds = &weights.crowding_percent;
    let sum: f64 = crowds
        .iter()
        .map(|&percent| {
            let crowd = Crowd { empty: 1.0 - f64::from(percent) / 100.0 };
            squares_reached(moves, crowd, weights, lines)
        })
        .sum();
    sum / crowds.len() as f64
}

fn squares_reached(moves: &MoveSet, crowd: Crowd, weights: &Weights, lines: &LineLengths) -> f64 {
    let percent = |value: i32| f64::from(value) / 100.0;
    let forward = |ahead: bool| if ahead { percent(weights.forward_percent) } else { 1.0 };
    let mut sum = 0.0;
    for direction in 0..8 {
        let along = squares_along(moves, direction, crowd, weights, lines);
        sum += along * forward(matches!(direction, 0 | 1 | 7));
    }
    // An oblique leap stays on the board from so many squares.
    let on_board = |squares: i8| 1.0 - f64::from(squares.unsigned_abs()) / SIZE as f64;
    let mut oblique = moves.oblique.clone();
    if moves.lion {
        let knight = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        oblique.extend(knight.iter().filter(|vector| !moves.oblique.contains(*vector)));
    }
    for &(right, ahead) in &oblique {
        sum += crowd.open() * on_board(right) * on_board(ahead) * forward(ahead > 0);
    }
    if moves.lion {
        // After a capture on one of eight squares one of eight others, or none.
        let double = 64.0 * crowd.enemy() * crowd.open();
        sum += double * percent(weights.double_capture_percent);
    }
    sum + f64::from(moves.igui.count_ones()) * crowd.enemy()
}

fn squares_along(
    moves: &MoveSet,
    direction: usize,
    crowd: Crowd,
    weights: &Weights,
    lines: &LineLengths,
) -> f64 {
    let percent = |value: i32| f64::from(value) / 100.0;
    let bit = 1u8 << direction;
    if moves.range_captures & bit != 0 {
        let squares: f64 = (1..SIZE).map(|n| lines.at_least(direction, n)).sum();
        return squares * crowd.open() * percent(weights.range_percent);
    }
    let hook = moves.hooks & bit != 0;
    let range = if hook { UNLIMITED } else { moves.slides[direction] };
    let over = moves.overs.iter().find(|over| usize::from(over.direction) == direction);
    let mut sum = 0.0;
    for n in 1..SIZE {
        let mut chance = 0.0_f64;
        if n <= usize::from(range) {
            chance = crowd.all_empty(n - 1) * crowd.open();
        }
        if moves.lion && n <= 2 {
            chance = crowd.open();
        }
        for leap in moves.leaps.iter().filter(|leap| usize::from(leap.direction) == direction) {
            let distance = usize::from(leap.distance);
            if n == distance && !leap.must_go_on {
                chance = crowd.open();
            } else if n > distance && n <= distance + usize::from(leap.further) {
                chance = chance.max(crowd.all_empty(n - distance) * crowd.open());
            }
        }
        if let Some(over) = over {
            let within = crowd.at_most(usize::from(over.pieces).min(SIZE), n - 1);
            chance = if over.capture_only {
                chance + (within - crowd.all_empty(n - 1)) * crowd.enemy()
            } else {
                chance.max(within * crowd.open())
            };
        }
        sum += chance * lines.at_least(direction, n);
        if hook {
            let across: f64 = [direction + 2, direction + 6]
                .into_iter()
                .flat_map(|turn| (1..SIZE).map(move |n| (turn & 7, n)))
                .map(|(turn, n)| crowd.all_empty(n - 1) * crowd.open() * lines.at_least(turn, n))
                .sum();
            let corner = crowd.all_empty(n) * lines.at_least(direction, n);
            sum += corner * across * percent(weights.hook_percent);
        }
    }
    sum
}
