//! Who may depend on whom. A crate or an edge that is not here does not exist until it has been thought about.

/// What one member may depend on.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Package name.
    pub name: &'static str,
    /// What the crate itself may use, beside [`Row::base`].
    pub normal: &'static [&'static str],
    /// What several crates of its kind share.
    pub base: &'static [&'static str],
    /// What its tests and examples may use beyond all that, and beyond [`DEV`].
    pub dev: &'static [&'static str],
}

/// What the tests of any crate may use.
pub const DEV: [&str; 5] = ["pm-mcp-contract", "proptest", "serde_json", "tempfile", "tokio"];

const NOTHING: &[&str] = &[];

/// What an adapter of the protocol's ports may use beside its own technology.
const MCP_ADAPTER: &[&str] = &[
    "async-trait",
    "bytes",
    "futures-util",
    "pm-mcp-domain",
    "pm-mcp-ports",
    "serde",
    "serde_json",
    "thiserror",
    "tokio",
    "tokio-util",
    "tracing",
];

/// What an adapter of the tracker's ports may use beside its own technology.
const TRACKER_ADAPTER: &[&str] = &[
    "async-trait",
    "pm-tracker-domain",
    "pm-tracker-ports",
    "serde",
    "serde_json",
    "thiserror",
    "tokio",
    "tracing",
];

/// The whole table, one row a member.
pub const TABLE: &[Row] = &[
    row("pm-mcp-domain", NOTHING, &["base64", "serde", "serde_json", "sha2", "thiserror", "zeroize"]),
    row("pm-tracker-domain", NOTHING, &["serde", "serde_json", "sha2", "thiserror"]),
    row("pm-mcp-ports", NOTHING, &["async-trait", "pm-mcp-domain", "serde_json", "thiserror"]),
    row("pm-tracker-ports", NOTHING, &["async-trait", "pm-tracker-domain", "serde_json", "thiserror"]),
    row("pm-mcp-clock-system", MCP_ADAPTER, NOTHING),
    row("pm-mcp-credentials-file", MCP_ADAPTER, &["ring", "zeroize"]),
    Row {
        name: "pm-mcp-https",
        normal: &[
            "http",
            "http-body-util",
            "hyper",
            "hyper-util",
            "rustls",
            "rustls-native-certs",
            "tokio-rustls",
        ],
        base: MCP_ADAPTER,
        dev: &["rcgen"],
    },
    row("pm-mcp-memory", MCP_ADAPTER, &["foldhash"]),
    row("pm-mcp-postgres", MCP_ADAPTER, &["deadpool-postgres", "getrandom", "tokio-postgres"]),
    row("pm-mcp-schema-jsonschema", MCP_ADAPTER, &["jsonschema"]),
    row("pm-mcp-seal-ring", MCP_ADAPTER, &["base64", "ring"]),
    row("pm-mcp-skills-dir", MCP_ADAPTER, &["serde-saphyr"]),
    row("pm-mcp-task-fs", MCP_ADAPTER, &["sha2"]),
    row("pm-mcp-task-sled", MCP_ADAPTER, &["base64", "rustix", "sled"]),
    row(
        "pm-mcp-telemetry-otel",
        MCP_ADAPTER,
        &[
            "http",
            "http-body-util",
            "hyper",
            "hyper-util",
            "opentelemetry",
            "opentelemetry-http",
            "opentelemetry-otlp",
            "opentelemetry_sdk",
            "prometheus",
        ],
    ),
    row("pm-mcp-token-introspection", MCP_ADAPTER, &["base64", "ring", "zeroize"]),
    row("pm-mcp-token-jwt", MCP_ADAPTER, &["base64", "ring"]),
    row("pm-mcp-token-static", MCP_ADAPTER, &["ring"]),
    row("pm-mcp-transport-stdio", MCP_ADAPTER, &["memchr"]),
    row(
        "pm-mcp-transport-warp",
        MCP_ADAPTER,
        &["http", "http-body", "http-body-util", "hyper", "hyper-util", "socket2", "warp"],
    ),
    row("pm-tracker-workspace-pm", TRACKER_ADAPTER, &["getrandom", "sha2", "toon-format"]),
    row("pm-tracker-command-process", TRACKER_ADAPTER, &["rustix"]),
    row("pm-tracker-watch-notify", TRACKER_ADAPTER, &["notify", "rustix"]),
    row("pm-mcp-worker-locks", MCP_ADAPTER, NOTHING),
    row("pm-tracker-workspace-pm", TRACKER_ADAPTER, &["sha2", "toon-format"]),
    Row {
        name: "pm-mcp-authorization",
        normal: &["pm-mcp-domain", "pm-mcp-ports", "thiserror", "tokio", "tracing"],
        base: NOTHING,
        dev: &[
            "async-trait",
            "pm-mcp-clock-system",
            "pm-mcp-credentials-file",
            "pm-mcp-https",
            "pm-mcp-memory",
            "pm-mcp-seal-ring",
        ],
    },
    row(
        "pm-mcp-engine",
        NOTHING,
        &[
            "arc-swap",
            "async-trait",
            "foldhash",
            "pm-mcp-domain",
            "pm-mcp-ports",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tracing",
        ],
    ),
    row("pm-mcp-derive", NOTHING, &["proc-macro2", "quote", "syn"]),
    Row {
        name: "pm-mcp",
        normal: &[
            "async-trait",
            "pm-mcp-clock-system",
            "pm-mcp-derive",
            "pm-mcp-domain",
            "pm-mcp-engine",
            "pm-mcp-memory",
            "pm-mcp-ports",
            "pm-mcp-schema-jsonschema",
            "pm-mcp-seal-ring",
            "pm-mcp-transport-stdio",
            "pm-mcp-transport-warp",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tracing",
        ],
        base: NOTHING,
        dev: &[
            "base64",
            "hyper",
            "hyper-util",
            "pm-mcp-acceptance",
            "pm-mcp-skills-dir",
            "pm-mcp-task-fs",
            "warp",
        ],
    },
    row(
        "pm-tracker",
        NOTHING,
        &[
            "base64",
            "futures-util",
            "pm-mcp",
            "pm-tracker-domain",
            "pm-tracker-ports",
            "schemars",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tracing",
        ],
    ),
    row(
        "pm-mcp-doctor",
        NOTHING,
        &[
            "bytes",
            "http",
            "http-body-util",
            "hyper",
            "hyper-util",
            "pm-mcp-domain",
            "rustls",
            "rustls-native-certs",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-rustls",
        ],
    ),
    Row {
        name: "pm-mcp-server",
        normal: &[
            "clap",
            "pm-mcp",
            "pm-mcp-doctor",
            "pm-mcp-https",
            "pm-mcp-memory",
            "pm-mcp-postgres",
            "pm-mcp-skills-dir",
            "pm-mcp-task-fs",
            "pm-mcp-task-sled",
            "pm-mcp-telemetry-otel",
            "pm-mcp-token-introspection",
            "pm-mcp-token-jwt",
            "pm-mcp-token-static",
            "pm-mcp-worker-locks",
            "pm-tracker",
            "pm-tracker-domain",
            "pm-tracker-ports",
            "pm-tracker-command-process",
            "pm-tracker-watch-notify",
            "pm-tracker-workspace-pm",
            "serde",
            "serde_json",
            "tempfile",
            "thiserror",
            "tokio",
            "tracing",
            "tracing-subscriber",
        ],
        base: NOTHING,
        dev: &["pm-mcp-ports"],
    },
    row("pm-mcp-acceptance", NOTHING, &["jsonschema", "serde_json", "sha2", "tempfile"]),
    Row {
        name: "pm-mcp-contract",
        normal: &[
            "async-trait",
            "jsonschema",
            "pm-mcp-domain",
            "pm-mcp-ports",
            "serde_json",
            "thiserror",
            "tokio",
        ],
        base: NOTHING,
        dev: &["pm-mcp", "pm-mcp-memory", "pm-mcp-seal-ring"],
    },
    row("pm-mcp-bench", NOTHING, &["pm-mcp", "schemars", "serde", "tokio"]),
    row("pm-mcp-load", NOTHING, &["pm-mcp-acceptance", "serde_json", "socket2", "tokio"]),
    row("pm-mcp-architecture", NOTHING, &["serde_json"]),
];

const fn row(name: &'static str, base: &'static [&'static str], normal: &'static [&'static str]) -> Row {
    Row { name, normal, base, dev: NOTHING }
}
