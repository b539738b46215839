//! Perft: the number of leaf nodes of the tree of legal moves, for any game.

use crate::game::{Game, MoveKind};

/// Counts the leaf nodes `depth` plies below the position; the last ply is counted, not played.
pub fn perft<G: Game>(position: &mut G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => G::count(position),
        _ => {
            let mut moves = Vec::new();
            G::generate(position, MoveKind::All, &mut moves);
            let mut nodes = 0;
            for mv in moves {
                G::make(position, mv);
                nodes += perft::<G>(position, depth - 1);
                G::unmake(position);
            }
            nodes
        }
    }
}
