//! The options that the other side of a protocol may set: names, ranges, values.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::dialect::Dialect;
use super::skill::{FULL_SKILL, Skill};
use super::ucci::TimeUnit;
use crate::game::{ChosenLimits, Game, Named, Rules};
use crate::search::time::TimeParams;

/// An option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// Threads that search one position.
    Threads,
    /// Size of the transposition table, MiB.
    Hash,
    /// Forget everything.
    ClearHash,
    /// Whether the other side means to let the engine think on the opponent's time.
    Ponder,
    /// Lines shown.
    MultiPv,
    /// Time kept back for the way to the clock, milliseconds.
    MoveOverhead,
    /// Strength, from 0 to full.
    Skill,
    /// Seed of the choices of a weakened engine.
    SkillSeed,
    /// Whether chances to win, draw and lose are shown.
    ShowWdl,
    /// The rule set.
    Rules,
    /// Draw after so many plies without progress; 0: never.
    MoveLimit,
    /// Repetitions are judged at this occurrence of a position; 0: never.
    Repetitions,
    /// The game.
    Variant,
    /// The unit of time (UCCI).
    UseMillisec,
    /// Read the next command only after the search (UCCI).
    Batch,
    /// The order of steps in moves (ATSI).
    StepOrder,
    /// Time for each move in place of the clock, milliseconds; 0: by the clock (ATSI).
    MoveTime,
    /// Resign when behind by so many centipawns; 0: never (ATSI).
    Resign,
    /// Whether moves are avoided that the web client refuses against its own rules (ATSI).
    AvoidDisputed,
}

use OptionId as Id;

/// What values an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Button,
    Check(bool),
    Spin { default: u64, min: u64, max: u64 },
    Combo { default: String, values: Vec<String> },
}

/// What an option's change asks of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing more.
    Stored,
    /// A table of so many MiB.
    Hash(usize),
    /// An empty table.
    ClearHash,
    /// The position follows other rules now.
    Rules,
    /// Another game.
    Variant(String),
}

/// The order of the squares of a move of several steps in ATSI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StepOrder {
    /// START STEP END, as the protocol's document and the web client have it.
    #[default]
    Document,
    /// START END STEP, as the engine tomatene has it.
    Tomatene,
}

impl StepOrder {
    const NAMES: [&'static str; 2] = ["document", "tomatene"];

    /// The name of the move notation with this order.
    pub const fn notation(self) -> &'static str {
        match self {
            Self::Document => "atsi",
            Self::Tomatene => "tomatene",
        }
    }
}

/// The values of options that mean the same in every game, to go on with in another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    threads: usize,
    /// Size of the transposition table, MiB.
    pub hash_mib: usize,
    ponder: bool,
    multipv: usize,
    overhead_ms: u64,
    skill: Skill,
    show_wdl: bool,
    chosen: ChosenLimits,
    /// The rule set chosen last, by the name of the game.
    rule_sets: BTreeMap<&'static str, &'static str>,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct Options<G: Game> {
    /// [`OptionId::Threads`].
    pub threads: usize,
    /// [`OptionId::Hash`], as asked for at the start.
    pub hash_mib: usize,
    /// [`OptionId::Ponder`].
    pub ponder: bool,
    /// [`OptionId::MultiPv`].
    pub multipv: usize,
    /// [`OptionId::MoveOverhead`].
    pub overhead_ms: u64,
    /// [`OptionId::Skill`] and [`OptionId::SkillSeed`].
    pub skill: Skill,
    /// [`OptionId::ShowWdl`].
    pub show_wdl: bool,
    /// [`OptionId::Rules`], [`OptionId::MoveLimit`] and [`OptionId::Repetitions`].
    pub rules: Rules<G::RuleSet>,
    /// [`OptionId::UseMillisec`].
    pub unit: TimeUnit,
    /// [`OptionId::Batch`].
    pub batch: bool,
    /// [`OptionId::StepOrder`].
    pub step_order: StepOrder,
    /// [`OptionId::MoveTime`].
    pub movetime_ms: u64,
    /// [`OptionId::Resign`].
    pub resign_cp: u64,
    /// [`OptionId::AvoidDisputed`].
    pub avoid_disputed: bool,
    chosen: ChosenLimits,
    rule_sets: BTreeMap<&'static str, &'static str>,
    variants: Vec<String>,
}

/// The most threads that may be asked for.
const MOST_THREADS: u64 = 1024;
/// The most lines that may be asked for: more than any position has moves.
const MOST_LINES: u64 = 5000;
/// The longest overhead, milliseconds.
const MOST_OVERHEAD_MS: u64 = 5000;
/// The bound of plies and occurrences.
const MOST_PLIES: u64 = 1_000_000;
/// The longest fixed time for a move, milliseconds: a day.
const MOST_MOVETIME_MS: u64 = 24 * 3600 * 1000;

impl<G: Game> Options<G> {
    /// The values a session begins with. `variants` are the names of all games, to be told to the other side.
    pub fn new(
        hash_mib: usize,
        threads: usize,
        rules: Rules<G::RuleSet>,
        variants: &[&str],
    ) -> Self {
        Self {
            threads,
            hash_mib,
            ponder: false,
            multipv: 1,
            overhead_ms: TimeParams::default().overhead_ms,
            skill: Skill::default(),
            show_wdl: false,
            rules,
            unit: TimeUnit::default(),
            batch: false,
            step_order: StepOrder::default(),
            movetime_ms: 0,
            resign_cp: 0,
            avoid_disputed: true,
            chosen: ChosenLimits::default(),
            rule_sets: BTreeMap::new(),
            variants: variants.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// What to go on with in another game.
    pub fn kept(&self) -> Kept {
        Kept {
            threads: self.threads,
            hash_mib: self.hash_mib,
            ponder: self.ponder,
            multipv: self.multipv,
            overhead_ms: self.overhead_ms,
            skill: self.skill,
            show_wdl: self.show_wdl,
            chosen: self.chosen,
            rule_sets: self.rule_sets.clone(),
        }
    }

    /// Goes on with what was set in another game.
    pub fn take_over(&mut self, kept: &Kept) {
        (self.threads, self.hash_mib, self.ponder) = (kept.threads, kept.hash_mib, kept.ponder);
        (self.multipv, self.overhead_ms) = (kept.multipv, kept.overhead_ms);
        (self.skill, self.show_wdl) = (kept.skill, kept.show_wdl);
        self.rule_sets.clone_from(&kept.rule_sets);
        if let Some(set) = self.rule_sets.get(G::NAME).and_then(|name| Named::from_name(name)) {
            self.choose_rules(set);
        }
        self.choose_limits(kept.chosen);
    }

    /// Takes limits as chosen, whatever rule set comes.
    pub fn choose_limits(&mut self, chosen: ChosenLimits) {
        self.chosen = chosen;
        self.chosen.apply(&mut self.rules);
    }

    fn choose_rules(&mut self, set: G::RuleSet) {
        // What was chosen by itself stays, whatever comes first.
        self.rules = Rules {
            stalemate_loses: self.rules.stalemate_loses,
            material_draw: self.rules.material_draw,
            any_material: self.rules.any_material,
            ..G::rules(set)
        };
        self.chosen.apply(&mut self.rules);
    }

    /// The options of a dialect in the order in which they are told.
    const fn listed(dialect: Dialect) -> &'static [Id] {
        match dialect {
            Dialect::Uci => &[
                Id::Threads,
                Id::Hash,
                Id::ClearHash,
                Id::Ponder,
                Id::MultiPv,
                Id::MoveOverhead,
                Id::Skill,
                Id::SkillSeed,
                Id::ShowWdl,
                Id::Rules,
                Id::MoveLimit,
                Id::Repetitions,
                Id::Variant,
            ],
            Dialect::Ucci => &[
                Id::UseMillisec,
                Id::Batch,
                Id::Ponder,
                Id::Hash,
                Id::ClearHash,
                Id::Threads,
                Id::MultiPv,
                Id::MoveOverhead,
                Id::Skill,
                Id::SkillSeed,
                Id::Rules,
                Id::MoveLimit,
                Id::Repetitions,
            ],
            Dialect::Usi => &[
                Id::Hash,
                Id::Ponder,
                Id::Threads,
                Id::ClearHash,
                Id::MultiPv,
                Id::MoveOverhead,
                Id::Skill,
                Id::SkillSeed,
                Id::Rules,
                Id::MoveLimit,
                Id::Repetitions,
            ],
        }
    }

    /// The lines that tell a dialect's options.
    pub fn describe(&self, dialect: Dialect) -> Vec<String> {
        let line = |&id: &Id| {
            let keyword = if dialect == Dialect::Ucci { "option" } else { "option name" };
            let mut text = format!("{keyword} {} type ", name(id, dialect));
            match self.kind(id) {
                Kind::Button => text.push_str("button"),
                Kind::Check(default) => {
                    write_to(&mut text, format_args!("check default {default}"))
                }
                Kind::Spin { default, min, max } if dialect == Dialect::Ucci => {
                    write_to(&mut text, format_args!("spin min {min} max {max} default {default}"));
                }
                Kind::Spin { default, min, max } => {
                    write_to(&mut text, format_args!("spin default {default} min {min} max {max}"));
                }
                Kind::Combo { default, values } => {
                    let values: String =
                        values.iter().map(|value| format!(" var {value}")).collect();
                    if dialect == Dialect::Ucci {
                        write_to(&mut text, format_args!("combo{values} default {default}"));
                    } else {
                        write_to(&mut text, format_args!("combo default {default}{values}"));
                    }
                }
            }
            text
        };
        Self::listed(dialect).iter().map(line).collect()
    }

    /// The parameters that ATSI tells: name and type.
    pub fn describe_atsi(&self) -> Vec<String> {
        const LISTED: [Id; 10] = [
            Id::Hash,
            Id::Threads,
            Id::MoveTime,
            Id::MoveOverhead,
            Id::StepOrder,
            Id::Rules,
            Id::Skill,
            Id::SkillSeed,
            Id::Resign,
            Id::AvoidDisputed,
        ];
        let kind = |id| match self.kind(id) {
            Kind::Button => "button",
            Kind::Check(_) => "boolean",
            Kind::Spin { .. } => "integer",
            Kind::Combo { .. } => "string",
        };
        let line = |id: Id| format!("param {} {}", squeezed(name(id, Dialect::Uci)), kind(id));
        LISTED.into_iter().map(line).collect()
    }

    fn kind(&self, id: Id) -> Kind {
        let spin = |default: u64, min, max| Kind::Spin { default, min, max };
        match id {
            Id::Threads => spin(self.threads as u64, 1, MOST_THREADS),
            Id::Hash => spin(self.hash_mib as u64, 1, memory_mib()),
            Id::ClearHash => Kind::Button,
            Id::Ponder => Kind::Check(self.ponder),
            Id::MultiPv => spin(self.multipv as u64, 1, MOST_LINES),
            Id::MoveOverhead => spin(self.overhead_ms, 0, MOST_OVERHEAD_MS),
            Id::Skill => spin(u64::from(self.skill.level), 0, u64::from(FULL_SKILL)),
            Id::SkillSeed => spin(self.skill.seed, 0, u64::from(u32::MAX)),
            Id::ShowWdl => Kind::Check(self.show_wdl),
            Id::Rules => Kind::Combo {
                default: self.rules.set.name().to_owned(),
                values: G::RuleSet::ALL.iter().map(|set| set.name().to_owned()).collect(),
            },
            Id::MoveLimit => spin(self.rules.move_limit_plies.unwrap_or(0).into(), 0, MOST_PLIES),
            Id::Repetitions => spin(self.rules.repetitions.unwrap_or(0).into(), 0, MOST_PLIES),
            Id::Variant => {
                Kind::Combo { default: G::NAME.to_owned(), values: self.variants.clone() }
            }
            Id::UseMillisec => Kind::Check(self.unit == TimeUnit::Milliseconds),
            Id::Batch => Kind::Check(self.batch),
            Id::StepOrder => Kind::Combo {
                default: StepOrder::NAMES[self.step_order as usize].to_owned(),
                values: StepOrder::NAMES.map(str::to_owned).to_vec(),
            },
            Id::MoveTime => spin(self.movetime_ms, 0, MOST_MOVETIME_MS),
            Id::Resign => spin(self.resign_cp, 0, MOST_PLIES),
            Id::AvoidDisputed => Kind::Check(self.avoid_disputed),
        }
    }

    /// Sets an option by its name in any dialect. What takes effect later, or elsewhere, is told by the result.
    ///
    /// # Errors
    /// An unknown name, or a value out of range: the old value stays.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let shown = super::command::shortened(name);
        let id = by_name(name).ok_or_else(|| {
            format!("unknown option '{shown}'; the introduction lists the options")
        })?;
        let value = value.unwrap_or_default();
        let bad = |wanted: &str| {
            let value = super::command::shortened(value);
            Err(format!("option '{shown}': '{value}' is not {wanted}; the old value stays"))
        };
        let mut number = 0;
        let mut flag = false;
        match self.kind(id) {
            Kind::Button => {}
            Kind::Check(_) => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => flag = true,
                "false" | "off" | "no" | "0" => {}
                _ => return bad("true or false"),
            },
            Kind::Spin { min, max, .. } => match value.parse() {
                Ok(found) if (min..=max).contains(&found) => number = found,
                _ => return bad(&format!("a number from {min} to {max}")),
            },
            Kind::Combo { ref values, .. } => {
                let found = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                match found {
                    Some(index) => number = index as u64,
                    None => return bad(&format!("one of {}", values.join(", "))),
                }
            }
        }
        // Invariant: `number` is within the range above, which fits the fields.
        let small = number as u32;
        match id {
            Id::Threads => self.threads = number as usize,
            Id::Hash => return Ok(Change::Hash(number as usize)),
            Id::ClearHash => return Ok(Change::ClearHash),
            Id::Ponder => self.ponder = flag,
            Id::MultiPv => self.multipv = number as usize,
            Id::MoveOverhead => self.overhead_ms = number,
            Id::Skill => self.skill.level = small,
            Id::SkillSeed => self.skill.seed = number,
            Id::ShowWdl => self.show_wdl = flag,
            Id::Rules => {
                let set = G::RuleSet::ALL[number as usize];
                self.rule_sets.insert(G::NAME, set.name());
                self.choose_rules(set);
                return Ok(Change::Rules);
            }
            Id::MoveLimit => {
                self.rules.move_limit_plies = (small > 0).then_some(small);
                self.chosen.move_limit_plies = Some(self.rules.move_limit_plies);
                return Ok(Change::Rules);
            }
            Id::Repetitions if small == 1 => return bad("0 (never) or a number from 2 on"),
            Id::Repetitions => {
                self.rules.repetitions = (small > 0).then_some(small);
                self.chosen.repetitions = Some(self.rules.repetitions);
                return Ok(Change::Rules);
            }
            Id::Variant => {
                let name = &self.variants[number as usize];
                if name != G::NAME {
                    return Ok(Change::Variant(name.clone()));
                }
            }
            Id::UseMillisec => {
                self.unit = if flag { TimeUnit::Milliseconds } else { TimeUnit::Seconds };
            }
            Id::Batch => self.batch = flag,
            Id::StepOrder if small == 0 => self.step_order = StepOrder::Document,
            Id::StepOrder => self.step_order = StepOrder::Tomatene,
            Id::MoveTime => self.movetime_ms = number,
            Id::Resign => self.resign_cp = number,
            Id::AvoidDisputed => self.avoid_disputed = flag,
        }
        Ok(Change::Stored)
    }
}

fn write_to(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string");
}

/// The name of an option in a dialect. UCCI wants one word in lower case, USI one word.
fn name(id: Id, dialect: Dialect) -> &'static str {
    let [uci, ucci, usi] = match id {
        Id::Threads => ["Threads", "threads", "Threads"],
        Id::Hash => ["Hash", "hashsize", "USI_Hash"],
        Id::ClearHash => ["Clear Hash", "clearhash", "ClearHash"],
        Id::Ponder => ["Ponder", "ponder", "USI_Ponder"],
        Id::MultiPv => ["MultiPV", "multipv", "MultiPV"],
        Id::MoveOverhead => ["Move Overhead", "moveoverhead", "MoveOverhead"],
        Id::Skill => ["Skill Level", "skilllevel", "SkillLevel"],
        Id::SkillSeed => ["Skill Seed", "skillseed", "SkillSeed"],
        Id::ShowWdl => ["UCI_ShowWDL", "showwdl", "ShowWDL"],
        Id::Rules => ["Rules", "rules", "Rules"],
        Id::MoveLimit => ["MoveLimit", "movelimit", "MoveLimit"],
        Id::Repetitions => ["Repetitions", "repetitions", "Repetitions"],
        Id::Variant => ["UCI_Variant", "variant", "USI_Variant"],
        Id::UseMillisec => ["usemillisec"; 3],
        Id::Batch => ["batch"; 3],
        Id::StepOrder => ["StepOrder", "steporder", "StepOrder"],
        Id::MoveTime => ["MoveTime", "movetime", "MoveTime"],
        Id::Resign => ["Resign", "resign", "Resign"],
        Id::AvoidDisputed => ["AvoidDisputed", "avoiddisputed", "AvoidDisputed"],
    };
    match dialect {
        Dialect::Uci => uci,
        Dialect::Ucci => ucci,
        Dialect::Usi => usi,
    }
}

const EVERY: [Id; 19] = [
    Id::Threads,
    Id::Hash,
    Id::ClearHash,
    Id::Ponder,
    Id::MultiPv,
    Id::MoveOverhead,
    Id::Skill,
    Id::SkillSeed,
    Id::ShowWdl,
    Id::Rules,
    Id::MoveLimit,
    Id::Repetitions,
    Id::Variant,
    Id::UseMillisec,
    Id::Batch,
    Id::StepOrder,
    Id::MoveTime,
    Id::Resign,
    Id::AvoidDisputed,
];

/// The option of a name, in any dialect, without regard to case, blanks and underscores.
fn by_name(text: &str) -> Option<Id> {
    let wanted = squeezed(text).to_ascii_lowercase();
    if wanted == "skill" {
        return Some(Id::Skill);
    }
    let has = |id: &Id| {
        Dialect::ALL
            .iter()
            .any(|&dialect| squeezed(name(*id, dialect)).to_ascii_lowercase() == wanted)
    };
    EVERY.into_iter().find(|id| has(id))
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|letter| !matches!(letter, ' ' | '_')).collect()
}

/// The memory of this machine in MiB, or a bound that no machine reaches where it is unknown.
fn memory_mib() -> u64 {
    const UNKNOWN: u64 = 1 << 25;
    let read = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some((kib >> 10).max(1))
    };
    read().unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Xiangqi;

    fn options() -> Options<Xiangqi> {
        let set = <Xiangqi as Game>::RuleSet::ALL[0];
        Options::new(16, 1, Xiangqi::rules(set), &["xiangqi", "taikyoku"])
    }

    #[test]
    fn every_listed_option_can_be_set_to_its_default() {
        for dialect in Dialect::ALL {
            for &id in Options::<Xiangqi>::listed(dialect) {
                let mut options = options();
                let value = match options.kind(id) {
                    Kind::Button => None,
                    Kind::Check(value) => Some(value.to_string()),
                    Kind::Spin { default, .. } => Some(default.to_string()),
                    Kind::Combo { default, .. } => Some(default),
                };
                let result = options.set(name(id, dialect), value.as_deref());
                assert!(result.is_ok(), "{dialect:?} {id:?} {value:?}: {result:?}");
            }
        }
    }

    #[test]
    fn values_out_of_range_leave_the_old_one() {
        let mut options = options();
        for (name, value) in [
            ("Threads", "0"),
            ("Threads", "100000"),
            ("MultiPV", "x"),
            ("MultiPV", ""),
            ("UCI_ShowWDL", "maybe"),
            ("Rules", "chess"),
            ("Repetitions", "1"),
            ("Hash", "99999999"),
            ("nonsense", "1"),
            ("UCI_Variant", "shogi"),
        ] {
            let error = options.set(name, Some(value)).unwrap_err();
            assert!(error.contains(name), "{error}");
        }
        assert_eq!((options.threads, options.multipv, options.show_wdl), (1, 1, false));
    }

    #[test]
    fn names_of_all_dialects_are_understood() {
        let mut options = options();
        for name in ["Hash", "hashsize", "USI_Hash", "hash"] {
            assert_eq!(options.set(name, Some("8")), Ok(Change::Hash(8)), "{name}");
        }
        assert_eq!(options.set("move overhead", Some("50")), Ok(Change::Stored));
        assert_eq!(options.overhead_ms, 50);
        assert_eq!(options.set("UCI_Variant", Some("xiangqi")), Ok(Change::Stored));
        let taikyoku = Change::Variant("taikyoku".to_owned());
        assert_eq!(options.set("UCI_Variant", Some("taikyoku")), Ok(taikyoku));
        assert_eq!(options.set("Rules", Some("WXF")), Ok(Change::Rules));
        assert_eq!(options.rules.set.name(), "wxf");
    }

    #[test]
    fn options_are_told_as_each_dialect_wants() {
        let options = options();
        let uci = options.describe(Dialect::Uci).join("\n");
        assert!(uci.contains("option name Move Overhead type spin default 10 min 0 max 5000"));
        assert!(uci.contains(
            "option name UCI_Variant type combo default xiangqi var xiangqi var taikyoku"
        ));
        let ucci = options.describe(Dialect::Ucci).join("\n");
        assert!(ucci.contains("option usemillisec type check default true"));
        assert!(ucci.contains("option hashsize type spin min 1 max "));
        assert!(options.describe(Dialect::Usi)[0].starts_with("option name USI_Hash "));
    }
}
