//! The rule set `wxf`: as `asian`, but all chases weigh the same.
//!
//! Perpetual check loses before perpetual chase; a chase that lives on cutting off protectors only loses to one that does not.
//! Mixtures are free: check and chase in turn, threats of mate, offers of exchange, two pieces chased in turn.

// CITE: D. Tan and N. Watkinson Medina, Complete Implementation of WXF Chinese Chess Rules, https://arxiv.org/abs/2412.17334
// CITE: diagrams 16 to 104, http://www.wxf.org/xq/rule/asia/

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
    } else if !conduct.chased_outright.is_empty() {
        Offence::Chase
    } else if !conduct.chased.is_empty() {
        Offence::ChaseByCuttingOff
    } else {
        Offence::Nothing
    }
}
