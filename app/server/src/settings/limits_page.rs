//! Holds `docs/limits.md` against the limits, their defaults, their settings and their tests.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pm_mcp::{HttpLimits, HubLimits, Limit, Limits, RequestLimits, StdioLimits, TaskLimits, TaskQuota};
use pm_mcp_memory::Capacity;

use super::{Environment, LimitChoice, Program, SETTINGS, Settings};

/// What the page says of a limit: where a host sets it, where a deployer does, what happens above it, and the test that
/// goes below, to and above it.
struct Row {
    fields: Vec<Field>,
    /// One for each field.
    deployer: &'static [&'static str],
    above: &'static str,
    test: &'static str,
}

/// A field that a host sets.
struct Field {
    name: &'static str,
    default: String,
    chosen: fn(&LimitChoice) -> String,
}

/// Does not compile unless there is such a field.
macro_rules! field {
    ($of:ident :: $name:ident in $($place:ident).+) => {
        Field {
            name: concat!(stringify!($of), "::", stringify!($name)),
            default: $of::default().$name.shown(),
            chosen: |choice| {
                let of: &$of = &choice.$($place).+;
                of.$name.shown()
            },
        }
    };
}

trait Shown {
    fn shown(&self) -> String;
}

impl Shown for usize {
    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Shown for Duration {
    fn shown(&self) -> String {
        format!("{} ms", self.as_millis())
    }
}

fn row(limit: Limit) -> Row {
    let (fields, deployer, above, test): (_, &[&str], _, _) = match limit {
        Limit::Requests => (
            vec![field!(RequestLimits::requests in server.requests)],
            &["PM_MCP_REQUESTS"],
            "-32603, status 503",
            "requests_above_the_limit_are_refused_until_one_is_answered",
        ),
        Limit::RequestsPerPrincipal => (
            vec![field!(RequestLimits::requests_per_principal in server.requests)],
            &["PM_MCP_REQUESTS_PER_PRINCIPAL"],
            "-32603, status 429",
            "one_principal_leaves_room_for_others",
        ),
        Limit::RequestTime => (
            vec![field!(Limits::request_time in server)],
            &["PM_MCP_REQUEST_MS"],
            "-32603 in band",
            "a_request_may_take_its_time_and_no_longer",
        ),
        Limit::JsonDepth => (
            vec![field!(Limits::json_depth in server)],
            &["PM_MCP_JSON_DEPTH"],
            "-32600, status 400",
            "messages_may_be_as_deep_as_the_limit_and_no_deeper",
        ),
        Limit::FrameBytes => (
            vec![field!(StdioLimits::max_frame_bytes in stdio)],
            &["PM_MCP_MESSAGE_BYTES"],
            "-32600; the line is dropped",
            "a_frame_may_have_as_many_bytes_as_the_limit_and_no_more",
        ),
        Limit::BodyBytes => (
            vec![field!(HttpLimits::body_bytes in http)],
            &["PM_MCP_MESSAGE_BYTES"],
            "status 413",
            "a_body_may_have_as_many_bytes_as_the_limit_and_no_more",
        ),
        Limit::BodyReadTime => (
            vec![field!(HttpLimits::body_read_time in http)],
            &["PM_MCP_HTTP_BODY_MS"],
            "status 408",
            "a_body_that_is_too_slow_is_told_the_limit_and_counted",
        ),
        Limit::HeaderBytes => (
            vec![field!(HttpLimits::header_bytes in http), field!(HttpLimits::max_headers in http)],
            &["PM_MCP_HTTP_HEADER_BYTES", "PM_MCP_HTTP_HEADERS"],
            "status 431",
            "a_head_may_have_as_many_bytes_and_headers_as_the_limits_and_no_more",
        ),
        Limit::HeaderReadTime => (
            vec![field!(HttpLimits::header_read_time in http)],
            &["PM_MCP_HTTP_HEADER_MS"],
            "the connection closes",
            "connections_that_say_nothing_are_closed_and_counted",
        ),
        Limit::IdleTime => (
            vec![field!(HttpLimits::idle_time in http)],
            &["PM_MCP_HTTP_IDLE_MS"],
            "the connection closes once what it asked is answered",
            "a_connection_that_asks_within_each_span_is_kept_and_closed_after_one_without_a_request",
        ),
        Limit::Connections => (
            vec![field!(HttpLimits::connections in http)],
            &["PM_MCP_HTTP_CONNECTIONS"],
            "further ones wait",
            "a_connection_above_the_limit_waits_for_a_place",
        ),
        Limit::InFlight => (
            vec![field!(StdioLimits::max_in_flight in stdio)],
            &["PM_MCP_STDIO_REQUESTS"],
            "further ones wait in line",
            "as_many_requests_as_the_limit_are_carried_out_and_the_next_waits_in_line",
        ),
        Limit::Streams => (
            vec![field!(HubLimits::streams in server.hub)],
            &["PM_MCP_STREAMS"],
            "-32603 in band",
            "the_stream_after_the_last_is_refused_until_one_ends",
        ),
        Limit::StreamsPerPrincipal => (
            vec![field!(HubLimits::streams_per_principal in server.hub)],
            &["PM_MCP_STREAMS_PER_PRINCIPAL"],
            "-32603 in band",
            "streams_above_a_limit_are_refused_and_counted",
        ),
        Limit::StreamIdBytes => (
            vec![field!(HubLimits::id_bytes in server.hub)],
            &["PM_MCP_STREAM_ID_BYTES"],
            "-32603 in band",
            "an_id_may_be_as_long_as_the_limit_and_no_longer",
        ),
        Limit::QueueEntries => (
            vec![field!(HubLimits::queue_entries in server.hub)],
            &["PM_MCP_STREAM_QUEUE_ENTRIES"],
            "the stream is dropped",
            "as_many_changes_wait_for_a_stream_as_the_limit_says_and_one_more_is_counted",
        ),
        Limit::QueueBytes => (
            vec![field!(HubLimits::queue_bytes in server.hub)],
            &["PM_MCP_STREAM_QUEUE_BYTES"],
            "the stream is dropped",
            "as_many_bytes_wait_for_a_stream_as_the_limit_says_and_one_more_is_counted",
        ),
        Limit::WriteDeadline => (
            vec![field!(HubLimits::write_deadline in server.hub), field!(HttpLimits::write_time in http)],
            &["PM_MCP_STREAM_WRITE_MS", "PM_MCP_STREAM_WRITE_MS"],
            "the stream is dropped",
            "a_reader_of_a_stream_has_the_whole_deadline_and_missing_it_is_counted",
        ),
        Limit::Tasks => (
            vec![field!(Capacity::records in volatile)],
            &["PM_MCP_TASKS"],
            "-32603 in band",
            "a_store_that_is_full_is_told_as_such",
        ),
        Limit::TasksPerPrincipal => (
            vec![field!(TaskQuota::per_principal in quota)],
            &["PM_MCP_TASKS_PER_PRINCIPAL"],
            "-32603 in band",
            "c44_one_principal_cannot_take_the_room_of_others",
        ),
        Limit::TaskResultBytes => (
            vec![field!(TaskLimits::result_bytes in task)],
            &["PM_MCP_TASK_RESULT_BYTES"],
            "the task fails with -32603",
            "a_result_may_be_as_long_as_the_limit_and_no_longer",
        ),
        Limit::TaskQuestions => (
            vec![field!(TaskLimits::questions in task)],
            &["PM_MCP_TASK_QUESTIONS"],
            "the question is refused to its handler",
            "a_task_asks_as_often_as_the_limit_says_and_hears_of_it_at_one_more",
        ),
        Limit::TaskQuestionBytes => (
            vec![field!(TaskLimits::question_bytes in task)],
            &["PM_MCP_TASK_QUESTION_BYTES"],
            "the question is refused to its handler",
            "a_question_is_as_long_as_the_limit_says_and_no_longer",
        ),
        Limit::TaskMessageBytes => (
            vec![field!(TaskLimits::message_bytes in task)],
            &["PM_MCP_TASK_MESSAGE_BYTES"],
            "the message is left out",
            "a_status_message_is_as_long_as_the_limit_says_or_left_out_and_counted",
        ),
    };
    Row { fields, deployer, above, test }
}

fn table() -> String {
    let mut text = "| Limit | Default | Set by a host | Set by a deployer | Above it | Test |\n\
                    | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let code = |name: &&str| format!("`{name}`");
    for limit in Limit::ALL {
        let Row { fields, deployer, above, test } = row(limit);
        let mut defaults: Vec<&str> = fields.iter().map(|field| field.default.as_str()).collect();
        defaults.dedup();
        let default = defaults.join(", ");
        let host = fields.iter().map(|field| code(&field.name)).collect::<Vec<_>>().join(", ");
        let mut settings = deployer.to_vec();
        settings.dedup();
        let deployer = settings.iter().map(code).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("| `{limit}` | {default} | {host} | {deployer} | {above} | `{test}` |\n"));
    }
    text
}

#[test]
fn the_page_of_limits_lists_each_of_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/limits.md")).unwrap();
    let table = table();
    assert!(page.contains(&table), "docs/limits.md must hold exactly this table:\n{table}");
}

#[test]
fn every_test_of_the_page_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = String::new();
    for folder in ["adapters", "app/engine", "app/sdk/tests", "domain/mcp"] {
        read_all(&root.join(folder), &mut sources);
    }
    for limit in Limit::ALL {
        let test = row(limit).test;
        assert!(sources.contains(&format!("fn {test}(")), "{limit}: there is no test {test}");
    }
}

#[test]
fn every_setting_of_the_page_sets_the_field_that_a_host_sets() {
    let read = |pairs: &[(&str, &str)]| {
        Settings::read(&Environment::new(pairs.iter().copied()), Program::Http).unwrap().limits
    };
    let nothing_set = read(&[]);
    for limit in Limit::ALL {
        let Row { fields, deployer, .. } = row(limit);
        assert_eq!(fields.len(), deployer.len(), "{limit}");
        for (field, name) in fields.iter().zip(deployer) {
            let setting = SETTINGS.iter().find(|setting| setting.name == *name);
            let setting = setting.unwrap_or_else(|| panic!("{limit}: there is no setting {name}"));
            assert_eq!((field.chosen)(&nothing_set), field.default, "{limit}");
            assert!(setting.default.contains(bare(&field.default)), "{name}: {}", setting.default);
            let chosen = (field.chosen)(&read(&[(name, setting.example), ("PM_MCP_TASK_STORE", "memory")]));
            assert_eq!(bare(&chosen), setting.example, "{name} sets {}", field.name);
            assert_ne!(chosen, field.default, "{name}: an example that shows nothing");
        }
    }
}

fn bare(shown: &str) -> &str {
    shown.strip_suffix(" ms").unwrap_or(shown)
}

fn read_all(folder: &Path, sources: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}
