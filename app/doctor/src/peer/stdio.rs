//! A server on its standard streams.

use core::time::Duration;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::{Heard, LONGEST, Unheard};

/// How much of what a server logs is kept to explain its end.
const LOG_TAIL: usize = 2_000;

/// A child process. It is killed when the value is dropped.
#[derive(Debug)]
pub(crate) struct StdioPeer {
    child: Child,
    input: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    log: Arc<Mutex<String>>,
    patience: Duration,
}

impl StdioPeer {
    pub(crate) fn start(program: &str, arguments: &[String], patience: Duration) -> Result<Self, Unheard> {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| Unheard::Unreachable(format!("`{program}` cannot be started: {error}")))?;
        let (sender, lines) = mpsc::channel(64);
        if let Some(output) = child.stdout.take() {
            tokio::spawn(async move {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    let most = u64::try_from(LONGEST).unwrap_or(u64::MAX);
                    match (&mut output).take(most).read_until(b'\n', &mut line).await {
                        Ok(0) | Err(_) => return,
                        Ok(_) => {
                            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                            if sender.send(line).await.is_err() {
                                return;
                            }
                        }
                    }
                }
            });
        }
        let log = Arc::<Mutex<String>>::default();
        if let Some(errors) = child.stderr.take() {
            let log = Arc::clone(&log);
            tokio::spawn(async move {
                let mut errors = BufReader::new(errors);
                let mut piece = vec![0; 4096];
                while let Ok(count @ 1..) = errors.read(&mut piece).await {
                    let text = String::from_utf8_lossy(piece.get(..count).unwrap_or_default()).into_owned();
                    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
                    log.push_str(&text);
                    let surplus = log.len().saturating_sub(LOG_TAIL);
                    let start = (surplus..log.len()).find(|at| log.is_char_boundary(*at)).unwrap_or_default();
                    log.drain(..start);
                }
            });
        }
        let input = child.stdin.take();
        Ok(Self { child, input, lines, log, patience })
    }

    /// Sends one line and waits for the answer to `id`, or for any error.
    pub(crate) async fn send(&mut self, text: &str, id: Option<u64>) -> Result<Heard, Unheard> {
        let began = Instant::now();
        self.write(text).await?;
        let mut heard = Heard::default();
        loop {
            let left = self.patience.saturating_sub(began.elapsed());
            let line = match timeout(left, self.lines.recv()).await {
                Err(_) => return Err(Unheard::Silent(self.patience)),
                Ok(None) => return Err(self.ended().await),
                Ok(Some(line)) => line,
            };
            match serde_json::from_str::<Value>(&line) {
                Ok(message) if message.is_object() => {
                    let is_answer = message.get("method").is_none();
                    let own = message.get("id").and_then(Value::as_u64) == id && id.is_some();
                    let error =
                        message.get("error").is_some() && !message.get("id").is_some_and(Value::is_u64);
                    heard.messages.push(message);
                    if is_answer && (own || error) {
                        heard.took = began.elapsed();
                        return Ok(heard);
                    }
                }
                Ok(_) | Err(_) => {
                    if !line.is_empty() && heard.stray.len() < LOG_TAIL {
                        heard.stray.push_str(&line);
                        heard.stray.push('\n');
                    }
                }
            }
        }
    }

    /// Sends one line that has no answer.
    pub(crate) async fn tell(&mut self, text: &str) -> Result<Heard, Unheard> {
        self.write(text).await?;
        Ok(Heard::default())
    }

    /// Ends the server's input; says whether it ended by itself, and how.
    pub(crate) async fn end(mut self) -> Result<Option<i32>, Unheard> {
        drop(self.input.take());
        match timeout(self.patience, self.child.wait()).await {
            Ok(Ok(status)) => Ok(status.code()),
            Ok(Err(error)) => Err(Unheard::Ended(format!(": {error}"))),
            Err(_) => Err(Unheard::Silent(self.patience)),
        }
    }

    /// The last of what the server logged.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned()
    }

    async fn write(&mut self, text: &str) -> Result<(), Unheard> {
        let Some(input) = &mut self.input else { return Err(Unheard::Ended(String::new())) };
        let line = format!("{text}\n");
        let written = async {
            input.write_all(line.as_bytes()).await?;
            input.flush().await
        };
        match timeout(self.patience, written).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.ended().await),
            Err(_) => Err(Unheard::Silent(self.patience)),
        }
    }

    async fn ended(&mut self) -> Unheard {
        let status = timeout(Duration::from_secs(1), self.child.wait()).await;
        let mut words = match status {
            Ok(Ok(status)) => format!(", with {status}"),
            Ok(Err(_)) | Err(_) => String::new(),
        };
        let log = self.log();
        if let Some(last) = log.lines().last() {
            words.push_str(&format!("; it logged: {last}"));
        }
        Unheard::Ended(words)
    }
}
