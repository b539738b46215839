//! Files of random games that obey the rules, for tests of the tools.

use std::path::Path;

use kyokumen::data::{
    Chain, EndReason, Header, Ply, PlyFlags, Reader, RuleSettings, Writer, header::evaluation_hash,
};
use kyokumen::dataset::{Fault, Watch};
use kyokumen::game::{Evaluate, Game, GameResult, MoveKind, Named, Rules};
use kyokumen::score::Score;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

pub(crate) fn rules<G: Game>() -> Rules<G::RuleSet> {
    G::rules(G::RuleSet::ALL[0])
}

pub(crate) fn header<G: Evaluate>(seed: u64, block_games: u32) -> Header {
    Header {
        game: G::NAME.to_owned(),
        rules: RuleSettings::of(rules::<G>()),
        engine: "kyokumen test".to_owned(),
        commit: None,
        evaluation: evaluation_hash::<G>(&G::Params::default()),
        seed,
        block_games,
        settings: serde_json::Map::new(),
    }
}

/// A random game of at most `most_plies`; every third one has an opening without scores, every fourth a start text.
pub(crate) fn game<G: Evaluate>(seed: u64, number: u64, most_plies: usize) -> Chain {
    let mut random = Random(seed ^ number << 32);
    let params = G::Params::default();
    let mut position = G::start(rules::<G>());
    let mut first_ply = 0;
    let mut start = None;
    let mut moves = Vec::new();
    if number % 4 == 1 {
        for _ in 0..5 {
            moves.clear();
            G::generate(&position, MoveKind::All, &mut moves);
            let mv = moves[random.below(moves.len())];
            G::make(&mut position, mv);
        }
        first_ply = 5;
        let text = G::format_position(&position, G::Format::ALL[0]).unwrap();
        position = G::parse_position(&text, rules::<G>()).unwrap().position;
        start = Some(text);
    }
    let opening = if number % 3 == 0 { 4 } else { 0 };
    let mut plies = Vec::new();
    let (result, end) = loop {
        let verdict = G::judge(&position);
        if verdict.result != GameResult::None {
            break (verdict.result, verdict.rule.unwrap().into());
        }
        if plies.len() >= most_plies {
            break (GameResult::Draw, EndReason::LengthLimit);
        }
        moves.clear();
        G::generate(&position, MoveKind::All, &mut moves);
        let noisy: Vec<G::Move> =
            moves.iter().copied().filter(|&mv| G::is_noisy(&position, mv)).collect();
        let mv = match noisy.len() {
            0 => moves[random.below(moves.len())],
            // Captures often, so that pieces go and games end.
            _ if random.below(3) == 0 => noisy[random.below(noisy.len())],
            _ => moves[random.below(moves.len())],
        };
        let is_opening = plies.len() < opening;
        let mut flags = PlyFlags::default();
        let mut best = mv;
        if !is_opening && random.below(8) == 0 {
            best = moves[random.below(moves.len())];
        }
        if best != mv {
            flags = flags | PlyFlags::SAMPLED;
        }
        if G::in_check(&position) {
            flags = flags | PlyFlags::IN_CHECK;
        }
        if G::is_noisy(&position, best) {
            flags = flags | PlyFlags::NOISY;
        }
        let score = if is_opening {
            flags = flags | PlyFlags::RANDOM;
            None
        } else {
            Some(match random.below(40) {
                0 => Score::mate_in(2 * random.below(9) + 1),
                1 => Score::mated_in(2 * random.below(9)),
                2 => Score::rule_win_in(random.below(30)),
                3 => Score::rule_loss_in(random.below(30)),
                _ => G::evaluate(&position, &params),
            })
        };
        if score.is_some() {
            match random.below(20) {
                0 => flags = flags | PlyFlags::TEACHER,
                1 => flags = flags | PlyFlags::LOWER,
                2 => flags = flags | PlyFlags::UPPER,
                _ => {}
            }
        }
        let best_code = (best != mv).then(|| G::encode(best));
        plies.push(Ply { code: G::encode(mv), score, flags, best: best_code });
        G::make(&mut position, mv);
    };
    Chain { number, start, first_ply, plies, result, end }
}

pub(crate) fn games<G: Evaluate>(seed: u64, count: u64, most_plies: usize) -> Vec<Chain> {
    (0..count).map(|number| game::<G>(seed, number, most_plies)).collect()
}

pub(crate) fn write(path: &Path, header: &Header, games: &[Chain]) {
    let mut writer = Writer::create(path, header).unwrap();
    games.iter().for_each(|game| writer.push(game.clone()).unwrap());
    writer.finish().unwrap();
}

pub(crate) fn read(path: &Path) -> Vec<Chain> {
    let reader = Reader::open(path).unwrap();
    let mut games = Vec::new();
    for block in reader.blocks() {
        games.extend(block.unwrap().games().map(|game| game.to_chain()));
    }
    games
}

/// Runs a tool; gives what it could not use.
pub(crate) fn watched<T>(work: impl FnOnce(&mut Watch<'_>) -> T) -> (T, Vec<Fault>) {
    let mut faults = Vec::new();
    let result = work(&mut Watch {
        stop: Default::default(),
        progress: &mut |_, _| (),
        fault: &mut |fault| faults.push(fault),
    });
    (result, faults)
}

/// Runs a tool that finds nothing wrong.
#[track_caller]
pub(crate) fn unwatched<T>(work: impl FnOnce(&mut Watch<'_>) -> T) -> T {
    let (result, faults) = watched(work);
    assert_eq!(faults, []);
    result
}
