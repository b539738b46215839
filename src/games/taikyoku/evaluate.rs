//! What the engine thinks of a taikyoku position: so far the number of pieces.

use serde::{Deserialize, Serialize};

use super::piece::PIECE_CODES;
use super::square::SQUARES;
use super::{Move, Piece, Position, Taikyoku};
use crate::game::{Evaluate, Game, MoveKind, Side, Term};
use crate::score::Score;
use crate::search::params::SearchParams;

/// All numbers of search and evaluation of taikyoku shogi.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// The search.
    pub search: SearchParams,
    /// Centipawns of any piece.
    pub piece: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self { search: SearchParams::default(), piece: 100 }
    }
}

impl Params {
    /// Centipawns of all pieces of a side.
    fn material(&self, position: &Position, side: Side) -> i32 {
        position.piece_count(side) as i32 * self.piece
    }
}

impl Evaluate for Taikyoku {
    type Params = Params;

    const PIECES: usize = PIECE_CODES;
    const SQUARES: usize = SQUARES;

    fn search_params(params: &Params) -> &SearchParams {
        &params.search
    }

    fn evaluate(position: &Position, params: &Params) -> Score {
        let side = position.side_to_move();
        Score::centipawns(params.material(position, side) - params.material(position, !side))
    }

    fn explain(position: &Position, params: &Params) -> Vec<Term> {
        let [first, second] = Side::ALL.map(|side| params.material(position, side));
        vec![Term { name: "material", first, second }]
    }

    fn exchange_at_least(position: &Position, params: &Params, mv: Move, threshold: i32) -> bool {
        let gain = Self::gain(position, params, mv);
        let answered = position.is_attacked(mv.to(), !position.side_to_move());
        gain - if answered { params.piece } else { 0 } >= threshold
    }

    fn gain(position: &Position, params: &Params, mv: Move) -> i32 {
        let side = position.side_to_move();
        let signs = position.captures(mv).map(|(_, it)| if it.side() == side { -1 } else { 1 });
        signs.sum::<i32>() * params.piece
    }

    fn is_noisy(position: &Position, mv: Move) -> bool {
        mv.promotes() || position.is_capture(mv)
    }

    fn gives_check(_position: &Position, _mv: Move) -> bool {
        false
    }

    fn null_move_is_sane(position: &Position) -> bool {
        !Self::in_check(position)
    }

    fn moved_piece(position: &Position, mv: Move) -> usize {
        position.piece_at(mv.from()).map_or(0, Piece::code)
    }

    fn captured_piece(position: &Position, mv: Move) -> usize {
        position.captures(mv).next().map_or(0, |(_, piece)| piece.code())
    }

    fn source(mv: Move) -> usize {
        mv.from().index()
    }

    fn target(mv: Move) -> usize {
        mv.to().index()
    }

    fn encode(mv: Move) -> u32 {
        mv.bits()
    }

    fn decode(position: &Position, code: u32) -> Option<Move> {
        let mut moves = Vec::new();
        Self::generate(position, MoveKind::All, &mut moves);
        moves.into_iter().find(|mv| mv.bits() == code)
    }
}
