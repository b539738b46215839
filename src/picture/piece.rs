//! Pieces: a disc or a wedge with characters or letters on it.

use super::font::{self, LATIN};
use super::scene::{Outline, Scene, ScenePiece, Script};
use super::svg::{Attributes, Svg};
use crate::game::Side;

/// Fill of pieces, the first player's first. The second player's wedges are a shade darker, so that a crowd of pieces can be
/// told apart at a glance.
const FILLS: [&str; 2] = ["#fff6df", "#ecd9b0"];
/// Colour of outlines.
const EDGE: &str = "#5a4424";
/// Colour of characters.
const INK: &str = "#1c1a17";
/// Colour of promoted pieces, and of the first player's discs.
pub(super) const RED: &str = "#c3151c";

/// The wedge in units of a cell, pointing up.
const WEDGE: [(f64, f64); 5] =
    [(0.0, -0.47), (0.31, -0.37), (0.41, 0.45), (-0.41, 0.45), (-0.31, -0.37)];

/// The attributes of a group of pieces on cells of size `cell`: what all have in common.
pub fn attributes(scene: &Scene, cell: f64) -> Attributes {
    Attributes::new()
        .with("font-family", font::han(scene.language))
        .with("xml:lang", scene.language)
        .with("font-weight", "bold")
        .with("text-anchor", "middle")
        .with("stroke-linejoin", "round")
        .at("stroke-width", cell * 0.025)
}

/// Draws a piece, in a group with [`attributes`], with its centre at `x`, `y` on cells of size `cell`.
pub fn draw(svg: &mut Svg, scene: &Scene, piece: &ScenePiece, x: f64, y: f64, cell: f64) {
    let group = Attributes::new()
        .with("class", "piece")
        .with("data-place", scene.place_name(piece.place))
        .with("data-piece", &piece.code);
    svg.begin("g", group);
    svg.text("title", Attributes::new(), &piece.name);
    let turned = scene.outline == Outline::Wedge && piece.side == Side::Second;
    match scene.outline {
        Outline::Round => disc(svg, piece.side, x, y, cell),
        Outline::Wedge => wedge(svg, piece.side, turned, x, y, cell),
    }
    let ink = match scene.outline {
        Outline::Round if piece.side == Side::First => RED,
        Outline::Wedge if piece.promoted => RED,
        _ => INK,
    };
    match piece.script {
        Script::Latin => latin(svg, scene.outline, turned, ink, &piece.lettering, (x, y, cell)),
        Script::Han => han(svg, scene, turned, ink, &piece.lettering, (x, y, cell)),
    }
    svg.end();
}

fn disc(svg: &mut Svg, side: Side, x: f64, y: f64, cell: f64) {
    let circle = |radius: f64| Attributes::new().at("cx", x).at("cy", y).at("r", radius * cell);
    let ink = if side == Side::First { RED } else { INK };
    svg.empty("circle", circle(0.44).with("fill", FILLS[0]).with("stroke", EDGE));
    svg.empty("circle", circle(0.375).with("fill", "none").with("stroke", ink));
}

fn wedge(svg: &mut Svg, side: Side, turned: bool, x: f64, y: f64, cell: f64) {
    let turn = if turned { -1.0 } else { 1.0 };
    let corners: Vec<String> = WEDGE
        .iter()
        .map(|&(dx, dy)| {
            let corner = [x + turn * dx * cell, y + turn * dy * cell].map(super::svg::number);
            corner.join(",")
        })
        .collect();
    let shape = Attributes::new()
        .with("points", corners.join(" "))
        .with("fill", FILLS[side.index()])
        .with("stroke", EDGE);
    svg.empty("polygon", shape);
}

/// Letters on one line, never turned; a wedge has more room towards its foot.
fn latin(
    svg: &mut Svg,
    outline: Outline,
    turned: bool,
    ink: &str,
    letters: &str,
    (x, y, cell): (f64, f64, f64),
) {
    let room = 0.68;
    let size = (room / font::width(letters).max(0.1)).min(0.5) * cell;
    let foot = match (outline, turned) {
        (Outline::Round, _) => 0.0,
        (Outline::Wedge, false) => 0.06,
        (Outline::Wedge, true) => -0.06,
    };
    let attributes = Attributes::new()
        .at("x", x)
        .at("y", y + foot * cell + 0.36 * size)
        .at("font-size", size)
        .with("font-family", LATIN)
        .with("fill", ink);
    svg.text("text", attributes, letters);
}

/// Characters in a column, as large as fits.
fn han(
    svg: &mut Svg,
    scene: &Scene,
    turned: bool,
    ink: &str,
    characters: &str,
    (x, y, cell): (f64, f64, f64),
) {
    let count = characters.chars().count() as f64;
    let (height, largest, middle) = match scene.outline {
        Outline::Round => (0.6, 0.58, 0.0),
        Outline::Wedge => (0.8, 0.52, 0.035),
    };
    let size = (height / count).min(largest) * cell;
    let mut group = Attributes::new().at("font-size", size).with("fill", ink);
    if turned {
        let (x, y) = (super::svg::number(x), super::svg::number(y));
        group = group.with("transform", format!("rotate(180 {x} {y})"));
    }
    svg.begin("g", group);
    for (index, character) in characters.chars().enumerate() {
        // The middle of a Chinese character lies 0.38 of its size above the base line.
        let row = index as f64 - (count - 1.0) / 2.0;
        let base = y + middle * cell + row * size + 0.38 * size;
        svg.text("text", Attributes::new().at("x", x).at("y", base), &character.to_string());
    }
    svg.end();
}
