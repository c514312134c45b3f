//! How many operations may be worked on at a time.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pm_mcp_ports::feature::{HandlerFault, Interceptor, Operation, Pass};
use tokio::sync::Semaphore;

use super::bounded::is_bounded;

/// Lets no more than so many calls, reads, prompts, completions and resource lists be worked on at a time. A place is
/// held until the operation ends, or the task that a call became. Who finds no place waits in a line of bounded length,
/// first come first served, or is refused with an error that names the limit.
///
/// Clones share their places, so that several tools can share one limit:
///
/// ```
/// use pm_mcp::{ConcurrencyLimit, Context, NoArguments, Output, Server, ToolError, tool};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let printer = ConcurrencyLimit::new("printer", 1.try_into()?).with_line(8);
/// let print = |name: &str| {
///     tool(name, "Prints.").interceptor(printer.clone()).handler(|_: Context, _: NoArguments| async {
///         Ok::<_, ToolError>(Output::text("printed"))
///     })
/// };
/// let server = Server::builder("print", "1.0.0").tool(print("text")).tool(print("picture")).build()?;
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit {
    name: String,
    places: usize,
    line: usize,
    free: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

impl ConcurrencyLimit {
    /// A limit of so many places without a line. Callers and operators know it by `name`.
    pub fn new(name: impl Into<String>, places: NonZeroUsize) -> Self {
        let places = places.get().min(Semaphore::MAX_PERMITS);
        Self {
            name: name.into(),
            places,
            line: 0,
            free: Arc::new(Semaphore::new(places)),
            waiting: Arc::default(),
        }
    }

    /// Lets so many wait for a place; whoever comes then is refused.
    #[must_use]
    pub fn with_line(self, line: usize) -> Self {
        Self { line, ..self }
    }

    fn busy(&self) -> HandlerFault {
        let Self { name, places, line, .. } = self;
        let waiting = match line {
            0 => String::new(),
            line => format!(" and {line} wait"),
        };
        HandlerFault::Busy(format!(
            "{places} operations are worked on{waiting} (limit {name}); try again when others have ended"
        ))
    }
}

#[async_trait]
impl Interceptor for ConcurrencyLimit {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        if !is_bounded(operation) {
            return Ok(Pass::new());
        }
        let place = match Arc::clone(&self.free).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                let _in_line = InLine::join(&self.waiting, self.line).ok_or_else(|| self.busy())?;
                Arc::clone(&self.free).acquire_owned().await.map_err(HandlerFault::internal)?
            }
        };
        Ok(Pass::new().holding(place))
    }
}

/// One who waits; leaving the line is dropping this.
struct InLine<'a>(&'a AtomicUsize);

impl<'a> InLine<'a> {
    fn join(waiting: &'a AtomicUsize, line: usize) -> Option<Self> {
        let longer = |length: usize| (length < line).then(|| length + 1);
        waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, longer).ok().map(|_| Self(waiting))
    }
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
