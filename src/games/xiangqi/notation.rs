//! Moves as text.

use crate::game::Named;

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `h2e2`.
    Uci,
}

impl Named for Notation {
    const ALL: &'static [Self] = &[Self::Uci];

    fn name(self) -> &'static str {
        "uci"
    }

    fn summary(self) -> &'static str {
        "coordinates, ranks 0 to 9: h2e2"
    }
}

/// A way to write positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// FEN with the letters K A B N R C P.
    Fen,
}

impl Named for Format {
    const ALL: &'static [Self] = &[Self::Fen];

    fn name(self) -> &'static str {
        "fen"
    }

    fn summary(self) -> &'static str {
        "FEN with the letters K A B N R C P"
    }
}
