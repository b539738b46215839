//! Standard output and standard error: results, warnings and errors, with colour where it is wanted.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::failure::Failure;

/// How much is said, and in which colours.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// No warnings and no progress
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to colour text
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,
}

/// When to colour text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, if NO_COLOR is not set
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl ColorWhen {
    fn applies(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            // CITE: NO_COLOR, https://no-color.org: set and not empty means no colour.
            Self::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// A way to make text stand out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Headings.
    Bold,
    /// Less important text.
    Dim,
    /// Errors.
    Red,
    /// Warnings.
    Yellow,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Self::Bold => "\u{1b}[1m",
            Self::Dim => "\u{1b}[2m",
            Self::Red => "\u{1b}[1;31m",
            Self::Yellow => "\u{1b}[1;33m",
        }
    }
}

fn styled(text: impl Display, style: Style, colored: bool) -> String {
    if colored { format!("{}{text}\u{1b}[0m", style.code()) } else { text.to_string() }
}

/// The two output streams.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    quiet: bool,
    color_output: bool,
    color_error: bool,
}

impl Terminal {
    /// The streams, as the arguments want them.
    pub fn new(args: &OutputArgs) -> Self {
        Self {
            quiet: args.quiet,
            color_output: args.color.applies(io::stdout().is_terminal()),
            color_error: args.color.applies(io::stderr().is_terminal()),
        }
    }

    /// Whether warnings and progress are not wanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether a line of progress, rewritten in place, would be read by somebody.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Text for standard output in a style, if it is coloured.
    pub fn style(&self, text: impl Display, style: Style) -> String {
        styled(text, style, self.color_output)
    }

    /// Writes text to standard output at once, as it stands.
    ///
    /// # Errors
    /// [`Failure::ClosedPipe`] if nobody reads any more, [`Failure::Io`] for other errors.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        let mut output = io::stdout().lock();
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }

    /// Writes one JSON value as a line.
    ///
    /// # Errors
    /// Those of [`Terminal::print`].
    pub fn print_json(&self, value: &Value) -> Result<(), Failure> {
        self.print(&format!("{value}\n"))
    }

    /// Writes warnings to standard error, unless they are not wanted.
    pub fn warn(&self, warnings: &[String]) {
        if self.quiet {
            return;
        }
        for warning in warnings {
            self.message("warning:", Style::Yellow, warning);
        }
    }

    /// Writes how a long command is getting on to standard error, unless it is not wanted.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Writes the reason of a failure to standard error.
    pub fn error(&self, failure: &Failure) {
        self.message("error:", Style::Red, &failure.to_string());
    }

    fn message(&self, label: &str, style: Style, text: &str) {
        let label = styled(label, style, self.color_error);
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "{label} {text}");
    }
}
