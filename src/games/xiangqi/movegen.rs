//! Fully legal move generation, listing or counting.
//!
//! A move is illegal if it leaves the own general attacked or facing the other one. Trying every move would be slow, so the
//! lines through the own general are looked at once ([`Guard`]):
//!
//! ```text
//! pieces between general and    0                    1                     2
//! enemy chariot, general        check                pinned                -
//! enemy cannon                  hollow: no piece     check                 both pinned (each may move
//!                               may step between                           only if two stay between)
//! ```
//!
//! Horses give check or pin the piece on their leg. Pieces that are not pinned move freely (but not into a hollow line);
//! pinned ones are tested move by move. In check only moves to a point that can help are looked at, and of those the moves
//! of the general, of pinned pieces and screens are tested, or all, if there are several checks.

use super::attacks::{
    ADVISOR, CANNON_FILE, CANNON_RANK, CHARIOT_FILE, CHARIOT_RANK, CROSS, DIAGONALS, ELEPHANT,
    GENERAL, HORSE, HORSE_FROM, SOLDIER, SOLDIER_FROM, between_bits, diagonal_index, horse_leg,
    leg_index,
};
use super::bitboard::Bitboard;
use super::cross::Cross;
use super::moves::Move;
use super::piece::{Kind, Piece};
use super::position::Position;
use super::sink::{Counter, List, Sink};
use super::square::Square;
use crate::game::MoveKind;

/// What threatens the general of the side to move, directly or through one piece too few or too many.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Guard {
    /// Enemy pieces that give check.
    checkers: Bitboard,
    /// Own pieces whose leaving may expose the general.
    pinned: Bitboard,
    /// Empty points between the general and a cannon with nothing between: stepping there gives it a screen.
    hollow: Bitboard,
}

impl Guard {
    #[inline(always)]
    pub(super) fn new(position: &Position) -> Self {
        let us = position.side_to_move();
        let them = !us;
        let general = position.general(us);
        let (file, rank) = (general.file(), general.rank());
        let mut guard = Self::default();

        let chariots = position.pieces(them, Kind::Chariot);
        let cannons = position.pieces(them, Kind::Cannon);
        let on_rank = (chariots | cannons) & Bitboard::rank(rank);
        if !on_rank.is_empty() {
            let rank_line = position.rank_line(rank as i32);
            on_rank.for_each_square(|sniper| {
                let span = between_bits(file, sniper.file());
                let between = (span & rank_line).count_ones();
                guard.add_line(position, sniper, cannons.has(sniper), between, || {
                    (Bitboard::from_rank(rank, span), Bitboard::from_rank(rank, span & rank_line))
                });
            });
        }
        let file_line = position.file_line(file);
        let on_file =
            (chariots | cannons | position.pieces(them, Kind::General)) & Bitboard::file(file);
        on_file.for_each_square(|sniper| {
            let span = between_bits(rank, sniper.rank());
            let between = (span & file_line).count_ones();
            guard.add_line(position, sniper, cannons.has(sniper), between, || {
                (Bitboard::from_file(file, span), Bitboard::from_file(file, span & file_line))
            });
        });

        let horses = HORSE_FROM[general.index()][0] & position.pieces(them, Kind::Horse);
        for horse in horses {
            let leg = horse_leg(horse, general);
            match position.piece_at(leg) {
                None => guard.checkers = guard.checkers.with(horse),
                Some(piece) if piece.side() == us => guard.pinned = guard.pinned.with(leg),
                Some(_) => {}
            }
        }
        guard.checkers |=
            SOLDIER_FROM[them.index()][general.index()] & position.pieces(them, Kind::Soldier);
        guard
    }

    /// Whether a pseudo-legal move leaves the general safe.
    pub(super) fn is_safe(&self, position: &Position, mv: Move) -> bool {
        let general = position.general(position.side_to_move());
        let tested =
            !self.checkers.is_empty() || self.pinned.has(mv.from()) || mv.from() == general;
        if tested { position.leaves_general_safe(mv) } else { !self.hollow.has(mv.to()) }
    }

    /// Notes what a chariot, general or cannon on a line through the general does, given the number of pieces between.
    #[inline(always)]
    fn add_line(
        &mut self,
        position: &Position,
        sniper: Square,
        is_cannon: bool,
        between: u32,
        span_and_pieces: impl FnOnce() -> (Bitboard, Bitboard),
    ) {
        let own = position.side(position.side_to_move());
        match (is_cannon, between) {
            (false, 0) | (true, 1) => self.checkers = self.checkers.with(sniper),
            (false, 1) | (true, 2) => self.pinned |= span_and_pieces().1 & own,
            (true, 0) => self.hollow |= span_and_pieces().0,
            _ => {}
        }
    }
}

impl Position {
    /// The enemy pieces that give check to the side to move. A facing general counts.
    pub fn checkers(&self) -> Bitboard {
        Guard::new(self).checkers
    }

    /// Appends the legal moves of a kind.
    pub fn generate(&self, kind: MoveKind, moves: &mut Vec<Move>) {
        let targets = match kind {
            MoveKind::All => !self.side(self.side_to_move()),
            MoveKind::Noisy => self.side(!self.side_to_move()),
            MoveKind::Quiet => !self.occupied(),
        };
        let mut list = List::new(moves);
        generate(self, kind, targets & Bitboard::ALL, &mut list);
        list.finish();
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> u64 {
        let mut counter = Counter(0);
        generate(
            self,
            MoveKind::All,
            !self.side(self.side_to_move()) & Bitboard::ALL,
            &mut counter,
        );
        counter.0
    }

    /// Whether there is a legal move.
    pub fn has_moves(&self) -> bool {
        self.count_moves() != 0
    }

    /// Whether a move is legal here; any pair of points may be asked.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.leaves_general_safe(mv)
    }

    /// [`Position::is_legal`] for a side that is not in check: most moves stay clear of the lines of the own general.
    pub(super) fn is_legal_out_of_check(&self, mv: Move) -> bool {
        let general = self.general(self.side_to_move());
        let lines = CROSS[general.index()];
        let clear = mv.from() != general
            && !(lines | DIAGONALS[general.index()]).has(mv.from())
            && !lines.has(mv.to());
        self.is_pseudo_legal(mv) && (clear || self.leaves_general_safe(mv))
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        match self.piece_at(mv.from()) {
            Some(piece) if piece.side() == us => {
                let targets = self.targets(mv.from(), piece) & !self.side(us);
                targets.has(mv.to())
            }
            _ => false,
        }
    }

    /// The points that a piece on a point moves to or could take, by its own way of moving alone; own pieces included.
    pub fn targets(&self, from: Square, piece: Piece) -> Bitboard {
        let side = piece.side().index();
        match piece.kind() {
            Kind::General => GENERAL[side][from.index()],
            Kind::Advisor => ADVISOR[side][from.index()],
            Kind::Soldier => SOLDIER[side][from.index()],
            Kind::Elephant => ELEPHANT[side][from.index()][self.diagonal_neighbours(from)],
            Kind::Horse => HORSE[from.index()][self.legs(from)],
            Kind::Chariot => Cross::seen_by_chariot(self, from).board(from),
            Kind::Cannon => {
                let (quiet, captures) = Cross::seen_by_cannon(self, from);
                quiet.board(from) | captures.board(from)
            }
        }
    }

    #[inline(always)]
    pub(super) fn legs(&self, square: Square) -> usize {
        let (file, rank) = (square.file(), square.rank());
        leg_index(self.rank_line(rank as i32), self.file_line(file), file, rank)
    }

    #[inline(always)]
    fn diagonal_neighbours(&self, square: Square) -> usize {
        let rank = square.rank() as i32;
        diagonal_index(self.rank_line(rank - 1), self.rank_line(rank + 1), square.file())
    }
}

/// Sends all legal moves to points of `targets` (which hold no own piece) to the sink.
#[inline(always)]
fn generate<S: Sink>(position: &Position, kind: MoveKind, targets: Bitboard, sink: &mut S) {
    let guard = Guard::new(position);
    if guard.checkers.is_empty() {
        generate_calm(position, kind, targets, guard, sink);
    } else {
        generate_evasions(position, targets, guard, sink);
    }
}

/// Without check: pieces that are not pinned move freely.
#[inline(always)]
fn generate_calm<S: Sink>(
    position: &Position,
    kind: MoveKind,
    targets: Bitboard,
    guard: Guard,
    sink: &mut S,
) {
    let us = position.side_to_move();
    let side = us.index();
    generate_general(position, targets, sink);
    if !guard.pinned.is_empty() {
        for from in guard.pinned {
            test_each(position, from, targets, sink);
        }
    }
    let free = !guard.pinned;
    if !guard.hollow.is_empty() {
        let targets = targets & !guard.hollow;
        let movers = position.side(us) & free & !Bitboard::of(position.general(us));
        for from in movers {
            if let Some(piece) = position.piece_at(from) {
                sink.board(from, position.targets(from, piece) & targets);
            }
        }
        return;
    }

    // Lines: own pieces never; for captures only enemies, for quiet moves only empty points.
    let allowed = |own: u16, enemy: u16| match kind {
        MoveKind::All => !own,
        MoveKind::Noisy => enemy,
        MoveKind::Quiet => !(own | enemy),
    };
    (position.pieces(us, Kind::Chariot) & free).for_each_square(|from| {
        let (file, rank) = (from.file(), from.rank());
        let (own, enemy) = (position.side_rank_line(us, rank), position.side_rank_line(!us, rank));
        sink.rank(from, CHARIOT_RANK[file][(own | enemy) as usize] & allowed(own, enemy));
        let (own, enemy) = (position.side_file_line(us, file), position.side_file_line(!us, file));
        sink.file(from, CHARIOT_FILE[rank][(own | enemy) as usize] & allowed(own, enemy));
    });
    (position.pieces(us, Kind::Cannon) & free).for_each_square(|from| {
        let (file, rank) = (from.file(), from.rank());
        let cannon_line = |quiet: u16, captures: u16, own: u16, enemy: u16| match kind {
            MoveKind::All => quiet & !(own | enemy) | captures & enemy,
            MoveKind::Noisy => captures & enemy,
            MoveKind::Quiet => quiet & !(own | enemy),
        };
        let (own, enemy) = (position.side_rank_line(us, rank), position.side_rank_line(!us, rank));
        let line = (own | enemy) as usize;
        sink.rank(from, cannon_line(CHARIOT_RANK[file][line], CANNON_RANK[file][line], own, enemy));
        let (own, enemy) = (position.side_file_line(us, file), position.side_file_line(!us, file));
        let line = (own | enemy) as usize;
        sink.file(from, cannon_line(CHARIOT_FILE[rank][line], CANNON_FILE[rank][line], own, enemy));
    });
    // Few of the others could take anything even with nothing in their way.
    let none = |widest: Bitboard| kind == MoveKind::Noisy && (widest & targets).is_empty();
    (position.pieces(us, Kind::Horse) & free).for_each_square(|from| {
        let horse = &HORSE[from.index()];
        if !none(horse[0]) {
            sink.board(from, horse[position.legs(from)] & targets);
        }
    });
    (position.pieces(us, Kind::Elephant) & free).for_each_square(|from| {
        let elephant = &ELEPHANT[side][from.index()];
        if !none(elephant[0]) {
            sink.board(from, elephant[position.diagonal_neighbours(from)] & targets);
        }
    });
    if !none(Bitboard::PALACE[side]) {
        (position.pieces(us, Kind::Advisor) & free).for_each_square(|from| {
            sink.board(from, ADVISOR[side][from.index()] & targets);
        });
    }
    let soldiers = position.pieces(us, Kind::Soldier) & free;
    if !none(soldiers.beside()) {
        sink.soldiers(us, soldiers, targets);
    }
}

/// In check: the general's moves, and moves of others to points that can answer the check.
#[inline(never)]
fn generate_evasions<S: Sink>(position: &Position, targets: Bitboard, guard: Guard, sink: &mut S) {
    let us = position.side_to_move();
    let general = position.general(us);
    generate_general(position, targets, sink);
    let mut helpful = Bitboard::ALL;
    let mut screens = Bitboard::EMPTY;
    for checker in guard.checkers {
        let span = between(general, checker);
        match position.piece_at(checker).map(Piece::kind) {
            Some(Kind::Cannon) => {
                screens |= span & position.side(us);
                helpful &= (span & !position.occupied()).with(checker);
            }
            Some(Kind::Horse) => {
                helpful &= Bitboard::of(horse_leg(checker, general)).with(checker);
            }
            Some(Kind::Chariot | Kind::General) => helpful &= span.with(checker),
            _ => helpful &= Bitboard::of(checker),
        }
    }
    helpful &= targets;
    // What answers the only check and comes from elsewhere exposes the general to nothing else, unless it is pinned or becomes
    // the screen of a cannon.
    let single = guard.checkers.count() == 1;
    let tested = if single { screens | guard.pinned } else { Bitboard::ALL };
    for from in position.side(us) & !Bitboard::of(general) {
        let targets = if screens.has(from) { targets } else { helpful };
        let Some(piece) = position.piece_at(from) else { continue };
        // Few pieces could reach the points even on an empty board.
        if (widest_targets(from, piece) & targets).is_empty() {
            continue;
        }
        let targets = position.targets(from, piece) & targets;
        if tested.has(from) {
            test(position, from, targets, sink);
        } else {
            sink.board(from, targets & !guard.hollow);
        }
    }
}

/// The points that a piece could reach if nothing stood in its way, and perhaps others.
#[inline(always)]
pub(super) fn widest_targets(from: Square, piece: Piece) -> Bitboard {
    let side = piece.side().index();
    match piece.kind() {
        Kind::General => GENERAL[side][from.index()],
        Kind::Advisor => ADVISOR[side][from.index()],
        Kind::Soldier => SOLDIER[side][from.index()],
        Kind::Elephant => ELEPHANT[side][from.index()][0],
        Kind::Horse => HORSE[from.index()][0],
        Kind::Chariot | Kind::Cannon => CROSS[from.index()],
    }
}

/// The general's legal steps.
#[inline(always)]
fn generate_general<S: Sink>(position: &Position, targets: Bitboard, sink: &mut S) {
    let us = position.side_to_move();
    let general = position.general(us);
    test(position, general, GENERAL[us.index()][general.index()] & targets, sink);
}

/// The legal moves among the pseudo-legal ones of the piece on a point.
#[inline(always)]
fn test_each<S: Sink>(position: &Position, from: Square, targets: Bitboard, sink: &mut S) {
    if let Some(piece) = position.piece_at(from) {
        test(position, from, position.targets(from, piece) & targets, sink);
    }
}

#[inline(always)]
fn test<S: Sink>(position: &Position, from: Square, candidates: Bitboard, sink: &mut S) {
    let mut legal = Bitboard::EMPTY;
    for to in candidates {
        if position.leaves_general_safe(Move::new(from, to)) {
            legal = legal.with(to);
        }
    }
    sink.board(from, legal);
}

/// The points strictly between two points of one line; empty if they share none.
pub(super) fn between(a: Square, b: Square) -> Bitboard {
    if a.rank() == b.rank() {
        Bitboard::from_rank(a.rank(), between_bits(a.file(), b.file()))
    } else if a.file() == b.file() {
        Bitboard::from_file(a.file(), between_bits(a.rank(), b.rank()))
    } else {
        Bitboard::EMPTY
    }
}
