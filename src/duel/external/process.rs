//! A child process with lines going in and lines coming out. No wait on it lasts for ever, whatever it does.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::super::player::{Lapse, Stop};
use super::super::spec::ExternalSpec;

/// Longest line that is read as one, in bytes.
const LINE_LIMIT: u64 = 1 << 20;
/// Lines that wait to be read before the program has to wait.
const LINES_AHEAD: usize = 4096;
/// Between two looks at the stop flag.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long its last words may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Why a program cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("'{program}' cannot be started: {error}")]
pub struct ProcessError {
    program: String,
    error: io::Error,
}

/// A running program.
pub(super) struct Process {
    child: Child,
    /// To a thread that writes, for a program that does not read would block us. `None` at the end.
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    /// The last line on its standard error.
    last_words: Arc<Mutex<String>>,
    stop: Stop,
}

impl Process {
    pub(super) fn start(spec: &ExternalSpec, stop: Stop) -> Result<Self, ProcessError> {
        let mut command = Command::new(&spec.program);
        command.args(&spec.arguments);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        {
            // Ctrl-C on the terminal is for the match, which ends its engines in order.
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| ProcessError { program: spec.program.display().to_string(), error })?;
        let stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let stderr = child.stderr.take().expect("standard error is a pipe");
        let (input, to_write) = unbounded();
        thread::spawn(move || write_lines(stdin, &to_write));
        let (read, lines) = bounded(LINES_AHEAD);
        thread::spawn(move || read_lines(stdout, |line| read.send(line).is_ok()));
        let last_words = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&last_words);
        thread::spawn(move || {
            read_lines(stderr, |line| {
                if !line.trim().is_empty() {
                    *heard.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
                true
            });
        });
        Ok(Self { child, input: Some(input), lines, last_words, stop })
    }

    /// Sends a line. Whether it arrives shows in the answers.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            // If the writing thread is gone, so is the program; the next wait for a line tells.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line.
    ///
    /// # Errors
    /// The program ended, `deadline` is over, or the match was stopped.
    pub(super) fn next(&mut self, deadline: Instant) -> Result<String, Lapse> {
        loop {
            // Relaxed: the flag orders no other memory.
            if self.stop.load(Ordering::Relaxed) {
                return Err(Lapse::Interrupted);
            }
            let wait = deadline.saturating_duration_since(Instant::now()).min(GLANCE);
            match self.lines.recv_timeout(wait) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(Lapse::Stall("it did not answer".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.obituary()),
            }
        }
    }

    /// Waits for a line that `pick` wants, and drops all others.
    pub(super) fn wait<T>(
        &mut self,
        deadline: Instant,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Lapse> {
        loop {
            let line = self.next(deadline)?;
            if let Some(picked) = pick(line.trim()) {
                return Ok(picked);
            }
        }
    }

    /// How the program ended.
    fn obituary(&mut self) -> Lapse {
        self.input = None;
        let status = wait_for_end(&mut self.child, FAREWELL);
        thread::sleep(LAST_WORDS);
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let status = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        };
        Lapse::Crash(if words.is_empty() {
            status
        } else {
            format!("{status}; its last words: {}", words.trim())
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        // Nobody reads on: a program that still writes must not wait for us.
        let (_, nothing) = bounded(0);
        self.lines = nothing;
        if wait_for_end(&mut self.child, FAREWELL).is_none() {
            // An error says that it has ended meanwhile.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn wait_for_end(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    const NAP: Duration = Duration::from_millis(2);
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(NAP),
            Ok(None) | Err(_) => return None,
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the end, an error, or until `take` wants no more. Too long ones come in pieces.
fn read_lines(stream: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match stream.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if take(String::from_utf8_lossy(&bytes).trim_end().to_owned()) => {}
            Ok(_) => return,
        }
    }
}
