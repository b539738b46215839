//! The seven kinds of pieces and the fourteen pieces.

use crate::game::Side;

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// 帥 將, K.
    General = 0,
    /// 仕 士, A.
    Advisor = 1,
    /// 相 象, B or E.
    Elephant = 2,
    /// 傌 馬, N or H.
    Horse = 3,
    /// 俥 車, R.
    Chariot = 4,
    /// 炮 砲, C.
    Cannon = 5,
    /// 兵 卒, P.
    Soldier = 6,
}

impl Kind {
    /// Every kind, in the order of [`Kind::index`].
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// 0 to 6.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name in English.
    pub const fn name(self) -> &'static str {
        ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][self as usize]
    }

    /// How many a side has in the initial position.
    pub const fn initial_count(self) -> u32 {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }
}

/// A piece of one side: `7 * side + kind`, 0 to 13.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(u8);

/// The kinds by number of the piece, and two more, so that no number needs a check.
const KINDS: [Kind; 16] = {
    let mut kinds = [Kind::General; 16];
    let mut index = 0;
    while index < PIECES {
        kinds[index] = Kind::ALL[index % 7];
        index += 1;
    }
    kinds
};

/// The number of different pieces.
pub const PIECES: usize = 14;

impl Piece {
    /// The piece of a kind and a side.
    #[inline(always)]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(side as u8 * 7 + kind as u8)
    }

    /// The piece of an index below 14.
    ///
    /// # Panics
    /// If the index is 14 or more.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < PIECES);
        Self(index as u8)
    }

    /// 0 to 13.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whose piece it is.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// What kind it is.
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        KINDS[self.0 as usize & 15]
    }

    /// The letter in a FEN: `K A B N R C P`, upper case for Red.
    pub const fn letter(self) -> char {
        b"KABNRCPkabnrcp"[self.0 as usize] as char
    }

    /// The piece of a FEN letter in either alphabet: K, A or M, B or E, N or H, R, C, P.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_lowercase() {
            'k' => Kind::General,
            'a' | 'm' => Kind::Advisor,
            'b' | 'e' => Kind::Elephant,
            'n' | 'h' => Kind::Horse,
            'r' => Kind::Chariot,
            'c' => Kind::Cannon,
            'p' => Kind::Soldier,
            _ => return None,
        };
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        Some(Self::new(side, kind))
    }
}
