//! How much the server takes on.

use std::time::Duration;

use pm_mcp::{HttpLimits, Limits, StdioLimits, TaskLimits, TaskQuota};
use pm_mcp_memory::Capacity;

use super::fault::SettingFault;
use super::limit_table as table;
use super::read::{Source, fault};
use super::table::{FOREGROUND_LIMIT_MS, TASK_STORE};
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
    /// How much is kept of tasks that end with the process.
    pub volatile: Capacity,
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
/// The longest status message, which stands beside the result in the record.
const LONGEST_STATUS: u64 = 64 << 10;
/// More would let one message take most of the memory of a small machine.
const LONGEST_MESSAGE: u64 = 1 << 30;
const DEEPEST: u64 = 128;
/// What the HTTP library keeps at the least.
const SHORTEST_HEAD: u64 = 8192;
/// What a client sends that shows a token, from a browser, behind a proxy.
const FEWEST_HEADERS: u64 = 16;
/// What a request may take beyond the foreground limit, so that the limit is what callers hear of.
const MARGIN: Duration = Duration::from_secs(5);

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
        server.request_time = request_time(source, server.request_time)?;
        server.json_depth = count(&table::JSON_DEPTH, DEEPEST, server.json_depth)?;
        let hub = &mut server.hub;
        hub.streams = count(&table::STREAMS, MOST, hub.streams)?;
        hub.streams_per_principal = count(&table::STREAMS_PER_PRINCIPAL, MOST, hub.streams_per_principal)?;
        hub.id_bytes = count(&table::STREAM_ID_BYTES, MOST, hub.id_bytes)?;
        hub.queue_entries = count(&table::STREAM_QUEUE_ENTRIES, MOST, hub.queue_entries)?;
        hub.queue_bytes = count(&table::STREAM_QUEUE_BYTES, MOST, hub.queue_bytes)?;
        hub.write_deadline = time(&table::STREAM_WRITE_MS, hub.write_deadline)?;
        http.body_bytes = count(&table::MESSAGE_BYTES, LONGEST_MESSAGE, http.body_bytes)?;
        stdio.max_frame_bytes = http.body_bytes;
        stdio.max_in_flight = count(&table::STDIO_REQUESTS, MOST, stdio.max_in_flight)?;
        let at_least = |setting, lowest, default: usize| {
            let number = source.parsed(setting, |text| number_between(text, lowest, MOST))?;
            Ok(number.map_or(default, |number| usize::try_from(number).unwrap_or(usize::MAX)))
        };
        http.header_bytes = at_least(&table::HTTP_HEADER_BYTES, SHORTEST_HEAD, http.header_bytes)?;
        http.max_headers = at_least(&table::HTTP_HEADERS, FEWEST_HEADERS, http.max_headers)?;
        http.header_read_time = time(&table::HTTP_HEADER_MS, http.header_read_time)?;
        http.body_read_time = time(&table::HTTP_BODY_MS, http.body_read_time)?;
        // What the hub asks of a stream's reader the transport asks of every peer, below what the hub sees.
        http.write_time = hub.write_deadline;
        http.idle_time = time(&table::HTTP_IDLE_MS, http.idle_time)?;
        http.connections = count(&table::HTTP_CONNECTIONS, MOST, http.connections)?;
        let quota = TaskQuota::default();
        let per_principal = count(&table::TASKS_PER_PRINCIPAL, MOST, quota.per_principal)?;
        Ok(Self {
            server,
            task: task_limits(source)?,
            quota: TaskQuota { per_principal },
            volatile: capacity(source)?,
            stdio,
            http,
        })
    }
}

/// A foreground limit that is longer would never be heard of.
fn request_time(source: &Source<'_>, usual: Duration) -> Result<Duration, SettingFault> {
    let time = |setting| source.parsed(setting, |text| whole_number(text, DAY_MS).map(Duration::from_millis));
    match (time(&table::REQUEST_MS)?, time(&FOREGROUND_LIMIT_MS)?) {
        (Some(whole), Some(foreground)) if whole <= foreground => {
            Err(fault(&table::REQUEST_MS, "must be more than PM_MCP_FOREGROUND_LIMIT_MS, which is set too"))
        }
        (Some(whole), _) => Ok(whole),
        (None, Some(foreground)) => Ok(usual.max(foreground.saturating_add(MARGIN))),
        (None, None) => Ok(usual),
    }
}

fn task_limits(source: &Source<'_>) -> Result<TaskLimits, SettingFault> {
    let count = |setting, highest, default: usize| {
        let number = source.parsed(setting, |text| whole_number(text, highest))?;
        Ok(number.map_or(default, |number| usize::try_from(number).unwrap_or(usize::MAX)))
    };
    let usual = TaskLimits::default();
    let limits = TaskLimits {
        questions: count(&table::TASK_QUESTIONS, MOST, usual.questions)?,
        question_bytes: count(&table::TASK_QUESTION_BYTES, LONGEST_RESULT, usual.question_bytes)?,
        message_bytes: count(&table::TASK_MESSAGE_BYTES, LONGEST_STATUS, usual.message_bytes)?,
        result_bytes: count(&table::TASK_RESULT_BYTES, LONGEST_RESULT, usual.result_bytes)?,
    };
    // All of them may be open at the same time, in one record.
    let most = usize::try_from(LONGEST_RESULT).unwrap_or(usize::MAX);
    match limits.questions.saturating_mul(limits.question_bytes) {
        bytes if bytes > most => Err(fault(
            &table::TASK_QUESTION_BYTES,
            format!(
                "is {}, and {} of that, as PM_MCP_TASK_QUESTIONS says, are more than {most} bytes",
                limits.question_bytes, limits.questions
            ),
        )),
        _ => Ok(limits),
    }
}

/// Set beside a store that does not heed it, it would look like a bound that is not there.
fn capacity(source: &Source<'_>) -> Result<Capacity, SettingFault> {
    let usual = Capacity::default();
    let Some(records) = source.parsed(&table::TASKS, |text| whole_number(text, MOST))? else {
        return Ok(usual);
    };
    match source.text(&TASK_STORE)?.map(str::trim) {
        Some("memory") => Ok(Capacity { records: usize::try_from(records).unwrap_or(usize::MAX), ..usual }),
        Some(_) | None => Err(fault(
            &table::TASKS,
            "is set, and only PM_MCP_TASK_STORE=memory keeps to it; bound each caller with PM_MCP_TASKS_PER_PRINCIPAL",
        )),
    }
}
