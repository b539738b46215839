//! Marks: one shape and colour for each way of moving, frames for captures, signs for promotion and for what is taken.

use std::f64::consts::PI;

use super::scene::{Grid, Mark, Promotion, Ray, Scene, Way};
use super::svg::{Attributes, Svg, number};

/// Colour of the frame around the chosen piece.
const ORIGIN: &str = "#1f3a93";
/// Colour of what is taken on the way, and of promotion.
const TAKEN: &str = "#d50000";
/// Colour of the last move.
const LAST: &str = "#ffe135";
/// Colour of the edge of its places.
const LAST_EDGE: &str = "#b8860b";

/// The colour of a way.
const fn color(way: Way) -> &'static str {
    match way {
        Way::Slide => "#1b7f3b",
        Way::Hook | Way::Turn => "#00798c",
        Way::Leap | Way::LeapSlide => "#1a56d6",
        Way::Over => "#7b1fa2",
        Way::Range => "#d9480f",
        Way::DoubleStep | Way::Stay => "#b0106a",
        Way::Pass => "#555555",
    }
}

/// Draws the shape of a way with its centre at `x`, `y`.
pub fn shape(svg: &mut Svg, way: Way, x: f64, y: f64, radius: f64) {
    let hollow = matches!(way, Way::Turn | Way::Leap | Way::Stay | Way::Pass);
    let (fill, edge) = if hollow { ("#ffffff", color(way)) } else { (color(way), "#ffffff") };
    let width = radius * if hollow { 0.34 } else { 0.16 };
    let paint = |attributes: Attributes| {
        attributes.with("fill", fill).with("stroke", edge).at("stroke-width", width)
    };
    match way {
        Way::Slide | Way::Turn => svg.empty("circle", paint(circle(x, y, radius * 0.85))),
        Way::Hook => {
            svg.empty("circle", paint(circle(x, y, radius * 0.95)));
            svg.empty("circle", circle(x, y, radius * 0.35).with("fill", "#ffffff"));
        }
        Way::Leap | Way::LeapSlide => {
            svg.empty("polygon", paint(polygon(x, y, radius * 1.1, 4, 1.0, 0.0)));
        }
        Way::Over => {
            svg.empty("polygon", paint(polygon(x, y + radius * 0.15, radius * 1.2, 3, 1.0, 0.0)))
        }
        Way::Range | Way::Pass => {
            svg.empty("polygon", paint(polygon(x, y, radius * 1.15, 4, 1.0, PI / 4.0)));
        }
        Way::DoubleStep | Way::Stay => {
            svg.empty("polygon", paint(polygon(x, y, radius * 1.3, 5, 0.45, 0.0)));
        }
    }
}

fn circle(x: f64, y: f64, radius: f64) -> Attributes {
    Attributes::new().at("cx", x).at("cy", y).at("r", radius)
}

/// A regular polygon with a corner at the top, turned by an angle; `waist` below 1 makes it a star.
fn polygon(x: f64, y: f64, radius: f64, corners: u32, waist: f64, turn: f64) -> Attributes {
    let points: Vec<String> = (0..2 * corners)
        .filter(|index| waist < 1.0 || index % 2 == 0)
        .map(|index| {
            let angle = turn + PI * f64::from(index) / f64::from(corners);
            let reach = if index % 2 == 0 { radius } else { radius * waist };
            format!("{},{}", number(x + reach * angle.sin()), number(y - reach * angle.cos()))
        })
        .collect();
    Attributes::new().with("points", points.join(" "))
}

/// Draws a mark on cells of size `cell`: in the middle of an empty place, in the corner of an occupied one.
pub fn draw(svg: &mut Svg, scene: &Scene, mark: &Mark, (x, y): (f64, f64), cell: f64) {
    let ways: Vec<&str> = mark.ways.iter().map(|way| way.name()).collect();
    let mut group = Attributes::new()
        .with("class", "mark")
        .with("data-place", scene.place_name(mark.place))
        .with("data-ways", ways.join(" "));
    if mark.capture {
        group = group.with("data-capture", "true");
    }
    svg.begin("g", group);
    let names: Vec<&str> = mark.ways.iter().map(|&way| (scene.way_names)(way)).collect();
    let place = scene.place_name(mark.place);
    svg.text("title", Attributes::new(), &format!("{place}: {}", names.join("; ")));
    if scene.piece_at(mark.place).is_none() {
        // Several ways stand side by side.
        let count = mark.ways.len() as f64;
        let radius = cell * if mark.ways.len() == 1 { 0.2 } else { 0.17 };
        for (index, &way) in mark.ways.iter().enumerate() {
            let shift = (index as f64 - (count - 1.0) / 2.0) * 2.4 * radius;
            shape(svg, way, x + shift, y, radius);
        }
    } else {
        if mark.capture {
            frame(svg, &scene.grid, color(mark.ways[0]), x, y, cell);
        }
        for (index, &way) in mark.ways.iter().enumerate() {
            shape(svg, way, x + cell * (0.36 - 0.28 * index as f64), y - cell * 0.36, cell * 0.13);
        }
    }
    promotion(svg, mark.promotion, x + cell * 0.34, y + cell * 0.32, cell);
    svg.end();
}

/// Draws the sign of a promotion: a hollow plus for a choice, a filled one for a must.
pub fn promotion(svg: &mut Svg, promotion: Promotion, x: f64, y: f64, cell: f64) {
    let (fill, ink) = match promotion {
        Promotion::None => return,
        Promotion::Optional => ("#ffffff", TAKEN),
        Promotion::Forced => (TAKEN, "#ffffff"),
    };
    let radius = cell * 0.13;
    let disc = circle(x, y, radius).with("fill", fill).with("stroke", TAKEN);
    svg.empty("circle", disc.at("stroke-width", cell * 0.025));
    let arm = radius * 0.62;
    let [left, right, top, bottom] = [x - arm, x + arm, y - arm, y + arm].map(number);
    let path = format!("M{left} {}H{right}M{} {top}V{bottom}", number(y), number(x));
    let lines = Attributes::new().with("d", path).with("stroke", ink);
    svg.empty("path", lines.at("stroke-width", cell * 0.05).with("fill", "none"));
}

/// Draws a frame around the piece on a place: a ring on points, a square in cells.
pub fn frame(svg: &mut Svg, grid: &Grid, color: &str, x: f64, y: f64, cell: f64) {
    let paint = |attributes: Attributes| {
        attributes.with("fill", "none").with("stroke", color).at("stroke-width", cell * 0.07)
    };
    match grid {
        Grid::Points { .. } => svg.empty("circle", paint(circle(x, y, cell * 0.46))),
        Grid::Cells { .. } => svg.empty("rect", paint(square(x, y, cell * 0.93))),
    }
}

/// Draws the sign of the chosen piece.
pub fn origin(svg: &mut Svg, grid: &Grid, x: f64, y: f64, cell: f64) {
    if matches!(grid, Grid::Cells { .. }) {
        svg.empty("rect", square(x, y, cell).with("fill", "#b9c9ff"));
    }
    frame(svg, grid, ORIGIN, x, y, cell);
}

/// Draws the sign of a place of the last move: a tint in cells, a disc behind the point otherwise.
pub fn last_move(svg: &mut Svg, grid: &Grid, x: f64, y: f64, cell: f64) {
    match grid {
        Grid::Cells { .. } => {
            let frame = square(x, y, cell * 0.94).with("fill", LAST).with("stroke", LAST_EDGE);
            svg.empty("rect", frame.at("stroke-width", cell * 0.06));
        }
        Grid::Points { .. } => {
            svg.empty("circle", circle(x, y, cell * 0.5).with("fill", LAST).with("opacity", 0.9));
        }
    }
}

/// Draws the cross over a piece that is removed on the way.
pub fn taken(svg: &mut Svg, x: f64, y: f64, cell: f64) {
    let arm = cell * 0.36;
    let [left, right, top, bottom] = [x - arm, x + arm, y - arm, y + arm].map(number);
    let path = format!("M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}");
    let cross = Attributes::new()
        .with("d", path)
        .with("fill", "none")
        .with("stroke", TAKEN)
        .with("stroke-opacity", 0.75)
        .at("stroke-width", cell * 0.065)
        .with("stroke-linecap", "round");
    svg.empty("path", cross);
}

fn square(x: f64, y: f64, side: f64) -> Attributes {
    Attributes::new()
        .at("x", x - side / 2.0)
        .at("y", y - side / 2.0)
        .at("width", side)
        .at("height", side)
}

/// Draws a line of movement from the centre `x`, `y` over `steps` places, with an arrow head and its note.
///
/// Different ways run side by side where they share a line: leaps are dashed and lie on top of slides, lines over pieces are
/// doubled, those with a turn carry bars across.
pub fn ray(svg: &mut Svg, ray: &Ray, (x, y): (f64, f64), steps: usize, cell: f64) {
    let (across, down) = (f64::from(ray.step.0), f64::from(ray.step.1));
    let length = across.hypot(down);
    let (ux, uy) = (across / length, down / length);
    let at = |along: f64, aside: f64| (x + ux * along - uy * aside, y + uy * along + ux * aside);
    let end = (steps as f64 + 0.32) * length * cell;
    let start = 0.5 * length * cell;
    let ink = color(ray.way);
    let stroke = |path: String, width: f64| {
        Attributes::new()
            .with("d", path)
            .with("fill", "none")
            .with("stroke", ink)
            .at("stroke-width", width * cell)
    };
    let line = |from: (f64, f64), to: (f64, f64)| {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        format!("M{x1} {y1}L{x2} {y2}")
    };
    svg.begin("g", Attributes::new().with("class", "ray").with("data-way", ray.way.name()));
    match ray.way {
        Way::Over => {
            for aside in [-0.1, 0.1] {
                let path = line(at(start, aside * cell), at(end, aside * cell));
                svg.empty("path", stroke(path, 0.07));
            }
        }
        Way::Range => svg.empty("path", stroke(line(at(start, 0.0), at(end, 0.0)), 0.26)),
        Way::LeapSlide => {
            let dashes = format!("{} {}", number(cell * 0.28), number(cell * 0.2));
            let path = line(at(start, 0.0), at(end, 0.0));
            svg.empty("path", stroke(path, 0.12).with("stroke-dasharray", dashes));
        }
        _ => svg.empty("path", stroke(line(at(start, 0.0), at(end, 0.0)), 0.12)),
    }
    if matches!(ray.way, Way::Hook) {
        for step in 1..=steps {
            let along = step as f64 * length * cell;
            let path = line(at(along, -0.34 * cell), at(along, 0.34 * cell));
            svg.empty("path", stroke(path, 0.09));
        }
    }
    let head = [
        at(end + 0.16 * cell, 0.0),
        at(end - 0.2 * cell, -0.26 * cell),
        at(end - 0.2 * cell, 0.26 * cell),
    ];
    let points: Vec<String> =
        head.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
    svg.empty("polygon", Attributes::new().with("points", points.join(" ")).with("fill", ink));
    if !ray.note.is_empty() {
        let (note_x, note_y) = at((steps as f64 - 0.35) * length * cell, 0.0);
        let size = cell * 0.62;
        svg.empty(
            "circle",
            circle(note_x, note_y, size * 0.58)
                .with("fill", "#ffffff")
                .with("stroke", ink)
                .at("stroke-width", cell * 0.06),
        );
        let attributes = Attributes::new()
            .at("x", note_x)
            .at("y", note_y + 0.36 * size)
            .at("font-size", size)
            .with("font-family", super::font::LATIN)
            .with("font-weight", "bold")
            .with("text-anchor", "middle")
            .with("fill", ink);
        svg.text("text", attributes, &ray.note);
    }
    svg.end();
}
