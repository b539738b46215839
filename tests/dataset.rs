//! Tools for files of games: nothing is lost, nothing leaks, damage is named, and the same input gives the same output.

mod data_support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use data_support::{Random, games, header, read, rules, unwatched, watched, write};
use kyokumen::data::{Chain, EndReason, Header, PlyFlags, Reader};
use kyokumen::datagen::Effort;
use kyokumen::dataset::dedupe::{Keep, dedupe};
use kyokumen::dataset::filter::{Earlier, Filter, filter};
use kyokumen::dataset::history::RUN_SHIFT;
use kyokumen::dataset::info::info;
use kyokumen::dataset::merge::{Input, merge};
use kyokumen::dataset::rescore::{Plan, Scope, rescore};
use kyokumen::dataset::sample::{Amount, Unit, sample};
use kyokumen::dataset::shuffle::shuffle;
use kyokumen::dataset::split::{Part, split};
use kyokumen::dataset::verify::verify;
use kyokumen::dataset::{Existing, Fault, Target, ToolError};
use kyokumen::game::{Evaluate, Game, GameResult};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn target(&self, name: &str) -> Target {
        Target::new(&self.path(name), Existing::Refuse, &[]).unwrap()
    }

    /// A file of games.
    fn file<G: Evaluate>(&self, name: &str, seed: u64, games: &[Chain]) -> Reader {
        let path = self.path(name);
        write(&path, &header::<G>(seed, 4), games);
        Reader::open(&path).unwrap()
    }

    /// No temporary file is left.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn sorted(mut games: Vec<Chain>) -> Vec<Chain> {
    games.sort_by_key(|game| game.number);
    games
}

fn history(header: &Header) -> Vec<String> {
    let steps = header.settings["history"].as_array().unwrap();
    steps.iter().map(|step| step["tool"].as_str().unwrap().to_owned()).collect()
}

fn faults_of<G: Evaluate>(games: &[Chain]) -> Vec<String> {
    let folder = Folder::new();
    let reader = folder.file::<G>("games", 1, games);
    let (report, faults) = watched(|watch| verify::<G>(&reader, rules::<G>(), watch).unwrap());
    assert_eq!(report.faults, faults.len() as u64);
    assert_eq!(report.games + report.faults, games.len() as u64);
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn games_by_the_rules_are_right() {
    assert_eq!(faults_of::<Xiangqi>(&games::<Xiangqi>(1, 40, 300)), [""; 0]);
    assert_eq!(faults_of::<Taikyoku>(&games::<Taikyoku>(1, 3, 20)), [""; 0]);
}

#[test]
fn games_against_the_rules_are_told_with_their_place() {
    let good = games::<Xiangqi>(1, 12, 300);
    let mated = good.iter().position(|game| game.end == EndReason::Checkmate).unwrap();
    let limited = games::<Xiangqi>(2, 1, 30).remove(0);
    assert_eq!(limited.end, EndReason::LengthLimit);
    let check = |change: &dyn Fn(&mut Chain), which: &Chain, text: &str| {
        let mut game = which.clone();
        change(&mut game);
        let number = game.number;
        let faults = faults_of::<Xiangqi>(&[game]);
        assert!(
            matches!(&faults[..], [fault] if fault.contains(text)
                && fault.contains(&format!("block 0, game {number}"))),
            "{text}: {faults:?}"
        );
    };
    let mated = &good[mated];
    check(&|game| game.end = EndReason::Stalemate, mated, "by checkmate");
    check(&|game| game.result = GameResult::Draw, mated, "(draw) in the file");
    check(&|game| game.end = EndReason::Repetition, &limited, "by the rules it goes on");
    check(
        &|game| game.end = EndReason::AdjudicatedWin,
        &limited,
        "does not go with the result draw",
    );
    check(&|game| game.plies.truncate(game.plies.len() - 1), mated, "by the rules it goes on");
    check(&|game| game.plies[7].code = 5, mated, "ply 8: 0x5 is no legal move");
    let flip = |flag: PlyFlags| {
        move |game: &mut Chain| {
            let flags = game.plies[9].flags;
            let is_set = flags.contains(flag);
            game.plies[9].flags = if is_set { flags.without(flag) } else { flags | flag };
        }
    };
    check(&flip(PlyFlags::IN_CHECK), mated, "ply 10: the side to move");
    check(&flip(PlyFlags::NOISY), mated, "ply 10: the flag for changes of material");
    check(&|game| game.start = Some("9/9 w".to_owned()), mated, "start position: column");

    let mut twice = good.clone();
    twice[5].number = 3;
    let folder = Folder::new();
    let reader = folder.file::<Xiangqi>("games", 1, &twice);
    let (_, faults) = watched(|watch| verify::<Xiangqi>(&reader, rules::<Xiangqi>(), watch));
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("block 0, game 3: two games have this number"), "{faults:?}");
    assert!(faults[1].contains("block 1, game 3"), "{faults:?}");
}

/// Where blocks begin, in order, and the end.
fn block_starts(reader: &Reader) -> Vec<u64> {
    let places = reader.places().map(|place| place.unwrap());
    let mut starts: Vec<u64> = places.map(|place| place.offset).collect();
    starts.push(reader.file_bytes());
    starts
}

#[test]
fn a_thousand_flipped_bits_are_each_told_with_their_block() {
    let folder = Folder::new();
    let reader = folder.file::<Xiangqi>("games", 1, &games::<Xiangqi>(1, 12, 12));
    let starts = block_starts(&reader);
    let bytes = fs::read(folder.path("games")).unwrap();
    let mut random = Random(5);
    for copy in 0..1000 {
        let (at, bit) = (random.below(bytes.len()), random.below(8));
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << bit;
        let reader = Reader::from_bytes(damaged).unwrap();
        let (report, faults) =
            watched(|watch| verify::<Xiangqi>(&reader, rules::<Xiangqi>(), watch).unwrap());
        let (summary, told) =
            watched(|watch| info::<Xiangqi>(&reader, rules::<Xiangqi>(), watch).unwrap());
        assert_eq!(faults, told, "copy {copy}, byte {at}");
        assert_eq!((summary.faults, report.games), (report.faults, summary.games));
        let block = starts.iter().position(|&start| at < start as usize).unwrap();
        match block.checked_sub(1) {
            None => {
                assert_eq!(faults.len(), 1, "copy {copy}, byte {at}");
                assert_eq!(report.games, 12);
                assert!(faults[0].to_string().contains("header"), "{}", faults[0]);
            }
            Some(block) => {
                assert_eq!(report.games, 8, "copy {copy}, byte {at}: {faults:?}");
                let Fault::Block(fault) = &faults[0] else { panic!("{faults:?}") };
                assert_eq!((fault.number, fault.offset), (block as u32, starts[block]));
            }
        }
    }
}

#[test]
fn information_counts_every_game_and_position() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(3, 30, 200);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let info = unwatched(|watch| info::<Xiangqi>(&reader, rules::<Xiangqi>(), watch)).unwrap();
    let plies: usize = all.iter().map(|game| game.plies.len()).sum();
    let scored = all.iter().flat_map(|game| &game.plies).filter(|ply| ply.score.is_some()).count();
    assert_eq!((info.games, info.plies, info.scored), (30, plies as u64, scored as u64));
    assert_eq!(info.positions, info.scored);
    let ends: u64 = info.ends.values().map(|results| results.sum()).sum();
    assert_eq!(ends, 30);
    let classes = info.scores.iter().chain(&info.mates).chain(&info.rules);
    assert_eq!(classes.map(|results| results.sum()).sum::<u64>(), info.positions);
    assert_eq!(info.phases.iter().sum::<u64>(), info.positions);
    assert_eq!(info.ply_classes.iter().sum::<u64>(), info.positions);
    let keys = keys(&all, |_| true);
    let distinct: BTreeSet<u64> = keys.iter().map(|&(key, _)| key).collect();
    let share = 1.0 - distinct.len() as f64 / keys.len() as f64;
    assert!(share > 0.0, "games begin alike");
    assert!((info.again.share() - share).abs() < 1e-9 && info.again.is_exact());
}

/// The keys of all scored positions with the facts of their plies, in the order of the file.
fn keys(games: &[Chain], wanted: impl Fn(PlyFlags) -> bool) -> Vec<(u64, PlyFlags)> {
    let mut keys = Vec::new();
    for game in games {
        game.replay::<Xiangqi>(rules::<Xiangqi>(), |position, ply, _| {
            if ply.score.is_some() && wanted(ply.flags) {
                keys.push((Xiangqi::hash(position), ply.flags));
            }
        })
        .unwrap();
    }
    keys
}

#[test]
fn shuffling_keeps_every_game_and_depends_on_the_seed_alone() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(4, 50, 40);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let run = |name: &str, seed: u64, memory: u64| {
        unwatched(|watch| shuffle(&reader, folder.target(name), seed, memory, watch)).unwrap();
        (read(&folder.path(name)), fs::read(folder.path(name)).unwrap())
    };
    let (one, bytes) = run("one", 7, 1024);
    let (_, again) = run("again", 7, 1024);
    // No memory: hundreds of parts.
    let (_, small) = run("small", 7, 0);
    let (other, _) = run("other", 8, 1024);
    assert_eq!(bytes, again);
    assert_eq!(bytes, small);
    assert_ne!(one, all);
    assert_ne!(one, other);
    assert_eq!(sorted(one), all);
    assert_eq!(sorted(other), all);
    assert_eq!(folder.names(), ["again", "games", "one", "other", "small"]);
    let header = Reader::open(&folder.path("one")).unwrap().header().clone();
    assert_eq!(history(&header), ["shuffle"]);
    assert_eq!(header.settings["history"][0]["counts"]["games_out"], 50);
    assert_eq!(header.seed, 1);
}

#[test]
fn a_split_leaks_nothing() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(5, 200, 10);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let cut = |reader: &Reader, names: [&str; 2]| {
        let parts = names
            .into_iter()
            .zip([80.0, 20.0])
            .map(|(name, share)| Part { target: folder.target(name), share })
            .collect();
        unwatched(|watch| split(reader, parts, 3, watch)).unwrap();
        names.map(|name| read(&folder.path(name)))
    };
    let [train, valid] = cut(&reader, ["train", "valid"]);
    assert!((20..60).contains(&valid.len()), "{}", valid.len());
    let numbers = |games: &[Chain]| games.iter().map(|game| game.number).collect::<BTreeSet<_>>();
    assert!(numbers(&train).is_disjoint(&numbers(&valid)));
    assert_eq!(sorted([train.clone(), valid.clone()].concat()), all);

    // In another order, the same games go to the same part.
    unwatched(|watch| shuffle(&reader, folder.target("shuffled"), 1, 64, watch)).unwrap();
    let shuffled = Reader::open(&folder.path("shuffled")).unwrap();
    let [again, _] = cut(&shuffled, ["train2", "valid2"]);
    assert_eq!(sorted(again), train);
}

fn join(folder: &Folder, names: &[&str], output: &str) -> Result<Vec<Chain>, ToolError> {
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.path(name)).collect();
    let readers: Vec<Reader> = paths.iter().map(|path| Reader::open(path).unwrap()).collect();
    let inputs: Vec<Input<'_>> =
        paths.iter().zip(&readers).map(|(path, reader)| Input { path, reader }).collect();
    unwatched(|watch| merge(&inputs, folder.target(output), watch))?;
    Ok(read(&folder.path(output)))
}

#[test]
fn merging_keeps_identities_and_refuses_the_same_game_twice() {
    let folder = Folder::new();
    let (one, two) = (games::<Xiangqi>(6, 20, 10), games::<Xiangqi>(7, 9, 10));
    folder.file::<Xiangqi>("first-half", 6, &one[..10]);
    folder.file::<Xiangqi>("second-half", 6, &one[10..]);
    folder.file::<Xiangqi>("other", 7, &two);
    assert_eq!(join(&folder, &["first-half", "second-half"], "one").unwrap(), one);
    let header = Reader::open(&folder.path("one")).unwrap().header().clone();
    assert_eq!((header.seed, history(&header)), (6, vec!["merge".to_owned()]));

    // Two runs: the number of a game says which.
    let both = join(&folder, &["one", "other"], "both").unwrap();
    let renumbered = |run: u64, games: &[Chain]| {
        let number =
            |game: &Chain| Chain { number: run << RUN_SHIFT | game.number, ..game.clone() };
        games.iter().map(number).collect::<Vec<_>>()
    };
    let expected = [renumbered(0, &one), renumbered(1, &two)].concat();
    assert_eq!(both, expected);
    let header = Reader::open(&folder.path("both")).unwrap().header().clone();
    let seeds = |header: &Header| {
        let runs = header.settings["runs"].as_array().unwrap();
        runs.iter().map(|run| run["seed"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(seeds(&header), [6, 7]);

    let refused = |names: &[&str]| join(&folder, names, "refused").unwrap_err().to_string();
    let text = refused(&["one", "first-half"]);
    assert!(text.contains("first-half: game 0 of the run with seed 6 comes twice"), "{text}");
    let text = refused(&["both", "other"]);
    assert!(text.contains("other: game 0 of the run with seed 7 comes twice"), "{text}");
    // A file with a part of two runs, merged again.
    folder.file::<Xiangqi>("third", 8, &games::<Xiangqi>(8, 3, 10));
    let three = join(&folder, &["third", "both"], "three").unwrap();
    assert_eq!(three.len(), 32);
    assert_eq!(three[31].number, 2 << RUN_SHIFT | 8);

    let mut other_rules = data_support::header::<Xiangqi>(9, 4);
    other_rules.rules.move_limit_plies = Some(77);
    write(&folder.path("limits"), &other_rules, &games::<Xiangqi>(9, 2, 10));
    let text = refused(&["one", "limits"]);
    assert!(text.contains("rules.move_limit_plies was 120, now 77"), "{text}");
    folder.file::<Taikyoku>("taikyoku", 9, &games::<Taikyoku>(9, 1, 3));
    assert!(refused(&["one", "taikyoku"]).contains("game was"));
    assert!(!folder.path("refused").exists());
}

#[test]
fn merging_one_damaged_file_copies_what_is_whole() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(6, 12, 10);
    let reader = folder.file::<Xiangqi>("games", 6, &all);
    let mut bytes = fs::read(folder.path("games")).unwrap();
    bytes[block_starts(&reader)[1] as usize + 60] ^= 4;
    let damaged = Reader::from_bytes(bytes).unwrap();
    let input = Input { path: Path::new("damaged"), reader: &damaged };
    let (counts, faults) = watched(|watch| merge(&[input], folder.target("whole"), watch).unwrap());
    assert_eq!((counts.games_out, faults.len()), (8, 1));
    assert_eq!(read(&folder.path("whole")), [&all[..4], &all[8..]].concat());
}

#[test]
fn each_position_is_kept_once() {
    let folder = Folder::new();
    let mut all = games::<Xiangqi>(8, 40, 60);
    let copy = Chain { number: 40, ..all[7].clone() };
    all.push(copy);
    all[20].plies[3].flags = all[20].plies[3].flags | PlyFlags::TEACHER;
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let distinct: BTreeSet<u64> = keys(&all, |_| true).iter().map(|&(key, _)| key).collect();
    for (name, keep) in [("first", Keep::First), ("last", Keep::Last), ("teacher", Keep::Teacher)] {
        // No memory: hundreds of parts.
        for memory in [64, 0] {
            let name = format!("{name}{memory}");
            let report = unwatched(|watch| {
                let target = folder.target(&name);
                dedupe::<Xiangqi>(&reader, target, keep, memory, rules::<Xiangqi>(), watch)
            })
            .unwrap();
            assert_eq!((report.equal_games, report.counts.games_out), (1, 40), "{name}");
            let once = read(&folder.path(&name));
            let is_kept = |flags: PlyFlags| !flags.contains(PlyFlags::DUPLICATE);
            let kept = keys(&once, is_kept);
            assert_eq!(kept.iter().map(|&(key, _)| key).collect::<BTreeSet<_>>(), distinct);
            assert_eq!(kept.len(), distinct.len(), "{name}");
            let mut groups: BTreeMap<u64, Vec<PlyFlags>> = BTreeMap::new();
            for (key, flags) in keys(&once, |_| true) {
                groups.entry(key).or_default().push(flags);
            }
            for flags in groups.values() {
                let at = flags.iter().position(|&flags| is_kept(flags)).unwrap();
                let teacher = flags.iter().position(|flags| flags.contains(PlyFlags::TEACHER));
                let expected = match keep {
                    Keep::First => 0,
                    Keep::Last => flags.len() - 1,
                    Keep::Teacher => teacher.unwrap_or(0),
                };
                assert_eq!(at, expected, "{name}");
            }
            assert!(report.duplicates > 5);
            // Nothing but marks has changed.
            let mut unmarked = once;
            for ply in unmarked.iter_mut().flat_map(|game| &mut game.plies) {
                ply.flags = ply.flags.without(PlyFlags::DUPLICATE);
            }
            assert_eq!(unmarked, all[..40]);
        }
        let twice =
            [64, 0].map(|memory| fs::read(folder.path(&format!("{name}{memory}"))).unwrap());
        assert_eq!(twice[0], twice[1]);
    }
}

#[test]
fn filters_leave_out_what_they_say() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(9, 30, 80);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let conditions = Filter {
        min_ply: Some(8),
        max_score: Some(500),
        no_bounds: true,
        no_check: true,
        no_captures: true,
        ends: vec![EndReason::LengthLimit],
        ..Filter::default()
    };
    let run = |reader: &Reader, name: &str, conditions: &Filter, earlier: Earlier| {
        let params = Arc::default();
        unwatched(|watch| {
            let rules = rules::<Xiangqi>();
            filter::<Xiangqi>(
                reader,
                folder.target(name),
                conditions,
                earlier,
                &params,
                rules,
                watch,
            )
        })
        .unwrap()
    };
    let report = run(&reader, "filtered", &conditions, Earlier::Keep);
    let filtered = read(&folder.path("filtered"));
    let mut kept = 0;
    for (before, after) in all.iter().zip(&filtered) {
        for (index, (old, new)) in before.plies.iter().zip(&after.plies).enumerate() {
            let unwanted = PlyFlags::LOWER | PlyFlags::UPPER | PlyFlags::IN_CHECK | PlyFlags::NOISY;
            let is_wanted = before.first_ply as usize + index >= 8
                && old.score.is_some_and(|score| score.get().abs() <= 500)
                && !old.flags.intersects(unwanted)
                && before.end != EndReason::LengthLimit;
            assert_eq!(new.is_used(), is_wanted, "game {}, ply {index}", before.number);
            assert_eq!(new.flags.without(PlyFlags::EXCLUDED), old.flags);
            kept += u64::from(is_wanted);
        }
    }
    assert!(kept > 0);
    assert_eq!(report.counts.positions_out, kept);
    let refused: u64 = report.reasons.iter().map(|(_, count)| count).sum();
    assert_eq!(report.counts.positions_in - refused, kept);

    // Marks stay, or are forgotten.
    let reader = Reader::open(&folder.path("filtered")).unwrap();
    let none = Filter { max_ply: Some(10_000), ..Filter::default() };
    assert_eq!(run(&reader, "kept", &none, Earlier::Keep).counts.positions_out, kept);
    let before = report.counts.positions_in;
    assert_eq!(run(&reader, "reset", &none, Earlier::Forget).counts.positions_out, before);
    let header = Reader::open(&folder.path("reset")).unwrap().header().clone();
    assert_eq!(history(&header), ["filter", "filter"]);
    assert_eq!(header.settings["history"][0]["counts"]["positions_out"], kept);
}

#[test]
fn quiet_positions_keep_their_score_in_quiescence() {
    let folder = Folder::new();
    let reader = folder.file::<Xiangqi>("games", 1, &games::<Xiangqi>(10, 10, 60));
    let run = |name: &str, margin: i32| {
        let conditions = Filter { quiet: Some(margin), ..Filter::default() };
        let (params, rules) = (Arc::default(), rules::<Xiangqi>());
        unwatched(|watch| {
            let target = folder.target(name);
            filter::<Xiangqi>(&reader, target, &conditions, Earlier::Keep, &params, rules, watch)
        })
        .unwrap();
        read(&folder.path(name))
    };
    let used = |games: &[Chain]| {
        games.iter().flat_map(|game| &game.plies).filter(|ply| ply.is_used()).count()
    };
    let (strict, loose) = (run("strict", 0), run("loose", 200));
    assert!(0 < used(&strict) && used(&strict) < used(&loose));
    assert_eq!(strict, run("again", 0));
    let hanging = "4k4/9/9/9/4r4/9/9/4R4/9/4K4 w - - 0 1";
    let quiet = "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1";
    let mut searcher = kyokumen::search::Searcher::<Xiangqi>::new(Arc::default(), 1).unwrap();
    let mut difference = |text: &str| {
        let position = Xiangqi::parse_position(text, rules::<Xiangqi>()).unwrap().position;
        searcher.quiescence(&position).get() - searcher.evaluate(&position).get()
    };
    assert!(difference(hanging) > 500);
    assert_eq!(difference(quiet), 0);
}

#[test]
fn a_sample_has_its_size_and_depends_on_its_seed() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(11, 30, 40);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let used = |games: &[Chain]| {
        games.iter().flat_map(|game| &game.plies).filter(|ply| ply.is_used()).count()
    };
    let run = |name: &str, unit: Unit, amount: Amount, seed: u64| {
        let target = folder.target(name);
        unwatched(|watch| sample(&reader, target, unit, amount, seed, watch)).unwrap();
        read(&folder.path(name))
    };
    let some = run("some", Unit::Positions, Amount::Number(100), 1);
    assert_eq!(used(&some), 100);
    assert_eq!(some, run("again", Unit::Positions, Amount::Number(100), 1));
    assert_ne!(some, run("other", Unit::Positions, Amount::Number(100), 2));
    assert!(some.iter().all(|game| game.plies.iter().any(|ply| ply.is_used())));
    assert_eq!(used(&run("all", Unit::Positions, Amount::Number(1 << 40), 1)), used(&all));
    let half = run("half", Unit::Positions, Amount::Share(0.5), 1);
    assert_eq!(used(&half), (used(&all) as f64 / 2.0).round() as usize);
    let few = run("few", Unit::Games, Amount::Number(7), 1);
    assert_eq!(few.len(), 7);
    assert!(few.iter().all(|game| all.contains(game)));
}

#[test]
fn rescoring_keeps_the_moves_and_can_be_taken_up_again() {
    let folder = Folder::new();
    let all = games::<Xiangqi>(12, 14, 12);
    let reader = folder.file::<Xiangqi>("games", 1, &all);
    let plan = Plan::<Xiangqi> {
        effort: Effort { depth: Some(2), soft_nodes: None, hard_nodes: Some(3000) },
        params: Arc::default(),
        hash_mib: 1,
        scope: Scope::Used,
    };
    let rules = rules::<Xiangqi>();
    let report =
        unwatched(|watch| rescore(&reader, &folder.path("whole"), &plan, rules, watch)).unwrap();
    let new = read(&folder.path("whole"));
    for (before, after) in all.iter().zip(&new) {
        assert_eq!((before.result, before.end), (after.result, after.end));
        for (old, new) in before.plies.iter().zip(&after.plies) {
            assert_eq!(old.code, new.code);
            if old.score.is_none() {
                assert_eq!(old, new);
            } else {
                assert!(new.flags.contains(PlyFlags::RESCORED) && new.score.is_some());
                assert_eq!(new.flags.contains(PlyFlags::SAMPLED), new.best.is_some());
            }
        }
    }
    let scored = all.iter().flat_map(|game| &game.plies).filter(|ply| ply.score.is_some()).count();
    assert_eq!(report.positions, scored as u64);
    let rescored = Reader::open(&folder.path("whole")).unwrap();
    let checked = unwatched(|watch| verify::<Xiangqi>(&rescored, rules, watch)).unwrap();
    assert_eq!(checked.games, 14);

    // Cut in the middle, as a kill would leave it.
    let bytes = fs::read(folder.path("whole")).unwrap();
    let cut = block_starts(&rescored)[2] as usize + 30;
    fs::write(folder.path("cut"), &bytes[..cut]).unwrap();
    let report =
        unwatched(|watch| rescore(&reader, &folder.path("cut"), &plan, rules, watch)).unwrap();
    assert_eq!((report.resumed, report.games), (8, 6));
    assert!(fs::read(folder.path("cut")).unwrap() == bytes);
}

#[test]
fn a_stopped_tool_leaves_nothing_behind() {
    let folder = Folder::new();
    let reader = folder.file::<Xiangqi>("games", 1, &games::<Xiangqi>(13, 8, 10));
    let (result, _) = watched(|watch| {
        watch.stop.store(true, Ordering::Relaxed);
        shuffle(&reader, folder.target("out"), 1, 64, watch)
    });
    assert!(matches!(result, Err(ToolError::Interrupted)));
    assert_eq!(folder.names(), ["games"]);
}

#[test]
fn an_existing_output_or_an_input_is_refused() {
    let folder = Folder::new();
    let path = folder.path("file");
    fs::write(&path, "mine").unwrap();
    let text = Target::new(&path, Existing::Refuse, &[]).unwrap_err().to_string();
    assert!(text.contains("it exists already; replace it with --force"), "{text}");
    let text = Target::new(&path, Existing::Replace, &[&path]).unwrap_err().to_string();
    assert!(text.contains("it is an input too"), "{text}");
    assert!(Target::new(folder.0.path(), Existing::Replace, &[]).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn a_link_is_replaced_and_its_target_left_alone() {
    use std::io::Write;
    let folder = Folder::new();
    let (file, link) = (folder.path("file"), folder.path("link"));
    fs::write(&file, "mine").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert!(Target::new(&link, Existing::Refuse, &[]).is_err());
    let target = Target::new(&link, Existing::Replace, &[]).unwrap();
    target.create().unwrap().write_all(b"new").unwrap();
    target.commit().unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(fs::read(&link).unwrap(), b"new");
    assert!(!link.is_symlink());
}
