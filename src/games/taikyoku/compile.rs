//! The move table of a rule set, compiled once: what each kind does for each side, in absolute directions.
//!
//! Directions in which a kind only steps or slides go to [`Table::slides`] and are generated for all pieces at once. Whatever
//! else it does (leaps, over-slides, range captures, hooks, lion moves, igui) is its [`Program`].

use std::ops::BitOr;
use std::sync::LazyLock;

use super::catalog::{Kind, catalog};
use super::lines::Relative;
use super::moveset::{MoveSet, UNLIMITED};
use super::near;
use super::piece::{PIECE_CODES, Piece};
use super::royals::{LOWEST_RANK, is_royal, rank};
use super::ruleset::{Promotion, RangeEnd, RangeLeap, Reading, RuleSet};
use super::square::{SIZE, STEPS, Square, direction_for, row_in_zone};
use crate::game::Side;

/// Sets of pieces of a side that [`super::position::Position`] keeps as one bitboard each.
pub(crate) mod lane {
    /// Pieces with a [`super::Program`] that is not empty.
    pub(crate) const SPECIAL: usize = 8;
    /// Royals.
    pub(crate) const ROYAL: usize = 9;
    /// Pieces whose program reaches squares that are neither on a line with them nor within two steps.
    pub(crate) const WIDE: usize = 10;
    /// Pieces that rank above the lowest for range captures.
    pub(crate) const RANKED: usize = 11;
    /// Number of lanes; lanes 0 to 7 hold the pieces that step or slide in a direction.
    pub(crate) const COUNT: usize = 12;
}

/// A leap of a line that may go on as a slide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    /// The square of the line it lands on.
    pub(crate) distance: u32,
    /// How far it may go on, as a mask of squares.
    pub(crate) further: u64,
}

/// All that a kind does along one line beside plain slides.
#[derive(Clone, Debug)]
pub(crate) struct LineMoves {
    /// Absolute direction.
    pub(crate) direction: usize,
    /// If none of these squares of the [neighbourhood](super::near) is open, nothing is.
    pub(crate) near: u64,
    /// The squares within the limit of the slide.
    pub(crate) slide: u64,
    /// Squares it may leap to.
    pub(crate) leaps: u64,
    /// Leaps that may go on, besides those in `leaps`.
    pub(crate) jumps: Box<[Jump]>,
    /// Pieces that an over-slide may pass.
    pub(crate) over: Option<u8>,
    /// Whether the over-slide must end with a capture.
    pub(crate) over_captures: bool,
}

impl LineMoves {
    /// The squares of the line that it could reach on some board.
    fn in_reach(&self) -> u64 {
        let jumps =
            self.jumps.iter().fold(0, |squares, jump| squares | jump.further << jump.distance);
        let over = if self.over.is_some() { u64::MAX } else { 0 };
        self.slide | self.leaps | jumps | over
    }

    /// The squares it leaps to, as a set of the [neighbourhood](super::near), if that is all it does.
    fn near_leaps(&self) -> Option<u64> {
        // A step does not ask what stands between.
        let targets = self.slide & 1 | self.leaps;
        let is_near = targets & !0b111 == 0 && self.slide & !targets == 0;
        (is_near && self.jumps.is_empty() && self.over.is_none())
            .then(|| near_squares(self.direction, targets))
    }

    /// Where a move along the line may end; each such move takes what stands on its target.
    #[inline(always)]
    pub(crate) fn targets(&self, view: Relative) -> u64 {
        let mut targets = view.slide() & self.slide | self.leaps & view.open();
        for jump in &self.jumps {
            if view.free >> (jump.distance - 1) & 1 != 0 {
                let beyond = Relative {
                    free: view.free >> jump.distance,
                    enemy: view.enemy >> jump.distance,
                };
                targets |= (beyond.slide() & jump.further) << jump.distance;
            }
        }
        if let Some(pieces) = self.over {
            let passed = view.over(pieces);
            targets |= if self.over_captures { passed & view.enemy } else { passed };
        }
        targets
    }
}

/// What a kind does beside plain slides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Lines with leaps or over-slides; first those where it does more than what `leaps` says.
    pub(crate) lines: Box<[LineMoves]>,
    /// How many lines those are.
    pub(crate) long_lines: usize,
    /// The squares of the [neighbourhood](super::near) that it leaps to whatever stands between.
    pub(crate) leaps: u64,
    /// Oblique leaps that end beyond.
    pub(crate) far_leaps: Box<[(i32, i32)]>,
    /// The squares of each line that it could reach on some board, but for hooks: all that it does beside them and oblique
    /// leaps.
    pub(crate) in_reach: [u64; 8],
    /// Oblique leaps: change of row and column.
    pub(crate) oblique: Box<[(i32, i32)]>,
    /// Absolute directions of range captures.
    pub(crate) ranges: Box<[usize]>,
    /// Rank for range captures.
    pub(crate) rank: u8,
    /// Whether leaps remove what they leap over.
    pub(crate) leaps_sweep: bool,
    /// Absolute directions of first legs, one bit each.
    pub(crate) hooks: u8,
    /// Slides of a hook mover in absolute directions; first legs count as unlimited.
    pub(crate) hook_slides: [u64; 8],
    /// Whether it goes on for a second step after a first capture.
    pub(crate) double_step: bool,
    /// Absolute directions of capture without moving.
    pub(crate) igui: u8,
    /// Whether it may pass.
    pub(crate) pass: bool,
}

impl Program {
    fn is_empty(&self) -> bool {
        self.lines.is_empty()
            && self.oblique.is_empty()
            && self.ranges.is_empty()
            && self.hooks == 0
            && !self.double_step
            && self.igui == 0
            && !self.pass
    }

    /// See [`Table::near`].
    fn near(&self) -> u64 {
        if !self.ranges.is_empty() || !self.far_leaps.is_empty() {
            return near::FAR;
        }
        let hooks = (0..8).filter(|&direction| self.hook_slides[direction] != 0);
        let hooks = hooks.map(|direction| near::ADJACENT[direction]);
        let is_around = self.igui != 0 || self.pass;
        let around = near::ADJACENT.into_iter().filter(|_| is_around);
        let lines = self.lines.iter().map(|line| line.near);
        lines.chain(hooks).chain(around).fold(self.leaps, BitOr::bitor)
    }

    fn is_wide(&self) -> bool {
        let far = |&(rows, columns): &(i32, i32)| rows.abs().max(columns.abs()) > 2;
        self.hooks != 0 || self.oblique.iter().any(far)
    }
}

/// The compiled rules of a rule set.
#[derive(Debug)]
pub struct Table {
    /// The decisions of the rule set.
    pub(crate) reading: Reading,
    /// Range of the plain slide per piece code and absolute direction, 0: none.
    pub(crate) slides: Box<[[u8; 8]; PIECE_CODES]>,
    /// The lanes a piece is in, one bit each: a small table, as make and unmake read it for every piece they touch.
    pub(crate) lanes: Box<[u16; PIECE_CODES]>,
    /// What a piece becomes when it promotes, by piece code.
    pub(crate) promotion: Box<[Piece; PIECE_CODES]>,
    /// Rank of a piece for range captures.
    pub(crate) ranks: Box<[u8; PIECE_CODES]>,
    /// If none of these squares of the [neighbourhood](super::near) is open, the program of a piece has no moves, by piece code.
    pub(crate) near: Box<[u64; PIECE_CODES]>,
    /// Programs per side and kind.
    pub(crate) programs: [Vec<Program>; 2],
    /// Squares where an unpromoted piece could never move again, per side and kind; empty where there are none.
    stuck: [Vec<Vec<u64>>; 2],
    /// The move sets the table was compiled from, with their texts.
    pub(crate) move_sets: Vec<(String, MoveSet)>,
}

static SEED: LazyLock<Table> = LazyLock::new(|| Table::compile(RuleSet::Seed));
static ATSA: LazyLock<Table> = LazyLock::new(|| Table::compile(RuleSet::Atsa));

impl Table {
    /// The compiled rules of a rule set.
    pub fn of(set: RuleSet) -> &'static Self {
        match set {
            RuleSet::Seed => &SEED,
            RuleSet::Atsa => &ATSA,
        }
    }

    /// The move set of a kind as its owner sees it.
    pub fn move_set(&self, kind: Kind) -> &MoveSet {
        &self.move_sets[kind.index()].1
    }

    /// The move set of a kind as text.
    pub fn move_text(&self, kind: Kind) -> &str {
        &self.move_sets[kind.index()].0
    }

    /// Whether a piece of a kind that has not promoted could never move again from a square.
    #[inline(always)]
    pub(crate) fn is_stuck(&self, side: Side, kind: Kind, square: Square) -> bool {
        let rows = &self.stuck[side.index()][kind.index()];
        !rows.is_empty() && rows[square.row()] >> square.column() & 1 != 0
    }

    /// Whether there are such squares for a kind.
    #[inline(always)]
    pub(crate) fn may_be_stuck(&self, side: Side, kind: Kind) -> bool {
        !self.stuck[side.index()][kind.index()].is_empty()
    }

    fn compile(set: RuleSet) -> Self {
        let kinds = &catalog().kinds;
        let reading = set.reading();
        let move_sets = set.move_sets(catalog());
        let mut table = Self {
            reading,
            slides: Box::new([[0; 8]; PIECE_CODES]),
            lanes: Box::new([0; PIECE_CODES]),
            promotion: Box::new([Piece::NONE; PIECE_CODES]),
            ranks: Box::new([LOWEST_RANK; PIECE_CODES]),
            near: Box::new([0; PIECE_CODES]),
            programs: [Vec::new(), Vec::new()],
            stuck: [Vec::new(), Vec::new()],
            move_sets: Vec::new(),
        };
        for side in Side::ALL {
            for (number, info) in kinds.iter().enumerate() {
                let moves = &move_sets[number].1;
                let kind = Kind(number as u16);
                let program = compile_program(side, moves, &info.code, reading);
                let slides = plain_slides(side, moves, &program);
                let rows = match (info.promotes_to, reading.promotion) {
                    (Some(_), Promotion::Optional) => stuck_rows(side, moves),
                    _ => Vec::new(),
                };
                for promoted in [false, true] {
                    let piece = Piece::new(side, kind, promoted);
                    let code = piece.code();
                    table.slides[code] = slides;
                    table.ranks[code] = rank(&info.code);
                    table.near[code] = program.near();
                    let mut lanes = 0;
                    for (direction, &range) in slides.iter().enumerate() {
                        lanes |= u16::from(range != 0) << direction;
                    }
                    lanes |= u16::from(!program.is_empty()) << lane::SPECIAL;
                    lanes |= u16::from(program.is_wide()) << lane::WIDE;
                    lanes |= u16::from(is_royal(&info.code)) << lane::ROYAL;
                    lanes |= u16::from(table.ranks[code] != LOWEST_RANK) << lane::RANKED;
                    if let (Some(target), false) = (info.promotes_to, promoted) {
                        table.promotion[code] = Piece::new(side, target, true);
                    }
                    table.lanes[code] = lanes;
                }
                table.programs[side.index()].push(program);
                table.stuck[side.index()].push(rows);
            }
        }
        table.move_sets = move_sets;
        table
    }
}

/// Squares of a relative line as a set of the neighbourhood; [`near::FAR`], if some lie beyond.
fn near_squares(direction: usize, squares: u64) -> u64 {
    if squares & !0b111 != 0 {
        return near::FAR;
    }
    let (rows, columns) = STEPS[direction];
    (1..=3)
        .filter(|distance| squares >> (distance - 1) & 1 != 0)
        .fold(0, |set, distance| set | near::square(rows * distance, columns * distance))
}

/// The squares of a range as a mask of a relative line.
fn range_mask(range: u8) -> u64 {
    if range == UNLIMITED { u64::MAX } else { (1 << range) - 1 }
}

fn turned_mask(side: Side, directions: u8) -> u8 {
    (0..8)
        .filter(|&direction| directions & 1 << direction != 0)
        .fold(0, |mask, direction| mask | 1 << direction_for(side, direction))
}

/// The slides that are generated for all pieces at once: those of lines without leaps, and none of a hook mover.
fn plain_slides(side: Side, moves: &MoveSet, program: &Program) -> [u8; 8] {
    let mut slides = [0; 8];
    for (direction, &range) in moves.slides.iter().enumerate() {
        let absolute = direction_for(side, direction);
        let by_program = program.hooks != 0
            || program.lines.iter().any(|line| line.direction == absolute)
            || program.ranges.contains(&absolute);
        if !by_program {
            slides[absolute] = range;
        }
    }
    slides
}

fn compile_program(side: Side, moves: &MoveSet, code: &str, reading: Reading) -> Program {
    let mut lines = Vec::new();
    for direction in 0..8 {
        let mut leaps = 0;
        let mut jumps = Vec::new();
        if moves.lion {
            leaps |= 0b11;
        }
        for leap in moves.leaps.iter().filter(|leap| usize::from(leap.direction) == direction) {
            if !leap.must_go_on {
                leaps |= 1 << (leap.distance - 1);
            }
            if leap.further > 0 {
                jumps.push(Jump {
                    distance: u32::from(leap.distance),
                    further: range_mask(leap.further),
                });
            }
        }
        let over = moves.overs.iter().find(|over| usize::from(over.direction) == direction);
        if leaps == 0 && jumps.is_empty() && over.is_none() {
            continue;
        }
        let range = moves.slides[direction];
        let absolute = direction_for(side, direction);
        let landings = jumps.iter().fold(0, |mask, jump: &Jump| mask | 1 << (jump.distance - 1));
        let near = match over {
            Some(_) => near::FAR,
            None => near_squares(absolute, leaps | landings | u64::from(range != 0)),
        };
        lines.push(LineMoves {
            direction: absolute,
            near,
            slide: if range == 0 { 0 } else { range_mask(range) },
            leaps,
            jumps: jumps.into(),
            over: over.map(|over| over.pieces),
            over_captures: over.is_some_and(|over| over.capture_only),
        });
    }
    let mut oblique = moves.oblique.clone();
    if moves.lion {
        for vector in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
            if !oblique.contains(&vector) {
                oblique.push(vector);
            }
        }
    }
    let forward = if side == Side::First { 1 } else { -1 };
    let oblique: Box<[(i32, i32)]> = oblique
        .iter()
        .map(|&(right, ahead)| (-i32::from(ahead) * forward, i32::from(right) * forward))
        .collect();
    let hooks = turned_mask(side, moves.hooks);
    let mut hook_slides = [0; 8];
    if hooks != 0 {
        for (direction, &range) in moves.slides.iter().enumerate() {
            let absolute = direction_for(side, direction);
            let leg = hooks & 1 << absolute != 0;
            hook_slides[absolute] = match (leg, range) {
                (true, _) => u64::MAX,
                (false, 0) => 0,
                (false, range) => range_mask(range),
            };
        }
    }
    let ranges = turned_mask(side, moves.range_captures);
    let igui = if moves.lion { u8::MAX } else { turned_mask(side, moves.igui) };
    let in_reach = std::array::from_fn(|direction| {
        let line = lines.iter().find(|line: &&LineMoves| line.direction == direction);
        let everywhere = |all: bool| if all { u64::MAX } else { 0 };
        line.map_or(0, LineMoves::in_reach)
            | everywhere(ranges >> direction & 1 != 0)
            | u64::from(igui >> direction & 1)
    });
    let leaps_sweep = reading.range_leap == RangeLeap::Removes && ranges != 0;
    let by_leaps = |line: &LineMoves| if leaps_sweep { None } else { line.near_leaps() };
    lines.sort_by_key(|line| by_leaps(line).is_some());
    let near_oblique = |&(rows, columns): &(i32, i32)| near::square(rows, columns);
    Program {
        in_reach,
        long_lines: lines.iter().filter(|line| by_leaps(line).is_none()).count(),
        leaps: lines
            .iter()
            .filter_map(by_leaps)
            .chain(oblique.iter().map(near_oblique))
            .fold(0, BitOr::bitor),
        far_leaps: oblique.iter().copied().filter(|leap| near_oblique(leap) == 0).collect(),
        lines: lines.into(),
        oblique,
        ranges: (0..8).filter(|direction| ranges & 1 << direction != 0).collect(),
        rank: rank(code),
        leaps_sweep,
        hooks,
        hook_slides,
        double_step: moves.lion,
        igui,
        pass: moves.lion || moves.pass,
    }
}

/// The squares, as rows of bits, from which a kind has no move at all on an otherwise empty board; empty if there are none.
fn stuck_rows(side: Side, moves: &MoveSet) -> Vec<u64> {
    let mut vectors: Vec<(i32, i32)> = Vec::new();
    let turn = if side == Side::First { 1 } else { -1 };
    let mut along = |direction: usize, distance: i32| {
        let (row, column) = STEPS[direction_for(side, direction)];
        vectors.push((row * distance, column * distance));
    };
    for direction in 0..8 {
        let bit = 1u8 << direction;
        let slides = moves.slides[direction] != 0
            || moves.lion
            || (moves.hooks | moves.range_captures) & bit != 0
            || moves
                .overs
                .iter()
                .any(|over| usize::from(over.direction) == direction && !over.capture_only);
        if slides {
            along(direction, 1);
        }
    }
    for leap in &moves.leaps {
        along(usize::from(leap.direction), i32::from(leap.distance) + i32::from(leap.must_go_on));
    }
    for &(right, ahead) in &moves.oblique {
        vectors.push((-i32::from(ahead) * turn, i32::from(right) * turn));
    }
    if moves.pass {
        return Vec::new();
    }
    let mut rows = vec![0u64; SIZE];
    for square in Square::all().filter(|square| row_in_zone(square.row(), side)) {
        let (row, column) = (square.row() as i32, square.column() as i32);
        if !vectors.iter().any(|v| Square::checked(row + v.0, column + v.1).is_some()) {
            rows[square.row()] |= 1 << square.column();
        }
    }
    if rows.iter().all(|&row| row == 0) { Vec::new() } else { rows }
}

impl Table {
    /// Whether a range capture of this rank may fly over a piece.
    #[inline(always)]
    pub(crate) fn flies_over(&self, rank: u8, piece: Piece) -> bool {
        self.ranks[piece.code()] > rank
    }

    /// Whether range captures may end on enemies of any rank.
    #[inline(always)]
    pub(crate) fn ends_on_any_enemy(&self) -> bool {
        self.reading.range_end == RangeEnd::EnemyOfAnyRank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_could_never_move_again_are_computed() {
        let table = Table::of(RuleSet::Seed);
        for side in Side::ALL {
            let far = |ranks_from_the_end: usize| match side {
                Side::First => ranks_from_the_end,
                Side::Second => SIZE - 1 - ranks_from_the_end,
            };
            for (kind, info) in catalog().kinds.iter().enumerate() {
                let kind = Kind(kind as u16);
                let expected = match info.code.as_str() {
                    "P" | "L" | "D" | "I" | "SG" | "GN" | "OC" | "TG" => 1,
                    "N" => 2,
                    _ => 0,
                };
                for rank in 0..4 {
                    let found = table.is_stuck(side, kind, Square::new(far(rank), 7));
                    assert_eq!(found, rank < expected, "{} on rank {rank}", info.code);
                }
            }
        }
    }
}
