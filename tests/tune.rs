//! Fitting weights: features agree with the evaluation, gradients with differences, and known weights are found again.

mod tune_support;

use std::sync::atomic::AtomicBool;

use kyokumen::game::{Evaluate, Game, MoveKind, Named, Rules, Side};
use kyokumen::games::taikyoku::Taikyoku;
use kyokumen::games::xiangqi::Xiangqi;
use kyokumen::tune::fit::{Fitted, Settings, fit};
use kyokumen::tune::loss::{Objective, sigmoid};
use kyokumen::tune::sample::{Features, Outcome, Samples};
use kyokumen::tune::split::split;
use kyokumen::tune::{Model, Tunable, scale};
use tune_support::{Random, random_game};

/// Positions of random games with the evaluation of each, from the first player's view.
fn positions<G: Evaluate>(
    rules: Rules<G::RuleSet>,
    games: u64,
    plies: usize,
    mut visit: impl FnMut(&G::Position),
) {
    for game in 0..games {
        random_game::<G>(rules, game, plies, |position, _| visit(position));
    }
}

/// The evaluation by features, and by the game itself, of a position.
fn both<G: Tunable>(
    model: &G::Model,
    values: &[f64],
    params: &G::Params,
    position: &G::Position,
) -> [f64; 2] {
    let mut features = Features::default();
    model.features(position, &mut features);
    let mut samples = Samples::new();
    samples.push(&features, Outcome { game: 0, result: 0.5, score: None });
    let objective = Objective {
        curve: model,
        pairs: model.parameters().pairs,
        samples: &samples,
        scale: 1.0,
        blend: 1.0,
    };
    let sign = if G::side_to_move(position) == Side::First { 1.0 } else { -1.0 };
    [objective.evaluate(0, values), sign * f64::from(G::evaluate(position, params).get())]
}

/// Values a few units away from those of the model.
fn shaken<G: Tunable>(model: &G::Model, units: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    let list = &model.parameters().list;
    list.iter()
        .map(|parameter| {
            let away = (random.unit() - 0.5) * 2.0 * units * parameter.unit;
            let value = parameter.value + if parameter.fixed { 0.0 } else { away };
            value.clamp(*parameter.range.start(), *parameter.range.end()).round()
        })
        .collect()
}

#[test]
fn xiangqi_features_agree_with_the_evaluation() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let start = <Xiangqi as Evaluate>::Params::default();
    let model = Xiangqi::model(&start, rules);
    let usage = vec![1.0; model.parameters().list.len()];
    for round in 0..4 {
        let values = if round == 0 {
            model.parameters().values()
        } else {
            shaken::<Xiangqi>(&model, 1.0, round)
        };
        let params = model.rebuild(&values, &usage).unwrap();
        let mut seen = 0;
        positions::<Xiangqi>(rules, 60, 300, |position| {
            let [ours, exact] = both::<Xiangqi>(&model, &values, &params, position);
            // Two halves of two attacks, the mixture and the damping are each cut to whole centipawns.
            assert!((ours - exact).abs() < 4.0, "{ours} {exact} {position:?}");
            seen += 1;
        });
        assert!(seen > 5_000, "{seen} positions");
    }
}

#[test]
fn xiangqi_rebuilds_its_start() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let start = <Xiangqi as Evaluate>::Params::default();
    let model = Xiangqi::model(&start, rules);
    let values = model.parameters().values();
    let params = model.rebuild(&values, &vec![1.0; values.len()]).unwrap();
    assert_eq!(params.numbers(), start.numbers());
}

#[test]
fn taikyoku_features_agree_with_the_evaluation() {
    for (set, seed) in <Taikyoku as Game>::RuleSet::ALL.iter().zip(1..) {
        let rules = Taikyoku::rules(*set);
        let start = <Taikyoku as Evaluate>::Params::default();
        let model = Taikyoku::model(&start, rules);
        for round in 0..3 {
            let mut values = model.parameters().values();
            if round > 0 {
                values = shaken::<Taikyoku>(&model, 0.3, seed + round);
            }
            let params = model.rebuild(&values, &[]).unwrap();
            let (mut seen, mut difference) = (0, 0.0);
            positions::<Taikyoku>(rules, 2, 500, |position| {
                let [ours, exact] = both::<Taikyoku>(&model, &values, &params, position);
                // With other weights, each of some 700 pieces and 301 values is cut to whole numbers otherwise.
                let error = (ours - exact).abs();
                let worst = if round == 0 { 3.0 } else { 300.0 };
                assert!(error < worst, "round {round}: {ours} {exact}");
                difference += error;
                seen += 1;
            });
            assert!(seen >= 900, "{seen} positions");
            let mean = difference / f64::from(seen);
            assert!(
                mean < if round == 0 { 1.5 } else { 100.0 },
                "round {round}: mean error {mean}"
            );
        }
        let values = model.parameters().values();
        let same = model.rebuild(&values, &[]).unwrap();
        assert_eq!(same.numbers(), start.numbers(), "nothing changed");
    }
}

/// Samples of random games whose results are drawn by the chances that an evaluation gives.
fn drawn_samples<G: Tunable>(
    rules: Rules<G::RuleSet>,
    model: &G::Model,
    values: &[f64],
    scale: f64,
    games: u64,
) -> Samples {
    let mut samples = Samples::new();
    let mut features = Features::default();
    let mut random = Random(99);
    let mut number = 0;
    positions::<G>(rules, games, 200, |position| {
        features.clear();
        model.features(position, &mut features);
        let mut one = Samples::new();
        one.push(&features, Outcome { game: number, result: 0.5, score: None });
        let pairs = model.parameters().pairs;
        let objective = Objective { curve: model, pairs, samples: &one, scale, blend: 1.0 };
        let chance = sigmoid(scale * objective.evaluate(0, values));
        let result = if random.unit() < chance { 1.0 } else { 0.0 };
        let score = Some((objective.evaluate(0, values).round() as i16).clamp(-9000, 9000));
        // Every position stands for a game of its own, as its result does.
        samples.push(&features, Outcome { game: number, result, score });
        number += 1;
    });
    samples
}

fn check_gradient<G: Tunable>() {
    let rules = G::rules(G::RuleSet::ALL[0]);
    let model = G::model(&G::Params::default(), rules);
    let values = shaken::<G>(&model, 0.5, 5);
    let samples = drawn_samples::<G>(rules, &model, &values, 0.004, 4);
    let pairs = model.parameters().pairs;
    let objective = Objective { curve: &model, pairs, samples: &samples, scale: 0.003, blend: 0.6 };
    let numbers: Vec<u32> = (0..samples.len() as u32).collect();
    let (loss, gradient) = objective.gradient(&numbers, &values);
    assert!((loss - objective.loss(&numbers, &values)).abs() < 1e-12);
    let mut used = 0;
    for (index, parameter) in model.parameters().list.iter().enumerate() {
        let step = parameter.unit * 1e-3;
        let at = |change: f64| {
            let mut values = values.clone();
            values[index] += change;
            objective.loss(&numbers, &values)
        };
        let difference = (at(step) - at(-step)) / (2.0 * step);
        let error = (difference - gradient[index]).abs();
        assert!(
            error < 1e-9 + 1e-4 * difference.abs(),
            "{}: {difference} {}",
            parameter.name,
            gradient[index]
        );
        used += usize::from(gradient[index] != 0.0);
    }
    assert!(used > 100, "{used} parameters are used");
}

#[test]
fn gradients_agree_with_differences() {
    check_gradient::<Xiangqi>();
    check_gradient::<Taikyoku>();
}

fn settings() -> Settings {
    Settings { epochs: 30, batch: 1024, rate: 0.05, pull: 0.1, patience: 4, seed: 3 }
}

fn fitted(samples: &Samples, model: &impl Model<Xiangqi>, scale: f64) -> Fitted {
    let parameters = model.parameters();
    let split = split(samples, 0.1, 3);
    let objective = Objective { curve: model, pairs: parameters.pairs, samples, scale, blend: 1.0 };
    let stop = AtomicBool::new(false);
    fit(&objective, parameters, &split, &settings(), &stop, |_| {})
}

#[test]
fn known_weights_are_found_again() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let start = <Xiangqi as Evaluate>::Params::default();
    let model = Xiangqi::model(&start, rules);
    let mut truth = model.parameters().values();
    let place = |name: &str| {
        model.parameters().list.iter().position(|parameter| parameter.name == name).unwrap()
    };
    let moved = [
        ("material horse", 150.0),
        ("material cannon", -120.0),
        ("material chariot", 100.0),
        ("material soldier", 60.0),
    ];
    for (name, change) in moved {
        for part in ["middle", "end"] {
            truth[place(&format!("{name} {part}"))] += change;
        }
    }
    let samples = drawn_samples::<Xiangqi>(rules, &model, &truth, 0.004, 300);
    let result = fitted(&samples, &model, 0.004);
    let first = result.epochs[0].held_out;
    let best = result.epochs.iter().map(|epoch| epoch.held_out).fold(first, f64::min);
    assert!(best < first - 0.003, "held-out loss {first} -> {best}");
    // A sum of both halves, as random games have little to tell middle and end game apart.
    for (name, change) in moved {
        let both = ["middle", "end"].map(|part| {
            let place = place(&format!("{name} {part}"));
            result.values[place] - model.parameters().list[place].value
        });
        let mean = (both[0] + both[1]) / 2.0;
        assert!(
            mean * change.signum() > 0.4 * change.abs() && mean.abs() < 1.6 * change.abs(),
            "{name}: {change} was sought, {mean} found"
        );
    }
}

#[test]
fn the_scale_is_found_again() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let model = Xiangqi::model(&Default::default(), rules);
    let values = model.parameters().values();
    let samples = drawn_samples::<Xiangqi>(rules, &model, &values, 0.005, 60);
    let numbers: Vec<u32> = (0..samples.len() as u32).collect();
    let found = scale::fit(&samples, &numbers).unwrap();
    assert!((found / 0.005 - 1.0).abs() < 0.15, "{found}");
}

#[test]
fn threads_do_not_show_in_the_result() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let model = Xiangqi::model(&Default::default(), rules);
    let values = shaken::<Xiangqi>(&model, 1.0, 8);
    let samples = drawn_samples::<Xiangqi>(rules, &model, &values, 0.004, 30);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fitted(&samples, &model, 0.004))
    };
    let one = run(1);
    assert!(one.epochs.len() > 2);
    assert_eq!(one, run(2));
}

#[test]
fn positions_of_a_game_stay_together() {
    let mut samples = Samples::new();
    for number in 0..1000 {
        samples.push(&Features::default(), Outcome { game: number % 37, result: 1.0, score: None });
    }
    let split = split(&samples, 0.2, 5);
    assert_eq!(split.games, [30, 7]);
    assert_eq!(split.training.len() + split.held_out.len(), 1000);
    let games = |numbers: &[u32]| -> std::collections::BTreeSet<u32> {
        numbers.iter().map(|&number| samples.outcome(number as usize).game).collect()
    };
    assert!(games(&split.training).is_disjoint(&games(&split.held_out)));
}

#[test]
fn a_stop_ends_the_fit_with_the_best_so_far() {
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let model = Xiangqi::model(&Default::default(), rules);
    let values = shaken::<Xiangqi>(&model, 1.0, 8);
    let samples = drawn_samples::<Xiangqi>(rules, &model, &values, 0.004, 10);
    let parameters = model.parameters();
    let split = split(&samples, 0.1, 3);
    let pairs = parameters.pairs;
    let objective = Objective { curve: &model, pairs, samples: &samples, scale: 0.004, blend: 1.0 };
    let stop = AtomicBool::new(false);
    let result = fit(&objective, parameters, &split, &settings(), &stop, |epoch| {
        if epoch.number == 2 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert_eq!(result.end, kyokumen::tune::fit::End::Stopped);
    assert_eq!(result.epochs.len(), 3);
    let judged = objective.loss(&split.held_out, &result.values);
    let best = result.epochs.iter().map(|epoch| epoch.held_out).fold(f64::INFINITY, f64::min);
    assert!((judged - best).abs() < 1e-12);
}

#[test]
fn moves_that_matter_are_generated() {
    // The random games above reach the end game, or features of it would go untested.
    let rules = Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]);
    let (mut few, mut noisy) = (0, 0);
    positions::<Xiangqi>(rules, 60, 300, |position| {
        let mut moves = Vec::new();
        Xiangqi::generate(position, MoveKind::Noisy, &mut moves);
        noisy += moves.len();
        let pieces = position.occupied().count();
        few += usize::from(pieces < 12);
    });
    assert!(few > 50 && noisy > 1000, "{few} {noisy}");
}
