//! The slow twin of move generation: the rules read word for word over a plain array of points.
//!
//! Nothing here uses bitboards, look-up tables or pins; every move is tried, and refused if the general could then be taken.
//! Tests compare the fast generator with it.

use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{SQUARES, Square};
use crate::game::Side;

/// A board as an array of points.
#[derive(Clone, Debug)]
pub struct Mailbox {
    points: [Option<Piece>; SQUARES],
    side_to_move: Side,
}

impl Mailbox {
    /// The board of a position.
    pub fn new(position: &Position) -> Self {
        let mut points = [None; SQUARES];
        for square in Square::all() {
            points[square.index()] = position.piece_at(square);
        }
        Self { points, side_to_move: position.side_to_move() }
    }

    /// All legal moves, sorted.
    pub fn legal_moves(&self) -> Vec<Move> {
        let us = self.side_to_move;
        let mut moves: Vec<Move> = self
            .pseudo_legal_moves(us)
            .into_iter()
            .filter(|&mv| {
                let next = self.after(mv);
                !next.can_take_general(us) && !next.generals_face()
            })
            .collect();
        moves.sort_unstable();
        moves
    }

    /// Whether the side to move is in check (a facing general counts).
    pub fn in_check(&self) -> bool {
        self.can_take_general(self.side_to_move) || self.generals_face()
    }

    /// The board after a move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.points[mv.to().index()] = next.points[mv.from().index()].take();
        next.side_to_move = !next.side_to_move;
        next
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.points[square.index()]
    }

    fn general(&self, side: Side) -> Option<Square> {
        Square::all().find(|&square| self.at(square) == Some(Piece::new(side, Kind::General)))
    }

    fn can_take_general(&self, side: Side) -> bool {
        let general = self.general(side);
        self.pseudo_legal_moves(!side).iter().any(|mv| Some(mv.to()) == general)
    }

    fn generals_face(&self) -> bool {
        match (self.general(Side::First), self.general(Side::Second)) {
            (Some(a), Some(b)) if a.file() == b.file() => {
                let (low, high) = (a.rank().min(b.rank()), a.rank().max(b.rank()));
                (low + 1..high).all(|rank| self.at(Square::new(a.file(), rank)).is_none())
            }
            _ => false,
        }
    }

    fn pseudo_legal_moves(&self, side: Side) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::all() {
            if let Some(piece) = self.at(from)
                && piece.side() == side
            {
                for to in self.reach(from, piece) {
                    if self.at(to).map(Piece::side) != Some(side) {
                        moves.push(Move::new(from, to));
                    }
                }
            }
        }
        moves
    }

    fn reach(&self, from: Square, piece: Piece) -> Vec<Square> {
        const ORTHOGONAL: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let side = piece.side();
        let mut reach = Vec::new();
        match piece.kind() {
            Kind::General => {
                reach.extend(ORTHOGONAL.iter().filter_map(|&(x, y)| from.offset(x, y)));
                reach.retain(|to| to.is_palace(side));
            }
            Kind::Advisor => {
                reach.extend(DIAGONAL.iter().filter_map(|&(x, y)| from.offset(x, y)));
                reach.retain(|to| to.is_palace(side));
            }
            Kind::Elephant => {
                for (x, y) in DIAGONAL {
                    if let (Some(eye), Some(to)) = (from.offset(x, y), from.offset(2 * x, 2 * y))
                        && self.at(eye).is_none()
                        && to.is_home(side)
                    {
                        reach.push(to);
                    }
                }
            }
            Kind::Horse => {
                for (x, y) in ORTHOGONAL {
                    let Some(leg) = from.offset(x, y) else { continue };
                    if self.at(leg).is_some() {
                        continue;
                    }
                    for turn in [-1, 1] {
                        let (files, ranks) = if x != 0 { (2 * x, turn) } else { (turn, 2 * y) };
                        reach.extend(from.offset(files, ranks));
                    }
                }
            }
            Kind::Chariot | Kind::Cannon => {
                for (x, y) in ORTHOGONAL {
                    let mut screens = 0;
                    let mut next = from.offset(x, y);
                    while let Some(to) = next {
                        let occupied = self.at(to).is_some();
                        if piece.kind() == Kind::Chariot {
                            reach.push(to);
                            if occupied {
                                break;
                            }
                        } else if screens == 0 {
                            if occupied {
                                screens = 1;
                            } else {
                                reach.push(to);
                            }
                        } else if occupied {
                            reach.push(to);
                            break;
                        }
                        next = to.offset(x, y);
                    }
                }
            }
            Kind::Soldier => {
                let forward = if side == Side::First { 1 } else { -1 };
                reach.extend(from.offset(0, forward));
                if !from.is_home(side) {
                    reach.extend(from.offset(-1, 0));
                    reach.extend(from.offset(1, 0));
                }
            }
        }
        reach
    }
}
