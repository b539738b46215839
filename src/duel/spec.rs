//! The text that describes an engine of a match: `cmd=./engine,proto=uci,name=X,option.Hash=16`.
//!
//! Pairs of name and value, separated by commas; `\,` is a comma inside a value. Without `cmd` it is our own search in this
//! process. What the names mean for a game (rule sets, parameter files) is resolved elsewhere.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::pace::{Pace, parse_control, parse_count};
use crate::protocol::{Dialect, Protocol};

/// An engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// The text it was read from.
    pub text: String,
    /// The name in records; `None`: by its kind.
    pub name: Option<String>,
    /// Its own limits, in place of those of the match.
    pub pace: Pace,
    /// How far it may overstep its time; `None`: as the match allows.
    pub margin: Option<Duration>,
    /// What it is.
    pub kind: EngineKind,
}

/// What an engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// Our own search in this process.
    Own(OwnSpec),
    /// A program.
    External(ExternalSpec),
}

/// Our own search with some settings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnSpec {
    /// A file of parameters.
    pub params: Option<PathBuf>,
    /// Threads.
    pub threads: Option<usize>,
    /// Size of the transposition table.
    pub hash_mib: Option<usize>,
    /// The rule set that it thinks the game is played by.
    pub rules: Option<String>,
}

/// A program that speaks a protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalSpec {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set.
    pub options: Vec<(String, String)>,
    /// How it writes squares.
    pub squares: Squares,
    /// The notation of moves of several steps in ATSI.
    pub step_notation: &'static str,
}

/// How a program writes the ranks of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Squares {
    /// As we do.
    #[default]
    Ours,
    /// One higher: the first rank of xiangqi is 1.
    FromOne,
}

const NAMES: &str = "cmd, args, dir, proto, name, option.NAME, ranks, order, params, threads, hash, rules, nodes, depth, \
                     movetime, tc, margin";

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut name = None;
        let mut pace = Pace::default();
        let mut margin = None;
        let mut own = OwnSpec::default();
        let mut own_name = None;
        let mut program = None;
        let mut external = ExternalSpec {
            program: PathBuf::new(),
            arguments: Vec::new(),
            directory: None,
            protocol: Protocol::Uci(Dialect::Uci),
            options: Vec::new(),
            squares: Squares::Ours,
            step_notation: "atsi",
        };
        let mut external_name = None;
        for (key, value) in pairs(text)? {
            let bad = |what: &str| format!("{key}={value}: {what}");
            match key.as_str() {
                "cmd" if value.is_empty() => return Err(bad("name a program")),
                "cmd" => program = Some(PathBuf::from(&value)),
                "name" => name = Some(value).filter(|name| !name.is_empty()),
                "nodes" => pace.nodes = Some(parse_count(&value)?),
                "depth" => {
                    let depth = value.parse().ok().filter(|depth| (1..=127).contains(depth));
                    pace.depth = Some(depth.ok_or_else(|| bad("write a depth from 1 to 127"))?);
                }
                "movetime" => {
                    let ms = value.parse().ok().filter(|&ms: &u64| ms > 0);
                    let ms = ms.ok_or_else(|| bad("write milliseconds, at least 1"))?;
                    pace.movetime = Some(Duration::from_millis(ms));
                }
                "margin" => {
                    let ms = value.parse().map_err(|_| bad("write milliseconds"))?;
                    margin = Some(Duration::from_millis(ms));
                }
                "tc" => pace.control = Some(parse_control(&value)?),
                "params" | "threads" | "hash" | "rules" => {
                    match key.as_str() {
                        "params" => own.params = Some(PathBuf::from(&value)),
                        "rules" => own.rules = Some(value.clone()),
                        "threads" => {
                            let threads = value.parse().ok().filter(|n| (1..=1024).contains(n));
                            own.threads = Some(threads.ok_or_else(|| bad("write 1 to 1024"))?);
                        }
                        _ => {
                            let mib = value.parse().ok().filter(|mib| (0..=1 << 20).contains(mib));
                            own.hash_mib = Some(mib.ok_or_else(|| bad("write a size in MiB"))?);
                        }
                    }
                    own_name = Some(key);
                }
                _ => {
                    match key.as_str() {
                        "args" => {
                            external.arguments.extend(value.split_whitespace().map(str::to_owned));
                        }
                        "dir" => external.directory = Some(PathBuf::from(&value)),
                        "proto" => {
                            external.protocol = protocol(&value)
                                .ok_or_else(|| bad("the protocols are uci, ucci, usi and atsi"))?;
                        }
                        "ranks" => {
                            external.squares = match value.as_str() {
                                "0" => Squares::Ours,
                                "1" => Squares::FromOne,
                                _ => return Err(bad("write 0 or 1, the number of the first rank")),
                            }
                        }
                        "order" => {
                            external.step_notation = match value.as_str() {
                                "document" => "atsi",
                                "tomatene" => "tomatene",
                                _ => return Err(bad("the orders are document and tomatene")),
                            }
                        }
                        _ => match key.strip_prefix("option.") {
                            Some(option) if !option.is_empty() => {
                                external.options.push((option.to_owned(), value));
                            }
                            _ => {
                                return Err(format!("unknown name '{key}'; the names are {NAMES}"));
                            }
                        },
                    }
                    external_name = Some(key);
                }
            }
        }
        let kind = match program {
            Some(program) => {
                if let Some(name) = own_name {
                    return Err(format!(
                        "{name} is for our own engine; give a program its settings as \
                         option.NAME=VALUE"
                    ));
                }
                EngineKind::External(ExternalSpec { program, ..external })
            }
            None => {
                if let Some(name) = external_name {
                    return Err(format!("{name} is for a program; add cmd=PROGRAM"));
                }
                EngineKind::Own(own)
            }
        };
        Ok(Self { text: text.to_owned(), name, pace, margin, kind })
    }
}

impl EngineSpec {
    /// The name in records where none is given.
    pub fn usual_name(&self) -> String {
        match (&self.name, &self.kind) {
            (Some(name), _) => name.clone(),
            (None, EngineKind::Own(_)) => "kyokumen".to_owned(),
            (None, EngineKind::External(external)) => external
                .program
                .file_name()
                .map_or_else(|| "engine".to_owned(), |name| name.to_string_lossy().into_owned()),
        }
    }
}

fn protocol(name: &str) -> Option<Protocol> {
    if name == "atsi" {
        return Some(Protocol::Atsi);
    }
    Dialect::ALL.into_iter().find(|dialect| dialect.name() == name).map(Protocol::Uci)
}

/// The pairs of name and value of a text.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let part = parts.last_mut().expect("there is always a part");
        match letter {
            '\\' if letters.peek() == Some(&',') => part.extend(letters.next()),
            ',' => parts.push(String::new()),
            _ => part.push(letter),
        }
    }
    parts
        .into_iter()
        .filter(|part| !part.trim().is_empty() && part.trim() != "own")
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(format!("'{part}' has no value; write NAME=VALUE, or `own`")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EngineSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn programs_and_our_own_engine_are_told_apart() {
        let spec = read(
            "cmd=/opt/x/fish,proto=ucci,ranks=1,args=-a --b,option.Move Overhead=5,option.T=a\\,b",
        );
        assert_eq!(spec.usual_name(), "fish");
        let EngineKind::External(external) = spec.kind else { panic!("a program") };
        assert_eq!(external.protocol, Protocol::Uci(Dialect::Ucci));
        assert_eq!(external.squares, Squares::FromOne);
        assert_eq!(external.arguments, ["-a", "--b"]);
        let options = [("Move Overhead", "5"), ("T", "a,b")];
        assert_eq!(external.options, options.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let spec = read("own,nodes=2k,hash=4,name=small");
        assert_eq!((spec.usual_name().as_str(), spec.pace.nodes), ("small", Some(2000)));
        let own = OwnSpec { hash_mib: Some(4), ..OwnSpec::default() };
        assert_eq!(spec.kind, EngineKind::Own(own));
        assert_eq!(read("").usual_name(), "kyokumen");
    }

    #[test]
    fn bad_specs_name_the_bad_part() {
        for (text, part) in [
            ("cmd=x,threads=2", "option.NAME"),
            ("ranks=1", "cmd=PROGRAM"),
            ("cmd=x,ranks=2", "ranks=2"),
            ("cmd=x,proto=cecp", "uci, ucci"),
            ("cmd=", "program"),
            ("colour=red", "'colour'"),
            ("fast", "'fast'"),
            ("depth=0", "depth=0"),
            ("movetime=-1", "movetime=-1"),
            ("tc=x", "'x'"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
