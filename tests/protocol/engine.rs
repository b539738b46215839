//! The other side of the pipe: starts the program, sends lines, waits for lines with a guard against hangs.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use kyokumen::game::{Game, Named};
use kyokumen::games::xiangqi::Xiangqi;

/// A wait that lasts longer than this is a hang.
pub(crate) const GUARD: Duration = Duration::from_secs(60);

/// The running program.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    transcript: Vec<String>,
}

impl Engine {
    /// Starts the program with some arguments.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kyokumen"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, transcript: Vec::new() }
    }

    /// A UCI session for xiangqi.
    pub(crate) fn uci() -> Self {
        Self::start(&["uci"])
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.transcript.push(format!("> {}", &line[..line.len().min(200)]));
        let input = self.input.as_mut().expect("the input is open");
        if let Err(error) = writeln!(input, "{line}").and_then(|()| input.flush()) {
            self.fail(&format!("the program does not listen: {error}"));
        }
    }

    /// Sends several lines.
    pub(crate) fn send_all(&mut self, lines: &[&str]) {
        lines.iter().for_each(|line| self.send(line));
    }

    /// The next line; `None` when the program closed its output.
    pub(crate) fn next(&mut self) -> Option<String> {
        match self.output.recv_timeout(GUARD) {
            Ok(line) => {
                self.transcript.push(format!("< {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("a hang"),
        }
    }

    /// Reads up to a line that begins with `prefix` and gives all lines, that one last.
    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        let started = Instant::now();
        let mut lines = Vec::new();
        loop {
            // An engine that only says that it still thinks hangs, too.
            if started.elapsed() > GUARD {
                self.fail(&format!("no '{prefix}'"));
            }
            match self.next() {
                Some(line) => lines.push(line),
                None => self.fail(&format!("no '{prefix}' before the end")),
            }
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
    }

    /// The rest of the line that begins with `prefix`.
    pub(crate) fn wait(&mut self, prefix: &str) -> String {
        self.until(prefix).pop().unwrap()[prefix.len()..].trim().to_owned()
    }

    /// The move of the next `bestmove`.
    pub(crate) fn best_move(&mut self) -> String {
        let answer = self.wait("bestmove");
        answer.split_whitespace().next().unwrap_or_default().to_owned()
    }

    /// Sends `isready` and gives the lines before the answer.
    pub(crate) fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// What is said within some time.
    pub(crate) fn listen(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.output.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.transcript.push(format!("< {line}"));
            lines.push(line);
        }
        lines
    }

    /// Closes the input and waits for the end; gives what was still said.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut lines = Vec::new();
        while let Some(line) = self.next() {
            lines.push(line);
        }
        let status = self.exit();
        if !status.success() {
            self.fail(&format!("exit with {status}"));
        }
        lines
    }

    /// Sends `quit` and waits for the end; gives what was still said.
    pub(crate) fn quit(mut self) -> Vec<String> {
        self.send("quit");
        self.close()
    }

    /// Waits for the end of the process.
    pub(crate) fn exit(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if started.elapsed() > GUARD {
                self.fail("the program does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the test and tells what was said.
    pub(crate) fn fail(&self, reason: &str) -> ! {
        let from = self.transcript.len().saturating_sub(60);
        panic!("{reason}\n{}", self.transcript[from..].join("\n"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A position of xiangqi by the default rules.
pub(crate) fn xiangqi(fen: &str, moves: &str) -> <Xiangqi as Game>::Position {
    let rules = Xiangqi::rules(Named::ALL[0]);
    let mut position = match fen {
        "startpos" => Xiangqi::start(rules),
        _ => Xiangqi::parse_position(fen, rules).unwrap().position,
    };
    for mv in moves.split_whitespace() {
        let mv = Xiangqi::parse_move(&position, mv).unwrap();
        Xiangqi::make(&mut position, mv);
    }
    position
}

/// Whether a move is legal after some moves from a position of xiangqi.
pub(crate) fn is_legal(fen: &str, moves: &str, mv: &str) -> bool {
    Xiangqi::parse_move(&xiangqi(fen, moves), mv).is_ok()
}

/// The words behind `pv` in a line of information.
pub(crate) fn pv(line: &str) -> Vec<&str> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "pv");
    words.next();
    words.collect()
}

/// The word behind a keyword in a line of information.
pub(crate) fn word_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|&word| word != keyword).nth(1)
}
