//! Signals between a test and the handlers of its server.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// Opens once for each `open`; whoever passes first waits for it.
#[derive(Clone, Debug)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    pub(crate) fn open(&self) {
        self.0.add_permits(1);
    }

    pub(crate) fn is_shut(&self) -> bool {
        self.0.available_permits() == 0
    }

    pub(crate) async fn pass(&self) {
        self.0.acquire().await.unwrap().forget();
    }
}

/// Opens a gate when it is dropped: by a handler that ended, or that was given up where it waited.
#[derive(Debug)]
pub(crate) struct Watch(pub(crate) Gate);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.open();
    }
}
