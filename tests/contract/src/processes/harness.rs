//! What a test of several processes needs to know.

use std::fmt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_ports::driven::TaskStore;

use crate::harness::HarnessError;
use crate::law::Violation;

use super::role::{self, Role};

/// A store that any process can open by a text that names its place, such as a folder or a URL.
#[async_trait]
pub trait StoreAtPlace: Send + Sync + 'static {
    /// Opens the store, and makes it if it is not there.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being opened; the test fails with it.
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError>;

    /// Waits until what a killed process had begun has had its effect or none: with a server behind the store a statement
    /// may still be under way. For a store that works in its own process there is nothing to wait for.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being found out; the test fails with it.
    async fn settle(&self, place: &str) -> Result<(), HarnessError>;
}

/// A test that starts itself again as other processes.
///
/// A process that was started so does its work and ends within the call of [`kill`](Self::kill) or
/// [`share`](Self::share). What stands before that call is done in each process, unless
/// [`work_as_child`](super::work_as_child) is asked first.
#[derive(Clone)]
pub struct ProcessTest<S> {
    pub(super) store: S,
    test: &'static str,
    pub(super) place: String,
}

impl<S: StoreAtPlace> ProcessTest<S> {
    /// The test with the path `test` within its binary, as `cargo test` lists it, on the store at `place`.
    pub fn new(store: S, test: &'static str, place: impl Into<String>) -> Self {
        Self { store, test, place: place.into() }
    }

    pub(super) fn start(&self, role: Role, number: usize) -> Result<Child, Violation> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--exact", self.test, "--nocapture"]);
        for (name, value) in role::environment(role, &self.place, number) {
            command.env(name, value);
        }
        Ok(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?)
    }

    /// Opens the store and looks at it, on a runtime that ends with that.
    pub(super) fn look<T>(
        &self,
        look: impl AsyncFnOnce(Arc<dyn TaskStore>) -> Result<T, Violation>,
    ) -> Result<T, Violation> {
        runtime()?.block_on(async {
            self.store.settle(&self.place).await.map_err(in_the_way)?;
            look(self.store.open(&self.place).await.map_err(in_the_way)?).await
        })
    }
}

impl<S> fmt::Debug for ProcessTest<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { store: _, test, place: _ } = self;
        f.debug_struct("ProcessTest").field("test", test).finish_non_exhaustive()
    }
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Violation> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?)
}

/// What a harness says as what was seen.
pub(super) fn in_the_way(fault: HarnessError) -> Violation {
    Violation::new(format!("the harness failed: {fault:?}"))
}
