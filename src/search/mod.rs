//! The search, generic over the game.

pub mod params;
