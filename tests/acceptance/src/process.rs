//! Processes whose output is read under a deadline.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::binaries::{Binary, path_of};

/// How long anything may take before a test gives up on it: far more than is ever needed, as machines are shared.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The server with these settings and no others, in `folder`.
pub(crate) fn command(binary: Binary, folder: &std::path::Path, settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(path_of(binary));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PM_") || name.to_string_lossy().starts_with("MCP_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).envs(settings.iter().copied());
    command
}

/// The lines of a stream, read by a thread so that waiting for one can end.
#[derive(Debug)]
pub(crate) struct Lines(Mutex<Receiver<Vec<u8>>>);

impl Lines {
    /// Lines keep their line end; what follows the last one is a line without.
    pub(crate) fn of(stream: impl Read + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            loop {
                let mut line = Vec::new();
                match stream.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if sender.send(line).is_err() => return,
                    Ok(_) => {}
                }
            }
        });
        Self(Mutex::new(receiver))
    }

    fn receiver(&self) -> MutexGuard<'_, Receiver<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next line, or `None` at the end of the stream.
    pub(crate) fn next(&self) -> Option<Vec<u8>> {
        match self.receiver().recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing was written for {PATIENCE:?}"),
        }
    }

    /// What is there already.
    pub(crate) fn waiting(&self) -> Vec<Vec<u8>> {
        self.receiver().try_iter().collect()
    }

    /// Everything up to the end of the stream, as text.
    pub(crate) fn rest(&self) -> String {
        let mut all = Vec::new();
        while let Some(line) = self.next() {
            all.extend(line);
        }
        String::from_utf8_lossy(&all).into_owned()
    }
}

/// A program that ended.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it wrote to standard output that was not read before.
    pub stdout: String,
    /// What it wrote to standard error that was not read before.
    pub stderr: String,
    /// How long its end took from when it was waited for.
    pub took: Duration,
}

/// Waits for the end of a child whose output streams have their readers.
pub(crate) fn end_of(child: &mut Child, stdout: &Lines, stderr: &Lines) -> Ended {
    let begun = Instant::now();
    let (stdout, stderr) = (stdout.rest(), stderr.rest());
    let status = child.wait().expect("a child can be waited for");
    Ended { status, stdout, stderr, took: begun.elapsed() }
}

/// Asks a process to end, as an operator does.
pub(crate) fn ask_to_end(process: u32) {
    let kill = Command::new("kill").args(["-TERM", &process.to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

/// Runs a server that is to end by itself, with nothing on its standard input.
pub fn run_to_end(
    binary: Binary,
    folder: &std::path::Path,
    arguments: &[&str],
    settings: &[(&str, &str)],
) -> Ended {
    let mut command = command(binary, folder, settings);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Reaped(command.spawn().expect("the server starts"));
    let stdout = Lines::of(child.0.stdout.take().expect("a piped stream"));
    let stderr = Lines::of(child.0.stderr.take().expect("a piped stream"));
    end_of(&mut child.0, &stdout, &stderr)
}

/// A child that does not outlive its test.
#[derive(Debug)]
pub(crate) struct Reaped(pub(crate) Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        if self.0.kill().is_ok() {
            drop(self.0.wait());
        }
    }
}
