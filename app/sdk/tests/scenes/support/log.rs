//! What the server tells its log, on the thread of one test: every event and every span, at every level.
//!
//! There is one subscriber for the whole program, in place before the first server is built, and it hands what it hears to
//! the log of the thread. A subscriber of each test's own would be heard by chance: whether a place in the code speaks is
//! decided once for all threads, by whoever comes there first.

use std::cell::RefCell;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, Once};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{Interest, Subscriber, set_global_default};
use tracing::{Event, Metadata};

thread_local! {
    static LINES: RefCell<Option<Lines>> = const { RefCell::new(None) };
}

/// Everything on this thread for as long as it lives.
#[derive(Debug)]
pub(crate) struct Log {
    lines: Lines,
}

type Lines = Arc<Mutex<Vec<String>>>;

impl Log {
    /// Lets the program be heard; to be called before a server is built.
    pub(crate) fn prepare() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| set_global_default(Router).unwrap());
    }

    pub(crate) fn start() -> Self {
        Self::prepare();
        let lines = Lines::default();
        LINES.set(Some(Arc::clone(&lines)));
        Self { lines }
    }

    /// The lines with this text, since the last look.
    pub(crate) fn take(&self, text: &str) -> Vec<String> {
        let mut lines = std::mem::take(&mut *self.lines.lock().unwrap());
        lines.retain(|line| line.contains(text));
        lines
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        LINES.set(None);
    }
}

struct Router;

impl Router {
    fn hear(kind: &str, record: impl FnOnce(&mut Line)) {
        // A thread that ends has no log any more.
        let lines = LINES.try_with(|lines| lines.borrow().clone()).ok().flatten();
        if let Some(lines) = lines {
            let mut line = Line(kind.to_owned());
            record(&mut line);
            lines.lock().unwrap().push(line.0);
        }
    }
}

impl Subscriber for Router {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::always()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        Self::hear(&format!("SPAN {}", attributes.metadata().name()), |line| attributes.record(line));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        Self::hear("SPAN", |line| values.record(line));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        Self::hear(event.metadata().level().as_str(), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}
