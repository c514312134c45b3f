//! Holds `docs/limits.md` against the limits, their defaults, their settings and their tests.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pm_mcp::{HttpLimits, Limit, Limits, StdioLimits, TaskLimits, TaskQuota};

use super::SETTINGS;

/// What the page says of a limit: its default, where a host sets it, where a deployer does, what happens above it, and the
/// test that goes below, to and above it.
struct Row {
    default: String,
    host: &'static str,
    deployer: Option<&'static str>,
    above: &'static str,
    test: &'static str,
}

fn row(limit: Limit) -> Row {
    let (all, stdio, http, task) =
        (Limits::default(), StdioLimits::default(), HttpLimits::default(), TaskLimits::default());
    let hub = all.hub;
    let ms = |time: Duration| format!("{} ms", time.as_millis());
    let (default, host, deployer, above, test) = match limit {
        Limit::Requests => (
            all.requests.requests.to_string(),
            "Limits::requests",
            Some("PM_MCP_REQUESTS"),
            "-32603, status 503",
            "requests_above_the_limit_are_refused_until_one_is_answered",
        ),
        Limit::RequestsPerPrincipal => (
            all.requests.requests_per_principal.to_string(),
            "Limits::requests",
            Some("PM_MCP_REQUESTS_PER_PRINCIPAL"),
            "-32603, status 429",
            "one_principal_leaves_room_for_others",
        ),
        Limit::RequestTime => (
            ms(all.request_time),
            "Limits::request_time",
            Some("PM_MCP_FOREGROUND_LIMIT_MS"),
            "-32603 in band",
            "a_request_may_take_its_time_and_no_longer",
        ),
        Limit::JsonDepth => (
            all.json_depth.to_string(),
            "Limits::json_depth",
            Some("PM_MCP_JSON_DEPTH"),
            "-32600, status 400",
            "messages_may_be_as_deep_as_the_limit_and_no_deeper",
        ),
        Limit::FrameBytes => (
            stdio.max_frame_bytes.to_string(),
            "StdioLimits::max_frame_bytes",
            Some("PM_MCP_MESSAGE_BYTES"),
            "-32600; the line is dropped",
            "a_frame_may_have_as_many_bytes_as_the_limit_and_no_more",
        ),
        Limit::BodyBytes => (
            http.body_bytes.to_string(),
            "HttpLimits::body_bytes",
            Some("PM_MCP_MESSAGE_BYTES"),
            "status 413",
            "a_body_may_have_as_many_bytes_as_the_limit_and_no_more",
        ),
        Limit::BodyReadTime => (
            ms(http.body_read_time),
            "HttpLimits::body_read_time",
            Some("PM_MCP_HTTP_BODY_MS"),
            "status 408",
            "a_body_that_is_too_slow_is_told_the_limit_and_counted",
        ),
        Limit::HeaderBytes => (
            format!("{}, {} headers", http.header_bytes, http.max_headers),
            "HttpLimits::header_bytes, max_headers",
            Some("PM_MCP_HTTP_HEADER_BYTES"),
            "status 431, without a body",
            "a_head_may_have_as_many_bytes_and_headers_as_the_limits_and_no_more",
        ),
        Limit::HeaderReadTime => (
            ms(http.header_read_time),
            "HttpLimits::header_read_time",
            Some("PM_MCP_HTTP_HEADER_MS"),
            "the connection closes",
            "connections_that_say_nothing_are_closed_and_counted",
        ),
        Limit::IdleTime => (
            ms(http.idle_time),
            "HttpLimits::idle_time",
            Some("PM_MCP_HTTP_IDLE_MS"),
            "the connection closes once what it asked is answered",
            "a_request_at_work_keeps_its_connection_beyond_the_idle_time",
        ),
        Limit::Streams => (
            hub.streams.to_string(),
            "HubLimits::streams",
            Some("PM_MCP_STREAMS"),
            "-32603 in band",
            "the_stream_after_the_last_is_refused_until_one_ends",
        ),
        Limit::StreamsPerPrincipal => (
            hub.streams_per_principal.to_string(),
            "HubLimits::streams_per_principal",
            Some("PM_MCP_STREAMS_PER_PRINCIPAL"),
            "-32603 in band",
            "streams_above_a_limit_are_refused_and_counted",
        ),
        Limit::StreamIdBytes => (
            hub.id_bytes.to_string(),
            "HubLimits::id_bytes",
            None,
            "-32603 in band",
            "an_id_may_be_as_long_as_the_limit_and_no_longer",
        ),
        Limit::QueueEntries => (
            hub.queue_entries.to_string(),
            "HubLimits::queue_entries",
            None,
            "the stream is dropped",
            "a_queue_holds_as_many_entries_as_it_may_and_not_one_more",
        ),
        Limit::QueueBytes => (
            hub.queue_bytes.to_string(),
            "HubLimits::queue_bytes",
            Some("PM_MCP_STREAM_QUEUE_BYTES"),
            "the stream is dropped",
            "a_queue_holds_as_many_bytes_as_it_may_and_a_long_change_waits_alone",
        ),
        Limit::WriteDeadline => (
            ms(hub.write_deadline),
            "HubLimits::write_deadline",
            Some("PM_MCP_STREAM_WRITE_MS"),
            "the stream is dropped",
            "a_peer_that_misses_the_deadline_is_dropped_and_others_do_not_notice",
        ),
        Limit::Tasks => (
            "10000 in memory; else what the store holds".to_owned(),
            "the task store, such as Capacity::records",
            None,
            "-32603 in band",
            "a_store_that_is_full_is_told_as_such",
        ),
        Limit::TasksPerPrincipal => (
            TaskQuota::default().per_principal.to_string(),
            "TaskSettings::quota",
            Some("PM_MCP_TASKS_PER_PRINCIPAL"),
            "-32603 in band",
            "c44_one_principal_cannot_take_the_room_of_others",
        ),
        Limit::TaskResultBytes => (
            task.result_bytes.to_string(),
            "TaskLimits::result_bytes",
            Some("PM_MCP_TASK_RESULT_BYTES"),
            "the task fails with -32603",
            "a_result_may_be_as_long_as_the_limit_and_no_longer",
        ),
        Limit::TaskQuestions => (
            task.questions.to_string(),
            "TaskLimits::questions",
            None,
            "the question is refused to its handler",
            "a_task_asks_only_so_often_and_so_long",
        ),
        Limit::TaskQuestionBytes => (
            task.question_bytes.to_string(),
            "TaskLimits::question_bytes",
            None,
            "the question is refused to its handler",
            "a_task_asks_only_so_often_and_so_long",
        ),
        Limit::TaskMessageBytes => (
            task.message_bytes.to_string(),
            "TaskLimits::message_bytes",
            None,
            "the message is left out",
            "results_and_errors_over_the_limit_end_the_task_with_words_that_name_it",
        ),
    };
    Row { default, host, deployer, above, test }
}

fn table() -> String {
    let mut text = "| Limit | Default | Set by a host | Set by a deployer | Above it | Test |\n\
                    | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for limit in Limit::ALL {
        let Row { default, host, deployer, above, test } = row(limit);
        let deployer = deployer.map_or("–".to_owned(), |name| format!("`{name}`"));
        text.push_str(&format!("| `{limit}` | {default} | `{host}` | {deployer} | {above} | `{test}` |\n"));
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
fn every_setting_and_test_of_the_page_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = String::new();
    for folder in ["adapters", "app/engine", "app/sdk/tests", "domain/mcp"] {
        read_all(&root.join(folder), &mut sources);
    }
    for limit in Limit::ALL {
        let Row { deployer, test, .. } = row(limit);
        assert!(sources.contains(&format!("fn {test}(")), "{limit}: there is no test {test}");
        if let Some(name) = deployer {
            assert!(
                SETTINGS.iter().any(|setting| setting.name == name),
                "{limit}: there is no setting {name}"
            );
        }
    }
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
