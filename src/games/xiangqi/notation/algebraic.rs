//! Moves as chess players write them: a piece and where it goes, `Ng2`, `Nhg2`, `Cbxb9`, a soldier by its target alone, `g4`. Only
//! read, with the letters of both alphabets.
//!
//! Ranks are counted from 0 by some programs and from 1 by others. A text that names a legal move in both ways is refused.

use super::text::excerpt;
use crate::game::MoveKind;
use crate::games::xiangqi::moves::Move;
use crate::games::xiangqi::piece::{Kind, Piece};
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::square::{FILES, RANKS};

/// What a text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Algebraic {
    kind: Kind,
    from_file: Option<usize>,
    file: usize,
    /// The rank as it is written, from 0 to 10.
    rank: usize,
}

/// Reads a text. `None`: it does not look like a move of this form.
pub(super) fn read(letters: &[char]) -> Option<Algebraic> {
    let digits = letters.iter().rev().take_while(|letter| letter.is_ascii_digit()).count();
    let (head, rank) = letters.split_at(letters.len() - digits);
    let rank = rank.iter().collect::<String>().parse().ok().filter(|&rank| rank <= RANKS)?;
    let (file, head) = head.split_last().and_then(|(&file, head)| Some((file_of(file)?, head)))?;
    let head = head.strip_suffix(&['x']).unwrap_or(head);
    let (kind, from) = match head.split_first() {
        Some((letter, from)) if letter.is_ascii_uppercase() => {
            (Piece::from_letter(*letter)?.kind(), from)
        }
        _ => (Kind::Soldier, head),
    };
    let from_file = match from {
        [] => None,
        [from] => Some(file_of(*from)?),
        _ => return None,
    };
    Some(Algebraic { kind, from_file, file, rank })
}

/// The file of a small letter.
fn file_of(letter: char) -> Option<usize> {
    ('a'..='i').position(|file| file == letter).filter(|&file| file < FILES)
}

impl Algebraic {
    /// The one legal move that fits.
    pub(super) fn resolve(self, position: &Position) -> Result<Move, String> {
        let mut legal = Vec::new();
        position.generate(MoveKind::All, &mut legal);
        legal.retain(|mv| {
            position.piece_at(mv.from()).is_some_and(|piece| piece.kind() == self.kind)
                && self.from_file.is_none_or(|file| mv.from().file() == file)
                && mv.to().file() == self.file
                && (mv.to().rank() == self.rank || mv.to().rank() + 1 == self.rank)
        });
        match legal[..] {
            [mv] => Ok(mv),
            [] => Err(format!("no {} can go there; {}", self.kind.name(), super::FORMS)),
            _ => {
                let fitting = legal.iter().map(Move::to_string).collect::<Vec<_>>().join(", ");
                Err(format!("it may be {}; write one of these", excerpt(&fitting)))
            }
        }
    }
}
