//! Taikyoku shogi: 36x36 squares, 402 pieces a side, 301 kinds, every rule from one table.
//!
//! | file | idea |
//! |---|---|
//! | `catalog`, `moveset`, `royals` | the tables, their grammar, the few names that the rules know |
//! | `ruleset`, `questions` | the readings of the rules, and every open question with its answers |
//! | `compile` | move sets of a rule set turned into bitboard lanes and programs |
//! | `square`, `piece`, `lines`, `board`, `zobrist`, `position` | the board and its incremental state |
//! | `movegen`, `rays`, `special`, `near`, `hook`, `sink`, `attack` | legal moves and attack queries |
//! | `leaves` | the last two plies of perft |
//! | `reference` | the slow twin of the generator |
//! | `verdict` | how a game stands |
//! | `params`, `values`, `evaluate`, `exchange` | what the engine thinks of pieces, positions and exchanges |
//! | `tuning` | the weights opened for fitting |
//! | `notation`, `draw` | text |
//! | `picture`, `ways`, `diagram` | what pictures of positions and kinds show |
//! | `profile`, `words`, `lookup` | all that is known of a kind, and finding it by name |

pub mod catalog;
pub mod evaluate;
pub mod lookup;
pub mod moveset;
pub mod notation;
pub mod params;
pub mod piece;
pub mod position;
pub mod profile;
pub mod questions;
pub mod reference;
pub mod ruleset;
pub mod square;

mod attack;
mod board;
mod compile;
mod diagram;
mod dispute;
mod draw;
mod exchange;
mod hook;
mod lines;
mod mobility;
mod movegen;
mod near;
mod picture;
mod rays;
mod royals;
mod sink;
mod special;
pub mod tuning;
mod values;
mod verdict;
mod ways;
mod words;
mod zobrist;

pub use catalog::{Kind, KindInfo, TableError, catalog};
pub use compile::Table;
pub use notation::{Format, Notation, parse_square};
pub use piece::{Move, Piece};
pub use position::Position;
pub use questions::{Question, questions};
pub use ruleset::RuleSet;
pub use square::Square;

use crate::game::{
    Game, MoveError, MoveKind, Parsed, PositionError, RulePoint, Rules, Side, TreeVerdict, Verdict,
};
use crate::picture::scene::{Lettering, Scene};

/// The rules of taikyoku shogi.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taikyoku;

impl Game for Taikyoku {
    type Position = Position;
    type Move = Move;
    type RuleSet = RuleSet;
    type Notation = Notation;
    type Format = Format;

    const NAME: &'static str = "taikyoku";
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const BOARD: [usize; 2] = [square::SIZE, square::SIZE];
    const CELL_BYTES: usize = 2;

    fn rules(set: RuleSet) -> Rules<RuleSet> {
        set.rules()
    }

    fn rule_points() -> Vec<RulePoint> {
        questions::questions().iter().map(questions::Question::point).collect()
    }

    fn start(rules: Rules<RuleSet>) -> Position {
        Position::initial(rules)
    }

    fn parse_position(
        text: &str,
        rules: Rules<RuleSet>,
    ) -> Result<Parsed<Position>, PositionError> {
        notation::parse_position(text, rules)
    }

    fn format_position(position: &Position, format: Format) -> Result<String, String> {
        notation::format_position(position, format)
    }

    /// Bits 0 to 8: the kind by its line in the table of pieces, from 1; bit 9: it has promoted; bit 10: it is the second
    /// player's.
    fn cells(position: &Position) -> Vec<u16> {
        Square::all()
            .map(|square| position.piece_at(square).map_or(0, |piece| piece.code() as u16))
            .collect()
    }

    fn draw(position: &Position) -> String {
        draw::draw(position)
    }

    fn scene(position: &Position, chosen: &[Move], lettering: Lettering) -> Scene {
        picture::scene(position, chosen, lettering)
    }

    fn rules_of(position: &Position) -> Rules<RuleSet> {
        position.rules()
    }

    #[inline]
    fn side_to_move(position: &Position) -> Side {
        position.side_to_move()
    }

    /// Whether the one royal that the side to move has left could be captured next. With two royals nobody is in check.
    ///
    /// Costs an attack query, a fraction of move generation.
    fn in_check(position: &Position) -> bool {
        attack::in_check(position)
    }

    fn is_disputed(position: &Position, mv: Move) -> bool {
        dispute::is_disputed(position, mv)
    }

    #[inline]
    fn hash(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn likely_hash_after(position: &Position, mv: Move) -> u64 {
        position.likely_key_after(mv)
    }

    fn plies(position: &Position) -> usize {
        position.plies()
    }

    fn moves_made(position: &Position) -> Vec<Move> {
        position.moves_made()
    }

    fn generate(position: &Position, kind: MoveKind, moves: &mut Vec<Move>) {
        movegen::generate(position, kind, moves);
    }

    fn count(position: &Position) -> u64 {
        movegen::count(position)
    }

    fn count_below(position: &mut Position, moves: &[Move]) -> u64 {
        mobility::count_below(position, moves)
    }

    fn play_at_random(
        position: &mut Position,
        plies: usize,
        below: impl FnMut(usize) -> usize,
    ) -> usize {
        mobility::play_at_random(position, plies, below)
    }

    fn make(position: &mut Position, mv: Move) {
        position.make(mv);
    }

    fn unmake(position: &mut Position) {
        position.unmake();
    }

    fn make_null(position: &mut Position) {
        position.make_null();
    }

    fn unmake_null(position: &mut Position) {
        position.unmake_null();
    }

    fn judge(position: &Position) -> Verdict {
        verdict::judge(position)
    }

    fn tree_verdict(position: &Position, ply: usize) -> Option<TreeVerdict> {
        verdict::tree_verdict(position, ply)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
        notation::moves::parse(position, text)
    }

    fn format_move(_: &Position, mv: Move, notation: Notation) -> String {
        notation::moves::write(mv, notation)
    }

    fn origin(mv: Move) -> String {
        mv.from().name()
    }

    fn square(text: &str) -> Option<String> {
        parse_square(text).ok().map(Square::name)
    }
}
