//! Every number that shapes the search, grouped by heuristic, with its range and tuning step.
//!
//! Parameters are passed by reference and never global: two games, or two threads of a tuning run, may differ. Every
//! heuristic can be switched off, which is how its worth is measured and how the search is tested against plain negamax.

use serde::{Deserialize, Serialize};

/// The range of one number and the step a tuner should try first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Name of the field.
    pub name: &'static str,
    /// Smallest sane value.
    pub min: i32,
    /// Largest sane value.
    pub max: i32,
    /// First step of a tuner.
    pub step: i32,
}

/// A number of a parameter file that is out of its range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("search parameter '{group}.{name}' is {value}: give a number from {min} to {max}")]
pub struct RangeError {
    /// The heuristic.
    pub group: &'static str,
    /// The field.
    pub name: &'static str,
    /// The value found.
    pub value: i32,
    /// Smallest sane value.
    pub min: i32,
    /// Largest sane value.
    pub max: i32,
}

/// Declares the groups once; fields, defaults and ranges cannot drift apart.
macro_rules! groups {
    ($( $(#[$meta:meta])* $key:ident: $name:ident { $( $(#[$field_meta:meta])* $field:ident = $default:literal, $min:literal ..= $max:literal by $step:literal; )* } )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct $name {
                /// Whether the heuristic is used at all.
                pub enabled: bool,
                $( $(#[$field_meta])* pub $field: i32, )*
            }

            impl Default for $name {
                fn default() -> Self {
                    Self { enabled: true, $( $field: $default, )* }
                }
            }

            impl $name {
                /// The ranges of the group's numbers.
                pub const RANGES: &'static [Range] =
                    &[$( Range { name: stringify!($field), min: $min, max: $max, step: $step }, )*];

                fn values(&self) -> Vec<i32> {
                    vec![$( self.$field, )*]
                }
            }
        )*

        /// The numbers of the search; each game carries its own in its parameters.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct SearchParams {
            $( $(#[$meta])* pub $key: $name, )*
        }

        impl SearchParams {
            /// Every heuristic switched off: plain alpha-beta to a fixed depth with static evaluation at the leaves.
            pub fn plain() -> Self {
                let mut params = Self::default();
                $( params.$key.enabled = false; )*
                params
            }

            /// The range and tuning step of a number of a group; `None`: there is no such number.
            pub fn range(group: &str, name: &str) -> Option<Range> {
                let ranges = match group {
                    $( stringify!($key) => $name::RANGES, )*
                    _ => return None,
                };
                ranges.iter().copied().find(|range| range.name == name)
            }

            /// Refuses numbers that are out of range, as a parameter file may hold.
            ///
            /// # Errors
            /// The first number out of its range.
            pub fn check(&self) -> Result<(), RangeError> {
                $( check_group(stringify!($key), $name::RANGES, &self.$key.values())?; )*
                Ok(())
            }
        }
    };
}

fn check_group(group: &'static str, ranges: &[Range], values: &[i32]) -> Result<(), RangeError> {
    for (range, &value) in ranges.iter().zip(values) {
        if value < range.min || value > range.max {
            let Range { name, min, max, .. } = *range;
            return Err(RangeError { group, name, value, min, max });
        }
    }
    Ok(())
}

groups! {
    /// Aspiration windows: iterations start with a narrow window around the last score.
    aspiration: Aspiration {
        /// First depth that uses a narrow window.
        min_depth = 4, 1..=20 by 1;
        /// Half width of the first window, centipawns.
        delta = 16, 1..=200 by 4;
        /// Growth of the half width after each failure, percent.
        growth = 50, 10..=300 by 10;
    }
    /// Cuts by the transposition table (its moves are used for ordering in any case).
    table_cutoff: TableCutoff {}
    /// Mate distance pruning: no line can beat a shorter mate already found.
    mate_distance: MateDistance {}
    /// Quiescence search at the leaves; without it, leaves are evaluated as they stand.
    quiescence: Quiescence {
        /// Plies at the start of quiescence that also try quiet checks.
        check_plies = 2, 0..=6 by 1;
        /// Slack of delta pruning, centipawns.
        delta_margin = 180, 0..=1000 by 20;
        /// Quiet evasions tried before the rest is left out once a playable one is known.
        quiet_evasions = 3, 1..=200 by 1;
        /// Plies of quiescence after which only recaptures on the last square go on.
        recapture_ply = 200, 0..=200 by 1;
        /// Plies at the start of quiescence in which a side in check must answer it; later it may stand pat.
        evasion_plies = 200, 0..=200 by 1;
    }
    /// Razoring: hopeless shallow nodes drop into quiescence.
    razoring: Razoring {
        /// Largest depth.
        max_depth = 1, 0..=10 by 1;
        /// Margin at depth 0, centipawns.
        base = 240, 0..=1000 by 20;
        /// Margin for each ply, centipawns.
        per_ply = 200, 0..=1000 by 20;
    }
    /// Reverse futility: a static score far above beta is believed.
    reverse_futility: ReverseFutility {
        /// Largest depth.
        max_depth = 8, 0..=20 by 1;
        /// Margin for each ply, centipawns.
        per_ply = 85, 0..=500 by 10;
        /// Taken from the margin while the static score improves, centipawns.
        improving = 70, 0..=500 by 10;
    }
    /// Null move: a position that stays above beta after passing is cut.
    null_move: NullMove {
        /// Smallest depth.
        min_depth = 3, 1..=20 by 1;
        /// Reduction at depth 0, plies.
        base = 3, 1..=8 by 1;
        /// Depth per further ply of reduction.
        depth_divisor = 3, 1..=20 by 1;
        /// Centipawns above beta per further ply of reduction.
        score_divisor = 200, 10..=2000 by 20;
        /// Most plies of reduction by score.
        score_max = 3, 0..=8 by 1;
        /// Depth from which a cut is verified by a reduced search without passing.
        verification_depth = 12, 1..=100 by 1;
    }
    /// Internal iterative reduction: nodes without a table move are searched less deeply.
    internal_reduction: InternalReduction {
        /// Smallest depth.
        min_depth = 4, 1..=20 by 1;
    }
    /// ProbCut: a capture that beats beta by a margin at reduced depth will beat beta.
    prob_cut: ProbCut {
        /// Smallest depth.
        min_depth = 5, 1..=20 by 1;
        /// Margin above beta, centipawns.
        margin = 180, 0..=1000 by 20;
        /// Reduction, plies.
        reduction = 4, 1..=10 by 1;
    }
    /// Late move pruning: after enough quiet moves at shallow depth the rest is left out.
    late_move: LateMovePruning {
        /// Largest depth.
        max_depth = 8, 0..=20 by 1;
        /// Moves at depth 0.
        base = 4, 1..=100 by 1;
        /// Moves for the square of the depth, percent.
        percent = 100, 1..=1000 by 10;
    }
    /// Futility: quiet moves of a hopeless shallow node are left out.
    futility: Futility {
        /// Largest reduced depth.
        max_depth = 8, 0..=20 by 1;
        /// Margin at depth 0, centipawns.
        base = 110, 0..=1000 by 10;
        /// Margin for each ply, centipawns.
        per_ply = 95, 0..=1000 by 10;
    }
    /// Exchange pruning: moves that lose material on the spot are left out at shallow depth.
    exchange: ExchangePruning {
        /// Largest depth.
        max_depth = 9, 0..=20 by 1;
        /// Loss allowed to quiet moves for each ply, centipawns.
        quiet_per_ply = 70, 0..=500 by 5;
        /// Loss allowed to noisy moves for each ply, centipawns.
        noisy_per_ply = 130, 0..=500 by 5;
    }
    /// History pruning: quiet moves with a bad record are left out at shallow depth.
    history_pruning: HistoryPruning {
        /// Largest reduced depth.
        max_depth = 4, 0..=20 by 1;
        /// Record allowed for each ply (history units, negated).
        per_ply = 3500, 0..=20000 by 250;
    }
    /// Late move reductions, in 1024ths of a ply where not said otherwise.
    reduction: Reduction {
        /// Smallest depth, plies.
        min_depth = 2, 1..=20 by 1;
        /// Constant part for quiet moves.
        quiet_base = 800, -2048..=4096 by 64;
        /// Factor of ln(depth) x ln(move number) for quiet moves.
        quiet_factor = 440, 0..=2048 by 32;
        /// Constant part for noisy moves.
        noisy_base = 100, -2048..=4096 by 64;
        /// Factor of ln(depth) x ln(move number) for noisy moves.
        noisy_factor = 300, 0..=2048 by 32;
        /// Less in nodes of the principal variation.
        pv = 1024, 0..=4096 by 128;
        /// More in expected cut nodes.
        cut = 1200, 0..=4096 by 128;
        /// More where the static score does not improve.
        worsening = 700, 0..=4096 by 128;
        /// Less for killers and counter moves.
        killer = 1024, 0..=4096 by 128;
        /// Less for moves that give check.
        check = 1024, 0..=4096 by 128;
        /// More where the table move is a capture.
        noisy_table_move = 700, 0..=4096 by 128;
        /// More after several cuts below.
        cutoffs = 800, 0..=4096 by 128;
        /// Centipawns of history units for each 1024th: less for good, more for bad records.
        history_divisor = 9, 1..=100 by 1;
        /// A re-search goes one ply deeper if the score beats the best by this, centipawns.
        deeper = 60, 0..=1000 by 10;
    }
    /// Check extension: moves that give check are searched deeper.
    check_extension: CheckExtension {
        /// Loss of material up to which a check is extended, centipawns.
        max_loss = 10000, 0..=10000 by 50;
        /// Most plies below the root, in percent of the iteration's depth, that extend.
        ply_percent = 200, 0..=1000 by 25;
    }
    /// Forced reply extension: the only answer to a check is searched deeper.
    forced_reply: ForcedReply {
        /// Most plies below the root, in percent of the iteration's depth, that extend.
        ply_percent = 200, 0..=1000 by 25;
    }
    /// Singular extension: a table move that all others fall short of is searched deeper.
    singular: Singular {
        /// Smallest depth.
        min_depth = 6, 2..=30 by 1;
        /// How much shallower the table's search may have been, plies.
        depth_slack = 3, 0..=10 by 1;
        /// Margin below the table score for each ply, in quarters of a centipawn.
        margin = 6, 0..=100 by 1;
        /// Further margin for two plies of extension, centipawns.
        double_margin = 20, 0..=500 by 5;
        /// Most double extensions in a line.
        double_max = 6, 0..=50 by 1;
    }
    /// Move history: records of which moves cut.
    history: HistoryParams {
        /// Bonus for each ply of depth.
        bonus_per_ply = 150, 1..=2000 by 10;
        /// Bonus at depth 0 (negated).
        bonus_offset = 70, -2000..=2000 by 10;
        /// Largest bonus.
        bonus_max = 1600, 1..=16000 by 100;
        /// Malus of the moves that did not cut, percent of the bonus.
        malus_percent = 100, 0..=400 by 10;
    }
    /// Killers and counter moves are tried before other quiet moves.
    killers: Killers {}
    /// Order of noisy moves: gain first, then record (which alone counts where this is off).
    noisy_order: NoisyOrder {
        /// History units for each centipawn gained.
        gain_weight = 32, 0..=1000 by 4;
        /// Loss allowed to noisy moves that are tried before quiet ones, centipawns.
        good_loss = 0, 0..=1000 by 10;
    }
    /// Quiet checks are tried early.
    check_order: CheckOrder {
        /// Bonus of a safe quiet check in the order of moves (history units).
        bonus = 12000, 0..=60000 by 500;
        /// Loss of material up to which a check counts as safe, centipawns.
        max_loss = 10000, 0..=10000 by 50;
    }
    /// Correction of the static score by what searches of similar positions found.
    correction: Correction {
        /// Weight of the correction, in 1024ths.
        weight = 512, 0..=4096 by 64;
        /// Largest correction, centipawns.
        limit = 96, 0..=1000 by 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range() {
        assert_eq!(SearchParams::default().check(), Ok(()));
    }

    #[test]
    fn a_number_out_of_range_is_named() {
        let mut params = SearchParams::default();
        params.reduction.history_divisor = 0;
        let error = params.check().unwrap_err();
        assert!(error.to_string().contains("reduction.history_divisor"), "{error}");
    }

    #[test]
    fn unknown_fields_are_refused() {
        let text = r#"{"null_move": {"bass": 3}}"#;
        assert!(serde_json::from_str::<SearchParams>(text).is_err());
    }
}
