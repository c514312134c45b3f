//! What the server tells its log, on the thread of one test.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Subscriber, set_default};
use tracing::{Event, Metadata};

/// Every event on this thread for as long as it lives.
#[derive(Debug)]
pub(crate) struct Log {
    lines: Lines,
    _guard: DefaultGuard,
}

#[derive(Clone, Default, Debug)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn start() -> Self {
        let lines = Lines::default();
        Self { _guard: set_default(lines.clone()), lines }
    }

    /// The lines with this text, since the last look.
    pub(crate) fn take(&self, text: &str) -> Vec<String> {
        let mut lines = std::mem::take(&mut *self.lines.0.lock().unwrap());
        lines.retain(|line| line.contains(text));
        lines
    }
}

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
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
