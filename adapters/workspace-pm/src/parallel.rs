//! The same work on many files, on a few threads.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use pm_tracker_ports::ReadError;

/// Below this many pieces one thread is faster than starting more.
const WORTH_THREADS: usize = 16;

/// Applies `work` to every piece and gives the results in the order of the pieces. `work` may give up on a piece with
/// `None`, which is then left out.
pub(crate) fn for_each<T: Sync, R: Send>(
    pieces: &[T],
    work: impl Fn(&T) -> Option<R> + Sync,
) -> Result<Vec<R>, ReadError> {
    let threads = thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
    if pieces.len() < WORTH_THREADS || threads == 1 {
        return Ok(pieces.iter().filter_map(work).collect());
    }
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(at) else { return done };
            if let Some(result) = work(piece) {
                done.push((at, result));
            }
        }
    };
    let mut results = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        let mut results = Vec::with_capacity(pieces.len());
        for worker in workers {
            let done = worker.join().map_err(|_panic| ReadError::Unavailable {
                detail: "a reading thread stopped unexpectedly".to_owned(),
            })?;
            results.extend(done);
        }
        Ok::<_, ReadError>(results)
    })?;
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
