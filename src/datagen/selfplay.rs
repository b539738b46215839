//! One game against oneself, from its number to its chain.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::opening::NoOpening;
use super::{Effort, Plan, Variety};
use crate::data::{Chain, EndReason, Ply, PlyFlags};
use crate::duel::adjudication::{Cause, Watch};
use crate::game::{Evaluate, Game, GameResult, Side};
use crate::random::Random;
use crate::score::Bound;
use crate::search::{Limits, Line, Report, Searcher, TableError};

/// A game that was played.
pub struct Made {
    /// The game.
    pub chain: Chain,
    /// The keys of its searched positions.
    pub keys: Vec<u64>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time in searches for moves.
    pub search_time: Duration,
    /// Time to find its opening.
    pub opening_time: Duration,
    /// Time of the whole game.
    pub time: Duration,
}

/// Plays games one after the other.
pub struct SelfPlayer<'a, G: Evaluate> {
    plan: &'a Plan<G>,
    searcher: Searcher<G>,
    /// The text of the initial position, which chains do not repeat.
    initial: String,
}

/// A game under way.
struct Course<G: Evaluate> {
    position: G::Position,
    plies: Vec<Ply>,
    keys: Vec<u64>,
    nodes: u64,
    search_time: Duration,
}

impl<'a, G: Evaluate> SelfPlayer<'a, G> {
    /// A player.
    ///
    /// # Errors
    /// There is no memory for its table.
    pub fn new(plan: &'a Plan<G>) -> Result<Self, TableError> {
        let searcher = Searcher::new(Arc::clone(&plan.params), plan.hash_mib)?;
        let initial = native_text::<G>(&G::start(plan.rules));
        Ok(Self { plan, searcher, initial })
    }

    /// Plays the game of a number; `None` if the run was stopped.
    ///
    /// # Errors
    /// There is no opening for it.
    pub fn play(&mut self, number: u64) -> Result<Option<Made>, NoOpening> {
        let started = Instant::now();
        let plan = self.plan;
        let mut random = Random::new(plan.seed, number);
        let opening = plan.openings.draw(number, &mut random, |position| {
            self.searcher.clear();
            self.search(position, plan.effort, 1).map(|report| report.score().get())
        })?;
        let Some(opening) = opening else { return Ok(None) };
        self.searcher.clear();
        let opening_time = started.elapsed();

        let mut course = Course::<G>::begin(&opening.position, &plan.params);
        let Some((result, end)) = self.finish(&mut course, &mut random) else { return Ok(None) };
        let chain = Chain {
            number,
            start: (opening.root != self.initial).then_some(opening.root),
            first_ply: 0,
            plies: course.plies,
            result,
            end,
        };
        Ok(Some(Made {
            chain,
            keys: course.keys,
            nodes: course.nodes,
            search_time: course.search_time,
            opening_time,
            time: started.elapsed(),
        }))
    }

    /// Plays until the game is over; `None` if the run was stopped.
    fn finish(
        &mut self,
        course: &mut Course<G>,
        random: &mut Random,
    ) -> Option<(GameResult, EndReason)> {
        let plan = self.plan;
        let mut watch = Watch::new(plan.adjudication);
        loop {
            let position = &course.position;
            let verdict = G::judge(position);
            if let (false, Some(rule)) = (verdict.result == GameResult::None, verdict.rule) {
                return Some((verdict.result, rule.into()));
            }
            let side = G::side_to_move(position);
            let ruling = watch.rule(course.plies.len(), || {
                let score = self.searcher.evaluate(position).get();
                if side == Side::First { score } else { -score }
            });
            if let Some(ruling) = ruling {
                let result = ruling.winner.map_or(GameResult::Draw, GameResult::win);
                return Some((result, end_reason(ruling.cause)));
            }
            let searched = course.keys.len();
            let teacher =
                plan.teacher.filter(|teacher| (searched + 1).is_multiple_of(teacher.every));
            let effort = teacher.map_or(plan.effort, |teacher| teacher.effort);
            let variety = plan.variety.filter(|variety| searched < variety.plies);
            let started = Instant::now();
            let report =
                self.search(position, effort, variety.map_or(1, |variety| variety.moves))?;
            course.search_time += started.elapsed();
            course.nodes += report.nodes;
            let line = &report.lines[0];
            let best = line.moves[0];
            let chosen = variety.map_or(best, |variety| draw(&report.lines, variety, random));
            let mut flags = match line.bound {
                Bound::Exact => PlyFlags::default(),
                Bound::Lower => PlyFlags::LOWER,
                Bound::Upper => PlyFlags::UPPER,
            };
            if teacher.is_some() {
                flags = flags.with(PlyFlags::TEACHER);
            }
            if chosen != best {
                flags = flags.with(PlyFlags::SAMPLED);
            }
            watch.see_score(side, Some(line.score));
            course.keys.push(G::hash(position));
            course.plies.push(Ply {
                code: G::encode(chosen),
                score: Some(line.score),
                flags: flags.with(facts::<G>(position, best)),
                best: (chosen != best).then(|| G::encode(best)),
            });
            G::make(&mut course.position, chosen);
        }
    }

    /// Searches a position; `None` if the run was stopped, and the answer is worthless.
    fn search(
        &mut self,
        position: &G::Position,
        effort: Effort,
        multipv: usize,
    ) -> Option<Report<G::Move>> {
        let limits = Limits {
            depth: effort.depth,
            soft_nodes: effort.soft_nodes,
            nodes: effort.hard_nodes,
            multipv,
            stop: Arc::clone(&self.plan.stop),
            ..Limits::default()
        };
        let report = self.searcher.search(position, &limits, &mut |_| ());
        // Relaxed: the flag orders no other memory; it was set before the search ended, or did not touch it.
        (!self.plan.stop.load(Ordering::Relaxed)).then_some(report)
    }
}

impl<G: Evaluate> Course<G> {
    /// A game whose opening is played.
    fn begin(opening: &G::Position, params: &G::Params) -> Self {
        let made = G::moves_made(opening);
        let mut position = opening.clone();
        made.iter().for_each(|_| G::unmake(&mut position));
        G::prepare(&mut position, params);
        let plies = made.into_iter().map(|mv| {
            let flags = facts::<G>(&position, mv).with(PlyFlags::RANDOM);
            G::make(&mut position, mv);
            Ply { code: G::encode(mv), score: None, flags, best: None }
        });
        let plies = plies.collect();
        Self { position, plies, keys: Vec::new(), nodes: 0, search_time: Duration::ZERO }
    }
}

/// What the rules say of a position and a move of it.
fn facts<G: Evaluate>(position: &G::Position, mv: G::Move) -> PlyFlags {
    let mut flags = PlyFlags::default();
    if G::in_check(position) {
        flags = flags.with(PlyFlags::IN_CHECK);
    }
    if G::is_noisy(position, mv) {
        flags = flags.with(PlyFlags::NOISY);
    }
    flags
}

fn native_text<G: Game>(position: &G::Position) -> String {
    use crate::game::Named;
    G::format_position(position, G::Format::ALL[0]).expect("the native format can say all")
}

const fn end_reason(cause: Cause) -> EndReason {
    match cause {
        Cause::Resign => EndReason::AdjudicatedWin,
        Cause::Draw => EndReason::AdjudicatedDraw,
        Cause::Lead => EndReason::AdjudicatedLead,
        Cause::MaxPlies => EndReason::LengthLimit,
    }
}

/// Draws one of the lines: each step of the temperature below the best halves its weight. A decided game is not risked.
fn draw<M: Copy>(lines: &[Line<M>], variety: Variety, random: &mut Random) -> M {
    let best = lines[0].score;
    if best.is_decisive() {
        return lines[0].moves[0];
    }
    let weights: Vec<u64> = lines
        .iter()
        .map(|line| weight((best.get() - line.score.get()).max(0) as u64, variety.temperature_cp))
        .collect();
    // The best line has the largest weight, so the sum is not 0.
    let mut ticket = random.next() % weights.iter().sum::<u64>();
    for (line, weight) in lines.iter().zip(weights) {
        if ticket < weight {
            return line.moves[0];
        }
        ticket -= weight;
    }
    unreachable!("the ticket is below the sum of the weights")
}

/// `2^32 * 2^(-loss / temperature)`, by straight lines between the powers: whole numbers are the same on every machine.
fn weight(loss_cp: u64, temperature_cp: u32) -> u64 {
    const FULL: u64 = 1 << 32;
    let temperature = u64::from(temperature_cp.max(1));
    let halvings = loss_cp / temperature;
    let power = FULL.checked_shr(halvings.min(64) as u32).unwrap_or(0);
    power - power / 2 * (loss_cp % temperature) / temperature
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn each_step_of_the_temperature_halves_the_weight() {
        assert_eq!(weight(0, 50), 1 << 32);
        assert_eq!(weight(50, 50), 1 << 31);
        assert_eq!(weight(75, 50), 3 << 29);
        assert_eq!(weight(100_000, 1), 0);
        for loss in 1..500 {
            assert!(weight(loss, 20) <= weight(loss - 1, 20));
        }
    }

    #[test]
    fn worse_moves_are_drawn_less_often_and_lost_ones_never() {
        let line =
            |mv: u32, score: Score| Line { rank: 1, score, bound: Bound::Exact, moves: vec![mv] };
        let cp = Score::centipawns;
        let lines = [line(0, cp(30)), line(1, cp(-10)), line(2, Score::mated_in(4))];
        let variety = Variety { moves: 3, temperature_cp: 40, plies: 10 };
        let mut random = Random::new(1, 1);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[draw(&lines, variety, &mut random) as usize] += 1;
        }
        assert!((19_500..20_500).contains(&counts[0]), "two of three: {counts:?}");
        assert_eq!(counts[2], 0);
        let won = [line(0, Score::mate_in(3)), line(1, Score::mate_in(5))];
        assert!((0..100).all(|_| draw(&won, variety, &mut random) == 0));
    }
}
