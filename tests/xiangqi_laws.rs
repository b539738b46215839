//! Laws of the rules of xiangqi, over positions from random play and over random boards with odd material.

use std::collections::BTreeSet;

use kyokumen::game::{Game, MoveKind, Side};
use kyokumen::games::xiangqi::mailbox::Mailbox;
use kyokumen::games::xiangqi::notation::Format;
use kyokumen::games::xiangqi::rules::RuleSet;
use kyokumen::games::xiangqi::{Move, Position, Xiangqi};
use rayon::prelude::*;

const SEED: u64 = 0x5858;

/// SplitMix64: small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn fen(position: &Position) -> String {
    Xiangqi::format_position(position, Format::Fen).unwrap()
}

fn parse(text: &str) -> Option<Position> {
    Xiangqi::parse_position(text, RuleSet::Asian.rules()).ok().map(|parsed| parsed.position)
}

fn generated(position: &Position, kind: MoveKind) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate(kind, &mut moves);
    moves
}

/// Calls `check` with every position of random games; returns how many there were.
fn random_play(seed: u64, games: usize, check: impl Fn(&mut Position) + Sync) -> usize {
    (0..games)
        .into_par_iter()
        .map(|game| {
            let mut random = Random(seed ^ (game as u64) << 32);
            let mut position = Xiangqi::start(RuleSet::Asian.rules());
            let mut seen = 0;
            for _ in 0..150 {
                check(&mut position);
                seen += 1;
                let moves = generated(&position, MoveKind::All);
                let noisy = generated(&position, MoveKind::Noisy);
                if moves.is_empty() {
                    break;
                }
                // Captures now and then, so that thin boards are reached as well.
                let moves = if random.below(4) == 0 && !noisy.is_empty() { noisy } else { moves };
                position.make(moves[random.below(moves.len())]);
            }
            seen
        })
        .sum()
}

/// Calls `check` with boards of random pieces on random points; returns how many were playable.
fn random_boards(seed: u64, boards: usize, check: impl Fn(&mut Position) + Sync) -> usize {
    (0..boards)
        .into_par_iter()
        .filter_map(|board| parse(&random_board(&mut Random(seed ^ (board as u64) << 32))))
        .map(|mut position| check(&mut position))
        .count()
}

fn random_board(random: &mut Random) -> String {
    let mut board = [['1'; 9]; 10]; // row 0 is rank 9
    let pieces = match random.below(3) {
        0 => random.below(8),
        1 => random.below(30),
        _ => random.below(70),
    };
    for _ in 0..pieces {
        board[random.below(10)][random.below(9)] = b"ABNRCPabnrcp"[random.below(12)] as char;
    }
    board[random.below(3)][3 + random.below(3)] = 'k';
    board[7 + random.below(3)][3 + random.below(3)] = 'K';
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    format!("{} {}", rows.join("/"), ["w", "b"][random.below(2)])
}

fn on_all(games: usize, boards: usize, check: impl Fn(&mut Position) + Sync) -> usize {
    println!("seed {SEED:#x}");
    random_play(SEED, games, &check) + random_boards(SEED, boards, &check)
}

/// The fast generator against its twin, on this many positions at least.
fn generators_agree(games: usize, boards: usize, least: usize) {
    let positions = on_all(games, boards, |position| {
        let mailbox = Mailbox::new(position);
        let mut moves = generated(position, MoveKind::All);
        moves.sort_unstable();
        assert_eq!(moves, mailbox.legal_moves(), "{}", fen(position));
        assert_eq!(position.in_check(), mailbox.in_check(), "{}", fen(position));
    });
    println!("{positions} positions");
    assert!(positions >= least, "only {positions} positions");
}

#[test]
fn fast_generator_agrees_with_slow_twin() {
    generators_agree(700, 60_000, 100_000);
}

#[test]
#[ignore = "takes minutes; `cargo nextest run --run-ignored only a_million`"]
fn fast_generator_agrees_with_slow_twin_on_a_million_positions() {
    generators_agree(7_000, 600_000, 1_000_000);
}

#[test]
fn moves_are_legal_counted_and_split_by_kind_without_duplicates() {
    on_all(100, 10_000, |position| {
        let moves = generated(position, MoveKind::All);
        let all: BTreeSet<Move> = moves.iter().copied().collect();
        assert_eq!(all.len(), moves.len(), "a duplicate in {}", fen(position));
        assert_eq!(position.count_moves(), moves.len() as u64, "{}", fen(position));
        let mut parts = generated(position, MoveKind::Noisy);
        assert!(parts.iter().all(|mv| position.piece_at(mv.to()).is_some()));
        parts.extend(generated(position, MoveKind::Quiet));
        parts.sort_unstable();
        assert_eq!(parts, all.iter().copied().collect::<Vec<_>>(), "{}", fen(position));
        for code in 1..90 * 128 {
            if let Some(mv) = Move::from_code(code) {
                assert_eq!(position.is_legal(mv), all.contains(&mv), "{mv} in {}", fen(position));
            }
        }
    });
}

#[test]
fn unmake_restores_everything_and_keys_are_incremental() {
    on_all(200, 10_000, |position| {
        assert_eq!(position.key(), position.key_slow());
        let before = position.clone();
        for mv in generated(position, MoveKind::All) {
            let check = position.gives_check(mv);
            position.make(mv);
            assert_eq!(position.key(), position.key_slow(), "{mv} in {}", fen(&before));
            assert_eq!(check, position.in_check(), "{mv} in {}", fen(&before));
            position.unmake();
            assert_eq!(*position, before, "{mv} in {}", fen(&before));
            assert_eq!(position.history(), before.history());
        }
        position.make_null();
        assert_eq!(position.key(), position.key_slow());
        position.unmake();
        assert_eq!(*position, before);
    });
}

#[test]
fn text_of_positions_round_trips() {
    on_all(200, 10_000, |position| {
        for format in [Format::Fen, Format::FenEh] {
            let text = Xiangqi::format_position(position, format).unwrap();
            let read = parse(&text).unwrap_or_else(|| panic!("{text} is refused"));
            assert_eq!(read, *position, "{text}");
        }
    });
}

#[test]
fn text_of_moves_round_trips() {
    use kyokumen::game::Named;
    use kyokumen::games::xiangqi::notation::Notation;
    on_all(15, 1_000, |position| {
        let moves = generated(position, MoveKind::All);
        for &notation in Notation::ALL {
            let mut texts = BTreeSet::new();
            for &mv in &moves {
                let text = Xiangqi::format_move(position, mv, notation);
                assert_eq!(Xiangqi::parse_move(position, &text), Ok(mv), "{}", fen(position));
                assert!(texts.insert(text), "{mv} has no text of its own in {}", fen(position));
            }
        }
    });
}

#[test]
fn mirrored_and_turned_positions_have_mirrored_and_turned_moves() {
    on_all(200, 20_000, |position| {
        let text = fen(position);
        let (board, _) = text.split_once(' ').unwrap();
        let reversed = |text: &str| text.chars().rev().collect::<String>();
        let (side, other) = match position.side_to_move() {
            Side::First => ("w", "b"),
            Side::Second => ("b", "w"),
        };

        let rows: Vec<String> = board.split('/').map(reversed).collect();
        let mirrored = parse(&format!("{} {side}", rows.join("/"))).unwrap();
        let swap_case = |letter: char| {
            if letter.is_ascii_lowercase() {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            }
        };
        let turned: String = reversed(board).chars().map(swap_case).collect();
        let turned = parse(&format!("{turned} {other}")).unwrap();

        let sorted = |position: &Position, map: fn(Move) -> Move| {
            let mut moves: Vec<Move> =
                generated(position, MoveKind::All).into_iter().map(map).collect();
            moves.sort_unstable();
            moves
        };
        let moves = sorted(position, |mv| mv);
        let mirror = |mv: Move| Move::new(mv.from().mirrored(), mv.to().mirrored());
        let turn = |mv: Move| Move::new(mv.from().rotated(), mv.to().rotated());
        assert_eq!(sorted(&mirrored, mirror), moves, "{text}");
        assert_eq!(sorted(&turned, turn), moves, "{text}");
        assert_eq!(mirrored.in_check(), position.in_check());
        assert_eq!(turned.in_check(), position.in_check());
    });
}
