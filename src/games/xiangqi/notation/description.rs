//! Moves as Chinese and WXF text describe them: which piece, in which direction, how far or where to.
//!
//! Files count from 1 to 9 from the mover's right. A number after "advance" or "retreat" is a distance for pieces that move
//! along lines and the file of arrival for the others; after "traverse" it is the file of arrival. Pieces of one kind that
//! share a file ("in tandem") are told apart by their place, counted from the front.

use super::{Notation, explain, format_move};
use crate::game::{MoveKind, Side};
use crate::games::xiangqi::bitboard::Bitboard;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::piece::{Kind, Piece};
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::square::{FILES, Square};

/// A direction as the mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// `+`, 进.
    Advance,
    /// `-`, 退.
    Retreat,
    /// `=` or `.`, 平.
    Traverse,
}

/// The place of a piece among those of its kind and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// First of those on its file.
    Front,
    /// In the middle of those on its file.
    Middle,
    /// Last of those on its file.
    Rear,
    /// Counted from 1, front first: with a file, of those on the file; without, of all that stand in tandem, from the
    /// right file to the left.
    Nth(usize),
}

/// A move as described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Description {
    /// The kind of the piece.
    pub(super) kind: Kind,
    /// The file it stands on, 1 to 9.
    pub(super) file: Option<usize>,
    /// Its place among its like.
    pub(super) place: Option<Place>,
    /// The direction.
    pub(super) action: Action,
    /// Distance or file of arrival.
    pub(super) number: usize,
}

/// How a writer must name the moving piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Naming {
    /// By its file alone.
    File,
    /// By its place on the only file with several: `nth` of `count`.
    Place {
        /// The place from 1, front first.
        nth: usize,
        /// The pieces on the file.
        count: usize,
    },
    /// By place and file, because several files hold several.
    PlaceAndFile {
        /// The place from 1, front first, on the file.
        nth: usize,
        /// The place from 1 among all that stand in tandem, right file first.
        nth_of_all: usize,
    },
}

/// The number of a file as a side counts it, from 1 on its right.
pub(super) fn file_number(side: Side, square: Square) -> usize {
    match side {
        Side::First => FILES - square.file(),
        Side::Second => square.file() + 1,
    }
}

/// Direction and number of a move of a side.
pub(super) fn action_and_number(side: Side, mv: Move) -> (Action, usize) {
    let (from, to) = (mv.from(), mv.to());
    let ahead = (to.rank() > from.rank()) == (side == Side::First);
    if from.rank() == to.rank() {
        return (Action::Traverse, file_number(side, to));
    }
    let number = if from.file() == to.file() {
        from.rank().abs_diff(to.rank())
    } else {
        file_number(side, to)
    };
    (if ahead { Action::Advance } else { Action::Retreat }, number)
}

/// How to name the piece of a legal move so that no other legal move has the same text.
///
/// # Panics
/// If the move starts from an empty point.
pub(super) fn naming(position: &Position, mv: Move) -> Naming {
    let piece = position.piece_at(mv.from()).expect("a legal move starts from a piece");
    let pieces = position.pieces(piece.side(), piece.kind());
    let on_file = same_file(pieces, piece.side(), mv.from());
    let said = action_and_number(piece.side(), mv);
    // Advisors and elephants on one file differ by the move itself: one can only advance, the other only retreat.
    let speaks_for_itself = matches!(piece.kind(), Kind::Advisor | Kind::Elephant)
        && on_file.iter().filter(|&&square| square != mv.from()).all(|&square| {
            position
                .targets(square, piece)
                .all(|to| action_and_number(piece.side(), Move::new(square, to)) != said)
        });
    if on_file.len() == 1 || speaks_for_itself {
        return Naming::File;
    }
    let nth = 1 + on_file.iter().position(|&square| square == mv.from()).unwrap_or(0);
    let tandem = in_tandem(pieces, piece.side());
    if tandem.len() == on_file.len() {
        Naming::Place { nth, count: on_file.len() }
    } else {
        let nth_of_all = 1 + tandem.iter().position(|&square| square == mv.from()).unwrap_or(0);
        Naming::PlaceAndFile { nth, nth_of_all }
    }
}

/// The pieces on a point's file, front first.
fn same_file(pieces: Bitboard, side: Side, square: Square) -> Vec<Square> {
    let mut squares: Vec<Square> = pieces.filter(|other| other.file() == square.file()).collect();
    if side == Side::First {
        squares.reverse();
    }
    squares
}

/// The pieces that share a file with another, right file first, front first.
fn in_tandem(pieces: Bitboard, side: Side) -> Vec<Square> {
    let mut squares: Vec<Square> = pieces
        .filter(|&square| pieces.filter(|other| other.file() == square.file()).count() > 1)
        .collect();
    if side == Side::First {
        squares.reverse();
    }
    squares.sort_by_key(|&square| file_number(side, square)); // stable: ranks keep their order
    squares
}

impl Description {
    /// The one legal move that fits.
    ///
    /// # Errors
    /// Why none fits, or which ones do; these are written in `notation` as well as in coordinates.
    pub(super) fn resolve(self, position: &Position, notation: Notation) -> Result<Move, String> {
        let side = position.side_to_move();
        let named = self.named_pieces(position);
        let mut moves = Vec::new();
        position.generate(MoveKind::All, &mut moves);
        moves.retain(|mv| {
            named.contains(&mv.from()) && action_and_number(side, *mv) == (self.action, self.number)
        });
        match moves[..] {
            [mv] => Ok(mv),
            [] => Err(self.why_none(position, &named)),
            _ => {
                let list: Vec<String> = moves
                    .iter()
                    .map(|&mv| format!("{mv} ({})", format_move(position, mv, notation)))
                    .collect();
                Err(format!("ambiguous between {}: write one of these", list.join(" and ")))
            }
        }
    }

    /// The points of the pieces that file and place name.
    fn named_pieces(self, position: &Position) -> Vec<Square> {
        let side = position.side_to_move();
        let pieces = position.pieces(side, self.kind);
        let tandem = in_tandem(pieces, side);
        pieces
            .filter(|&square| {
                if self.file.is_some_and(|file| file != file_number(side, square)) {
                    return false;
                }
                let on_file = same_file(pieces, side, square);
                let nth = on_file.iter().position(|&other| other == square).unwrap_or(0) + 1;
                let count = on_file.len();
                match self.place {
                    None => true,
                    Some(_) if count < 2 => false,
                    Some(Place::Front) => nth == 1,
                    Some(Place::Rear) => nth == count,
                    Some(Place::Middle) => count % 2 == 1 && nth == count.div_ceil(2),
                    Some(Place::Nth(wanted)) if self.file.is_some() => nth == wanted,
                    Some(Place::Nth(wanted)) => {
                        tandem.iter().position(|&other| other == square) == wanted.checked_sub(1)
                    }
                }
            })
            .collect()
    }

    /// Why no legal move fits, given the pieces that are named.
    fn why_none(self, position: &Position, named: &[Square]) -> String {
        let side = position.side_to_move();
        let owner = explain::side_name(side);
        let kind = self.kind.name();
        if named.is_empty() {
            let place = match (self.place, self.file) {
                (None, None) => String::new(),
                (None, Some(file)) => format!(" on its file {file}"),
                (Some(_), Some(file)) => format!(" in that place on its file {file}"),
                (Some(_), None) => " in that place among several on one file".to_owned(),
            };
            let squares: Vec<String> =
                position.pieces(side, self.kind).map(|square| square.to_string()).collect();
            let standing = if squares.is_empty() {
                "none is on the board".to_owned()
            } else {
                format!("{owner} counts files from its right and has {}", squares.join(", "))
            };
            return format!("{owner} has no {kind}{place}; {standing}");
        }
        let piece = Piece::new(side, self.kind);
        let reasons: Vec<String> = named
            .iter()
            .filter_map(|&from| Some(Move::new(from, self.target(from, piece)?)))
            .map(|mv| explain::why_illegal(position, mv))
            .collect();
        if reasons.is_empty() {
            let squares: Vec<String> = named.iter().map(|square| square.to_string()).collect();
            return format!(
                "the {kind} on {} has no such move: a {kind} {}",
                squares.join(" or "),
                explain::way_of_moving(self.kind)
            );
        }
        reasons.join("; or: ")
    }

    /// The point that the described move of a piece would reach, by shape alone.
    fn target(self, from: Square, piece: Piece) -> Option<Square> {
        let side = piece.side();
        let ahead = match (self.action, side) {
            (Action::Traverse, _) => 0,
            (Action::Advance, Side::First) | (Action::Retreat, Side::Second) => 1,
            (Action::Advance, Side::Second) | (Action::Retreat, Side::First) => -1,
        };
        let number = self.number as i32;
        let file_of_arrival = match side {
            Side::First => FILES as i32 - number,
            Side::Second => number - 1,
        };
        let files = file_of_arrival - from.file() as i32;
        let (files, ranks) = match (piece.kind(), files.abs()) {
            (Kind::General | Kind::Chariot | Kind::Cannon | Kind::Soldier, _) => {
                if ahead == 0 {
                    (files, 0)
                } else {
                    (0, number * ahead)
                }
            }
            (Kind::Advisor, 1) => (files, ahead),
            (Kind::Elephant, 2) => (files, 2 * ahead),
            (Kind::Horse, 1) => (files, 2 * ahead),
            (Kind::Horse, 2) => (files, ahead),
            _ => return None,
        };
        if files == 0 && ranks == 0 || ahead == 0 && ranks != 0 {
            return None;
        }
        from.offset(files, ranks).filter(|_| ahead == 0 || ranks != 0)
    }
}
