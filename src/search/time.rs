//! Time by the clock of a game: how much of it a move may take.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A player's clock before a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Main time left.
    pub remaining: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves until the next time control; `None`: the time is for the whole game.
    pub moves_to_go: Option<u32>,
    /// Time for each move once the main time is used up (byo-yomi).
    pub byoyomi: Duration,
}

/// Bounds for the time of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimePlan {
    /// About how much to use: no new iteration after it, stretched or cut by how settled the best move is.
    pub soft: Duration,
    /// Never more than this.
    pub hard: Duration,
}

/// The numbers of time management.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeParams {
    /// Kept back for the way to the clock, milliseconds.
    pub overhead_ms: u64,
    /// Moves that the rest of a game is thought to take.
    pub moves_left: u32,
    /// Part of the increment used for each move, percent.
    pub increment_percent: u32,
    /// Hard bound as a multiple of the soft one, percent.
    pub hard_percent: u32,
    /// Most of the remaining time for one move, percent.
    pub share_percent: u32,
}

impl Default for TimeParams {
    fn default() -> Self {
        Self {
            overhead_ms: 10,
            moves_left: 30,
            increment_percent: 75,
            hard_percent: 400,
            share_percent: 60,
        }
    }
}

impl TimePlan {
    /// Shares out a clock.
    pub fn from_clock(clock: Clock, params: &TimeParams) -> Self {
        let overhead = Duration::from_millis(params.overhead_ms);
        // With byo-yomi the whole main time may go; otherwise the clock must never reach zero.
        let usable = (clock.remaining + clock.byoyomi).saturating_sub(overhead);
        let moves =
            clock.moves_to_go.unwrap_or(params.moves_left).clamp(1, params.moves_left.max(1));
        let main = clock.remaining.saturating_sub(overhead);
        let soft = main / moves + clock.increment * params.increment_percent / 100 + clock.byoyomi;
        // The last move before a time control may use nearly everything.
        let share = if moves == 1 { 95 } else { params.share_percent };
        let most = main * share / 100 + clock.byoyomi;
        let hard = (soft * params.hard_percent / 100).min(most).min(usable);
        let hard = hard.max(Duration::from_millis(1));
        Self { soft: soft.min(hard), hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_bullet_clock_never_runs_out() {
        let params = TimeParams::default();
        let mut remaining = ms(100);
        for _ in 0..200 {
            let clock = Clock { remaining, increment: ms(10), ..Clock::default() };
            let plan = TimePlan::from_clock(clock, &params);
            // The worst case: every move takes the hard bound and most of the overhead.
            let used = plan.hard + ms(params.overhead_ms - 1);
            assert!(used < remaining, "{remaining:?} left, {used:?} used");
            remaining = remaining - used + ms(10);
        }
    }

    #[test]
    fn byoyomi_is_used_when_the_main_time_is_gone() {
        let clock = Clock { byoyomi: ms(1000), ..Clock::default() };
        let plan = TimePlan::from_clock(clock, &TimeParams::default());
        assert_eq!(plan, TimePlan { soft: ms(990), hard: ms(990) });
    }

    #[test]
    fn bounds_are_ordered_for_any_clock() {
        for remaining in [0, 1, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 5000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let clock = Clock {
                        remaining: ms(remaining),
                        increment: ms(increment),
                        moves_to_go,
                        byoyomi: ms(0),
                    };
                    let plan = TimePlan::from_clock(clock, &TimeParams::default());
                    assert!(plan.soft <= plan.hard);
                    assert!(plan.hard <= ms(remaining).max(ms(1)), "{clock:?} {plan:?}");
                }
            }
        }
    }
}
