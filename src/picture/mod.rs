//! Pictures: a game says what is to be seen ([`scene::Scene`]), and this module draws it as SVG or as text.
//!
//! Nothing here knows a game. [`board`] draws one scene with coordinates and a legend, [`sheet`] a page of cards with small
//! scenes (a catalogue of pieces), [`text`] a scene in letters.

pub mod board;
pub mod font;
pub mod mark;
pub mod piece;
pub mod scene;
pub mod sheet;
pub mod svg;
pub mod text;
