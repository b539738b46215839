//! `data export`: positions for trainers and tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::super::failure::Failure;
use super::super::number::whole;
use super::super::terminal::Terminal;
use super::session::{Source, refuse_faults, set_threads, watched};
use super::{CommonArgs, OutputArgs, existing};
use crate::data::Header;
use crate::dataset::history::file_name;
use crate::dataset::stream::size;
use crate::dataset::{Target, ToolError, Watch};
use crate::export::columns::{Parquet, ParquetFile};
use crate::export::lines::{Bars, Epd, Json, Plain};
use crate::export::npy::{Npy, NpyFile};
use crate::export::shuffled::Shuffled;
use crate::export::{Bytes, Decisive, Encoder, FixedRecord, Report, Row, Rows, Sink, export};
use crate::game::{Evaluate, Rules};
use crate::games::xiangqi::{Xiangqi, trainer};
use crate::games::{Command, GameId, dispatch};

/// Write positions for trainers and tables: Parquet, NumPy, text, .bin
///
/// Exports the positions that have a score and no mark, in the order of the games, or with --shuffle in random order. docs/data-format.md describes every column
/// and byte.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Formats (recognised from the name of the output, or --as):
  parquet   .parquet   typed columns; polars, pandas, DuckDB
  npy       .npy       one structured array; NumPy, PyTorch through a memory map
  jsonl     .jsonl     one object a position
  plain     .plain     six lines a position: fen, move, score, ply, result, e (in xiangqi with ranks 1 to 10)
  text      .txt       POSITION | score | result, both for the first player
  epd       .epd       POSITION ce SCORE; bm MOVE; c9 RESULT; id ...;
  bin       .bin       xiangqi: 72 bytes a position, for variant-nnue-pytorch (see `trainer-config`)

Scores and results are for the side to move, but for text. Where a format has one number for a score, a mate after n plies is
32,000 - n, a win by a repetition rule 28,000 - n (negative: lost so); --no-mates leaves these positions out.
Formats other than Parquet get a file beside them, NAME.manifest.json, that says how they were made.")]
pub(super) struct ExportArgs {
    /// The file to read
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output.
    #[command(flatten)]
    output: OutputArgs,
    /// The format [default: by the name of the output]
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// All positions, also those without a score and those that are marked (parquet, npy, jsonl)
    #[arg(long)]
    all: bool,
    /// Leave out mates and decisions by a repetition rule
    #[arg(long)]
    no_mates: bool,
    /// Bring the positions into random order (bin, npy); needs disk space of the size of the output beside it
    #[arg(long)]
    shuffle: bool,
    /// Seed of the order
    #[arg(long, value_name = "S", default_value_t = 1, requires = "shuffle", value_parser = whole(0_u64..=u64::MAX))]
    seed: u64,
    /// Memory for the order in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, requires = "shuffle", value_parser = whole(1_u64..=1 << 24))]
    memory: u64,
    #[command(flatten)]
    common: CommonArgs,
}

/// A format of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// Typed columns
    Parquet,
    /// A structured array
    Npy,
    /// JSON Lines
    Jsonl,
    /// Six lines a position
    Plain,
    /// POSITION | score | result
    Text,
    /// POSITION with operations
    Epd,
    /// Records of 72 bytes
    Bin,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()? {
            "parquet" => Self::Parquet,
            "npy" => Self::Npy,
            "jsonl" => Self::Jsonl,
            "plain" => Self::Plain,
            "txt" => Self::Text,
            "epd" => Self::Epd,
            "bin" => Self::Bin,
            _ => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Npy => "npy",
            Self::Jsonl => "jsonl",
            Self::Plain => "plain",
            Self::Text => "text",
            Self::Epd => "epd",
            Self::Bin => "bin",
        }
    }
}

impl ExportArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        set_threads(&self.common);
        let format = self.format.or_else(|| Format::of(&self.output.output)).ok_or_else(|| {
            Failure::Usage(format!(
                "{}: the name does not tell the format; give --as parquet, npy, jsonl, plain, text, epd \
                 or bin",
                self.output.output.display()
            ))
        })?;
        let source = Source::open(&self.input)?;
        if format == Format::Bin && source.game != GameId::Xiangqi {
            return Err(Failure::Usage(format!(
                "bin is a format of xiangqi; for {} choose parquet or npy",
                source.game
            )));
        }
        if self.shuffle && !matches!(format, Format::Bin | Format::Npy) {
            return Err(Failure::Usage(format!(
                "--shuffle is for formats of fixed records, bin and npy; for {} shuffle the games with \
                 `kyokumen data shuffle`",
                format.name()
            )));
        }
        let target = self.output.target([&self.input])?;
        let manifest = match format {
            Format::Parquet => None,
            _ => Some(Manifest::new(self)?),
        };
        let (report, faults) = watched(terminal, "export", |watch| {
            let job = Job { args: self, source: &source, target, watch };
            match format {
                Format::Bin => job.bin(),
                Format::Plain if source.game == GameId::Xiangqi => job.xiangqi_plain(),
                _ => dispatch(source.game, Run { job, format }),
            }
        })?;
        if let Some(manifest) = manifest {
            manifest.write(source.reader.header(), format, &report)?;
        }
        if self.common.json {
            let mut value = report.json();
            value["output"] = json!(self.output.output.display().to_string());
            value["format"] = json!(format.name());
            terminal.print_json(&value)?;
        } else {
            terminal.print(&format!(
                "{} positions of {} games in {}; {} without a score or marked, {} mates left out\n",
                report.rows,
                report.games,
                self.output.output.display(),
                report.unused,
                report.decisive
            ))?;
        }
        refuse_faults(&self.input, faults)
    }

    fn choice(&self) -> (Rows, Decisive) {
        let rows = if self.all { Rows::All } else { Rows::Used };
        (rows, if self.no_mates { Decisive::Drop } else { Decisive::Keep })
    }
}

/// What an export needs, whatever its format.
struct Job<'a, 'w> {
    args: &'a ExportArgs,
    source: &'a Source<'a>,
    target: Target,
    watch: &'a mut Watch<'w>,
}

impl Job<'_, '_> {
    fn write<G: Evaluate, E: Encoder<G>, S: Sink<E::Part>>(
        self,
        encoder: &E,
        sink: impl FnOnce(fs::File) -> io::Result<S>,
    ) -> Result<Report, ToolError> {
        let Self { args, source, target, watch } = self;
        let rules: Rules<G::RuleSet> = source
            .reader
            .header()
            .rules
            .rules::<G>()
            .map_err(|reason| ToolError::Io(format!("{}: {reason}", source.path.display())))?;
        let sink = sink(target.create()?)
            .map_err(|error| ToolError::Io(format!("{}: {error}", target.path().display())))?;
        export(&source.reader, encoder, sink, target, args.choice(), rules, watch)
    }

    fn bytes<G: Evaluate, E: Encoder<G, Part = Vec<u8>>>(
        self,
        encoder: &E,
    ) -> Result<Report, ToolError> {
        self.write(encoder, |file| Ok(Bytes::new(file)))
    }

    /// Records of a fixed size, in random order if that is wanted.
    fn records<G: Evaluate, E: Encoder<G, Part = Vec<u8>>, S: Sink<Vec<u8>>>(
        self,
        encoder: &E,
        record_bytes: usize,
        sink: impl FnOnce(fs::File) -> io::Result<S>,
    ) -> Result<Report, ToolError> {
        if !self.args.shuffle {
            return self.write(encoder, sink);
        }
        let ExportArgs { seed, memory, .. } = *self.args;
        let scratch = self.target.scratch()?;
        let most = size(&self.source.reader).plies;
        self.write(encoder, |file| {
            Shuffled::new(sink(file)?, record_bytes, most, seed, memory, scratch)
        })
    }

    fn bin(self) -> Result<Report, ToolError> {
        let encoder = FixedRecord(|row: &Row<'_, Xiangqi>, bytes: &mut Vec<u8>| {
            bytes.extend_from_slice(&trainer::record(row));
        });
        self.records(&encoder, trainer::RECORD_BYTES, |file| Ok(Bytes::new(file)))
    }

    fn xiangqi_plain(self) -> Result<Report, ToolError> {
        self.bytes::<Xiangqi, _>(&Plain {
            move_text: |mv, _: &Row<'_, Xiangqi>| trainer::move_text(mv),
        })
    }
}

struct Run<'a, 'w> {
    job: Job<'a, 'w>,
    format: Format,
}

impl Command for Run<'_, '_> {
    type Output = Result<Report, ToolError>;

    fn run<G: Evaluate>(self) -> Self::Output {
        let Self { job, format } = self;
        match format {
            Format::Parquet => {
                let origin = json!({
                    "source": file_name(job.source.path), "header": job.source.reader.header(),
                });
                job.write::<G, _, _>(&Parquet, |file| {
                    ParquetFile::begin::<G>(file, origin.to_string())
                })
            }
            Format::Npy => {
                job.records::<G, _, _>(&Npy, NpyFile::record_bytes::<G>(), NpyFile::begin::<G>)
            }
            Format::Jsonl => job.bytes::<G, _>(&Json),
            Format::Plain => job.bytes::<G, _>(&Plain {
                move_text: |mv: G::Move, row: &Row<'_, G>| row.move_text(mv),
            }),
            Format::Text => job.bytes::<G, _>(&Bars),
            Format::Epd => job.bytes::<G, _>(&Epd),
            Format::Bin => unreachable!("its game is known before"),
        }
    }
}

/// The file beside an export that has no place for how it was made.
struct Manifest<'a> {
    args: &'a ExportArgs,
    target: Target,
}

impl<'a> Manifest<'a> {
    fn new(args: &'a ExportArgs) -> Result<Self, Failure> {
        let mut path = args.output.output.clone().into_os_string();
        path.push(".manifest.json");
        let target = Target::new(Path::new(&path), existing(args.output.force), &[&args.input])?;
        Ok(Self { args, target })
    }

    fn write(self, header: &Header, format: Format, report: &Report) -> Result<(), Failure> {
        let output = &self.args.output.output;
        let bytes = fs::metadata(output).map_err(|error| Failure::file(output, &error))?.len();
        let manifest: Value = json!({
            "file": file_name(output),
            "format": format.name(),
            "bytes": bytes,
            "counts": report.json(),
            "all": self.args.all,
            "no_mates": self.args.no_mates,
            "shuffle_seed": self.args.shuffle.then_some(self.args.seed),
            "source": file_name(&self.args.input),
            "header": header,
        });
        let text = serde_json::to_string_pretty(&manifest).expect("a plain value") + "\n";
        fs::write(self.target.temporary(), text)
            .map_err(|error| Failure::file(self.target.path(), &error))?;
        Ok(self.target.commit()?)
    }
}
