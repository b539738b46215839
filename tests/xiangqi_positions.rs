//! Positions as text: dialects, refusals, warnings; and positions whose moves are known.

use kyokumen::game::{Game, GameResult, MoveKind, Parsed, PositionError, Rule, Rules, Side};
use kyokumen::games::xiangqi::notation::Format;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::games::xiangqi::{Position, Xiangqi};
use kyokumen::perft::perft;
use proptest::test_runner::{Config as ProptestConfig, RngSeed};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn parse(text: &str) -> Result<Parsed<Position>, PositionError> {
    Xiangqi::parse_position(text, Rules { any_material: true, ..RuleSet::Asian.rules() })
}

fn position(text: &str) -> Position {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves = Vec::new();
    position.generate(MoveKind::All, &mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

fn fen(position: &Position) -> String {
    Xiangqi::format_position(position, Format::Fen).unwrap()
}

/// The text is read without warnings and written back in the canonical dialect.
fn reads(text: &str, canonical: &str) {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(parsed.warnings, [""; 0], "{text}");
    assert_eq!(fen(&parsed.position), canonical, "{text}");
}

/// The text is refused at the column, and the message holds all the words, split at `|`.
fn refuses(text: &str, column: usize, words: &str) {
    match parse(text) {
        Ok(_) => panic!("'{text}' was accepted"),
        Err(error) => {
            assert_eq!(error.column, column, "{text}: {error}");
            for word in words.split('|') {
                assert!(error.message.contains(word), "'{word}' is not in: {}", error.message);
            }
        }
    }
}

/// The text is read with exactly one warning for each of the words, split at `|`.
fn warns(text: &str, words: &str) -> Position {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let expected: Vec<&str> = words.split('|').collect();
    assert_eq!(parsed.warnings.len(), expected.len(), "{text}: {:?}", parsed.warnings);
    for word in expected {
        let found = parsed.warnings.iter().any(|warning| warning.contains(word));
        assert!(found, "'{word}' is not in {:?}", parsed.warnings);
    }
    parsed.position
}

/// The legal moves after the moves played, sorted.
fn legal(text: &str, played: &[&str], expected: &str) {
    let mut position = position(text);
    for mv in played {
        let mv = Xiangqi::parse_move(&position, mv).unwrap();
        position.make(mv);
    }
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(moves(&position), expected, "{text}");
}

/// The moves that give check, sorted.
fn checks(text: &str, count: usize, expected: &str) {
    let position = position(text);
    let mut moves = Vec::new();
    position.generate(MoveKind::All, &mut moves);
    assert_eq!(moves.len(), count, "{text}");
    let mut checks: Vec<String> =
        moves.iter().filter(|&&mv| position.gives_check(mv)).map(|mv| mv.to_string()).collect();
    checks.sort();
    assert_eq!(checks.join(" "), expected, "{text}");
}

#[test]
fn dialects_of_fen() {
    let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
    for tail in ["", " w", " r", " R", " W", " w - -", " w - - 0", " r 0 1", " w - 0 1", " w\r\n"] {
        reads(&format!("{board}{tail}"), START);
    }
    reads("startpos", START);
    reads("StartPos\n", START);
    reads(&format!("\u{FEFF}  {START}  "), START);
    reads("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEMKMEHR w - - 0 1", START);
    reads(&format!("{board} B - - 3 7"), &format!("{board} b - - 3 7"));
    reads("v1 4k4/9/9/9/9/9/9/9/9/3K5 w", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1");

    let old = "2ek1a3/h3a1c2/4e3h/p1P2Pp1p/1R7/4C4/P1H2c3/6C2/4K3H/2Er1AE2 b 9 34";
    let new = "2bk1a3/n3a1c2/4b3n/p1P2Pp1p/1R7/4C4/P1N2c3/6C2/4K3N/2Br1AB2 b - - 9 34";
    reads(old, new);
    let position = position(old);
    assert_eq!(moves(&position).len(), 40);
    let eh = Xiangqi::format_position(&position, Format::FenEh).unwrap();
    assert_eq!(eh, old.replace("b 9", "b - - 9"));
    reads(&eh, new);
}

#[test]
fn full_width_characters_are_read_with_a_warning() {
    let position = warns("３k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "full-width");
    assert_eq!(fen(&position), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    warns("３ｋ５／9/9/9/9/9/9/9/9/4Ｋ4　ｂ", "full-width");
}

#[test]
fn counters_go_on_after_moves() {
    let mut position = position("4k4/9/9/9/9/9/9/9/9/3K5 b - - 7 12");
    position.make(Xiangqi::parse_move(&position, "e9e8").unwrap());
    assert_eq!(fen(&position), "9/4k4/9/9/9/9/9/9/9/3K5 w - - 8 13");
}

#[test]
fn broken_texts_are_refused_where_they_break() {
    refuses("", 1, "empty|startpos");
    refuses("   ", 4, "empty");
    refuses("startpos moves h2e2", 10, "moves");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1", 27, "moves");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 x", 35, "'x'");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 x", 25, "'x'|w (or r)|b for Black");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w - - x 1", 31, "'x'|whole number");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w - - -1 1", 31, "'-1'");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 99999999999", 33, "99999999999|1000000");
    refuses("4k4/9/9/9/9/9/9/9/3K5 w", 22, "row 9 of 10");
    refuses("4k4/9/9/9/9/9/9/9/9/3K5/9 w", 24, "more than 10 rows");
    refuses("4k4/9/8/9/9/9/9/9/9/3K5 w", 8, "row 3 (rank 7)|8 of 9|'8'");
    refuses("4k4/9/91/9/9/9/9/9/9/3K5 w", 8, "row 3 (rank 7)|more than 9|'91'");
    refuses("4k4/9/0/9/9/9/9/9/9/3K5 w", 7, "'0'|row 3");
    refuses("k////KPPPPPPPPPPPPPPP/N6NN/8B/Q", 2, "row 1 (rank 9)|1 of 9");
    refuses("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, "'q'|no piece");
    refuses(
        "v1 r1bakab1r/4c4/4c4/p1[n<a+1-3>]3p1p/9/3CC1P2/P1P1P3P/2N3N2/4A4/2BAK1B1R w - - 0 12",
        24,
        "'['|row 4|annotation",
    );
    refuses("\u{0}\u{1}", 1, "no piece");
}

#[test]
fn warned_side_is_red() {
    warns("4k4/9/9/9/9/9/9/9/9/3K5 - - 0 1", "Red moves");
}

#[test]
fn huge_texts_are_refused_in_few_words() {
    for unit in ["r", "9/", "/", "炮", " ", "-", "4k4/9/9/9/9/9/9/9/9/3K5 w "] {
        let error = parse(&unit.repeat(10_000_000 / unit.len())).unwrap_err();
        assert!(error.message.chars().count() < 300, "{error}");
    }
    let tail = format!("4k4/9/9/9/9/9/9/9/9/3K5 w - - {}", "1".repeat(10_000_000));
    assert!(parse(&tail).unwrap_err().message.chars().count() < 300);
}

#[test]
fn positions_that_cannot_be_played_are_refused() {
    refuses("4kk3/9/9/9/9/9/9/9/9/3K5 w - - 0 1", 3, "Black has a second general|f9");
    refuses("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", 1, "Red has no general|'K'");
    refuses("9/9/9/9/9/9/9/9/9/4K4 w", 1, "Black has no general|'k'");
    refuses("4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 2, "facing");
    refuses("4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1", 22, "facing");
    refuses("4k4/9/9/4K4/9/9/9/9/9/9 w - - 0 1", 10, "outside its palace|e6");
    refuses("3k1R3/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 2, "chariot on f9|Red to move|Black");
    refuses("4k4/9/9/9/9/9/9/9/9/3K1r3 b - - 0 1", 22, "chariot on f0|Black to move");
    refuses("4k4/9/9/9/9/9/9/9/9/3KPc3 b", 22, "cannon on f0");
}

#[test]
fn positions_that_cannot_arise_are_played_with_warnings() {
    warns("2a1k4/9/9/9/9/9/9/9/9/3K5 w", "Black's advisor can never reach c9");
    warns("3k5/9/9/9/9/9/9/9/P8/4K4 w", "Red's soldier can never reach a1");
    warns("4k4/9/9/4A4/9/9/9/9/9/3K5 w", "Red's advisor can never reach e6");
    warns("4k4/9/9/9/9/9/9/R8/R8/R2K5 w", "Red has 3 chariots, more than 2");
    warns("3k5/4P4/9/9/9/9/9/9/9/4K4 b", "no legal move: the game is over by stalemate");
    let rooks = warns("rrrrkrrrr/rrrrrrrrr/9/9/9/9/9/9/9/4K4 w", "17 chariots|checkmate");
    assert_eq!(moves(&rooks).len() as u64, rooks.count_moves());
}

#[test]
fn boards_full_of_chariots_and_cannons_overflow_nothing() {
    let text =
        "1ppkpp3/R1Cp1C1R1/C1Rp1R1C1/R1C1R1C1R/9/C1R1C1R1C/1C7/R1C1R1C1R/1R1C1C1R1/R1C1K1C1R w";
    let position = parse(text).unwrap().position;
    let listed = moves(&position);
    assert!(listed.len() > 128, "{}", listed.len());
    assert_eq!(listed.len() as u64, position.count_moves());
    let full = "rrrrkrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/rrrrrrrrr/RRRRRRRRR/RRRRRRRRR/RRRRRRRRR/\
                RRRRRRRRR/RRRRKRRRR w";
    assert_eq!(moves(&parse(full).unwrap().position).len(), 9);
}

#[test]
fn known_move_lists() {
    legal("c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w - - 0 1", &["g7g9"], "e8f9");
    legal("c3k2C1/4anR2/9/3NP4/9/6n2/9/1r1p5/4p4/3K5 w - - 0 1", &["g8g9"], "e8f9");
    legal("3k5/9/4c4/9/4P4/9/9/9/9/4K4 w - - 0 1", &[], "e0f0 e5d5 e5f5");
    legal("4k4/9/9/9/4P4/9/9/9/9/4K4 w - - 0 1", &[], "e0d0 e0e1 e0f0 e5e6");
    let text = "3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b - - 0 1";
    legal(text, &["e4f2"], "e0d0");
    legal("4k4/9/9/9/9/9/9/9/4r4/4K4 w - - 0 1", &[], "e0d0 e0f0");
    legal("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", &[], "");
    legal("2P1k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", &[], "c9b9 c9d9 d0d1");
    let text = "2b1k1b2/9/9/9/9/9/9/9/9/2BK2B2 b - - 0 1";
    legal(text, &[], "c9a7 c9e7 g9e7 g9i7 e9e8 e9f9");
    legal("4k4/9/9/9/9/9/1p1P5/2B6/9/3K5 w - - 0 1", &[], "c2a0 c2e0 d0d1 d3d4");

    let hollow = position("4k4/9/9/6r2/9/4C4/9/9/9/3K5 b - - 0 1");
    assert_eq!(moves(&hollow).len(), 18);
    assert!(!moves(&hollow).contains(&"g6e6".to_owned()));
}

#[test]
fn known_checks() {
    checks("3k5/9/9/9/1N7/3C5/9/9/9/4K4 w - - 0 1", 24, "b5c7 b5d6");
    let text = "4k4/9/4P4/9/4P4/9/9/4C4/9/3K5 w - - 0 1";
    checks(text, 20, "e5d5 e5f5 e7d7 e7e8 e7f7");
}

#[test]
fn no_mate_in_one_where_none_is() {
    let mut position =
        position("3aka1r1/9/1c1C4c/p2r4p/1R4p2/5n3/P3P1P1P/2N3N2/4A4/R1B1KAB2 w - - 0 1");
    assert!(!position.in_check());
    let mut moves = Vec::new();
    position.generate(MoveKind::All, &mut moves);
    assert_eq!(moves.len(), 40);
    for mv in moves {
        position.make(mv);
        assert!(position.has_moves(), "{mv} mates");
        position.unmake();
    }
}

#[test]
fn a_side_without_moves_has_lost() {
    let position = position("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert!(!position.in_check());
    let verdict = Xiangqi::judge(&position);
    assert_eq!((verdict.result, verdict.rule), (GameResult::First, Some(Rule::Stalemate)));
}

#[test]
fn known_counts() {
    for (text, depth, nodes) in
        [("4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1", 4, 92_741), (START, 4, 3_290_240)]
    {
        assert_eq!(perft::<Xiangqi>(&mut position(text), depth), nodes, "{text}");
    }
}

#[test]
fn a_soldier_on_the_last_rank_stays_a_soldier() {
    let mut position = position("4k4/2P6/9/9/9/9/9/9/9/3K5 w - - 0 1");
    position.make(Xiangqi::parse_move(&position, "c8c9").unwrap());
    assert_eq!(fen(&position), "2P1k4/9/9/9/9/9/9/9/9/3K5 b - - 1 1");
    assert_eq!(position.side_to_move(), Side::Second);
}

#[test]
fn the_drawing_shows_river_palaces_and_last_move() {
    let mut position = position(START);
    position.make(Xiangqi::parse_move(&position, "h2e2").unwrap());
    let expected = "
    a   b   c   d   e   f   g   h   i
9   r---n---b---a---k---a---b---n---r   9
    |   |   |   | \\ | / |   |   |   |
8   +---+---+---+---+---+---+---+---+   8
    |   |   |   | / | \\ |   |   |   |
7   +---c---+---+---+---+---+---c---+   7
    |   |   |   |   |   |   |   |   |
6   p---+---p---+---p---+---p---+---p   6
    |   |   |   |   |   |   |   |   |
5   +---+---+---+---+---+---+---+---+   5
    |                               |
4   +---+---+---+---+---+---+---+---+   4
    |   |   |   |   |   |   |   |   |
3   P---+---P---+---P---+---P---+---P   3
    |   |   |   |   |   |   |   |   |
2   +---C---+---+--[C]--+---+--[+]--+   2
    |   |   |   | \\ | / |   |   |   |
1   +---+---+---+---+---+---+---+---+   1
    |   |   |   | / | \\ |   |   |   |
0   R---N---B---A---K---A---B---N---R   0
    a   b   c   d   e   f   g   h   i

Black (small letters) to move; move 1; plies without a capture: 1; last move h2e2
";
    assert_eq!(Xiangqi::draw(&position), &expected[1..]);
}

proptest::proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(0x5858),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_panics(text in "\\PC*") {
        let _ = parse(&text);
    }

    #[test]
    fn no_board_panics(text in "([1-9kK]{0,9}[KABNRCPkabnrcp1-9]{0,9}/?){0,12}( [wrb0-9-]{0,3}){0,5}") {
        if let Ok(parsed) = parse(&text) {
            assert_eq!(moves(&parsed.position).len() as u64, parsed.position.count_moves());
        }
    }
}
