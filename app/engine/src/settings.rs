//! What a server says of itself, how its lists are served, and how much one request may take.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::continuation::StateLimits;
use pm_mcp_domain::request::JSON_DEPTH_LIMIT;
use pm_mcp_domain::subscription::FilterLimits;
use pm_mcp_domain::task::{LifetimeLimits, TaskLimits, TaskQuota};
use pm_mcp_domain::trace::BaggageKeys;
use pm_mcp_domain::wire::Implementation;
use pm_mcp_ports::feature::{Interceptor, Visibility};

use crate::access::AccessSettings;
use crate::extension::ExtensionSpec;
use crate::hub::HubLimits;
use crate::load::RequestLimits;

/// What a server says of itself, and how its lists are served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server's name and version.
    pub implementation: Implementation,
    /// How to use the server, for a model.
    pub instructions: Option<String>,
    /// How long discovery and the lists may be kept.
    pub caches: ListCaches,
    /// How many entries a page of tools, templates or prompts has at the most; one or more.
    pub page_size: usize,
    /// How many resources a page has at the most; one or more.
    pub resource_page_size: usize,
    /// How much may be asked, remembered and waited for.
    pub limits: Limits,
    /// How tasks are kept.
    pub tasks: TaskSettings,
    /// Which members of a request's baggage are kept; none unless told.
    pub baggage: BaggageKeys,
    /// What the server adds to the protocol.
    pub extensions: Vec<ExtensionSpec>,
    /// What stands around every operation, from the outside in.
    pub interceptors: Vec<Arc<dyn Interceptor>>,
    /// What is asked of those who call; `None` where nobody has to show a token.
    pub access: Option<AccessSettings>,
    /// Whether strangers may call without a token, as the host said on purpose.
    pub anonymous: bool,
    /// What a caller may know of; everything unless told.
    pub visibility: Option<Arc<dyn Visibility>>,
    /// Whether lists leave out what the caller's token has no scopes for. It can be called all the same, and answers with
    /// the scopes that it needs.
    pub lists_usable_only: bool,
}

impl Settings {
    /// Settings of a server with this identity, with default page sizes, caches and limits.
    pub fn new(implementation: Implementation) -> Self {
        Self {
            implementation,
            instructions: None,
            caches: ListCaches::default(),
            page_size: 100,
            resource_page_size: 50,
            limits: Limits::default(),
            tasks: TaskSettings::default(),
            baggage: BaggageKeys::default(),
            extensions: Vec::new(),
            interceptors: Vec::new(),
            access: None,
            anonymous: false,
            visibility: None,
            lists_usable_only: false,
        }
    }
}

/// How much one request, one state and one stream may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many requests may be served at the same time.
    pub requests: RequestLimits,
    /// How deep arrays and objects may stand within one another in a message, 128 at the most.
    pub json_depth: usize,
    /// How long a handler may work on a request before the request fails; tasks are not meant.
    pub request_time: Duration,
    /// Size and lifetime of the state that a client carries between two rounds.
    pub state: StateLimits,
    /// What a subscription may ask for.
    pub filter: FilterLimits,
    /// How many streams there may be, and what may wait for each.
    pub hub: HubLimits,
}

impl Default for Limits {
    /// Requests of five minutes; the others as their own defaults say.
    fn default() -> Self {
        Self {
            requests: RequestLimits::default(),
            json_depth: JSON_DEPTH_LIMIT,
            request_time: Duration::from_secs(300),
            state: StateLimits::default(),
            filter: FilterLimits::default(),
            hub: HubLimits::default(),
        }
    }
}

/// How tasks are kept and worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskSettings {
    /// How long tasks are kept, from their creation.
    pub lifetime: LifetimeLimits,
    /// How often clients are asked to poll.
    pub poll_interval: Duration,
    /// How long a worker's lease lasts without being renewed. Where several processes share a store, this is how long a
    /// task of a process that died looks alive.
    pub lease: Duration,
    /// How long adaptive work is waited for before it becomes a task.
    pub inline_budget: Duration,
    /// Bounds of one task.
    pub limits: TaskLimits,
    /// How many tasks one principal may have.
    pub quota: TaskQuota,
    /// How long tasks may go on when the server is told to stop.
    pub shutdown_grace: Duration,
}

impl Default for TaskSettings {
    /// Polled every second, leases of thirty seconds, half a second before adaptive work is a task.
    fn default() -> Self {
        Self {
            lifetime: LifetimeLimits::default(),
            poll_interval: Duration::from_secs(1),
            lease: Duration::from_secs(30),
            inline_budget: Duration::from_millis(500),
            limits: TaskLimits::default(),
            quota: TaskQuota::default(),
            shutdown_grace: Duration::from_secs(5),
        }
    }
}

/// Cache hints of discovery and the lists. The default is what holds when every caller sees the same, briefly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListCaches {
    /// Of `server/discover`.
    pub discover: CachePolicy,
    /// Of `tools/list`.
    pub tools: CachePolicy,
    /// Of `resources/list`.
    pub resources: CachePolicy,
    /// Of `resources/templates/list`.
    pub templates: CachePolicy,
    /// Of `prompts/list`.
    pub prompts: CachePolicy,
}

impl Default for ListCaches {
    fn default() -> Self {
        Self {
            discover: CachePolicy::public(3_600_000),
            tools: CachePolicy::private(60_000),
            resources: CachePolicy::private(5_000),
            templates: CachePolicy::private(60_000),
            prompts: CachePolicy::private(60_000),
        }
    }
}
