use super::*;
use crate::settings::tasks::TaskStoreChoice;

fn read(pairs: &[(&str, &str)]) -> Result<Settings, String> {
    Settings::read(&Environment::new(pairs.iter().copied()), Program::Http).map_err(|fault| fault.to_string())
}

const KEY: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn nothing_set_gives_the_defaults() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.workspaces, WorkspaceChoice::Nearest);
    assert_eq!((settings.http.host.to_string().as_str(), settings.http.port), ("127.0.0.1", 3000));
    assert!(settings.http.allowed_origins.is_empty() && settings.cursor_key.is_none());
    assert_eq!((settings.log.to_string().as_str(), settings.profile), ("warn", Profile::Full));
}

#[test]
fn right_values_are_taken() {
    let settings = read(&[
        ("PM_MCP_WORKSPACES", "main=/srv/main; site = ../site"),
        ("PM_MCP_PROFILE", "custom"),
        ("PM_MCP_TOOLS", "pm_next, pm_get"),
        ("PM_MCP_DISCOVERY_CURSOR_KEY", KEY),
        ("PM_MCP_LOG", "info,pm_mcp_engine=debug"),
        ("PM_MCP_HTTP_HOST", "::1"),
        ("PM_MCP_HTTP_PORT", "0"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "http://localhost:5173,https://a.example,http://[::1]:1"),
        ("PM_MCP_HTTP_ADDRESS_FILE", "/tmp/url"),
        ("PM_LOCK_WAIT_MS", "7"),
        ("HOME", ""),
    ])
    .unwrap();
    let named = vec![("main".to_owned(), "/srv/main".into()), ("site".to_owned(), "../site".into())];
    assert_eq!(settings.workspaces, WorkspaceChoice::Named(named));
    assert_eq!(
        settings.profile.tools().into_iter().map(ToolName::name).collect::<Vec<_>>(),
        ["pm_next", "pm_get"]
    );
    assert_eq!(settings.cursor_key.unwrap().as_bytes(), KEY.as_bytes());
    assert_eq!((settings.http.host.to_string().as_str(), settings.http.port), ("::1", 0));
    assert_eq!(settings.http.allowed_origins.len(), 3);
    for host in ["localhost", "127.0.0.2", "[::1]"] {
        assert!(read(&[("PM_MCP_HTTP_HOST", host)]).unwrap().http.host.is_loopback());
    }
    for example in SETTINGS {
        if example.name != table::TOOLS.name && !example.secret {
            let others = companions(example.name).into_iter().filter(|(name, _)| *name != example.name);
            let settings: Vec<_> = others.chain([(example.name, example.example)]).collect();
            read(&settings).unwrap();
        }
    }
}

/// What has to be set beside a setting of authorization.
fn companions(name: &str) -> Vec<(&'static str, &'static str)> {
    let [_, issuer, resource] = ACCESS;
    let verifier = |kind| (table::HTTP_VERIFIER.name, kind);
    let of = |prefix: &str| name.starts_with(prefix);
    if of("PM_MCP_HTTP_INTROSPECTION_") {
        let client = [
            (table::HTTP_INTROSPECTION_URL.name, "https://login.example/introspect"),
            (table::HTTP_INTROSPECTION_CLIENT_ID.name, "pm-mcp"),
            (table::HTTP_INTROSPECTION_CLIENT_SECRET.name, "Sesame"),
        ];
        [issuer, resource, verifier("introspection")].into_iter().chain(client).collect()
    } else if name == table::HTTP_VERIFIER.name || of("PM_MCP_HTTP_JWKS_") || of("PM_MCP_HTTP_KEYS_") {
        vec![issuer, resource, verifier("jwt")]
    } else if ACCESS.iter().any(|(known, _)| *known == name)
        || [table::HTTP_SCOPES, table::HTTP_TOKEN_LEEWAY_MS, table::HTTP_AUTH_PRIVATE]
            .iter()
            .any(|set| set.name == name)
    {
        ACCESS.to_vec()
    } else if name == limit_table::TASKS.name {
        vec![(table::TASK_STORE.name, "memory")]
    } else {
        Vec::new()
    }
}

#[test]
fn each_wrong_value_has_its_line() {
    let long = "x".repeat(5_000);
    for (name, value, part) in [
        ("PM_PATH", "", "is empty"),
        ("PM_MCP_WORKSPACES", "main", "\"main\" is no name=path pair"),
        ("PM_MCP_WORKSPACES", "a=/x;", "\"\" is no name=path pair"),
        ("PM_MCP_WORKSPACES", "a b=/x", "\"a b\" is no workspace name"),
        ("PM_MCP_WORKSPACES", "=/x", "\"\" is no workspace name"),
        ("PM_MCP_WORKSPACES", "a=", "workspace \"a\" has no path"),
        ("PM_MCP_WORKSPACES", "a=/x;a=/y", "workspace \"a\" is named twice"),
        ("PM_MCP_PROFILE", "  ", "is blank"),
        ("PM_MCP_PROFILE", "big", "\"big\" is no profile: core, standard, full or custom"),
        ("PM_MCP_PROFILE", "custom", "the profile custom needs it"),
        ("PM_MCP_TOOLS", "pm_next", "must be custom"),
        ("PM_MCP_DISCOVERY_CURSOR_KEY", "short", "has 5 bytes and needs at least 32"),
        ("PM_MCP_DISCOVERY_CURSOR_KEY", "", "is empty"),
        ("PM_MCP_LOG", "loud", "\"loud\" is no log level"),
        ("PM_MCP_LOG", "a=b=c", "\"a=b=c\" is no log level"),
        ("PM_MCP_HTTP_HOST", "example.com", "\"example.com\" is no IP address"),
        ("PM_MCP_HTTP_HOST", "0.0.0.0", "0.0.0.0 is not a loopback address"),
        ("PM_MCP_HTTP_HOST", "192.168.1.1", "others need authorization"),
        ("PM_MCP_HTTP_HOST", "::", ":: is not a loopback address"),
        ("PM_MCP_HTTP_PORT", "70000", "\"70000\" is no port"),
        ("PM_MCP_HTTP_PORT", "+3000", "\"+3000\" is no port"),
        ("PM_MCP_HTTP_PORT", "a\nb", "\"a\\nb\" is no port"),
        ("PM_MCP_HTTP_PORT", &long, "and so on is no port"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "*", "\"*\" is not allowed"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "null", "\"null\" is not allowed"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "localhost:3000", "is no origin"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "http://", "is no origin"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "http://a:99999", "is no origin"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "http://u@a", "is no origin"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "http://a,", "\"\" is no origin"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "https://a/", "has a path"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "https://A", "has capital letters"),
        ("PM_MCP_HTTP_ALLOWED_ORIGINS", "https://a:443", "names its scheme's own port"),
        ("PM_MCP_HTTP_ADDRESS_FILE", "", "is empty"),
        ("PM_MCP_HTP_PORT", "1", "PM_MCP_HTTP_PORT is meant"),
        ("PM_MCP_Q", "1", "is no setting of this server"),
        ("PM_MCP_CONFIRM", "sometimes", "none of destructive, always, never"),
        ("PM_AUTHOR", "a\u{7}b", "no control characters"),
        ("PM_LOCK_WAIT_MS", "soon", "no whole number"),
        ("MCP_REQUEST_STATE_KEY", "short", "has a key of 5 bytes, and each needs at least 32"),
        ("MCP_REQUEST_STATE_KEY", "0123456789abcdef,0123456789abcdef", "has a comma"),
        ("PM_MCP_TASK_STORE", "disk", "\"disk\" is no task store: fs, sled, postgres or memory"),
        ("PM_MCP_DATABASE_URL", "somewhere", "is refused: the database URL is none that PostgreSQL knows"),
        (
            "PM_MCP_DATABASE_URL",
            "postgres://db.example/tasks",
            "neither a Unix socket nor a loopback address",
        ),
        ("PM_MCP_TASK_TTL_MS", "0", "\"0\" is no whole number from 1 to 9007199254740991"),
        ("PM_MCP_TASK_TTL_MS", "9007199254740992", "is no whole number"),
        ("PM_MCP_TASK_POLL_MS", "1e3", "is no whole number from 1 to 3600000"),
        ("PM_MCP_BAGGAGE_KEYS", "tenant,a b", "the baggage key \"a b\" is no HTTP token"),
        ("PM_MCP_FOREGROUND_LIMIT_MS", "-1", "is no whole number from 1 to 86400000"),
        ("PM_MCP_REQUEST_MS", "0", "\"0\" is no whole number from 1 to 86400000"),
        ("PM_MCP_TASKS", "9", "only PM_MCP_TASK_STORE=memory keeps to it"),
        ("PM_MCP_TASK_MESSAGE_BYTES", "65537", "is no whole number from 1 to 65536"),
        (
            "PM_MCP_TASK_QUESTION_BYTES",
            "245761",
            "64 of that, as PM_MCP_TASK_QUESTIONS says, are more than 15728640",
        ),
        ("PM_MCP_HTTP_HEADERS", "15", "is no whole number from 16 to"),
        ("PM_MCP_HTTP_BEARER_TOKEN", "two words", "has characters that no token has"),
        ("PM_MCP_HTTP_AUTH_ISSUER", "http://login.example", "must begin with https://"),
        ("PM_MCP_HTTP_AUTH_ISSUER", "https://login.example/?tenant=1", "must not have a query"),
        ("PM_MCP_HTTP_RESOURCE", "https://tracker.example/mcp#top", "must not have a fragment"),
        ("PM_MCP_HTTP_RESOURCE", "tracker.example", "must be an absolute URI"),
        ("PM_MCP_HTTP_SCOPES", "pm:read \"all\"", "is not usable"),
    ] {
        let line = read(&[(name, value)]).unwrap_err();
        assert!(line.contains(part), "{name}={value}: {line}");
        let other = line.starts_with("PM_MCP_PROFILE: must") || line.starts_with("PM_MCP_TOOLS: is not set");
        assert!(line.starts_with(&format!("{name}: ")) || other, "{line}");
        assert!(!line.contains('\n') && line.len() < 400, "{line}");
    }
    let custom = |tools| read(&[("PM_MCP_PROFILE", "custom"), ("PM_MCP_TOOLS", tools)]).unwrap_err();
    assert!(
        custom("pm_next,pm_grab").starts_with("PM_MCP_TOOLS: \"pm_grab\" is no tool; known are pm_context, ")
    );
    assert!(custom(",").starts_with("PM_MCP_TOOLS: the list of tools is empty"));
    let line = read(&[("PM_MCP_WORKSPACES", "a=/x"), ("PM_PATH", "/y")]).unwrap_err();
    assert!(line.contains("is set beside PM_PATH"), "{line}");
    assert!(line.ends_with("a right one is PM_MCP_WORKSPACES='main=/srv/main;site=/srv/site'"), "{line}");
}

#[test]
fn a_request_takes_longer_than_what_it_does_in_the_foreground() {
    let time = |pairs: &[(&str, &str)]| read(pairs).map(|read| read.limits.server.request_time.as_millis());
    let (whole, foreground) = (|ms| ("PM_MCP_REQUEST_MS", ms), |ms| ("PM_MCP_FOREGROUND_LIMIT_MS", ms));
    assert_eq!(time(&[foreground("1000")]), Ok(300_000));
    assert_eq!(time(&[foreground("295001")]), Ok(300_001));
    assert_eq!(time(&[whole("1000")]), Ok(1_000));
    assert_eq!(time(&[whole("1001"), foreground("1000")]), Ok(1_001));
    let line = time(&[whole("1000"), foreground("1000")]).unwrap_err();
    assert!(line.starts_with("PM_MCP_REQUEST_MS: must be more than PM_MCP_FOREGROUND_LIMIT_MS"), "{line}");
}

#[test]
fn all_questions_of_a_task_fit_into_its_record() {
    let (questions, bytes) =
        (|many| ("PM_MCP_TASK_QUESTIONS", many), |long| ("PM_MCP_TASK_QUESTION_BYTES", long));
    let limits = read(&[questions("15"), bytes("1048576")]).unwrap().limits.task;
    assert_eq!((limits.questions, limits.question_bytes), (15, 1 << 20));
    let line = read(&[questions("16"), bytes("1048576")]).unwrap_err();
    assert!(line.starts_with("PM_MCP_TASK_QUESTION_BYTES: is 1048576, and 16 of that"), "{line}");
}

#[test]
fn keys_of_sealed_state_may_be_rotated() {
    let old = KEY.to_uppercase();
    let settings = read(&[
        ("MCP_REQUEST_STATE_KEY", KEY),
        ("MCP_REQUEST_STATE_KEYS_OLD", &format!("{old},{KEY}")),
        ("PM_MCP_TASK_STORE", "memory"),
        ("PM_MCP_TASK_TTL_MS", "5"),
    ])
    .unwrap();
    let keys = settings.state_keys.unwrap();
    assert_eq!(keys.active(), KEY.as_bytes());
    assert_eq!(keys.older().collect::<Vec<_>>(), [old.as_bytes(), KEY.as_bytes()]);
    assert_eq!((settings.tasks.store, settings.tasks.ttl_ms), (TaskStoreChoice::Memory, 5));
    let line = read(&[("MCP_REQUEST_STATE_KEYS_OLD", KEY)]).unwrap_err();
    assert!(line.starts_with("MCP_REQUEST_STATE_KEY: is not set"), "{line}");
    let line = read(&[("MCP_REQUEST_STATE_KEY", KEY), ("MCP_REQUEST_STATE_KEYS_OLD", ",")]).unwrap_err();
    assert!(line.starts_with("MCP_REQUEST_STATE_KEYS_OLD: has a key of 0 bytes"), "{line}");
}

#[test]
fn a_database_and_the_store_that_uses_it_belong_together() {
    let url = ("PM_MCP_DATABASE_URL", "postgres://ann:Sesame@localhost/tasks");
    let settings = read(&[("PM_MCP_TASK_STORE", "postgres"), url]).unwrap();
    assert!(matches!(settings.tasks.store, TaskStoreChoice::Postgres(_)));
    assert!(!format!("{settings:?}").contains("Sesame"));
    let line = read(&[("PM_MCP_TASK_STORE", "postgres")]).unwrap_err();
    assert!(line.starts_with("PM_MCP_DATABASE_URL: is not set"), "{line}");
    for others in [&[url][..], &[url, ("PM_MCP_TASK_STORE", "fs")]] {
        let line = read(others).unwrap_err();
        assert!(line.starts_with("PM_MCP_TASK_STORE: must be postgres"), "{line}");
        assert!(!line.contains("Sesame"), "{line}");
    }
}

const ACCESS: [(&str, &str); 3] = [
    ("PM_MCP_HTTP_BEARER_TOKEN", "Sesame-open-me"),
    ("PM_MCP_HTTP_AUTH_ISSUER", "https://login.example/t1"),
    ("PM_MCP_HTTP_RESOURCE", "https://tracker.example/mcp"),
];

#[test]
fn authorization_is_set_whole_or_not_at_all() {
    assert_eq!(read(&[]).unwrap().http.access, None);
    let access = read(&ACCESS).unwrap().http.access.unwrap();
    assert_eq!(access.issuer.as_str(), "https://login.example/t1");
    assert_eq!(access.resource.as_str(), "https://tracker.example/mcp");
    assert_eq!(access.scopes.to_string(), "pm:read pm:write");
    assert!(!format!("{access:?}").contains("Sesame"));
    for kept in 1..7_usize {
        let some: Vec<_> =
            ACCESS.iter().enumerate().filter(|(at, _)| kept & (1 << at) != 0).map(|(_, set)| *set).collect();
        let line = read(&some).unwrap_err();
        assert!(line.starts_with(some[0].0), "{line}");
        for (name, _) in ACCESS.iter().filter(|set| !some.contains(set)) {
            assert!(line.contains(name), "{line} does not name {name}");
        }
        assert!(line.contains("set them together, or none of them") && !line.contains("Sesame"), "{line}");
    }
    let line = read(&[("PM_MCP_HTTP_SCOPES", "pm:read")]).unwrap_err();
    assert!(
        line.starts_with("PM_MCP_HTTP_SCOPES: is set for authorization, and PM_MCP_HTTP_BEARER_TOKEN"),
        "{line}"
    );
}

#[test]
fn other_machines_are_listened_to_only_with_authorization() {
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        let mut settings = ACCESS.to_vec();
        settings.push(("PM_MCP_HTTP_HOST", host));
        assert!(!read(&settings).unwrap().http.host.is_loopback());
        let line = read(&[("PM_MCP_HTTP_HOST", host)]).unwrap_err();
        assert!(line.contains("others need authorization: PM_MCP_HTTP_BEARER_TOKEN"), "{line}");
    }
}

#[test]
fn an_issuer_of_this_machine_needs_no_https() {
    let mut settings = ACCESS;
    settings[1].1 = "http://127.0.0.1:4000";
    assert!(read(&settings).unwrap().http.access.unwrap().issuer.is_loopback());
}

#[test]
fn a_secret_shows_nowhere() {
    let secret = "Sesame-Sesame";
    for name in ["PM_MCP_DISCOVERY_CURSOR_KEY", "PM_MCP_HTTP_BEARER_TOKEN", "MCP_REQUEST_STATE_KEY"] {
        let line = read(&[(name, secret)]).unwrap_err();
        assert!(!line.contains("Sesame"), "{line}");
    }
    let long = secret.repeat(4);
    let settings = read(&[("PM_MCP_DISCOVERY_CURSOR_KEY", &long)]).unwrap();
    let environment = Environment::new([("PM_MCP_DISCOVERY_CURSOR_KEY", secret)]);
    assert!(!format!("{settings:?} {environment:?}").contains("Sesame"));
}

#[test]
fn the_stdio_server_passes_over_settings_of_the_http_server() {
    let environment = Environment::new([("PM_MCP_HTTP_PORT", "x")]);
    assert_eq!(Settings::read(&environment, Program::Stdio).unwrap().http.port, 3000);
    // Its callers are of this machine and show no tokens.
    let environment = Environment::new([("PM_MCP_HTTP_BEARER_TOKEN", "x")]);
    assert_eq!(Settings::read(&environment, Program::Stdio).unwrap().http.access, None);
}

#[cfg(unix)]
#[test]
fn values_that_are_not_text_are_refused_except_paths() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let bytes = || OsString::from_vec(vec![b'/', 0xff]);
    let read = |name: &str| Settings::read(&Environment::new([(name, bytes())]), Program::Http);
    assert!(read("PM_MCP_PROFILE").unwrap_err().to_string().contains("is not UTF-8"));
    assert_eq!(read("PM_PATH").unwrap().workspaces, WorkspaceChoice::At(bytes().into()));
}
