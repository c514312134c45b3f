//! The parameters of a request, read in the same pass as its envelope.

use alloc::borrow::Cow;
use core::mem::take;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::loose::{Draft, Fill, JsonKind, LooseText};
use super::meta::MetaDraft;
use super::method::Method;
use crate::fault::ParamFault;

/// Every member that some method of the revision reads, as it came; what a method does not know it ignores.
#[derive(Default, Debug)]
pub(super) struct ParamsDraft<'a> {
    /// The JSON type of `_meta`, if it is there.
    pub(super) meta: Option<JsonKind>,
    /// What is in it, if it is an object.
    pub(super) meta_draft: MetaDraft<'a>,
    name: LooseText<'a>,
    uri: LooseText<'a>,
    cursor: LooseText<'a>,
    arguments: Option<&'a RawValue>,
    reference: Option<&'a RawValue>,
    argument: Option<&'a RawValue>,
    context: Option<&'a RawValue>,
    notifications: Option<&'a RawValue>,
    responses: Option<&'a RawValue>,
    state: LooseText<'a>,
    task_id: LooseText<'a>,
    pub(super) request_id: Option<&'a RawValue>,
    twice: Option<&'static str>,
}

/// What a completion is asked for
/// ([Completion](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompletionReference<'a> {
    /// An argument of the prompt with this name.
    Prompt(Cow<'a, str>),
    /// A variable of this resource template.
    Template(Cow<'a, str>),
}

/// Which list a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ListKind {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    ResourceTemplates,
    /// `prompts/list`
    Prompts,
}

impl ListKind {
    /// The member of the result that holds the entries.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

/// What a retry brings along ([Multi Round-Trip
/// Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr)).
#[derive(Clone, Default, Debug)]
pub struct Retry<'a> {
    /// `inputResponses`, whatever JSON type they were given as.
    pub responses: Option<&'a RawValue>,
    /// `requestState`, as it was sent.
    pub state: Option<Cow<'a, str>>,
}

impl Retry<'_> {
    /// Whether the request is a first one: it brings nothing of an earlier round.
    pub fn is_none(&self) -> bool {
        self.responses.is_none() && self.state.is_none()
    }
}

/// The checked parameters of one request; arguments stay raw until their schema is known.
#[derive(Clone, Debug)]
pub enum Params<'a> {
    /// `server/discover`
    Discover,
    /// One of the four lists, from `cursor` on.
    List {
        /// Which list.
        list: ListKind,
        /// Where the previous page ended.
        cursor: Option<Cow<'a, str>>,
    },
    /// `tools/call`
    CallTool {
        /// The tool's name.
        name: Cow<'a, str>,
        /// The arguments' JSON text, an object; absent means an empty one.
        arguments: Option<&'a RawValue>,
        /// What a retry brings along.
        retry: Retry<'a>,
    },
    /// `resources/read`
    ReadResource {
        /// The resource's URI, as it was sent.
        uri: Cow<'a, str>,
        /// What a retry brings along.
        retry: Retry<'a>,
    },
    /// `prompts/get`
    GetPrompt {
        /// The prompt's name.
        name: Cow<'a, str>,
        /// The arguments' JSON text, an object of strings; absent means an empty one.
        arguments: Option<&'a RawValue>,
        /// What a retry brings along.
        retry: Retry<'a>,
    },
    /// `completion/complete`
    Complete {
        /// What is completed.
        reference: CompletionReference<'a>,
        /// The argument's name.
        argument: Cow<'a, str>,
        /// What its value begins with.
        value: Cow<'a, str>,
        /// `context.arguments`: values of other arguments that are known already, an object of strings.
        context: Option<&'a RawValue>,
    },
    /// `subscriptions/listen`
    Listen {
        /// The filter's JSON text, an object.
        notifications: &'a RawValue,
    },
    /// `tasks/get`
    GetTask {
        /// The task's id, as it was sent.
        task_id: Cow<'a, str>,
    },
    /// `tasks/update`
    UpdateTask {
        /// The task's id, as it was sent.
        task_id: Cow<'a, str>,
        /// The answers' JSON text, an object.
        responses: &'a RawValue,
    },
    /// `tasks/cancel`
    CancelTask {
        /// The task's id, as it was sent.
        task_id: Cow<'a, str>,
    },
    /// A method of an extension. What its parameters are is the extension's business:
    /// [`ExtensionParts`](super::ExtensionParts) reads them when it is time.
    Extension {
        /// The whole message.
        message: &'a str,
    },
}

impl<'a> ParamsDraft<'a> {
    /// The value that `Mcp-Name` mirrors, for the methods that have one.
    pub(super) fn mirrored_name(&self, method: Method) -> Option<&str> {
        match method {
            Method::CallTool | Method::GetPrompt => self.name.as_str(),
            Method::ReadResource => self.uri.as_str(),
            Method::GetTask | Method::UpdateTask | Method::CancelTask => self.task_id.as_str(),
            Method::Discover
            | Method::ListTools
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ListPrompts
            | Method::Complete
            | Method::Listen
            | Method::Extension(_) => None,
        }
    }

    /// Checks the members that `method` needs; `message` is where they came from.
    pub(super) fn check(&mut self, method: Method, message: &'a str) -> Result<Params<'a>, ParamFault> {
        if let Some(member) = self.twice {
            return Err(ParamFault::Twice(member));
        }
        Ok(match method {
            Method::Discover => Params::Discover,
            Method::ListTools => list(ListKind::Tools, take(&mut self.cursor))?,
            Method::ListResources => list(ListKind::Resources, take(&mut self.cursor))?,
            Method::ListResourceTemplates => list(ListKind::ResourceTemplates, take(&mut self.cursor))?,
            Method::ListPrompts => list(ListKind::Prompts, take(&mut self.cursor))?,
            Method::CallTool => Params::CallTool {
                name: required(take(&mut self.name), "name")?,
                arguments: object(self.arguments, "arguments")?,
                retry: retry(self.responses, take(&mut self.state))?,
            },
            Method::ReadResource => Params::ReadResource {
                uri: required(take(&mut self.uri), "uri")?,
                retry: retry(self.responses, take(&mut self.state))?,
            },
            Method::GetPrompt => Params::GetPrompt {
                name: required(take(&mut self.name), "name")?,
                arguments: object(self.arguments, "arguments")?,
                retry: retry(self.responses, take(&mut self.state))?,
            },
            Method::Complete => complete(self.reference, self.argument, self.context)?,
            Method::Listen => Params::Listen {
                notifications: object(self.notifications, "notifications")?
                    .ok_or(ParamFault::Missing("notifications"))?,
            },
            Method::GetTask => Params::GetTask { task_id: required(take(&mut self.task_id), "taskId")? },
            Method::UpdateTask => Params::UpdateTask {
                task_id: required(take(&mut self.task_id), "taskId")?,
                responses: object(self.responses, "inputResponses")?
                    .ok_or(ParamFault::Missing("inputResponses"))?,
            },
            Method::CancelTask => {
                Params::CancelTask { task_id: required(take(&mut self.task_id), "taskId")? }
            }
            Method::Extension(_) => Params::Extension { message },
        })
    }
}

fn list<'a>(list: ListKind, cursor: LooseText<'a>) -> Result<Params<'a>, ParamFault> {
    Ok(Params::List { list, cursor: optional(cursor, "cursor")? })
}

fn retry<'a>(responses: Option<&'a RawValue>, state: LooseText<'a>) -> Result<Retry<'a>, ParamFault> {
    Ok(Retry { responses: object(responses, "inputResponses")?, state: optional(state, "requestState")? })
}

fn required<'a>(member: LooseText<'a>, name: &'static str) -> Result<Cow<'a, str>, ParamFault> {
    optional(member, name)?.ok_or(ParamFault::Missing(name))
}

fn optional<'a>(member: LooseText<'a>, name: &'static str) -> Result<Option<Cow<'a, str>>, ParamFault> {
    match member {
        LooseText::Text(text) => Ok(Some(text)),
        LooseText::Absent => Ok(None),
        LooseText::Wrong(_) => Err(ParamFault::WrongType { member: name, wanted: "a string" }),
    }
}

fn object<'a>(member: Option<&'a RawValue>, name: &'static str) -> Result<Option<&'a RawValue>, ParamFault> {
    match member {
        Some(raw) if !raw.get().starts_with('{') => {
            Err(ParamFault::WrongType { member: name, wanted: "an object" })
        }
        _ => Ok(member),
    }
}

fn complete<'a>(
    reference: Option<&'a RawValue>,
    argument: Option<&'a RawValue>,
    context: Option<&'a RawValue>,
) -> Result<Params<'a>, ParamFault> {
    #[derive(Deserialize)]
    struct Reference<'a> {
        #[serde(borrow, rename = "type", default)]
        kind: LooseText<'a>,
        #[serde(borrow, default)]
        name: LooseText<'a>,
        #[serde(borrow, default)]
        uri: LooseText<'a>,
    }
    #[derive(Deserialize)]
    struct Argument<'a> {
        #[serde(borrow, default)]
        name: LooseText<'a>,
        #[serde(borrow, default)]
        value: LooseText<'a>,
    }
    #[derive(Deserialize)]
    struct Context<'a> {
        #[serde(borrow, default)]
        arguments: Option<&'a RawValue>,
    }
    fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue, name: &'static str) -> Result<T, ParamFault> {
        serde_json::from_str(raw.get())
            .map_err(|_| ParamFault::WrongType { member: name, wanted: "an object" })
    }
    let found: Reference<'_> = parse(reference.ok_or(ParamFault::Missing("ref"))?, "ref")?;
    let reference = match found.kind.as_str() {
        Some("ref/prompt") => CompletionReference::Prompt(required(found.name, "ref.name")?),
        Some("ref/resource") => CompletionReference::Template(required(found.uri, "ref.uri")?),
        _ => {
            let wanted = "\"ref/prompt\" or \"ref/resource\"";
            return Err(ParamFault::WrongType { member: "ref.type", wanted });
        }
    };
    let found: Argument<'_> = parse(argument.ok_or(ParamFault::Missing("argument"))?, "argument")?;
    let context = match context {
        None => None,
        Some(raw) => object(parse::<Context<'_>>(raw, "context")?.arguments, "context.arguments")?,
    };
    Ok(Params::Complete {
        reference,
        argument: required(found.name, "argument.name")?,
        value: required(found.value, "argument.value")?,
        context,
    })
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    #[serde(rename = "_meta")]
    Meta,
    Name,
    Uri,
    Cursor,
    Arguments,
    #[serde(rename = "ref")]
    Reference,
    Argument,
    Context,
    Notifications,
    #[serde(rename = "inputResponses")]
    Responses,
    #[serde(rename = "requestState")]
    State,
    #[serde(rename = "taskId")]
    TaskId,
    #[serde(rename = "requestId")]
    RequestId,
    #[serde(other)]
    Other,
}

impl<'de> Draft<'de> for ParamsDraft<'de> {
    fn fill<A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key::<Member>()? {
            let again = match member {
                Member::Meta => {
                    let again = self.meta.is_some();
                    if again {
                        self.meta_draft = MetaDraft::default();
                    }
                    self.meta = Some(map.next_value_seed(Fill(&mut self.meta_draft))?);
                    again.then_some("_meta")
                }
                Member::Name => text(&mut map, &mut self.name)?.then_some("name"),
                Member::Uri => text(&mut map, &mut self.uri)?.then_some("uri"),
                Member::Cursor => text(&mut map, &mut self.cursor)?.then_some("cursor"),
                Member::Arguments => once(&mut map, &mut self.arguments, "arguments")?,
                Member::Reference => once(&mut map, &mut self.reference, "ref")?,
                Member::Argument => once(&mut map, &mut self.argument, "argument")?,
                Member::Context => once(&mut map, &mut self.context, "context")?,
                Member::Notifications => once(&mut map, &mut self.notifications, "notifications")?,
                Member::Responses => once(&mut map, &mut self.responses, "inputResponses")?,
                Member::State => text(&mut map, &mut self.state)?.then_some("requestState"),
                Member::TaskId => text(&mut map, &mut self.task_id)?.then_some("taskId"),
                Member::RequestId => once(&mut map, &mut self.request_id, "requestId")?,
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
            };
            self.twice = self.twice.or(again);
        }
        Ok(())
    }
}

/// Reads a text member into `slot` and says whether it had been there before.
fn text<'de, A: MapAccess<'de>>(map: &mut A, slot: &mut LooseText<'de>) -> Result<bool, A::Error> {
    let again = *slot != LooseText::Absent;
    *slot = map.next_value()?;
    Ok(again)
}

/// Reads a member into `slot` and names it if it had been there before.
fn once<'de, A: MapAccess<'de>>(
    map: &mut A,
    slot: &mut Option<&'de RawValue>,
    name: &'static str,
) -> Result<Option<&'static str>, A::Error> {
    Ok(slot.replace(map.next_value()?).is_some().then_some(name))
}
