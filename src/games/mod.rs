//! The list of games, and the one place where a name becomes a type. Only `cli` and `protocol` start from here.

pub mod taikyoku;
pub mod xiangqi;

use std::fmt;
use std::str::FromStr;

use crate::game::{Evaluate, Named};
use crate::tune::Tunable;

/// A game that the program knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameId {
    /// Chinese chess, 9 by 10 points.
    Xiangqi,
    /// Taikyoku shogi, 36 by 36 squares.
    Taikyoku,
}

impl Named for GameId {
    const ALL: &'static [Self] = &[Self::Xiangqi, Self::Taikyoku];

    fn name(self) -> &'static str {
        match self {
            Self::Xiangqi => "xiangqi",
            Self::Taikyoku => "taikyoku",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Xiangqi => "Chinese chess, 9 by 10 points",
            Self::Taikyoku => "taikyoku shogi, 36 by 36 squares, 301 kinds of pieces",
        }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a text names no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown game '{0}'; the games are xiangqi and taikyoku")]
pub struct UnknownGame(pub String);

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::from_name(text).ok_or_else(|| UnknownGame(text.to_owned()))
    }
}

/// The game that a position text belongs to, by the shape of its board; `None` where the text has no shape (`startpos`).
///
/// A xiangqi board has 9 slashes, a taikyoku board 35 (or, in the dialect TSFEN1, none but the prefix). A board that is
/// a few ranks too long or too short still belongs to the game it is nearest to, whose parser explains what is wrong.
pub fn detect(text: &str) -> Option<GameId> {
    const BETWEEN: usize = (9 + 35) / 2;
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if text.get(..6).is_some_and(|prefix| prefix.eq_ignore_ascii_case("TSFEN1")) {
        return Some(GameId::Taikyoku);
    }
    let board = text.split_whitespace().next()?;
    match board.chars().filter(|letter| matches!(letter, '/' | '／')).count() {
        0 => None,
        slashes if slashes > BETWEEN => Some(GameId::Taikyoku),
        _ => Some(GameId::Xiangqi),
    }
}

/// Something to do for a game that is known only when the program runs.
pub trait Command {
    /// What comes of it.
    type Output;

    /// Does it for the game `G`.
    fn run<G: Evaluate>(self) -> Self::Output;
}

/// Does a command for a game: the only place where the name of a game becomes its type.
pub fn dispatch<C: Command>(game: GameId, command: C) -> C::Output {
    match game {
        GameId::Xiangqi => command.run::<xiangqi::Xiangqi>(),
        GameId::Taikyoku => command.run::<taikyoku::Taikyoku>(),
    }
}

/// Something to do for a game whose evaluation can be fitted.
pub trait TuningCommand {
    /// What comes of it.
    type Output;

    /// Does it for the game `G`.
    fn run<G: Tunable>(self) -> Self::Output;
}

/// Does a command for a game; see [`dispatch`].
pub fn dispatch_tuning<C: TuningCommand>(game: GameId, command: C) -> C::Output {
    match game {
        GameId::Xiangqi => command.run::<xiangqi::Xiangqi>(),
        GameId::Taikyoku => command.run::<taikyoku::Taikyoku>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_tells_the_game() {
        let check = |text: &str, game: Option<GameId>| assert_eq!(detect(text), game, "{text}");
        check(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            Some(GameId::Xiangqi),
        );
        check("4k4／9／9／9／9／9／9／9／9／3K5 w", Some(GameId::Xiangqi));
        check("TSFEN1 b 0 0 B:Pawn@5,2", Some(GameId::Taikyoku));
        check(&format!("{}36 b 0 1", "36/".repeat(35)), Some(GameId::Taikyoku));
        check(&format!("{}36 b 0 1", "36/".repeat(33)), Some(GameId::Taikyoku));
        check("startpos", None);
        check("", None);
    }

    #[test]
    fn names_are_read_back() {
        for &game in GameId::ALL {
            assert_eq!(game.to_string().to_uppercase().parse(), Ok(game));
        }
        assert!("chess".parse::<GameId>().unwrap_err().to_string().contains("xiangqi"));
    }
}
