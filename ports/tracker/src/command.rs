//! The port by which the tracker runs linked commands.

use core::fmt::Debug;
use core::time::Duration;

use async_trait::async_trait;

/// How much of each output stream is kept unless told, in bytes.
pub const TAIL_BYTES: usize = 16 << 10;

/// How long a command may run unless told.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// A command to run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain arguments")]
pub struct CommandOrder {
    /// The command, as a shell reads it.
    pub command: String,
    /// How long it may run.
    pub time_limit: Duration,
    /// How much of the end of each output stream is kept, in bytes.
    pub tail_bytes: usize,
    /// Variables to set.
    pub env_set: Vec<(String, String)>,
    /// Variables to take out.
    pub env_clear: Vec<String>,
}

impl CommandOrder {
    /// A command with the usual limits.
    #[must_use]
    pub fn of(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            time_limit: TIME_LIMIT,
            tail_bytes: TAIL_BYTES,
            env_set: Vec::new(),
            env_clear: Vec::new(),
        }
    }
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "reports name each case")]
pub enum CommandOutcome {
    /// By itself.
    Exited {
        /// Its exit status; 0 is success.
        code: i32,
    },
    /// By a signal that did not come from the runner.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// Because its time was up.
    TimedOut,
    /// It never began.
    NotStarted {
        /// The system's words.
        detail: String,
    },
}

/// A command that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct CommandEnd {
    /// How.
    pub outcome: CommandOutcome,
    /// How long it took.
    pub took: Duration,
    /// The end of what it wrote to standard output; what is not UTF-8 is replaced.
    pub stdout_tail: String,
    /// The end of what it wrote to standard error, likewise.
    pub stderr_tail: String,
}

/// Runs commands that people linked to items, in the repository of one workspace.
///
/// - `CR-01`: a command gets no input.
/// - `CR-02`: with the end of a command, however it comes, everything that it started ends.
/// - `CR-03`: dropping the future ends the command as if its time were up.
/// - `CR-04`: memory is bounded by the tails, however much a command writes.
///
/// Whether a command may be run at all is not decided here. Not promised: that a command cannot reach outside the
/// repository.
#[async_trait]
pub trait CommandRunner: Debug + Send + Sync + 'static {
    /// Runs a command to its end.
    async fn run(&self, order: CommandOrder) -> CommandEnd;
}
