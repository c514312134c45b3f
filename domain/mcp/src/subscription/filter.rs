//! What a subscription is about.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::change::Change;
use super::fault::FilterFault;
use super::topic::Topic;
use crate::fault::ParamFault;
use crate::ident::Principal;
use crate::request::LooseText;

const FILTER: &str = "notifications";
const TOOLS: &str = "notifications.toolsListChanged";
const PROMPTS: &str = "notifications.promptsListChanged";
const RESOURCES: &str = "notifications.resourcesListChanged";
const URIS: &str = "notifications.resourceSubscriptions";
const TASKS: &str = "notifications.taskIds";

/// What a subscription is about: nothing that is not named here is ever sent on its stream.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    pub(super) tools: bool,
    pub(super) prompts: bool,
    pub(super) resources: bool,
    pub(super) uris: Vec<Arc<str>>,
    pub(super) tasks: Vec<Arc<str>>,
}

/// How much a filter may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterLimits {
    /// How many URIs it may list.
    pub uris: usize,
    /// How many bytes one URI may have.
    pub uri_bytes: usize,
    /// How many task ids it may list.
    pub tasks: usize,
    /// How many bytes one task id may have.
    pub task_bytes: usize,
    /// How many bytes all URIs and task ids may have together: what a stream can hold of the server's memory.
    pub total_bytes: usize,
}

impl Default for FilterLimits {
    fn default() -> Self {
        Self { uris: 256, uri_bytes: 4_096, tasks: 256, task_bytes: 256, total_bytes: 65_536 }
    }
}

/// The kinds of change that a server tells of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Offers {
    /// That its tools change.
    pub tools_list: bool,
    /// That its prompts change.
    pub prompts_list: bool,
    /// That its resources come and go.
    pub resources_list: bool,
    /// That the content of a resource changes.
    pub resource_updates: bool,
    /// That a task changes.
    pub tasks: bool,
}

impl Filter {
    /// Reads the member `notifications` of the parameters of `subscriptions/listen`. Entries that are listed twice
    /// count once; members that are not known are ignored.
    ///
    /// # Errors
    ///
    /// When the member is missing, is malformed or asks for more than `limits` allow.
    pub fn parse(notifications: Option<&RawValue>, limits: &FilterLimits) -> Result<Self, FilterFault> {
        let raw = notifications.ok_or(ParamFault::Missing(FILTER))?;
        let draft: Draft<'_> = serde_json::from_str(raw.get())
            .map_err(|_| ParamFault::WrongType { member: FILTER, wanted: "an object" })?;
        if let Some(member) = draft.twice {
            return Err(ParamFault::Twice(member).into());
        }
        let uris = entries(draft.uris, URIS, limits.uris, limits.uri_bytes)?;
        let tasks = entries(draft.tasks, TASKS, limits.tasks, limits.task_bytes)?;
        if uris.iter().chain(&tasks).map(|entry| entry.len()).sum::<usize>() > limits.total_bytes {
            return Err(FilterFault::TooMuch { limit: limits.total_bytes });
        }
        Ok(Self {
            tools: flag(draft.tools, TOOLS)?,
            prompts: flag(draft.prompts, PROMPTS)?,
            resources: flag(draft.resources, RESOURCES)?,
            uris,
            tasks,
        })
    }

    /// What a server with these offers grants of the filter.
    ///
    /// Kinds that the server does not support are left out, so that the acknowledgement omits them
    /// ([Acknowledgment](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment)).
    #[must_use]
    pub fn accepted(mut self, offers: Offers) -> Self {
        self.tools &= offers.tools_list;
        self.prompts &= offers.prompts_list;
        self.resources &= offers.resources_list;
        if !offers.resource_updates {
            self.uris.clear();
        }
        if !offers.tasks {
            self.tasks.clear();
        }
        self
    }

    /// Leaves out the URIs that `grant` refuses, for resources that the caller may not see.
    pub fn retain_uris(&mut self, mut grant: impl FnMut(&str) -> bool) {
        self.uris.retain(|uri| grant(uri));
    }

    /// Leaves out the tasks that `grant` refuses: unknown, expired and foreign ones.
    pub fn retain_tasks(&mut self, mut grant: impl FnMut(&str) -> bool) {
        self.tasks.retain(|task| grant(task));
    }

    /// The URIs of the resources that the filter names, in the order of the request.
    pub fn uris(&self) -> impl ExactSizeIterator<Item = &str> {
        self.uris.iter().map(|uri| &**uri)
    }

    /// The ids of the tasks that the filter names, in the order of the request. Naming one needs the tasks extension.
    pub fn tasks(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tasks.iter().map(|task| &**task)
    }

    /// The filter as topics, none of them twice.
    pub fn topics(&self) -> impl Iterator<Item = Topic> {
        let lists =
            [(self.tools, Topic::Tools), (self.prompts, Topic::Prompts), (self.resources, Topic::Resources)];
        let lists = lists.into_iter().filter_map(|(wanted, topic)| wanted.then_some(topic));
        let uris = self.uris.iter().cloned().map(Topic::Resource);
        lists.chain(uris).chain(self.tasks.iter().cloned().map(Topic::Task))
    }

    /// Whether a subscription of `principal` with this filter is to hear of `change`.
    pub fn wants(&self, change: &Change, principal: &Principal) -> bool {
        let named = match change {
            Change::ToolsListChanged => self.tools,
            Change::PromptsListChanged => self.prompts,
            Change::ResourcesListChanged => self.resources,
            Change::ResourceUpdated { uri } => self.uris.contains(uri),
            Change::TaskChanged { task, .. } => self.tasks.contains(task),
        };
        named && change.concerns(principal)
    }
}

fn flag(raw: Option<&RawValue>, member: &'static str) -> Result<bool, ParamFault> {
    match raw.map(RawValue::get) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(ParamFault::WrongType { member, wanted: "a boolean" }),
    }
}

fn entries(
    raw: Option<&RawValue>,
    member: &'static str,
    count: usize,
    bytes: usize,
) -> Result<Vec<Arc<str>>, FilterFault> {
    let Some(raw) = raw else { return Ok(Vec::new()) };
    let malformed =
        FilterFault::Malformed(ParamFault::WrongType { member, wanted: "an array of non-empty strings" });
    let mut list = serde_json::Deserializer::from_str(raw.get());
    match list.deserialize_seq(Entries { count, bytes }).map_err(|_| malformed)? {
        Listed::Texts(texts) => Ok(texts),
        Listed::Malformed => Err(malformed),
        Listed::TooMany => Err(FilterFault::TooMany { member, limit: count }),
        Listed::TooLong => Err(FilterFault::TooLong { member, limit: bytes }),
    }
}

/// Reads a list of texts and keeps no more of it than the limits allow.
struct Entries {
    count: usize,
    bytes: usize,
}

enum Listed {
    Texts(Vec<Arc<str>>),
    Malformed,
    TooMany,
    TooLong,
}

impl<'de> Visitor<'de> for Entries {
    type Value = Listed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Listed, A::Error> {
        let mut texts: Vec<Arc<str>> = Vec::new();
        let mut listed = 0;
        let fault = loop {
            let Some(entry) = seq.next_element::<LooseText<'de>>()? else { return Ok(Listed::Texts(texts)) };
            listed += 1;
            match entry.as_str() {
                None | Some("") => break Listed::Malformed,
                Some(_) if listed > self.count => break Listed::TooMany,
                Some(text) if text.len() > self.bytes => break Listed::TooLong,
                Some(text) if texts.iter().any(|known| &**known == text) => {}
                Some(text) => texts.push(Arc::from(text)),
            }
        };
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(fault)
    }
}

/// The members of a filter, none of them looked into.
#[derive(Default)]
struct Draft<'a> {
    tools: Option<&'a RawValue>,
    prompts: Option<&'a RawValue>,
    resources: Option<&'a RawValue>,
    uris: Option<&'a RawValue>,
    tasks: Option<&'a RawValue>,
    twice: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum Member {
    ToolsListChanged,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceSubscriptions,
    TaskIds,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for Draft<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Draft<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Draft<'de>, A::Error> {
                let mut draft = Draft::default();
                while let Some(member) = map.next_key::<Member>()? {
                    let (slot, name) = match member {
                        Member::ToolsListChanged => (&mut draft.tools, TOOLS),
                        Member::PromptsListChanged => (&mut draft.prompts, PROMPTS),
                        Member::ResourcesListChanged => (&mut draft.resources, RESOURCES),
                        Member::ResourceSubscriptions => (&mut draft.uris, URIS),
                        Member::TaskIds => (&mut draft.tasks, TASKS),
                        Member::Other => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    if slot.replace(map.next_value()?).is_some() {
                        draft.twice = draft.twice.or(Some(name));
                    }
                }
                Ok(draft)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests;
