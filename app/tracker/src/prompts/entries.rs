//! All prompts together.

use std::sync::Arc;

use pm_mcp::PromptEntry;

use super::{claim, close, orient, skill};
use crate::tracker::Tracker;

/// All prompts: three for work, and one for each skill of the repositories as they are now.
pub async fn prompts(tracker: &Arc<Tracker>) -> Vec<PromptEntry> {
    let mut prompts =
        vec![orient::orient(tracker), claim::claim_and_start(tracker), close::record_and_close(tracker)];
    let (names, skills): (Vec<String>, Vec<PromptEntry>) = skill::skills(tracker).await.into_iter().unzip();
    tracker.offers_skill_prompts(names);
    prompts.extend(skills);
    prompts
}
