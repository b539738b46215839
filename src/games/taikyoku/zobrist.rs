//! Zobrist keys without tables: a key is a mixed number of piece and square.
//!
//! A table would take 2,408 pieces times 1,296 squares times 8 bytes, 25 MB, and miss the cache on every look-up; mixing takes
//! about ten instructions.
//!
//! CITE: Sebastiano Vigna, splitmix64 (the finalizer of MurmurHash3 by Austin Appleby), <https://prng.di.unimi.it/splitmix64.c>

use super::piece::Piece;
use super::square::Square;

/// Changes with the side to move.
pub(crate) const SECOND_TO_MOVE: u64 = mix(1 << 63);

// Mixing maps one number to zero, which would make both sides share their keys.
const _: () = assert!(SECOND_TO_MOVE != 0);

/// The key of a piece on a square.
#[inline(always)]
pub(crate) const fn key(piece: Piece, square: Square) -> u64 {
    mix((piece.code() as u64) << 12 | square.slot() as u64)
}

#[inline(always)]
const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
