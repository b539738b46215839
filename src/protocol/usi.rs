//! A USI-like dialect for taikyoku shogi, with TSFEN in place of SFEN: the text forms that are its own.
//
// CITE: Universal Shogi Interface, Tord Romstad, http://hgm.nubati.net/usi.html

use super::command::{
    Command, CommandError, GoWord, Player, first_word, parse_extra, parse_go, parse_position,
    unknown,
};

/// Reads a line of USI.
///
/// # Errors
/// A line that is no command, or a command with an argument that cannot be read.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let (word, rest) = first_word(line);
    Ok(match word {
        "usi" => Command::Handshake,
        "usinewgame" => Command::NewGame,
        "setoption" => super::uci::parse_option(rest)?,
        "position" => parse_position(rest, &["sfen", "tsfen", "fen"])?,
        // Its number is a time, and its answer no move.
        "go" if first_word(rest).0 == "mate" => Command::ProveMate,
        "go" => Command::Go(Box::new(parse_go(rest, go_word, 1.0)?)),
        _ => parse_extra(word, rest)?.ok_or_else(|| unknown(word))?,
    })
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
        // The first player of shogi is Black.
        "btime" => GoWord::Time(Player::First),
        "wtime" => GoWord::Time(Player::Second),
        "binc" => GoWord::Increment(Player::First),
        "winc" => GoWord::Increment(Player::Second),
        "movestogo" => GoWord::MovesToGo(Player::Both),
        "byoyomi" => GoWord::ByoYomi,
        "perft" => GoWord::Perft,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Side;

    #[test]
    fn black_is_the_first_player() {
        let Ok(Command::Go(go)) = parse("go btime 1000 wtime 2000 byoyomi 300") else {
            panic!("a go");
        };
        let clock = go.clocks.of(Side::First).unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(1));
        assert_eq!(clock.byoyomi, Duration::from_millis(300));
    }

    #[test]
    fn byoyomi_alone_is_a_clock() {
        let Ok(Command::Go(go)) = parse("go byoyomi 300") else { panic!("a go") };
        let clock = go.clocks.of(Side::Second).unwrap();
        assert_eq!((clock.remaining, clock.byoyomi), (Duration::ZERO, Duration::from_millis(300)));
    }

    #[test]
    fn positions_are_sfen_or_tsfen() {
        for text in
            ["position sfen 36/36 b 0 1 moves 1a1b", "position tsfen 36/36 b 0 1 moves 1a1b"]
        {
            let expected = Command::Position { base: "36/36 b 0 1", moves: "1a1b" };
            assert_eq!(parse(text), Ok(expected));
        }
    }
}
