//! Trying one law.

use std::future::Future;
use std::time::Duration;

use crate::harness::HarnessError;
use crate::law::Law;

/// How long a check may take. A store on a slow disk needs seconds; what takes longer waits for what never comes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Tries the law of this name on the adapter that `fresh` makes, on a runtime of its own with several threads.
///
/// # Panics
///
/// With the law's id, its claim and what was seen, when the law does not hold; when there is no fresh adapter to be had.
#[expect(clippy::panic, reason = "a test says by a panic that it failed")]
pub fn hold<S: Send + 'static>(
    laws: &[Law<S>],
    name: &str,
    fresh: impl Future<Output = Result<S, HarnessError>>,
) {
    let Some(law) = laws.iter().find(|law| law.name == name) else { panic!("no law has the name {name}") };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    let runtime = runtime.unwrap_or_else(|fault| panic!("no runtime: {fault}"));
    let outcome = runtime.block_on(async {
        let subject = fresh.await.unwrap_or_else(|fault| panic!("the harness has no fresh adapter: {fault}"));
        if let Some(reason) = (law.skipped)(&subject) {
            skip(law.id, reason);
            return Ok(());
        }
        let check = tokio::time::timeout(PATIENCE, (law.check)(subject));
        check
            .await
            .map_err(|_| format!("the check did not end within {} s", PATIENCE.as_secs()))?
            .map_err(|violation| violation.seen)
    });
    if let Err(seen) = outcome {
        panic!("{} does not hold ({}): {seen}", law.id, law.claim);
    }
}

/// Says that a law does not apply.
#[expect(clippy::print_stderr, reason = "a skipped law must not look like one that holds")]
fn skip(id: &str, reason: &str) {
    eprintln!("SKIPPED {id}: {reason}");
}
