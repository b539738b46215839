//! Moves as text: every notation read and written.

use kyokumen::game::{Game, MoveKind, Named, Rules};
use kyokumen::games::xiangqi::notation::Notation;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::games::xiangqi::{Move, Position, Xiangqi};
use proptest::test_runner::{Config as ProptestConfig, RngSeed};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";

fn position(fen: &str) -> Position {
    Xiangqi::parse_position(fen, Rules { any_material: true, ..RuleSet::Asian.rules() })
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate(MoveKind::All, &mut moves);
    moves
}

/// Every text, split at blanks, reads as the move.
fn reads(fen: &str, texts: &str, mv: &str) {
    let position = position(fen);
    for text in texts.split_whitespace() {
        match Xiangqi::parse_move(&position, text) {
            Ok(read) => assert_eq!(read.to_string(), mv, "{text} in {fen}"),
            Err(error) => panic!("{fen}: {error}"),
        }
    }
}

/// The move is written as the text and the text read as the move.
fn writes(fen: &str, mv: &str, notation: Notation, text: &str) {
    let position = position(fen);
    let read = Xiangqi::parse_move(&position, mv).unwrap();
    assert_eq!(Xiangqi::format_move(&position, read, notation), text, "{mv} in {fen}");
    reads(fen, text, mv);
}

/// The text is refused and the message holds all the words, split at `|`.
fn refuses(fen: &str, text: &str, words: &str) {
    let message = match Xiangqi::parse_move(&position(fen), text) {
        Ok(mv) => panic!("'{text}' was read as {mv} in {fen}"),
        Err(error) => error.to_string(),
    };
    for word in words.split('|') {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

#[test]
fn coordinates_have_many_spellings() {
    reads(START, "h2e2 H2-E2 H2E2 h2-e2 Ｈ２－Ｅ２ h2e2+ h2–e2", "h2e2");
    writes(START, "h2e2", Notation::Uci, "h2e2");
    writes(START, "h2e2", Notation::Iccs, "H2-E2");
}

#[test]
fn world_rules_number_soldiers_by_place_and_file() {
    let fen = "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w - - 0 1";
    for (mv, text) in [
        ("d7c7", "16=7"),
        ("d7e7", "16=5"),
        ("d7d8", "16+1"),
        ("d6c6", "26=7"),
        ("d6e6", "26=5"),
        ("f6e6", "14=5"),
        ("f6g6", "14=3"),
        ("f6f7", "14+1"),
        ("f5e5", "24=5"),
        ("f5g5", "24=3"),
        ("h6h7", "P2+1"),
        ("h6g6", "P2=3"),
        ("h6i6", "P2=1"),
    ] {
        writes(fen, mv, Notation::Wxf, text);
    }
    writes("5k3/9/3P5/3P5/3P5/9/9/9/9/4K4 w", "d6c6", Notation::Wxf, "26=7");
    writes("4k4/9/9/9/9/3p1p3/3p1p3/9/9/5K3 b", "f4e4", Notation::Wxf, "26=5");
    reads("5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w", "Pc=7", "d7c7");
}

#[test]
fn tandem_marks_only_where_needed() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/4P4/1NB6/P1P1P3P/1C1A3C1/9/RNBAK4 w - - 0 1";
    for (mv, text) in [
        ("c4e2", "E7-5"),
        ("d0e1", "A6+5"),
        ("d2e1", "A6-5"),
        ("b4c6", "H++7"),
        ("e5e6", "P++1"),
        ("e3e4", "P-+1"),
    ] {
        writes(fen, mv, Notation::Wxf, text);
    }
    reads(fen, "H++7 +H+7 h++7 N++7 马前进七 前馬进7", "b4c6");
    reads(fen, "B7-5 E7-5 e7-5", "c4e2");
    writes(fen, "c4e2", Notation::WxfBn, "B7-5");
    writes(fen, "b4c6", Notation::WxfBn, "N++7");
    writes(fen, "c4e2", Notation::Chinese, "相七退五");
    writes(fen, "e3e4", Notation::Chinese, "后兵进一");
}

#[test]
fn signs_of_check_are_read_over_and_never_written() {
    let fen = "4k4/4a3R/9/9/9/9/9/9/4K4/9 w - - 0 1";
    writes(fen, "i8e8", Notation::Wxf, "R1=5");
    writes(fen, "i8i9", Notation::Wxf, "R1+1");
    reads(fen, "R1=5+ R1.5# R1.5! 车一平五+ i8e8#", "i8e8");
}

#[test]
fn chinese_soldiers_in_two_tandem_files() {
    let fen = "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w - - 0 1";
    reads(fen, "前六平五", "d7e7");
    reads(fen, "后六平五", "d6e6");
    reads(fen, "前四平五", "f6e6");
    reads(fen, "后四平五 後４平5", "f5e5");
    refuses(fen, "前兵平五", "ambiguous|d7e7|f6e6|一兵平五|三兵平五");
    refuses(fen, "后兵平五", "ambiguous|d6e6|f5e5");
    writes(fen, "f6e6", Notation::Chinese, "一兵平五");
    writes(fen, "d6e6", Notation::Chinese, "四兵平五");

    let fen = "3a1kb2/2P1a1P1R/1RC6/n1N2PPc1/2b6/2B2pNr1/2P6/2n2App1/2p2K1p1/2B2ArC1 w - - 1 2";
    reads(fen, "一兵平四 前三平四", "g8f8");
    reads(fen, "二兵进一", "g6g7");
    reads(fen, "三兵进一", "c8c9");
    refuses(fen, "四兵进一", "own elephant stands on c4");
}

#[test]
fn chinese_places_on_one_file() {
    let fen = "5k3/9/3P5/3P5/3P5/9/9/9/9/4K4 w";
    writes(fen, "d7c7", Notation::Chinese, "前兵平七");
    writes(fen, "d6c6", Notation::Chinese, "中兵平七");
    writes(fen, "d5c5", Notation::ChineseTraditional, "後兵平七");
    let fen = "5k3/3P5/3P5/3P5/3P5/9/9/9/9/4K4 w";
    writes(fen, "d8c8", Notation::Chinese, "一兵平七");
    writes(fen, "d5c5", Notation::Chinese, "四兵平七");
    reads(fen, "前兵平七", "d8c8");
    reads(fen, "后兵平七", "d5c5");
}

#[test]
fn digits_of_either_style_are_read() {
    reads(START_BLACK, "马2进3 馬２進３ 马二进三 傌2进3", "b9c7");
    reads(START_BLACK, "卒7进1 卒７进１ 卒七进一 兵7進1", "g6g5");
    reads(START, "炮二平五 炮2平5 炮２平５ 砲二平五 包二平5 C2.5 C2=5 c2.5 Ｃ２＝５", "h2e2");
    writes(START, "h2e2", Notation::Chinese, "炮二平五");
    writes(START_BLACK, "h9g7", Notation::Chinese, "马８进７");
    writes(START_BLACK, "h9g7", Notation::ChineseTraditional, "馬８進７");
    writes(START_BLACK, "h9g7", Notation::Wxf, "H8+7");
}

#[test]
fn a_short_game_in_wxf() {
    let mut position = position(START);
    let moves = [
        ("C2=5", "h2e2"),
        ("H8+7", "h9g7"),
        ("H2+3", "h0g2"),
        ("R9=8", "i9h9"),
        ("R1=2", "i0h0"),
        ("H2+3", "b9c7"),
    ];
    for (text, mv) in moves {
        let read = Xiangqi::parse_move(&position, text).unwrap();
        assert_eq!(read.to_string(), mv);
        position.make(read);
    }
}

#[test]
fn refusals_name_the_obstacle() {
    refuses(START, "e4e5", "no piece on e4");
    refuses(START, "h9g7", "horse on h9|Black|Red's turn");
    refuses(START, "a0a4", "blocked|soldier on a3");
    refuses(START, "b0d1", "leg on c0|elephant");
    refuses(START, "c0e1", "does not reach");
    refuses(START, "a0a3", "own soldier stands on a3");
    refuses(START, "h2h8", "blocked|cannon on h7");
    refuses(START, "b2b7", "screen|none");
    refuses(START, "a3b3", "sideways|river");
    refuses(START, "a3a2", "never back");
    refuses(START, "e0e0", "start and end");
    refuses(START, "h2e2q", "promotes|h2e2");
    refuses(START, "h3e10", "'e10'|0 (Red's back rank) to 9");
    refuses(START, "j2e2", "files are a to i");
    refuses(START, "C3=5", "no cannon|file 3");
    refuses(START, "H2+5", "horse|no such move");
    refuses(START, "X2=5", "'X' is no piece");
    refuses(START, "C2=0", "0 is no file");
    refuses(START, "炮三平五", "no cannon|file 3|b2, h2");
    refuses(START, "前炮平五", "no cannon|place");
    refuses(START, "炮二东五", "东");
    refuses(START, "炮二平", "piece, file, direction, number");
    refuses(START, "", "no move");
    refuses(START, "hello", "not a move|h2e2");
    refuses(START, "\u{1b}[31mred", "\u{FFFD}[31mred");
    refuses("4k4/9/9/9/4P4/9/9/9/9/4K4 w", "e5d5", "facing");
    refuses("3k5/9/9/4r4/9/9/9/9/9/4K4 w", "e0e1", "does not answer the check|chariot on e6");
    refuses("3k5/9/9/4r4/9/9/9/9/4A4/4K4 w", "e1f2", "in check from the chariot on e6");
    refuses("4k4/9/9/9/9/4b4/9/9/9/3K5 b", "e4c2", "river");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0c0", "palace");
    refuses("4k4/9/9/9/9/9/1p1P5/2B6/9/3K5 w", "c2e4", "eye on d3");
}

#[test]
fn long_and_strange_texts_are_refused_at_once() {
    let position = position(START);
    for text in ["h2e2".repeat(2_500_000), "炮".repeat(3_000_000), "+".repeat(10_000_000)] {
        let error = Xiangqi::parse_move(&position, &text).unwrap_err();
        assert!(error.to_string().chars().count() < 300);
    }
}

#[test]
fn every_legal_move_round_trips_in_every_notation() {
    let data = include_str!("data/xiangqi/perft.tsv");
    let mut fens: Vec<&str> = data
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("fen"))
        .filter_map(|line| line.split('\t').next())
        .collect();
    fens.dedup();
    assert!(fens.len() > 100);
    for fen in fens {
        round_trips(&position(fen));
    }
    // Boards that cannot arise, where many pieces of a kind share files.
    for fen in [
        "3k5/9/RR7/RR7/9/RR7/9/9/9/4K4 w",
        "4k4/PPP6/PPP2PPP1/PPP6/PPP6/PPP6/PPP6/PPP6/PPP6/PPP2K3 w",
        "4k4/PPP6/PPP2PPP1/PPP6/PPP6/PPP6/PPP6/PPP6/PPP6/PPP2K3 b",
        "4k4/9/9/9/9/9/2B6/2B6/2B1A4/2B1AK3 w",
        "3ak4/3aa4/3a5/2b6/2b6/2b6/2b6/9/9/3K5 b",
        "4k4/9/nnnnn4/n1n1n4/nnnnn4/9/9/9/9/3K5 b",
    ] {
        round_trips(&position(fen));
    }
}

fn round_trips(position: &Position) {
    let moves = legal_moves(position);
    for &notation in Notation::ALL {
        let mut texts: Vec<String> =
            moves.iter().map(|&mv| Xiangqi::format_move(position, mv, notation)).collect();
        for (&mv, text) in moves.iter().zip(&texts) {
            assert_eq!(Xiangqi::parse_move(position, text), Ok(mv), "{text} {position:?}");
        }
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), moves.len(), "{notation:?} has a text twice: {position:?}");
    }
}

#[test]
fn real_games_read_and_write_to_the_last_move() {
    let data = include_str!("data/xiangqi/games_chinese.tsv");
    let mut games = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (texts, moves) = (fields[1].split_whitespace(), fields[2].split_whitespace());
        assert_eq!(texts.clone().count(), moves.clone().count(), "{}", fields[0]);
        let mut position = position(START);
        for (ply, (text, expected)) in texts.zip(moves).enumerate() {
            let mv = Xiangqi::parse_move(&position, text)
                .unwrap_or_else(|error| panic!("{} ply {}: {error}", fields[0], ply + 1));
            assert_eq!(mv.to_string(), expected, "{} ply {}: {text}", fields[0], ply + 1);
            let written = Xiangqi::format_move(&position, mv, Notation::ChineseTraditional);
            // The source leaves the mark out where only one of two pieces on a file has such a move.
            let marked = written.starts_with(['前', '後']);
            assert!(written == text || marked, "{} ply {}: {written}", fields[0], ply + 1);
            position.make(mv);
        }
        games += 1;
    }
    assert_eq!(games, 24);
}

proptest::proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(0x5858),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = Xiangqi::parse_move(&position(START), &text);
    }

    #[test]
    fn no_text_of_the_right_characters_panics(
        text in "[a-iKAEHRCPp0-9+=.#\\-前后中一二三九十炮车馬兵进退平１９－]{0,8}",
    ) {
        for fen in [START, START_BLACK, "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w"] {
            let position = position(fen);
            if let Ok(mv) = Xiangqi::parse_move(&position, &text) {
                assert!(position.is_legal(mv));
            }
        }
    }
}

#[test]
fn chess_players_letters_are_read_with_ranks_from_0_or_1() {
    let read = |start: &str, text: &str| {
        Xiangqi::parse_move(&position(start), text).map(|mv| mv.to_string())
    };
    let start = "startpos";
    for (text, mv) in [
        ("Ng2", "h0g2"),
        ("Hg2", "h0g2"),
        ("Hg3", "h0g2"),
        ("Ee2", ""),
        ("Ege2", "g0e2"),
        ("Bce3", "c0e2"),
        ("Cbxb9", "b2b9"),
        ("Cbxb10", "b2b9"),
        ("g4", "g3g4"),
        ("g5", "g3g4"),
        ("Ng2+", "h0g2"),
    ] {
        match read(start, text) {
            Ok(found) => assert_eq!(found, mv, "{text}"),
            Err(error) => {
                assert!(mv.is_empty() && error.message.contains("c0e2, g0e2"), "{text} {error}")
            }
        }
    }
    // Both a1 and a2 can be meant.
    let error = read(start, "Ra2").unwrap_err();
    assert!(error.message.contains("a0a1"), "{error}");
    for text in ["Ng7", "Nx", "Kk3", "Zg2", "Ng11", "g"] {
        assert!(read(start, text).is_err(), "{text}");
    }
}
