//! What a status looks like.

use crate::Statuses;

/// What a picture tells apart by colour. Each is named in words too, as colours alone say nothing to some readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    Draft,
    Open,
    InProgress,
    Blocked,
    Done,
    Canceled,
    Missing,
}

/// Fill, line and text of one look, for a light and for a dark ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
    pub(super) dark_fill: &'static str,
    pub(super) dark_line: &'static str,
}

impl Look {
    pub(super) const ALL: [Self; 7] =
        [Self::InProgress, Self::Open, Self::Blocked, Self::Draft, Self::Done, Self::Canceled, Self::Missing];

    /// The look of a status; `in_progress` is the workspace's status for begun work.
    pub(super) fn of(status: Option<&str>, statuses: &Statuses, in_progress: &str) -> Self {
        let Some(status) = status else { return Self::Missing };
        if statuses.is_done(status) {
            Self::Done
        } else if statuses.is_terminal(status) {
            Self::Canceled
        } else if statuses.is_blocked(status) {
            Self::Blocked
        } else if statuses.is_draft(status) {
            Self::Draft
        } else if statuses.canonical(status) == Some(in_progress) {
            Self::InProgress
        } else {
            Self::Open
        }
    }

    /// The name of its class.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::InProgress => "progress",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Canceled => "canceled",
            Self::Missing => "missing",
        }
    }

    /// The name in the legend.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::InProgress => "in progress",
            Self::Blocked => "blocked",
            Self::Done => "done",
            Self::Canceled => "given up",
            Self::Missing => "no such item",
        }
    }

    pub(super) const fn colours(self) -> Colours {
        let (fill, line, dark_fill, dark_line) = match self {
            Self::Draft => ("#f3f4f6", "#9ca3af", "#272c34", "#7d8694"),
            Self::Open => ("#e8f1fd", "#2f6fd0", "#152a47", "#6ba1f0"),
            Self::InProgress => ("#fff3d6", "#c77d00", "#41300a", "#f0b23e"),
            Self::Blocked => ("#fde8e8", "#cf2f2f", "#47191b", "#f07a7a"),
            Self::Done => ("#e4f5e9", "#2b8a4b", "#12351f", "#56b877"),
            Self::Canceled => ("#ececec", "#8a8a8a", "#2b2b2b", "#8f8f8f"),
            Self::Missing => ("#ffffff", "#b03a8c", "#1c1720", "#d86fb6"),
        };
        Colours { fill, line, dark_fill, dark_line }
    }
}
