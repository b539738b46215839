//! Verdicts of xiangqi: repetitions by rule set, limits, material, and the laws that hold for any loop.

use kyokumen::game::{Game, GameResult, MoveKind, Named, Rule, Side, TreeVerdict, Verdict};
use kyokumen::games::xiangqi::notation::Format;
use kyokumen::games::xiangqi::repetition::{chases, threats};
use kyokumen::games::xiangqi::rules::{RuleSet, XiangqiRules};
use kyokumen::games::xiangqi::{Move, Position, Xiangqi};

/// A line of a table of rulings.
struct Loop {
    label: &'static str,
    fen: &'static str,
    moves: Vec<&'static str>,
    expected: &'static str,
}

fn table(text: &'static str) -> Vec<Loop> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Loop {
                label: fields[0],
                fen: fields[1],
                moves: fields[2].split(' ').collect(),
                expected: fields[3],
            }
        })
        .collect()
}

fn asian_loops() -> Vec<Loop> {
    table(include_str!("data/xiangqi/rulings.tsv"))
}

fn wxf_loops() -> Vec<Loop> {
    table(include_str!("data/xiangqi/rulings_wxf.tsv"))
}

fn parse(fen: &str, rules: XiangqiRules) -> Position {
    Xiangqi::parse_position(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}")).position
}

fn play<'a>(fen: &str, moves: impl IntoIterator<Item = &'a str>, rules: XiangqiRules) -> Position {
    let mut position = parse(fen, rules);
    for text in moves {
        let mv =
            Xiangqi::parse_move(&position, text).unwrap_or_else(|error| panic!("{fen}: {error}"));
        Xiangqi::make(&mut position, mv);
    }
    position
}

fn judge(fen: &str, moves: &str, set: RuleSet) -> Verdict {
    Xiangqi::judge(&play(fen, moves.split_whitespace(), set.rules()))
}

/// The cycle, played as often as makes `plies` plies.
fn repeated(cycle: &str, plies: usize) -> String {
    cycle.split(' ').cycle().take(plies).collect::<Vec<_>>().join(" ")
}

fn words(result: GameResult) -> &'static str {
    match result {
        GameResult::First => "red wins",
        GameResult::Second => "black wins",
        GameResult::Draw => "draw",
        GameResult::None => "none",
    }
}

#[test]
fn asian_rulings_agree() {
    let loops = asian_loops();
    assert_eq!(loops.len(), 33);
    for row in loops {
        let verdict = Xiangqi::judge(&play(row.fen, row.moves, RuleSet::Asian.rules()));
        assert_ne!(verdict.result, GameResult::None, "{}", row.label);
        if row.expected != "?" {
            assert_eq!(
                words(verdict.result),
                row.expected,
                "{} {}: {verdict:?}",
                row.label,
                row.fen
            );
        }
    }
}

#[test]
fn wxf_rulings_agree() {
    let loops = wxf_loops();
    assert_eq!(loops.len(), 113);
    let mut judged = 0;
    for row in loops {
        let position = play(row.fen, row.moves, RuleSet::Wxf.rules());
        let verdict = Xiangqi::judge(&position);
        // One line of the source repeats no position, so there is nothing to judge.
        if position.history().iter().all(|record| record.key != position.key()) {
            assert_eq!(verdict.result, GameResult::None);
            continue;
        }
        judged += 1;
        assert_eq!(words(verdict.result), row.expected, "{} {}: {verdict:?}", row.label, row.fen);
    }
    assert_eq!(judged, 112);
}

#[test]
fn a_verdict_tells_who_did_what() {
    let check = judge(
        "R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1",
        &repeated("a9a8 d8d9 a8a9 d9d8", 8),
        RuleSet::Asian,
    );
    assert_eq!(check.result, GameResult::Second);
    assert_eq!(check.rule, Some(Rule::PerpetualCheck));
    assert_eq!(check.offender, Some(Side::First));
    assert_eq!(check.cycle, [5, 6, 7, 8]);
    assert_eq!(check.cycle_moves, ["a9a8", "d8d9", "a8a9", "d9d8"]);
    assert_eq!(check.pieces, ["black general d9", "red chariot a9"]);
    assert!(check.explanation.contains("Red gave check with every move (plies 1, 3, 5 and 7)"));

    let chase = judge(
        "2bakabr1/9/9/r1p1p1p2/p7R/P8/9/9/9/CC1AKA3 w - - 0 1",
        "a4a5 a6b6 a5b5 b6a6 b5a5 a6b6 a5b5 b6a6 b5a5",
        RuleSet::Asian,
    );
    assert_eq!(chase.result, GameResult::Second);
    assert_eq!(chase.rule, Some(Rule::PerpetualChase));
    assert_eq!(chase.offender, Some(Side::First));
    assert_eq!(chase.cycle, [6, 7, 8, 9]);
    assert_eq!(chase.pieces[0], "black chariot a6");
    assert!(
        chase.explanation.contains("ply 9: red cannon a0 attacks black chariot a6"),
        "{chase:?}"
    );
}

#[test]
fn check_chase_and_idle_cycles() {
    let cases = [
        // Perpetual check; idle; check on every second move.
        ("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a8 d8d9 a8a9 d9d8", "black wins"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a1 d9d8 a1a0 d8d9", "draw"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a9 d9d8 a9a0 d8d9", "draw"),
        // A rook chases an unprotected cannon.
        (
            "3a5/5k3/6nC1/p5p2/4R4/6P2/7r1/3AB4/4A4/4K1B2 w - - 0 1",
            "h7i7 h3i3 i7h7 i3h3",
            "red wins",
        ),
        // It chases a cannon that checks with every second move.
        (
            "3ak1b2/4a4/9/8p/3P5/4R3P/7n1/4B4/1Cr1A4/3AK1B2 w - - 0 1",
            "b1b9 c1c9 b9b1 c9c1",
            "red wins",
        ),
        // Black moves first.
        ("R8/1R2k4/9/9/9/9/9/9/9/3K5 b - - 0 1", "e8e7 b8b7 e7e8 b7b8", "black wins"),
    ];
    for (fen, cycle, expected) in cases {
        let plies = 2 * cycle.split(' ').count();
        for ply in 1..plies {
            let verdict = judge(fen, &repeated(cycle, ply), RuleSet::Asian);
            assert_eq!(verdict.result, GameResult::None, "{fen} after {ply} plies");
        }
        assert_eq!(
            words(judge(fen, &repeated(cycle, plies), RuleSet::Asian).result),
            expected,
            "{fen}"
        );
    }
}

#[test]
fn checks_by_different_pieces_are_perpetual_check() {
    // The chariots check by turns.
    let verdict = judge(
        "3k5/R8/9/9/9/9/4R4/9/9/5K3 w - - 0 1",
        &repeated("e3d3 d9e9 a8a9 e9e8 d3e3 e8d8 a9a8 d8d9", 16),
        RuleSet::Asian,
    );
    assert_eq!((verdict.rule, verdict.offender), (Some(Rule::PerpetualCheck), Some(Side::First)));
}

#[test]
fn judged_at_the_third_occurrence_whoever_moved() {
    let white_first = ("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0 i9h7 i0h0 h7i9");
    let black_first = ("3k4n/9/9/9/9/9/9/9/9/4K3R b - - 0 1", "i9h7 i0h0 h7i9 h0i0");
    assert_eq!(
        judge(white_first.0, &repeated(white_first.1, 7), RuleSet::Asian).result,
        GameResult::None
    );
    assert_eq!(
        judge(white_first.0, &repeated(white_first.1, 8), RuleSet::Asian).result,
        GameResult::Second
    );
    assert_eq!(
        judge(black_first.0, &repeated(black_first.1, 8), RuleSet::Asian).result,
        GameResult::Second
    );
    let mut rules = RuleSet::Asian.rules();
    rules.repetitions = Some(2);
    let moves = repeated(white_first.1, 4);
    let verdict = Xiangqi::judge(&play(white_first.0, moves.split(' '), rules));
    assert_eq!(verdict.result, GameResult::Second);
    rules.repetitions = None;
    let moves = repeated(white_first.1, 40);
    let verdict = Xiangqi::judge(&play(white_first.0, moves.split(' '), rules));
    assert_eq!(verdict.result, GameResult::None);
}

#[test]
fn threats_are_real() {
    let after = |fen: &str, mv: &str| play(fen, [mv], RuleSet::Asian.rules());
    // The general protects the horse on paper only: it would step next to the chariot on f9.
    let position = after("3kncC2/5R3/9/9/9/9/9/9/9/5K3 w - - 0 1", "f8f9");
    let found: Vec<String> = chases(&position)
        .iter()
        .map(|chase| format!("{}x{}", chase.threat.attacker, chase.threat.target))
        .collect();
    assert_eq!(found, ["g9xe9"]);
    assert_eq!(Xiangqi::judge(&position).pieces, ["black horse e9"]);
    // The horse on f0 is pinned by the chariot on i0.
    let position = after("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w - - 0 1", "g2f0");
    assert!(threats(&position, Side::First).is_empty());
    assert!(chases(&position).is_empty());
    // A capture along the line opens a new attack.
    let position = after("n4k3/9/9/9/9/9/9/9/p8/R3K4 w - - 0 1", "a0a1");
    assert_eq!(Xiangqi::judge(&position).pieces, ["black horse a9"]);
}

#[test]
fn checks_beyond_the_tenth_do_not_run_down_the_move_limit() {
    let mut rules = RuleSet::Asian.rules();
    rules.repetitions = None;
    let rule_after = |rules, plies| {
        let moves = repeated("a9a8 d8d9 a8a9 d9d8", plies);
        Xiangqi::judge(&play("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1", moves.split(' '), rules)).rule
    };
    rules.move_limit_plies = Some(20);
    assert_eq!(rule_after(rules, 19), None);
    assert_eq!(rule_after(rules, 20), Some(Rule::MoveLimit));
    rules.move_limit_plies = Some(21);
    assert_eq!(rule_after(rules, 30), None);
    assert_eq!(rule_after(rules, 31), None);
    rules.set = RuleSet::Simple;
    assert_eq!(rule_after(rules, 21), Some(Rule::MoveLimit));
}

#[test]
fn a_fen_has_the_counter_of_the_move_limit() {
    for (set, counters) in [
        (RuleSet::Asian, [0, 19, 20, 20, 20, 20]),
        (RuleSet::Wxf, [0, 19, 20, 20, 20, 20]),
        (RuleSet::Simple, [0, 19, 20, 21, 22, 30]),
    ] {
        let mut rules = set.rules();
        rules.repetitions = None;
        for (plies, counter) in [0, 19, 20, 21, 22, 30].into_iter().zip(counters) {
            let moves = repeated("a9a8 d8d9 a8a9 d9d8", plies);
            for limit in 18..=31 {
                rules.move_limit_plies = Some(limit);
                let position =
                    play("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1", moves.split_whitespace(), rules);
                let fen = Xiangqi::format_position(&position, Format::Fen).unwrap();
                assert_eq!(fen.split(' ').nth(4), Some(counter.to_string().as_str()), "{fen}");
                let read = Xiangqi::parse_position(&fen, rules).unwrap().position;
                assert_eq!(Xiangqi::judge(&read).rule, Xiangqi::judge(&position).rule, "{fen}");
            }
        }
    }
}

#[test]
fn order_of_the_rules() {
    let rules = RuleSet::Asian.rules();
    // A second occurrence inside the tree is judged, but the move limit goes first; mate goes before the limit.
    let cycle = "a9a8 d8d9 a8a9 d9d8";
    let position = play("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1", cycle.split(' '), rules);
    assert_eq!(Xiangqi::tree_verdict(&position, 5), Some(TreeVerdict::RuleLoss));
    assert_eq!(Xiangqi::tree_verdict(&position, 4), None);
    let position = play("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 116 70", cycle.split(' '), rules);
    assert_eq!(Xiangqi::tree_verdict(&position, 5), Some(TreeVerdict::Draw));
    assert_eq!(Xiangqi::judge(&position).rule, Some(Rule::MoveLimit));
    let mated = play("3k5/1R7/9/9/9/9/9/9/9/R3K4 w - - 119 70", ["a0a9"], rules);
    assert_eq!(Xiangqi::tree_verdict(&mated, 1), None);
    assert_eq!(Xiangqi::judge(&mated).rule, Some(Rule::Checkmate));
    // A final repetition goes before the material draw.
    let fen = "3ak4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1";
    assert_eq!(judge(fen, "f0e1", RuleSet::Asian).rule, Some(Rule::Material));
    let idle = repeated("f0e1 d9e8 e1f0 e8d9", 8);
    assert_eq!(judge(fen, &idle, RuleSet::Asian).rule, Some(Rule::Repetition));
}

#[test]
fn null_moves_leave_the_counter_and_hide_what_was_before() {
    let rules = RuleSet::Asian.rules();
    let mut position = play("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", ["a0a1", "d9d8"], rules);
    let before = position.quiet_plies();
    Xiangqi::make_null(&mut position);
    assert_eq!(position.quiet_plies(), before);
    Xiangqi::make_null(&mut position);
    for text in ["a1a0", "d8d9"] {
        let mv = Xiangqi::parse_move(&position, text).unwrap();
        Xiangqi::make(&mut position, mv);
    }
    assert_eq!(Xiangqi::tree_verdict(&position, 9), None);
}

#[test]
fn simple_rules() {
    let check = ("R8/3k5/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a8 d8d9 a8a9 d9d8");
    assert_eq!(judge(check.0, &repeated(check.1, 8), RuleSet::Simple).result, GameResult::None);
    assert_eq!(
        judge(check.0, &repeated(check.1, 12), RuleSet::Simple).rule,
        Some(Rule::PerpetualCheck)
    );
    // The horse runs between two points; a soldier may not drive a piece for ever either.
    let chase = ("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1", "h0i0 i9h7 i0h0 h7i9");
    let verdict = judge(chase.0, &repeated(chase.1, 12), RuleSet::Simple);
    assert_eq!((verdict.rule, verdict.offender), (Some(Rule::PerpetualChase), Some(Side::First)));
    let idle = ("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a1 d9d8 a1a0 d8d9");
    assert_eq!(judge(idle.0, &repeated(idle.1, 12), RuleSet::Simple).rule, Some(Rule::Repetition));
}

/// The verdict of the search on the same position, in the words of the tables.
fn tree_words(position: &Position) -> &'static str {
    let mover = position.side_to_move();
    match Xiangqi::tree_verdict(position, 0) {
        None => "none",
        Some(TreeVerdict::RuleWin) => words(GameResult::win(mover)),
        Some(TreeVerdict::RuleLoss) => words(GameResult::win(!mover)),
        Some(_) => "draw",
    }
}

#[test]
fn search_and_judge_agree() {
    for set in RuleSet::ALL {
        for row in asian_loops().into_iter().chain(wxf_loops()) {
            let position = play(row.fen, row.moves, set.rules());
            assert_eq!(
                tree_words(&position),
                words(Xiangqi::judge(&position).result),
                "{}",
                row.fen
            );
        }
    }
}

#[test]
fn a_mirrored_loop_has_the_same_verdict() {
    let mirror_square = |square: &str| {
        let file = square.as_bytes()[0];
        format!("{}{}", (b'a' + b'i' - file) as char, &square[1..])
    };
    for row in asian_loops().into_iter().chain(wxf_loops()) {
        let (board, rest) = row.fen.split_once(' ').unwrap();
        let ranks: Vec<String> =
            board.split('/').map(|rank| rank.chars().rev().collect()).collect();
        let fen = format!("{} {rest}", ranks.join("/"));
        let moves: Vec<String> =
            row.moves.iter().map(|mv| mirror_square(&mv[..2]) + &mirror_square(&mv[2..])).collect();
        for set in RuleSet::ALL {
            let one = Xiangqi::judge(&play(row.fen, row.moves.clone(), set.rules()));
            let other = Xiangqi::judge(&play(&fen, moves.iter().map(String::as_str), set.rules()));
            assert_eq!((one.result, one.rule), (other.result, other.rule), "{} {fen}", row.label);
        }
    }
}

#[test]
fn swapped_colours_swap_the_verdict() {
    let turn_square = |square: &str| {
        let (file, rank) = (square.as_bytes()[0], square.as_bytes()[1]);
        format!("{}{}", (b'a' + b'i' - file) as char, (b'0' + b'9' - rank) as char)
    };
    for row in asian_loops().into_iter().chain(wxf_loops()) {
        let fields: Vec<&str> = row.fen.split(' ').collect();
        let board: String = fields[0]
            .chars()
            .rev()
            .map(|c| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            })
            .collect();
        let side = if fields[1] == "b" { "w" } else { "b" };
        let fen = format!("{board} {side} - - 0 1");
        let moves: Vec<String> =
            row.moves.iter().map(|mv| turn_square(&mv[..2]) + &turn_square(&mv[2..])).collect();
        for set in RuleSet::ALL {
            let one = Xiangqi::judge(&play(row.fen, row.moves.clone(), set.rules()));
            let other = Xiangqi::judge(&play(&fen, moves.iter().map(String::as_str), set.rules()));
            let swapped = match one.result {
                GameResult::First => GameResult::Second,
                GameResult::Second => GameResult::First,
                other => other,
            };
            assert_eq!((swapped, one.rule), (other.result, other.rule), "{} {fen}", row.label);
        }
    }
}

#[test]
fn it_does_not_matter_where_a_loop_is_entered() {
    let mut tried = 0;
    for row in asian_loops().into_iter().chain(wxf_loops()) {
        let rules = RuleSet::Asian.rules();
        let position = play(row.fen, row.moves.clone(), rules);
        let verdict = Xiangqi::judge(&position);
        let plies = verdict.cycle.len();
        if plies == 0 || row.moves.len() < 2 * plies {
            continue;
        }
        let cycle = &row.moves[row.moves.len() - plies..];
        if row.moves[row.moves.len() - 2 * plies..][..plies] != *cycle {
            continue;
        }
        tried += 1;
        let entry = &row.moves[..row.moves.len() - 2 * plies];
        for shift in 0..plies {
            let start = play(row.fen, entry.iter().chain(&cycle[..shift]).copied(), rules);
            let fen = Xiangqi::format_position(&start, <Xiangqi as Game>::Format::ALL[0]).unwrap();
            let rotated = cycle[shift..].iter().chain(&cycle[..shift]);
            let moves: Vec<&str> = rotated.clone().chain(rotated).copied().collect();
            let other = Xiangqi::judge(&play(&fen, moves, rules));
            assert_eq!((verdict.result, verdict.rule), (other.result, other.rule), "{fen}");
        }
    }
    assert!(tried > 100, "only {tried} loops were rotated");
}

/// A small generator of numbers, the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Random shuffling: often takes the own last move back, so that positions repeat.
#[test]
fn random_loops_are_judged_alike_by_search_and_judge() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut rulings = [0; 4];
    let starts: Vec<&str> = asian_loops().iter().chain(&wxf_loops()).map(|row| row.fen).collect();
    for game in 0..600 {
        let set = RuleSet::ALL[game % RuleSet::ALL.len()];
        let mut position = parse(starts[random.below(starts.len())], set.rules());
        let mut last: [Option<Move>; 2] = [None; 2];
        for _ in 0..60 {
            let mut moves = Vec::new();
            Xiangqi::generate(&position, MoveKind::All, &mut moves);
            if moves.is_empty() {
                break;
            }
            let side = position.side_to_move().index();
            let back = last[side].map(|mv| Move::new(mv.to(), mv.from()));
            let mv = match back {
                Some(back) if moves.contains(&back) && random.below(8) != 0 => back,
                _ => moves[random.below(moves.len())],
            };
            last[side] = Some(mv);
            Xiangqi::make(&mut position, mv);
            let verdict = Xiangqi::judge(&position);
            rulings[match verdict.rule {
                Some(Rule::PerpetualCheck) => 0,
                Some(Rule::PerpetualChase) => 1,
                Some(Rule::Repetition) => 2,
                _ => 3,
            }] += 1;
            if !matches!(verdict.rule, Some(Rule::Checkmate | Rule::Stalemate)) {
                assert_eq!(tree_words(&position), words(verdict.result), "{verdict:?}");
            }
        }
    }
    assert!(rulings.iter().all(|&count| count > 20), "{rulings:?}");
}
