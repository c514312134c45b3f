//! Locks as files, understood by every program that writes the format.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use pm_tracker_domain::{Settings, Timestamp};
use pm_tracker_ports::WriteError;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    disk::{Disk, DiskError, hex, random},
    step::WriteStep,
};
use crate::stamp::Stamp;

/// The lock of whoever makes several changes.
pub(super) const TRANSACTION: &str = "sdk-workspace-transaction";

const FIRST_PAUSE_MS: u64 = 25;
const LONGEST_PAUSE_MS: u64 = 200;
const MAX_STALE_REMOVALS: usize = 3;
const RETRY_AFTER_MS: u64 = 250;
/// Age of a cleaning-up folder from which its owner counts as gone.
const GATE_STALE_MS: i64 = 10_000;
/// How often a lock without content is looked at before it counts as malformed: its owner may be about to write it.
const LOOKS_AT_EMPTY: u32 = 4;

/// Who takes locks, and how hard.
#[derive(Debug, Clone)]
pub(super) struct LockTaker<'a> {
    pub(super) disk: &'a Disk,
    pub(super) owner: &'a str,
    pub(super) settings: &'a Settings,
    pub(super) wait: Duration,
    pub(super) force: bool,
    pub(super) clock: Elapsed,
}

/// The time of a change: what its caller said, and what passed since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elapsed {
    pub(super) said: Timestamp,
    pub(super) since: Instant,
}

impl Elapsed {
    pub(super) fn new(said: Timestamp) -> Self {
        Self { said, since: Instant::now() }
    }

    /// The time now.
    pub(super) fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.since.elapsed().as_millis()).unwrap_or(0);
        Timestamp::from_unix_ms(self.said.as_unix_ms().saturating_add(passed))
    }
}

/// A held lock; dropping it releases it.
#[derive(Debug)]
pub(super) struct Lock {
    place: PathBuf,
    content: String,
    disk: Disk,
    /// Whether it had to be waited for.
    pub(super) waited: bool,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Somebody may have taken it for stale; what is theirs must stay.
        if fs::read_to_string(&self.place).is_ok_and(|content| content == self.content) {
            let _stale_soon = fs::remove_file(&self.place);
        }
        let _too_late_to_fail = self.disk.step("locks", WriteStep::LockReleased);
    }
}

/// What a lock file says.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    Gone,
    /// Empty or not what locks hold.
    Malformed,
    Held {
        owner: String,
        created_ms: Option<i64>,
    },
}

impl LockTaker<'_> {
    /// Takes a lock, waiting for it as long as the settings say.
    pub(super) fn take(&self, name: &str) -> Result<Lock, WriteError> {
        let path = format!("locks/{name}.lock");
        let place = self.disk.place(&path)?;
        let begun = Instant::now();
        let mut pause = FIRST_PAUSE_MS;
        let mut removals = 0;
        let mut waited = false;
        loop {
            if let Some(content) = self.create(name, &path, &place)? {
                let lock = Lock { place, content, disk: self.disk.clone(), waited };
                self.disk.step(&path, WriteStep::LockTaken)?;
                return Ok(lock);
            }
            let mut found = look(&place);
            if self.is_stale(&found) {
                match self.clean_up(&place, &mut found) {
                    Cleaned::Removed => {
                        removals += 1;
                        if removals > MAX_STALE_REMOVALS {
                            return Err(conflict(name, &found, false));
                        }
                        continue;
                    }
                    Cleaned::Gone => continue,
                    Cleaned::NeedsForce => return Err(conflict(name, &found, true)),
                    Cleaned::Busy => {}
                }
            }
            let left = self.wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Err(conflict(name, &found, false));
            }
            waited = true;
            thread::sleep(jittered(pause)?.min(left));
            pause = (pause * 2).min(LONGEST_PAUSE_MS);
        }
    }

    /// Makes the lock file with its content in one step, so that nobody sees it empty. `None` if there is one.
    fn create(&self, name: &str, path: &str, place: &Path) -> Result<Option<String>, DiskError> {
        let members = json!({
            "id": name,
            "pid": std::process::id(),
            "owner": self.owner,
            "created_at": self.clock.now().to_string(),
            "ttl_seconds": self.settings.lock_ttl_seconds,
        });
        let content = serde_json::to_string_pretty(&members)
            .map(|text| text + "\n")
            .map_err(|error| DiskError::new(path, error.into()))?;
        if place.exists() {
            return Ok(None);
        }
        let random = hex(&random::<6>()?);
        let staged = place.with_file_name(format!(".{name}.lock.{}.{random}.tmp", std::process::id()));
        fs::write(&staged, &content).map_err(|source| DiskError::new(path, source))?;
        let linked = match fs::hard_link(&staged, place) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(_) => exclusively(place, &content),
            Ok(()) => Ok(Some(())),
        };
        let _only_litter = fs::remove_file(&staged);
        Ok(linked.map_err(|source| DiskError::new(path, source))?.map(|()| content))
    }

    fn is_stale(&self, found: &Found) -> bool {
        match found {
            Found::Gone => false,
            Found::Malformed => true,
            Found::Held { created_ms, .. } => {
                let limit =
                    i64::try_from(self.settings.lock_ttl_seconds).unwrap_or(i64::MAX).saturating_mul(1000);
                created_ms.is_none_or(|created| self.clock.now().as_unix_ms().saturating_sub(created) > limit)
            }
        }
    }

    /// Removes a stale lock, alone with it.
    fn clean_up(&self, place: &Path, found: &mut Found) -> Cleaned {
        let Some(gate) = Gate::enter(place, self.clock.now()) else { return Cleaned::Busy };
        *found = look(place);
        let cleaned = if *found == Found::Gone {
            Cleaned::Gone
        } else if !self.is_stale(found) {
            Cleaned::Busy
        } else if self.settings.governance.force_for_stale_lock && !self.force {
            Cleaned::NeedsForce
        } else if fs::remove_file(place).is_ok() {
            Cleaned::Removed
        } else {
            Cleaned::Busy
        };
        drop(gate);
        cleaned
    }
}

enum Cleaned {
    Removed,
    Gone,
    Busy,
    NeedsForce,
}

/// Where links cannot be made.
fn exclusively(place: &Path, content: &str) -> io::Result<Option<()>> {
    use io::Write as _;
    match fs::OpenOptions::new().write(true).create_new(true).open(place) {
        Ok(mut file) => file.write_all(content.as_bytes()).map(Some),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a lock. Other programs make the file first and write it then, so an empty one is looked at again.
fn look(place: &Path) -> Found {
    let mut found = read(place);
    for _ in 1..LOOKS_AT_EMPTY {
        if found != Found::Malformed {
            break;
        }
        thread::sleep(Duration::from_millis(FIRST_PAUSE_MS));
        found = read(place);
    }
    found
}

fn read(place: &Path) -> Found {
    let text = match fs::read_to_string(place) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Found::Gone,
        Err(_) => return Found::Malformed,
    };
    let Ok(Value::Object(members)) = serde_json::from_str(&text) else { return Found::Malformed };
    let text = |key: &str| members.get(key).and_then(Value::as_str);
    let number = |key: &str| members.get(key).is_some_and(Value::is_number);
    match (text("id"), text("owner"), text("created_at")) {
        (Some(_), Some(owner), Some(created)) if number("pid") && number("ttl_seconds") => Found::Held {
            owner: owner.to_owned(),
            created_ms: Timestamp::parse(created).map(Timestamp::as_unix_ms),
        },
        _ => Found::Malformed,
    }
}

fn conflict(name: &str, found: &Found, stale: bool) -> WriteError {
    let owner = match found {
        Found::Held { owner, .. } => owner.clone(),
        Found::Gone | Found::Malformed => String::new(),
    };
    WriteError::Locked { name: name.to_owned(), owner, stale, retry_after_ms: RETRY_AFTER_MS }
}

/// Half to one and a half of a pause, so that those who wait do not come back together.
fn jittered(pause: u64) -> Result<Duration, DiskError> {
    let [byte] = random::<1>()?;
    Ok(Duration::from_millis((pause / 2 + pause * u64::from(byte) / 255).max(1)))
}

/// The right to remove a stale lock: a folder that only one can make.
#[derive(Debug)]
struct Gate {
    folder: PathBuf,
    token: String,
}

impl Gate {
    fn enter(lock: &Path, now: Timestamp) -> Option<Self> {
        let mut folder = lock.as_os_str().to_owned();
        folder.push(".stale-cleanup");
        let folder = PathBuf::from(folder);
        let token = hex(&random::<16>().ok()?);
        if let Some(gate) = Self::make(&folder, &token) {
            return Some(gate);
        }
        // Whoever made it is gone if nothing happened for long; the rest of his work is done anew.
        let made_ms = Stamp::of(&fs::metadata(&folder).ok()?).modified_ms;
        let age_ms = now.as_unix_ms().saturating_sub(made_ms);
        if age_ms > GATE_STALE_MS && fs::remove_dir_all(&folder).is_ok() {
            return Self::make(&folder, &token);
        }
        None
    }

    fn make(folder: &Path, token: &str) -> Option<Self> {
        fs::create_dir(folder).ok()?;
        let owner = json!({"pid": std::process::id(), "token": token}).to_string() + "\n";
        if fs::write(folder.join("owner.json"), owner).is_err() {
            let _only_litter = fs::remove_dir_all(folder);
            return None;
        }
        Some(Self { folder: folder.to_owned(), token: token.to_owned() })
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        let owner = fs::read_to_string(self.folder.join("owner.json"));
        if owner.is_ok_and(|owner| owner.contains(&self.token)) {
            let _only_litter = fs::remove_dir_all(&self.folder);
        }
    }
}
