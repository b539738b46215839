//! The board as a drawing for terminals.
//!
//! ```text
//!     a   b   c   d   e   f   g   h   i
//! 9   r---n---b---a---k---a---b---n---r   9
//!     |   |   |   | \ | / |   |   |   |
//! 8   +---+---+---+---+---+---+---+---+   8
//! ```

use super::explain::side_name;
use crate::game::Side;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::repetition::counted_plies;
use crate::games::xiangqi::square::{FILES, RANKS, Square};

/// Characters from the left edge to file a, and from one file to the next.
const MARGIN: usize = 4;
const PITCH: usize = 4;

/// Draws the board with letters, capitals for Red; brackets mark where the last move started and ended.
pub fn draw(position: &Position) -> String {
    let last = position.history().last().map(|record| record.mv).filter(|&mv| mv != Move::NULL);
    let files: String =
        (0..FILES).map(|file| format!("{:<PITCH$}", (b'a' + file as u8) as char)).collect();
    let files = format!("{:MARGIN$}{}\n", "", files.trim_end());
    let mut text = files.clone();
    for rank in (0..RANKS).rev() {
        text += &row_of_points(position, rank, last);
        if rank > 0 {
            text += &row_of_lines(rank);
        }
    }
    text += &files;
    text.push('\n');
    text += &status(position, last);
    text
}

fn row_of_points(position: &Position, rank: usize, last: Option<Move>) -> String {
    let width = (FILES - 1) * PITCH + 1;
    let mut row: Vec<char> =
        format!("{rank:<MARGIN$}{}{rank:>MARGIN$}", "-".repeat(width)).chars().collect();
    for file in 0..FILES {
        let square = Square::new(file, rank);
        let at = MARGIN + PITCH * file;
        row[at] = position.piece_at(square).map_or('+', |piece| piece.letter());
        if last.is_some_and(|mv| mv.from() == square || mv.to() == square) {
            row[at - 1] = '[';
            row[at + 1] = ']';
        }
    }
    row.into_iter().chain(['\n']).collect()
}

/// The lines between a rank and the one below it.
fn row_of_lines(rank: usize) -> String {
    let width = MARGIN + (FILES - 1) * PITCH + 1;
    let mut row = vec![' '; width];
    for file in 0..FILES {
        if rank != RANKS / 2 || file == 0 || file == FILES - 1 {
            row[MARGIN + PITCH * file] = '|';
        }
    }
    let diagonals = match rank {
        9 | 2 => Some(('\\', '/')),
        8 | 1 => Some(('/', '\\')),
        _ => None,
    };
    if let Some((left, right)) = diagonals {
        row[MARGIN + PITCH * 3 + PITCH / 2] = left;
        row[MARGIN + PITCH * 4 + PITCH / 2] = right;
    }
    row.into_iter().chain(['\n']).collect()
}

fn status(position: &Position, last: Option<Move>) -> String {
    let side = position.side_to_move();
    let letters = if side == Side::First { "capitals" } else { "small letters" };
    let mut text = format!("{} ({letters}) to move", side_name(side));
    if position.in_check() {
        text += ", in check";
    }
    text += &format!("; move {}", position.move_number());
    if position.quiet_plies() > 0 {
        text += &format!("; plies without a capture: {}", position.quiet_plies());
        let counted = counted_plies(position);
        if counted < position.quiet_plies() {
            text += &format!(" ({counted} count)");
        }
    }
    if let Some(mv) = last {
        text += &format!("; last move {mv}");
    }
    text.push('\n');
    text
}
