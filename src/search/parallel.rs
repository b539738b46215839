//! Lazy SMP: every thread searches the same root with move records of its own. They share the table, put off moves that
//! another one is searching (`busy`), reduce late moves alike (`agreed`), and race for each iteration: the first to complete
//! it takes the others along.

use std::thread::Builder;

use super::limits::StopReason;
use super::root::{self, Observer, Outcome, Task};
use super::worker::{Memory, Setting, Worker};
use crate::game::Evaluate;
use crate::score::Score;

/// Stack of a helping thread: about ten times what the deepest line needs in a release build.
const STACK_BYTES: usize = 16 << 20;

/// Searches with one thread for each memory; the caller's thread is the first. Gives the outcome that the threads vote for.
pub(super) fn search<G: Evaluate>(
    setting: Setting<'_, G>,
    memories: &mut [Memory<G>],
    task: &Task<'_, G::Move>,
    observer: &mut Observer<'_, G>,
) -> Outcome<G::Move> {
    let (first, others) = memories.split_first_mut().expect("a searcher has at least one thread");
    if others.is_empty() {
        let outcome = root::deepen(&mut Worker::new(setting, first, 0), task, observer);
        if task.limits.infinite && setting.control.halted().is_none() {
            setting.control.wait();
        }
        return outcome;
    }
    std::thread::scope(|scope| {
        let mut helpers = Vec::new();
        for (index, memory) in others.iter_mut().enumerate() {
            let builder =
                Builder::new().name(format!("search-{}", index + 1)).stack_size(STACK_BYTES);
            let help = move || root::help(&mut Worker::new(setting, memory, index + 1), task);
            // A machine that is out of threads still gets its answer, from fewer of them.
            let Ok(helper) = builder.spawn_scoped(scope, help) else { break };
            helpers.push(helper);
        }
        let main = root::deepen(&mut Worker::new(setting, first, 0), task, observer);
        if task.limits.infinite && setting.control.halted().is_none() {
            setting.control.wait();
        }
        setting.control.halt(StopReason::Depth);
        let mut outcomes = vec![main];
        for helper in helpers {
            match helper.join() {
                Ok(outcome) => outcomes.push(outcome),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        if task.limits.multipv > 1 { outcomes.swap_remove(0) } else { vote(outcomes) }
    })
}

/// Every thread votes for its move with a weight that grows with depth and score; a found mate decides.
fn vote<M: Copy + Eq>(mut outcomes: Vec<Outcome<M>>) -> Outcome<M> {
    let score = |outcome: &Outcome<M>| outcome.lines[0].score;
    let worst = outcomes.iter().map(score).min().unwrap_or_default();
    let weight = |outcome: &Outcome<M>| {
        i64::from(score(outcome).get() - worst.get() + SCORE_OFFSET) * i64::from(outcome.depth)
    };
    let votes: Vec<i64> = outcomes
        .iter()
        .map(|one| {
            let same =
                outcomes.iter().filter(|other| other.lines[0].moves[0] == one.lines[0].moves[0]);
            same.map(weight).sum()
        })
        .collect();
    let key = |index: usize| {
        let outcome = &outcomes[index];
        let won = if score(outcome).is_decisive() && score(outcome) > Score::ZERO {
            score(outcome).get()
        } else {
            0
        };
        (won, votes[index], outcome.depth, std::cmp::Reverse(index))
    };
    let best = (0..outcomes.len()).max_by_key(|&index| key(index)).unwrap_or_default();
    outcomes.swap_remove(best)
}

/// Keeps the worst thread's vote above nothing, centipawns.
const SCORE_OFFSET: i32 = 14;
