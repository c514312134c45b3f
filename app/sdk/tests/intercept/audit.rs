//! What is recorded of an operation, and what never is.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use pm_mcp::AuditRecord;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::stage::{Log, Stage, logging, plain};

/// Writes the events of the audit down.
#[derive(Clone, Default)]
struct Records(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, "{}={value:?} ", field.name()).unwrap();
    }
}

impl Subscriber for Records {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "pm_mcp::audit"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn one_event_tells_of_an_operation_but_not_of_its_arguments() {
    let records = Records::default();
    let _guard = tracing::subscriber::set_default(records.clone());
    let stage = Stage::new(|builder| {
        builder.interceptor(AuditRecord::new()).tool(logging(plain("own"), &Log::default()))
    });
    stage.call("own").await;
    let secret = json!({"name": "own\nforged", "arguments": {"password": "hunter2"}});
    stage.request("tools/call", secret).await;
    let lines = records.0.lock().unwrap();
    assert_eq!(
        *lines,
        [
            "message=an operation has ended method=\"tools/call\" name=\"own\" principal=\"local:somebody\" \
             client=\"tester\" outcome=\"complete\" took_ms=0 ",
            "message=an operation has ended method=\"tools/call\" name=\"own\\nforged\" \
             principal=\"local:somebody\" client=\"tester\" outcome=\"refused\" code=-32602 took_ms=0 ",
        ]
    );
}
