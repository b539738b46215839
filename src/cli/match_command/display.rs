//! What a match shows: a line for each game, the running score, the result.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressStyle};

use super::super::terminal::Terminal;
use crate::duel::record::GameRecord;
use crate::duel::sprt::{Decision, Sprt};
use crate::duel::standing::{Faults, Standing, Tally, elo_text, superiority_text};

/// Games between two lines of the running score, where there is no terminal.
const SCORE_EVERY: u64 = 10;

/// The display of a match.
pub(super) struct Display<'a> {
    terminal: &'a Terminal,
    bar: Option<ProgressBar>,
    games: u64,
    sides: [&'static str; 2],
    sprt: Option<&'a Sprt>,
}

impl<'a> Display<'a> {
    pub(super) fn new(
        terminal: &'a Terminal,
        games: u64,
        sides: [&'static str; 2],
        sprt: Option<&'a Sprt>,
    ) -> Self {
        let bar = terminal.shows_progress().then(|| {
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len}  {msg}  {eta} left");
            ProgressBar::new(games).with_style(style.expect("the template is right"))
        });
        Self { terminal, bar, games, sides, sprt }
    }

    /// Shows the score without a new game.
    pub(super) fn start(&self, standing: &Standing) {
        if let Some(bar) = &self.bar {
            bar.set_position(standing.total.games());
            bar.set_message(standing.line(self.sprt));
        }
    }

    /// Shows a finished game and the score after it.
    pub(super) fn game(&self, record: &GameRecord, standing: &Standing) {
        let [first, second] = self.sides;
        let line = format!(
            "game {} of {}: {} ({first}) - {} ({second}) {} after {} plies, {}: {}",
            record.id,
            self.games,
            record.first,
            record.second,
            record.result.text(),
            record.plies,
            record.reason,
            record.explanation,
        );
        match &self.bar {
            Some(bar) => {
                bar.suspend(|| self.terminal.note(&line));
                self.start(standing);
            }
            None => {
                self.terminal.note(&line);
                if standing.total.games().is_multiple_of(SCORE_EVERY) {
                    self.terminal.note(&standing.line(self.sprt));
                }
            }
        }
    }

    /// Takes the progress line away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// The result for people.
    pub(super) fn result(&self, names: [&str; 2], standing: &Standing) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            writeln!(text, "{name:<8} {value}").expect("a string takes everything");
        };
        let total = &standing.total;
        line("match", &format!("{} against {}, {} games", names[0], names[1], total.games()));
        let percent = 100.0 * total.points() / total.games().max(1) as f64;
        let points = format!("{} of {} points ({percent:.1}%)", total.points(), total.games());
        line("score", &format!("{}, {points}", counts(total)));
        for (side, tally) in self.sides.iter().zip(&standing.by_colour) {
            line(&format!("as {side}"), &counts(tally));
        }
        if let Some(estimate) = standing.pentanomial.estimate() {
            let (elo, superiority) = (elo_text(&estimate), superiority_text(&estimate));
            line("Elo", &format!("{elo} (95%), likelihood of superiority {superiority}"));
            let pairs = standing.pentanomial.0.map(|count| count.to_string()).join(" ");
            line("pairs", &format!("{pairs} (with 0, 1/2, 1, 3/2, 2 points)"));
        }
        if let Some(sprt) = self.sprt {
            let llr = sprt.llr(&standing.pentanomial);
            let (lower, upper) = sprt.bounds();
            let decision = match sprt.decision(llr) {
                Decision::Undecided => "undecided".to_owned(),
                Decision::AcceptsNull => format!("the difference is not {} Elo", sprt.elo1),
                Decision::AcceptsAlternative => {
                    format!("the difference is more than {} Elo", sprt.elo0)
                }
            };
            line(
                "SPRT",
                &format!(
                    "LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}]: {decision}",
                    sprt.elo0, sprt.elo1
                ),
            );
        }
        let reasons: Vec<String> =
            standing.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        line("ends", &reasons.join(", "));
        for (name, faults) in names.iter().zip(&standing.faults) {
            if faults.count() > 0 {
                let Faults { crashes, time_losses, illegal_moves } = faults;
                line(
                    "faults",
                    &format!(
                        "{name}: {crashes} crashes, {illegal_moves} illegal moves, {time_losses} \
                         time losses"
                    ),
                );
            }
        }
        text
    }
}

fn counts(tally: &Tally) -> String {
    format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses)
}
