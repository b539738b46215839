//! Players that are programs: started when needed, spoken to over pipes, started anew after a crash.

mod atsi;
mod process;
mod uci;

use std::time::Duration;

pub use self::process::ProcessError;

use self::atsi::AtsiTalk;
use self::process::Process;
use self::uci::UciTalk;
use super::player::{Allowance, Board, Choice, Lapse, Outcome, Player, Stop};
use super::spec::ExternalSpec;
use crate::game::{Game, Side};
use crate::protocol::Protocol;

/// Time for an engine to start and to get ready.
const READY_PATIENCE: Duration = Duration::from_secs(30);

/// A program as a player.
pub struct External {
    spec: ExternalSpec,
    stop: Stop,
    talk: Option<Talk>,
}

enum Talk {
    Uci(UciTalk),
    Atsi(AtsiTalk),
}

impl External {
    /// A player. The program is started with the first game.
    pub fn new(spec: ExternalSpec, stop: Stop) -> Self {
        Self { spec, stop, talk: None }
    }

    /// Finds out whether the program can be started at all, without talking to it.
    ///
    /// # Errors
    /// The system cannot start it.
    pub fn try_start(spec: &ExternalSpec) -> Result<(), ProcessError> {
        Process::start(spec, Stop::default()).map(drop)
    }

    fn ready(&mut self) -> Result<&mut Talk, Lapse> {
        if self.talk.is_none() {
            let process = Process::start(&self.spec, self.stop.clone())
                .map_err(|error| Lapse::Crash(error.to_string()))?;
            self.talk = Some(match self.spec.protocol {
                Protocol::Uci(dialect) => Talk::Uci(UciTalk::open(process, dialect, &self.spec)?),
                Protocol::Atsi => Talk::Atsi(AtsiTalk::open(process, &self.spec)?),
            });
        }
        Ok(self.talk.as_mut().expect("it was started just now"))
    }
}

impl<G: Game> Player<G> for External {
    fn begin(&mut self, side: Side, allowance: &Allowance) -> Result<(), Lapse> {
        match self.ready()? {
            Talk::Uci(talk) => talk.begin(side),
            Talk::Atsi(talk) => talk.begin(side, allowance),
        }
    }

    fn choose(
        &mut self,
        board: &Board<'_, G>,
        allowance: &Allowance,
    ) -> Result<Choice<G::Move>, Lapse> {
        match self.ready()? {
            Talk::Uci(talk) => talk.choose::<G>(board, allowance),
            Talk::Atsi(talk) => talk.choose::<G>(board, allowance),
        }
    }

    fn end(&mut self, outcome: Outcome) {
        if let Some(Talk::Atsi(talk)) = &mut self.talk {
            talk.end(outcome);
        }
    }

    fn restart(&mut self) {
        self.talk = None;
    }
}
