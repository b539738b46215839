//! Some games together, as they lie in a file: a head with checksums, then a payload, compressed.
//!
//! ```text
//! head (48 bytes) | zstd( records | best | codes, low halves | codes, high halves | scores | flags | marks | start texts )
//! ```
//!
//! The payload is columns of plain numbers: they compress better so, and are read in place. Nothing is padded, and every
//! byte of a block is under a checksum. A length is believed only after it was compared with all others.

use bytemuck::{Pod, Zeroable};

use super::chain::{self, Chain, ChainView, EndReason, PlyFlags};
use super::error::{DataError, FaultReason};

/// A block begins so; searched for where a head is damaged.
const MAGIC: [u8; 8] = *b"\xf5KyBlk\r\n";
/// Size of a head.
pub(super) const HEAD_BYTES: usize = 48;
/// Most bytes of a payload, so that a forged length cannot ask for all memory.
const MOST_PAYLOAD: usize = 64 << 20;
/// A block is full with so many plies, however few games it has.
pub(super) const MOST_PLIES: usize = 1 << 20;
/// Most plies of a game.
pub const LONGEST_GAME: usize = 1 << 20;
/// Most bytes of a start text.
const LONGEST_START: usize = 1 << 16;
/// Most games of a block.
pub const MOST_GAMES: usize = 1 << 12;
/// How hard zstd tries.
const LEVEL: i32 = 9;

/// The head of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct BlockHead {
    magic: [u8; 8],
    /// The number of the first game.
    pub first_game: u64,
    /// The number of the block in its file, from 0.
    pub number: u32,
    /// Games.
    pub games: u32,
    /// Plies of all games.
    pub plies: u32,
    /// Size of the payload as stored.
    pub stored_bytes: u32,
    /// Size of the payload when decompressed.
    pub payload_bytes: u32,
    /// CRC-32 of the payload as stored.
    stored_crc: u32,
    zero: u32,
    /// CRC-32 of the 44 bytes before it.
    head_crc: u32,
}

const _: () = assert!(size_of::<BlockHead>() == HEAD_BYTES, "part of the format");

impl BlockHead {
    /// The head that begins here, if it is whole.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let head: Self = bytemuck::pod_read_unaligned(bytes.get(..HEAD_BYTES)?);
        let sane = head.magic == MAGIC && head.head_crc == head.checksum();
        sane.then_some(head)
    }

    /// Finds a whole head at or behind `from`.
    pub(super) fn find(bytes: &[u8], from: usize) -> Option<(usize, Self)> {
        (from..bytes.len())
            .filter(|&at| bytes[at] == MAGIC[0])
            .find_map(|at| Some((at, Self::read(&bytes[at..])?)))
    }

    /// Size of the block in the file.
    pub(super) fn block_bytes(&self) -> usize {
        HEAD_BYTES + self.stored_bytes as usize
    }

    fn checksum(&self) -> u32 {
        crc32fast::hash(&bytemuck::bytes_of(self)[..HEAD_BYTES - 4])
    }
}

/// A game in a block: the first column.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct GameRecord {
    pub(super) number: u64,
    plies: u32,
    pub(super) first_ply: u32,
    /// Bytes of its start text; 0: the initial position.
    start_bytes: u32,
    /// Plies with another best move than the one played.
    best: u32,
    pub(super) result: u8,
    pub(super) end: u8,
    zero: [u8; 6],
}

const RECORD_BYTES: usize = 32;
const _: () = assert!(size_of::<GameRecord>() == RECORD_BYTES, "part of the format");
/// Bytes of a ply in all columns of plies.
const PLY_BYTES: usize = 8;

/// Writes games as the block of a number.
pub(super) fn encode(games: &[Chain], number: u32) -> Result<Vec<u8>, DataError> {
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let records: Vec<GameRecord> = games.iter().map(record).collect::<Result<_, _>>()?;
    let all = || games.iter().flat_map(|game| &game.plies);
    let mut payload = Vec::with_capacity(games.len() * RECORD_BYTES + plies * PLY_BYTES);
    let mut put = |bytes: &[u8]| payload.extend_from_slice(bytes);
    put(bytemuck::cast_slice(&records));
    put(bytemuck::cast_slice(&all().filter_map(|ply| ply.best).collect::<Vec<u32>>()));
    put(bytemuck::cast_slice(&all().map(|ply| ply.code as u16).collect::<Vec<u16>>()));
    put(bytemuck::cast_slice(&all().map(|ply| (ply.code >> 16) as u16).collect::<Vec<u16>>()));
    put(bytemuck::cast_slice(
        &all().map(|ply| chain::score_number(ply.score)).collect::<Vec<i16>>(),
    ));
    put(&all().map(|ply| ply.flags.bits()).collect::<Vec<u8>>());
    put(&all().map(|ply| ply.flags.marks()).collect::<Vec<u8>>());
    for start in games.iter().filter_map(|game| game.start.as_ref()) {
        put(start.as_bytes());
    }
    let too_large = |reason: &str| DataError::Game {
        number: games.first().map_or(0, |game| game.number),
        reason: reason.to_owned(),
    };
    if payload.len() > MOST_PAYLOAD {
        return Err(too_large("the games of its block are too large together"));
    }
    let stored = zstd::bulk::compress(&payload, LEVEL)
        .map_err(|error| too_large(&format!("compression failed: {error}")))?;
    let mut head = BlockHead {
        magic: MAGIC,
        first_game: games.first().map_or(0, |game| game.number),
        number,
        games: games.len() as u32,
        plies: plies as u32,
        stored_bytes: stored.len() as u32,
        payload_bytes: payload.len() as u32,
        stored_crc: crc32fast::hash(&stored),
        zero: 0,
        head_crc: 0,
    };
    head.head_crc = head.checksum();
    let mut bytes = bytemuck::bytes_of(&head).to_vec();
    bytes.extend_from_slice(&stored);
    Ok(bytes)
}

/// Whether the format can say a game.
pub(super) fn check(game: &Chain) -> Result<(), DataError> {
    record(game).map(drop)
}

fn record(game: &Chain) -> Result<GameRecord, DataError> {
    let bad = |reason: String| Err(DataError::Game { number: game.number, reason });
    let Some(result) = chain::result_number(game.result) else {
        return bad("it has no result".to_owned());
    };
    if game.plies.len() > LONGEST_GAME {
        return bad(format!("it has {} plies, at most {LONGEST_GAME} fit", game.plies.len()));
    }
    let start = game.start.as_deref();
    if start.is_some_and(|start| start.is_empty() || start.len() > LONGEST_START) {
        return bad(format!("its start text is empty or longer than {LONGEST_START} bytes"));
    }
    for (index, ply) in game.plies.iter().enumerate() {
        if ply.best.is_some() != ply.flags.contains(PlyFlags::SAMPLED) {
            return bad(format!("ply {}: a best move goes with the flag SAMPLED", index + 1));
        }
        let raw = ply.score.map(|score| score.get());
        let is_stored =
            i16::try_from(raw.unwrap_or(0)).is_ok_and(|raw| chain::score_of(raw).is_ok());
        if !is_stored {
            return bad(format!("ply {}: {raw:?} is the score of no position", index + 1));
        }
    }
    Ok(GameRecord {
        number: game.number,
        plies: game.plies.len() as u32,
        first_ply: game.first_ply,
        start_bytes: start.map_or(0, str::len) as u32,
        best: game.plies.iter().filter(|ply| ply.best.is_some()).count() as u32,
        result,
        end: game.end.number(),
        zero: [0; 6],
    })
}

/// A block in memory, decompressed and checked.
pub struct Block {
    head: BlockHead,
    /// The payload, aligned for its numbers; its last bytes may be beyond the payload.
    words: Vec<u64>,
    columns: Columns,
}

/// Where the columns begin, in bytes.
#[derive(Clone, Copy, Debug)]
struct Columns {
    best: usize,
    low: usize,
    high: usize,
    scores: usize,
    flags: usize,
    marks: usize,
    texts: usize,
    end: usize,
}

impl Block {
    /// Decompresses the payload of a head and checks all of it.
    pub(super) fn decode(head: BlockHead, stored: &[u8]) -> Result<Self, FaultReason> {
        if crc32fast::hash(stored) != head.stored_crc {
            return Err(FaultReason::Payload);
        }
        let nonsense = |text: &str| Err(FaultReason::Content(text.to_owned()));
        let [games, plies, bytes] =
            [head.games, head.plies, head.payload_bytes].map(|number| number as usize);
        let least =
            games.saturating_mul(RECORD_BYTES).saturating_add(plies.saturating_mul(PLY_BYTES));
        if bytes > MOST_PAYLOAD || bytes < least || games > MOST_GAMES || head.zero != 0 {
            return nonsense("its sizes contradict each other");
        }
        let mut words = vec![0_u64; bytes.div_ceil(8)];
        let target = &mut bytemuck::cast_slice_mut(&mut words)[..bytes];
        match zstd::bulk::decompress_to_buffer(stored, target) {
            Ok(written) if written == bytes => {}
            _ => return nonsense("its payload does not decompress to the size it names"),
        }
        let mut block = Self { head, words, columns: Columns::of(games, 0, plies, 0) };
        let count = |field: fn(&GameRecord) -> u32| {
            block.records().iter().map(|record| u64::from(field(record))).sum::<u64>()
        };
        let [played, best, texts] =
            [count(|game| game.plies), count(|game| game.best), count(|game| game.start_bytes)];
        if played != plies as u64 || (least as u64) + 4 * best + texts != bytes as u64 {
            return nonsense("its games do not fill it");
        }
        // Both fit: their sum is the size of the payload.
        block.columns = Columns::of(games, best as usize, plies, texts as usize);
        block.check()?;
        Ok(block)
    }

    /// What the columns may hold.
    fn check(&self) -> Result<(), FaultReason> {
        let bytes = self.bytes();
        let Columns { best, flags, marks, texts, end, .. } = self.columns;
        let nonsense = |text: String| Err(FaultReason::Content(text));
        if let Err(error) = std::str::from_utf8(&bytes[texts..end]) {
            return nonsense(format!("a start text is no UTF-8: {error}"));
        }
        let mut ply = 0;
        let mut text = texts;
        let mut sampled_all = 0;
        for record in self.records() {
            let number = record.number;
            if chain::result_of(record.result).is_none() {
                return nonsense(format!("game {number}: unknown result {}", record.result));
            }
            if EndReason::from_number(record.end).is_none() {
                return nonsense(format!("game {number}: unknown end reason {}", record.end));
            }
            if record.plies as usize > LONGEST_GAME || record.start_bytes as usize > LONGEST_START {
                return nonsense(format!("game {number}: longer than any game"));
            }
            if record.zero != [0; 6] {
                return nonsense(format!("game {number}: unknown bits in its record"));
            }
            let next = ply + record.plies as usize;
            let is_sampled = |&&bits: &&u8| PlyFlags::from_bits(bits).contains(PlyFlags::SAMPLED);
            let sampled = bytes[flags + ply..flags + next].iter().filter(is_sampled).count();
            if sampled != record.best as usize {
                return nonsense(format!(
                    "game {number}: {} best moves for {sampled} plies",
                    record.best
                ));
            }
            if let Some(at) =
                self.scores()[ply..next].iter().position(|&raw| chain::score_of(raw).is_err())
            {
                let raw = self.scores()[ply + at];
                return nonsense(format!("game {number}, ply {}: unknown score {raw}", at + 1));
            }
            let known = |&bits: &u8| PlyFlags::from_bytes(0, bits).is_some();
            if let Some(at) = bytes[marks + ply..marks + next].iter().position(|bits| !known(bits))
            {
                let bits = bytes[marks + ply + at];
                return nonsense(format!("game {number}, ply {}: unknown mark {bits}", at + 1));
            }
            // A text may not begin inside a letter of several bytes.
            text += record.start_bytes as usize;
            if bytes[text..end].first().is_some_and(|&byte| byte & 0xc0 == 0x80) {
                return nonsense(format!("game {number}: its start text ends inside a letter"));
            }
            sampled_all += sampled;
            ply = next;
        }
        debug_assert_eq!(best + 4 * sampled_all, self.columns.low);
        Ok(())
    }

    /// The head.
    pub fn head(&self) -> &BlockHead {
        &self.head
    }

    /// The games, in order.
    pub fn games(&self) -> impl Iterator<Item = ChainView<'_>> {
        let bytes = self.bytes();
        let column = |from: usize, to: usize| &bytes[from..to];
        let Columns { best, low, high, scores, flags, marks, texts, end } = self.columns;
        let all_best: &[u32] = bytemuck::cast_slice(column(best, low));
        let all_low: &[u16] = bytemuck::cast_slice(column(low, high));
        let all_high: &[u16] = bytemuck::cast_slice(column(high, scores));
        let (all_scores, all_flags) = (self.scores(), column(flags, marks));
        let all_marks = column(marks, texts);
        let all_texts = std::str::from_utf8(column(texts, end)).expect("checked when decoded");
        let (mut ply, mut best, mut text) = (0, 0, 0);
        self.records().iter().map(move |record| {
            let plies = ply..ply + record.plies as usize;
            let bests = best..best + record.best as usize;
            let start = text..text + record.start_bytes as usize;
            (ply, best, text) = (plies.end, bests.end, start.end);
            ChainView {
                record,
                start: (!start.is_empty()).then(|| &all_texts[start]),
                codes_low: &all_low[plies.clone()],
                codes_high: &all_high[plies.clone()],
                scores: &all_scores[plies.clone()],
                flags: &all_flags[plies.clone()],
                marks: &all_marks[plies],
                best: &all_best[bests],
            }
        })
    }

    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.head.payload_bytes as usize]
    }

    fn records(&self) -> &[GameRecord] {
        bytemuck::cast_slice(&self.bytes()[..self.head.games as usize * RECORD_BYTES])
    }

    fn scores(&self) -> &[i16] {
        bytemuck::cast_slice(&self.bytes()[self.columns.scores..self.columns.flags])
    }
}

impl Columns {
    fn of(games: usize, best_moves: usize, plies: usize, text_bytes: usize) -> Self {
        let best = games * RECORD_BYTES;
        let low = best + 4 * best_moves;
        let high = low + 2 * plies;
        let scores = high + 2 * plies;
        let flags = scores + 2 * plies;
        let marks = flags + plies;
        let texts = marks + plies;
        Self { best, low, high, scores, flags, marks, texts, end: texts + text_bytes }
    }
}
