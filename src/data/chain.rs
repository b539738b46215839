//! A game as a chain: where it starts, then a move and its score for each ply, and how it ended.

use crate::game::{GameResult, Rule};
use crate::score::Score;

use super::block::GameRecord;

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The number of the game in the run that made it: with the header's seed, its identity.
    pub number: u64,
    /// Where it starts, in the game's native text; `None`: in the initial position.
    pub start: Option<String>,
    /// Plies played before the start, where they are known.
    pub first_ply: u32,
    /// The moves with their scores.
    pub plies: Vec<Ply>,
    /// Who won. Never [`GameResult::None`].
    pub result: GameResult,
    /// Why it ended.
    pub end: EndReason,
}

/// A move, and what the search said of the position before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move that was played, as [`crate::game::Evaluate::encode`] numbers it.
    pub code: u32,
    /// The score of the best move, for the side to move; `None` if nothing was searched.
    pub score: Option<Score>,
    /// What else is known.
    pub flags: PlyFlags,
    /// The best move, where another one was played: exactly with [`PlyFlags::SAMPLED`].
    pub best: Option<u32>,
}

impl Ply {
    /// Whether this is a position to learn from: it has a score, and no tool has marked it as left out.
    pub fn is_used(&self) -> bool {
        self.score.is_some() && !self.flags.intersects(PlyFlags::MARKS)
    }
}

/// Facts about a ply, as bits of a byte, and the marks that tools leave, as bits of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlyFlags(u16);

impl PlyFlags {
    /// All flags by the names of exports, marks last.
    pub const NAMES: [(&'static str, Self); 10] = [
        ("random", Self::RANDOM),
        ("sampled", Self::SAMPLED),
        ("teacher", Self::TEACHER),
        ("in_check", Self::IN_CHECK),
        ("noisy", Self::NOISY),
        ("lower", Self::LOWER),
        ("upper", Self::UPPER),
        ("rescored", Self::RESCORED),
        ("excluded", Self::EXCLUDED),
        ("duplicate", Self::DUPLICATE),
    ];

    /// The move belongs to the opening (random, or from a file): no search chose it.
    pub const RANDOM: Self = Self(1);
    /// A searched move that is not the best one was drawn, for variety; [`Ply::best`] has the best one.
    pub const SAMPLED: Self = Self(2);
    /// The score is the teacher's, from a larger search.
    pub const TEACHER: Self = Self(4);
    /// The side to move is in check.
    pub const IN_CHECK: Self = Self(8);
    /// The best move (if nothing was searched: the move played) changes material.
    pub const NOISY: Self = Self(16);
    /// The true score is at least the one stored.
    pub const LOWER: Self = Self(32);
    /// The true score is at most the one stored.
    pub const UPPER: Self = Self(64);
    /// The score comes from a later search than that of the game.
    pub const RESCORED: Self = Self(128);
    /// A filter or a sample leaves the position out. It stays in its place, so that the moves stay a chain.
    pub const EXCLUDED: Self = Self(1 << 8);
    /// The same position stands elsewhere in the file, without this mark.
    pub const DUPLICATE: Self = Self(2 << 8);
    /// All marks of tools. Exports and training skip marked positions.
    pub const MARKS: Self = Self(3 << 8);

    /// The byte of facts in the file.
    pub const fn bits(self) -> u8 {
        self.0 as u8
    }

    /// The flags of a byte of facts; every byte has a meaning.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits as u16)
    }

    /// The byte of marks in the file.
    pub const fn marks(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The flags of a byte of facts and a byte of marks; `None` for an unknown mark.
    pub const fn from_bytes(bits: u8, marks: u8) -> Option<Self> {
        let flags = Self((marks as u16) << 8 | bits as u16);
        if marks & !Self::MARKS.marks() == 0 { Some(flags) } else { None }
    }

    /// Whether all of `other` is set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// These flags and `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These flags without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl std::ops::BitOr for PlyFlags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

/// Why a game ended. The numbers are those of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum EndReason {
    /// Checkmate.
    Checkmate = 1,
    /// No legal move, and no check.
    Stalemate = 2,
    /// One side checked for ever.
    PerpetualCheck = 3,
    /// One side chased for ever.
    PerpetualChase = 4,
    /// A position was repeated and nobody, or everybody, is to blame.
    Repetition = 5,
    /// Too many plies without progress.
    MoveLimit = 6,
    /// Neither side can win with what is left.
    Material = 7,
    /// The last royal of a side fell.
    Royals = 8,
    /// A win given by the scores of both sides.
    AdjudicatedWin = 9,
    /// A draw given by the scores of both sides.
    AdjudicatedDraw = 10,
    /// A win given by the static evaluation: a lead that lasted.
    AdjudicatedLead = 11,
    /// The longest length that the run allows: a draw.
    LengthLimit = 12,
}

impl EndReason {
    /// All reasons, by number.
    pub const ALL: [Self; 12] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::PerpetualCheck,
        Self::PerpetualChase,
        Self::Repetition,
        Self::MoveLimit,
        Self::Material,
        Self::Royals,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::AdjudicatedLead,
        Self::LengthLimit,
    ];

    /// The number in the file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The reason of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).wrapping_sub(1)).copied()
    }

    /// The name in texts and exports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::PerpetualCheck => "perpetual_check",
            Self::PerpetualChase => "perpetual_chase",
            Self::Repetition => "repetition",
            Self::MoveLimit => "move_limit",
            Self::Material => "material",
            Self::Royals => "royals",
            Self::AdjudicatedWin => "adjudicated_win",
            Self::AdjudicatedDraw => "adjudicated_draw",
            Self::AdjudicatedLead => "adjudicated_lead",
            Self::LengthLimit => "length_limit",
        }
    }
}

impl From<Rule> for EndReason {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Checkmate => Self::Checkmate,
            Rule::Stalemate => Self::Stalemate,
            Rule::PerpetualCheck => Self::PerpetualCheck,
            Rule::PerpetualChase => Self::PerpetualChase,
            Rule::Repetition => Self::Repetition,
            Rule::MoveLimit => Self::MoveLimit,
            Rule::Material => Self::Material,
            Rule::Royals => Self::Royals,
        }
    }
}

/// The number of a result in the file: points of the first player, in halves. `None` for a game without a result.
pub(super) const fn result_number(result: GameResult) -> Option<u8> {
    match result {
        GameResult::Second => Some(0),
        GameResult::Draw => Some(1),
        GameResult::First => Some(2),
        GameResult::None => None,
    }
}

/// The inverse of [`result_number`].
pub(super) const fn result_of(number: u8) -> Option<GameResult> {
    match number {
        0 => Some(GameResult::Second),
        1 => Some(GameResult::Draw),
        2 => Some(GameResult::First),
        _ => None,
    }
}

/// A score in the file: [`Score::get`], and this where there is none.
const NO_SCORE: i16 = i16::MIN;

/// The score of a number in the file; `Err` for a number that no score has.
pub(super) fn score_of(number: i16) -> Result<Option<Score>, ()> {
    match number.unsigned_abs() {
        0..=24_999 | 25_000..=28_000 | 29_000..=32_000 => {
            Ok(Some(Score::from_raw(i32::from(number))))
        }
        _ if number == NO_SCORE => Ok(None),
        _ => Err(()),
    }
}

/// The inverse of [`score_of`].
pub(super) fn score_number(score: Option<Score>) -> i16 {
    score.map_or(NO_SCORE, |score| score.get() as i16)
}

/// A game inside a decoded block, read in place.
#[derive(Clone, Copy, Debug)]
pub struct ChainView<'a> {
    pub(super) record: &'a GameRecord,
    pub(super) start: Option<&'a str>,
    pub(super) codes_low: &'a [u16],
    pub(super) codes_high: &'a [u16],
    pub(super) scores: &'a [i16],
    pub(super) flags: &'a [u8],
    pub(super) marks: &'a [u8],
    pub(super) best: &'a [u32],
}

impl<'a> ChainView<'a> {
    /// See [`Chain::number`].
    pub fn number(&self) -> u64 {
        self.record.number
    }

    /// See [`Chain::start`].
    pub fn start(&self) -> Option<&'a str> {
        self.start
    }

    /// See [`Chain::first_ply`].
    pub fn first_ply(&self) -> u32 {
        self.record.first_ply
    }

    /// See [`Chain::result`].
    pub fn result(&self) -> GameResult {
        result_of(self.record.result).expect("checked when the block was decoded")
    }

    /// See [`Chain::end`].
    pub fn end(&self) -> EndReason {
        EndReason::from_number(self.record.end).expect("checked when the block was decoded")
    }

    /// The number of plies.
    pub fn len(&self) -> usize {
        self.flags.len()
    }

    /// Whether no move was played.
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// The plies, in order.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + use<'a> {
        let Self { codes_low, codes_high, scores, flags, marks, .. } = *self;
        let mut best = self.best.iter().copied();
        (0..flags.len()).map(move |index| {
            let flags = PlyFlags::from_bytes(flags[index], marks[index])
                .expect("checked when the block was decoded");
            Ply {
                code: u32::from(codes_low[index]) | u32::from(codes_high[index]) << 16,
                score: score_of(scores[index]).expect("checked when the block was decoded"),
                flags,
                best: flags.contains(PlyFlags::SAMPLED).then(|| best.next()).flatten(),
            }
        })
    }

    /// The game by itself.
    pub fn to_chain(&self) -> Chain {
        Chain {
            number: self.number(),
            start: self.start.map(str::to_owned),
            first_ply: self.first_ply(),
            plies: self.plies().collect(),
            result: self.result(),
            end: self.end(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_reasons_keep_their_numbers() {
        for (number, reason) in (1..).zip(EndReason::ALL) {
            assert_eq!(reason.number(), number);
            assert_eq!(EndReason::from_number(number), Some(reason));
        }
        assert_eq!(EndReason::from_number(0), None);
        assert_eq!(EndReason::from_number(13), None);
    }

    #[test]
    fn scores_keep_their_kind() {
        let mates = [Score::mate_in(1), Score::mated_in(0), Score::mated_in(999)];
        let rules = [Score::rule_win_in(3), Score::rule_loss_in(1000)];
        let others = [Score::ZERO, Score::centipawns(40_000), Score::centipawns(-40_000)];
        for score in mates.into_iter().chain(rules).chain(others) {
            assert_eq!(score_of(score_number(Some(score))), Ok(Some(score)));
        }
        assert_eq!(score_of(score_number(None)), Ok(None));
        for bad in [28_001, 28_999, 32_001, i16::MAX, -28_500, -32_767] {
            assert_eq!(score_of(bad), Err(()));
        }
    }
}
