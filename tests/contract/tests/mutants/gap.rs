//! A moment between two steps in which callers meet, so that a wrong adapter is wrong on any machine.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How often one that is alone lets others run before it goes on.
const PATIENCE: usize = 10_000;

/// The place where a faulty adapter stops between its look and its write.
#[derive(Debug)]
pub(crate) struct Gap(AtomicUsize);

impl Gap {
    pub(crate) const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// Waits until another caller is in the gap too, or for as long as anybody could have come.
    pub(crate) async fn pass(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        for _ in 0..PATIENCE {
            if self.0.load(Ordering::SeqCst) > 1 {
                break;
            }
            tokio::task::yield_now().await;
        }
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
