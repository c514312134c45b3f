//! The settings of limits.

use super::table::Setting;

pub(super) const REQUESTS: Setting = Setting::new(
    "PM_MCP_REQUESTS",
    "How many requests may be served at the same time, streams not counted; further ones are refused.",
    "`8192`",
    "1024",
);
pub(super) const REQUESTS_PER_PRINCIPAL: Setting = Setting::new(
    "PM_MCP_REQUESTS_PER_PRINCIPAL",
    "How many of them may be of one caller, as its token names it; without tokens all are of one.",
    "`2048`",
    "64",
);
pub(super) const REQUEST_MS: Setting = Setting::new(
    "PM_MCP_REQUEST_MS",
    "How long a request may take, in milliseconds; then it fails. What goes on as a task is not meant.",
    "`300000`, or 5 s more than `PM_MCP_FOREGROUND_LIMIT_MS` if that is longer",
    "120000",
);
pub(super) const MESSAGE_BYTES: Setting = Setting::new(
    "PM_MCP_MESSAGE_BYTES",
    "How many bytes one message may have: a line on standard input, a body over HTTP.",
    "`4194304`",
    "1048576",
);
pub(super) const JSON_DEPTH: Setting = Setting::new(
    "PM_MCP_JSON_DEPTH",
    "How deep arrays and objects may stand within one another in a message, 128 at the most.",
    "`128`",
    "64",
);
pub(super) const STREAMS: Setting = Setting::new(
    "PM_MCP_STREAMS",
    "How many subscription streams may be open at the same time; further ones are refused.",
    "`16384`",
    "1000",
);
pub(super) const STREAMS_PER_PRINCIPAL: Setting =
    Setting::new("PM_MCP_STREAMS_PER_PRINCIPAL", "How many of them may be of one caller.", "`1024`", "16");
pub(super) const STREAM_ID_BYTES: Setting = Setting::new(
    "PM_MCP_STREAM_ID_BYTES",
    "How many bytes the id of a subscription may have, as JSON; it is repeated with each of its messages.",
    "`1024`",
    "256",
);
pub(super) const STREAM_QUEUE_ENTRIES: Setting = Setting::new(
    "PM_MCP_STREAM_QUEUE_ENTRIES",
    "How many changes may wait for the reader of one stream, where those of one thing count once; one that reads too \
     slowly is dropped.",
    "`1024`",
    "256",
);
pub(super) const STREAM_QUEUE_BYTES: Setting = Setting::new(
    "PM_MCP_STREAM_QUEUE_BYTES",
    "How many bytes may wait for the reader of one stream; one that reads too slowly is dropped.",
    "`262144`",
    "65536",
);
pub(super) const STREAM_WRITE_MS: Setting = Setting::new(
    "PM_MCP_STREAM_WRITE_MS",
    "How long the reader of a stream may take to accept one message, in milliseconds; then it is dropped.",
    "`10000`",
    "5000",
);
pub(super) const TASKS: Setting = Setting::new(
    "PM_MCP_TASKS",
    "How many tasks `PM_MCP_TASK_STORE=memory` keeps at a time, those of all callers together; further ones are refused. \
     The other stores keep what their disk holds.",
    "`10000`",
    "1000",
);
pub(super) const TASKS_PER_PRINCIPAL: Setting = Setting::new(
    "PM_MCP_TASKS_PER_PRINCIPAL",
    "How many tasks one caller may have at a time, finished ones that are still kept included; further ones are refused.",
    "`5000`",
    "100",
);
pub(super) const TASK_RESULT_BYTES: Setting = Setting::new(
    "PM_MCP_TASK_RESULT_BYTES",
    "How many bytes the result of a task may have, 15728640 at the most; a task with a longer one fails.",
    "`4194304`",
    "1048576",
);
pub(super) const TASK_QUESTIONS: Setting = Setting::new(
    "PM_MCP_TASK_QUESTIONS",
    "How many questions a task may ask in its lifetime; further ones fail.",
    "`64`",
    "16",
);
pub(super) const TASK_QUESTION_BYTES: Setting = Setting::new(
    "PM_MCP_TASK_QUESTION_BYTES",
    "How many bytes one question of a task may have; a longer one fails. Times `PM_MCP_TASK_QUESTIONS`, 15728640 at the \
     most.",
    "`65536`",
    "16384",
);
pub(super) const TASK_MESSAGE_BYTES: Setting = Setting::new(
    "PM_MCP_TASK_MESSAGE_BYTES",
    "How many bytes the status message of a task may have, 65536 at the most; a longer one is left out.",
    "`4096`",
    "1024",
);
pub(super) const STDIO_REQUESTS: Setting = Setting::new(
    "PM_MCP_STDIO_REQUESTS",
    "How many requests on standard input are served at the same time, subscription streams included; further ones wait in line.",
    "`128`",
    "32",
);
pub(super) const HTTP_HEADER_BYTES: Setting = Setting::new(
    "PM_MCP_HTTP_HEADER_BYTES",
    "How many bytes the head of a request may have, 8192 at the least; longer ones are answered with status 431.",
    "`65536`",
    "16384",
)
.http_only();
pub(super) const HTTP_HEADERS: Setting = Setting::new(
    "PM_MCP_HTTP_HEADERS",
    "How many headers a request may have, 16 at the least; more are answered with status 431.",
    "`100`",
    "50",
)
.http_only();
pub(super) const HTTP_HEADER_MS: Setting = Setting::new(
    "PM_MCP_HTTP_HEADER_MS",
    "How long a new connection may take to send the head of its first request, in milliseconds.",
    "`10000`",
    "5000",
)
.http_only();
pub(super) const HTTP_BODY_MS: Setting = Setting::new(
    "PM_MCP_HTTP_BODY_MS",
    "How long the body of a request may take, in milliseconds; slower ones are answered with status 408.",
    "`30000`",
    "10000",
)
.http_only();
pub(super) const HTTP_IDLE_MS: Setting = Setting::new(
    "PM_MCP_HTTP_IDLE_MS",
    "How long a connection may go without another request, in milliseconds.",
    "`60000`",
    "30000",
)
.http_only();
pub(super) const HTTP_CONNECTIONS: Setting = Setting::new(
    "PM_MCP_HTTP_CONNECTIONS",
    "How many connections are served at the same time; further ones wait.",
    "`16384`",
    "2000",
)
.http_only();
pub(super) const HTTP_PROBES: Setting = Setting::new(
    "PM_MCP_HTTP_PROBES",
    "Whether `GET /livez` and `GET /readyz` are answered, to anyone, with status 200 or 503: `1` or `0`.",
    "`1`",
    "0",
)
.http_only();
