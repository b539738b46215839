//! `piece`: what is known of a kind of taikyoku piece, or the catalogue of all kinds.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::args::named;
use super::failure::Failure;
use super::picture::{self, LetteringArgs};
use super::terminal::{Style, Terminal};
use crate::game::{Game, Named};
use crate::games::taikyoku::lookup::{Codes, find};
use crate::games::taikyoku::profile::{self, Profile, ProfileMoves};
use crate::games::taikyoku::{Kind, RuleSet, Taikyoku};
use crate::picture::font;
use crate::picture::{sheet, text};

/// Describe a kind of taikyoku piece, or all of them
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  kyokumen piece GG
  kyokumen piece \"great general\" --svg general.svg
  kyokumen piece 大将 --rules atsa --json
  kyokumen piece C --codes atsa
  kyokumen piece --all
  kyokumen piece --all --svg catalogue.svg")]
pub struct PieceArgs {
    /// A code, or a name in English, romaji or kanji; the beginning of a name will do if nothing else begins so
    #[arg(value_name = "CODE", required_unless_present = "all", conflicts_with = "all")]
    pub code: Option<String>,
    /// All kinds
    #[arg(long)]
    pub all: bool,
    /// The rule set that comes first; others are shown where they differ
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Whose codes CODE is in: native, atsa or jh85
    #[arg(long, value_name = "NAME", default_value = "native")]
    pub codes: String,
    /// Write a picture to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How pieces are lettered.
    #[command(flatten)]
    pub lettering: LetteringArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl PieceArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        picture::check_output(self.svg.as_deref(), self.json)?;
        let rules = match &self.rules {
            None => RuleSet::ALL[0],
            Some(name) => named::<RuleSet>("rule set", Taikyoku::NAME, name)?,
        };
        let codes = named::<Codes>("kind of codes", Taikyoku::NAME, &self.codes)?;
        let lettering = self.lettering.lettering();
        let kind = match &self.code {
            None => None,
            Some(text) => {
                Some(find(text, codes).map_err(|error| Failure::Usage(format!("piece: {error}")))?)
            }
        };
        if let Some(path) = &self.svg {
            let page = match kind {
                None => profile::catalogue(rules, lettering),
                Some(kind) => profile::page(kind, rules, lettering),
            };
            picture::write(path, &sheet::draw(&page), terminal)?;
            if !self.json {
                return Ok(());
            }
        }
        match kind {
            None => self.print_all(rules, terminal),
            Some(kind) => self.print_one(kind, rules, terminal),
        }
    }

    fn print_one(&self, kind: Kind, rules: RuleSet, terminal: &Terminal) -> Result<(), Failure> {
        let profile = profile::profile(kind, rules);
        let diagrams = profile::diagrams(kind, rules, self.lettering.lettering());
        if self.json {
            let mut object = json!({ "game": Taikyoku::NAME, "rules": rules.name() });
            let fields = serde_json::to_value(&profile).expect("a profile is plain data");
            if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
                object.extend(fields);
                let drawn = diagrams
                    .iter()
                    .map(|(set, scene)| (set.name().to_owned(), Value::from(text::draw(scene))));
                object.insert("diagrams".to_owned(), Value::Object(drawn.collect()));
            }
            return terminal.print_json(&object);
        }
        let mut out = heading(&profile, terminal);
        for moves in &profile.moves {
            write_moves(&mut out, moves, &profile, terminal);
            // Where only the meaning of the move text differs, one diagram serves both.
            let Some((_, scene)) = diagrams.iter().find(|(set, _)| set.name() == moves.rules)
            else {
                continue;
            };
            out.push('\n');
            let diagram = text::draw(scene);
            let mut legend = text::legend(scene).into_iter();
            for line in diagram.lines() {
                let meaning = legend.next().unwrap_or_default();
                let line = format!("    {line}    {meaning}");
                writeln!(out, "{}", line.trim_end()).expect("writing to a string");
            }
            for meaning in legend {
                let indent = diagram.lines().next().map_or(0, str::len);
                writeln!(out, "    {:indent$}    {meaning}", "").expect("writing to a string");
            }
        }
        write_sources(&mut out, &profile, terminal);
        terminal.print(&out)
    }

    fn print_all(&self, rules: RuleSet, terminal: &Terminal) -> Result<(), Failure> {
        let profiles = Kind::all().map(|kind| profile::profile(kind, rules));
        if self.json {
            let pieces: Vec<Value> = profiles
                .map(|profile| serde_json::to_value(profile).expect("a profile is plain data"))
                .collect();
            return terminal.print_json(&json!({
                "game": Taikyoku::NAME, "rules": rules.name(), "count": pieces.len(), "pieces": pieces,
            }));
        }
        let mut rows =
            vec![["code", "kanji", "name", "start", "promotes", "moves"].map(String::from)];
        rows.extend(profiles.map(|profile| {
            let moves = &profile.moves[0].text;
            [
                profile.code,
                profile.kanji,
                profile.name,
                profile.initial_count.to_string(),
                profile.promotes_to.map_or_else(|| "-".to_owned(), |kind| kind.code),
                if profile.same_in_all_rules { moves.clone() } else { format!("{moves} (*)") },
            ]
        }));
        let mut out = String::new();
        let widths: Vec<usize> = (0..5)
            .map(|column| rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0))
            .collect();
        for row in &rows {
            for (cell, width) in row.iter().zip(&widths) {
                let gap = width - columns(cell) + 2;
                write!(out, "{cell}{:gap$}", "").expect("writing to a string");
            }
            writeln!(out, "{}", row[5]).expect("writing to a string");
        }
        let others: Vec<&str> =
            RuleSet::ALL.iter().filter(|&&set| set != rules).map(|set| set.name()).collect();
        writeln!(out, "\nrules {}; (*): moves otherwise under {}", rules.name(), others.join(", "))
            .expect("writing to a string");
        terminal.print(&out)
    }
}

/// The columns of a terminal that a text takes: Chinese characters take two.
fn columns(text: &str) -> usize {
    text.chars().map(|letter| if letter >= '\u{2e80}' { 2 } else { 1 }).sum()
}

fn heading(profile: &Profile, terminal: &Terminal) -> String {
    let title =
        format!("{}  {}  {}  {}", profile.code, profile.name, profile.romaji, profile.kanji);
    let mut out = format!("{}\n", terminal.style(title, Style::Bold));
    let mut line = |name: &str, value: String| {
        writeln!(out, "  {name:<12} {value}").expect("writing to a string");
    };
    if profile.royal {
        line("royal", "a side that has lost all its royals has lost".to_owned());
    }
    let promotes = profile.promotes_to.as_ref();
    line(
        "promotes to",
        promotes.map_or_else(|| "nothing".to_owned(), |it| format!("{} {}", it.code, it.name)),
    );
    if !profile.promoted_from.is_empty() {
        let from = profile.promoted_from.iter().map(|it| format!("{} {}", it.code, it.name));
        line("comes from", from.collect::<Vec<_>>().join(", "));
    }
    if profile.initial_count == 0 {
        line("at start", "none: by promotion only".to_owned());
    } else {
        let (first, second) =
            (profile.initial_squares.join(" "), profile.initial_squares_second.join(" "));
        line("at start", format!("{} a side", profile.initial_count));
        line("", format!("{} {first}", Taikyoku::SIDES[0]));
        line("", format!("{} {second}", Taikyoku::SIDES[1]));
    }
    if profile.rank < 5 {
        line("rank", format!("{} among range captures; 1 is the highest", profile.rank));
    }
    let codes = [
        ("ATSA", &profile.atsa_code),
        ("jh85", &profile.jh85_code),
        ("yetiowin805", &profile.yetiowin805_name),
    ];
    let codes = codes.iter().filter(|(_, code)| !code.is_empty());
    let codes: Vec<String> = codes.map(|(who, code)| format!("{who} {code}")).collect();
    line("elsewhere", codes.join(", "));
    out
}

fn write_moves(out: &mut String, moves: &ProfileMoves, profile: &Profile, terminal: &Terminal) {
    let title = if profile.same_in_all_rules {
        "Moves (the same in all rule sets)".to_owned()
    } else {
        format!("Moves under rules {}", moves.rules)
    };
    writeln!(out, "\n{}", terminal.style(title, Style::Bold)).expect("writing to a string");
    writeln!(out, "  {}", moves.text).expect("writing to a string");
    for sentence in &moves.words {
        write_wrapped(out, sentence, "  ");
    }
}

/// Columns of a line of text.
const LINE: usize = 100;

fn write_wrapped(out: &mut String, text: &str, indent: &str) {
    // In a font of size 1 a letter of average width is a little over half as wide as it is high.
    let limit = (LINE - indent.len()) as f64 * 0.5;
    for line in font::wrap(text, limit) {
        writeln!(out, "{indent}{line}").expect("writing to a string");
    }
}

fn write_sources(out: &mut String, profile: &Profile, terminal: &Terminal) {
    let title = format!("Sources ({})", profile.source_status);
    writeln!(out, "\n{}", terminal.style(title, Style::Bold)).expect("writing to a string");
    write_wrapped(out, &profile.notes, "  ");
    for reading in &profile.readings {
        let mark = if reading.default { "*" } else { " " };
        writeln!(out, "  {mark} {}", reading.moves).expect("writing to a string");
        write_wrapped(out, &reading.sources.join(", "), "      ");
    }
    if profile.readings.iter().any(|reading| reading.default) {
        writeln!(out, "  *: the reading of rules seed").expect("writing to a string");
    }
    for question in &profile.questions {
        writeln!(out, "  {}: {}", question.id, question.item).expect("writing to a string");
        write_wrapped(out, &question.why, "      ");
    }
}
