//! Facts of taikyoku shogi one by one: special moves, promotion, the end of the game, texts of positions and moves.
//!
//! Boards are given by pieces on (row, column): row 0 is White's back rank, column 0 Black's left edge.

#[path = "taikyoku_support/mod.rs"]
#[expect(dead_code, reason = "each test file uses a part of the common support")]
mod support;

use std::collections::BTreeSet;

use kyokumen::game::{Game, GameResult, Named, Rule, Rules, Side, TreeVerdict};
use kyokumen::games::taikyoku::{
    Format, Kind, Move, Notation, Piece, Position, RuleSet, Square, Taikyoku,
};
use kyokumen::perft::perft;
use support::{Random, data, moves, rules};

/// A board with both kings at home and more pieces: code (capitals: Black), row, column.
fn board(set: &str, pieces: &[(&str, usize, usize)]) -> Position {
    let mut position = Position::empty(rules(set));
    for &(code, row, column) in [("K", 35, 17), ("k", 0, 17)].iter().chain(pieces) {
        let (promoted, code) = match code.strip_prefix('+') {
            Some(code) => (true, code),
            None => (false, code),
        };
        let black = code.bytes().all(|letter| letter.is_ascii_uppercase());
        let side = if black { Side::First } else { Side::Second };
        let kind = Kind::from_code(code).unwrap();
        position.place(Square::new(row, column), Piece::new(side, kind, promoted));
    }
    position
}

fn from(position: &Position, row: usize, column: usize) -> Vec<Move> {
    let square = Square::new(row, column);
    moves(position).into_iter().filter(|mv| mv.from() == square).collect()
}

fn targets(position: &Position, row: usize, column: usize) -> BTreeSet<(usize, usize)> {
    from(position, row, column).iter().map(|mv| (mv.to().row(), mv.to().column())).collect()
}

fn squares(list: impl IntoIterator<Item = (usize, usize)>) -> BTreeSet<(usize, usize)> {
    list.into_iter().collect()
}

#[test]
fn hook_mover_reaches_every_square_once() {
    for set in ["seed", "atsa"] {
        let position = board(set, &[("HM", 20, 5)]);
        assert_eq!(from(&position, 20, 5).len(), 1294);
        assert_eq!(targets(&position, 20, 5).len(), 1294);
    }
}

#[test]
fn hook_mover_takes_one_piece_at_the_end_of_its_way() {
    let position = board("seed", &[("HM", 20, 5), ("p", 15, 5), ("p", 20, 9)]);
    let captures: Vec<Move> =
        from(&position, 20, 5).into_iter().filter(|&mv| position.is_capture(mv)).collect();
    let taken: BTreeSet<_> = captures.iter().map(|mv| (mv.to().row(), mv.to().column())).collect();
    assert_eq!(taken, squares([(15, 5), (20, 9)]));
    assert!(captures.iter().all(|&mv| position.captures(mv).count() == 1));
}

#[test]
fn peacock_turns_within_its_own_directions() {
    let mut position = board("seed", &[("PC", 10, 10), ("P", 5, 15), ("P", 7, 11)]);
    let mv = Taikyoku::parse_move(&position, "26k18k").unwrap();
    Taikyoku::make(&mut position, mv);
    assert_eq!(position.piece_at(Square::new(6, 14)), None);
    assert!(position.piece_at(Square::new(10, 18)).is_some());
}

#[test]
fn great_general_and_an_own_pawn() {
    let pieces = [("GG", 20, 5), ("P", 18, 5), ("p", 15, 5)];
    let own = (18, 5);
    assert!(!targets(&board("seed", &pieces), 20, 5).contains(&own));
    assert!(targets(&board("atsa", &pieces), 20, 5).contains(&own));
    let mut position = board("seed", &pieces);
    let mv = Taikyoku::parse_move(&position, "31u31p").unwrap();
    assert_eq!(position.captures(mv).count(), 2);
    Taikyoku::make(&mut position, mv);
    assert_eq!((position.piece_count(Side::First), position.piece_count(Side::Second)), (2, 1));
}

#[test]
fn great_general_before_royals() {
    let pieces = [("GG", 20, 5), ("p", 15, 5), ("k", 10, 5)];
    let up = |set| -> BTreeSet<usize> {
        let position = board(set, &pieces);
        targets(&position, 20, 5)
            .into_iter()
            .filter(|t| t.1 == 5 && t.0 < 20)
            .map(|t| t.0)
            .collect()
    };
    assert_eq!(up("seed"), (10..20).collect());
    assert_eq!(up("atsa"), (11..20).collect());
    let position = board("seed", &[("GG", 20, 5), ("CP", 15, 5)]);
    let up: BTreeSet<usize> = targets(&position, 20, 5)
        .into_iter()
        .filter(|t| t.1 == 5 && t.0 < 20)
        .map(|t| t.0)
        .collect();
    assert_eq!(up, (16..20).collect());
}

#[test]
fn ranks_say_who_flies_over_whom() {
    let codes = [("GG", 2), ("VG", 3), ("RO", 4), ("BG", 4), ("VD", 4), ("FCR", 4)];
    let over =
        [("K", 1), ("CP", 1), ("GG", 2), ("VG", 3), ("RO", 4), ("BG", 4), ("P", 5), ("DE", 5)];
    for set in ["seed", "atsa"] {
        for (mover, rank) in codes {
            // The general stands at (20, 10); what it may fly over lies ahead on the line it moves along.
            let columns = if matches!(mover, "VG" | "BG" | "VD") { 1 } else { 0 };
            for (piece, other) in over {
                let enemy = piece.to_ascii_lowercase();
                for code in [piece, enemy.as_str()] {
                    let position = board(set, &[(mover, 20, 10), (code, 17, 10 + 3 * columns)]);
                    let beyond = (15, 10 + 5 * columns);
                    let flies = targets(&position, 20, 10).contains(&beyond);
                    assert_eq!(flies, other > rank, "{set}: {mover} over {code}");
                }
            }
        }
    }
}

#[test]
fn lion_takes_two_or_one_or_none() {
    let position = board("seed", &[("LN", 20, 5), ("p", 19, 5), ("p", 19, 6)]);
    let list = from(&position, 20, 5);
    let taken: BTreeSet<Vec<Square>> = list
        .iter()
        .map(|&mv| {
            let mut squares: Vec<Square> = position.captures(mv).map(|capture| capture.0).collect();
            squares.sort_unstable();
            squares
        })
        .collect();
    let (a, b) = (Square::new(19, 5), Square::new(19, 6));
    assert_eq!(taken, [vec![], vec![a], vec![b], vec![a, b]].into());
    assert!(list.iter().all(|mv| !mv.promotes()));
    let igui = Taikyoku::parse_move(&position, "31u31t31u").unwrap();
    assert_eq!((igui.from(), igui.to()), (igui.to(), igui.from()));
    let mut after = position.clone();
    Taikyoku::make(&mut after, igui);
    assert!(after.piece_at(Square::new(20, 5)).is_some() && after.piece_at(a).is_none());
    let pass = Taikyoku::parse_move(&position, "31u31u").unwrap();
    assert!(!position.is_capture(pass));
}

#[test]
fn lion_without_an_empty_neighbour_cannot_pass() {
    let mut pieces = vec![("LN", 20, 5)];
    let around = [(19, 4), (19, 5), (19, 6), (20, 4), (20, 6), (21, 4), (21, 5), (21, 6)];
    pieces.extend(around.map(|(row, column)| ("P", row, column)));
    assert!(Taikyoku::parse_move(&board("seed", &pieces), "31u31u").is_err());
    pieces.pop();
    assert!(Taikyoku::parse_move(&board("seed", &pieces), "31u31u").is_ok());
}

#[test]
fn unlimited_over_slides_are_plain_slides_where_nothing_can_be_taken() {
    for code in ["RDM", "ADR"] {
        let open = board("seed", &[(code, 20, 5)]);
        assert!(from(&open, 20, 5).iter().all(|&mv| !position_is_odd(&open, mv)));
        let (row, column) = if code == "ADR" { (18, 5) } else { (18, 7) };
        let (far_row, far_column) = if code == "ADR" { (14, 5) } else { (14, 11) };
        let blocked =
            board("seed", &[(code, 20, 5), ("P", row, column), ("p", far_row, far_column)]);
        let list = targets(&blocked, 20, 5);
        assert!(list.contains(&(far_row, far_column)), "{code} takes over a piece");
        assert!(!list.contains(&(far_row + 1, far_column - usize::from(code == "RDM"))));
    }
}

fn position_is_odd(position: &Position, mv: Move) -> bool {
    position.captures(mv).count() > 1
}

#[test]
fn pawn_promotes_as_the_rule_set_says() {
    let marks = |set: &str, row: usize| -> BTreeSet<bool> {
        let position = board(set, &[("P", row, 5)]);
        from(&position, row, 5).iter().map(|mv| mv.promotes()).collect()
    };
    for (row, seed, atsa) in [
        (12, vec![false], vec![false]),
        (11, vec![false, true], vec![true]),
        (9, vec![false, true], vec![true]),
        (1, vec![true], vec![true]),
    ] {
        assert_eq!(marks("seed", row), seed.into_iter().collect(), "seed, row {row}");
        assert_eq!(marks("atsa", row), atsa.into_iter().collect(), "atsa, row {row}");
    }
}

#[test]
fn knight_must_promote_on_its_own_last_two_ranks() {
    let black = board("seed", &[("N", 3, 5), ("N", 4, 20), ("N", 30, 5)]);
    assert!(from(&black, 3, 5).iter().all(|mv| mv.promotes()));
    assert!(from(&black, 4, 20).iter().any(|mv| !mv.promotes()));
    assert!(from(&black, 30, 5).iter().all(|mv| !mv.promotes()));
    let mut white = board("seed", &[("n", 32, 5), ("n", 31, 20)]);
    white.set_state(Side::Second, 0, 1);
    assert!(from(&white, 32, 5).iter().all(|mv| mv.promotes()));
    assert!(from(&white, 31, 20).iter().any(|mv| !mv.promotes()));
}

#[test]
fn promoted_pieces_never_promote_again() {
    let position = board("seed", &[("+B", 12, 5), ("B", 12, 20)]);
    assert!(from(&position, 12, 5).iter().all(|mv| !mv.promotes()));
    assert!(from(&position, 12, 20).iter().any(|mv| mv.promotes()));
    let plain = board("seed", &[("B", 12, 5), ("B", 12, 20)]);
    assert_ne!(plain.key(), position.key());
}

#[test]
fn the_game_ends_with_the_last_royal() {
    let mut position =
        board("seed", &[("CP", 20, 5), ("r", 20, 20), ("r", 35, 30), ("DE", 11, 30)]);
    let play = |position: &mut Position, text: &str| {
        let mv = Taikyoku::parse_move(position, text).unwrap();
        Taikyoku::make(position, mv);
    };
    play(&mut position, "6l6k+");
    assert_eq!(position.royal_count(Side::First), 3);
    play(&mut position, "6jj19jj");
    assert_eq!(Taikyoku::judge(&position).result, GameResult::None);
    play(&mut position, "6k6j");
    play(&mut position, "16u31u");
    assert_eq!(Taikyoku::tree_verdict(&position, 4), None);
    play(&mut position, "6j6k");
    play(&mut position, "31u6u");
    play(&mut position, "6k6l");
    play(&mut position, "6u6l");
    let verdict = Taikyoku::judge(&position);
    assert_eq!((verdict.result, verdict.rule), (GameResult::Second, Some(Rule::Royals)));
    assert_eq!(Taikyoku::tree_verdict(&position, 8), Some(TreeVerdict::Lost));
    assert!(moves(&position).is_empty());
}

#[test]
fn royals_may_step_into_attack_and_know_when_they_are_attacked() {
    let position = board("seed", &[("g", 33, 17)]);
    assert!(targets(&position, 35, 17).contains(&(34, 16)));
    assert!(!Taikyoku::in_check(&position));
    assert!(Taikyoku::in_check(&board("seed", &[("g", 34, 17)])));
    assert!(!Taikyoku::in_check(&board("seed", &[("g", 34, 17), ("CP", 35, 0)])));
}

#[test]
fn side_without_moves_loses_or_draws() {
    for (loses, result) in [(true, GameResult::Second), (false, GameResult::Draw)] {
        let stalemate = stalemate(Rules { stalemate_loses: loses, ..rules("seed") });
        let verdict = Taikyoku::judge(&stalemate);
        assert_eq!((verdict.result, verdict.rule), (result, Some(Rule::Stalemate)));
    }
}

/// Black's prince in the corner behind own pieces that cannot move.
fn stalemate(rules: Rules<RuleSet>) -> Position {
    let mut position = Position::empty(rules);
    let mut place = |code: &str, side, row, column| {
        position.place(
            Square::new(row, column),
            Piece::new(side, Kind::from_code(code).unwrap(), false),
        );
    };
    // Pawns on the last rank of Black are stuck there for good.
    place("CP", Side::First, 0, 0);
    place("P", Side::First, 0, 1);
    place("P", Side::First, 1, 0);
    place("P", Side::First, 1, 1);
    place("CP", Side::Second, 20, 20);
    position
}

#[test]
fn repetition_and_move_limit_are_settings() {
    let shuffle = ["19jj19ii", "19a19b", "19ii19jj", "19b19a"];
    let play = |rules: Rules<RuleSet>, plies: usize| {
        let mut position = board("seed", &[("P", 20, 3), ("p", 10, 3)]).with_rules(rules);
        for text in shuffle.iter().cycle().take(plies) {
            let mv = Taikyoku::parse_move(&position, text).unwrap();
            Taikyoku::make(&mut position, mv);
        }
        position
    };
    let usual = rules("seed");
    assert_eq!(Taikyoku::judge(&play(usual, 8)).result, GameResult::None);
    let verdict = Taikyoku::judge(&play(usual, 12));
    assert_eq!((verdict.result, verdict.rule), (GameResult::Draw, Some(Rule::Repetition)));
    assert_eq!(verdict.cycle, [9, 10, 11, 12]);
    assert_eq!(verdict.cycle_moves, shuffle);
    assert_eq!(Taikyoku::tree_verdict(&play(usual, 4), 4), Some(TreeVerdict::Draw));
    assert_eq!(Taikyoku::tree_verdict(&play(usual, 4), 3), None);
    let never = Rules { repetitions: None, ..usual };
    assert_eq!(Taikyoku::judge(&play(never, 40)).result, GameResult::None);
    let limited = Rules { repetitions: None, move_limit_plies: Some(10), ..usual };
    assert_eq!(Taikyoku::judge(&play(limited, 9)).result, GameResult::None);
    let verdict = Taikyoku::judge(&play(limited, 10));
    assert_eq!((verdict.result, verdict.rule), (GameResult::Draw, Some(Rule::MoveLimit)));
}

#[test]
fn thirty_captured_pieces_come_back() {
    let mut pieces = vec![("GG", 20, 0)];
    pieces.extend((1..31).map(|column| (if column % 2 == 0 { "P" } else { "p" }, 20, column)));
    let mut position = board("seed", &pieces);
    let before = Taikyoku::format_position(&position, Format::Tsfen).unwrap();
    let mv = Taikyoku::parse_move(&position, "36u5u").unwrap();
    assert_eq!(position.captures(mv).count(), 30);
    Taikyoku::make(&mut position, mv);
    assert!(position.is_consistent());
    Taikyoku::unmake(&mut position);
    assert!(position.is_consistent());
    assert_eq!(Taikyoku::format_position(&position, Format::Tsfen).unwrap(), before);
}

#[test]
fn games_of_five_thousand_plies_can_be_played() {
    let mut position = board("seed", &[("K", 20, 20), ("k", 10, 20)]);
    let mut random = Random(9);
    for _ in 0..5000 {
        let list: Vec<Move> =
            moves(&position).into_iter().filter(|&mv| !position.is_capture(mv)).collect();
        Taikyoku::make(&mut position, list[random.below(list.len())]);
    }
    assert_eq!(Taikyoku::plies(&position), 5000);
    assert_eq!(position.no_progress_plies(), 5000);
    assert!(position.is_consistent());
}

#[test]
fn perft_counts_the_moves_of_both_sides() {
    let mut position = board("seed", &[("P", 20, 3), ("p", 10, 3)]);
    let list = moves(&position);
    let mut nodes = 0;
    for mv in list {
        Taikyoku::make(&mut position, mv);
        nodes += moves(&position).len() as u64;
        Taikyoku::unmake(&mut position);
    }
    assert_eq!(perft::<Taikyoku>(&mut position, 2), nodes);
}

#[test]
fn bad_positions_are_refused_with_their_place() {
    let good = data("initial.native.tsfen");
    let good = good.trim();
    let (board, tail) = good.split_once(' ').unwrap();
    let ranks: Vec<&str> = board.split('/').collect();
    let with_rank = |row: usize, text: &str| {
        let mut ranks = ranks.clone();
        ranks[row] = text;
        format!("{} {tail}", ranks.join("/"))
    };
    for (text, parts) in [
        (with_rank(15, "37"), vec!["rank p", "37"]),
        (with_rank(15, "36p"), vec!["rank p", "36 files", "'p'"]),
        (with_rank(15, "35"), vec!["rank p", "35 files"]),
        (with_rank(15, "0P35"), vec!["rank p", "file 36", "'0'"]),
        (with_rank(15, "99999999999999999999999999"), vec!["rank p", "run"]),
        (with_rank(15, "5(zzz)30"), vec!["rank p", "file 31", "(zzz)"]),
        (with_rank(15, "5(Gg)30"), vec!["rank p", "file 31", "upper case"]),
        (with_rank(15, "5(gg30"), vec!["rank p", "file 31", "parenthesis"]),
        (with_rank(15, "5é30"), vec!["rank p", "file 31", "é"]),
        (with_rank(15, "35+"), vec!["rank p", "'+'"]),
        (with_rank(15, "34++P"), vec!["rank p", "two promotion marks"]),
        (with_rank(15, "()35"), vec!["rank p", "names no piece"]),
        (with_rank(15, ""), vec!["rank p", "0 files"]),
        (format!("{} {tail}", ranks[..35].join("/")), vec!["35 ranks", "rank jj"]),
        (format!("{board}/36 {tail}"), vec!["37 ranks"]),
        (board.to_owned(), vec!["side to move is missing"]),
        (format!("{board} x 0 1"), vec!["'x'", "b or w"]),
        (format!("{board} b 0 1 7"), vec!["'7'"]),
        (format!("{board} b -1 1"), vec!["'-1'"]),
        (format!("{board} b 0 99999999999999999999"), vec!["move number"]),
        (with_rank(0, &ranks[0].replace("(cp)k", "gg")), vec!["White", "royal"]),
        (String::new(), vec!["empty"]),
        ("TSFEN1".to_owned(), vec!["side to move"]),
        ("TSFEN1 b 0 2 B:King@0,0".to_owned(), vec!["2 pieces announced, 1 given"]),
        ("TSFEN1 b 0 1 B:Kong@0,0".to_owned(), vec!["Kong"]),
        ("TSFEN1 b 0 1 B:King@36,0".to_owned(), vec!["0 to 35"]),
        ("36,p/36 0".to_owned(), vec!["rank a", "beyond file 1"]),
        ("xq,35/36 0".to_owned(), vec!["rank a", "file 36", "'xq'"]),
    ] {
        let error = Taikyoku::parse_position(&text, rules("seed")).unwrap_err();
        for part in parts {
            assert!(error.to_string().contains(part), "{part} in '{error}'");
        }
        assert!(error.column >= 1);
    }
    let error = Taikyoku::parse_position(&with_rank(15, "5(zzz)30"), rules("seed")).unwrap_err();
    let text = with_rank(15, "5(zzz)30");
    assert_eq!(text.chars().nth(error.column - 1), Some('('));
}

#[test]
fn odd_positions_are_played_with_a_warning() {
    let kings = ["K".repeat(36), "k".repeat(36)];
    let text = format!("{}/{}/{} b", kings[1], vec!["36"; 34].join("/"), kings[0]);
    let parsed = Taikyoku::parse_position(&text, rules("seed")).unwrap();
    assert!(parsed.warnings.iter().any(|warning| warning.contains("36 royals")));
    let crlf = format!("\u{feff}{}\r\n", data("initial.native.tsfen").trim());
    let parsed = Taikyoku::parse_position(&crlf, rules("seed")).unwrap();
    assert!(parsed.warnings.is_empty());
    assert_eq!(parsed.position.key(), Taikyoku::start(rules("seed")).key());
}

#[test]
fn formats_refuse_what_they_cannot_say() {
    let position = board("seed", &[("+B", 20, 3)]);
    for (format, works) in [
        (Format::Tsfen, true),
        (Format::Atsa, false),
        (Format::Jh85, false),
        (Format::Tsfen1, true),
    ] {
        let result = Taikyoku::format_position(&position, format);
        assert_eq!(result.is_ok(), works, "{format:?}");
        if let Err(reason) = result {
            assert!(reason.contains("33u") && reason.contains('B'), "{reason}");
        }
    }
    let unreachable = board("seed", &[("+P", 20, 3)]);
    assert!(Taikyoku::format_position(&unreachable, Format::Tsfen1).is_err());
}

#[test]
fn bad_moves_are_refused_with_a_reason() {
    let position = Taikyoku::start(rules("seed"));
    for (text, part) in [
        ("", "empty"),
        ("hello", "no square"),
        ("37z37y", "file '37'"),
        ("1zz1y", "rank 'zz'"),
        ("18r18q", "no piece on 18r"),
        ("1k1l", "not Black's"),
        ("1z1x", "cannot go to"),
        ("1z1y+", "cannot promote"),
        ("1z1y1x1w", "4 squares"),
        ("1z", "two squares"),
        ("18jj18ii", "no legal move"),
    ] {
        let error = Taikyoku::parse_move(&position, text).unwrap_err();
        assert!(error.to_string().contains(part), "{part} in '{error}'");
    }
    for text in ["1z1y", "1Z1Y", " 1z 1y ", "1z-1y"] {
        let mv = Taikyoku::parse_move(&position, text).unwrap();
        assert_eq!(Taikyoku::format_move(&position, mv, Notation::Native), "1z1y");
    }
}

#[test]
fn lion_moves_are_read_in_every_step_order() {
    let position = board("seed", &[("LN", 20, 5), ("p", 19, 5), ("p", 18, 5)]);
    let mv = Taikyoku::parse_move(&position, "31u31t31s").unwrap();
    assert_eq!(position.captures(mv).count(), 2);
    for (notation, text) in [
        (Notation::Native, "31u31t31s"),
        (Notation::Atsi, "31u 31t 31s"),
        (Notation::Tomatene, "31u 31s 31t"),
    ] {
        assert_eq!(Taikyoku::format_move(&position, mv, notation), text);
        assert_eq!(Taikyoku::parse_move(&position, text).unwrap(), mv);
    }
}

#[test]
fn names_of_values_are_unique() {
    for names in [
        RuleSet::ALL.iter().map(|value| value.name()).collect::<Vec<_>>(),
        Format::ALL.iter().map(|value| value.name()).collect(),
        Notation::ALL.iter().map(|value| value.name()).collect(),
    ] {
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
    assert!(Taikyoku::draw(&Taikyoku::start(rules("seed"))).contains(" jj"));
}
