//! `uci`, `ucci`, `usi`, `atsi` and `protocol`: conversations on standard input and output.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::Arc;

use clap::Args;
use crossbeam_channel::Receiver;

use super::args::{EngineArgs, GameArgs, ParamsArgs, RuleArgs};
use super::failure::Failure;
use crate::game::{Evaluate, Game, Named};
use crate::games::{self, Command, GameId};
use crate::protocol::input::{Line, lines};
use crate::protocol::options::Kept;
use crate::protocol::{Dialect, End, Protocol, Setting, run};

/// Talk to a user interface or a match program on standard input and output
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = "\
Examples:
  kyokumen uci
  kyokumen ucci --hash 256 --threads 4
  kyokumen uci --game taikyoku
  kyokumen atsi --rules atsa

Type `help` for the commands. The end of input ends the program.")]
pub struct ProtocolArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Threads and hash table to begin with; the other side may change them.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// The parameters.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// The rules.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// Size of the transposition table where nobody asks for another, MiB.
const DEFAULT_HASH_MIB: u64 = 16;
/// Threads where nobody asks for more: user interfaces expect one.
const DEFAULT_THREADS: u32 = 1;
/// The rule set of the web client that speaks ATSI.
const ATSI_RULES: &str = "atsa";

impl ProtocolArgs {
    /// Talks in a protocol; `None`: in the one that the first line opens.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, protocol: Option<Protocol>) -> Result<(), Failure> {
        let mut input = lines(io::stdin());
        let protocol = match protocol {
            Some(protocol) => protocol,
            None => match choose(&mut input) {
                Some(protocol) => protocol,
                None => return Ok(()),
            },
        };
        let usual = match protocol {
            Protocol::Uci(Dialect::Uci | Dialect::Ucci) => GameId::Xiangqi,
            Protocol::Uci(Dialect::Usi) | Protocol::Atsi => GameId::Taikyoku,
        };
        let mut game = self.game.game.unwrap_or(usual);
        let mut kept = None;
        loop {
            let end = games::dispatch(game, Run { args: self, protocol, kept, input: &input })?;
            match end {
                End::Quit => return Ok(()),
                End::Variant(name, options) => {
                    game = name.parse().expect("the session offers the names of the games");
                    kept = Some(options);
                }
            }
        }
    }
}

/// The protocol that the first words open. Lines that any protocol has, such as `isready`, mean UCI.
///
/// The line is put back for the session. `None`: the input ended before it said anything.
fn choose(input: &mut Receiver<Line>) -> Option<Protocol> {
    if io::stdin().is_terminal() {
        // For people; a program that reads standard error sees nothing here.
        let _ = writeln!(
            io::stderr(),
            "Type uci, ucci, usi or atsiinit; `kyokumen --help` lists the commands."
        );
    }
    let first = input.iter().find(|line| !(line.text.is_empty() && line.complete))?;
    let protocol = Protocol::opened_by(&first).unwrap_or(Protocol::Uci(Dialect::Uci));
    let rest = std::mem::replace(input, crossbeam_channel::never());
    let (sender, receiver) = crossbeam_channel::bounded(0);
    *input = receiver;
    std::thread::spawn(move || {
        for line in std::iter::once(first).chain(rest) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Some(protocol)
}

struct Run<'a> {
    args: &'a ProtocolArgs,
    protocol: Protocol,
    /// The options set in another game before.
    kept: Option<Kept>,
    input: &'a Receiver<Line>,
}

impl Command for Run<'_> {
    type Output = Result<End, Failure>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { args, protocol, kept, input } = self;
        // A player's board may hold anything; it is mentioned.
        let mut rules = RuleArgs { lenient: true, ..args.rules.clone() };
        let mut notes = Vec::new();
        // Arguments for the game that the session began with may mean nothing in another one.
        let is_other_game = kept.is_some();
        if is_other_game
            && let Some(name) = rules.rules.take_if(|name| G::RuleSet::from_name(name).is_none())
        {
            let usual = G::RuleSet::ALL[0].name();
            notes.push(format!("{} has no rule set {name}; the rules are {usual}", G::NAME));
        }
        if is_other_game && let Err(failure) = rules.resolve::<G>() {
            rules.stalemate_draws = false;
            notes.push(failure.to_string());
        }
        let params = match args.params.resolve::<G>() {
            Err(failure) if is_other_game => {
                notes.push(format!("--params is not for {}: {failure}; left out", G::NAME));
                Arc::default()
            }
            params => Arc::new(params?),
        };
        if rules.rules.is_none()
            && protocol == Protocol::Atsi
            && <G as Game>::RuleSet::from_name(ATSI_RULES).is_some()
        {
            rules.rules = Some(ATSI_RULES.to_owned());
        }
        let variants = match protocol {
            Protocol::Uci(Dialect::Uci) => GameId::ALL.iter().map(|game| game.name()).collect(),
            Protocol::Uci(Dialect::Ucci | Dialect::Usi) | Protocol::Atsi => vec![G::NAME],
        };
        let setting = Setting::<G> {
            params,
            hash_mib: kept.as_ref().map_or_else(
                || args.engine.hash.unwrap_or(DEFAULT_HASH_MIB).max(1) as usize,
                |kept| kept.hash_mib,
            ),
            threads: args.engine.threads.unwrap_or(DEFAULT_THREADS) as usize,
            rules: rules.resolve::<G>()?,
            chosen_limits: rules.chosen_limits(),
            variants,
            kept,
            notes,
        };
        let mut output = BufWriter::new(io::stdout().lock());
        let end = run(protocol, &setting, input, &mut output);
        // What could not be written must not be tried again when the buffer is dropped.
        let (_, _) = output.into_parts();
        match end.map_err(Failure::from) {
            Ok(end) => Ok(end),
            // A reader that goes away is how some programs end their engines.
            Err(Failure::ClosedPipe) => Ok(End::Quit),
            Err(failure) => Err(failure),
        }
    }
}
