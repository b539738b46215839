//! Matches of engine against engine: openings, players, a referee by our rules, records, and what the score says.
//!
//! [`schedule`] says who plays which game from which [`opening`]; a [`player`] is our own searcher or an [`external`] program;
//! the [`referee`] lets two of them play and writes a [`record`]; [`statistics`] makes sense of the results; [`contest`] runs
//! many games at once and [`journal`] lets a later run go on. Nothing here prints.

pub mod adjudication;
pub mod contest;
pub mod external;
pub mod journal;
pub mod opening;
pub mod own;
pub mod pace;
pub mod pgn;
pub mod player;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standing;
pub mod statistics;
