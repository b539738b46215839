//! What the tests of taikyoku shogi share: data files, move lists as text, seeded random numbers and boards.

use std::path::PathBuf;

use kyokumen::game::{Game, MoveKind, Named, Rules, Side};
use kyokumen::games::taikyoku::{Kind, Move, Notation, Piece, Position, RuleSet, Square, Taikyoku};
use sha2::{Digest, Sha256};

/// The text of a file of the test data.
pub(crate) fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/taikyoku").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a JSON Lines file.
pub(crate) fn json_lines(name: &str) -> Vec<serde_json::Value> {
    data(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The usual rules of a rule set by name.
pub(crate) fn rules(name: &str) -> Rules<RuleSet> {
    Taikyoku::rules(RuleSet::from_name(name).unwrap())
}

/// Reads a position that must be valid.
pub(crate) fn parse(text: &str, rules: Rules<RuleSet>) -> Position {
    Taikyoku::parse_position(text, rules).unwrap_or_else(|error| panic!("{text}: {error}")).position
}

/// The legal moves in the order of the generator.
pub(crate) fn moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    Taikyoku::generate(position, MoveKind::All, &mut moves);
    moves
}

/// The native texts of moves, sorted.
pub(crate) fn texts(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> =
        moves.iter().map(|&mv| Taikyoku::format_move(position, mv, Notation::Native)).collect();
    texts.sort_unstable();
    texts
}

/// The SHA-256 of sorted move texts joined by newlines.
pub(crate) fn hash(texts: &[String]) -> String {
    Sha256::digest(texts.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A seeded generator of random numbers (xorshift64*).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (((self.next() >> 32) * limit as u64) >> 32) as usize
    }
}

/// A board with random pieces of all kinds, promoted or not, and a royal on each side.
///
/// Pieces stand in a random window, so that crowds as well as open boards occur.
pub(crate) fn random_board(random: &mut Random, rules: Rules<RuleSet>) -> Position {
    let kinds: Vec<Kind> = Kind::all().collect();
    let king = Kind::from_code("K").unwrap();
    let mut position = Position::empty(rules);
    let (height, width) = (4 + random.below(33), 4 + random.below(33));
    let (top, left) = (random.below(37 - height), random.below(37 - width));
    let crowd = if random.below(8) == 0 { 200 } else { 28 };
    let pieces = 4 + random.below(crowd);
    for _ in 0..pieces {
        let square = Square::new(top + random.below(height), left + random.below(width));
        let side = Side::ALL[random.below(2)];
        let kind = kinds[random.below(kinds.len())];
        position.place(square, Piece::new(side, kind, random.below(4) == 0));
    }
    for side in Side::ALL {
        while position.royal_count(side) == 0 {
            let square = Square::from_index(random.below(1296));
            if position.piece_at(square).is_none() {
                position.place(square, Piece::new(side, king, false));
            }
        }
    }
    position.set_state(Side::ALL[random.below(2)], 0, 1);
    position
}
