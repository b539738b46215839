//! What a rule set makes of a cycle: each side's offence, and who loses for it.

use super::cycle::Conduct;
use crate::game::{Rule, Side};

/// What a side did wrong with every move of a cycle, from nothing to the gravest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Offence {
    /// At least one move was free of offence.
    Nothing,
    /// Chased one piece, with some moves only by cutting off what protected it.
    ChaseByCuttingOff,
    /// Chased one piece.
    Chase,
    /// Chased a chariot that cannot move for a horse.
    ChaseOfPinnedChariot,
    /// Gave check.
    Check,
}

/// The ruling on a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ruling {
    /// What each side did wrong, by [`Side::index`].
    pub(super) offences: [Offence; 2],
    /// What each side did throughout, by [`Side::index`].
    pub(super) conduct: [Conduct; 2],
}

impl Ruling {
    /// The ruling in which the graver offence loses.
    pub(super) const fn by_gravity(offences: [Offence; 2], conduct: [Conduct; 2]) -> Self {
        Self { offences, conduct }
    }

    /// Who loses; `None` is a draw.
    pub(super) fn offender(&self) -> Option<Side> {
        match self.offences[0].cmp(&self.offences[1]) {
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Side::First),
        }
    }

    /// The rule that decides.
    pub(super) fn rule(&self) -> Rule {
        match self.offender().map(|side| self.offences[side.index()]) {
            Some(Offence::Check) => Rule::PerpetualCheck,
            Some(Offence::ChaseByCuttingOff | Offence::Chase | Offence::ChaseOfPinnedChariot) => {
                Rule::PerpetualChase
            }
            Some(Offence::Nothing) | None => Rule::Repetition,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graver_offence_loses_and_equal_ones_draw() {
        use Offence::{Chase, ChaseByCuttingOff, ChaseOfPinnedChariot, Check, Nothing};
        let by_gravity = [Nothing, ChaseByCuttingOff, Chase, ChaseOfPinnedChariot, Check];
        for (rank, &red) in by_gravity.iter().enumerate() {
            for (other_rank, &black) in by_gravity.iter().enumerate() {
                let ruling = Ruling::by_gravity([red, black], [Conduct::default(); 2]);
                let offender = match rank.cmp(&other_rank) {
                    std::cmp::Ordering::Less => Some(Side::Second),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(Side::First),
                };
                assert_eq!(ruling.offender(), offender, "{red:?} against {black:?}");
                assert_eq!(ruling.rule() == Rule::Repetition, offender.is_none());
            }
        }
    }
}
