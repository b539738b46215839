//! `tune`: reads the arguments and the files, shows progress, writes the parameter file; [`crate::tune`] fits.

mod args;
mod display;
mod files;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use serde_json::json;

use self::args::{FilterArgs, FitArgs, TuneOutputArgs};
use self::display::Display;
use self::files::{Inputs, write_new};
use super::args::{GameArgs, ParamsArgs};
use super::failure::Failure;
use super::interrupt;
use super::number::whole;
use super::terminal::Terminal;
use crate::files::Place;
use crate::games::{self, GameId, TuningCommand};
use crate::tune::fit::{self, End};
use crate::tune::gather::Gatherer;
use crate::tune::loss::Objective;
use crate::tune::report;
use crate::tune::sample::Samples;
use crate::tune::{Model, Tunable, plot, scale, split};

/// Fit the weights of the evaluation to the results of games
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen tune games.kyo --output new.toml
  kyokumen tune a.kyo b.kyo --params now.toml --output new.toml --plot new.svg --blend 0.7
  kyokumen match --engine own,params=new.toml,name=new --engine own,name=old --random-plies 6 --movetime 50

Positions of the opening, in check, with a noisy best move, without a score, or with a mate in sight are passed over.
The same files, settings and seed give the same weights, whatever the number of threads.

Exit codes: 0 done, 2 usage, 4 input/output or damaged data (the fit is made of what is whole), 130 interrupted (the best weights so far are written).")]
pub struct TuneArgs {
    /// Files of games, of one game and one rule set
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<std::path::PathBuf>,
    /// Output.
    #[command(flatten)]
    pub output: TuneOutputArgs,
    /// The fit.
    #[command(flatten)]
    pub fit: FitArgs,
    /// The positions.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// The game: an error if the files are of the other one.
    #[command(flatten)]
    pub game: GameArgs,
    /// The weights to start from, to which the fit is drawn.
    #[command(flatten)]
    pub params: ParamsArgs,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=1024))]
    pub threads: Option<u32>,
}

impl TuneArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        let read = self.files.iter().chain(&self.params.params);
        self.output.check(&read.map(|path| Place::File(path)).collect::<Vec<_>>())?;
        let inputs = Inputs::open(&self.files)?;
        let game: GameId = inputs.game(self.game.game)?;
        // Without a number the pool takes all cores.
        let threads = self.threads.unwrap_or(0) as usize;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| Failure::Usage(format!("--threads {threads}: {error}")))?;
        let stop = interrupt::watch()?;
        let run = Run { args: self, inputs, terminal, stop };
        pool.install(|| games::dispatch_tuning(game, run))
    }
}

struct Run<'a> {
    args: &'a TuneArgs,
    inputs: Inputs,
    terminal: &'a Terminal,
    stop: Arc<AtomicBool>,
}

impl TuningCommand for Run<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Tunable>(self) -> Self::Output {
        let Self { args, inputs, terminal, stop } = self;
        let params = args.params.resolve::<G>()?;
        let rules = inputs.rules::<G>()?;
        let model = G::model(&params, rules[0]);
        let parameters = model.parameters();
        let mut gatherer = Gatherer::<G> {
            model: &model,
            params: &params,
            filter: args.filter.filter(args.fit.seed),
            samples: Samples::new(),
            tally: Default::default(),
            next_game: 0,
        };
        let display = Display::new(terminal, args.fit.epochs);
        let mut faults = 0;
        for ((path, reader), &rules) in inputs.files.iter().zip(&rules) {
            let warn = |fault: &_| {
                faults += 1;
                display.warn(terminal, path, fault);
            };
            gatherer.read(reader, rules, &stop, |tally| display.gathered(tally), warn);
        }
        // Relaxed: the flag carries no data.
        if stop.load(Ordering::Relaxed) {
            display.finish();
            return Err(Failure::Interrupted);
        }
        let (samples, tally) = (gatherer.samples, gatherer.tally);
        if samples.is_empty() {
            display.finish();
            if tally.games == 0 && faults > 0 {
                return Err(Failure::Io(format!(
                    "no game can be read: {faults} damaged parts or broken games; see the warnings"
                )));
            }
            return Err(Failure::Usage(format!(
                "no position to learn from: {}; loosen the filters or generate more games",
                display::tally_text(&tally)
            )));
        }
        let split = split::split(&samples, args.fit.validation, args.fit.seed);
        let before = parameters.values();
        let fitted_scale = || scale::fit(&samples, &split.training);
        let scale = args.fit.scale.or_else(fitted_scale).ok_or_else(|| {
            display.finish();
            Failure::Usage(format!(
                "the searched scores do not predict the results of these {} games, or foretell them all, so no scale \
                 fits; use more games or give --scale K (xiangqi: about 0.003, taikyoku: about 0.0005)",
                split.games[0]
            ))
        })?;
        let objective = Objective {
            curve: &model,
            pairs: parameters.pairs,
            samples: &samples,
            scale,
            blend: args.fit.blend,
        };
        display.begin(&tally, &samples, &split, scale);
        let settings = args.fit.settings();
        let fitted = fit::fit(&objective, parameters, &split, &settings, &stop, |epoch| {
            display.epoch(epoch);
        });
        display.finish();
        let usage = objective.usage(&split.training, before.len());
        let changes = report::changes(parameters, &fitted.values, &usage);
        let judged = if split.held_out.is_empty() { &split.training } else { &split.held_out };
        let losses = [&before, &fitted.values]
            .map(|values| [objective.loss(judged, values), objective.result_loss(judged, values)]);
        let spread = objective.spread(judged, &fitted.values) / objective.spread(judged, &before);
        let tuned = model.rebuild(&fitted.values, &usage).map_err(Failure::Usage)?;
        let heading = display::heading(G::NAME, &tally, &split, scale, losses);
        let toml = toml::to_string(&tuned).expect("parameters are plain values");
        if let Some(path) = &args.output.output {
            write_new(path, &format!("{heading}{toml}"), args.output.force)?;
        }
        if let Some(path) = &args.output.plot {
            let calibrations = [&before, &fitted.values]
                .map(|values| report::calibration(&objective, judged, values));
            let svg = plot::plot(&fitted.epochs, &calibrations);
            write_new(path, &svg, args.output.force)?;
        }
        if args.output.json {
            let mut summary = display::json(G::NAME, &tally, &samples, &split, scale, losses);
            summary["spread"] = json!(spread);
            summary["end"] = json!(display::end_name(fitted.end));
            summary["epochs"] = display::epochs_json(&fitted.epochs);
            summary["changes"] = display::changes_json(&changes, args.output.report);
            terminal.print_json(&summary)?;
        } else {
            let text =
                display::result(terminal, &fitted, losses, spread, &changes, args.output.report);
            terminal.print(&text)?;
            if args.output.output.is_none() {
                terminal.note("the weights were not written; --output FILE writes them");
            }
        }
        match fitted.end {
            End::Stopped => {
                if let Some(path) = &args.output.output {
                    terminal.note(&format!("the best weights so far are in {}", path.display()));
                }
                Err(Failure::Interrupted)
            }
            End::Epochs | End::Patience if faults > 0 => Err(Failure::Io(format!(
                "{faults} damaged parts or broken games were left out; see the warnings"
            ))),
            End::Epochs | End::Patience => Ok(()),
        }
    }
}

/// Whether a path exists, links without a target included.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
