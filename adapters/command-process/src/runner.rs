//! The runner.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use pm_tracker_ports::{CommandEnd, CommandOrder, CommandOutcome, CommandRunner};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout};

use crate::end::Group;
use crate::tail::{Tail, read_tail};

/// How long a command whose time is up may take to end by itself.
pub const GRACE: Duration = Duration::from_secs(2);

/// How long output is waited for after a command has ended: what it left in the background may hold the streams open.
const LAST_OUTPUT: Duration = Duration::from_millis(300);

/// Runs commands in one folder.
#[derive(Debug, Clone)]
pub struct ProcessRunner {
    folder: PathBuf,
}

impl ProcessRunner {
    /// Runs commands in the repository root.
    #[must_use]
    pub const fn new(repository: PathBuf) -> Self {
        Self { folder: repository }
    }

    fn command(&self, order: &CommandOrder) -> Command {
        let mut command = shell(&order.command);
        command
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        for (name, _) in std::env::vars_os() {
            if is_private(&name.to_string_lossy()) {
                command.env_remove(name);
            }
        }
        for name in &order.env_clear {
            command.env_remove(name);
        }
        command.envs(order.env_set.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// The server's own settings: some are secrets, and the others would steer servers that a test starts.
fn is_private(name: &str) -> bool {
    name.starts_with("PM_") || name.starts_with("MCP_")
}

#[cfg(unix)]
fn shell(text: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(text);
    command
}

#[cfg(not(unix))]
fn shell(text: &str) -> Command {
    let mut command = Command::new("cmd");
    command.arg("/C").arg(text);
    command
}

#[async_trait]
impl CommandRunner for ProcessRunner {
    async fn run(&self, order: CommandOrder) -> CommandEnd {
        let began = Instant::now();
        let mut out = Tail::of(order.tail_bytes);
        let mut errors = Tail::of(order.tail_bytes);
        let outcome = match self.command(&order).spawn() {
            Err(error) => CommandOutcome::NotStarted { detail: error.to_string() },
            Ok(child) => wait(child, order.time_limit, &mut out, &mut errors).await,
        };
        CommandEnd {
            outcome,
            took: began.elapsed(),
            stdout_tail: out.into_text(),
            stderr_tail: errors.into_text(),
        }
    }
}

async fn wait(mut child: Child, limit: Duration, out: &mut Tail, errors: &mut Tail) -> CommandOutcome {
    // Dropped at the end, and when nobody waits any more: nothing that the command started outlives it.
    let group = Group::led_by(child.id());
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let reading = async {
        tokio::join!(
            async {
                if let Some(stream) = stdout {
                    read_tail(stream, out).await;
                }
            },
            async {
                if let Some(stream) = stderr {
                    read_tail(stream, errors).await;
                }
            }
        );
    };
    tokio::pin!(reading);
    let ended = async {
        let mut drained = false;
        let status = loop {
            tokio::select! {
                status = child.wait() => break status,
                () = &mut reading, if !drained => drained = true,
            }
        };
        if !drained {
            // What is still open then is held by something in the background.
            let _still_open = timeout(LAST_OUTPUT, &mut reading).await;
        }
        status
    };
    match timeout(limit, ended).await {
        Ok(Ok(status)) => outcome_of(status),
        Ok(Err(error)) => CommandOutcome::NotStarted { detail: error.to_string() },
        Err(_) => {
            group.ask_to_end();
            let _ended_or_killed_below = timeout(GRACE, child.wait()).await;
            let _still_open = timeout(LAST_OUTPUT, &mut reading).await;
            CommandOutcome::TimedOut
        }
    }
}

#[cfg(unix)]
fn outcome_of(status: ExitStatus) -> CommandOutcome {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandOutcome::Exited { code },
        (None, Some(signal)) => CommandOutcome::Signalled { signal },
        (None, None) => CommandOutcome::NotStarted { detail: "it ended in no way that is known".to_owned() },
    }
}

#[cfg(not(unix))]
fn outcome_of(status: ExitStatus) -> CommandOutcome {
    CommandOutcome::Exited { code: status.code().unwrap_or(-1) }
}
