//! Xiangqi (象棋): 9x10 points, seven kinds of pieces.

mod attacked;
pub mod attacks;
pub mod bitboard;
pub mod checks;
mod cross;
pub mod evaluate;
pub mod exchange;
pub mod mailbox;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod params;
mod picture;
pub mod piece;
pub mod position;
mod quiet_checks;
pub mod repetition;
pub mod rules;
mod sink;
pub mod square;
mod terms;
pub mod trainer;
pub mod tuning;
mod weights;
pub mod zobrist;

pub use moves::Move;
pub use notation::fen;
pub use position::Position;

use crate::game::{
    Game, MoveError, MoveKind, Parsed, PositionError, RulePoint, Rules, Side, TreeVerdict, Verdict,
};
use crate::picture::scene::{Lettering, Scene};
use notation::{Format, Notation};
use rules::{RuleSet, XiangqiRules};

/// The game of xiangqi.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xiangqi;

impl Game for Xiangqi {
    type Position = Position;
    type Move = Move;
    type RuleSet = RuleSet;
    type Notation = Notation;
    type Format = Format;

    const NAME: &'static str = "xiangqi";
    const SIDES: [&'static str; 2] = ["Red", "Black"];
    const BOARD: [usize; 2] = [square::RANKS, square::FILES];
    const CELL_BYTES: usize = 1;

    fn rules(set: RuleSet) -> Rules<RuleSet> {
        set.rules()
    }

    fn rule_points() -> Vec<RulePoint> {
        rules::points()
    }

    fn start(rules: XiangqiRules) -> Position {
        fen::parse(fen::START, rules).expect("the initial position is sound").position
    }

    fn parse_position(text: &str, rules: XiangqiRules) -> Result<Parsed<Position>, PositionError> {
        fen::parse(text, rules)
    }

    fn format_position(position: &Position, format: Format) -> Result<String, String> {
        Ok(notation::format_position(position, format))
    }

    /// 1 to 7: Red's general, advisor, elephant, horse, chariot, cannon, soldier; 8 to 14: Black's.
    fn cells(position: &Position) -> Vec<u16> {
        let cell = |square| position.piece_at(square).map_or(0, |piece| piece.index() as u16 + 1);
        let ranks = (0..square::RANKS).rev();
        ranks
            .flat_map(|rank| (0..square::FILES).map(move |file| square::Square::new(file, rank)))
            .map(cell)
            .collect()
    }

    fn draw(position: &Position) -> String {
        notation::board::draw(position)
    }

    fn scene(position: &Position, chosen: &[Move], lettering: Lettering) -> Scene {
        picture::scene(position, chosen, lettering)
    }

    fn rules_of(position: &Position) -> XiangqiRules {
        position.rules()
    }

    fn side_to_move(position: &Position) -> Side {
        position.side_to_move()
    }

    fn in_check(position: &Position) -> bool {
        position.in_check()
    }

    fn hash(position: &Position) -> u64 {
        position.key()
    }

    #[inline(always)]
    fn likely_hash_after(position: &Position, mv: Move) -> u64 {
        position.key_after(mv)
    }

    fn plies(position: &Position) -> usize {
        position.history().len()
    }

    fn moves_made(position: &Position) -> Vec<Move> {
        position.history().iter().map(|record| record.mv).filter(|&mv| mv != Move::NULL).collect()
    }

    fn generate(position: &Position, kind: MoveKind, moves: &mut Vec<Move>) {
        position.generate(kind, moves);
    }

    fn count(position: &Position) -> u64 {
        position.count_moves()
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
        position.unmake();
    }

    fn judge(position: &Position) -> Verdict {
        repetition::judge(position)
    }

    fn tree_verdict(position: &Position, ply: usize) -> Option<TreeVerdict> {
        repetition::tree_verdict(position, ply)
    }

    fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
        notation::parse_move(position, text)
    }

    fn format_move(position: &Position, mv: Move, notation: Notation) -> String {
        notation::format_move(position, mv, notation)
    }

    fn origin(mv: Move) -> String {
        mv.from().to_string()
    }

    fn square(text: &str) -> Option<String> {
        square::Square::parse(&text.to_ascii_lowercase()).map(|square| square.to_string())
    }
}
