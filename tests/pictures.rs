//! Pictures of both games: well-formed SVG, every piece once, every target of the chosen piece once.

use std::collections::{BTreeMap, BTreeSet};

use kyokumen::game::{Game, MoveKind, Named};
use kyokumen::games::taikyoku::profile::{catalogue, page};
use kyokumen::games::taikyoku::{self, Kind, Taikyoku};
use kyokumen::games::xiangqi::{self, Xiangqi};
use kyokumen::picture::scene::Lettering;
use kyokumen::picture::{board, sheet};
use roxmltree::{Document, Node};

fn with_class<'a>(
    document: &'a Document<'_>,
    class: &'a str,
) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

/// Places with what the attribute says of them.
fn places(document: &Document<'_>, class: &str, attribute: &str) -> Vec<(String, String)> {
    with_class(document, class)
        .map(|node| {
            let of = |name| node.attribute(name).unwrap().to_owned();
            (of("data-place"), of(attribute))
        })
        .collect()
}

/// Draws a position and reads the picture back: `pieces` are what should stand where.
fn check_pieces<G: Game>(position: &G::Position, pieces: &BTreeMap<String, String>) {
    for lettering in [Lettering::Characters, Lettering::Codes] {
        let picture = board::draw(&G::scene(position, &[], lettering));
        let document = Document::parse(&picture).unwrap();
        let drawn = places(&document, "piece", "data-piece");
        assert_eq!(drawn.len(), pieces.len(), "every piece is drawn once");
        assert_eq!(&drawn.into_iter().collect::<BTreeMap<_, _>>(), pieces);
        assert!(with_class(&document, "mark").next().is_none());
    }
}

/// Draws the moves of every square in turn and reads the marks back. `target` is the square where a move ends.
fn check_marks<G: Game>(position: &G::Position, target: impl Fn(G::Move) -> String) {
    let mut moves = Vec::new();
    G::generate(position, MoveKind::All, &mut moves);
    let origins: BTreeSet<String> = moves.iter().map(|&mv| G::origin(mv)).collect();
    assert!(!origins.is_empty());
    for origin in origins {
        let chosen: Vec<G::Move> =
            moves.iter().copied().filter(|&mv| G::origin(mv) == origin).collect();
        let picture = board::draw(&G::scene(position, &chosen, Lettering::Characters));
        let document = Document::parse(&picture).unwrap();
        let drawn: Vec<String> =
            places(&document, "mark", "data-ways").into_iter().map(|(place, _)| place).collect();
        let targets: BTreeSet<String> = chosen.iter().map(|&mv| target(mv)).collect();
        assert_eq!(drawn.len(), targets.len(), "moves from {origin}");
        assert_eq!(drawn.into_iter().collect::<BTreeSet<_>>(), targets, "moves from {origin}");
        let marked: Vec<&str> = with_class(&document, "origin")
            .filter_map(|node| node.attribute("data-place"))
            .collect();
        assert_eq!(marked, [origin.as_str()]);
    }
}

fn xiangqi_pieces(position: &xiangqi::Position) -> BTreeMap<String, String> {
    xiangqi::square::Square::all()
        .filter_map(|at| Some((at.to_string(), position.piece_at(at)?.letter().to_string())))
        .collect()
}

fn taikyoku_pieces(position: &taikyoku::Position) -> BTreeMap<String, String> {
    taikyoku::Square::all()
        .filter_map(|square| {
            let piece = position.piece_at(square)?;
            let code = &piece.kind().info().code;
            let code = match piece.side() {
                kyokumen::game::Side::First => code.clone(),
                kyokumen::game::Side::Second => code.to_ascii_lowercase(),
            };
            let flag = if piece.promoted() { "+" } else { "" };
            Some((square.name(), format!("{flag}{code}")))
        })
        .collect()
}

/// Plays moves chosen by a small generator, and stops early if the game ends.
fn play_random<G: Game>(position: &mut G::Position, plies: usize, seed: u64) {
    let mut state = seed;
    for _ in 0..plies {
        let mut moves = Vec::new();
        G::generate(position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            return;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        G::make(position, moves[(state >> 33) as usize % moves.len()]);
    }
}

#[test]
fn xiangqi_positions_are_drawn_whole() {
    for (seed, plies) in [(1, 0), (2, 15), (3, 40), (4, 90)] {
        let mut position = Xiangqi::start(Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]));
        play_random::<Xiangqi>(&mut position, plies, seed);
        check_pieces::<Xiangqi>(&position, &xiangqi_pieces(&position));
        check_marks::<Xiangqi>(&position, |mv| mv.to().to_string());
    }
}

#[test]
fn taikyoku_positions_are_drawn_whole() {
    for &set in taikyoku::RuleSet::ALL {
        for (seed, plies) in [(1, 0), (2, 60), (3, 240)] {
            let mut position = Taikyoku::start(Taikyoku::rules(set));
            play_random::<Taikyoku>(&mut position, plies, seed);
            check_pieces::<Taikyoku>(&position, &taikyoku_pieces(&position));
            if plies == 240 {
                check_marks::<Taikyoku>(&position, |mv| mv.to().name());
            }
        }
    }
}

#[test]
fn the_last_move_is_marked() {
    let mut position = Xiangqi::start(Xiangqi::rules(<Xiangqi as Game>::RuleSet::ALL[0]));
    let mv = Xiangqi::parse_move(&position, "h2e2").unwrap();
    Xiangqi::make(&mut position, mv);
    let picture = board::draw(&Xiangqi::scene(&position, &[], Lettering::Characters));
    let document = Document::parse(&picture).unwrap();
    let marked: Vec<_> = with_class(&document, "last-move")
        .filter_map(|node| node.attribute("data-place"))
        .collect();
    assert_eq!(marked, ["h2", "e2"]);
}

#[test]
fn the_catalogue_holds_every_kind_once() {
    for &set in taikyoku::RuleSet::ALL {
        let picture = sheet::draw(&catalogue(set, Lettering::Characters));
        let document = Document::parse(&picture).unwrap();
        let keys: Vec<&str> =
            with_class(&document, "card").filter_map(|node| node.attribute("data-key")).collect();
        let codes: Vec<&str> = Kind::all().map(|kind| kind.info().code.as_str()).collect();
        assert_eq!(keys.len(), 301);
        assert_eq!(keys, codes);
    }
}

#[test]
fn every_kind_has_a_page() {
    for kind in Kind::all() {
        let picture = sheet::draw(&page(kind, taikyoku::RuleSet::Seed, Lettering::Codes));
        let document = Document::parse(&picture).unwrap();
        assert_eq!(with_class(&document, "card").count(), 1);
        let words: String = document.descendants().filter_map(|node| node.text()).collect();
        assert!(words.contains(&kind.info().name), "{}", kind.info().code);
    }
}
