//! The numbers of a server, under the names that operators know them by.

use pm_mcp_domain::limit::Limit;
use pm_mcp_ports::driving::{Figure, FigureKind};

use crate::core::Core;
use crate::hub::HubCounts;
use crate::tasks::TaskCounts;

const LIMITS: &str = "How often a limit was reached, by its name.";
const SERVED: &str = "Requests that are being served, streams not counted.";
const OPEN: &str = "Subscription streams that are open.";
const OPENED: &str = "Subscription streams that were opened.";
const ENDED: &str = "Subscription streams that ended, by the reason.";
const CHANGES: &str = "Changes for subscription streams, once for each stream, by what became of them.";
const AT_WORK: &str = "Tasks that this process works on.";
const TASKS: &str = "How often a task entered a state, as this process stored it.";

impl Core {
    pub(crate) fn figures(&self) -> Vec<Figure> {
        let counter = |name, meaning, label, value| Figure {
            name,
            meaning,
            kind: FigureKind::Counter,
            label: Some(label),
            value,
        };
        let gauge =
            |name, meaning, value| Figure { name, meaning, kind: FigureKind::Gauge, label: None, value };
        let mut figures = vec![gauge("pm_mcp_requests_in_service", SERVED, self.load.now())];
        for limit in Limit::ALL {
            let label = ("limit", limit.name());
            figures.push(counter("pm_mcp_limit_reached_total", LIMITS, label, self.limit_counts.read(limit)));
        }
        let HubCounts {
            open,
            opened,
            refused: _,
            closed,
            peer_gone,
            missed_deadline,
            overflowed,
            abandoned,
            queued,
            merged,
            sent,
        } = self.hub.counts();
        figures.push(gauge("pm_mcp_streams_open", OPEN, open));
        figures.push(Figure {
            name: "pm_mcp_streams_opened_total",
            meaning: OPENED,
            kind: FigureKind::Counter,
            label: None,
            value: opened,
        });
        for (reason, value) in [
            ("closed", closed),
            ("peer_gone", peer_gone),
            ("write_deadline", missed_deadline),
            ("queue_overflow", overflowed),
            ("abandoned", abandoned),
        ] {
            figures.push(counter("pm_mcp_streams_ended_total", ENDED, ("reason", reason), value));
        }
        for (what, value) in [("queued", queued), ("merged", merged), ("sent", sent)] {
            figures.push(counter("pm_mcp_stream_changes_total", CHANGES, ("what", what), value));
        }
        if let Some(tasks) = &self.tasks {
            let TaskCounts { at_work, created, input_required, completed, failed, cancelled, removed } =
                tasks.counts();
            figures.push(gauge("pm_mcp_tasks_at_work", AT_WORK, at_work));
            for (state, value) in [
                ("created", created),
                ("input_required", input_required),
                ("completed", completed),
                ("failed", failed),
                ("cancelled", cancelled),
                ("removed", removed),
            ] {
                figures.push(counter("pm_mcp_tasks_total", TASKS, ("state", state), value));
            }
        }
        figures
    }
}
