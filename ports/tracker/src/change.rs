//! The port by which the tracker hears that a workspace may have changed.

use core::fmt::Debug;

use async_trait::async_trait;

/// Which parts of a workspace a burst of changes may have touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts that adapters fill in")]
pub struct Touched {
    /// Items, histories, settings or schema: all that a snapshot holds.
    pub snapshot: bool,
    /// The session file.
    pub session: bool,
    /// The repository's guide for agents.
    pub guide: bool,
    /// The repository's skills.
    pub skills: bool,
}

impl Touched {
    /// Everything, as when changes were lost count of.
    pub const ALL: Self = Self { snapshot: true, session: true, guide: true, skills: true };

    /// Whether no part was touched.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        !(self.snapshot || self.session || self.guide || self.skills)
    }

    /// What either of two bursts touched.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            snapshot: self.snapshot || other.snapshot,
            session: self.session || other.session,
            guide: self.guide || other.guide,
            skills: self.skills || other.skills,
        }
    }
}

/// How a source learns of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "health names each case")]
pub enum WatchMode {
    /// The operating system tells.
    Told,
    /// Nobody tells: somebody has to look every now and then.
    Looking {
        /// Why nobody tells, in words.
        reason: String,
    },
}

/// Hears that one workspace may have changed. It does not say what changed: readers look and compare.
///
/// - `CS-01`: a change that is complete after a call began is reported by this call or a later one.
/// - `CS-02`: changes that follow each other closely are reported together.
/// - `CS-03`: a report without a change is allowed, a change without a report is not.
/// - `CS-04`: dropping the future loses nothing.
/// - `CS-05`: the first report says that everything may have changed: whoever listens has looked before.
///
/// One caller at a time. Not promised: that a report follows a change within a fixed time, or that parts are told
/// apart in every case.
#[async_trait]
pub trait ChangeSource: Debug + Send + Sync + 'static {
    /// Waits until something may have changed; `None` once nothing will ever be reported again.
    async fn next(&self) -> Option<Touched>;

    /// How changes are learnt of at the moment.
    fn mode(&self) -> WatchMode;
}
