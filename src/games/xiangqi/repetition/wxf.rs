//! The rule set `wxf`.

use super::asian;
use super::cycle::Cycle;
use super::ruling::Ruling;

/// Judges a cycle.
pub(super) fn judge(cycle: &Cycle<'_>) -> Ruling {
    asian::judge(cycle)
}
