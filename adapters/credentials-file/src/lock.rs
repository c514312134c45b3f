//! Holds: in turn within the process, and by a locked file between processes.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync;
use tokio::time::sleep;

use crate::disk;
use crate::fault::Fault;

/// How long another process is let be before the lock is tried again, at first and at the most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(200));

/// Whose turn it is within this process.
#[derive(Default)]
pub(crate) struct Turns(Mutex<BTreeMap<String, Arc<sync::Mutex<()>>>>);

impl Turns {
    /// Waits for the lock of a file.
    ///
    /// The system's own way to wait cannot be given up, and a thread for each waiting call would be spent for as long as
    /// a user of another process reads a consent page. So other processes are asked again from time to time.
    pub(crate) async fn hold(&self, name: &str, path: &Path) -> Result<Held, Fault> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(name.to_owned()).or_default())
        };
        let turn = turn.lock_owned().await;
        let file = disk::lock_file(path).map_err(Fault::io("opening", path))?;
        let mut pause = PAUSES.0;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Held { _file: file, _turn: turn }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(fault)) => return Err(Fault::io("locking", path)(fault)),
            }
            sleep(pause).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }
}

/// A lock that is held; the file is closed before the next one of this process has its turn.
pub(crate) struct Held {
    _file: File,
    _turn: sync::OwnedMutexGuard<()>,
}
