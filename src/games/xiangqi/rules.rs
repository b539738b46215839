//! The named rule sets of xiangqi and their limits.

use crate::game::{Named, Rules};

/// A reading of the rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleSet {
    /// Asian Xiangqi Federation.
    Asian,
    /// World Xiangqi Federation.
    Wxf,
    /// The short rules of the seed documents.
    Simple,
}

/// The rules of a game of xiangqi.
pub type XiangqiRules = Rules<RuleSet>;

impl Named for RuleSet {
    const ALL: &'static [Self] = &[Self::Asian, Self::Wxf, Self::Simple];

    fn name(self) -> &'static str {
        match self {
            Self::Asian => "asian",
            Self::Wxf => "wxf",
            Self::Simple => "simple",
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Asian => "Asian federation: perpetual check, then perpetual chase, loses",
            Self::Wxf => "World federation: as asian, and mixtures of check and chase are judged",
            Self::Simple => "perpetual check or chase of one piece loses at the fourth occurrence",
        }
    }
}

impl RuleSet {
    /// The usual limits: 60 full moves without a capture, judged at the third (`simple`: fourth) occurrence.
    pub const fn rules(self) -> XiangqiRules {
        Rules {
            set: self,
            move_limit_plies: Some(120),
            repetitions: Some(match self {
                Self::Asian | Self::Wxf => 3,
                Self::Simple => 4,
            }),
            stalemate_loses: true,
            material_draw: true,
        }
    }
}
