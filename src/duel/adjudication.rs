//! Ending games early: when both engines agree on the outcome, when a lead is overwhelming, or when a game is too long.

use std::str::FromStr;

use crate::game::Side;
use crate::score::Score;

/// When to end games early; what is `None` is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A loss when an engine sees itself far behind, and the other does not object.
    pub resign: Option<Resign>,
    /// A draw when both see an even game.
    pub draw: Option<Even>,
    /// A win by our static evaluation.
    pub lead: Option<Lead>,
    /// A draw after so many plies, the opening among them.
    pub max_plies: Option<usize>,
}

/// `CP,MOVES`: behind by so many centipawns for so many moves of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// Centipawns behind.
    pub cp: i32,
    /// Moves in a row.
    pub moves: u32,
}

/// `CP,MOVES,FROM`: at most so many centipawns from even, for so many moves of each side, from a full move on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Even {
    /// Centipawns from even.
    pub cp: i32,
    /// Moves in a row.
    pub moves: u32,
    /// First full move at which a game may end so.
    pub from: usize,
}

/// `CP,PLY`: ahead by so many centipawns by our evaluation, from a ply on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lead {
    /// Centipawns ahead.
    pub cp: i32,
    /// First ply at which a game may end so.
    pub ply: usize,
}

/// Plies in a row that a lead must last: a piece that is taken back in an exchange is none.
const LEAD_PLIES: u32 = 4;

/// What ends a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// See [`Adjudication::resign`].
    Resign,
    /// See [`Adjudication::draw`].
    Draw,
    /// See [`Adjudication::lead`].
    Lead,
    /// See [`Adjudication::max_plies`].
    MaxPlies,
}

impl Cause {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resign => "adjudicated_resign",
            Self::Draw => "adjudicated_draw",
            Self::Lead => "adjudicated_lead",
            Self::MaxPlies => "max_plies",
        }
    }
}

/// A decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// Who wins; `None`: a draw.
    pub winner: Option<Side>,
    /// What decided.
    pub cause: Cause,
    /// The reason for people.
    pub explanation: String,
}

/// What has been seen of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Trail {
    /// Moves in a row with which the side saw itself lost, won, and even.
    lost: u32,
    won: u32,
    even: u32,
    /// Whether it tells scores.
    tells: bool,
}

/// Watches one game.
#[derive(Clone, Debug)]
pub struct Watch {
    rules: Adjudication,
    trails: [Trail; 2],
    leader: Option<Side>,
    lead_plies: u32,
}

impl Watch {
    /// At the start of a game.
    pub fn new(rules: Adjudication) -> Self {
        Self { rules, trails: [Trail::default(); 2], leader: None, lead_plies: 0 }
    }

    /// Sees the score that `side` gave its move, from its own view.
    pub fn see_score(&mut self, side: Side, score: Option<Score>) {
        let trail = &mut self.trails[side.index()];
        let Some(score) = score else {
            *trail = Trail::default();
            return;
        };
        let count = |run: &mut u32, goes_on: bool| *run = if goes_on { *run + 1 } else { 0 };
        trail.tells = true;
        if let Some(resign) = self.rules.resign {
            count(&mut trail.lost, score.get() <= -resign.cp);
            count(&mut trail.won, score.get() >= resign.cp);
        }
        if let Some(draw) = self.rules.draw {
            count(&mut trail.even, score.get().abs() <= draw.cp);
        }
    }

    /// Sees a position with its static evaluation from the first player's view, and rules on it.
    pub fn rule(&mut self, plies: usize, evaluate: impl FnOnce() -> i32) -> Option<Ruling> {
        self.resignation()
            .or_else(|| self.even(plies))
            .or_else(|| self.lead(plies, evaluate))
            .or_else(|| {
                let limit = self.rules.max_plies.filter(|&limit| plies >= limit)?;
                Some(Ruling {
                    winner: None,
                    cause: Cause::MaxPlies,
                    explanation: format!("The game reached {limit} plies."),
                })
            })
    }

    fn resignation(&self) -> Option<Ruling> {
        let Resign { cp, moves } = self.rules.resign?;
        let loser = Side::ALL.into_iter().find(|&side| {
            let [own, other] = [side, !side].map(|side| self.trails[side.index()]);
            own.lost >= moves && (other.won >= moves || !other.tells)
        })?;
        Some(Ruling {
            winner: Some(!loser),
            cause: Cause::Resign,
            explanation: format!("The loser saw itself {cp} centipawns behind for {moves} moves."),
        })
    }

    fn even(&self, plies: usize) -> Option<Ruling> {
        let Even { cp, moves, from } = self.rules.draw?;
        let agreed = self.trails.iter().all(|trail| trail.even >= moves);
        (agreed && plies / 2 >= from).then(|| Ruling {
            winner: None,
            cause: Cause::Draw,
            explanation: format!(
                "Both saw the game within {cp} centipawns of even for {moves} moves."
            ),
        })
    }

    fn lead(&mut self, plies: usize, evaluate: impl FnOnce() -> i32) -> Option<Ruling> {
        let Lead { cp, ply } = self.rules.lead?;
        if plies + (LEAD_PLIES as usize) < ply {
            return None;
        }
        let score = evaluate();
        let leader = match score {
            _ if score >= cp => Some(Side::First),
            _ if score <= -cp => Some(Side::Second),
            _ => None,
        };
        self.lead_plies = if leader == self.leader { self.lead_plies + 1 } else { 1 };
        self.leader = leader;
        let winner = leader?;
        (self.lead_plies >= LEAD_PLIES && plies >= ply).then(|| Ruling {
            winner: Some(winner),
            cause: Cause::Lead,
            explanation: format!(
                "The static evaluation was at least {cp} centipawns for {LEAD_PLIES} plies; it is {}.",
                score.abs()
            ),
        })
    }
}

/// Positive numbers separated by commas.
fn numbers<const N: usize>(text: &str, shape: &str) -> Result<[u32; N], String> {
    let bad = || format!("'{text}' is not {shape}, whole numbers from 1");
    let numbers: Vec<u32> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|&n| n > 0).ok_or_else(bad))
        .collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| bad())
}

impl FromStr for Resign {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, moves] = numbers(text, "CP,MOVES")?;
        Ok(Self { cp: cp.min(i32::MAX as u32) as i32, moves })
    }
}

impl FromStr for Even {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, moves, from] = numbers(text, "CP,MOVES,FROM")?;
        Ok(Self { cp: cp.min(i32::MAX as u32) as i32, moves, from: from as usize })
    }
}

impl FromStr for Lead {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let [cp, ply] = numbers(text, "CP,PLY")?;
        Ok(Self { cp: cp.min(i32::MAX as u32) as i32, ply: ply as usize })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(rules: Adjudication) -> Watch {
        Watch::new(rules)
    }

    #[test]
    fn a_resignation_needs_both_sides() {
        let rules = Adjudication { resign: Some("500,2".parse().unwrap()), ..Default::default() };
        let cp = |score| Some(Score::centipawns(score));
        let mut both = watch(rules);
        let mut doubtful = watch(rules);
        let mut silent = watch(rules);
        for _ in 0..2 {
            both.see_score(Side::First, cp(-600));
            both.see_score(Side::Second, Some(Score::mate_in(3)));
            doubtful.see_score(Side::First, cp(-600));
            doubtful.see_score(Side::Second, cp(300));
            silent.see_score(Side::First, cp(-600));
            silent.see_score(Side::Second, None);
        }
        let ruling = both.rule(40, || 0).expect("both agree");
        assert_eq!(
            (ruling.winner, ruling.cause.name()),
            (Some(Side::Second), "adjudicated_resign")
        );
        assert_eq!(doubtful.rule(40, || 0), None);
        assert_eq!(silent.rule(40, || 0).and_then(|ruling| ruling.winner), Some(Side::Second));
        both.see_score(Side::First, cp(-100));
        assert_eq!(both.rule(41, || 0), None);
    }

    #[test]
    fn draws_wait_for_their_move() {
        let rules = Adjudication { draw: Some("20,1,30".parse().unwrap()), ..Default::default() };
        let mut game = watch(rules);
        game.see_score(Side::First, Some(Score::ZERO));
        assert_eq!(game.rule(60, || 0), None);
        game.see_score(Side::Second, Some(Score::centipawns(-20)));
        assert_eq!(game.rule(59, || 0), None);
        assert_eq!(game.rule(60, || 0).expect("even").winner, None);
    }

    #[test]
    fn a_lead_must_last() {
        let rules = Adjudication { lead: Some("1000,10".parse().unwrap()), ..Default::default() };
        let mut game = watch(rules);
        let scores = [-2000, -2000, 0, -1500, -1500, -1500, -1500];
        let rulings: Vec<bool> =
            (8..).zip(scores).map(|(ply, score)| game.rule(ply, || score).is_some()).collect();
        assert_eq!(rulings, [false, false, false, false, false, false, true]);
        let max = Adjudication { max_plies: Some(10), ..Default::default() };
        assert_eq!(watch(max).rule(9, || 0), None);
        assert_eq!(watch(max).rule(10, || 0).expect("too long").cause, Cause::MaxPlies);
    }

    #[test]
    fn bad_numbers_are_named() {
        assert!("500".parse::<Resign>().unwrap_err().contains("CP,MOVES"));
        assert!("500,0".parse::<Resign>().is_err());
        assert!("10,5".parse::<Even>().unwrap_err().contains("FROM"));
        assert!("x,5".parse::<Lead>().unwrap_err().contains("'x,5'"));
    }
}
