//! The named rule sets of xiangqi and their limits.

use crate::game::{Named, RulePoint, Rules};

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
            Self::Wxf => {
                "World federation: perpetual check loses, then perpetual chase, whatever is chased"
            }
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
            any_material: false,
        }
    }
}

/// What the rule sets decide beside their limits.
pub fn points() -> Vec<RulePoint> {
    let point = |question: &str, [asian, wxf, simple]: [&str; 3]| RulePoint {
        question: question.to_owned(),
        answers: [asian, wxf, simple].map(str::to_owned).into(),
    };
    vec![
        point(
            "one side checks with every move of a repeated cycle",
            ["it loses", "it loses", "it loses"],
        ),
        point(
            "one side chases with every move of a repeated cycle",
            [
                "it loses, if every move attacks the same piece anew",
                "it loses, if every move attacks the same piece anew",
                "it loses, if one piece is driven to and fro between two points",
            ],
        ),
        point("one side checks and chases in turn", ["a draw, as neither offence is perpetual"; 3]),
        point(
            "both sides break a rule",
            [
                "the graver offence loses, check before chase of a chariot pinned by a horse before other chases; a draw if equal",
                "the graver offence loses, check before chase; a draw if equal",
                "a draw if both check or both chase; a checker loses to a chaser",
            ],
        ),
        point(
            "checks beyond a side's tenth since the last capture, and the answers, in the move limit",
            ["do not count", "do not count", "count"],
        ),
    ]
}
