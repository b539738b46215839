//! The named readings of the rules, and what each decides.

use super::catalog::{ATSA, Catalog};
use super::moveset::MoveSet;
use crate::game::{Named, Rules};

/// A named reading of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// The reading of the seed article and of the majority of sources.
    Seed,
    /// The reading of the ATSA web client and of the tomatene engine.
    Atsa,
}

impl Named for RuleSet {
    const ALL: &'static [Self] = &[Self::Seed, Self::Atsa];

    fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Atsa => "atsa",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Seed => {
                "the encyclopedia article and the majority of sources; optional promotion"
            }
            Self::Atsa => "the ATSA web client and the tomatene engine; mandatory promotion",
        }
    }
}

/// When a piece that reaches the zone promotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promotion {
    /// The player chooses, but a piece that could never move again must promote. Only the final square counts.
    Optional,
    /// Always; a two-step move also promotes when its first step touches the zone.
    Mandatory,
}

/// What stops a range capture, and where it may end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeEnd {
    /// On empty squares and on enemies of any rank; an equal or higher rank ends the line.
    EnemyOfAnyRank,
    /// On empty squares and on lower ranks of either side; an equal or higher rank is a wall.
    LowerOfEitherSide,
}

/// What a leap of a range capturer does to the pieces it leaps over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeLeap {
    /// Nothing.
    Spares,
    /// It removes them, whatever their side and rank.
    Removes,
}

/// The decisions of a rule set beside its move table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// When pieces promote.
    pub promotion: Promotion,
    /// Where range captures end.
    pub range_end: RangeEnd,
    /// What leaps of range capturers remove.
    pub range_leap: RangeLeap,
}

impl RuleSet {
    /// The decisions of the rule set.
    pub const fn reading(self) -> Reading {
        match self {
            Self::Seed => Reading {
                promotion: Promotion::Optional,
                range_end: RangeEnd::EnemyOfAnyRank,
                range_leap: RangeLeap::Spares,
            },
            Self::Atsa => Reading {
                promotion: Promotion::Mandatory,
                range_end: RangeEnd::LowerOfEitherSide,
                range_leap: RangeLeap::Removes,
            },
        }
    }

    /// The move set of every kind under the rule set, with its text, in the order of the table of kinds.
    pub fn move_sets(self, catalog: &Catalog) -> Vec<(String, MoveSet)> {
        let kinds = catalog.kinds.iter();
        let mut sets: Vec<_> =
            kinds.map(|kind| (kind.moves_text.clone(), kind.moves.clone())).collect();
        if self == Self::Atsa {
            let changes = catalog
                .parse_changes("atsa.tsv", ATSA)
                .expect("a test reads the built-in table of changes");
            let own = |row: &&super::catalog::OtherMoves| row.sources.iter().any(|s| s == "atsa");
            for row in catalog.readings.iter().filter(own).chain(&changes) {
                sets[row.kind.index()] = (row.moves_text.clone(), row.moves.clone());
            }
        }
        sets
    }

    /// The usual limits of the rule set: no move limit, as real games take well over a thousand moves; a draw at the fourth
    /// occurrence of a position, the tradition of shogi; a side without a move loses; no draw by material.
    pub const fn rules(self) -> Rules<Self> {
        Rules {
            set: self,
            move_limit_plies: None,
            repetitions: Some(4),
            stalemate_loses: true,
            material_draw: false,
            any_material: true,
        }
    }
}
