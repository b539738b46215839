//! Groups of arguments of `match`: limits, openings, early ends, output.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::super::number::whole;
use crate::duel::adjudication::{Adjudication, Even, Lead, Resign};
use crate::duel::opening::Order;
use crate::duel::pace::{Pace, TimeControl, parse_control, parse_count};

/// Limits of every move, for engines that have none in their specification.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct PaceArgs {
    /// Time of each move, in milliseconds
    #[arg(long, value_name = "MS", value_parser = whole(1_u64..=u64::MAX))]
    pub movetime: Option<u64>,
    /// Nodes of each move, such as 50000, 200k, 10M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub nodes: Option<u64>,
    /// Deepest iteration, in plies
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=127))]
    pub depth: Option<u32>,
    /// A clock for the game, in seconds: 10+0.1
    #[arg(long, value_name = "BASE+INC", value_parser = parse_control)]
    pub tc: Option<TimeControl>,
    /// How far an engine may overstep its time, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = whole(0_u64..=u64::MAX))]
    pub margin: u64,
    /// How long a move without a limit of time may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 600, value_parser = whole(1_u64..=86_400))]
    pub patience: u64,
}

impl PaceArgs {
    pub(super) fn pace(&self) -> Pace {
        Pace {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime.map(Duration::from_millis),
            control: self.tc,
        }
    }
}

/// How games begin.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Openings (each is played twice, with colours swapped)")]
pub struct OpeningArgs {
    /// FEN, EPD, JSON Lines or PGN; of games (JSON with a result, PGN) the first plies
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// How many plies of a game are its opening
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = whole(0_u64..=u64::MAX))]
    pub opening_plies: u64,
    /// The order of the openings
    #[arg(long, value_name = "ORDER", default_value = "sequential")]
    pub order: OrderArg,
    /// Random legal moves after each opening, or from the initial position
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0_u64..=1000))]
    pub random_plies: u64,
    /// Draw random openings anew that are further from even than this, by a short search
    #[arg(long, value_name = "CP", requires = "random_plies", value_parser = whole(1_i32..=i32::MAX))]
    pub balance: Option<i32>,
    /// Seed of random moves and order
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole(0_u64..=u64::MAX))]
    pub seed: u64,
}

/// The order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderArg {
    /// As in the file
    Sequential,
    /// Shuffled by the seed
    Random,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Self {
        match order {
            OrderArg::Sequential => Self::Sequential,
            OrderArg::Random => Self::Random,
        }
    }
}

/// When games end early.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Adjudication")]
pub struct EndArgs {
    /// A loss when an engine sees itself CP behind for MOVES moves, and the other agrees
    #[arg(long, value_name = "CP,MOVES")]
    pub resign: Option<Resign>,
    /// A draw when both see at most CP for MOVES moves, from full move FROM on
    #[arg(long, value_name = "CP,MOVES,FROM")]
    pub draw: Option<Even>,
    /// A draw after so many plies, the opening among them
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=u32::MAX))]
    pub max_plies: Option<u32>,
    /// A win when our static evaluation (`kyokumen eval`) stays at CP or more, from PLY on
    #[arg(long, value_name = "CP,PLY")]
    pub adjudicate_lead: Option<Lead>,
}

impl EndArgs {
    pub(super) fn adjudication(&self) -> Adjudication {
        Adjudication {
            resign: self.resign,
            draw: self.draw,
            lead: self.adjudicate_lead,
            max_plies: self.max_plies.map(|plies| plies as usize),
        }
    }
}

/// Where games go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct GameOutputArgs {
    /// The file of games as JSON Lines
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Continue the match in --output: what is finished is not played again
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Overwrite files that exist
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// The file of games as PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// The notation of moves in PGN [default: iccs in xiangqi, else the game's own]
    #[arg(long, value_name = "NAME", requires = "pgn")]
    pub notation: Option<String>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}
