//! Every number that shapes the search, grouped by heuristic.

use serde::{Deserialize, Serialize};

/// The numbers of the search; each game carries its own in its parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {}
