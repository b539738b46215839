//! The dialects of the family of UCI: what a session says in each of them.

use super::command::{Command, CommandError};
use super::ucci::{self, TimeUnit};
use super::{uci, usi};
use crate::score::{Bound, Score, ScoreKind};

/// A protocol in which commands set up positions and ask for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chess Interface.
    Uci,
    /// Universal Chinese Chess Protocol.
    Ucci,
    /// Universal Shogi Interface, with TSFEN.
    Usi,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 3] = [Self::Uci, Self::Ucci, Self::Usi];

    /// The word that opens a session, also the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ucci => "ucci",
            Self::Usi => "usi",
        }
    }

    /// The end of the introduction.
    pub const fn handshake_end(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Ucci => "ucciok",
            Self::Usi => "usiok",
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// A line that is no command, or a command with an argument that cannot be read.
    pub fn parse(self, line: &str, unit: TimeUnit) -> Result<Command<'_>, CommandError> {
        match self {
            Self::Uci => uci::parse(line),
            Self::Ucci => ucci::parse(line, unit),
            Self::Usi => usi::parse(line),
        }
    }

    /// A line of text for people.
    pub fn note(self, text: &str) -> String {
        match self {
            Self::Uci | Self::Usi => format!("info string {text}"),
            Self::Ucci => format!("info message {text}"),
        }
    }

    /// The answer to a `go`: a move and the expected reply, or that there is no move.
    pub fn answer(self, best: Option<&str>, ponder: Option<&str>) -> String {
        match (self, best) {
            (Self::Uci, None) => "bestmove (none)".to_owned(),
            (Self::Ucci, None) => "nobestmove".to_owned(),
            (Self::Usi, None) => "bestmove resign".to_owned(),
            (_, Some(best)) => match ponder {
                None => format!("bestmove {best}"),
                Some(ponder) => format!("bestmove {best} ponder {ponder}"),
            },
        }
    }

    /// The score of a line, with its bound.
    ///
    /// A win by a repetition rule is a large number of centipawns and never a mate: the opponent has moves left. UCCI knows
    /// numbers only, and programs show 0 for anything else.
    pub fn score(self, score: Score, bound: Bound) -> String {
        let text = match (self, score.kind()) {
            (Self::Ucci, _) => return format!("score {}", score.get()),
            (Self::Uci, ScoreKind::Mate(_)) => {
                format!("score mate {}", score.mate_moves().unwrap_or_default())
            }
            // Shogi counts the plies.
            (Self::Usi, ScoreKind::Mate(plies)) => format!("score mate {plies}"),
            (_, ScoreKind::Centipawns(_) | ScoreKind::Rule(_)) => {
                format!("score cp {}", score.get())
            }
        };
        match bound {
            Bound::Exact => text,
            Bound::Lower => text + " lowerbound",
            Bound::Upper => text + " upperbound",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_each_dialect_reads_them() {
        let check = |dialect: Dialect, score: Score, text: &str| {
            assert_eq!(dialect.score(score, Bound::Exact), text);
        };
        check(Dialect::Uci, Score::centipawns(-35), "score cp -35");
        check(Dialect::Ucci, Score::centipawns(-35), "score -35");
        check(Dialect::Uci, Score::mate_in(3), "score mate 2");
        check(Dialect::Uci, Score::mated_in(0), "score mate 0");
        check(Dialect::Usi, Score::mate_in(3), "score mate 3");
        check(Dialect::Ucci, Score::mate_in(3), "score 31997");
        check(Dialect::Uci, Score::rule_win_in(4), "score cp 27996");
        assert_eq!(Dialect::Uci.score(Score::ZERO, Bound::Lower), "score cp 0 lowerbound");
    }

    #[test]
    fn no_move_is_said_in_each_dialect() {
        assert_eq!(Dialect::Uci.answer(None, None), "bestmove (none)");
        assert_eq!(Dialect::Ucci.answer(None, None), "nobestmove");
        assert_eq!(Dialect::Usi.answer(None, None), "bestmove resign");
        assert_eq!(Dialect::Uci.answer(Some("a0a1"), Some("b9c7")), "bestmove a0a1 ponder b9c7");
    }
}
