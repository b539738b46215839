//! `data trainer-config`: the two files that tell variant-nnue-pytorch what our `.bin` export holds.

use clap::{Args, ValueEnum};

use super::super::failure::Failure;
use super::super::terminal::Terminal;
use crate::games::xiangqi::trainer::{VARIANT_H, VARIANT_PY};

/// Print what variant-nnue-pytorch must be told to read the .bin export
///
/// Its files variant.h (for the data loader in C++) and variant.py (for the trainer) decide which game it learns. Replace them by
/// these, build the loader again, and train with --features=HalfKAv2^.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Example:
  kyokumen data trainer-config variant.h > variant.h
  kyokumen data trainer-config variant.py > variant.py")]
pub(super) struct TrainerConfigArgs {
    /// Which file [default: both, with headings]
    #[arg(value_enum, value_name = "FILE")]
    file: Option<ConfigFile>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ConfigFile {
    /// For the data loader
    #[value(name = "variant.h")]
    Header,
    /// For the trainer
    #[value(name = "variant.py")]
    Python,
}

impl TrainerConfigArgs {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<(), Failure> {
        match self.file {
            Some(ConfigFile::Header) => terminal.print(VARIANT_H),
            Some(ConfigFile::Python) => terminal.print(VARIANT_PY),
            None => terminal.print(&format!(
                "--- variant.h ---\n{VARIANT_H}\n--- variant.py ---\n{VARIANT_PY}"
            )),
        }
    }
}
