//! The plug between rules and engine: what a game must answer to be searched, counted, analysed and printed.
//!
//! [`Game`] holds the rules, [`Evaluate`] what an engine decides. Positions carry their rule set and their history, so that
//! repetition counts; make and unmake work in place. A method is here only because both games answer it meaningfully.

use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::picture::scene::{Lettering, Scene};
use crate::score::Score;
use crate::search::params::SearchParams;

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Who moves first in the initial position: Red in xiangqi, Black (sente) in taikyoku shogi.
    First = 0,
    /// The other player.
    Second = 1,
}

impl Side {
    /// Both sides, the first player first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// 0 for the first player, 1 for the second.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::ops::Not for Side {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A small closed set of values with names on the command line: rule sets, notations, formats.
pub trait Named: Copy + Eq + Debug + Send + Sync + 'static {
    /// Every value, the default first.
    const ALL: &'static [Self];

    /// The name users type.
    fn name(self) -> &'static str;

    /// One line for `--help`-like listings.
    fn summary(self) -> &'static str;

    /// The value of a name, without regard to case.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name().eq_ignore_ascii_case(name))
    }
}

/// The rules a position is played by: a named rule set and the limits that users may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules<S> {
    /// The named reading of the rules.
    pub set: S,
    /// Draw after so many plies without progress (capture; in taikyoku also promotion); `None`: never.
    pub move_limit_plies: Option<u32>,
    /// A repetition is judged at this occurrence of a position; `None`: never.
    pub repetitions: Option<u32>,
    /// Whether a side without a legal move loses; otherwise it is a draw. Always `true` in xiangqi.
    pub stalemate_loses: bool,
    /// Whether a position in which neither side can win is a draw.
    pub material_draw: bool,
    /// Whether a position may be set up with more pieces of a kind than a set has. Only in xiangqi; plays no part in a game.
    pub any_material: bool,
}

/// Limits that a user chose, whatever the rule set has; outer `None`: as the rule set has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChosenLimits {
    /// [`Rules::move_limit_plies`].
    pub move_limit_plies: Option<Option<u32>>,
    /// [`Rules::repetitions`].
    pub repetitions: Option<Option<u32>>,
}

impl ChosenLimits {
    /// Puts what was chosen in place of what the rule set has.
    pub const fn apply<S>(self, rules: &mut Rules<S>) {
        if let Some(plies) = self.move_limit_plies {
            rules.move_limit_plies = plies;
        }
        if let Some(repetitions) = self.repetitions {
            rules.repetitions = repetitions;
        }
    }
}

/// A question on which the rule sets of a game may differ, with the answer of each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulePoint {
    /// The question, as a heading for people.
    pub question: String,
    /// The answers, in the order of the rule sets.
    pub answers: Vec<String>,
}

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// All legal moves.
    All,
    /// Moves that change material (captures, in taikyoku also promotions).
    Noisy,
    /// All others. `Noisy` and `Quiet` together are `All`, without duplicates.
    Quiet,
}

/// A position read from text.
#[derive(Clone, Debug)]
pub struct Parsed<P> {
    /// The position, ready to play.
    pub position: P,
    /// What is odd but playable.
    pub warnings: Vec<String>,
}

/// Why a text is no playable position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct PositionError {
    /// Where in the text, in characters from 1.
    pub column: usize,
    /// What is wrong, the bad text, and the remedy.
    pub message: String,
}

/// Why a text is no legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move '{text}': {message}")]
pub struct MoveError {
    /// The text as given.
    pub text: String,
    /// What is wrong and the remedy.
    pub message: String,
}

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The first player wins.
    First,
    /// The second player wins.
    Second,
    /// Nobody wins.
    Draw,
    /// The game goes on.
    None,
}

impl GameResult {
    /// The result in which `side` wins.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// One side checked with every move of a repeated cycle.
    PerpetualCheck,
    /// One side chased with every move of a repeated cycle.
    PerpetualChase,
    /// A position was repeated and nobody, or everybody, is to blame.
    Repetition,
    /// Too many plies without progress.
    MoveLimit,
    /// Neither side can win with what is left.
    Material,
    /// The last royal of a side fell.
    Royals,
}

/// How a game stands by the rules, with reasons for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// Who wins.
    pub result: GameResult,
    /// The rule that decides; `None` while the game goes on.
    pub rule: Option<Rule>,
    /// Who broke the rule, if anybody did.
    pub offender: Option<Side>,
    /// The plies of the repeated cycle, counted from 1 from the start of the move list.
    pub cycle: Vec<usize>,
    /// The moves of the cycle in the game's native notation.
    pub cycle_moves: Vec<String>,
    /// The pieces that matter: the checked general, the chased piece, its chasers.
    pub pieces: Vec<String>,
    /// The reason in a sentence or two.
    pub explanation: String,
}

/// A decision inside the search tree, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeVerdict {
    /// A draw by repetition, move limit or material.
    Draw,
    /// The side to move wins because the other side broke a repetition rule.
    RuleWin,
    /// The side to move loses because it broke a repetition rule.
    RuleLoss,
    /// The side to move has lost outright (its last royal was taken).
    Lost,
    /// The side to move has won outright (the mover removed its own last royal).
    Won,
}

/// The rules of a game. A stateless type: all state is in [`Game::Position`].
pub trait Game: Copy + Default + Send + Sync + 'static {
    /// Board, side to move, counters, rule set and history.
    type Position: Clone + Send + Sync + Debug;
    /// A move; its order is the order of the generator's encoding, not of its text.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// The named readings of the rules.
    type RuleSet: Named;
    /// The ways to write a move. The first is the native one.
    type Notation: Named;
    /// The ways to write a position. The first is the native one.
    type Format: Named;

    /// The name on the command line: `xiangqi`, `taikyoku`.
    const NAME: &'static str;
    /// The players' names: `Red`, `Black`.
    const SIDES: [&'static str; 2];

    /// The usual limits of a rule set.
    fn rules(set: Self::RuleSet) -> Rules<Self::RuleSet>;

    /// What the rule sets decide beside their limits, for `rules`: every point on which they differ.
    fn rule_points() -> Vec<RulePoint> {
        Vec::new()
    }

    /// The initial position.
    fn start(rules: Rules<Self::RuleSet>) -> Self::Position;

    /// Reads a position in any format of the game.
    ///
    /// # Errors
    /// A text that is no position, or a position that cannot be played: with the column, the bad text and the remedy.
    fn parse_position(
        text: &str,
        rules: Rules<Self::RuleSet>,
    ) -> Result<Parsed<Self::Position>, PositionError>;

    /// Writes a position.
    ///
    /// # Errors
    /// The reason, where the format cannot say what the position holds.
    fn format_position(position: &Self::Position, format: Self::Format) -> Result<String, String>;

    /// Rows and columns of the board.
    const BOARD: [usize; 2];

    /// Bytes that the number of a square's content needs.
    const CELL_BYTES: usize;

    /// The board as numbers, one a square, in the order of the native text: row by row from the second player's side, the
    /// empty square as 0. `docs/data-format.md` lists the numbers.
    fn cells(position: &Self::Position) -> Vec<u16>;

    /// The board for people: a text drawing.
    fn draw(position: &Self::Position) -> String;

    /// The board for people: what a picture shows, with marks where the `chosen` moves lead, which all start from one square.
    fn scene(position: &Self::Position, chosen: &[Self::Move], lettering: Lettering) -> Scene;

    /// The rules that the position is played by.
    fn rules_of(position: &Self::Position) -> Rules<Self::RuleSet>;

    /// Whose turn it is.
    fn side_to_move(position: &Self::Position) -> Side;

    /// Whether the side to move is in check (in a game without check: whether its last royal could be taken).
    fn in_check(position: &Self::Position) -> bool;

    /// The Zobrist key of board, side to move and whatever else decides which moves are legal.
    fn hash(position: &Self::Position) -> u64;

    /// The hash after a legal move, as far as it can be told cheaply: right for most moves. It tells what memory will be needed.
    fn likely_hash_after(position: &Self::Position, mv: Self::Move) -> u64;

    /// Plies made since the position was set up.
    fn plies(position: &Self::Position) -> usize;

    /// The moves made since the position was set up, oldest first. Null moves are left out.
    fn moves_made(position: &Self::Position) -> Vec<Self::Move>;

    /// Appends the legal moves of a kind to `moves`. Outcomes by repetition, move limit and material do not end generation.
    fn generate(position: &Self::Position, kind: MoveKind, moves: &mut Vec<Self::Move>);

    /// The number of legal moves, without listing them where the game can.
    fn count(position: &Self::Position) -> u64 {
        let mut moves = Vec::new();
        Self::generate(position, MoveKind::All, &mut moves);
        moves.len() as u64
    }

    /// The number of answers to all moves of a list of legal moves together; the position is the same again at the end.
    fn count_below(position: &mut Self::Position, moves: &[Self::Move]) -> u64 {
        let mut nodes = 0;
        for &mv in moves {
            Self::make(position, mv);
            nodes += Self::count(position);
            Self::unmake(position);
        }
        nodes
    }

    /// Plays random legal moves until so many plies are made or there is no legal move, and returns the plies made. `below`
    /// chooses a number below its argument, the number of legal moves: in a position each number stands for one move, in an
    /// order of the game's choice. Outcomes by repetition, move limit and material do not end it.
    fn play_at_random(
        position: &mut Self::Position,
        plies: usize,
        below: impl FnMut(usize) -> usize,
    ) -> usize {
        play_from_lists::<Self>(position, plies, below)
    }

    /// Plays a legal move.
    fn make(position: &mut Self::Position, mv: Self::Move);

    /// Takes the last move back.
    ///
    /// # Panics
    /// If no move was made.
    fn unmake(position: &mut Self::Position);

    /// Passes the turn without a move, for null-move pruning; counters stay as they are.
    fn make_null(position: &mut Self::Position);

    /// Takes back [`Game::make_null`].
    fn unmake_null(position: &mut Self::Position);

    /// How the game stands by all rules, with reasons. Slow: lists moves and replays cycles.
    fn judge(position: &Self::Position) -> Verdict;

    /// What the rules say of a node `ply` plies below the root, without move generation: repetition, limits, royals.
    ///
    /// A position repeated inside the tree may be judged at its second occurrence.
    fn tree_verdict(position: &Self::Position, ply: usize) -> Option<TreeVerdict>;

    /// Reads a move in any notation of the game and checks that it is legal.
    ///
    /// # Errors
    /// A text that is no move, is ambiguous, or is a move that is not legal: with the reason.
    fn parse_move(position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;

    /// Writes a legal move of the position.
    fn format_move(position: &Self::Position, mv: Self::Move, notation: Self::Notation) -> String;

    /// Whether a legal move is known to be refused by other programs that claim to follow the same rules, so that an engine
    /// that plays through them had better choose another.
    fn is_disputed(_position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// The square a move starts from, as text, for `moves --from`.
    fn origin(mv: Self::Move) -> String;

    /// The square of a text as [`Game::origin`] writes it; `None` if there is no such square.
    fn square(text: &str) -> Option<String>;
}

/// Appends those legal moves of a kind that are wanted.
fn generate_some<G: Game>(
    position: &G::Position,
    kind: MoveKind,
    moves: &mut Vec<G::Move>,
    is_wanted: impl Fn(G::Move) -> bool,
) {
    let before = moves.len();
    G::generate(position, kind, moves);
    let mut place = 0;
    moves.retain(|&mv| {
        place += 1;
        place <= before || is_wanted(mv)
    });
}

/// [`Game::play_at_random`] by listing the moves of every position.
pub(crate) fn play_from_lists<G: Game>(
    position: &mut G::Position,
    plies: usize,
    mut below: impl FnMut(usize) -> usize,
) -> usize {
    let mut moves = Vec::new();
    for made in 0..plies {
        moves.clear();
        G::generate(position, MoveKind::All, &mut moves);
        if moves.is_empty() {
            return made;
        }
        G::make(position, moves[below(moves.len())]);
    }
    plies
}

/// One line of an explained evaluation, in centipawns from the first player's view.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// What the first player's pieces bring.
    pub first: i32,
    /// What the second player's pieces bring.
    pub second: i32,
}

/// What an engine decides about a game, beside the rules.
pub trait Evaluate: Game {
    /// All numbers of search and evaluation.
    type Params: Clone + Default + Send + Sync + Serialize + DeserializeOwned;

    /// Kinds of pieces, for history tables: [`Evaluate::moved_piece`] is below this.
    const PIECES: usize;
    /// Squares of the board, for history tables: [`Evaluate::target`] is below this.
    const SQUARES: usize;

    /// The numbers of the search.
    fn search_params(params: &Self::Params) -> &SearchParams;

    /// Readies a position for many evaluations by these parameters, such as by sums that [`Game::make`] then keeps up to
    /// date. Evaluation gives the same result without it, perhaps more slowly.
    fn prepare(_position: &mut Self::Position, _params: &Self::Params) {}

    /// What a search carries from move to move instead of counting it anew for every evaluation.
    type Tally: Copy + Send;

    /// The tally of a position, counted anew.
    fn tally(position: &Self::Position, params: &Self::Params) -> Self::Tally;

    /// The tally after a legal move, from that of the position before it. Passing changes none.
    fn tally_after(
        position: &Self::Position,
        params: &Self::Params,
        tally: Self::Tally,
        mv: Self::Move,
    ) -> Self::Tally;

    /// Static evaluation from the view of the side to move, by the tally of the position.
    fn evaluate_tallied(
        position: &Self::Position,
        params: &Self::Params,
        tally: Self::Tally,
    ) -> Score;

    /// Static evaluation from the view of the side to move.
    fn evaluate(position: &Self::Position, params: &Self::Params) -> Score {
        Self::evaluate_tallied(position, params, Self::tally(position, params))
    }

    /// The evaluation for the side to move after the other passed, if it was `before` for that side, uncut: what the pieces
    /// are worth does not depend on the turn.
    fn evaluation_after_pass(params: &Self::Params, before: Score) -> Score;

    /// The terms of [`Evaluate::evaluate`] one by one.
    fn explain(position: &Self::Position, params: &Self::Params) -> Vec<Term>;

    /// Whether the material balance after the move and the best exchanges on its target is at least `threshold` centipawns.
    fn exchange_at_least(
        position: &Self::Position,
        params: &Self::Params,
        mv: Self::Move,
        threshold: i32,
    ) -> bool {
        let gain = Self::gain(position, params, mv);
        let mut found = Self::Exchanges::default();
        Self::exchange_after_gain(position, params, &mut found, mv, gain, threshold)
    }

    /// What exchanges find out that others, in the same position or not, may use again.
    type Exchanges: Default + Send;

    /// [`Evaluate::exchange_at_least`] where the [`Evaluate::gain`] of the move is known. What is `found` out never changes a
    /// result.
    fn exchange_after_gain(
        position: &Self::Position,
        params: &Self::Params,
        found: &mut Self::Exchanges,
        mv: Self::Move,
        gain: i32,
        threshold: i32,
    ) -> bool;

    /// Centipawns that the move takes or gains by itself, before any answer; 0 for a quiet move.
    fn gain(position: &Self::Position, params: &Self::Params, mv: Self::Move) -> i32;

    /// Appends the [`Evaluate::gain`] of each of a list of moves.
    fn gains(
        position: &Self::Position,
        params: &Self::Params,
        moves: &[Self::Move],
        gains: &mut Vec<i32>,
    ) {
        gains.extend(moves.iter().map(|&mv| Self::gain(position, params, mv)));
    }

    /// Whether the side to move has a capture that ends the game: what the other side left open is then not searched. Always
    /// `false` where no legal move leaves such a capture open.
    fn wins_at_once(_position: &Self::Position) -> bool {
        false
    }

    /// What speaks for a quiet move before any record of it exists, in units of the history tables (which end at 16,384).
    fn promise(_position: &Self::Position, _params: &Self::Params, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether the move is generated as [`MoveKind::Noisy`].
    fn is_noisy(position: &Self::Position, mv: Self::Move) -> bool;

    /// Appends the noisy moves that end on a square ([`Evaluate::target`]), in the order of [`Game::generate`].
    fn generate_noisy_to(position: &Self::Position, target: usize, moves: &mut Vec<Self::Move>) {
        generate_some::<Self>(position, MoveKind::Noisy, moves, |mv| Self::target(mv) == target);
    }

    /// Whether a move can give check in this game.
    const HAS_CHECKS: bool;

    /// What tells quickly which moves of a position give check.
    type Checks;

    /// Finds out what [`Evaluate::gives_check`] needs: once for all moves of a legal position.
    fn checks(position: &Self::Position) -> Self::Checks;

    /// Whether a legal move gives check (always `false` where the game has none).
    fn gives_check(position: &Self::Position, checks: &Self::Checks, mv: Self::Move) -> bool;

    /// Appends the legal quiet moves that give check.
    fn generate_quiet_checks(
        position: &Self::Position,
        checks: &Self::Checks,
        moves: &mut Vec<Self::Move>,
    ) {
        let checks = |mv| Self::gives_check(position, checks, mv);
        generate_some::<Self>(position, MoveKind::Quiet, moves, checks);
    }

    /// Whether passing would be a sane lower bound: the side to move has pieces that can use a free move.
    fn null_move_is_sane(position: &Self::Position) -> bool;

    /// The kind of the moving piece (with its side), below [`Evaluate::PIECES`].
    fn moved_piece(position: &Self::Position, mv: Self::Move) -> usize;

    /// The kind of the captured piece (0: none), below [`Evaluate::PIECES`].
    fn captured_piece(position: &Self::Position, mv: Self::Move) -> usize;

    /// The square where the move starts, below [`Evaluate::SQUARES`].
    fn source(mv: Self::Move) -> usize;

    /// The square where the move ends, below [`Evaluate::SQUARES`].
    fn target(mv: Self::Move) -> usize;

    /// The move as a non-zero number of at most 32 bits, for tables.
    fn encode(mv: Self::Move) -> u32;

    /// The inverse of [`Evaluate::encode`]: `None` if the number is no legal move here (another position's, torn or zero).
    fn decode(position: &Self::Position, code: u32) -> Option<Self::Move>;

    /// [`Evaluate::decode`] where the side to move is known not to be in check.
    fn decode_out_of_check(position: &Self::Position, code: u32) -> Option<Self::Move> {
        Self::decode(position, code)
    }
}
