//! Why a move is not legal, for people: the obstacle by name and point.

use crate::game::{Game, Side};
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::bitboard::Bitboard;
use crate::games::xiangqi::movegen::between;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::piece::{Kind, Piece};
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::square::Square;

/// `Red` or `Black`.
pub(super) fn side_name(side: Side) -> &'static str {
    Xiangqi::SIDES[side.index()]
}

/// How a kind moves, to follow its name: "a horse ...".
pub(super) fn way_of_moving(kind: Kind) -> &'static str {
    match kind {
        Kind::General => "moves one point along a line, within its palace",
        Kind::Advisor => "moves one point diagonally, within its palace",
        Kind::Elephant => "moves two points diagonally, on its own side of the river",
        Kind::Horse => "moves one point along a line, then one diagonally outward",
        Kind::Chariot => "moves along a line",
        Kind::Cannon => "moves along a line and takes over exactly one piece",
        Kind::Soldier => "moves one point forward, across the river also sideways, never back",
    }
}

/// The pieces that give check to a side's general; a facing general counts.
pub(super) fn attackers_of_general(position: &Position, side: Side) -> Vec<(Square, Piece)> {
    let general = position.general(side);
    let mut attackers: Vec<(Square, Piece)> = pieces(position, position.side(!side))
        .filter(|&(square, piece)| position.targets(square, piece).has(general))
        .collect();
    if generals_face(position) {
        attackers.push((position.general(!side), Piece::new(!side, Kind::General)));
    }
    attackers
}

/// Whether the generals stand on one file with nothing between.
pub(super) fn generals_face(position: &Position) -> bool {
    let [red, black] = Side::ALL.map(|side| position.general(side));
    red.file() == black.file() && (between(red, black) & position.occupied()).is_empty()
}

/// "the chariot on e5 and the cannon on e7".
pub(super) fn list(pieces: &[(Square, Piece)]) -> String {
    let names: Vec<String> = pieces
        .iter()
        .map(|(square, piece)| format!("the {} on {square}", piece.kind().name()))
        .collect();
    names.join(" and ")
}

/// Why a move is not legal, given that it is not.
pub(super) fn why_illegal(position: &Position, mv: Move) -> String {
    let us = position.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_at(from) else {
        return format!("there is no piece on {from}");
    };
    let kind = piece.kind();
    if piece.side() != us {
        return format!(
            "the {} on {from} is {}'s, and it is {}'s turn",
            kind.name(),
            side_name(!us),
            side_name(us)
        );
    }
    if from == to {
        return format!("{from} is both start and end: a move must change the point");
    }
    if !position.targets(from, piece).has(to)
        && let Some(reason) = why_out_of_reach(position, piece, from, to)
    {
        return reason;
    }
    if let Some(own) = position.piece_at(to)
        && own.side() == us
    {
        return format!("{}'s own {} stands on {to}", side_name(us), own.kind().name());
    }
    why_unsafe(position, mv)
}

/// Why a move leaves the own general to be taken.
fn why_unsafe(position: &Position, mv: Move) -> String {
    let us = position.side_to_move();
    let name = side_name(us);
    let after = position.after(mv);
    let attackers = attackers_of_general(&after, us);
    if generals_face(&after) && attackers.len() == 1 {
        let (red, black) = (after.general(Side::First), after.general(Side::Second));
        return format!(
            "it leaves the generals on {red} and {black} facing each other with nothing between"
        );
    }
    let (general, attackers) = (after.general(us), list(&attackers));
    if position.in_check() {
        format!(
            "it does not answer the check: {attackers} could take {name}'s general on {general}"
        )
    } else {
        format!("it leaves {name}'s general on {general} in check from {attackers}")
    }
}

/// Why a piece cannot go to a point by its own way of moving. `None` where it is the target's owner that matters.
fn why_out_of_reach(position: &Position, piece: Piece, from: Square, to: Square) -> Option<String> {
    let kind = piece.kind();
    let name = kind.name();
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let (width, height) = (files.abs(), ranks.abs());
    let wrong_shape =
        Some(format!("the {name} on {from} does not reach {to}: a {name} {}", way_of_moving(kind)));
    match kind {
        Kind::General | Kind::Advisor => {
            let shape = if kind == Kind::General { (0, 1) } else { (1, 1) };
            if (width.min(height), width.max(height)) == shape && !to.is_palace(piece.side()) {
                return Some(format!("the {name} on {from} may not leave its palace for {to}"));
            }
            wrong_shape
        }
        Kind::Elephant if (width, height) == (2, 2) => {
            if !to.is_home(piece.side()) {
                return Some(format!("the {name} on {from} may not cross the river to {to}"));
            }
            let eye = from.offset(files / 2, ranks / 2)?;
            blocked(position, from, to, name, "eye", eye)
        }
        Kind::Horse if width * height == 2 => {
            let leg = from.offset(files / 2, ranks / 2)?;
            blocked(position, from, to, name, "leg", leg)
        }
        Kind::Chariot if width == 0 || height == 0 => {
            let obstacles = between_pieces(position, from, to);
            if obstacles.is_empty() {
                return None;
            }
            Some(format!("the {name}'s way from {from} to {to} is blocked by {}", list(&obstacles)))
        }
        Kind::Cannon if width == 0 || height == 0 => {
            let screens = between_pieces(position, from, to);
            Some(match (position.piece_at(to), screens.len()) {
                (None, _) => format!(
                    "the {name}'s way from {from} to {to} is blocked by {}: it jumps only to take",
                    list(&screens)
                ),
                (Some(target), 0) => format!(
                    "the {name} on {from} cannot take the {} on {to}: it needs exactly one piece \
                     between as a screen, and there is none",
                    target.kind().name()
                ),
                (Some(_), 1) => return None,
                (Some(target), count) => format!(
                    "the {name} on {from} cannot take the {} on {to}: it needs exactly one piece \
                     between as a screen, and there are {count}: {}",
                    target.kind().name(),
                    list(&screens)
                ),
            })
        }
        Kind::Soldier if height == 0 && width == 1 && from.is_home(piece.side()) => {
            Some(format!("the {name} on {from} may not move sideways before it crosses the river"))
        }
        _ => wrong_shape,
    }
}

fn blocked(
    position: &Position,
    from: Square,
    to: Square,
    name: &str,
    part: &str,
    point: Square,
) -> Option<String> {
    let obstacle = position.piece_at(point)?;
    Some(format!(
        "the {name} on {from} cannot go to {to}: its {part} on {point} is blocked by {}'s {}",
        side_name(obstacle.side()),
        obstacle.kind().name()
    ))
}

fn between_pieces(position: &Position, from: Square, to: Square) -> Vec<(Square, Piece)> {
    pieces(position, between(from, to) & position.occupied()).collect()
}

fn pieces(position: &Position, squares: Bitboard) -> impl Iterator<Item = (Square, Piece)> {
    squares.filter_map(|square| Some((square, position.piece_at(square)?)))
}
