//! Threats: captures that a side could make next and that win something by the rules of repetition.
//!
//! A capture is a threat if
//!
//! 1. the target may be chased: no general, and no soldier that has not crossed the river;
//! 2. the capture is *sound*: it exposes the own general to no attacker that did not already give check (so a pinned piece
//!    threatens only what lies on its pin);
//! 3. it wins something:
//!    - the target is worth more ([`Gain::Stronger`]), whether protected or not; or
//!    - no sound recapture exists ([`Gain::Unprotected`]). A recapture is tried on the board: protectors that are pinned, that
//!      lose their screen with the capture, that leave a check by discovery, or generals that would step into an attack or face
//!      the other general, protect on paper only ("false roots"). A piece of the same kind that could soundly capture the
//!      attacker instead is offered an exchange, not threatened.
//!
//! Attacks that already give check are ignored when soundness is judged: whether a check must be answered first is not the
//! question that the rules of repetition ask.

// CITE: Asian rules, details and diagrams, http://www.wxf.org/xq/rule/asia/ (true and false roots, exchanges, pins)
// CITE: Fairy-Stockfish and Pikafish, chase detection, https://github.com/fairy-stockfish/Fairy-Stockfish
// https://github.com/official-pikafish/Pikafish (idea: try captures and recaptures against pins)

use super::super::attacks::{ADVISOR_FROM, ELEPHANT, GENERAL_FROM, HORSE_FROM, horse_leg};
use super::super::bitboard::Bitboard;
use super::super::moves::Move;
use super::super::piece::{Kind, Piece};
use super::super::position::Position;
use super::super::square::Square;
use crate::game::Side;

/// A capture that wins something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threat {
    /// Where the threatened piece stands.
    pub target: Square,
    /// Where the threatening piece stands.
    pub attacker: Square,
    /// What the capture would win.
    pub gain: Gain,
}

/// Why a capture wins something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Gain {
    /// The target cannot soundly be avenged.
    Unprotected,
    /// The target is worth more than the attacker: protection does not help.
    Stronger,
}

/// Which pieces may be the attackers of a threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attackers {
    /// All but generals and soldiers, which may chase for ever.
    Restrained,
    /// Every piece.
    All,
}

/// The threats of a side as the board stands, whoever is to move.
pub fn threats(position: &Position, by: Side) -> Vec<Threat> {
    let mut board = position.clone();
    let mut found = Vec::new();
    collect(&mut board, by, Attackers::Restrained, position.side(!by), |threat| found.push(threat));
    found
}

/// Hands the threats of a side against pieces on `targets` to `take`. The board is unchanged at the end.
pub(super) fn collect(
    board: &mut Position,
    by: Side,
    attackers: Attackers,
    targets: Bitboard,
    mut take: impl FnMut(Threat),
) {
    let targets = targets & chaseable(board, !by);
    if targets.is_empty() {
        return;
    }
    let mut candidates = board.side(by) & !Bitboard::of(board.general(by));
    if attackers == Attackers::All {
        candidates = board.side(by);
    } else {
        candidates &= !board.pieces(by, Kind::Soldier);
    }
    for attacker in candidates {
        let Some(piece) = board.piece_at(attacker) else { continue };
        for target in board.targets(attacker, piece) & targets {
            if let Some(gain) = gain(board, attacker, target) {
                take(Threat { target, attacker, gain });
            }
        }
    }
}

/// What the piece on `attacker` would win by capturing on `target`, if it attacks it and the capture is a threat.
pub(super) fn gain(board: &mut Position, attacker: Square, target: Square) -> Option<Gain> {
    let piece = board.piece_at(attacker)?;
    let victim = board.piece_at(target)?;
    let by = piece.side();
    if victim.side() == by
        || !chaseable(board, !by).has(target)
        || !board.targets(attacker, piece).has(target)
    {
        return None;
    }
    let capture = Move::new(attacker, target);
    with_turn(board, by, |board| {
        let checks = board.attackers(board.general(!by), by);
        let own_checks = board.attackers(board.general(by), !by);
        board.make(capture);
        let sound = exposed(board, by, piece.kind(), own_checks).is_empty();
        let stronger = is_stronger(piece.kind(), victim.kind());
        let avenged = sound && !stronger && has_recapture(board, target, checks);
        board.unmake();
        if !sound || avenged {
            None
        } else if stronger {
            Some(Gain::Stronger)
        } else {
            Some(Gain::Unprotected)
        }
    })
    .filter(|_| piece.kind() != victim.kind() || !is_sound_capture(board, victim, target, attacker))
}

/// Whether the piece on `attacker` attacks the one on `target` and could soundly capture it, be it protected or not.
pub(super) fn attacks_soundly(board: &mut Position, attacker: Square, target: Square) -> bool {
    match board.piece_at(attacker) {
        Some(piece) => is_sound_capture(board, piece, attacker, target),
        None => false,
    }
}

/// Whether something protects the target of a threat on paper: a piece attacks its point once it is captured, or it is itself of
/// the attacker's kind and attacks the attacker.
pub(super) fn has_false_root(board: &mut Position, threat: Threat) -> bool {
    let (Some(piece), Some(victim)) =
        (board.piece_at(threat.attacker), board.piece_at(threat.target))
    else {
        return false;
    };
    if piece.kind() == victim.kind() && board.targets(threat.target, victim).has(threat.attacker) {
        return true;
    }
    with_turn(board, piece.side(), |board| {
        board.make(Move::new(threat.attacker, threat.target));
        let rooted = !recapturers(board, threat.target, victim.side()).is_empty();
        board.unmake();
        rooted
    })
}

/// Whether the chariot on a point shields its general from a horse of the other side: "pinned by a horse".
pub(super) fn is_pinned_by_horse(board: &Position, chariot: Square) -> bool {
    let Some(piece) = board.piece_at(chariot) else { return false };
    let general = board.general(piece.side());
    piece.kind() == Kind::Chariot
        && (HORSE_FROM[general.index()][0] & board.pieces(!piece.side(), Kind::Horse))
            .any(|horse| horse_leg(horse, general) == chariot)
}

/// The pieces of a side that may be chased at all.
fn chaseable(board: &Position, side: Side) -> Bitboard {
    let mut pieces = board.side(side) & !Bitboard::of(board.general(side));
    for soldier in board.pieces(side, Kind::Soldier) {
        if soldier.is_home(side) {
            pieces = pieces.without(soldier);
        }
    }
    pieces
}

/// Whether a target is worth so much more than the attacker that protection does not matter.
fn is_stronger(attacker: Kind, target: Kind) -> bool {
    match attacker {
        Kind::Horse | Kind::Cannon => target == Kind::Chariot,
        Kind::Advisor | Kind::Elephant => {
            matches!(target, Kind::Chariot | Kind::Horse | Kind::Cannon)
        }
        Kind::General | Kind::Chariot | Kind::Soldier => false,
    }
}

/// Whether the side to move can soundly take back on a point. `checks` gave check before the capture there.
fn has_recapture(board: &mut Position, target: Square, checks: Bitboard) -> bool {
    let us = board.side_to_move();
    recapturers(board, target, us).any(|from| {
        let Some(piece) = board.piece_at(from) else { return false };
        board.make(Move::new(from, target));
        let sound = exposed(board, us, piece.kind(), checks).is_empty();
        board.unmake();
        sound
    })
}

/// Whether `piece` on `from` attacks `to` and could soundly capture there, were it to move.
fn is_sound_capture(board: &mut Position, piece: Piece, from: Square, to: Square) -> bool {
    if !board.targets(from, piece).has(to) {
        return false;
    }
    let side = piece.side();
    with_turn(board, side, |board| {
        let checks = board.attackers(board.general(side), !side);
        board.make(Move::new(from, to));
        let sound = exposed(board, side, piece.kind(), checks).is_empty();
        board.unmake();
        sound
    })
}

/// The attackers that a side's general has after a move of its piece of kind `moved`, but for the `checks` it had before.
/// A general that moved must be wholly safe.
fn exposed(board: &Position, side: Side, moved: Kind, checks: Bitboard) -> Bitboard {
    let attackers = board.attackers(board.general(side), !side);
    if moved == Kind::General { attackers } else { attackers & !checks }
}

/// The pieces of a side that can capture on a point by their own way of moving.
fn recapturers(board: &Position, target: Square, side: Side) -> Bitboard {
    let general = Bitboard::of(board.general(side));
    let elephants = board
        .pieces(side, Kind::Elephant)
        .filter(|&from| {
            // Most elephants are nowhere near: look at the open pattern first.
            ELEPHANT[side.index()][from.index()][0].has(target)
                && board.targets(from, Piece::new(side, Kind::Elephant)).has(target)
        })
        .fold(Bitboard::EMPTY, Bitboard::with);
    board.attackers(target, side) & !general
        | ADVISOR_FROM[side.index()][target.index()] & board.pieces(side, Kind::Advisor)
        | GENERAL_FROM[side.index()][target.index()] & general
        | elephants
}

/// Runs `question` with `side` to move, passing the turn if need be.
fn with_turn<T>(board: &mut Position, side: Side, question: impl FnOnce(&mut Position) -> T) -> T {
    if board.side_to_move() == side {
        return question(board);
    }
    board.make_null();
    let answer = question(board);
    board.unmake();
    answer
}
