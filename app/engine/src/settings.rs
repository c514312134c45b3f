//! What a server says of itself, and how its lists are served.

use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::wire::Implementation;

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
}

impl Settings {
    /// Settings of a server with this identity, with default page sizes and caches.
    pub fn new(implementation: Implementation) -> Self {
        Self {
            implementation,
            instructions: None,
            caches: ListCaches::default(),
            page_size: 100,
            resource_page_size: 50,
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
