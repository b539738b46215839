//! A file in parts, such as for training and validation. A game goes to a part as a whole, by a hash of its number, so that
//! the same game of the same run goes to the same part of every file.

use serde_json::json;

use super::history::{Counts, Step, file_name, header_after};
use super::stream::{Batch, Watch, each_game};
use super::target::Games;
use super::{Target, ToolError};
use crate::data::Reader;
use crate::random::Random;

/// A part to be written.
pub struct Part {
    /// Where to.
    pub target: Target,
    /// Its share of the games, relative to the other parts.
    pub share: f64,
}

/// Writes the parts. Gives the counts of each.
///
/// # Errors
/// See [`ToolError`].
pub fn split(
    reader: &Reader,
    parts: Vec<Part>,
    seed: u64,
    watch: &mut Watch<'_>,
) -> Result<Vec<Counts>, ToolError> {
    let sum: f64 = parts.iter().map(|part| part.share).sum();
    if parts.is_empty() || !sum.is_finite() || parts.iter().any(|part| part.share <= 0.0) {
        return Err(ToolError::Usage("shares of parts must be greater than 0".to_owned()));
    }
    let mut bounds = Vec::new();
    let mut below = 0.0;
    for part in &parts {
        below += part.share / sum;
        bounds.push(below);
    }
    let steps: Vec<Step> = parts
        .iter()
        .zip(&bounds)
        .map(|(part, bound)| {
            let from = bound - part.share / sum;
            let name = file_name(part.target.path());
            Step::new("split", json!({"seed": seed, "part": name, "from": from, "to": bound}))
        })
        .collect();
    let mut counts = vec![Counts::default(); parts.len()];
    let header =
        |part: usize, counts: Counts| header_after(reader.header(), &steps[part], Some(counts));
    let mut files = parts
        .into_iter()
        .enumerate()
        .map(|(part, Part { target, .. })| Games::begin(target, &header(part, counts[part])))
        .collect::<Result<Vec<_>, _>>()?;
    let chain = |item: super::stream::Item<'_>| Ok(item.game.to_chain());
    each_game(reader, watch, Batch::USUAL, chain, |game| {
        let draw = unit(Random::new(seed, game.number).next());
        let part = bounds.iter().position(|&bound| draw < bound).unwrap_or(bounds.len() - 1);
        counts.iter_mut().for_each(|counts| counts.see(&game));
        counts[part].write(&game);
        files[part].push(game)
    })?;
    for (part, file) in files.into_iter().enumerate() {
        file.finish(&header(part, counts[part]))?;
    }
    Ok(counts)
}

/// A random number from 0 to below 1.
fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}
