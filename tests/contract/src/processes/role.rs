//! The processes that a test starts.

use super::counters;
use super::harness::{StoreAtPlace, in_the_way, runtime};
use super::lives;
use crate::law::Violation;

const ROLE: &str = "PM_CONTRACT_ROLE";
const PLACE: &str = "PM_CONTRACT_PLACE";
const NUMBER: &str = "PM_CONTRACT_NUMBER";

/// What a process is started for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Lives of records, until it is killed; the number tells the rounds apart.
    Lives,
    /// Adding to counters, as often as the number says.
    Counting,
}

pub(super) fn environment(role: Role, place: &str, number: usize) -> [(&'static str, String); 3] {
    [(ROLE, format!("{role:?}")), (PLACE, place.to_owned()), (NUMBER, number.to_string())]
}

/// Does the work of a process that a [`ProcessTest`](super::ProcessTest) started, if this is one; says whether it was.
///
/// [`ProcessTest`](super::ProcessTest) asks by itself. Whoever prepares something before, such as a folder, or has a `main`
/// of its own, asks first and returns when it was.
///
/// # Panics
///
/// When the store fails; the process that started this one then sees that it ended by itself.
#[expect(clippy::panic, reason = "the process ends by it, and whoever started it sees that")]
pub fn work_as_child<S: StoreAtPlace>(store: &S) -> bool {
    match work(store) {
        Ok(worked) => worked,
        Err(violation) => panic!("{violation}"),
    }
}

fn work<S: StoreAtPlace>(store: &S) -> Result<bool, Violation> {
    let Ok(role) = std::env::var(ROLE) else { return Ok(false) };
    let place = std::env::var(PLACE)?;
    let number: usize = std::env::var(NUMBER)?.parse()?;
    runtime()?.block_on(async {
        let store = store.open(&place).await.map_err(in_the_way)?;
        if role == format!("{:?}", Role::Lives) {
            lives::live(store, u64::try_from(number)?).await?;
        } else {
            counters::count(store, number).await?;
        }
        Ok(true)
    })
}
