use alloc::boxed::Box;
use alloc::string::{String, ToString};

use super::*;
use crate::subscription::TaskState;

const LIMITS: FilterLimits = FilterLimits { uris: 3, uri_bytes: 8, tasks: 2, task_bytes: 4, total_bytes: 20 };

fn parse(json: &str) -> Result<Filter, FilterFault> {
    let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
    Filter::parse(Some(&raw), &LIMITS)
}

fn filter(tools: bool, prompts: bool, resources: bool, uris: &[&str], tasks: &[&str]) -> Filter {
    let shared = |texts: &[&str]| texts.iter().map(|text| Arc::from(*text)).collect();
    Filter { tools, prompts, resources, uris: shared(uris), tasks: shared(tasks) }
}

#[test]
fn what_is_not_asked_for_is_not_in_the_filter() {
    for (json, wanted) in [
        ("{}", filter(false, false, false, &[], &[])),
        (r#"{"toolsListChanged":true}"#, filter(true, false, false, &[], &[])),
        (r#"{"promptsListChanged":true,"toolsListChanged":false}"#, filter(false, true, false, &[], &[])),
        (r#"{"resourcesListChanged": true }"#, filter(false, false, true, &[], &[])),
        (r#"{"resourceSubscriptions":[],"taskIds":[]}"#, filter(false, false, false, &[], &[])),
        (r#"{"resourceSubscriptions":["a:b","a:c"]}"#, filter(false, false, false, &["a:b", "a:c"], &[])),
        (r#"{"resourceSubscriptions":["a:b","a:b","\u0061:b"]}"#, filter(false, false, false, &["a:b"], &[])),
        (r#"{"taskIds":["t","t"],"loggingLevel":7,"x":[[]]}"#, filter(false, false, false, &[], &["t"])),
    ] {
        assert_eq!(parse(json), Ok(wanted), "{json}");
    }
}

#[test]
fn a_malformed_filter_is_refused_with_the_member_and_what_it_must_be() {
    for (json, words) in [
        ("[]", "params.notifications must be an object"),
        ("true", "params.notifications must be an object"),
        ("null", "params.notifications must be an object"),
        (r#"{"toolsListChanged":1}"#, "params.notifications.toolsListChanged must be a boolean"),
        (r#"{"toolsListChanged":null}"#, "params.notifications.toolsListChanged must be a boolean"),
        (r#"{"promptsListChanged":"true"}"#, "params.notifications.promptsListChanged must be a boolean"),
        (r#"{"resourcesListChanged":{}}"#, "params.notifications.resourcesListChanged must be a boolean"),
        (
            r#"{"resourceSubscriptions":"a:b"}"#,
            "params.notifications.resourceSubscriptions must be an array of non-empty strings",
        ),
        (
            r#"{"resourceSubscriptions":["a:b",7]}"#,
            "params.notifications.resourceSubscriptions must be an array of non-empty strings",
        ),
        (
            r#"{"resourceSubscriptions":["\ud800"]}"#,
            "params.notifications.resourceSubscriptions must be an array of non-empty strings",
        ),
        (r#"{"taskIds":[""]}"#, "params.notifications.taskIds must be an array of non-empty strings"),
        (r#"{"taskIds":{}}"#, "params.notifications.taskIds must be an array of non-empty strings"),
        (
            r#"{"toolsListChanged":true,"toolsListChanged":true}"#,
            "params.notifications.toolsListChanged is given twice",
        ),
        (r#"{"taskIds":[],"taskIds":[]}"#, "params.notifications.taskIds is given twice"),
    ] {
        assert_eq!(parse(json).unwrap_err().to_string(), words, "{json}");
    }
    assert_eq!(
        Filter::parse(None, &LIMITS),
        Err(FilterFault::Malformed(ParamFault::Missing("notifications")))
    );
}

#[test]
fn each_limit_holds_at_its_value_and_not_one_above() {
    let uris = "notifications.resourceSubscriptions";
    let tasks = "notifications.taskIds";
    for (json, fault) in [
        (r#"{"resourceSubscriptions":["a","b","c"]}"#, None),
        (
            r#"{"resourceSubscriptions":["a","b","c","a"]}"#,
            Some(FilterFault::TooMany { member: uris, limit: 3 }),
        ),
        (r#"{"resourceSubscriptions":["12345678"]}"#, None),
        (r#"{"resourceSubscriptions":["123456789"]}"#, Some(FilterFault::TooLong { member: uris, limit: 8 })),
        (
            r#"{"resourceSubscriptions":["\u00e9\u00e9\u00e9\u00e9é"]}"#,
            Some(FilterFault::TooLong { member: uris, limit: 8 }),
        ),
        (r#"{"taskIds":["1234","5678"]}"#, None),
        (r#"{"taskIds":["1","2","3"]}"#, Some(FilterFault::TooMany { member: tasks, limit: 2 })),
        (r#"{"taskIds":["12345"]}"#, Some(FilterFault::TooLong { member: tasks, limit: 4 })),
        (r#"{"resourceSubscriptions":["12345678","1234567_"],"taskIds":["1234"]}"#, None),
        (
            r#"{"resourceSubscriptions":["12345678","1234567_"],"taskIds":["1234","5"]}"#,
            Some(FilterFault::TooMuch { limit: 20 }),
        ),
    ] {
        assert_eq!(parse(json).err(), fault, "{json}");
    }
    for fault in [
        FilterFault::TooMany { member: uris, limit: 3 },
        FilterFault::TooLong { member: uris, limit: 3 },
        FilterFault::TooMuch { limit: 3 },
    ] {
        let words = fault.to_string();
        assert!(words.contains("notifications") && words.contains('3'), "{words}");
    }
}

#[test]
fn a_server_grants_what_it_offers_and_nothing_else() {
    let asked = filter(true, true, true, &["a:b"], &["t"]);
    let all = Offers {
        tools_list: true,
        prompts_list: true,
        resources_list: true,
        resource_updates: true,
        tasks: true,
    };
    for (offers, wanted) in [
        (all, asked.clone()),
        (Offers::default(), Filter::default()),
        (Offers { tools_list: false, ..all }, filter(false, true, true, &["a:b"], &["t"])),
        (Offers { prompts_list: false, ..all }, filter(true, false, true, &["a:b"], &["t"])),
        (Offers { resources_list: false, ..all }, filter(true, true, false, &["a:b"], &["t"])),
        (Offers { resource_updates: false, ..all }, filter(true, true, true, &[], &["t"])),
        (Offers { tasks: false, ..all }, filter(true, true, true, &["a:b"], &[])),
    ] {
        assert_eq!(asked.clone().accepted(offers), wanted, "{offers:?}");
    }
    assert_eq!(Filter::default().accepted(all), Filter::default());
}

#[test]
fn single_uris_and_tasks_can_be_left_out() {
    let mut granted = filter(false, false, false, &["a:b", "a:c"], &["t", "u"]);
    granted.retain_uris(|uri| uri == "a:c");
    granted.retain_tasks(|task| task == "t");
    assert_eq!(granted.uris().collect::<Vec<_>>(), ["a:c"]);
    assert_eq!(granted.tasks().collect::<Vec<_>>(), ["t"]);
}

#[test]
fn exactly_the_named_changes_are_wanted() {
    let (me, other) = (Principal::local("me"), Principal::local("other"));
    let task = |id: &str, principal: &Principal| Change::TaskChanged {
        task: Arc::from(id),
        principal: principal.clone(),
        state: TaskState::try_from("{}").unwrap(),
    };
    let updated = |uri: &str| Change::ResourceUpdated { uri: Arc::from(uri) };
    let changes = [
        ("tools", Change::ToolsListChanged),
        ("prompts", Change::PromptsListChanged),
        ("resources", Change::ResourcesListChanged),
        ("uri", updated("file:///a")),
        ("below", updated("file:///a/b")),
        ("case", updated("FILE:///a")),
        ("slash", updated("file:///a/")),
        ("task", task("t", &me)),
        ("foreign task", task("t", &other)),
        ("unnamed task", task("u", &me)),
    ];
    for (filter, wanted) in [
        (filter(false, false, false, &[], &[]), &[][..]),
        (filter(true, false, false, &[], &[]), &["tools"]),
        (filter(false, true, false, &[], &[]), &["prompts"]),
        (filter(false, false, true, &[], &[]), &["resources"]),
        (filter(false, false, false, &["file:///a"], &[]), &["uri"]),
        (filter(false, false, false, &[], &["t"]), &["task"]),
        (filter(true, true, true, &["file:///a"], &["t"]), &["tools", "prompts", "resources", "uri", "task"]),
    ] {
        let names: Vec<&str> =
            changes.iter().filter_map(|(name, change)| filter.wants(change, &me).then_some(*name)).collect();
        assert_eq!(names, wanted, "{filter:?}");
        let topics: Vec<Topic> = filter.topics().collect();
        for (name, change) in &changes {
            let by_topic = topics.contains(&change.topic()) && change.concerns(&me);
            assert_eq!(by_topic, filter.wants(change, &me), "{name}: topics and filter disagree");
        }
    }
}

#[test]
fn the_default_limits_take_a_filter_that_uses_them_up() {
    let limits = FilterLimits::default();
    let uris: Vec<String> = (0..limits.uris).map(|n| alloc::format!("file:///{n:0>240}")).collect();
    let json = serde_json::json!({ "resourceSubscriptions": uris }).to_string();
    let raw: Box<RawValue> = serde_json::from_str(&json).unwrap();
    assert_eq!(Filter::parse(Some(&raw), &limits).unwrap().uris().len(), limits.uris);
}
