//! The header of a file: all that is needed to make its games again.
//!
//! A fixed head of 32 bytes, then JSON. It stands twice at the start of a file, so that no single damaged byte costs a file.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::game::{Evaluate, Game, Named, Rules};

/// The version of the format that this program writes.
pub const FORMAT_VERSION: u16 = 1;
/// The kind of file: games as chains. There is no other yet.
const KIND_GAMES: u16 = 1;
/// A file begins so; the first byte is no text, the last one ends a listing on some systems.
const MAGIC: [u8; 8] = *b"\x89KYOGAM\x1a";
/// More JSON than any header has.
const LONGEST_TEXT: u32 = 1 << 20;

/// How a file was made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The game: `xiangqi`, `taikyoku`.
    pub game: String,
    /// The rules that judged the games.
    pub rules: RuleSettings,
    /// Name and version of the program.
    pub engine: String,
    /// The commit it was built from, if that was known at build time; `-dirty` behind it if the sources were changed.
    pub commit: Option<String>,
    /// The hash of the parameters of search and evaluation; see [`evaluation_hash`].
    #[serde(with = "hexadecimal")]
    pub evaluation: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// Games in a block.
    pub block_games: u32,
    /// The settings of the generator or tool by name: limits, filters, adjudication.
    pub settings: Map<String, Value>,
}

/// The rules by name and number, as far as users may change them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RuleSettings {
    /// The named rule set.
    pub set: String,
    /// See [`Rules::move_limit_plies`].
    pub move_limit_plies: Option<u32>,
    /// See [`Rules::repetitions`].
    pub repetitions: Option<u32>,
    /// See [`Rules::stalemate_loses`].
    pub stalemate_loses: bool,
    /// See [`Rules::material_draw`].
    pub material_draw: bool,
}

impl RuleSettings {
    /// Writes rules down.
    pub fn of<S: Named>(rules: Rules<S>) -> Self {
        Self {
            set: rules.set.name().to_owned(),
            move_limit_plies: rules.move_limit_plies,
            repetitions: rules.repetitions,
            stalemate_loses: rules.stalemate_loses,
            material_draw: rules.material_draw,
        }
    }

    /// The rules of `G` that are written down here.
    ///
    /// # Errors
    /// The game has no such rule set.
    pub fn rules<G: Game>(&self) -> Result<Rules<G::RuleSet>, String> {
        let set = G::RuleSet::from_name(&self.set)
            .ok_or_else(|| format!("{} has no rule set '{}'", G::NAME, self.set))?;
        Ok(Rules {
            set,
            move_limit_plies: self.move_limit_plies,
            repetitions: self.repetitions,
            stalemate_loses: self.stalemate_loses,
            material_draw: self.material_draw,
            any_material: true,
        })
    }
}

/// The hash of parameters: of their TOML text, every value written out.
pub fn evaluation_hash<G: Evaluate>(params: &G::Params) -> u64 {
    let text = toml::to_string(params).expect("parameters are plain values");
    stable_hash(text.as_bytes())
}

/// A hash that is the same on every machine and in every version.
//
// CITE: FNV-1a, Fowler, Noll, Vo, https://www.rfc-editor.org/rfc/rfc9923
pub fn stable_hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The fixed part before the JSON text. It has this shape in every version.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FileHead {
    magic: [u8; 8],
    version: u16,
    kind: u16,
    text_bytes: u32,
    /// CRC-32 of the text.
    text_crc: u32,
    zero: [u8; 8],
    /// CRC-32 of the 28 bytes before it.
    head_crc: u32,
}

/// Size of the fixed part.
pub(super) const HEAD_BYTES: usize = 32;
/// Where the length of the text stands.
pub(super) const TEXT_BYTES_AT: u64 = 12;
const _: () = assert!(size_of::<FileHead>() == HEAD_BYTES, "part of the format");

/// Why there is no header where one should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum HeaderFault {
    /// No header that is whole.
    Missing,
    /// It is whole, but not for this program.
    Foreign(String),
}

impl Header {
    /// The header as it stands in a file, one copy.
    pub(super) fn encode(&self) -> Vec<u8> {
        self.encode_padded(0)
    }

    /// The header with blanks behind its text, which JSON allows, so that the text has at least so many bytes.
    pub(super) fn encode_padded(&self, text_bytes: usize) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a header is plain values");
        text.resize(text.len().max(text_bytes), b' ');
        let mut head = FileHead {
            magic: MAGIC,
            version: FORMAT_VERSION,
            kind: KIND_GAMES,
            text_bytes: u32::try_from(text.len()).expect("settings are short"),
            text_crc: crc32fast::hash(&text),
            zero: [0; 8],
            head_crc: 0,
        };
        head.head_crc = head.checksum();
        let mut bytes = bytemuck::bytes_of(&head).to_vec();
        bytes.extend_from_slice(&text);
        bytes
    }

    /// Reads a copy of the header that begins here; also gives its length.
    pub(super) fn decode(bytes: &[u8]) -> Result<(Self, usize), HeaderFault> {
        let head = bytes.get(..HEAD_BYTES).ok_or(HeaderFault::Missing)?;
        let head: FileHead = bytemuck::pod_read_unaligned(head);
        if head.magic != MAGIC || head.head_crc != head.checksum() {
            return Err(HeaderFault::Missing);
        }
        let foreign = |text: String| Err(HeaderFault::Foreign(text));
        if head.version != FORMAT_VERSION || head.kind != KIND_GAMES {
            let (version, kind) = (head.version, head.kind);
            return foreign(format!(
                "format version {version}, kind {kind}; this program reads version \
                 {FORMAT_VERSION}, kind {KIND_GAMES}: use the version that wrote it, or a newer one"
            ));
        }
        let end = HEAD_BYTES + head.text_bytes as usize;
        let text = bytes.get(HEAD_BYTES..end).filter(|_| head.text_bytes <= LONGEST_TEXT);
        let text = text.filter(|text| crc32fast::hash(text) == head.text_crc);
        let text = text.ok_or(HeaderFault::Missing)?;
        match serde_json::from_slice(text) {
            Ok(header) => Ok((header, end)),
            Err(error) => foreign(format!("the header cannot be understood: {error}")),
        }
    }

    /// Finds a whole copy of the header at or behind `from`, near the start of a file; gives its place and length.
    pub(super) fn find(bytes: &[u8], from: usize) -> Option<(Self, usize, usize)> {
        let last = bytes.len().min(2 * (LONGEST_TEXT as usize + HEAD_BYTES));
        (from..last).filter(|&at| bytes[at] == MAGIC[0]).find_map(|at| {
            let (header, length) = Self::decode(&bytes[at..]).ok()?;
            Some((header, at, length))
        })
    }

    /// What differs from another header, for people: `settings.nodes was 5000, now 400`.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let value = |header: &Self| serde_json::to_value(header).expect("a header is plain values");
        let mut found = Vec::new();
        compare("", Some(&value(self)), Some(&value(now)), &mut found);
        found
    }
}

fn compare(name: &str, was: Option<&Value>, now: Option<&Value>, found: &mut Vec<String>) {
    match (was, now) {
        (Some(Value::Object(was)), Some(Value::Object(now))) => {
            for key in was.keys().chain(now.keys().filter(|key| !was.contains_key(*key))) {
                let dot = if name.is_empty() { "" } else { "." };
                compare(&format!("{name}{dot}{key}"), was.get(key), now.get(key), found);
            }
        }
        _ if was == now => {}
        _ => {
            let show = |value: Option<&Value>| value.map_or("unset".to_owned(), Value::to_string);
            found.push(format!("{name} was {}, now {}", show(was), show(now)));
        }
    }
}

impl FileHead {
    fn checksum(&self) -> u32 {
        crc32fast::hash(&bytemuck::bytes_of(self)[..HEAD_BYTES - 4])
    }
}

/// A number as 16 hexadecimal digits: JSON readers elsewhere keep only 53 bits.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:016x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    pub(in crate::data) fn header() -> Header {
        let Value::Object(settings) = json!({"nodes": 5000, "draw": {"cp": 10, "plies": 8}}) else {
            unreachable!()
        };
        Header {
            game: "xiangqi".to_owned(),
            rules: RuleSettings {
                set: "asian".to_owned(),
                move_limit_plies: Some(120),
                repetitions: Some(3),
                stalemate_loses: true,
                material_draw: true,
            },
            engine: "kyokumen 0.1.0".to_owned(),
            commit: None,
            evaluation: 0x0123_4567_89ab_cdef,
            seed: u64::MAX,
            block_games: 4,
            settings,
        }
    }

    #[test]
    fn a_header_comes_back() {
        let bytes = header().encode();
        assert_eq!(Header::decode(&bytes), Ok((header(), bytes.len())));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(Header::decode(&damaged), Err(HeaderFault::Missing), "byte {at}");
            assert_eq!(Header::decode(&bytes[..at]), Err(HeaderFault::Missing), "{at} bytes");
        }
    }

    #[test]
    fn differences_name_the_field() {
        let mut now = header();
        now.seed = 7;
        now.settings.insert("draw".to_owned(), json!({"cp": 10, "plies": 9}));
        now.settings.insert("teacher".to_owned(), json!(5));
        let found = header().differences(&now);
        assert_eq!(
            found,
            [
                "seed was 18446744073709551615, now 7",
                "settings.draw.plies was 8, now 9",
                "settings.teacher was unset, now 5"
            ]
        );
        assert!(now.differences(&now).is_empty());
    }
}
