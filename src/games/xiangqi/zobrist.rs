//! Zobrist keys: 64 random bits for each piece on each point, and for Black to move.

use super::piece::PIECES;
use super::square::SQUARES;

/// Keys by piece and square.
pub static PIECE_KEYS: [[u64; SQUARES]; PIECES] = {
    let mut keys = [[0; SQUARES]; PIECES];
    let mut piece = 0;
    while piece < PIECES {
        let mut square = 0;
        while square < SQUARES {
            keys[piece][square] = mixed((piece * SQUARES + square) as u64 + 1);
            square += 1;
        }
        piece += 1;
    }
    keys
};

/// The key of Black to move.
pub const SIDE_KEY: u64 = mixed(0x5EED);

/// The n-th output of SplitMix64.
// CITE: Sebastiano Vigna, SplitMix64, https://prng.di.unimi.it/splitmix64.c
const fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
