//! What a picture of a position shows: the board on points, the characters, and how pieces move to their targets.

use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::square::{FILES, RANKS, Square};
use crate::game::Side;
use crate::picture::scene::{
    Grid, Lettering, Marks, Outline, Place, Scene, ScenePiece, Script, Way,
};

/// The characters of the pieces in the order of [`Kind::index`], Red's first.
const CHARACTERS: [[char; 7]; 2] =
    [['帥', '仕', '相', '傌', '俥', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];

/// Describes a position, with marks where `chosen` moves (all from one point) lead.
pub(super) fn scene(position: &Position, chosen: &[Move], lettering: Lettering) -> Scene {
    let mut marks = Marks::default();
    for &mv in chosen {
        let capture = position.piece_at(mv.to()).is_some();
        marks.add(place(mv.to()), way(position, mv), capture, false);
    }
    let pieces = Square::all()
        .filter_map(|square| Some(scene_piece(square, position.piece_at(square)?, lettering)));
    let last = position.history().last().map(|record| record.mv).filter(|&mv| mv != Move::NULL);
    Scene {
        title: format!("Xiangqi, move {}", position.move_number()),
        caption: String::new(),
        language: "zh-Hant",
        grid: grid(),
        outline: Outline::Round,
        columns: ('a'..='i').map(String::from).collect(),
        rows: (0..RANKS).rev().map(|rank| rank.to_string()).collect(),
        pieces: pieces.collect(),
        last_move: last.map_or_else(Vec::new, |mv| vec![place(mv.from()), place(mv.to())]),
        origin: chosen.first().map(|mv| place(mv.from())),
        marks: marks.finish(),
        taken: Vec::new(),
        rays: Vec::new(),
        way_names,
    }
}

const fn place(square: Square) -> Place {
    Place::new(square.file(), RANKS - 1 - square.rank())
}

fn scene_piece(square: Square, piece: Piece, lettering: Lettering) -> ScenePiece {
    let (side, kind) = (piece.side(), piece.kind());
    let character = CHARACTERS[side.index()][kind.index()];
    let (lettering, script) = match lettering {
        Lettering::Characters => (character, Script::Han),
        Lettering::Codes => (piece.letter(), Script::Latin),
    };
    let owner = ["Red", "Black"][side.index()];
    ScenePiece {
        place: place(square),
        side,
        lettering: lettering.to_string(),
        script,
        promoted: false,
        code: piece.letter().to_string(),
        name: format!("{owner}'s {} {character} on {square}", kind.name()),
    }
}

fn grid() -> Grid {
    let mut diagonals = Vec::new();
    let mut stations = Vec::new();
    for side in Side::ALL {
        // Points as the side sees them.
        let at = |file: usize, rank: usize| {
            let square = Square::new(file, rank);
            place(if side == Side::First { square } else { square.rotated() })
        };
        diagonals.extend([(at(3, 0), at(5, 2)), (at(5, 0), at(3, 2))]);
        stations.extend([at(1, 2), at(FILES - 2, 2)]);
        stations.extend((0..FILES).step_by(2).map(|file| at(file, 3)));
    }
    let words = ["楚河".to_owned(), "漢界".to_owned()];
    Grid::Points { river: Some((RANKS / 2 - 1, words)), diagonals, stations }
}

fn way(position: &Position, mv: Move) -> Way {
    match position.piece_at(mv.from()).map(Piece::kind) {
        Some(Kind::Horse) => Way::Leap,
        Some(Kind::Cannon) if position.piece_at(mv.to()).is_some() => Way::Over,
        _ => Way::Slide,
    }
}

const fn way_names(way: Way) -> &'static str {
    match way {
        Way::Leap => "horse's move: one straight, one diagonally outward",
        Way::Over => "cannon's capture over one piece",
        _ => "step or slide",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveKind, Named};
    use crate::games::xiangqi::{Xiangqi, rules::RuleSet};

    #[test]
    fn a_cannon_slides_and_captures_over_a_piece() {
        let position = Xiangqi::start(RuleSet::ALL[0].rules());
        let mut moves = Vec::new();
        Xiangqi::generate(&position, MoveKind::All, &mut moves);
        moves.retain(|mv| mv.from() == Square::new(7, 2));
        let scene = scene(&position, &moves, Lettering::Characters);
        let named = |name: &str| {
            let mark = scene.marks.iter().find(|mark| scene.place_name(mark.place) == name);
            mark.map(|mark| (mark.ways.clone(), mark.capture))
        };
        assert_eq!(named("h9"), Some((vec![Way::Over], true)));
        assert_eq!(named("e2"), Some((vec![Way::Slide], false)));
        assert_eq!(named("h7"), None);
        assert_eq!(scene.marks.len(), moves.len());
        let cannon = scene.piece_at(place(Square::new(7, 2))).unwrap();
        assert_eq!((cannon.lettering.as_str(), cannon.side), ("炮", Side::First));
        assert_eq!(scene.pieces.len(), 32);
    }

    #[test]
    fn points_lie_where_red_sees_them() {
        assert_eq!(place(Square::new(0, 9)), Place::new(0, 0));
        assert_eq!(place(Square::new(8, 0)), Place::new(8, 9));
        let Grid::Points { diagonals, stations, .. } = grid() else { panic!("xiangqi has points") };
        assert!(diagonals.contains(&(Place::new(3, 9), Place::new(5, 7))));
        assert!(stations.contains(&place(Square::new(1, 7))) && stations.len() == 14);
    }
}
