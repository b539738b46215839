//! Whole numbers on the command line: what is no number of the range is refused with the range.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::{ArgAction, Command};

/// A parser of whole numbers in a range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            format!("write a whole number from {} to {}", range.start(), range.end())
        })
    }
}

/// Lets all options of a command take negative numbers, so that their own parsers refuse them, with the range.
#[must_use]
pub(super) fn with_negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| {
            let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
            if arg.is_positional() || !takes_value { arg } else { arg.allow_negative_numbers(true) }
        })
        .mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_the_range_are_refused_with_it() {
        let parse = whole(1..=200_u32);
        assert_eq!(parse("200"), Ok(200));
        for text in ["0", "201", "-1", "3x", "", "99999999999999999999"] {
            assert_eq!(parse(text), Err("write a whole number from 1 to 200".to_owned()));
        }
    }
}
