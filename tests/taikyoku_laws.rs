//! Laws of taikyoku shogi on random games and boards: nothing here knows a right answer, only what must always hold.

#[path = "taikyoku_support/mod.rs"]
#[expect(dead_code, reason = "each test file uses a part of the common support")]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use kyokumen::game::{Game, MoveKind, Named, Side};
use kyokumen::games::taikyoku::moveset::MoveSet;
use kyokumen::games::taikyoku::reference::legal_moves_slow;
use kyokumen::games::taikyoku::{
    Format, Kind, Move, Notation, Piece, Position, RuleSet, Square, Taikyoku,
};
use support::{Random, moves, parse, random_board};

fn native(position: &Position) -> String {
    Taikyoku::format_position(position, Format::Tsfen).unwrap()
}

/// Plays random games with both rule sets and shows every position to `check`.
fn random_games(
    seed: u64,
    games: usize,
    plies: usize,
    mut check: impl FnMut(&mut Position, usize),
) {
    let mut random = Random(seed);
    for &set in RuleSet::ALL {
        for game in 0..games {
            // Odd games start from a random board, where special pieces are free.
            let mut position = match game % 2 {
                0 => Taikyoku::start(Taikyoku::rules(set)),
                _ => random_board(&mut random, Taikyoku::rules(set)),
            };
            for ply in 0..plies {
                check(&mut position, ply);
                let list = moves(&position);
                if list.is_empty() {
                    break;
                }
                let noisy: Vec<Move> =
                    list.iter().copied().filter(|&mv| position.is_capture(mv)).collect();
                let pool = if noisy.is_empty() || random.below(3) > 0 { &list } else { &noisy };
                let mv = pool[random.below(pool.len())];
                Taikyoku::make(&mut position, mv);
            }
        }
    }
}

#[test]
fn taking_back_restores_everything() {
    random_games(1, 6, 120, |position, ply| {
        assert!(position.is_consistent(), "at ply {ply}");
        if ply % 20 != 19 {
            return;
        }
        let (before, key) = (native(position), position.key());
        for mv in moves(position) {
            Taikyoku::make(position, mv);
            if mv.is_special() || mv.promotes() || mv.bits() % 16 == 0 {
                assert!(position.is_consistent(), "{mv:?} on {before}");
            }
            Taikyoku::unmake(position);
            assert_eq!(position.key(), key, "{mv:?} on {before}");
        }
        assert!(position.is_consistent());
        assert_eq!(native(position), before);
        Taikyoku::make_null(position);
        assert!(position.is_consistent());
        Taikyoku::unmake_null(position);
        assert_eq!((native(position), position.key()), (before, key));
    });
}

#[test]
fn moves_are_listed_once_and_split_into_noisy_and_quiet() {
    random_games(2, 6, 150, |position, _| {
        let list = moves(position);
        let all: BTreeSet<Move> = list.iter().copied().collect();
        assert_eq!(all.len(), list.len(), "{}", native(position));
        assert_eq!(Taikyoku::count(position), list.len() as u64);
        let mut split = Vec::new();
        Taikyoku::generate(position, MoveKind::Noisy, &mut split);
        let noisy = |mv: Move| mv.promotes() || position.captures(mv).next().is_some();
        assert!(split.iter().all(|&mv| noisy(mv)));
        assert!(
            list.iter()
                .all(|&mv| { position.is_capture(mv) == position.captures(mv).next().is_some() })
        );
        let quiet_from = split.len();
        Taikyoku::generate(position, MoveKind::Quiet, &mut split);
        assert!(split[quiet_from..].iter().all(|&mv| !noisy(mv)));
        assert_eq!(split.len(), all.len());
        assert_eq!(split.into_iter().collect::<BTreeSet<_>>(), all);
    });
}

/// Plays at random, then the same moves again from lists of moves: numbers of moves must be the same, and each move listed.
fn compare_random_play_with_lists(start: &Position, plies: usize, random: &mut Random) {
    let mut counts = Vec::new();
    let mut position = start.clone();
    let made = Taikyoku::play_at_random(&mut position, plies, |count| {
        counts.push(count);
        random.below(count)
    });
    assert_eq!(made, counts.len());
    assert!(position.is_consistent());
    let mut listed = start.clone();
    let played = position.moves_made().split_off(start.plies());
    for (&mv, count) in played.iter().zip(counts) {
        let list = moves(&listed);
        assert_eq!(list.len(), count, "{}", native(&listed));
        assert!(list.contains(&mv), "{}", native(&listed));
        Taikyoku::make(&mut listed, mv);
    }
    assert!(made == plies || moves(&listed).is_empty());
    assert_eq!(native(&position), native(&listed));
}

#[test]
fn random_play_chooses_among_all_moves_without_listing_them() {
    let mut random = Random(17);
    for &set in RuleSet::ALL {
        for game in 0..10 {
            let start = match game % 2 {
                0 => Taikyoku::start(Taikyoku::rules(set)),
                _ => random_board(&mut random, Taikyoku::rules(set)),
            };
            compare_random_play_with_lists(&start, 600, &mut random);
        }
    }
}

#[test]
fn each_number_chooses_another_move_of_random_play() {
    let mut random = Random(23);
    for (&set, plies) in RuleSet::ALL.iter().zip([1, 8]) {
        let start = Taikyoku::start(Taikyoku::rules(set));
        let numbers: Vec<usize> = (0..plies).map(|_| random.below(1 << 20)).collect();
        // The position before the last ply, and the last move if it is the one with a number.
        let play = |number: usize| {
            let (mut position, mut made) = (start.clone(), 0);
            Taikyoku::play_at_random(&mut position, plies, |count| {
                made += 1;
                if made == plies { number } else { numbers[made] % count }
            });
            let last = *position.moves_made().last().unwrap();
            Taikyoku::unmake(&mut position);
            (position, last)
        };
        let list = moves(&play(0).0);
        let chosen: BTreeSet<Move> = (0..list.len()).map(|number| play(number).1).collect();
        assert_eq!(chosen, list.into_iter().collect());
    }
}

#[test]
fn random_play_knows_boards_of_many_special_pieces() {
    let mut random = Random(18);
    let lion = Kind::from_code("LN").unwrap();
    for pieces in [120, 127, 128, 129, 400] {
        let mut position = random_board(&mut random, Taikyoku::rules(RuleSet::Seed));
        for square in Square::all()
            .filter(|square| position.piece_at(*square).is_none())
            .take(pieces)
            .collect::<Vec<_>>()
        {
            position.place(square, Piece::new(Side::First, lion, false));
        }
        compare_random_play_with_lists(&position, 40, &mut random);
    }
}

#[test]
fn answers_counted_together_are_those_counted_one_by_one() {
    random_games(19, 6, 60, |position, ply| {
        if ply % 12 != 11 {
            return;
        }
        let list = moves(position);
        let together = Taikyoku::count_below(position, &list);
        let one_by_one = list.iter().map(|&mv| {
            Taikyoku::make(position, mv);
            let count = moves(position).len() as u64;
            Taikyoku::unmake(position);
            count
        });
        assert_eq!(together, one_by_one.sum::<u64>(), "{}", native(position));
    });
}

#[test]
fn captures_are_what_leaves_the_board() {
    random_games(3, 6, 40, |position, ply| {
        if ply % 10 != 9 {
            return;
        }
        let total = |position: &Position| {
            Side::ALL.into_iter().map(|side| position.piece_count(side)).sum::<usize>()
        };
        let before = total(position);
        for mv in moves(position) {
            let captured: Vec<(Square, Piece)> = position.captures(mv).collect();
            Taikyoku::make(position, mv);
            assert_eq!(total(position), before - captured.len(), "{mv:?}");
            for (square, piece) in captured {
                assert_ne!(position.piece_at(square), Some(piece));
            }
            Taikyoku::unmake(position);
        }
    });
}

#[test]
fn texts_can_be_read_again() {
    random_games(4, 4, 120, |position, ply| {
        let rules = position.rules();
        if ply % 15 != 14 || position.is_over() {
            return;
        }
        for &format in Format::ALL {
            match Taikyoku::format_position(position, format) {
                Ok(text) => {
                    let again = parse(&text, rules);
                    assert_eq!(again.key(), position.key(), "{text}");
                    assert_eq!(Taikyoku::format_position(&again, format).unwrap(), text);
                }
                Err(reason) => assert!(reason.contains("promot"), "{reason}"),
            }
        }
        let list = moves(position);
        for &mv in list.iter().step_by(7) {
            for &notation in Notation::ALL {
                let text = Taikyoku::format_move(position, mv, notation);
                let read = Taikyoku::parse_move(position, &text).unwrap();
                if notation == Notation::Native || rules.set == RuleSet::Atsa && !mv.promotes() {
                    assert_eq!(read, mv, "{text}");
                }
                assert_eq!((read.from(), read.to()), (mv.from(), mv.to()), "{text}");
                assert_eq!(read.first_capture(), mv.first_capture(), "{text}");
            }
        }
    });
}

/// The board turned by 180 degrees with the colours exchanged.
fn flipped(position: &Position) -> Position {
    let mut other = Position::empty(position.rules());
    for side in Side::ALL {
        for (square, piece) in position.pieces(side) {
            other.place(square.turned(), Piece::new(!side, piece.kind(), piece.promoted()));
        }
    }
    other.set_state(!position.side_to_move(), 0, 1);
    other
}

/// A move seen on a board whose squares have moved.
fn mapped(
    mv: Move,
    map: impl Fn(Square) -> Square,
) -> (Square, Square, Option<Square>, bool, bool) {
    (map(mv.from()), map(mv.to()), mv.first_capture().map(&map), mv.promotes(), mv.sweeps())
}

#[test]
fn exchanged_colours_have_turned_moves() {
    let mut random = Random(5);
    for &set in RuleSet::ALL {
        for _ in 0..1000 {
            let position = random_board(&mut random, Taikyoku::rules(set));
            let expected: BTreeSet<_> =
                moves(&position).into_iter().map(|mv| mapped(mv, Square::turned)).collect();
            let found: BTreeSet<_> =
                moves(&flipped(&position)).into_iter().map(|mv| mapped(mv, |s| s)).collect();
            assert_eq!(found, expected, "{}", native(&position));
        }
    }
}

/// A move set with left and right exchanged.
fn mirrored_set(set: &MoveSet) -> MoveSet {
    let turn = |direction: u8| (8 - direction) % 8;
    let mask = |mask: u8| (0..8).filter(|&d| mask >> d & 1 != 0).fold(0, |m, d| m | 1 << turn(d));
    let mut mirror = set.clone();
    for direction in 0..8u8 {
        mirror.slides[usize::from(turn(direction))] = set.slides[usize::from(direction)];
    }
    mirror.leaps.iter_mut().for_each(|leap| leap.direction = turn(leap.direction));
    mirror.leaps.sort_by_key(|leap| (leap.direction, leap.distance));
    mirror.overs.iter_mut().for_each(|over| over.direction = turn(over.direction));
    mirror.overs.sort_by_key(|over| over.direction);
    mirror.oblique.iter_mut().for_each(|vector| vector.0 = -vector.0);
    mirror.oblique.sort_unstable();
    for directions in [&mut mirror.range_captures, &mut mirror.hooks, &mut mirror.igui] {
        *directions = mask(*directions);
    }
    mirror
}

fn sorted_set(set: &MoveSet) -> MoveSet {
    let mut sorted = set.clone();
    sorted.leaps.sort_by_key(|leap| (leap.direction, leap.distance));
    sorted.overs.sort_by_key(|over| over.direction);
    sorted.oblique.sort_unstable();
    sorted
}

/// The kinds that come as a left and a right one.
const PAIRS: [(&str, &str); 11] = [
    ("LG", "RG"),
    ("LAR", "RAR"),
    ("ML", "MR"),
    ("LT", "TT"),
    ("LE", "RI"),
    ("HDL", "HDR"),
    ("LDO", "RDO"),
    ("LC", "RC"),
    ("LIC", "RIC"),
    ("TS", "VI"),
    ("DTU", "DSP"),
];

#[test]
fn left_and_right_kinds_mirror_each_other() {
    let code = |code: &str| Kind::from_code(code).unwrap();
    let mut random = Random(6);
    for &set in RuleSet::ALL {
        let table = Position::empty(Taikyoku::rules(set)).table();
        let mut partner = BTreeMap::new();
        for (left, right) in PAIRS {
            let (left, right) = (code(left), code(right));
            let mirror = mirrored_set(table.move_set(left));
            assert_eq!(mirror, sorted_set(table.move_set(right)), "{:?}", left.info().code);
            partner.extend([(left, right), (right, left)]);
        }
        for kind in Kind::all()
            .filter(|kind| !PAIRS.iter().any(|p| code(p.0) == *kind || code(p.1) == *kind))
        {
            if mirrored_set(table.move_set(kind)) == sorted_set(table.move_set(kind)) {
                partner.insert(kind, kind);
            }
        }
        assert!(partner.len() > 280, "{}", partner.len());
        for _ in 0..1000 {
            let board = random_board(&mut random, Taikyoku::rules(set));
            let mut position = Position::empty(board.rules());
            let mut mirror = Position::empty(board.rules());
            for side in Side::ALL {
                for (square, piece) in board.pieces(side) {
                    let Some(&other) = partner.get(&piece.kind()) else { continue };
                    position.place(square, piece);
                    mirror.place(square.mirrored(), Piece::new(side, other, piece.promoted()));
                }
            }
            position.set_state(board.side_to_move(), 0, 1);
            mirror.set_state(board.side_to_move(), 0, 1);
            // Promotion follows the table, which is not symmetric for a few kinds.
            let plain = |mv: &Move| !mv.promotes();
            let expected: BTreeSet<_> = moves(&position)
                .into_iter()
                .filter(plain)
                .map(|mv| mapped(mv, Square::mirrored))
                .collect();
            let found: BTreeSet<_> =
                moves(&mirror).into_iter().filter(plain).map(|mv| mapped(mv, |s| s)).collect();
            assert_eq!(found, expected, "{}", native(&position));
        }
    }
}

#[test]
fn attack_queries_agree_with_moves() {
    let mut random = Random(7);
    for &set in RuleSet::ALL {
        for _ in 0..1500 {
            let position = random_board(&mut random, Taikyoku::rules(set));
            let side = position.side_to_move();
            let list = moves(&position);
            for (target, _) in position.pieces(!side) {
                let expected: BTreeSet<Square> = list
                    .iter()
                    .filter(|mv| {
                        mv.to() == target && mv.from() != target
                            || mv.first_capture() == Some(target)
                    })
                    .map(|mv| mv.from())
                    .collect();
                let attackers = position.attackers(target, side);
                let found: BTreeSet<Square> = attackers.iter().map(|a| a.0).collect();
                assert_eq!(found, expected, "{target} on {}", native(&position));
                assert_eq!(found.len(), attackers.len());
                let taken = list
                    .iter()
                    .any(|&mv| position.captures(mv).any(|(square, _)| square == target));
                assert_eq!(
                    position.is_attacked(target, side),
                    taken,
                    "{target} on {}",
                    native(&position)
                );
            }
        }
    }
}

/// The compiled generator against the interpreter of the table, on 50,000 boards per rule set.
fn generators_agree(set: RuleSet, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed * 2 + 1);
        for _ in 0..12_500 {
            let position = random_board(&mut random, Taikyoku::rules(set));
            let mut fast = moves(&position);
            fast.sort_unstable();
            assert_eq!(fast, legal_moves_slow(&position), "{}", native(&position));
        }
    }
}

#[test]
fn generators_agree_under_seed_1() {
    generators_agree(RuleSet::Seed, 100..102);
}

#[test]
fn generators_agree_under_seed_2() {
    generators_agree(RuleSet::Seed, 102..104);
}

#[test]
fn generators_agree_under_atsa_1() {
    generators_agree(RuleSet::Atsa, 200..202);
}

#[test]
fn generators_agree_under_atsa_2() {
    generators_agree(RuleSet::Atsa, 202..204);
}

#[test]
#[ignore = "takes many minutes; `cargo nextest run --run-ignored only a_million`"]
fn generators_agree_on_a_million_boards_half_under_seed() {
    generators_agree(RuleSet::Seed, 300..340);
}

#[test]
#[ignore = "takes many minutes; `cargo nextest run --run-ignored only a_million`"]
fn generators_agree_on_a_million_boards_half_under_atsa() {
    generators_agree(RuleSet::Atsa, 300..340);
}

#[test]
fn promotion_happens_once_and_only_at_the_zone() {
    random_games(8, 6, 150, |position, _| {
        let side = position.side_to_move();
        for mv in moves(position) {
            let piece = position.piece_at(mv.from()).unwrap();
            if mv.promotes() {
                assert!(!piece.promoted() && position.promotion_of(piece).is_some());
                let touches = mv.to().in_zone(side)
                    || position.rules().set == RuleSet::Atsa
                        && mv.from().row().abs_diff(mv.to().row()) <= 2;
                assert!(touches, "{mv:?} on {}", native(position));
            } else if position.rules().set == RuleSet::Atsa && mv.to().in_zone(side) {
                assert!(position.promotion_of(piece).is_none(), "{mv:?}");
            }
        }
    });
}
