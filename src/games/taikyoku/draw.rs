//! The board as text: codes in columns of four characters, files above, ranks at both sides.

use super::notation::side_name;
use super::position::Position;
use super::square::{SIZE, Square, rank_name};
use crate::game::Side;

/// Draws a position: Black in capitals, White in small letters, `+` before promoted pieces, `.` for empty squares.
pub(crate) fn draw(position: &Position) -> String {
    let mut text = String::new();
    let mut files = String::from("   ");
    for column in 0..SIZE {
        files += &format!("{:>4}", SIZE - column);
    }
    text += &files;
    text.push('\n');
    for row in 0..SIZE {
        let rank = rank_name(row);
        text += &format!("{rank:>3}");
        for column in 0..SIZE {
            let cell = match position.piece_at(Square::new(row, column)) {
                None => ".".to_owned(),
                Some(piece) => {
                    let code = &piece.kind().info().code;
                    let code = match piece.side() {
                        Side::First => code.clone(),
                        Side::Second => code.to_ascii_lowercase(),
                    };
                    if piece.promoted() { format!("+{code}") } else { code }
                }
            };
            // A promoted piece with a code of three letters fills its cell; its mark keeps it apart.
            text += &if cell.len() < 4 { format!("{cell:>4}") } else { cell };
        }
        text += &format!("  {rank}\n");
    }
    text += &files;
    text += &format!(
        "\n{} to move, move {}, {} plies without capture or promotion; pieces: Black {}, White {}\n",
        side_name(position.side_to_move()),
        position.move_number(),
        position.no_progress_plies(),
        position.piece_count(Side::First),
        position.piece_count(Side::Second)
    );
    text
}
