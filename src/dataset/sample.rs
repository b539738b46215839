//! A random part of a file: so many positions (the others get the mark of exclusion), or so many whole games.

use serde_json::json;

use super::history::{Counts, Step, header_after, used};
use super::stream::{Batch, Item, Watch, each_game};
use super::target::Games;
use super::{Target, ToolError};
use crate::data::{PlyFlags, Reader};
use crate::random::Random;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Positions to learn from. Games without any are left out.
    Positions,
    /// Games.
    Games,
}

/// How much is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// So many, or all there are.
    Number(u64),
    /// A share of all, 0 to 1, rounded.
    Share(f64),
}

/// Draws from a file; every choice of that size is equally likely, and the same for the same seed.
///
/// # Errors
/// See [`ToolError`].
pub fn sample(
    reader: &Reader,
    target: Target,
    unit: Unit,
    amount: Amount,
    seed: u64,
    watch: &mut Watch<'_>,
) -> Result<Counts, ToolError> {
    let chain = |item: Item<'_>| Ok(item.game.to_chain());
    let mut there = 0;
    let mut quiet =
        Watch { stop: watch.stop.clone(), progress: &mut |_, _| (), fault: &mut |_| () };
    each_game(reader, &mut quiet, Batch::USUAL, chain, |game| {
        there += if unit == Unit::Games { 1 } else { used(&game) };
        Ok(())
    })?;
    let wanted = match amount {
        Amount::Number(number) => number.min(there),
        Amount::Share(share) => (share * there as f64).round() as u64,
    };
    let name = if unit == Unit::Games { "games" } else { "positions" };
    let step = Step::new("sample", json!({"unit": name, "wanted": wanted, "seed": seed}));
    let mut draw = Draw { left: there, wanted, random: Random::new(seed, there) };
    let mut counts = Counts::default();
    let header = |counts| header_after(reader.header(), &step, Some(counts));
    let mut games = Games::begin(target, &header(counts))?;
    each_game(reader, watch, Batch::USUAL, chain, |mut game| {
        counts.see(&game);
        let is_drawn = match unit {
            Unit::Games => draw.next(),
            Unit::Positions => {
                for ply in game.plies.iter_mut().filter(|ply| ply.is_used()) {
                    if !draw.next() {
                        ply.flags = ply.flags | PlyFlags::EXCLUDED;
                    }
                }
                used(&game) > 0
            }
        };
        if !is_drawn {
            return Ok(());
        }
        counts.write(&game);
        games.push(game)
    })?;
    games.finish(&header(counts))?;
    Ok(counts)
}

/// Draws without replacement, one thing after the other.
//
// CITE: selection sampling, Fan, Muller, Rezucha 1962; Algorithm S of Knuth, The Art of Computer Programming 2, 3.4.2
struct Draw {
    left: u64,
    wanted: u64,
    random: Random,
}

impl Draw {
    /// Whether the next thing is drawn.
    fn next(&mut self) -> bool {
        let is_drawn = ((u128::from(self.random.next()) * u128::from(self.left)) >> 64)
            < u128::from(self.wanted);
        self.left -= 1;
        self.wanted -= u64::from(is_drawn);
        is_drawn
    }
}
