//! Statuses, their other spellings and what they mean for work.

use serde_json::Value;

/// What a status means for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the format has exactly these roles; a new one must be placed everywhere"
)]
pub enum StatusRole {
    /// Not yet meant to be worked on.
    Draft,
    /// Can be worked on.
    Active,
    /// Waits for something.
    Blocked,
    /// Finished in any way.
    Terminal,
    /// Finished by being done.
    TerminalDone,
    /// Finished by being given up.
    TerminalCanceled,
    /// What new and reopened items get.
    DefaultOpen,
    /// What closing sets.
    DefaultClose,
    /// What cancelling sets.
    DefaultCancel,
}

impl StatusRole {
    /// Reads the spelling of schema files; `None` for an unknown role.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "draft" => Self::Draft,
            "active" => Self::Active,
            "blocked" => Self::Blocked,
            "terminal" => Self::Terminal,
            "terminal_done" => Self::TerminalDone,
            "terminal_canceled" => Self::TerminalCanceled,
            "default_open" => Self::DefaultOpen,
            "default_close" => Self::DefaultClose,
            "default_cancel" => Self::DefaultCancel,
            _ => return None,
        })
    }

    /// The spelling of schema files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Blocked => "blocked",
            Self::Terminal => "terminal",
            Self::TerminalDone => "terminal_done",
            Self::TerminalCanceled => "terminal_canceled",
            Self::DefaultOpen => "default_open",
            Self::DefaultClose => "default_close",
            Self::DefaultCancel => "default_cancel",
        }
    }
}

/// One status of a workspace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Status {
    /// The id that files carry.
    pub id: String,
    /// Other spellings that mean this status.
    pub aliases: Vec<String>,
    /// What it means for work.
    pub roles: Vec<StatusRole>,
    /// Place in listings, smaller first; statuses without one follow in file order.
    pub order: Option<f64>,
    /// Whether the workspace's own schema names it.
    pub declared: bool,
}

impl Status {
    /// Whether this status has a role.
    #[must_use]
    pub fn has(&self, role: StatusRole) -> bool {
        self.roles.contains(&role)
    }
}

/// All statuses of a workspace: the built-in ones, changed and extended by its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Statuses {
    list: Vec<Status>,
}

impl Default for Statuses {
    fn default() -> Self {
        use StatusRole::{
            Active, Blocked, DefaultCancel, DefaultClose, DefaultOpen, Draft, Terminal, TerminalCanceled,
            TerminalDone,
        };
        let status = |id: &str, aliases: &[&str], roles: &[StatusRole]| Status {
            id: id.to_owned(),
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
            roles: roles.to_vec(),
            order: None,
            declared: false,
        };
        Self {
            list: vec![
                status("draft", &[], &[Draft]),
                status("open", &[], &[Active, DefaultOpen]),
                status("in_progress", &["in-progress"], &[Active]),
                status("blocked", &[], &[Blocked]),
                status("closed", &[], &[Terminal, TerminalDone, DefaultClose]),
                status("canceled", &["cancelled"], &[Terminal, TerminalCanceled, DefaultCancel]),
            ],
        }
    }
}

impl Statuses {
    /// Merges the list of a statuses file over the built-in statuses. `report` hears what could not be used.
    pub(super) fn merged(entries: &[Value], report: &mut dyn FnMut(String)) -> Self {
        let mut statuses = Self::default();
        for entry in entries {
            let Some(id) = entry.get("id").and_then(Value::as_str).map(key).filter(|id| !id.is_empty())
            else {
                report("a status has no `id`".to_owned());
                continue;
            };
            let aliases = texts(entry.get("aliases")).map(key).filter(|alias| *alias != id);
            let mut status = Status {
                id: id.clone(),
                aliases: aliases.collect(),
                roles: Vec::new(),
                order: None,
                declared: true,
            };
            for role in texts(entry.get("roles")) {
                match StatusRole::parse(role) {
                    Some(role) => status.roles.push(role),
                    None => report(format!("status `{id}` has the unknown role `{role}`")),
                }
            }
            status.order = entry.get("order").and_then(Value::as_f64);
            match statuses.list.iter_mut().find(|known| known.id == id) {
                Some(known) => {
                    for alias in core::mem::take(&mut known.aliases) {
                        if !status.aliases.contains(&alias) {
                            status.aliases.push(alias);
                        }
                    }
                    *known = status;
                }
                None => statuses.list.push(status),
            }
        }
        statuses.list.sort_by(|a, b| {
            let place = |status: &Status| status.order.unwrap_or(f64::INFINITY);
            place(a).total_cmp(&place(b))
        });
        statuses
    }

    /// All statuses in listing order.
    pub fn iter(&self) -> impl Iterator<Item = &Status> {
        self.list.iter()
    }

    /// The status that an id or alias means, in any letter case.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&Status> {
        let wanted = key(text);
        self.list
            .iter()
            .find(|status| status.id == wanted)
            .or_else(|| self.list.iter().find(|status| status.aliases.contains(&wanted)))
    }

    /// The id that an id or alias means, in any letter case; `None` for a status the workspace does not have.
    #[must_use]
    pub fn canonical(&self, text: &str) -> Option<&str> {
        self.find(text).map(|status| status.id.as_str())
    }

    /// Whether work on an item of this status is over; an unknown status is not terminal.
    #[must_use]
    pub fn is_terminal(&self, text: &str) -> bool {
        use StatusRole::{Terminal, TerminalCanceled, TerminalDone};
        self.has_any(text, &[Terminal, TerminalDone, TerminalCanceled])
    }

    /// Whether an item of this status counts as done.
    #[must_use]
    pub fn is_done(&self, text: &str) -> bool {
        self.has_any(text, &[StatusRole::TerminalDone])
    }

    /// Whether an item of this status counts as given up.
    #[must_use]
    pub fn is_canceled(&self, text: &str) -> bool {
        self.has_any(text, &[StatusRole::TerminalCanceled])
    }

    /// Whether an item of this status can be worked on.
    #[must_use]
    pub fn is_active(&self, text: &str) -> bool {
        self.has_any(text, &[StatusRole::Active])
    }

    /// Whether an item of this status waits for something.
    #[must_use]
    pub fn is_blocked(&self, text: &str) -> bool {
        self.has_any(text, &[StatusRole::Blocked])
    }

    /// Whether an item of this status is not yet meant to be worked on.
    #[must_use]
    pub fn is_draft(&self, text: &str) -> bool {
        self.has_any(text, &[StatusRole::Draft])
    }

    /// The first status with a role; one that the workspace declares wins over a built-in one.
    #[must_use]
    pub fn with_role(&self, role: StatusRole) -> Option<&str> {
        let having = |declared: bool| self.list.iter().find(move |s| s.declared == declared && s.has(role));
        having(true).or_else(|| having(false)).map(|status| status.id.as_str())
    }

    fn has_any(&self, text: &str, roles: &[StatusRole]) -> bool {
        self.find(text).is_some_and(|status| status.roles.iter().any(|role| roles.contains(role)))
    }
}

fn key(text: &str) -> String {
    text.trim().to_lowercase()
}

pub(super) fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str)
}
