//! The slow twin of the move generator: it interprets the move text of each piece, square by square, on a plain board.
//!
//! Nothing is shared with the compiled generator but the parsed move text, the ranks and the encoding of moves. Tests hold the two against
//! each other; nothing else uses it.

use std::collections::BTreeMap;

use super::moveset::{MoveSet, UNLIMITED};
use super::piece::{Move, Piece};
use super::position::Position;
use super::ruleset::{Promotion, RangeEnd, RangeLeap};
use super::square::{STEPS, Square};
use crate::game::Side;

/// One way to move a piece.
struct Way {
    to: Square,
    /// Sorted.
    captured: Vec<Square>,
    /// A square it steps on between start and end.
    stop: Option<Square>,
}

/// A piece on a plain board.
struct Mover<'a> {
    position: &'a Position,
    /// What stands on each square; `None`: the piece is alone on the board.
    board: Option<&'a [Option<Piece>]>,
    side: Side,
    from: Square,
    piece: Piece,
}

/// The legal moves of the side to move, sorted.
pub fn legal_moves_slow(position: &Position) -> Vec<Move> {
    if Side::ALL.into_iter().any(|side| position.royals(side).next().is_none()) {
        return Vec::new();
    }
    let side = position.side_to_move();
    let board: Vec<Option<Piece>> = Square::all().map(|s| position.piece_at(s)).collect();
    let mut moves = Vec::new();
    for from in Square::all() {
        let Some(piece) = board[from.index()].filter(|piece| piece.side() == side) else {
            continue;
        };
        let mover = Mover { position, board: Some(&board), side, from, piece };
        moves.extend(mover.moves());
    }
    moves.sort_unstable();
    moves
}

impl Mover<'_> {
    fn moves(&self) -> Vec<Move> {
        let mut results: BTreeMap<(Square, Vec<Square>, bool), Move> = BTreeMap::new();
        for way in self.ways() {
            let others: Vec<Square> =
                way.captured.iter().copied().filter(|&s| s != way.to).collect();
            let mut mv = Move::new(self.from, way.to);
            match (way.stop, others.is_empty()) {
                (_, true) => {}
                (Some(stop), false) => mv = mv.via(direction_to(self.from, stop)),
                (None, false) => mv = mv.sweeping(),
            }
            for promotes in self.promotions(&way) {
                let mv = if promotes { mv.promoting() } else { mv };
                results.insert((way.to, way.captured.clone(), promotes), mv);
            }
        }
        results.into_values().collect()
    }

    /// With and without promotion, as the rules allow.
    fn promotions(&self, way: &Way) -> Vec<bool> {
        if self.position.promotion_of(self.piece).is_none() {
            return vec![false];
        }
        let ends_inside = way.to.in_zone(self.side);
        let is_pass = way.to == self.from && way.captured.is_empty();
        match self.position.rules().set.reading().promotion {
            Promotion::Mandatory => {
                vec![ends_inside || way.stop.is_some_and(|stop| stop.in_zone(self.side))]
            }
            Promotion::Optional if !ends_inside || is_pass => vec![false],
            Promotion::Optional => {
                let later = Mover { board: None, from: way.to, ..*self };
                if later.ways().is_empty() { vec![true] } else { vec![false, true] }
            }
        }
    }

    fn ahead(&self, from: Square, right: i32, forward: i32) -> Option<Square> {
        let turn = if self.side == Side::First { 1 } else { -1 };
        Square::checked(from.row() as i32 - forward * turn, from.column() as i32 + right * turn)
    }

    fn step(&self, from: Square, direction: usize) -> Option<Square> {
        let (rows, columns) = STEPS[direction];
        self.ahead(from, columns, -rows)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        // The mover itself has left its square.
        self.board.and_then(|board| board[square.index()]).filter(|_| square != self.from)
    }

    fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.side() != self.side)
    }

    fn is_open(&self, square: Square) -> bool {
        self.is_empty(square) || self.is_enemy(square)
    }

    fn way(&self, to: Square) -> Way {
        Way { to, captured: if self.is_empty(to) { Vec::new() } else { vec![to] }, stop: None }
    }

    /// The squares of a slide: the empty ones and the first enemy.
    fn slide(&self, from: Square, direction: usize, range: u8) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut place = from;
        let mut steps = 0;
        while range == UNLIMITED || steps < range {
            let Some(next) = self.step(place, direction) else { break };
            if !self.is_open(next) {
                break;
            }
            squares.push(next);
            if self.is_enemy(next) {
                break;
            }
            (place, steps) = (next, steps + 1);
        }
        squares
    }

    fn ways(&self) -> Vec<Way> {
        let set: &MoveSet = self.position.table().move_set(self.piece.kind());
        let mut ways = Vec::new();
        for (direction, &range) in set.slides.iter().enumerate().filter(|(_, range)| **range > 0) {
            ways.extend(self.slide(self.from, direction, range).into_iter().map(|s| self.way(s)));
        }
        self.leaps(set, &mut ways);
        for &(right, forward) in &set.oblique {
            let to = self.ahead(self.from, right.into(), forward.into());
            ways.extend(to.filter(|&to| self.is_open(to)).map(|to| self.way(to)));
        }
        self.over_slides(set, &mut ways);
        self.range_captures(set, &mut ways);
        self.hooks(set, &mut ways);
        if set.lion {
            self.lion(&mut ways);
        }
        for direction in (0..8).filter(|direction| set.igui & 1 << direction != 0) {
            let adjacent = self.step(self.from, direction).filter(|&square| self.is_enemy(square));
            ways.extend(adjacent.map(|stop| Way {
                to: self.from,
                captured: vec![stop],
                stop: Some(stop),
            }));
        }
        if set.pass {
            self.passes(&mut ways);
        }
        ways
    }

    fn leaps(&self, set: &MoveSet, ways: &mut Vec<Way>) {
        for leap in &set.leaps {
            let direction = usize::from(leap.direction);
            let mut passed = Vec::new();
            let mut place = Some(self.from);
            for _ in 0..leap.distance {
                passed.extend(place);
                place = place.and_then(|square| self.step(square, direction));
            }
            let Some(landing) = place else { continue };
            let sweeps = set.range_captures != 0
                && self.position.rules().set.reading().range_leap == RangeLeap::Removes;
            let mut leap_way = |to: Square| {
                let mut way = self.way(to);
                if sweeps {
                    way.captured.extend(passed.iter().filter(|&&square| !self.is_empty(square)));
                    way.captured.sort_unstable();
                }
                ways.push(way);
            };
            if self.is_open(landing) && !leap.must_go_on {
                leap_way(landing);
            }
            if self.is_empty(landing) && leap.further > 0 {
                self.slide(landing, direction, leap.further).into_iter().for_each(leap_way);
            }
        }
    }

    fn over_slides(&self, set: &MoveSet, ways: &mut Vec<Way>) {
        for over in &set.overs {
            let mut passed = 0;
            let mut place = self.from;
            while let Some(next) = self.step(place, usize::from(over.direction)) {
                place = next;
                if over.pieces != UNLIMITED && passed > over.pieces {
                    break;
                }
                let allowed =
                    if over.capture_only { self.is_enemy(next) } else { self.is_open(next) };
                if allowed {
                    ways.push(self.way(next));
                }
                passed = passed.saturating_add(u8::from(!self.is_empty(next)));
            }
        }
    }

    fn range_captures(&self, set: &MoveSet, ways: &mut Vec<Way>) {
        let end = self.position.rules().set.reading().range_end;
        let ranks = &self.position.table().ranks;
        for direction in (0..8).filter(|direction| set.range_captures & 1 << direction != 0) {
            let mut flown = Vec::new();
            let mut place = self.from;
            while let Some(next) = self.step(place, direction) {
                place = next;
                let lower = self
                    .at(next)
                    .is_none_or(|piece| ranks[piece.code()] > ranks[self.piece.code()]);
                let allowed = match end {
                    RangeEnd::EnemyOfAnyRank => self.is_open(next),
                    RangeEnd::LowerOfEitherSide => lower,
                };
                if allowed {
                    let mut way = self.way(next);
                    way.captured.extend(&flown);
                    way.captured.sort_unstable();
                    ways.push(way);
                }
                if !lower {
                    break;
                }
                if !self.is_empty(next) {
                    flown.push(next);
                }
            }
        }
    }

    fn hooks(&self, set: &MoveSet, ways: &mut Vec<Way>) {
        for direction in (0..8).filter(|direction| set.hooks & 1 << direction != 0) {
            for corner in self.slide(self.from, direction, UNLIMITED) {
                ways.push(self.way(corner));
                if self.is_empty(corner) {
                    for turn in [direction + 2, direction + 6] {
                        let second = self.slide(corner, turn % 8, UNLIMITED);
                        ways.extend(second.into_iter().map(|square| self.way(square)));
                    }
                }
            }
        }
    }

    fn lion(&self, ways: &mut Vec<Way>) {
        for right in -2..=2 {
            for forward in -2..=2 {
                let to = self.ahead(self.from, right, forward).filter(|&to| to != self.from);
                ways.extend(to.filter(|&to| self.is_open(to)).map(|to| self.way(to)));
            }
        }
        for first in 0..8 {
            let Some(stop) = self.step(self.from, first).filter(|&s| self.is_open(s)) else {
                continue;
            };
            for second in 0..8 {
                let Some(to) = self.step(stop, second).filter(|&to| self.is_open(to)) else {
                    continue;
                };
                let mut way = self.way(to);
                if self.is_enemy(stop) {
                    way.captured.push(stop);
                    way.captured.sort_unstable();
                }
                way.stop = Some(stop);
                ways.push(way);
            }
        }
    }

    fn passes(&self, ways: &mut Vec<Way>) {
        for direction in 0..8 {
            let adjacent = self.step(self.from, direction).filter(|&square| self.is_empty(square));
            ways.extend(adjacent.map(|stop| Way {
                to: self.from,
                captured: Vec::new(),
                stop: Some(stop),
            }));
        }
    }
}

fn direction_to(from: Square, to: Square) -> usize {
    let rows = to.row() as i32 - from.row() as i32;
    let columns = to.column() as i32 - from.column() as i32;
    STEPS.iter().position(|&step| step == (rows, columns)).expect("a stop is an adjacent square")
}
