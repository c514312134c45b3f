//! The table of settings, from which help, documentation and faults are written.

use super::limit_table::{
    HTTP_BODY_MS, HTTP_CONNECTIONS, HTTP_HEADER_BYTES, HTTP_HEADER_MS, HTTP_HEADERS, HTTP_IDLE_MS,
    HTTP_PROBES, JSON_DEPTH, MESSAGE_BYTES, REQUEST_MS, REQUESTS, REQUESTS_PER_PRINCIPAL, STDIO_REQUESTS,
    STREAM_ID_BYTES, STREAM_QUEUE_BYTES, STREAM_QUEUE_ENTRIES, STREAM_WRITE_MS, STREAMS,
    STREAMS_PER_PRINCIPAL, TASK_MESSAGE_BYTES, TASK_QUESTION_BYTES, TASK_QUESTIONS, TASK_RESULT_BYTES, TASKS,
    TASKS_PER_PRINCIPAL,
};
use super::program::Program;
use super::telemetry::{METRICS_ADDR, OTLP_URL};

/// One setting that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Setting {
    /// The environment variable.
    pub name: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// What holds when it is not set.
    pub default: &'static str,
    /// A right value.
    pub example: &'static str,
    /// Whether the value must never be shown.
    pub secret: bool,
    /// Whether only the HTTP server reads it.
    pub http_only: bool,
}

impl Setting {
    pub(super) const fn new(
        name: &'static str,
        meaning: &'static str,
        default: &'static str,
        example: &'static str,
    ) -> Self {
        Self { name, meaning, default, example, secret: false, http_only: false }
    }

    pub(super) const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }

    pub(super) const fn http_only(self) -> Self {
        Self { http_only: true, ..self }
    }

    /// Whether `program` reads it.
    #[must_use]
    pub const fn is_read_by(&self, program: Program) -> bool {
        match program {
            Program::Http => true,
            Program::Stdio => !self.http_only,
        }
    }
}

pub(crate) const PATH: Setting = Setting::new(
    "PM_PATH",
    "The workspace to serve: its tracker root, or a project folder that holds `.agents/pm`.",
    "the nearest `.agents/pm` in the current folder or above it; if there is none, a made-up sample",
    "/home/me/project",
);
pub(crate) const WORKSPACES: Setting = Setting::new(
    "PM_MCP_WORKSPACES",
    "Several workspaces instead of `PM_PATH`: `name=path` pairs with `;` between them, the first is the default. \
     A name has 1 to 64 of `A-Z a-z 0-9 . _ -`.",
    "one workspace named `default`",
    "main=/srv/main;site=/srv/site",
);
pub(super) const AUTHOR: Setting = Setting::new(
    "PM_AUTHOR",
    "The author that history names when a call names none and no token does.",
    "the workspace's `author_default`, then `mcp:` and the client's name, then `unknown`",
    "mira",
);
pub(super) const CONFIRM: Setting = Setting::new(
    "PM_MCP_CONFIRM",
    "When `pm_mutate` shows its plan to the user before it writes: `destructive` for batches that delete, restore, \
     close, reopen or take claims of others away, or have more than ten rows; `always`; or `never`.",
    "`destructive`",
    "always",
);
pub(super) const ALLOW_TEST_RUN: Setting = Setting::new(
    "PM_MCP_ALLOW_TEST_RUN",
    "Whether `pm_test` may run the commands that are linked to items, after the user agreed: `1` or `0`.",
    "`1` for `pm-mcp`, `0` for `pm-mcp-http`",
    "0",
);
pub(super) const LOCK_WAIT_MS: Setting = Setting::new(
    "PM_LOCK_WAIT_MS",
    "How long a write waits for the lock of another program, in milliseconds, whatever the workspace's settings say.",
    "the workspace's `locks.wait_ms`",
    "3000",
);
pub(super) const PROFILE: Setting = Setting::new(
    "PM_MCP_PROFILE",
    "Which tools are offered: `core`, `standard`, `full`, or `custom` for those that `PM_MCP_TOOLS` names.",
    "`full`",
    "standard",
);
pub(super) const TOOLS: Setting = Setting::new(
    "PM_MCP_TOOLS",
    "The tools of the profile `custom`, with commas between them.",
    "none",
    "pm_context,pm_next,pm_get",
);
pub(super) const CURSOR_KEY: Setting = Setting::new(
    "PM_MCP_DISCOVERY_CURSOR_KEY",
    "Key that signs list cursors; its characters are taken as they are, in UTF-8, and have 32 bytes or more. With \
     the same key, cursors go on after a restart and in other processes; a new key ends them.",
    "a random key that ends with the process",
    "$(openssl rand -base64 48)",
)
.secret();
pub(super) const STATE_KEY: Setting = Setting::new(
    "MCP_REQUEST_STATE_KEY",
    "Key that seals what clients carry between the rounds of one operation; its characters are taken as they are, in \
     UTF-8, without commas, and have 32 bytes or more. With the same key, operations go on after a restart; a new key \
     ends them.",
    "a random key that ends with the process",
    "$(openssl rand -base64 48)",
)
.secret();
pub(super) const STATE_KEYS_OLD: Setting = Setting::new(
    "MCP_REQUEST_STATE_KEYS_OLD",
    "Keys that were `MCP_REQUEST_STATE_KEY` before, with commas between them: what they sealed is still opened.",
    "none",
    "$OLD_KEY,$OLDER_KEY",
)
.secret();
pub(crate) const TASK_STORE: Setting = Setting::new(
    "PM_MCP_TASK_STORE",
    "Where tasks are kept: `fs`, in the folder `runtime/mcp-tasks` of the default workspace, through restarts and \
     shared by processes of one machine; `sled`, in a database in `runtime/mcp-tasks-sled` there, through restarts \
     and for one process, with more tasks a second; `postgres`, in the \
     database of `PM_MCP_DATABASE_URL`, shared by any servers, which then also hear of each other's changes; or \
     `memory`, where they end with the process.",
    "`fs`",
    "fs",
);
pub(super) const DATABASE_URL: Setting = Setting::new(
    "PM_MCP_DATABASE_URL",
    "The PostgreSQL database that keeps tasks and carries changes between servers with `PM_MCP_TASK_STORE=postgres`, in \
     its schema `pm_mcp`: over a Unix socket or the loopback interface, or, in a network that is trusted, with \
     `sslmode=disable`.",
    "none",
    "postgres://server@localhost/tasks?host=/run/postgresql",
)
.secret();
pub(super) const TASK_TTL_MS: Setting = Setting::new(
    "PM_MCP_TASK_TTL_MS",
    "How long a task is kept from its creation, in milliseconds.",
    "`3600000`",
    "3600000",
);
pub(super) const TASK_POLL_MS: Setting = Setting::new(
    "PM_MCP_TASK_POLL_MS",
    "How often clients are asked to look at a task, in milliseconds.",
    "`1000`",
    "1000",
);
pub(super) const FOREGROUND_LIMIT_MS: Setting = Setting::new(
    "PM_MCP_FOREGROUND_LIMIT_MS",
    "How long an operation may take whose client does not know tasks, in milliseconds; then it fails with \
     `foreground_limit`.",
    "`60000`",
    "60000",
);
pub(super) const BAGGAGE_KEYS: Setting = Setting::new(
    "PM_MCP_BAGGAGE_KEYS",
    "Which members of a request's baggage are kept while the request is served, with commas between them; the others are \
     dropped.",
    "none",
    "tenant,session",
);
pub(super) const LOG: Setting = Setting::new(
    "PM_MCP_LOG",
    "What is logged to standard error: a level (`off`, `error`, `warn`, `info`, `debug`, `trace`), or `target=level` \
     pairs with commas between them.",
    "`warn`",
    "info",
);
pub(super) const HTTP_HOST: Setting = Setting::new(
    "PM_MCP_HTTP_HOST",
    "The address to listen on. One that other machines can reach needs authorization.",
    "`127.0.0.1`",
    "127.0.0.1",
)
.http_only();
pub(super) const HTTP_PORT: Setting = Setting::new(
    "PM_MCP_HTTP_PORT",
    "The port to listen on; `0` takes a free one, which is reported.",
    "`3000`",
    "3000",
)
.http_only();
pub(super) const HTTP_ALLOWED_ORIGINS: Setting = Setting::new(
    "PM_MCP_HTTP_ALLOWED_ORIGINS",
    "Browser origins that may call, letter for letter as browsers send them, with commas between them.",
    "none",
    "http://localhost:5173,https://app.example.com",
)
.http_only();
pub(crate) const HTTP_ADDRESS_FILE: Setting = Setting::new(
    "PM_MCP_HTTP_ADDRESS_FILE",
    "A file that gets the server's URL, whole, once the socket listens; for scripts.",
    "none",
    "/tmp/pm-mcp.url",
)
.http_only();

pub(super) const HTTP_BEARER_TOKEN: Setting = Setting::new(
    "PM_MCP_HTTP_BEARER_TOKEN",
    "The token of this deployment, good for all of `PM_MCP_HTTP_SCOPES`: callers have to show it as `Authorization: \
     Bearer`. Together with `PM_MCP_HTTP_AUTH_ISSUER` and `PM_MCP_HTTP_RESOURCE`. Make it long and random.",
    "none: callers show no token",
    "$(openssl rand -hex 32)",
)
.secret()
.http_only();
pub(super) const HTTP_AUTH_ISSUER: Setting = Setting::new(
    "PM_MCP_HTTP_AUTH_ISSUER",
    "The authorization server that issues tokens, as it names itself, letter for letter: an `https` URL, or an `http` one of \
     a loopback host for trying things out.",
    "none",
    "https://login.example.com",
)
.http_only();
pub(super) const HTTP_RESOURCE: Setting = Setting::new(
    "PM_MCP_HTTP_RESOURCE",
    "The URI of this server as clients know it, without a fragment: tokens have to be for it, letter for letter, and its \
     host is one of the names under which the server may be addressed.",
    "none",
    "https://tracker.example.com/mcp",
)
.http_only();
pub(super) const HTTP_VERIFIER: Setting = Setting::new(
    "PM_MCP_HTTP_VERIFIER",
    "How tokens are verified: `static`, there is one, `PM_MCP_HTTP_BEARER_TOKEN`; `jwt`, they are signed by the \
     issuer, whose keys are found by its metadata; or `introspection`, the issuer is asked about each.",
    "`static`",
    "jwt",
)
.http_only();
pub(super) const HTTP_JWKS_URI: Setting = Setting::new(
    "PM_MCP_HTTP_JWKS_URI",
    "Where the issuer's keys are, for `PM_MCP_HTTP_VERIFIER=jwt` and an issuer without metadata.",
    "where its metadata says",
    "https://login.example.com/keys",
)
.http_only();
pub(super) const HTTP_KEYS_FRESH_MS: Setting = Setting::new(
    "PM_MCP_HTTP_KEYS_FRESH_MS",
    "How long the issuer's keys serve before they are looked at again, in milliseconds: the longest time for which a key \
     that was taken back is believed. A token with a new key makes them be looked at sooner, every 30 s at most.",
    "`600000`",
    "600000",
)
.http_only();
pub(super) const HTTP_KEYS_STALE_MS: Setting = Setting::new(
    "PM_MCP_HTTP_KEYS_STALE_MS",
    "How long the issuer's keys serve while it cannot be reached, in milliseconds; then tokens are answered with status \
     503.",
    "`3600000`",
    "3600000",
)
.http_only();
pub(super) const HTTP_INTROSPECTION_URL: Setting = Setting::new(
    "PM_MCP_HTTP_INTROSPECTION_URL",
    "The issuer's introspection endpoint, for `PM_MCP_HTTP_VERIFIER=introspection`.",
    "none",
    "https://login.example.com/introspect",
)
.http_only();
pub(super) const HTTP_INTROSPECTION_CLIENT_ID: Setting = Setting::new(
    "PM_MCP_HTTP_INTROSPECTION_CLIENT_ID",
    "As which client the introspection endpoint is asked.",
    "none",
    "pm-mcp",
)
.http_only();
pub(super) const HTTP_INTROSPECTION_CLIENT_SECRET: Setting = Setting::new(
    "PM_MCP_HTTP_INTROSPECTION_CLIENT_SECRET",
    "With which secret the introspection endpoint is asked; its characters are taken as they are.",
    "none",
    "$(cat client-secret)",
)
.secret()
.http_only();
pub(super) const HTTP_INTROSPECTION_CLIENT_AUTH: Setting = Setting::new(
    "PM_MCP_HTTP_INTROSPECTION_CLIENT_AUTH",
    "Where id and secret are sent: `basic`, in the header, or `post`, in the body.",
    "`basic`",
    "post",
)
.http_only();
pub(super) const HTTP_INTROSPECTION_KEEP_MS: Setting = Setting::new(
    "PM_MCP_HTTP_INTROSPECTION_KEEP_MS",
    "How long what the endpoint says of a token is kept, in milliseconds: the longest time for which a token that was \
     taken back is believed.",
    "`30000`",
    "30000",
)
.http_only();
pub(super) const HTTP_TOKEN_LEEWAY_MS: Setting = Setting::new(
    "PM_MCP_HTTP_TOKEN_LEEWAY_MS",
    "How far the clocks of issuer and server may differ, in milliseconds.",
    "`30000`",
    "30000",
)
.http_only();
pub(super) const HTTP_AUTH_PRIVATE: Setting = Setting::new(
    "PM_MCP_HTTP_AUTH_PRIVATE",
    "Whether the issuer may be asked at addresses of private networks, `yes` or `no`. An issuer on a loopback address is \
     asked there in any case.",
    "`no`",
    "yes",
)
.http_only();

/// The scopes of the tracker.
pub(super) const DEFAULT_SCOPES: &str = "pm:read pm:write";
pub(super) const HTTP_SCOPES: Setting = Setting::new(
    "PM_MCP_HTTP_SCOPES",
    "The scopes for which clients may ask consent, with spaces between: `pm:read` to look, `pm:write` to change, too.",
    "`pm:read pm:write`",
    "pm:read",
)
.http_only();

/// Every setting, in the order in which help shows them.
pub const SETTINGS: &[Setting] = &[
    PATH,
    WORKSPACES,
    AUTHOR,
    CONFIRM,
    ALLOW_TEST_RUN,
    LOCK_WAIT_MS,
    PROFILE,
    TOOLS,
    CURSOR_KEY,
    STATE_KEY,
    STATE_KEYS_OLD,
    TASK_STORE,
    DATABASE_URL,
    TASK_TTL_MS,
    TASK_POLL_MS,
    FOREGROUND_LIMIT_MS,
    REQUESTS,
    REQUESTS_PER_PRINCIPAL,
    REQUEST_MS,
    STDIO_REQUESTS,
    MESSAGE_BYTES,
    JSON_DEPTH,
    STREAMS,
    STREAMS_PER_PRINCIPAL,
    STREAM_ID_BYTES,
    STREAM_QUEUE_ENTRIES,
    STREAM_QUEUE_BYTES,
    STREAM_WRITE_MS,
    TASKS,
    TASKS_PER_PRINCIPAL,
    TASK_RESULT_BYTES,
    TASK_QUESTIONS,
    TASK_QUESTION_BYTES,
    TASK_MESSAGE_BYTES,
    BAGGAGE_KEYS,
    LOG,
    OTLP_URL,
    HTTP_HOST,
    HTTP_PORT,
    HTTP_ALLOWED_ORIGINS,
    HTTP_BEARER_TOKEN,
    HTTP_AUTH_ISSUER,
    HTTP_RESOURCE,
    HTTP_SCOPES,
    HTTP_VERIFIER,
    HTTP_TOKEN_LEEWAY_MS,
    HTTP_JWKS_URI,
    HTTP_KEYS_FRESH_MS,
    HTTP_KEYS_STALE_MS,
    HTTP_INTROSPECTION_URL,
    HTTP_INTROSPECTION_CLIENT_ID,
    HTTP_INTROSPECTION_CLIENT_SECRET,
    HTTP_INTROSPECTION_CLIENT_AUTH,
    HTTP_INTROSPECTION_KEEP_MS,
    HTTP_AUTH_PRIVATE,
    HTTP_ADDRESS_FILE,
    HTTP_HEADER_BYTES,
    HTTP_HEADERS,
    HTTP_HEADER_MS,
    HTTP_BODY_MS,
    HTTP_IDLE_MS,
    HTTP_CONNECTIONS,
    HTTP_PROBES,
    METRICS_ADDR,
];
