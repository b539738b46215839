//! The only kinds of pieces that the rules know by name: royals, and the ranks of range captures.

/// The codes of the royals. A side that has none left has lost.
const ROYALS: [&str; 2] = ["K", "CP"];

/// The codes of the ranks of range captures, highest first. All others share [`LOWEST_RANK`].
const RANKS: [&[&str]; 4] = [&["K", "CP"], &["GG"], &["VG"], &["RO", "BG", "VD", "FCR"]];

/// The rank of every kind that is not listed.
pub(crate) const LOWEST_RANK: u8 = 5;

/// Whether the kind with this code is a royal.
pub(crate) fn is_royal(code: &str) -> bool {
    ROYALS.contains(&code)
}

/// The rank of a kind for range captures: 1 is the highest. A piece may be flown over by one of higher rank only.
pub(crate) fn rank(code: &str) -> u8 {
    match RANKS.iter().position(|codes| codes.contains(&code)) {
        Some(index) => index as u8 + 1,
        None => LOWEST_RANK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_captures_know_five_ranks() {
        let expected =
            [("K", 1), ("CP", 1), ("GG", 2), ("VG", 3), ("RO", 4), ("FCR", 4), ("DE", 5), ("P", 5)];
        for (code, value) in expected {
            assert_eq!(rank(code), value, "{code}");
        }
    }
}
