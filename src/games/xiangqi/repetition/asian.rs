//! The rule set `asian`: perpetual check loses, then perpetual chase; equal offences are a draw.
//!
//! The graver offence loses: perpetual check, before the perpetual chase of a chariot that is pinned by a horse, before any other
//! perpetual chase. A chase is perpetual if the same piece is chased anew with every move, by whichever pieces; a move that
//! checks and chases counts as a chase too. Threats of mate are free.

// CITE: Asian rules, http://www.wxf.org/xq/rule/asia/
// CITE: order of offences, https://github.com/danieltan1517/orange-xiangqi/issues/7

use super::cycle::{Conduct, Cycle};
use super::ruling::{Offence, Ruling};

/// Judges a cycle.
pub(super) fn judge(cycle: &Cycle<'_>) -> Ruling {
    let conduct = cycle.conduct();
    Ruling::by_gravity(conduct.map(offence), conduct)
}

/// The gravest offence of a side.
fn offence(conduct: Conduct) -> Offence {
    if conduct.checks {
        Offence::Check
    } else if !conduct.chased_pinned.is_empty() {
        Offence::ChaseOfPinnedChariot
    } else if !conduct.chased_outright.is_empty() {
        Offence::Chase
    } else if !conduct.chased.is_empty() {
        Offence::ChaseByCuttingOff
    } else {
        Offence::Nothing
    }
}
