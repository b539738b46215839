//! Games in random order, in bounded memory.
//!
//! Every game draws a number; games are scattered to files by the first bits of their numbers, then each file is sorted in
//! memory. So the order is that of the numbers, and does not depend on how many files there are.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde_json::json;

use super::history::{Counts, Step, header_after};
use super::stream::{Batch, Watch, each_game, size};
use super::target::{Games, Scratch};
use super::{Target, ToolError};
use crate::data::{Chain, Reader, Writer};
use crate::random::Random;

/// How many bytes a game takes in memory for each byte of payload.
const EXPANSION: u64 = 5;

/// Writes the games of a file in random order; the same for the same seed. Needs about `memory_mib` MiB, and disk space of the
/// size of the file beside the target.
///
/// # Errors
/// See [`ToolError`].
pub fn shuffle(
    reader: &Reader,
    target: Target,
    seed: u64,
    memory_mib: u64,
    watch: &mut Watch<'_>,
) -> Result<Counts, ToolError> {
    let step = Step::new("shuffle", json!({"seed": seed}));
    let scratch = target.scratch()?;
    let need = size(reader).payload_bytes * EXPANSION;
    let parts = need.div_ceil((memory_mib << 20).max(1)).clamp(1, 512);
    let mut buckets = (0..parts)
        .map(|part| Bucket::new(reader, &scratch, part))
        .collect::<Result<Vec<_>, _>>()?;
    let mut counts = Counts::default();
    let chain = |item: super::stream::Item<'_>| Ok((item.ordinal, item.game.to_chain()));
    each_game(reader, watch, Batch::USUAL, chain, |(ordinal, game)| {
        counts.see(&game);
        let key = Random::new(seed, ordinal).next();
        let part = (u128::from(key) * u128::from(parts)) >> 64;
        buckets[part as usize].push(key, game)
    })?;
    let mut games = Games::begin(target, &header_after(reader.header(), &step, Some(counts)))?;
    for bucket in buckets {
        watch.check()?;
        for game in bucket.sorted()? {
            counts.write(&game);
            games.push(game)?;
        }
    }
    games.finish(&header_after(reader.header(), &step, Some(counts)))?;
    Ok(counts)
}

/// Games with neighbouring numbers.
struct Bucket {
    games: Writer,
    games_path: PathBuf,
    keys: BufWriter<File>,
    keys_path: PathBuf,
}

impl Bucket {
    fn new(reader: &Reader, scratch: &Scratch, part: u64) -> Result<Self, ToolError> {
        let games_path = scratch.file(&format!("games.{part}"));
        let keys_path = scratch.file(&format!("keys.{part}"));
        let keys = File::create(&keys_path).map_err(ToolError::io(&keys_path))?;
        let games = Writer::create(&games_path, reader.header())?;
        Ok(Self { games, games_path, keys: BufWriter::new(keys), keys_path })
    }

    fn push(&mut self, key: u64, game: Chain) -> Result<(), ToolError> {
        self.keys.write_all(&key.to_le_bytes()).map_err(ToolError::io(&self.keys_path))?;
        Ok(self.games.push(game)?)
    }

    /// The games by their numbers; the files are removed.
    fn sorted(self) -> Result<Vec<Chain>, ToolError> {
        let keys_io = ToolError::io(&self.keys_path);
        self.keys.into_inner().map_err(|error| keys_io(error.into_error()))?;
        self.games.finish()?;
        let keys = fs::read(&self.keys_path).map_err(&keys_io)?;
        let (keys, _) = keys.as_chunks::<8>();
        let reader = Reader::open(&self.games_path)?;
        let mut games: Vec<(u64, Chain)> = Vec::with_capacity(keys.len());
        for block in reader.blocks() {
            let damaged = |fault| ToolError::Io(format!("{}: {fault}", self.games_path.display()));
            for game in block.map_err(damaged)?.games() {
                let key = u64::from_le_bytes(keys[games.len()]);
                games.push((key, game.to_chain()));
            }
        }
        drop(reader);
        for path in [&self.keys_path, &self.games_path] {
            fs::remove_file(path).map_err(ToolError::io(path))?;
        }
        games.sort_by_key(|&(key, _)| key);
        Ok(games.into_iter().map(|(_, game)| game).collect())
    }
}
