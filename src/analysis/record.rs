//! A record: what is told of one position, before it takes the shape of an output format.

use serde::Serialize;
use serde_json::{Map, Value};

use super::job::{InputError, Label};
use crate::game::{Side, Verdict};
use crate::score::{Bound, Score, ScoreKind};
use crate::search::StopReason;

/// One position, analysed or refused.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// Where it came from.
    #[serde(flatten)]
    pub label: Label,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a position.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// It was analysed.
    Analysed(Box<Analysis>),
    /// It was refused.
    Refused {
        /// Why.
        error: InputError,
    },
}

/// The analysis of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// Plies of the last complete iteration.
    pub depth: u32,
    /// Plies of the deepest line.
    pub seldepth: u32,
    /// Moves played in the tree.
    pub nodes: u64,
    /// Time used; `None` where only countable limits are set, so that equal runs have equal output.
    pub time_ms: Option<u64>,
    /// Why the search ended.
    pub stop: StopReason,
    /// The best lines.
    pub pvs: Vec<Pv>,
    /// The best move in the notation asked for; `None` if the game is over.
    pub bestmove: Option<String>,
    /// The move played, in a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<String>,
    /// Whether the best move is one of `bm` and none of `am`, where the input names any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<bool>,
    /// How the game ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// EPD opcodes of the input.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub opcodes: Map<String, Value>,
    /// What is odd but playable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A line of moves and its score.
#[derive(Clone, Debug, Serialize)]
pub struct Pv {
    /// 1 for the best.
    pub rank: usize,
    /// Score for the side to move.
    #[serde(flatten)]
    pub score: ScoreFields,
    /// The same for the first player (Red, Black-sente).
    pub first: ScoreFields,
    /// Whether the score is exact, or the true one is at least (`lower`) or at most (`upper`) this.
    #[serde(serialize_with = "bound_name")]
    pub bound: Bound,
    /// Wins, draws and losses of the side to move to be expected, per mille; see [`Chances`](crate::chances::Chances).
    pub wdl: [u32; 3],
    /// The moves in the notation asked for.
    pub moves: Vec<String>,
}

/// A score under the name of its kind; one of the three is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ScoreFields {
    /// Centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// Moves to mate, negative if the other side mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// A decision by a repetition rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleScore>,
}

/// A game decided by a repetition rule, which is no mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RuleScore {
    /// `win` or `loss`.
    pub result: &'static str,
    /// Plies until the rule decides.
    pub plies: i32,
}

impl ScoreFields {
    /// The score for the side to move.
    pub fn new(score: Score) -> Self {
        match score.kind() {
            ScoreKind::Centipawns(value) => Self { score_cp: Some(value), ..Self::default() },
            ScoreKind::Mate(_) => Self { mate: score.mate_moves(), ..Self::default() },
            ScoreKind::Rule(plies) => {
                let result = if score > Score::ZERO { "win" } else { "loss" };
                Self { rule: Some(RuleScore { result, plies: plies.abs() }), ..Self::default() }
            }
        }
    }

    /// The score for the first player.
    pub fn for_first(score: Score, to_move: Side) -> Self {
        let own = Self::new(score);
        if to_move == Side::First {
            return own;
        }
        Self {
            score_cp: own.score_cp.map(|value| -value),
            mate: own.mate.map(|moves| -moves),
            rule: own.rule.map(|rule| RuleScore {
                result: if rule.result == "win" { "loss" } else { "win" },
                ..rule
            }),
        }
    }

    /// For tables: `+0.35`, `#3`, `#-2`, `rule win 4`.
    pub fn for_people(&self) -> String {
        match self {
            Self { mate: Some(moves), .. } => format!("#{moves}"),
            Self { rule: Some(rule), .. } => format!("rule {} {}", rule.result, rule.plies),
            Self { score_cp, .. } => format!("{:+.2}", f64::from(score_cp.unwrap_or(0)) / 100.0),
        }
    }
}

fn bound_name<S: serde::Serializer>(bound: &Bound, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(bound_text(*bound))
}

/// The name of a bound in all outputs.
pub const fn bound_text(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_scores_are_never_mates() {
        let rule = Score::rule_loss_in(4);
        let own = ScoreFields::new(rule);
        assert_eq!(own.rule, Some(RuleScore { result: "loss", plies: 4 }));
        assert_eq!((own.mate, own.score_cp), (None, None));
        let first = ScoreFields::for_first(rule, Side::Second);
        assert_eq!(first.rule, Some(RuleScore { result: "win", plies: 4 }));
    }

    #[test]
    fn the_first_players_view_is_the_negative_for_the_second() {
        let fields = ScoreFields::for_first(Score::mate_in(3), Side::Second);
        assert_eq!(fields.mate, Some(-2));
        let fields = ScoreFields::for_first(Score::centipawns(35), Side::First);
        assert_eq!(fields.score_cp, Some(35));
    }
}
