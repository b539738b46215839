//! The shapes of records: JSON Lines, CSV, EPD, and a table for people. A record is one line in each of them.

use serde_json::Value;

use super::job::{Id, InputError};
use super::record::{Analysis, Outcome, Pv, Record, bound_text};
use crate::game::Named;

/// How records are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// A JSON object a line.
    Jsonl,
    /// A header and a row a position; further lines of play in further columns.
    Csv,
    /// Columns for people.
    Table,
    /// Positions with opcodes; refused positions become comments.
    Epd,
}

impl OutputFormat {
    /// Whether a run that was stopped can be continued from its records.
    pub const fn is_resumable(self) -> bool {
        matches!(self, Self::Jsonl | Self::Csv)
    }
}

impl Named for OutputFormat {
    const ALL: &'static [Self] = &[Self::Jsonl, Self::Csv, Self::Table, Self::Epd];

    fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Table => "table",
            Self::Epd => "epd",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Jsonl => "a JSON object a line, with every field",
            Self::Csv => "a header and a row a position",
            Self::Table => "columns for people",
            Self::Epd => "positions with opcodes (bm, ce, dm, acd, acn, pv, ...)",
        }
    }
}

/// A format and what its columns depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The format.
    pub format: OutputFormat,
    /// Lines of play that CSV has columns for.
    pub multipv: usize,
    /// The first player's name, whose view the table takes.
    pub first_player: &'static str,
}

/// The columns of CSV before those of the lines of play.
pub(super) const CSV_COLUMNS: [&str; 22] = [
    "index",
    "file",
    "line",
    "id",
    "ply",
    "position",
    "game",
    "rules",
    "depth",
    "seldepth",
    "nodes",
    "time_ms",
    "stop",
    "bestmove",
    "played",
    "solved",
    "verdict",
    "opcodes",
    "warnings",
    "error_column",
    "error",
    "input",
];

/// The columns of each line of play; from the second on with `_2`, `_3`, ... behind.
const PV_COLUMNS: [&str; 9] =
    ["score_cp", "mate", "rule", "first_score_cp", "first_mate", "bound", "wdl", "rank", "pv"];

impl Layout {
    /// The first line of the output, with its end, if the format has one.
    pub fn header(&self) -> Option<Vec<u8>> {
        match self.format {
            OutputFormat::Jsonl | OutputFormat::Epd => None,
            OutputFormat::Table => Some(
                format!(
                    "{:>6}  {:<24}  {:>9}  {:>5}  {:>12}  {:<8}  {}\n",
                    "line",
                    "id",
                    format!("for {}", self.first_player),
                    "depth",
                    "nodes",
                    "best",
                    "line of play"
                )
                .into_bytes(),
            ),
            OutputFormat::Csv => {
                let mut columns: Vec<String> =
                    CSV_COLUMNS.iter().map(|&name| name.into()).collect();
                for rank in 1..=self.multipv {
                    columns.extend(PV_COLUMNS.iter().map(|name| match rank {
                        1 => (*name).to_owned(),
                        _ => format!("{name}_{rank}"),
                    }));
                }
                Some(csv_line(&columns))
            }
        }
    }

    /// The line of a record, with its end.
    pub fn render(&self, record: &Record) -> Vec<u8> {
        match self.format {
            OutputFormat::Jsonl => {
                let mut line = serde_json::to_vec(record).expect("records hold only text keys");
                line.push(b'\n');
                line
            }
            OutputFormat::Csv => self.csv(record),
            OutputFormat::Table => one_line(&table(record)),
            OutputFormat::Epd => one_line(&epd(record)),
        }
    }

    fn csv(&self, record: &Record) -> Vec<u8> {
        let label = &record.label;
        let mut fields: Vec<String> = vec![
            label.index.to_string(),
            label.file.clone().unwrap_or_default(),
            label.line.to_string(),
            text(label.id.as_ref()),
            text(label.ply),
            label.position.clone().unwrap_or_default(),
            label.game.clone(),
            label.rules.clone(),
        ];
        let (analysis, error) = match &record.outcome {
            Outcome::Analysed(analysis) => (Some(analysis.as_ref()), None),
            Outcome::Refused { error } => (None, Some(error)),
        };
        match analysis {
            None => fields.extend(std::iter::repeat_n(String::new(), 11)),
            Some(analysis) => fields.extend([
                analysis.depth.to_string(),
                analysis.seldepth.to_string(),
                analysis.nodes.to_string(),
                text(analysis.time_ms),
                stop_name(analysis),
                analysis.bestmove.clone().unwrap_or_default(),
                analysis.played.clone().unwrap_or_default(),
                text(analysis.solved),
                analysis
                    .verdict
                    .as_ref()
                    .map(|verdict| verdict.explanation.clone())
                    .unwrap_or_default(),
                opcodes(analysis, |_| true),
                analysis.warnings.join("; "),
            ]),
        }
        fields.push(text(error.map(|error| error.column)));
        fields.push(error.map(|error| error.message.clone()).unwrap_or_default());
        fields.push(label.input.clone().unwrap_or_default());
        let pvs = analysis.map_or(&[][..], |analysis| &analysis.pvs);
        for rank in 0..self.multipv {
            match pvs.get(rank) {
                None => fields.extend(std::iter::repeat_n(String::new(), PV_COLUMNS.len())),
                Some(pv) => fields.extend(csv_pv(pv)),
            }
        }
        csv_line(&fields)
    }
}

fn csv_pv(pv: &Pv) -> [String; PV_COLUMNS.len()] {
    let rule = pv.score.rule.map(|rule| format!("{} {}", rule.result, rule.plies));
    [
        text(pv.score.score_cp),
        text(pv.score.mate),
        text(rule),
        text(pv.first.score_cp),
        text(pv.first.mate),
        bound_text(pv.bound).to_owned(),
        pv.wdl.map(|share| share.to_string()).join(" "),
        pv.rank.to_string(),
        pv.moves.join(" "),
    ]
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A text without control characters: line ends in names and comments become blanks.
fn flat(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The text as one line, with its end.
fn one_line(text: &str) -> Vec<u8> {
    let mut line = flat(text).into_bytes();
    line.push(b'\n');
    line
}

/// A row of CSV. Line ends inside fields become blanks, so that a row is a line.
fn csv_line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(fields.iter().map(|field| flat(field))).expect("writing to memory");
    writer.into_inner().expect("writing to memory")
}

fn stop_name(analysis: &Analysis) -> String {
    match serde_json::to_value(analysis.stop) {
        Ok(Value::String(name)) => name,
        _ => unreachable!("a stop reason is written as its name"),
    }
}

/// Opcodes of the input that pass the filter, as EPD.
fn opcodes(analysis: &Analysis, keep: impl Fn(&str) -> bool) -> String {
    let all = analysis.opcodes.iter().filter(|(name, _)| keep(name));
    let texts = all.map(|(name, operand)| opcode(name, operand.as_str().unwrap_or_default()));
    texts.collect::<Vec<_>>().join(" ")
}

/// `name operand;`, quoted where the operand is a text.
fn opcode(name: &str, operand: &str) -> String {
    let is_text = name == "id" || name.starts_with('c') && name.len() == 2 && name != "ce";
    if is_text || operand.contains(';') {
        format!("{name} \"{}\";", operand.replace('"', "'"))
    } else if operand.is_empty() {
        format!("{name};")
    } else {
        format!("{name} {operand};")
    }
}

fn epd(record: &Record) -> String {
    let label = &record.label;
    let place = match &label.file {
        Some(file) => format!("{file}:{}", label.line),
        None => format!("line {}", label.line),
    };
    let analysis = match &record.outcome {
        Outcome::Refused { error } => {
            return format!("# {place}:{}: error: {}", error.column, error.message);
        }
        Outcome::Analysed(analysis) => analysis,
    };
    let position = label.position.as_deref().unwrap_or_default();
    // Where the native text ends in the fields of FEN, EPD has the counters as opcodes.
    let fields: Vec<&str> = position.split(' ').collect();
    let mut parts = match fields[..] {
        [board, side, "-", "-", half, full] => {
            vec![format!("{board} {side} - -"), opcode("hmvc", half), opcode("fmvn", full)]
        }
        _ => vec![position.to_owned()],
    };
    if let Some(best) = &analysis.bestmove {
        // `pm`, the predicted move, leaves the `bm` of a test suite alone.
        parts.push(opcode("pm", best));
    }
    if let Some(pv) = analysis.pvs.first() {
        if let Some(score) = pv.score.score_cp {
            parts.push(opcode("ce", &score.to_string()));
        }
        if let Some(mate) = pv.score.mate {
            parts.push(opcode("dm", &mate.to_string()));
        }
        parts.push(opcode("pv", &pv.moves.join(" ")));
    }
    parts.push(opcode("acd", &analysis.depth.to_string()));
    parts.push(opcode("acn", &analysis.nodes.to_string()));
    if let Some(time_ms) = analysis.time_ms {
        parts.push(opcode("acs", &(time_ms / 1000).to_string()));
    }
    if let Some(id) = &label.id {
        let id = match label.ply {
            Some(ply) => format!("{id} ply {ply}"),
            None => id.to_string(),
        };
        parts.push(opcode("id", &id));
    }
    let ours = ["pm", "ce", "dm", "pv", "acd", "acn", "acs", "hmvc", "fmvn"];
    let others = opcodes(analysis, |name| !ours.contains(&name));
    if !others.is_empty() {
        parts.push(others);
    }
    parts.join(" ")
}

fn table(record: &Record) -> String {
    let label = &record.label;
    let mut id = label.id.as_ref().map(Id::to_string).unwrap_or_default();
    if let Some(ply) = label.ply {
        id = format!("{id} ply {ply}");
    }
    let id = padded(&id, 24);
    let analysis = match &record.outcome {
        Outcome::Refused { error } => {
            let InputError { column, message } = error;
            return format!("{:>6}  {id}  error: column {column}: {message}", label.line);
        }
        Outcome::Analysed(analysis) => analysis,
    };
    if let Some(verdict) = &analysis.verdict {
        return format!("{:>6}  {id}  over: {}", label.line, verdict.explanation);
    }
    let best = padded(analysis.bestmove.as_deref().unwrap_or_default(), 8);
    let mark = match analysis.solved {
        None => "",
        Some(true) => "solved  ",
        Some(false) => "FAILED  ",
    };
    let mut lines = analysis.pvs.iter().map(|pv| (pv.first.for_people(), pv.moves.join(" ")));
    let (score, moves) = lines.next().unwrap_or_default();
    let further: String = lines.map(|(score, moves)| format!("  |  {score}  {moves}")).collect();
    format!(
        "{:>6}  {id}  {score:>9}  {:>5}  {:>12}  {best}  {mark}{moves}{further}",
        label.line, analysis.depth, analysis.nodes
    )
}

/// A text filled up to a width in terminal cells; Chinese characters take two.
fn padded(text: &str, width: usize) -> String {
    let cells: usize = text.chars().map(|letter| if letter >= '\u{1100}' { 2 } else { 1 }).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(cells)))
}
