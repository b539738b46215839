//! A UCI engine in a child process, as far as perft needs it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

/// The counts below each move, and their sum as the engine says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Divide {
    /// The moves by their text.
    pub(crate) moves: BTreeMap<String, u64>,
    /// The sum.
    pub(crate) nodes: u64,
}

/// A running engine; it is ended when this is dropped.
pub(crate) struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
}

impl Engine {
    /// Starts an engine, sets its options, and waits until it is ready. No answer may take longer than `patience`.
    pub(crate) fn start(
        path: &str,
        options: &[(String, String)],
        patience: Duration,
    ) -> Result<Self> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start the engine {path}"))?;
        let input = child.stdin.take().ok_or_else(|| anyhow!("the engine has no input"))?;
        let output = child.stdout.take().ok_or_else(|| anyhow!("the engine has no output"))?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self { child, input, lines, patience };
        engine.send("uci")?;
        engine.wait_for("uciok")?;
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        engine.send("isready")?;
        engine.wait_for("readyok")?;
        Ok(engine)
    }

    /// The engine's counts below each move of a position.
    pub(crate) fn divide(&mut self, fen: &str, moves: &[String], depth: u32) -> Result<Divide> {
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position fen {fen}{moves}"))?;
        self.send(&format!("go perft {depth}"))?;
        let mut divide = Divide::default();
        loop {
            let line = self.read()?;
            if let Some(nodes) = line.strip_prefix("Nodes searched:") {
                divide.nodes = nodes.trim().parse().with_context(|| format!("answer '{line}'"))?;
                return Ok(divide);
            }
            if let Some((mv, nodes)) = divide_line(&line) {
                divide.moves.insert(mv.to_owned(), nodes);
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .with_context(|| format!("the engine does not take '{line}'"))
    }

    fn read(&mut self) -> Result<String> {
        match self.lines.recv_timeout(self.patience) {
            Ok(line) => Ok(line),
            Err(_) => match self.child.try_wait()? {
                Some(status) => bail!("the engine ended: {status}"),
                None => bail!("no answer from the engine for {} s", self.patience.as_secs()),
            },
        }
    }

    fn wait_for(&mut self, answer: &str) -> Result<()> {
        while self.read()?.trim() != answer {}
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line `h2e2: 44`; `info` lines and headings are none.
fn divide_line(line: &str) -> Option<(&str, u64)> {
    let (mv, nodes) = line.split_once(": ")?;
    let is_move = !mv.is_empty() && mv.chars().all(|letter| letter.is_ascii_alphanumeric());
    Some((mv, nodes.trim().parse().ok()?)).filter(|_| is_move)
}

#[cfg(test)]
mod tests {
    use super::divide_line;

    #[test]
    fn only_counts_of_moves_are_read() {
        assert_eq!(divide_line("h3e3: 44"), Some(("h3e3", 44)));
        assert_eq!(divide_line("info string x: 3"), None);
        assert_eq!(divide_line("Nodes searched: 3"), None);
        assert_eq!(divide_line(""), None);
    }
}
