//! The tracker, put into a server.

use std::sync::Arc;

use pm_mcp::{CachePolicy, ListCaches, ServerBuilder};

use crate::instructions::INSTRUCTIONS;
use crate::prompts::prompts;
use crate::resources::{ItemSource, resources};
use crate::scopes;
use crate::templates::templates;
use crate::tracker::Tracker;

/// How long lists may be kept: tools and prompts depend on the workspace, resources on its items.
pub const LIST_CACHES: ListCaches = ListCaches {
    discover: CachePolicy::public(3_600_000),
    tools: CachePolicy::private(60_000),
    resources: CachePolicy::private(5_000),
    templates: CachePolicy::public(3_600_000),
    prompts: CachePolicy::private(60_000),
};

/// Adds everything but tools: instructions, resources, templates, completions, prompts and cache hints.
pub async fn offer(builder: ServerBuilder, tracker: &Arc<Tracker>) -> ServerBuilder {
    let mut builder = builder
        .instructions(INSTRUCTIONS)
        .caches(LIST_CACHES)
        .resource_page_size(50)
        .require_scope(scopes::READ)
        // A caller that may only look is shown what it can use; what it calls all the same tells the scopes it needs.
        .list_usable_only();
    for resource in resources(tracker) {
        builder = builder.resource(resource);
    }
    builder = builder.resource_source(ItemSource::new(Arc::clone(tracker)));
    for template in templates(tracker) {
        builder = builder.template(template);
    }
    for prompt in prompts(tracker).await {
        builder = builder.prompt(prompt);
    }
    builder
}
