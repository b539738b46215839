//! Scripts of valid and invalid commands in any order, interleaved with thinking.
//!
//! The number of scripts is small by default; `KYOKUMEN_FUZZ_SCRIPTS=500` runs more. Each script has its seed, and a failure
//! names it. The slowest answer to `isready` is printed and not asserted: the machine may be busy with other things.

use std::time::{Duration, Instant};

use crate::engine::Engine;

const SCRIPTS: u64 = 60;
const COMMANDS: u64 = 14;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

/// Commands that are answered with exactly one `bestmove`, at once or after `stop`.
const ACCEPTED: &[&str] = &[
    "go depth 1",
    "go depth 4",
    "go nodes 1",
    "go nodes 3000",
    "go movetime 1",
    "go movetime 30",
    "go wtime 1 btime 1",
    "go wtime -5 btime -5",
    "go wtime 500 btime 500 winc 5 binc 5",
    "go infinite",
    "go",
    "go ponder wtime 100 btime 100",
    "go ponder depth 3",
    "go infinite searchmoves h2e2",
    "go depth 2 searchmoves z0z0",
    "go mate 1 nodes 500",
    "go movetime 5 nonsense 3",
    "go ponder infinite",
    "go depth 99999999999999999999 nodes 2000",
];

/// Everything else.
const OTHERS: &[&str] = &[
    "uci",
    "stop",
    "stop",
    "ponderhit",
    "ucinewgame",
    "position startpos",
    "d",
    "eval",
    "help",
    "",
    "position startpos moves h2e2 h9g7",
    "position startpos moves h2e2 h2e2",
    "position fen",
    "position",
    "position fen 3aka3/4n4/9/9/9/9/2C6/9/6r2/3AK4 b - - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/9/9 w",
    "position fen R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1",
    "go depth x",
    "go depth",
    "go perft 2",
    "perft 1",
    "setoption name Hash value 1",
    "setoption name Hash value 4",
    "setoption name Hash value 99999999",
    "setoption name Threads value 1",
    "setoption name Threads value 3",
    "setoption name MultiPV value 5",
    "setoption name MultiPV value 1",
    "setoption name Skill Level value 3",
    "setoption name Skill Level value 20",
    "setoption name Rules value wxf",
    "setoption name Rules value x",
    "setoption name Clear Hash",
    "setoption name",
    "setoption",
    "setoption name UCI_ShowWDL value true",
    "setoption name MoveLimit value 0",
    "setoption name Move Overhead value 0",
    "bench 1",
    "bench x",
    "banmoves",
    "ucci",
    "isready now",
    "\u{1}\u{2}",
    "go go go",
    "position startpos startpos",
    "register",
    "debug on",
    "info string hello",
    "bestmove a0a1",
    "quitt",
];

#[test]
fn random_scripts_neither_hang_nor_crash_the_engine() {
    let scripts = std::env::var("KYOKUMEN_FUZZ_SCRIPTS").ok().and_then(|text| text.parse().ok());
    let mut slowest = Duration::ZERO;
    let mut asked = 0;
    for seed in 1..=scripts.unwrap_or(SCRIPTS) {
        println!("script {seed}");
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut engine = Engine::uci();
        let (mut expected, mut answers) = (0, 0);
        let mut count = |lines: &[String]| {
            answers += lines.iter().filter(|line| line.starts_with("bestmove")).count();
            answers
        };
        for _ in 0..COMMANDS {
            match random.below(8) {
                0..=2 => {
                    engine.send(random.one_of(ACCEPTED));
                    expected += 1;
                }
                3..=5 => {
                    let command = random.one_of(OTHERS);
                    // The word `go` alone, thrice, is a search without bounds and with two unknown words.
                    expected += usize::from(command == "go go go");
                    // `isready` reads its first word only.
                    engine.send(command);
                    if command.starts_with("isready") {
                        count(&engine.until("readyok"));
                    }
                }
                6 => std::thread::sleep(Duration::from_millis(random.below(40))),
                _ => {
                    let started = Instant::now();
                    count(&engine.ready());
                    slowest = slowest.max(started.elapsed());
                    asked += 1;
                }
            }
        }
        count(&engine.ready());
        engine.send("stop");
        let rest = if random.below(2) == 0 { engine.quit() } else { engine.close() };
        assert_eq!(count(&rest), expected, "script {seed}");
    }
    println!("{asked} times isready in between, the slowest answer after {slowest:?}");
}
