//! A page of cards: one card a kind of piece, with its names, move diagrams and a few lines of text.

use super::board::{self, Anchor, Frame, Weight, label, rectangle};
use super::font::{self, han};
use super::scene::{Scene, ScenePiece, Way};
use super::svg::{Attributes, Svg};
use super::{mark, piece};

/// A card.
#[derive(Clone, Debug)]
pub struct Card {
    /// The key of the card, for the attributes of the picture.
    pub key: String,
    /// The first line.
    pub heading: String,
    /// Below it, in Latin letters.
    pub subheading: String,
    /// Beside that, in the characters of the scene's language.
    pub characters: String,
    /// Move diagrams with what is said above each; at least one. The first one's piece is drawn beside the heading.
    pub diagrams: Vec<(String, Scene)>,
    /// Lines below the diagrams, broken where they are too long.
    pub details: Vec<String>,
}

/// A page of cards.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The heading of the page.
    pub title: String,
    /// The line below it.
    pub caption: String,
    /// The cards.
    pub cards: Vec<Card>,
    /// Cards side by side.
    pub columns: usize,
    /// Width and height of a diagram in pixels.
    pub diagram: f64,
}

const MARGIN: f64 = 28.0;
const GAP: f64 = 14.0;
const PAD: f64 = 12.0;
const HEAD: f64 = 56.0;
const CAPTION: f64 = 20.0;
const LINE: f64 = 16.0;
const TEXT: f64 = 12.5;

/// The page as an SVG document.
pub fn draw(sheet: &Sheet) -> String {
    let diagrams = sheet.cards.iter().map(|card| card.diagrams.len()).max().unwrap_or(1) as f64;
    let card_width = diagrams * sheet.diagram + (diagrams - 1.0) * PAD + 2.0 * PAD;
    let columns = sheet.columns.clamp(1, sheet.cards.len().max(1));
    let width = (columns as f64 * (card_width + GAP) - GAP).max(560.0) + 2.0 * MARGIN;
    let captioned =
        sheet.cards.iter().flat_map(|card| &card.diagrams).any(|(text, _)| !text.is_empty());
    let caption = if captioned { CAPTION } else { 0.0 };
    let details: Vec<Vec<String>> = sheet
        .cards
        .iter()
        .map(|card| {
            let room = (card_width - 2.0 * PAD) / TEXT;
            card.details.iter().flat_map(|text| font::wrap(text, room)).collect()
        })
        .collect();
    let row_heights: Vec<f64> = details
        .chunks(columns)
        .map(|row| {
            let lines = row.iter().map(Vec::len).max().unwrap_or(0) as f64;
            HEAD + caption + sheet.diagram + lines * LINE + 2.0 * PAD
        })
        .collect();
    let legend = Legend::new(sheet, width - 2.0 * MARGIN);
    let top = MARGIN + 62.0 + legend.height();
    let height = top + row_heights.iter().map(|height| height + GAP).sum::<f64>() + MARGIN - GAP;

    let mut svg = Svg::new(width, height);
    svg.text("title", Attributes::new(), &sheet.title);
    rectangle(&mut svg, 0.0, 0.0, width, height, Attributes::new().with("fill", "#ffffff"));
    label(&mut svg, &sheet.title, MARGIN, MARGIN + 18.0, 26.0, Anchor::Start, Weight::Bold);
    label(&mut svg, &sheet.caption, MARGIN, MARGIN + 44.0, 15.0, Anchor::Start, Weight::Plain);
    legend.draw(&mut svg, MARGIN, MARGIN + 58.0);
    let mut y = top;
    for (row, &row_height) in row_heights.iter().enumerate() {
        for column in 0..columns {
            let index = row * columns + column;
            let Some(card) = sheet.cards.get(index) else { break };
            let x = MARGIN + column as f64 * (card_width + GAP);
            let place = Spot { x, y, width: card_width, height: row_height, caption };
            draw_card(&mut svg, sheet, card, &details[index], place);
        }
        y += row_height + GAP;
    }
    svg.finish()
}

/// Where a card lies, and the height of the captions above its diagrams.
struct Spot {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    caption: f64,
}

fn draw_card(svg: &mut Svg, sheet: &Sheet, card: &Card, details: &[String], spot: Spot) {
    let Spot { x, y, width, height, caption } = spot;
    svg.begin("g", Attributes::new().with("class", "card").with("data-key", &card.key));
    let paint = Attributes::new().with("fill", "#fbf8f1").with("stroke", "#cbbfa3").at("rx", 6.0);
    rectangle(svg, x, y, width, height, paint);
    let icon = 48.0;
    if let Some((scene, piece)) =
        card.diagrams.first().and_then(|(_, scene)| Some((scene, scene.pieces.first()?)))
    {
        emblem(svg, scene, piece, x + PAD + icon / 2.0 - 4.0, y + PAD + icon / 2.0 - 4.0, icon);
    }
    let left = x + PAD + icon;
    let room = width - 2.0 * PAD - icon;
    let size = (room / (font::width(&card.heading) * 1.08)).min(15.0);
    label(svg, &card.heading, left, y + PAD + 16.0, size, Anchor::Start, Weight::Bold);
    let names = font::width(&card.subheading) + font::width(&card.characters) + 0.5;
    let size = (room / names).min(13.0);
    label(svg, &card.subheading, left, y + PAD + 36.0, size, Anchor::Start, Weight::Plain);
    let language = card.diagrams.first().map_or("ja", |(_, scene)| scene.language);
    let characters = Attributes::new()
        .at("x", left + (font::width(&card.subheading) + 0.5) * size)
        .at("y", y + PAD + 36.0)
        .at("font-size", size)
        .with("font-family", han(language))
        .with("xml:lang", language)
        .with("fill", "#2b2417");
    svg.text("text", characters, &card.characters);
    for (index, (text, scene)) in card.diagrams.iter().enumerate() {
        let left = x + PAD + index as f64 * (sheet.diagram + PAD);
        if caption > 0.0 {
            label(svg, text, left, y + PAD + HEAD + 10.0, 13.0, Anchor::Start, Weight::Bold);
        }
        let cell = sheet.diagram / scene.columns.len() as f64;
        let frame = Frame { left, top: y + PAD + HEAD - 6.0 + caption, cell };
        board::draw_board(svg, scene, frame);
    }
    for (index, line) in details.iter().enumerate() {
        let base = y + PAD + HEAD + caption + sheet.diagram + (index as f64 + 0.75) * LINE;
        label(svg, line, x + PAD, base, TEXT, Anchor::Start, Weight::Plain);
    }
    svg.end();
}

/// The piece beside the heading: drawn as on the board, but no piece of it.
fn emblem(svg: &mut Svg, scene: &Scene, piece: &ScenePiece, x: f64, y: f64, size: f64) {
    svg.begin("g", piece::attributes(scene, size).with("class", "emblem"));
    piece::draw(svg, scene, piece, x, y, size);
    svg.end();
}

/// What the marks and lines of all cards mean, in as few lines as fit the width.
struct Legend {
    /// A way, its name, and where it stands.
    entries: Vec<(Way, &'static str, f64, f64)>,
    height: f64,
}

impl Legend {
    const SIZE: f64 = 14.0;
    const ROW: f64 = 28.0;

    fn new(sheet: &Sheet, width: f64) -> Self {
        let mut entries = Vec::new();
        let (mut x, mut y) = (0.0, 0.0);
        for way in Way::ALL {
            let scenes =
                || sheet.cards.iter().flat_map(|card| card.diagrams.iter().map(|it| &it.1));
            let Some(scene) = scenes().find(|scene| scene.ways().contains(&way)) else { continue };
            let name = (scene.way_names)(way);
            let room = font::width(name) * Self::SIZE + 54.0;
            if x > 0.0 && x + room > width {
                (x, y) = (0.0, y + Self::ROW);
            }
            entries.push((way, name, x, y));
            x += room;
        }
        Self { height: y + Self::ROW, entries }
    }

    const fn height(&self) -> f64 {
        self.height
    }

    fn draw(&self, svg: &mut Svg, left: f64, top: f64) {
        svg.begin("g", Attributes::new().with("class", "legend"));
        for &(way, name, x, y) in &self.entries {
            let (x, middle) = (left + x, top + y + Self::ROW / 2.0);
            mark::shape(svg, way, x + 10.0, middle, 8.0);
            let base = middle + 0.36 * Self::SIZE;
            label(svg, name, x + 26.0, base, Self::SIZE, Anchor::Start, Weight::Plain);
        }
        svg.end();
    }
}
