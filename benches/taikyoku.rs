//! Criterion benchmarks of taikyoku shogi: listing and counting moves, make and unmake, perft 2, on the sample boards.

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use kyokumen::game::{Game, MoveKind, Named};
use kyokumen::games::taikyoku::{Position, RuleSet, Taikyoku};
use kyokumen::perft::perft;

const BOARDS: [&str; 6] =
    ["initial", "selfplay120", "random100", "random300", "random600", "random1000"];

fn board(name: &str, set: RuleSet) -> Position {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/boards/taikyoku");
    let text = std::fs::read_to_string(folder.join(format!("{name}.tsfen")))
        .expect("the sample boards lie in profiles");
    Taikyoku::parse_position(&text, Taikyoku::rules(set)).expect("a sample board is valid").position
}

fn boards(c: &mut Criterion, name: &str, mut run: impl FnMut(&mut Criterion, &str, Position)) {
    for &set in RuleSet::ALL {
        for file in BOARDS {
            run(c, &format!("taikyoku/{name}/{}/{file}", set.name()), board(file, set));
        }
    }
}

fn list_moves(c: &mut Criterion) {
    boards(c, "list", |c, name, position| {
        let mut moves = Vec::with_capacity(8192);
        c.bench_function(name, |bencher| {
            bencher.iter(|| {
                moves.clear();
                Taikyoku::generate(black_box(&position), MoveKind::All, &mut moves);
                moves.len()
            });
        });
    });
}

fn list_noisy(c: &mut Criterion) {
    boards(c, "noisy", |c, name, position| {
        let mut moves = Vec::with_capacity(8192);
        c.bench_function(name, |bencher| {
            bencher.iter(|| {
                moves.clear();
                Taikyoku::generate(black_box(&position), MoveKind::Noisy, &mut moves);
                moves.len()
            });
        });
    });
}

fn count_moves(c: &mut Criterion) {
    boards(c, "count", |c, name, position| {
        c.bench_function(name, |bencher| {
            bencher.iter(|| Taikyoku::count(black_box(&position)));
        });
    });
}

/// Makes and takes back every move of the board; divide by the number of moves.
fn make_unmake(c: &mut Criterion) {
    boards(c, "make_unmake", |c, name, mut position| {
        let mut moves = Vec::new();
        Taikyoku::generate(&position, MoveKind::All, &mut moves);
        c.bench_function(&format!("{name}/{}_moves", moves.len()), |bencher| {
            bencher.iter(|| {
                for &mv in &moves {
                    Taikyoku::make(&mut position, mv);
                    Taikyoku::unmake(&mut position);
                }
            });
        });
    });
}

fn perft_2(c: &mut Criterion) {
    for &set in RuleSet::ALL {
        let mut position = board("initial", set);
        c.bench_function(&format!("taikyoku/perft_2/{}", set.name()), |bencher| {
            bencher.iter(|| perft::<Taikyoku>(&mut position, 2));
        });
    }
}

criterion_group!(benches, list_moves, list_noisy, count_moves, make_unmake, perft_2);
criterion_main!(benches);
