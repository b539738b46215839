//! What a picture of a position shows: cells, kanji or codes, and how a piece moves to its targets.

use super::catalog::Kind;
use super::piece::{Move, Piece};
use super::position::Position;
use super::square::{SIZE, Square, ZONE_RANKS, rank_name};
use super::ways::{way_name, way_of};
use crate::game::Side;
use crate::picture::font;
use crate::picture::scene::{Grid, Lettering, Marks, Outline, Place, Scene, ScenePiece, Script};

/// Describes a position, with marks where `chosen` moves (all from one square) lead.
pub(super) fn scene(position: &Position, chosen: &[Move], lettering: Lettering) -> Scene {
    let mut marks = Marks::default();
    let mut taken = Vec::new();
    for &mv in chosen {
        let stays = mv.from() == mv.to();
        let capture = !stays && position.piece_at(mv.to()).is_some();
        marks.add(place(mv.to()), way_of(position, mv), capture, mv.promotes());
        let removed = position.captures(mv).map(|(square, _)| square);
        taken.extend(removed.filter(|&square| stays || square != mv.to()).map(place));
    }
    taken.sort_unstable();
    taken.dedup();
    let pieces = Side::ALL.into_iter().flat_map(|side| position.pieces(side));
    let last_move = position.moves_made().last().map_or_else(Vec::new, |mv| {
        let mut places = vec![place(mv.from())];
        places.extend(mv.first_capture().map(place));
        if mv.to() != mv.from() {
            places.push(place(mv.to()));
        }
        places
    });
    Scene {
        title: format!("Taikyoku shogi, move {}", position.move_number()),
        caption: String::new(),
        language: "ja",
        grid: Grid::Cells { heavy_rows: vec![ZONE_RANKS, SIZE - ZONE_RANKS] },
        outline: Outline::Wedge,
        columns: (1..=SIZE).rev().map(|file| file.to_string()).collect(),
        rows: (0..SIZE).map(rank_name).collect(),
        pieces: pieces.map(|(square, piece)| scene_piece(square, piece, lettering)).collect(),
        last_move,
        origin: chosen.first().map(|mv| place(mv.from())),
        marks: marks.finish(),
        taken,
        rays: Vec::new(),
        way_names: way_name,
    }
}

const fn place(square: Square) -> Place {
    Place::new(square.column(), square.row())
}

fn scene_piece(square: Square, piece: Piece, lettering: Lettering) -> ScenePiece {
    let info = piece.kind().info();
    let owner = ["Black", "White"][piece.side().index()];
    let promoted = if piece.promoted() { "promoted " } else { "" };
    let code = match piece.side() {
        Side::First => info.code.clone(),
        Side::Second => info.code.to_ascii_lowercase(),
    };
    let (letters, script) = kind_letters(piece.kind(), lettering);
    ScenePiece {
        place: place(square),
        side: piece.side(),
        lettering: letters,
        script,
        promoted: piece.promoted(),
        code: if piece.promoted() { format!("+{code}") } else { code },
        name: format!(
            "{owner}'s {promoted}{} {} ({}) on {square}",
            info.name, info.kanji, info.code
        ),
    }
}

/// What stands on a piece of a kind: its kanji, or its code where that is asked for or common fonts lack the kanji.
pub(super) fn kind_letters(kind: Kind, lettering: Lettering) -> (String, Script) {
    let info = kind.info();
    if lettering == Lettering::Characters && font::has_common_characters(&info.kanji) {
        (info.kanji.clone(), Script::Han)
    } else {
        (info.code.clone(), Script::Latin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, MoveKind};
    use crate::games::taikyoku::{RuleSet, Taikyoku};
    use crate::picture::scene::{Promotion, Way};

    /// A position of a few pieces, Black to move, with the scene of the moves from one of its squares.
    fn scene_from(set: RuleSet, pieces: &[(&str, &str)], from: &str) -> (Scene, Vec<Move>) {
        let mut position = Position::empty(set.rules());
        for &(code, name) in pieces {
            let side =
                if code.starts_with(char::is_uppercase) { Side::First } else { Side::Second };
            let kind = Kind::from_code(code).unwrap();
            position.place(square(name), Piece::new(side, kind, false));
        }
        let mut moves = Vec::new();
        Taikyoku::generate(&position, MoveKind::All, &mut moves);
        moves.retain(|mv| mv.from() == square(from));
        (scene(&position, &moves, Lettering::Characters), moves)
    }

    fn square(name: &str) -> Square {
        Square::all().find(|square| square.name() == name).unwrap()
    }

    fn ways(scene: &Scene, name: &str) -> Vec<Way> {
        let mark = scene.marks.iter().find(|mark| mark.place == place(square(name)));
        mark.map_or_else(Vec::new, |mark| mark.ways.clone())
    }

    fn taken(scene: &Scene) -> Vec<String> {
        scene.taken.iter().map(|&place| scene.place_name(place)).collect()
    }

    const ROYALS: [(&str, &str); 2] = [("K", "1jj"), ("k", "36a")];

    #[test]
    fn a_lion_jumps_captures_twice_captures_in_place_and_passes() {
        let pieces = [ROYALS[0], ROYALS[1], ("LN", "18z"), ("p", "18y"), ("P", "17y")];
        let (scene, moves) = scene_from(RuleSet::Seed, &pieces, "18z");
        assert_eq!(ways(&scene, "18y"), [Way::Slide]);
        assert_eq!(ways(&scene, "18x"), [Way::Leap, Way::DoubleStep]);
        assert_eq!(ways(&scene, "16x"), [Way::Leap]);
        assert_eq!(ways(&scene, "18z"), [Way::Stay, Way::Pass]);
        assert!(ways(&scene, "17y").is_empty());
        assert_eq!(taken(&scene), ["18y"]);
        let targets: std::collections::BTreeSet<_> =
            moves.iter().map(|mv| place(mv.to())).collect();
        assert_eq!(
            targets.into_iter().collect::<Vec<_>>(),
            scene.marks.iter().map(|m| m.place).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_hook_mover_marks_both_legs() {
        let pieces = [ROYALS[0], ROYALS[1], ("HM", "18z"), ("p", "18u")];
        let (scene, _) = scene_from(RuleSet::Seed, &pieces, "18z");
        assert_eq!(ways(&scene, "18v"), [Way::Hook]);
        assert_eq!(ways(&scene, "18u"), [Way::Hook]);
        assert_eq!(ways(&scene, "17v"), [Way::Turn]);
        assert!(ways(&scene, "18t").is_empty());
    }

    #[test]
    fn a_great_general_shows_what_it_would_remove() {
        let pieces = [ROYALS[0], ROYALS[1], ("GG", "18z"), ("p", "18y"), ("P", "18x")];
        let (scene, _) = scene_from(RuleSet::Seed, &pieces, "18z");
        assert_eq!(ways(&scene, "18w"), [Way::Range]);
        assert_eq!(taken(&scene), ["18x", "18y"]);
        assert!(ways(&scene, "18x").is_empty());
    }

    #[test]
    fn the_second_player_moves_down() {
        let mut position = Position::empty(RuleSet::Seed.rules());
        for (code, name, side) in [
            ("K", "1jj", Side::First),
            ("K", "36a", Side::Second),
            ("GO", "18h", Side::Second),
            ("P", "17i", Side::First),
        ] {
            position.place(square(name), Piece::new(side, Kind::from_code(code).unwrap(), false));
        }
        position.set_state(Side::Second, 0, 1);
        let mut moves = Vec::new();
        Taikyoku::generate(&position, MoveKind::All, &mut moves);
        moves.retain(|mv| mv.from() == square("18h"));
        let scene = scene(&position, &moves, Lettering::Codes);
        assert_eq!(ways(&scene, "18n"), [Way::Slide]);
        assert_eq!(ways(&scene, "16j"), [Way::Over]);
        assert_eq!(scene.piece_at(place(square("18h"))).unwrap().lettering, "GO");
    }

    #[test]
    fn promotion_is_a_choice_or_a_must() {
        let pieces = [ROYALS[0], ROYALS[1], ("P", "18l"), ("G", "3l")];
        for (set, expected) in
            [(RuleSet::Seed, Promotion::Optional), (RuleSet::Atsa, Promotion::Forced)]
        {
            let (scene, _) = scene_from(set, &pieces, "18l");
            let mark = scene.marks.iter().find(|mark| mark.place == place(square("18k"))).unwrap();
            assert_eq!(mark.promotion, expected);
        }
        let (scene, _) = scene_from(RuleSet::Seed, &[ROYALS[0], ROYALS[1], ("P", "18b")], "18b");
        assert_eq!(scene.marks[0].promotion, Promotion::Forced);
    }

    #[test]
    fn kanji_that_fonts_lack_are_codes() {
        let letters = |code| kind_letters(Kind::from_code(code).unwrap(), Lettering::Characters);
        assert_eq!(letters("K"), ("玉将".to_owned(), Script::Han));
        assert_eq!(letters("HTK"), ("四天王".to_owned(), Script::Han));
        assert_eq!(letters("WIS"), ("WIS".to_owned(), Script::Latin));
        let rare = Kind::all()
            .filter(|&kind| kind_letters(kind, Lettering::Characters).1 == Script::Latin);
        assert_eq!(rare.count(), 7);
    }
}
