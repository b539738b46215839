//! A picture of one scene: heading, board with coordinates, pieces, marks, and a legend of what occurs.

use super::font::{self, LATIN};
use super::scene::{Grid, Place, Promotion, Scene, Way};
use super::svg::{Attributes, Svg, number};
use super::{mark, piece};

/// Colour of the board.
const BOARD: &str = "#e8c583";
/// Colour of lines and coordinates.
const LINE: &str = "#6b4f22";
/// Colour of the page.
const PAGE: &str = "#ffffff";

/// Where a board lies on the page.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Left edge of the first column.
    pub left: f64,
    /// Top edge of the first row.
    pub top: f64,
    /// Width of a column and height of a row.
    pub cell: f64,
}

impl Frame {
    /// The centre of a place.
    pub fn centre(&self, place: Place) -> (f64, f64) {
        let along = |start: f64, index: usize| start + (index as f64 + 0.5) * self.cell;
        (along(self.left, place.column), along(self.top, place.row))
    }
}

/// The scene as an SVG document.
pub fn draw(scene: &Scene) -> String {
    let (columns, rows) = (scene.columns.len() as f64, scene.rows.len() as f64);
    let cell = if columns > 18.0 { 40.0 } else { 64.0 };
    let margin = 0.9 * cell;
    let heading = if scene.title.is_empty() { 0.0 } else { 64.0 };
    let frame = Frame { left: margin, top: heading + margin, cell };
    let width = columns * cell + 2.0 * margin;
    let entries = legend_entries(scene);
    let entry_columns = ((width - 2.0 * margin) / 300.0).floor().max(1.0) as usize;
    let entry_rows = entries.len().div_ceil(entry_columns) as f64;
    let board_bottom = frame.top + rows * cell + margin;
    let height = board_bottom + if entries.is_empty() { 0.0 } else { entry_rows * ENTRY + 16.0 };

    let mut svg = Svg::new(width, height);
    svg.text("title", Attributes::new(), &scene.title);
    rectangle(&mut svg, 0.0, 0.0, width, height, Attributes::new().with("fill", PAGE));
    if !scene.title.is_empty() {
        label(&mut svg, &scene.title, margin, 30.0, 22.0, Anchor::Start, Weight::Bold);
        label(&mut svg, &scene.caption, margin, 56.0, 16.0, Anchor::Start, Weight::Plain);
    }
    coordinates(&mut svg, scene, frame, margin);
    draw_board(&mut svg, scene, frame);
    svg.begin("g", Attributes::new().with("class", "legend"));
    let entry_width = (width - 2.0 * margin) / entry_columns as f64;
    for (index, entry) in entries.iter().enumerate() {
        let column = index % entry_columns;
        let row = index / entry_columns;
        let left = margin + column as f64 * entry_width;
        let middle = board_bottom + (row as f64 + 0.5) * ENTRY;
        legend_entry(&mut svg, scene, entry, left, middle, entry_width);
    }
    svg.end();
    svg.finish()
}

/// Draws board, pieces and marks without coordinates.
pub fn draw_board(svg: &mut Svg, scene: &Scene, frame: Frame) {
    svg.begin("g", Attributes::new().with("class", "board"));
    let (columns, rows) = (scene.columns.len() as f64, scene.rows.len() as f64);
    let cell = frame.cell;
    let fill = Attributes::new().with("fill", BOARD);
    rectangle(svg, frame.left, frame.top, columns * cell, rows * cell, fill);
    if matches!(scene.grid, Grid::Cells { .. }) {
        under_pieces(svg, scene, frame);
        grid_lines(svg, scene, frame);
    } else {
        grid_lines(svg, scene, frame);
        under_pieces(svg, scene, frame);
    }
    for ray in &scene.rays {
        let steps = steps_to_edge(scene, ray.from, ray.step);
        mark::ray(svg, ray, frame.centre(ray.from), steps, cell);
    }
    svg.begin("g", piece::attributes(scene, cell));
    for piece in &scene.pieces {
        let (x, y) = frame.centre(piece.place);
        piece::draw(svg, scene, piece, x, y, cell);
    }
    svg.end();
    for &place in &scene.taken {
        let (x, y) = frame.centre(place);
        svg.begin(
            "g",
            Attributes::new().with("class", "taken").with("data-place", scene.place_name(place)),
        );
        mark::taken(svg, x, y, cell);
        svg.end();
    }
    for mark in &scene.marks {
        mark::draw(svg, scene, mark, frame.centre(mark.place), cell);
    }
    svg.end();
}

fn under_pieces(svg: &mut Svg, scene: &Scene, frame: Frame) {
    for &place in &scene.last_move {
        let (x, y) = frame.centre(place);
        svg.begin(
            "g",
            Attributes::new()
                .with("class", "last-move")
                .with("data-place", scene.place_name(place)),
        );
        mark::last_move(svg, &scene.grid, x, y, frame.cell);
        svg.end();
    }
    if let Some(place) = scene.origin {
        let (x, y) = frame.centre(place);
        svg.begin(
            "g",
            Attributes::new().with("class", "origin").with("data-place", scene.place_name(place)),
        );
        mark::origin(svg, &scene.grid, x, y, frame.cell);
        svg.end();
    }
}

fn steps_to_edge(scene: &Scene, from: Place, (across, down): (i32, i32)) -> usize {
    let room = |at: usize, step: i32, size: usize| match step.signum() {
        0 => usize::MAX,
        1 => (size - 1 - at) / step as usize,
        _ => at / step.unsigned_abs() as usize,
    };
    room(from.column, across, scene.columns.len()).min(room(from.row, down, scene.rows.len()))
}

fn grid_lines(svg: &mut Svg, scene: &Scene, frame: Frame) {
    let cell = frame.cell;
    let (columns, rows) = (scene.columns.len(), scene.rows.len());
    let x = |line: f64| number(frame.left + line * cell);
    let y = |line: f64| number(frame.top + line * cell);
    let mut path = String::new();
    let mut heavy = String::new();
    match &scene.grid {
        Grid::Cells { heavy_rows } => {
            for line in 0..=columns {
                path += &format!("M{} {}V{}", x(line as f64), y(0.0), y(rows as f64));
            }
            for line in 0..=rows {
                let across = format!("M{} {}H{}", x(0.0), y(line as f64), x(columns as f64));
                let outer = line == 0 || line == rows;
                if heavy_rows.contains(&line) || outer { &mut heavy } else { &mut path }
                    .push_str(&across);
            }
            for line in [0, columns] {
                heavy += &format!("M{} {}V{}", x(line as f64), y(0.0), y(rows as f64));
            }
        }
        Grid::Points { river, diagonals, stations } => {
            let last = (columns as f64 - 0.5, rows as f64 - 0.5);
            for row in 0..rows {
                path += &format!("M{} {}H{}", x(0.5), y(row as f64 + 0.5), x(last.0));
            }
            for column in 0..columns {
                let at = x(column as f64 + 0.5);
                match river {
                    Some((bank, _)) if column != 0 && column + 1 != columns => {
                        let (north, south) = (*bank as f64 + 0.5, *bank as f64 + 1.5);
                        path += &format!("M{at} {}V{}", y(0.5), y(north));
                        path += &format!("M{at} {}V{}", y(south), y(last.1));
                    }
                    _ => path += &format!("M{at} {}V{}", y(0.5), y(last.1)),
                }
            }
            for &(from, to) in diagonals {
                let ((x1, y1), (x2, y2)) = (frame.centre(from), frame.centre(to));
                path += &format!("M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
            }
            for &station in stations {
                path += &station_path(frame, station, columns);
            }
            heavy = format!(
                "M{0} {1}H{2}V{3}H{0}Z",
                x(0.42),
                y(0.42),
                x(last.0 + 0.08),
                y(last.1 + 0.08)
            );
        }
    }
    let stroke = |path: String, width: f64| {
        Attributes::new()
            .with("d", path)
            .with("fill", "none")
            .with("stroke", LINE)
            .at("stroke-width", width)
    };
    svg.empty("path", stroke(path, cell * 0.022));
    svg.empty("path", stroke(heavy, cell * 0.055));
    if let Grid::Points { river: Some((bank, words)), .. } = &scene.grid {
        let middle = frame.top + (*bank as f64 + 1.0) * cell;
        for (word, part) in words.iter().zip([0.27, 0.73]) {
            let size = cell * 0.5;
            let attributes = Attributes::new()
                .at("x", frame.left + columns as f64 * part * cell)
                .at("y", middle + 0.36 * size)
                .at("font-size", size)
                .at("letter-spacing", size * 0.6)
                .with("font-family", font::han(scene.language))
                .with("xml:lang", scene.language)
                .with("text-anchor", "middle")
                .with("fill", LINE);
            svg.text("text", attributes, word);
        }
    }
}

/// The four small angles around a station, two at the edge of the board.
fn station_path(frame: Frame, station: Place, columns: usize) -> String {
    let (x, y) = frame.centre(station);
    let (gap, arm) = (frame.cell * 0.07, frame.cell * 0.14);
    let mut path = String::new();
    for across in [-1.0, 1.0] {
        let edge = if across < 0.0 { 0 } else { columns - 1 };
        if station.column == edge {
            continue;
        }
        for down in [-1.0, 1.0] {
            let (near_x, near_y) = (x + across * gap, y + down * gap);
            path += &format!(
                "M{} {}H{}V{}",
                number(near_x + across * arm),
                number(near_y),
                number(near_x),
                number(near_y + down * arm)
            );
        }
    }
    path
}

fn coordinates(svg: &mut Svg, scene: &Scene, frame: Frame, margin: f64) {
    let size = frame.cell * if scene.columns.len() > 18 { 0.36 } else { 0.28 };
    let bottom = frame.top + scene.rows.len() as f64 * frame.cell;
    let right = frame.left + scene.columns.len() as f64 * frame.cell;
    svg.begin("g", Attributes::new().with("class", "coordinates"));
    for (index, name) in scene.columns.iter().enumerate() {
        let x = frame.centre(Place::new(index, 0)).0;
        for y in [frame.top - margin * 0.42, bottom + margin * 0.42] {
            label(svg, name, x, y + 0.36 * size, size, Anchor::Middle, Weight::Plain);
        }
    }
    for (index, name) in scene.rows.iter().enumerate() {
        let y = frame.centre(Place::new(0, index)).1 + 0.36 * size;
        for x in [frame.left - margin * 0.45, right + margin * 0.45] {
            label(svg, name, x, y, size, Anchor::Middle, Weight::Plain);
        }
    }
    svg.end();
}

/// Where a label stands relative to its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    /// To the right of it.
    Start,
    /// Around it.
    Middle,
}

/// How heavy a label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weight {
    /// Plain text.
    Plain,
    /// Headings.
    Bold,
}

/// Writes Latin text.
pub(super) fn label(
    svg: &mut Svg,
    text: &str,
    x: f64,
    y: f64,
    size: f64,
    anchor: Anchor,
    weight: Weight,
) {
    let mut attributes = Attributes::new()
        .at("x", x)
        .at("y", y)
        .at("font-size", size)
        .with("font-family", LATIN)
        .with("fill", "#2b2417");
    if anchor == Anchor::Middle {
        attributes = attributes.with("text-anchor", "middle");
    }
    if weight == Weight::Bold {
        attributes = attributes.with("font-weight", "bold");
    }
    svg.text("text", attributes, text);
}

pub(super) fn rectangle(svg: &mut Svg, x: f64, y: f64, width: f64, height: f64, paint: Attributes) {
    svg.empty("rect", paint.at("x", x).at("y", y).at("width", width).at("height", height));
}

/// Height of a line of the legend.
const ENTRY: f64 = 38.0;

enum Entry {
    Origin,
    Way(Way),
    Capture,
    Taken,
    Promotion(Promotion),
    LastMove,
}

fn legend_entries(scene: &Scene) -> Vec<Entry> {
    let mut entries = Vec::new();
    if scene.origin.is_some() {
        entries.push(Entry::Origin);
    }
    entries.extend(scene.ways().into_iter().map(Entry::Way));
    if scene.marks.iter().any(|mark| mark.capture) {
        entries.push(Entry::Capture);
    }
    if !scene.taken.is_empty() {
        entries.push(Entry::Taken);
    }
    for promotion in [Promotion::Optional, Promotion::Forced] {
        if scene.marks.iter().any(|mark| mark.promotion == promotion) {
            entries.push(Entry::Promotion(promotion));
        }
    }
    if !scene.last_move.is_empty() {
        entries.push(Entry::LastMove);
    }
    entries
}

fn legend_entry(svg: &mut Svg, scene: &Scene, entry: &Entry, left: f64, middle: f64, width: f64) {
    let sample = 30.0;
    let (x, y) = (left + sample / 2.0, middle);
    let text = match entry {
        Entry::Origin => {
            mark::origin(svg, &scene.grid, x, y, sample);
            let piece = scene.origin.and_then(|place| scene.piece_at(place));
            piece.map_or_else(|| "the piece".to_owned(), |piece| piece.name.clone())
        }
        Entry::Way(way) => {
            mark::shape(svg, *way, x, y, sample * 0.3);
            (scene.way_names)(*way).to_owned()
        }
        Entry::Capture => {
            mark::frame(svg, &scene.grid, "#444444", x, y, sample);
            "capture, in the colour of the move".to_owned()
        }
        Entry::Taken => {
            mark::taken(svg, x, y, sample);
            "can be removed on the way".to_owned()
        }
        Entry::Promotion(promotion) => {
            mark::promotion(svg, *promotion, x, y, sample * 2.4);
            match promotion {
                Promotion::Forced => "must promote there".to_owned(),
                _ => "may promote there".to_owned(),
            }
        }
        Entry::LastMove => {
            mark::last_move(svg, &scene.grid, x, y, sample);
            "last move".to_owned()
        }
    };
    let room = width - sample - 36.0;
    let size = (room / font::width(&text)).min(15.0);
    label(
        svg,
        &text,
        left + sample + 10.0,
        middle + 0.36 * size,
        size,
        Anchor::Start,
        Weight::Plain,
    );
}
