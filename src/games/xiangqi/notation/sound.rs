//! Which positions can be played: refused are those in which a general is missing, astray or could be taken at once, and those
//! with more pieces of a kind than a set has, unless the rules say otherwise ([`Rules::any_material`]). Everything else is played;
//! what cannot arise in a game is mentioned in warnings.
//!
//! [`Rules::any_material`]: crate::game::Rules::any_material

use super::explain::{attackers_of_general, generals_face, list, side_name};
use super::fen::Placement;
use crate::game::{PositionError, Side};
use crate::games::xiangqi::piece::{Kind, PIECES, Piece};
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::square::Square;

/// Refuses a board without exactly one general of each side, each in its palace.
pub(super) fn check_generals(placement: &Placement) -> Result<(), PositionError> {
    for side in Side::ALL {
        let name = side_name(side);
        let letter = Piece::new(side, Kind::General).letter();
        let mut generals = placement
            .pieces
            .iter()
            .filter(|(_, piece, _)| *piece == Piece::new(side, Kind::General));
        let Some(&(square, _, column)) = generals.next() else {
            return Err(PositionError {
                column: placement.column,
                message: format!("{name} has no general: put a '{letter}' into its palace"),
            });
        };
        if let Some(&(second, _, column)) = generals.next() {
            return Err(PositionError {
                column,
                message: format!(
                    "{name} has a second general ('{letter}') on {second} beside the one on {square}: \
                     leave one"
                ),
            });
        }
        if !square.is_palace(side) {
            let palace = if side == Side::First { "d0 to f2" } else { "d7 to f9" };
            return Err(PositionError {
                column,
                message: format!(
                    "{name}'s general ('{letter}') on {square} is outside its palace: put it on {palace}"
                ),
            });
        }
    }
    Ok(())
}

/// Refuses a board with more pieces of a kind than a set has.
pub(super) fn check_material(placement: &Placement) -> Result<(), PositionError> {
    let mut counts = [0; PIECES];
    for &(square, piece, column) in &placement.pieces {
        let (count, initial) = (&mut counts[piece.index()], piece.kind().initial_count());
        *count += 1;
        if *count > initial {
            let (name, kind) = (side_name(piece.side()), piece.kind().name());
            let message = format!(
                "the {kind} on {square} is one too many: {name} has no more than {initial}; take it off, or \
                 give --lenient"
            );
            return Err(PositionError { column, message });
        }
    }
    Ok(())
}

/// Refuses a position in which the side to move could take the general.
pub(super) fn check_playable(
    position: &Position,
    placement: &Placement,
) -> Result<(), PositionError> {
    let (us, them) = (position.side_to_move(), !position.side_to_move());
    let general = position.general(them);
    let column = placement
        .pieces
        .iter()
        .find(|(square, _, _)| *square == general)
        .map_or(placement.column, |&(_, _, column)| column);
    if generals_face(position) {
        let (red, black) = (position.general(Side::First), position.general(Side::Second));
        let message = format!(
            "the generals on {red} and {black} are facing each other with nothing between: put a piece \
             between them or move one"
        );
        return Err(PositionError { column, message });
    }
    let attackers = attackers_of_general(position, them);
    if attackers.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{}'s general on {general} is in check from {} with {} to move, who could take it: give the \
         move to {}",
        side_name(them),
        list(&attackers),
        side_name(us),
        side_name(them)
    );
    Err(PositionError { column, message })
}

/// Adds what is odd but playable.
pub(super) fn warn(position: &Position, warnings: &mut Vec<String>) {
    for side in Side::ALL {
        let name = side_name(side);
        for kind in Kind::ALL {
            let pieces = position.pieces(side, kind);
            let (count, initial) = (pieces.count(), kind.initial_count());
            if count > initial {
                warnings.push(format!("{name} has {count} {}s, more than {initial}", kind.name()));
            }
            let astray: Vec<String> = pieces
                .filter(|&square| !can_stand(side, kind, square))
                .map(|square| square.to_string())
                .collect();
            if !astray.is_empty() {
                let points = astray.join(", ");
                warnings.push(format!("{name}'s {} can never reach {points}", kind.name()));
            }
        }
    }
    if !position.has_moves() {
        let end = if position.in_check() { "checkmate" } else { "stalemate" };
        let name = side_name(position.side_to_move());
        warnings.push(format!("{name} has no legal move: the game is over by {end}"));
    }
}

/// Whether a piece can come to a point in a game.
fn can_stand(side: Side, kind: Kind, square: Square) -> bool {
    // As Red sees it.
    let seen = if side == Side::First { square } else { square.rotated() };
    let (file, rank) = (seen.file(), seen.rank());
    match kind {
        Kind::General | Kind::Horse | Kind::Chariot | Kind::Cannon => true,
        Kind::Advisor => seen.is_palace(Side::First) && (file + rank) % 2 == 1,
        Kind::Elephant => match rank {
            0 | 4 => file == 2 || file == 6,
            2 => file % 4 == 0,
            _ => false,
        },
        Kind::Soldier => rank >= 5 || (rank >= 3 && file % 2 == 0),
    }
}
