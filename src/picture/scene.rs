//! What a picture shows, free of any game: a board, pieces, and marks on places.

use crate::game::Side;

/// A place of the board as the first player sees it: column from the left, row from the top, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Column from the left.
    pub column: usize,
    /// Row from the top.
    pub row: usize,
}

impl Place {
    /// The place of a column and a row.
    pub const fn new(column: usize, row: usize) -> Self {
        Self { column, row }
    }
}

/// How pieces are lettered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lettering {
    /// In Chinese characters, where fonts that people have can show them; else in codes.
    #[default]
    Characters,
    /// In the codes of the native position text.
    Codes,
}

/// Where pieces stand, and what is drawn between them.
#[derive(Clone, PartialEq, Debug)]
pub enum Grid {
    /// Pieces stand in cells. Rows of the list begin below a heavier line.
    Cells {
        /// Rows with a heavier line above them.
        heavy_rows: Vec<usize>,
    },
    /// Pieces stand on the crossings of lines.
    Points {
        /// The row above the river, which the inner lines do not cross, and the words in it.
        river: Option<(usize, [String; 2])>,
        /// More lines, from place to place.
        diagonals: Vec<(Place, Place)>,
        /// Points with a small cross: where cannons and soldiers start.
        stations: Vec<Place>,
    },
}

/// The outline of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outline {
    /// A disc.
    Round,
    /// A wedge that points the owner's way.
    Wedge,
}

/// The script of a lettering, which decides font and place on the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Script {
    /// Chinese characters, stacked; a piece that is turned turns them too.
    Han,
    /// Latin letters on one line, always upright.
    Latin,
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenePiece {
    /// Where it stands.
    pub place: Place,
    /// Whose it is.
    pub side: Side,
    /// The characters or letters on it.
    pub lettering: String,
    /// Their script.
    pub script: Script,
    /// Whether they are red because the piece has promoted.
    pub promoted: bool,
    /// The piece in the native position text.
    pub code: String,
    /// The name, for those who point at the piece.
    pub name: String,
}

/// How a piece gets somewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// Step by step over empty places.
    Slide,
    /// The first leg of a move with a turn.
    Hook,
    /// The second leg of a move with a turn.
    Turn,
    /// Over whatever stands between.
    Leap,
    /// A leap and then a slide.
    LeapSlide,
    /// Past pieces that stay where they are.
    Over,
    /// Over pieces that are removed.
    Range,
    /// Two steps with a capture on the first.
    DoubleStep,
    /// A capture without moving.
    Stay,
    /// There and back: a pass.
    Pass,
}

impl Way {
    /// Every way, in the order of legends.
    pub const ALL: [Self; 10] = [
        Self::Slide,
        Self::Hook,
        Self::Turn,
        Self::Leap,
        Self::LeapSlide,
        Self::Over,
        Self::Range,
        Self::DoubleStep,
        Self::Stay,
        Self::Pass,
    ];

    /// The name in the attributes of a picture.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slide => "slide",
            Self::Hook => "hook",
            Self::Turn => "turn",
            Self::Leap => "leap",
            Self::LeapSlide => "leap-slide",
            Self::Over => "over",
            Self::Range => "range",
            Self::DoubleStep => "double-step",
            Self::Stay => "stay",
            Self::Pass => "pass",
        }
    }
}

/// Whether a move to a place promotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Promotion {
    /// It does not.
    #[default]
    None,
    /// If the player wants.
    Optional,
    /// Always.
    Forced,
}

/// A place where the chosen piece can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The place.
    pub place: Place,
    /// How it gets there, the plainest way first; never empty.
    pub ways: Vec<Way>,
    /// Whether it captures what stands there.
    pub capture: bool,
    /// Whether it promotes.
    pub promotion: Promotion,
}

/// A line of movement from a place, as far as the board goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ray {
    /// Where it starts.
    pub from: Place,
    /// Columns to the right and rows down per step.
    pub step: (i32, i32),
    /// How the piece moves along it.
    pub way: Way,
    /// A word at its end: how many pieces it may pass.
    pub note: String,
}

/// Everything a picture of a board shows.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The heading.
    pub title: String,
    /// The line below the heading.
    pub caption: String,
    /// The language of the characters on the pieces, for the choice of glyphs: `ja`, `zh-Hant`.
    pub language: &'static str,
    /// The board.
    pub grid: Grid,
    /// The outline of pieces.
    pub outline: Outline,
    /// Names of the columns from the left.
    pub columns: Vec<String>,
    /// Names of the rows from the top.
    pub rows: Vec<String>,
    /// The pieces.
    pub pieces: Vec<ScenePiece>,
    /// The places of the last move: from, places on the way, to.
    pub last_move: Vec<Place>,
    /// Where the chosen piece stands.
    pub origin: Option<Place>,
    /// Where the chosen piece can go: one mark a place.
    pub marks: Vec<Mark>,
    /// Places of pieces that some marked move removes on its way.
    pub taken: Vec<Place>,
    /// Lines of movement.
    pub rays: Vec<Ray>,
    /// What the ways of this game are called.
    pub way_names: fn(Way) -> &'static str,
}

impl Scene {
    /// The name of a place: column and row.
    pub fn place_name(&self, place: Place) -> String {
        format!("{}{}", self.columns[place.column], self.rows[place.row])
    }

    /// The ways that occur, in the order of legends.
    pub fn ways(&self) -> Vec<Way> {
        let occurs = |way: &Way| {
            self.marks.iter().any(|mark| mark.ways.contains(way))
                || self.rays.iter().any(|ray| ray.way == *way)
        };
        Way::ALL.into_iter().filter(occurs).collect()
    }

    /// The piece on a place.
    pub fn piece_at(&self, place: Place) -> Option<&ScenePiece> {
        self.pieces.iter().find(|piece| piece.place == place)
    }
}

/// Collects moves into marks, one a place, whatever order they come in.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    marks: std::collections::BTreeMap<Place, (Vec<Way>, bool, [bool; 2])>,
}

impl Marks {
    /// Adds a move that ends on a place.
    pub fn add(&mut self, place: Place, way: Way, capture: bool, promotes: bool) {
        let (ways, captures, promotions) = self.marks.entry(place).or_default();
        if !ways.contains(&way) {
            ways.push(way);
        }
        *captures |= capture;
        promotions[usize::from(promotes)] = true;
    }

    /// The marks by column and row.
    pub fn finish(self) -> Vec<Mark> {
        let marks = self.marks.into_iter();
        marks
            .map(|(place, (mut ways, capture, promotions))| {
                ways.sort_unstable();
                let promotion = match promotions {
                    [_, false] => Promotion::None,
                    [true, true] => Promotion::Optional,
                    [false, true] => Promotion::Forced,
                };
                Mark { place, ways, capture, promotion }
            })
            .collect()
    }
}
