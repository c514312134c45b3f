//! How much the server takes on.

use std::time::Duration;

use pm_mcp::{HttpLimits, Limits, StdioLimits, TaskLimits, TaskQuota};

use super::fault::SettingFault;
use super::limit_table as table;
use super::read::Source;
use super::value::{number_between, whole_number};

/// Every limit that can be set, the others at their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LimitChoice {
    /// Those of the engine.
    pub server: Limits,
    /// How large a task may grow.
    pub task: TaskLimits,
    /// How many tasks one caller may have.
    pub quota: TaskQuota,
    /// Those of the stdio transport.
    pub stdio: StdioLimits,
    /// Those of the HTTP transport.
    pub http: HttpLimits,
}

/// More of anything than a server can have.
const MOST: u64 = 1 << 31;
const DAY_MS: u64 = 24 * 3_600_000;
/// A record of a task has 16 MiB at the most, and is more than its result.
const LONGEST_RESULT: u64 = 15 << 20;
/// More would let one message take most of the memory of a small machine.
const LONGEST_MESSAGE: u64 = 1 << 30;
const DEEPEST: u64 = 128;
/// What the HTTP library keeps at the least.
const SHORTEST_HEAD: u64 = 8192;

impl LimitChoice {
    pub(super) fn read(source: &Source<'_>) -> Result<Self, SettingFault> {
        let count = |setting, highest, default: usize| {
            let number = source.parsed(setting, |text| whole_number(text, highest))?;
            Ok(number.map_or(default, |number| usize::try_from(number).unwrap_or(usize::MAX)))
        };
        let time = |setting, default: Duration| {
            let ms = source.parsed(setting, |text| whole_number(text, DAY_MS))?;
            Ok(ms.map_or(default, Duration::from_millis))
        };
        let (mut server, mut stdio, mut http) =
            (Limits::default(), StdioLimits::default(), HttpLimits::default());
        let requests = &mut server.requests;
        requests.requests = count(&table::REQUESTS, MOST, requests.requests)?;
        requests.requests_per_principal =
            count(&table::REQUESTS_PER_PRINCIPAL, MOST, requests.requests_per_principal)?;
        server.json_depth = count(&table::JSON_DEPTH, DEEPEST, server.json_depth)?;
        let hub = &mut server.hub;
        hub.streams = count(&table::STREAMS, MOST, hub.streams)?;
        hub.streams_per_principal = count(&table::STREAMS_PER_PRINCIPAL, MOST, hub.streams_per_principal)?;
        hub.queue_bytes = count(&table::STREAM_QUEUE_BYTES, MOST, hub.queue_bytes)?;
        hub.write_deadline = time(&table::STREAM_WRITE_MS, hub.write_deadline)?;
        http.body_bytes = count(&table::MESSAGE_BYTES, LONGEST_MESSAGE, http.body_bytes)?;
        stdio.max_frame_bytes = http.body_bytes;
        let head =
            source.parsed(&table::HTTP_HEADER_BYTES, |text| number_between(text, SHORTEST_HEAD, MOST))?;
        http.header_bytes =
            head.map_or(http.header_bytes, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        http.header_read_time = time(&table::HTTP_HEADER_MS, http.header_read_time)?;
        http.body_read_time = time(&table::HTTP_BODY_MS, http.body_read_time)?;
        // What the hub asks of a stream's reader the transport asks of every peer, below what the hub sees.
        http.write_time = hub.write_deadline;
        http.idle_time = time(&table::HTTP_IDLE_MS, http.idle_time)?;
        http.connections = count(&table::HTTP_CONNECTIONS, MOST, http.connections)?;
        let task = TaskLimits::default();
        let result_bytes = count(&table::TASK_RESULT_BYTES, LONGEST_RESULT, task.result_bytes)?;
        let quota = TaskQuota::default();
        let per_principal = count(&table::TASKS_PER_PRINCIPAL, MOST, quota.per_principal)?;
        Ok(Self {
            server,
            task: TaskLimits { result_bytes, ..task },
            quota: TaskQuota { per_principal },
            stdio,
            http,
        })
    }
}
