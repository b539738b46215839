//! Groups of arguments of `datagen`, and what each game takes where they are left out.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::super::number::whole;
use crate::datagen::run::Goal;
use crate::datagen::{Effort, Teacher, Variety};
use crate::duel::adjudication::{Adjudication, Even, Lead, Resign};
use crate::duel::pace::parse_count;
use crate::games::GameId;

/// What a game takes where an argument is left out.
pub(super) struct Defaults {
    /// Soft nodes of a move.
    pub(super) nodes: u64,
    /// Hard nodes of a move, in soft ones.
    pub(super) hard_factor: u64,
    /// Random plies.
    pub(super) random_plies: u32,
    /// Bound of openings, centipawns.
    pub(super) opening_bound: i32,
    /// Ends.
    pub(super) adjudication: Adjudication,
    /// Games in a block of the file.
    pub(super) block_games: u32,
    /// Size of a table.
    pub(super) hash_mib: u64,
}

impl Defaults {
    pub(super) fn of(game: GameId) -> Self {
        match game {
            GameId::Xiangqi => Self {
                nodes: 5000,
                hard_factor: 2,
                random_plies: 8,
                opening_bound: 400,
                adjudication: Adjudication {
                    resign: Some(Resign { cp: 1200, moves: 3 }),
                    draw: Some(Even { cp: 20, moves: 6, from: 40 }),
                    lead: None,
                    max_plies: Some(300),
                },
                block_games: 16,
                hash_mib: 8,
            },
            GameId::Taikyoku => Self {
                nodes: 500,
                // The first iteration alone takes some 1,500 nodes.
                hard_factor: 8,
                random_plies: 4,
                opening_bound: 1500,
                adjudication: Adjudication {
                    resign: None,
                    draw: None,
                    lead: Some(Lead { cp: 6000, ply: 40 }),
                    max_plies: Some(1000),
                },
                block_games: 4,
                hash_mib: 4,
            },
        }
    }
}

/// How many games.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How many (one of them is needed; of both, whichever comes first)")]
pub struct GoalArgs {
    /// Games in the file, those of earlier runs among them
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub games: Option<u64>,
    /// Positions with a score in the file; the game that reaches N is finished
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub positions: Option<u64>,
}

impl GoalArgs {
    pub(super) fn goal(&self) -> Goal {
        Goal { games: self.games, positions: self.positions }
    }
}

/// How long positions are searched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// No new iteration after so many nodes [default: xiangqi 5000, taikyoku 500; none with --depth]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub nodes: Option<u64>,
    /// Never more nodes than this [default: soft nodes times 2 in xiangqi, 8 in taikyoku; with --depth alone 1M]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub hard_nodes: Option<u64>,
    /// Deepest iteration, in plies
    #[arg(long, value_name = "N", value_parser = whole(1_u32..=127))]
    pub depth: Option<u32>,
    /// Every Nth searched position of a game is searched with --teacher-nodes
    #[arg(long, value_name = "N", requires = "teacher_nodes", value_parser = whole(1_u32..=u32::MAX))]
    pub teacher_every: Option<u32>,
    /// Nodes of the teacher (soft; the hard limit follows as for others)
    #[arg(long, value_name = "N", requires = "teacher_every", value_parser = parse_count)]
    pub teacher_nodes: Option<u64>,
    /// Choose among the best K moves, by --temperature
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole(1_u32..=100))]
    pub multipv: u32,
    /// With --multipv: a move that is so many centipawns worse is played half as often
    #[arg(long, value_name = "CP", default_value_t = 30, value_parser = whole(1_u32..=10_000))]
    pub temperature: u32,
    /// With --multipv: only in the first N searched plies of a game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1_u32..=u32::MAX))]
    pub variety_plies: u32,
}

/// Most nodes where only a depth is given: some wild positions of taikyoku shogi have no end even at depth 1.
const MOST_NODES: u64 = 1_000_000;

impl SearchArgs {
    pub(super) fn effort(&self, defaults: &Defaults) -> Effort {
        let usual = || self.depth.is_none().then_some(defaults.nodes);
        let soft_nodes = self.nodes.or_else(usual);
        let by_soft = |soft: u64| soft.saturating_mul(defaults.hard_factor);
        let hard_nodes = self.hard_nodes.unwrap_or_else(|| soft_nodes.map_or(MOST_NODES, by_soft));
        let hard_nodes = Some(hard_nodes);
        Effort { depth: self.depth, soft_nodes, hard_nodes }
    }

    pub(super) fn teacher(&self, defaults: &Defaults) -> Option<Teacher> {
        let (every, nodes) = (self.teacher_every?, self.teacher_nodes?);
        let hard_nodes = Some(nodes.saturating_mul(defaults.hard_factor));
        let effort = Effort { depth: None, soft_nodes: Some(nodes), hard_nodes };
        Some(Teacher { every: every as usize, effort })
    }

    pub(super) fn variety(&self) -> Option<Variety> {
        (self.multipv > 1).then_some(Variety {
            moves: self.multipv as usize,
            temperature_cp: self.temperature,
            plies: self.variety_plies as usize,
        })
    }
}

/// How games begin.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// FEN, EPD, JSON Lines or PGN, used in turn; of games (JSON with a result, PGN) the first plies
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// How many plies of a game in --openings are its opening
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = whole(0_u64..=u64::MAX))]
    pub opening_plies: u64,
    /// Random legal moves that follow, N or N + 1 [default: xiangqi 8, taikyoku 4]
    #[arg(long, value_name = "N", value_parser = whole(0_u32..=1000))]
    pub random_plies: Option<u32>,
    /// Draw openings anew that a search sees further from even, or `none` [default: xiangqi 400, taikyoku 1500]
    #[arg(long, value_name = "CP")]
    pub opening_bound: Option<OrNone<Centipawns>>,
}

/// When games end early.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Adjudication (each may be `none`)")]
pub struct EndArgs {
    /// A win that both sides see: CP ahead for PLIES in a row [default: xiangqi 1200:6, taikyoku none]
    #[arg(long, value_name = "CP:PLIES")]
    pub win_adjudication: Option<OrNone<WinRule>>,
    /// A draw that both sides see: within CP for PLIES in a row, from ply FROM on [default: xiangqi 20:12:80, taikyoku none]
    #[arg(long, value_name = "CP:PLIES:FROM")]
    pub draw_adjudication: Option<OrNone<DrawRule>>,
    /// A win by the static evaluation (material): CP ahead for 4 plies, from ply FROM on [default: taikyoku 6000:40, xiangqi none]
    #[arg(long, value_name = "CP:FROM")]
    pub lead_adjudication: Option<OrNone<LeadRule>>,
    /// A draw after so many plies, the opening among them [default: xiangqi 300, taikyoku 1000]
    #[arg(long, value_name = "N")]
    pub max_plies: Option<OrNone<Plies>>,
}

impl EndArgs {
    pub(super) fn adjudication(&self, defaults: &Defaults) -> Adjudication {
        let usual = defaults.adjudication;
        Adjudication {
            resign: given(self.win_adjudication, |rule| rule.0, usual.resign),
            draw: given(self.draw_adjudication, |rule| rule.0, usual.draw),
            lead: given(self.lead_adjudication, |rule| rule.0, usual.lead),
            max_plies: given(self.max_plies, |plies| plies.0, usual.max_plies),
        }
    }
}

/// What was given, else what is usual.
pub(super) fn given<T: Copy, U>(
    argument: Option<OrNone<T>>,
    value: impl Fn(T) -> U,
    usual: Option<U>,
) -> Option<U> {
    match argument {
        None => usual,
        Some(OrNone(choice)) => choice.map(value),
    }
}

/// A value, or the word `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrNone<T>(pub Option<T>);

impl<T: FromStr<Err = String>> FromStr for OrNone<T> {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        text.parse().map(|value| Self(Some(value))).map_err(|error| error + ", or `none`")
    }
}

/// Positive numbers separated by colons.
fn numbers<const N: usize>(text: &str, shape: &str) -> Result<[u32; N], String> {
    const MOST: u32 = 1_000_000;
    let bad = || format!("'{text}' is not {shape}, whole numbers from 1 to {MOST}");
    let number = |part: &str| part.parse().ok().filter(|number| (1..=MOST).contains(number));
    let numbers: Vec<u32> =
        text.split(':').map(|part| number(part).ok_or_else(bad)).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| bad())
}

/// A distance from even.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Centipawns(pub i32);

impl FromStr for Centipawns {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        numbers(text, "CP").map(|[cp]| Self(cp as i32))
    }
}

/// A number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plies(pub usize);

impl FromStr for Plies {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        numbers(text, "PLIES").map(|[plies]| Self(plies as usize))
    }
}

/// `CP:PLIES`; half of the plies are each side's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRule(pub Resign);

impl FromStr for WinRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, plies] = numbers(text, "CP:PLIES")?;
        Ok(Self(Resign { cp: cp as i32, moves: plies.div_ceil(2) }))
    }
}

/// `CP:PLIES:FROM`, in plies; half of the plies are each side's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule(pub Even);

impl FromStr for DrawRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, plies, from] = numbers(text, "CP:PLIES:FROM")?;
        Ok(Self(Even { cp: cp as i32, moves: plies.div_ceil(2), from: from.div_ceil(2) as usize }))
    }
}

/// `CP:FROM`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeadRule(pub Lead);

impl FromStr for LeadRule {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, from] = numbers(text, "CP:FROM")?;
        Ok(Self(Lead { cp: cp as i32, ply: from as usize }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let win: OrNone<WinRule> = "1500:5".parse().unwrap();
        assert_eq!(win, OrNone(Some(WinRule(Resign { cp: 1500, moves: 3 }))));
        let draw: OrNone<DrawRule> = "10:12:80".parse().unwrap();
        assert_eq!(draw, OrNone(Some(DrawRule(Even { cp: 10, moves: 6, from: 40 }))));
        assert_eq!("None".parse::<OrNone<LeadRule>>(), Ok(OrNone(None)));
        for bad in ["", "1500", "1500:0", "1500:2:3", "-1:2", "a:b", "9999999:1"] {
            let error = bad.parse::<OrNone<WinRule>>().unwrap_err();
            assert!(error.contains("CP:PLIES") && error.contains("none"), "{error}");
        }
    }

    #[test]
    fn a_depth_alone_lifts_the_usual_nodes() {
        let defaults = Defaults::of(GameId::Xiangqi);
        let args = |nodes, depth| SearchArgs {
            nodes,
            hard_nodes: None,
            depth,
            teacher_every: None,
            teacher_nodes: None,
            multipv: 1,
            temperature: 1,
            variety_plies: 1,
        };
        let effort =
            |soft: u64| Effort { depth: None, soft_nodes: Some(soft), hard_nodes: Some(2 * soft) };
        assert_eq!(args(None, None).effort(&defaults), effort(5000));
        assert_eq!(args(Some(100), None).effort(&defaults), effort(100));
        let by_depth = Effort { depth: Some(3), soft_nodes: None, hard_nodes: Some(MOST_NODES) };
        assert_eq!(args(None, Some(3)).effort(&defaults), by_depth);
    }
}
