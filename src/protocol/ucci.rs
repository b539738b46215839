//! UCCI 3.0, the protocol of the Chinese user interfaces: the text forms that are its own.
//
// CITE: Universal Chinese Chess Protocol 3.0, xqbase, http://www.xqbase.com/protocol/cchess_ucci.htm

use super::command::{
    Command, CommandError, GoWord, Player, first_word, parse_extra, parse_go, parse_position,
    unknown,
};

/// The unit of the times that a user interface sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeUnit {
    /// What the protocol recommends, and what this engine announces by its option `usemillisec`.
    #[default]
    Milliseconds,
    /// After `setoption usemillisec false`.
    Seconds,
}

/// Reads a line of UCCI.
///
/// # Errors
/// A line that is no command, or a command with an argument that cannot be read.
pub fn parse(line: &str, unit: TimeUnit) -> Result<Command<'_>, CommandError> {
    let (word, rest) = first_word(line);
    Ok(match word {
        "ucci" => Command::Handshake,
        "uccinewgame" => Command::NewGame,
        "setoption" => parse_option(rest)?,
        "position" => parse_position(rest, &["fen"])?,
        "banmoves" => Command::BanMoves(rest),
        "probe" => Command::Probe,
        "go" => {
            let per_unit = match unit {
                TimeUnit::Milliseconds => 1.0,
                TimeUnit::Seconds => 1000.0,
            };
            Command::Go(Box::new(parse_go(rest, go_word, per_unit)?))
        }
        _ => parse_extra(word, rest)?.ok_or_else(|| unknown(word))?,
    })
}

/// Reads `NAME [VALUE]`. The words `name` and `value` of UCI are accepted, too.
fn parse_option(text: &str) -> Result<Command<'_>, CommandError> {
    if first_word(text).0 == "name" {
        return super::uci::parse_option(text);
    }
    let (name, value) = first_word(text);
    if name.is_empty() {
        return Err(CommandError("setoption: write 'setoption NAME VALUE'".to_owned()));
    }
    if name == "newgame" {
        return Ok(Command::NewGame);
    }
    Ok(Command::SetOption { name, value: (!value.is_empty()).then_some(value) })
}

fn go_word(word: &str) -> Option<GoWord> {
    Some(match word {
        "ponder" => GoWord::Ponder,
        "draw" => GoWord::Ignored,
        "infinite" => GoWord::Infinite,
        "depth" => GoWord::Depth,
        "nodes" => GoWord::Nodes,
        "time" => GoWord::Time(Player::Own),
        "increment" => GoWord::Increment(Player::Own),
        "movestogo" => GoWord::MovesToGo(Player::Own),
        "opptime" => GoWord::Time(Player::Opponent),
        "oppincrement" => GoWord::Increment(Player::Opponent),
        "oppmovestogo" => GoWord::MovesToGo(Player::Opponent),
        "searchmoves" => GoWord::SearchMoves,
        "movetime" => GoWord::MoveTime,
        "mate" => GoWord::Mate,
        "perft" => GoWord::Perft,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Side;

    fn own_clock(text: &str, unit: TimeUnit) -> crate::search::time::Clock {
        match parse(text, unit) {
            Ok(Command::Go(go)) => go.clocks.of(Side::Second).unwrap(),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn times_are_own_and_the_opponents() {
        let text = "go draw time 300000 increment 2000 opptime 1000 oppincrement 0";
        let clock = own_clock(text, TimeUnit::Milliseconds);
        assert_eq!(clock.remaining, Duration::from_secs(300));
        assert_eq!(clock.increment, Duration::from_secs(2));
        let clock = own_clock("go time 300 movestogo 40", TimeUnit::Seconds);
        assert_eq!((clock.remaining, clock.moves_to_go), (Duration::from_secs(300), Some(40)));
        let clock = own_clock("go time 0.5", TimeUnit::Seconds);
        assert_eq!(clock.remaining, Duration::from_millis(500));
    }

    #[test]
    fn options_have_one_word_names() {
        let unit = TimeUnit::default();
        let option = |name, value| Ok(Command::SetOption { name, value });
        assert_eq!(parse("setoption hashsize 64", unit), option("hashsize", Some("64")));
        assert_eq!(parse("setoption clearhash", unit), option("clearhash", None));
        assert_eq!(parse("setoption name Hash value 64", unit), option("Hash", Some("64")));
        assert_eq!(parse("setoption newgame", unit), Ok(Command::NewGame));
    }

    #[test]
    fn bans_and_static_scores_are_read() {
        let unit = TimeUnit::default();
        assert_eq!(parse("banmoves h6i4 a0a1", unit), Ok(Command::BanMoves("h6i4 a0a1")));
        match parse("go depth 0", unit) {
            Ok(Command::Go(go)) => assert_eq!(go.depth, Some(0)),
            other => panic!("{other:?}"),
        }
    }
}
