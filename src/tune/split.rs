//! Which games are learnt from and which are held back: whole games, as positions of one game share its result.

use super::sample::Samples;
use crate::random::Random;

/// Numbers of positions to learn from, and of positions held back.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// To learn from.
    pub training: Vec<u32>,
    /// Held back.
    pub held_out: Vec<u32>,
    /// Games to learn from, and games held back.
    pub games: [usize; 2],
}

/// Holds back the positions of a part of the games, chosen by the seed; at least one game each side if there are two.
///
/// # Panics
/// With more than 2^32 positions.
pub fn split(samples: &Samples, part: f64, seed: u64) -> Split {
    let game_of = |number: usize| samples.outcome(number).game;
    let mut games: Vec<u32> = (0..samples.len()).map(game_of).collect();
    games.sort_unstable();
    games.dedup();
    Random::new(seed, 1).shuffle(&mut games);
    let most = games.len().saturating_sub(1);
    let least = usize::from(part > 0.0).min(most);
    let count = ((games.len() as f64 * part).round() as usize).clamp(least, most);
    let mut held_out_games = games[..count].to_vec();
    held_out_games.sort_unstable();
    let mut split = Split { games: [games.len() - count, count], ..Split::default() };
    for number in 0..samples.len() {
        let list = match held_out_games.binary_search(&game_of(number)) {
            Ok(_) => &mut split.held_out,
            Err(_) => &mut split.training,
        };
        list.push(u32::try_from(number).expect("memory ends before 2^32 positions"));
    }
    split
}
