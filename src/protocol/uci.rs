//! UCI as the xiangqi engines speak it (ranks 0 to 9): the text forms that are its own.
//
// CITE: Universal Chess Interface, Stefan Meyer-Kahlen, https://www.wbec-ridderkerk.nl/html/UCIProtocol.html
// CITE: Pikafish's command list, https://github.com/official-pikafish/Pikafish

use super::command::{
    Command, CommandError, GoWord, Player, first_word, parse_extra, parse_go, parse_position,
    unknown,
};

/// Reads a line of UCI.
///
/// # Errors
/// A line that is no command, or a command with an argument that cannot be read.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let (word, rest) = first_word(line);
    Ok(match word {
        "uci" => Command::Handshake,
        "ucinewgame" => Command::NewGame,
        "setoption" => parse_option(rest)?,
        "position" => parse_position(rest, &["fen"])?,
        "go" => Command::Go(Box::new(parse_go(rest, go_word, 1.0)?)),
        _ => parse_extra(word, rest)?.ok_or_else(|| unknown(word))?,
    })
}

/// Reads `name NAME [value VALUE]`; both may have blanks inside. For UCI and USI.
///
/// # Errors
/// No name.
pub(super) fn parse_option(text: &str) -> Result<Command<'_>, CommandError> {
    let (keyword, rest) = first_word(text);
    let missing = || CommandError("setoption: write 'setoption name NAME value VALUE'".to_owned());
    if keyword != "name" || rest.is_empty() {
        return Err(missing());
    }
    let value_at = rest.match_indices("value").map(|(at, _)| at).find(|&at| {
        let after = &rest[at + "value".len()..];
        rest[..at].ends_with(char::is_whitespace)
            && (after.is_empty() || after.starts_with(char::is_whitespace))
    });
    let (name, value) = match value_at {
        Some(at) => (rest[..at].trim(), Some(rest[at + "value".len()..].trim())),
        None => (rest.trim(), None),
    };
    if name.is_empty() { Err(missing()) } else { Ok(Command::SetOption { name, value }) }
}

fn go_word(word: &str) -> Option<GoWord> {
    Some(match word {
        "searchmoves" => GoWord::SearchMoves,
        "ponder" => GoWord::Ponder,
        "infinite" => GoWord::Infinite,
        "depth" => GoWord::Depth,
        "nodes" => GoWord::Nodes,
        "mate" => GoWord::Mate,
        "movetime" => GoWord::MoveTime,
        "wtime" => GoWord::Time(Player::First),
        "btime" => GoWord::Time(Player::Second),
        "winc" => GoWord::Increment(Player::First),
        "binc" => GoWord::Increment(Player::Second),
        "movestogo" => GoWord::MovesToGo(Player::Both),
        "perft" => GoWord::Perft,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::command::Go;
    use super::*;
    use crate::game::Side;

    fn go(text: &str) -> Go<'_> {
        match parse(text) {
            Ok(Command::Go(go)) => *go,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn refused(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn positions_have_a_base_and_moves() {
        let check = |text: &str, base: &str, moves: &str| {
            assert_eq!(parse(text), Ok(Command::Position { base, moves }), "{text}");
        };
        check("position startpos", "", "");
        check("position startpos moves", "", "");
        check("position  startpos  moves h2e2  h9g7", "", "h2e2  h9g7");
        check("position fen 4k4/9/9 w - - 0 1 moves a0a1", "4k4/9/9 w - - 0 1", "a0a1");
        check("position fen 4k4/9/9 w", "4k4/9/9 w", "");
        check("position 4k4/9/9 w moves a0a1", "4k4/9/9 w", "a0a1");
        assert!(refused("position").contains("position startpos"));
        assert!(refused("position fen").contains("no text"));
        assert!(refused("position startpos h2e2").contains("'h2e2'"));
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let check = |text: &str, name: &str, value: Option<&str>| {
            assert_eq!(parse(text), Ok(Command::SetOption { name, value }), "{text}");
        };
        check("setoption name Hash value 64", "Hash", Some("64"));
        check("setoption name Move Overhead value 30", "Move Overhead", Some("30"));
        check("setoption name Clear Hash", "Clear Hash", None);
        check("setoption name X value", "X", Some(""));
        check("setoption name File value my own values", "File", Some("my own values"));
        assert!(refused("setoption Hash 64").contains("setoption name"));
        assert!(refused("setoption name").contains("setoption name"));
    }

    #[test]
    fn limits_are_read() {
        let limits = go("go depth 8 nodes 1000 movetime 250 searchmoves h2e2 b0c2 mate 3");
        assert_eq!((limits.depth, limits.nodes, limits.mate), (Some(8), Some(1000), Some(3)));
        assert_eq!(limits.movetime, Some(Duration::from_millis(250)));
        assert_eq!(limits.searchmoves, ["h2e2", "b0c2"]);
        assert!(go("go infinite").infinite && go("go depth infinite").infinite);
        assert!(go("go ponder wtime 1000 btime 1000").ponder);
        assert_eq!(go("go perft 5").perft, Some(5));
    }

    #[test]
    fn clocks_belong_to_sides() {
        let clocks = go("go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5").clocks;
        let red = clocks.of(Side::First).unwrap();
        let black = clocks.of(Side::Second).unwrap();
        assert_eq!(red.remaining, Duration::from_secs(1));
        assert_eq!(black.increment, Duration::from_millis(20));
        assert_eq!((red.moves_to_go, black.moves_to_go), (Some(5), Some(5)));
    }

    #[test]
    fn a_negative_time_is_no_time() {
        let clock = go("go wtime -500 btime 1000").clocks.of(Side::First).unwrap();
        assert_eq!(clock.remaining, Duration::ZERO);
    }

    #[test]
    fn one_clock_stands_for_both() {
        let clock = go("go btime 1000").clocks.of(Side::First).unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(1));
        assert_eq!(go("go depth 3").clocks.of(Side::First), None);
    }

    #[test]
    fn huge_numbers_are_cut_and_bad_ones_refused() {
        assert_eq!(go("go depth 99999999999999999999").depth, Some(1_000_000_000));
        assert_eq!(go("go nodes -3").nodes, Some(1));
        assert!(refused("go depth x").contains("'depth x'"));
        assert!(refused("go depth").contains("'depth'"));
        let rest = go("go depth movetime 5");
        assert_eq!((rest.depth, rest.movetime), (None, Some(Duration::from_millis(5))));
        assert!(rest.notes[0].contains("'depth' without"));
        let odd = go("go foo depth 2");
        assert_eq!(odd.depth, Some(2));
        assert!(odd.notes[0].contains("'foo'"));
        assert!(refused("go nodes nan").contains("'nodes nan'"));
    }

    #[test]
    fn garbage_is_named() {
        assert!(refused("xyzzy 1 2").contains("'xyzzy'"));
        assert!(refused(&"z".repeat(100_000)).len() < 200);
        assert!(refused("perft x").contains("'x'"));
        assert_eq!(parse(""), Ok(Command::Nothing));
    }
}
