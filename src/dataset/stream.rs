//! A pass over a file: games are worked on by all cores of the current rayon pool, and what comes of them is taken in order.
//!
//! Memory is bounded: so many plies are under way at a time, however large the file is. Results do not depend on the number
//! of threads or on how the file is cut into batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::error::{Fault, Problem, ToolError};
use crate::data::reader::Place;
use crate::data::{Block, BlockFault, ChainView, Reader};

/// How a long pass is looked after: it can be stopped, tells how far it is, and what it could not use.
pub struct Watch<'a> {
    /// Set from outside to end the pass.
    pub stop: Arc<AtomicBool>,
    /// Takes the bytes done and all bytes of the file.
    pub progress: &'a mut dyn FnMut(u64, u64),
    /// Takes what could not be used.
    pub fault: &'a mut dyn FnMut(Fault),
}

impl Watch<'_> {
    /// Fails if the pass should end.
    ///
    /// # Errors
    /// [`ToolError::Interrupted`].
    pub fn check(&self) -> Result<(), ToolError> {
        // Relaxed: the flag orders no other memory.
        if self.stop.load(Ordering::Relaxed) { Err(ToolError::Interrupted) } else { Ok(()) }
    }
}

/// A game with its place in the file.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The game.
    pub game: ChainView<'a>,
    /// How many games of the file stand before it, damaged ones not counted.
    pub ordinal: u64,
}

/// Plies under way for each thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Batch(pub usize);

impl Batch {
    /// For work that leaves little.
    pub const USUAL: Self = Self(8192);
    /// For work that leaves some kilobytes a ply, or takes long.
    pub const SMALL: Self = Self(1024);

    fn plies(self) -> usize {
        self.0 * rayon::current_num_threads()
    }
}

/// The games, plies and bytes of payload that the heads of a file promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Games.
    pub games: u64,
    /// Plies.
    pub plies: u64,
    /// Bytes of all payloads, decompressed.
    pub payload_bytes: u64,
}

/// What a file holds by its heads. Quick.
pub fn size(reader: &Reader) -> Size {
    reader.places().flatten().fold(Size::default(), |size, Place { head, .. }| Size {
        games: size.games + u64::from(head.games),
        plies: size.plies + u64::from(head.plies),
        payload_bytes: size.payload_bytes + u64::from(head.payload_bytes),
    })
}

/// Works on every game of a file and takes the results in order. Damaged blocks, and games whose `work` fails, are told to the
/// watch and left out.
///
/// # Errors
/// What `take` refuses, or [`ToolError::Interrupted`].
pub fn each_game<T: Send>(
    reader: &Reader,
    watch: &mut Watch<'_>,
    batch: Batch,
    work: impl Fn(Item<'_>) -> Result<T, Problem> + Sync,
    mut take: impl FnMut(T) -> Result<(), ToolError>,
) -> Result<(), ToolError> {
    let all = reader.file_bytes();
    let mut places = reader.places().peekable();
    let mut ordinal = 0;
    while places.peek().is_some() {
        watch.check()?;
        let blocks = next_blocks(reader, &mut places, batch.plies());
        let mut items: Vec<(u32, u64, Item<'_>)> = Vec::new();
        let mut end = 0;
        for block in &blocks {
            match block {
                Err(fault) => (watch.fault)(Fault::Block(fault.clone())),
                Ok((place, block)) => {
                    end = place.offset + u64::from(place.head.stored_bytes);
                    for game in block.games() {
                        items.push((place.head.number, place.offset, Item { game, ordinal }));
                        ordinal += 1;
                    }
                }
            }
        }
        let mut rest = &items[..];
        while !rest.is_empty() {
            watch.check()?;
            let (now, later) = rest.split_at(portion(rest, batch.plies()));
            let results: Vec<Result<T, Problem>> =
                now.par_iter().map(|(.., item)| work(*item)).collect();
            for (&(block, offset, item), result) in now.iter().zip(results) {
                match result {
                    Ok(result) => take(result)?,
                    Err(problem) => {
                        let game = item.game.number();
                        (watch.fault)(Fault::Game { block, offset, game, problem });
                    }
                }
            }
            rest = later;
        }
        (watch.progress)(end.min(all), all);
    }
    (watch.progress)(all, all);
    Ok(())
}

type Read = Result<(Place, Block), BlockFault>;

/// Decodes as many of the next blocks as make a batch.
fn next_blocks(
    reader: &Reader,
    places: &mut impl Iterator<Item = Result<Place, BlockFault>>,
    most_plies: usize,
) -> Vec<Read> {
    let mut plies = 0;
    let mut found = Vec::new();
    for place in places {
        plies += place.as_ref().map_or(0, |place| place.head.plies as usize);
        found.push(place);
        if plies >= most_plies || found.len() >= 1024 {
            break;
        }
    }
    let read = |place: Result<Place, BlockFault>| {
        let place = place?;
        Ok((place, reader.block(&place)?))
    };
    found.into_par_iter().map(read).collect()
}

/// How many of the next games make a batch: at least one.
fn portion(items: &[(u32, u64, Item<'_>)], most_plies: usize) -> usize {
    let mut plies = 0;
    let within = |(.., item): &&(u32, u64, Item<'_>)| {
        plies += item.game.len();
        plies <= most_plies
    };
    items.iter().take_while(within).count().max(1)
}
