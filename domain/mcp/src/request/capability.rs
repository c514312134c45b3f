//! What the client of one request can do, as that request itself declares it.

use alloc::borrow::Cow;
use alloc::format;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess};

use super::loose::{Expect, JsonKind, Loose};
use crate::extension::{DeclaredExtensions, ExtensionId, ExtensionUse};

/// A client capability that an operation can need
/// ([Capabilities](https://modelcontextprotocol.io/specification/2026-07-28/basic#capabilities)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClientCapability {
    /// `sampling`: the client can ask a model.
    Sampling,
    /// `roots`: the client can name the folders that it works on.
    Roots,
    /// `elicitation`, form mode: the client can put a form before its user.
    ElicitationForm,
    /// `elicitation.url`: the client can open an address for its user.
    ElicitationUrl,
    /// An extension: the client knows what the server adds by it.
    Extension(ExtensionId),
}

impl ClientCapability {
    /// The tasks extension: the client can wait for a task.
    pub const TASKS: Self = Self::Extension(ExtensionId::TASKS);

    /// The capability as a structured map, for `requiredCapabilities` in the error's data.
    pub fn as_json(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Sampling => r#"{"sampling":{}}"#,
            Self::Roots => r#"{"roots":{}}"#,
            Self::ElicitationForm => r#"{"elicitation":{"form":{}}}"#,
            Self::ElicitationUrl => r#"{"elicitation":{"url":{}}}"#,
            // An identifier holds nothing that JSON would escape.
            Self::Extension(id) => return Cow::Owned(format!(r#"{{"extensions":{{"{id}":{{}}}}}}"#)),
        })
    }
}

/// The capabilities that a request declares in `io.modelcontextprotocol/clientCapabilities`.
///
/// Members that the revision does not name are ignored; a named member that is not an object is reported by
/// [`wrong_member`](Self::wrong_member), because the request then does not say what it can do.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ClientCapabilities {
    sampling: bool,
    roots: bool,
    elicitation_form: bool,
    elicitation_url: bool,
    /// The one extension without settings that the engine itself has. It is read along with the core capabilities, so
    /// that declaring it costs a request nothing.
    tasks: bool,
    /// Whether there are others, and nobody has looked which.
    unread: bool,
    others: DeclaredExtensions,
    wrong: Option<&'static str>,
    unaskable: bool,
}

impl ClientCapabilities {
    /// Those of a client that cannot be asked anything in the middle of a request, whatever it may have declared: it
    /// speaks a revision that has no way to.
    #[must_use]
    pub fn unaskable() -> Self {
        Self { unaskable: true, ..Self::default() }
    }

    /// Whether the client's revision has a way to be asked; what may be asked is said by [`declares`](Self::declares).
    pub const fn can_be_asked(&self) -> bool {
        !self.unaskable
    }

    /// Whether the request declares `capability`, an extension with settings that are of use.
    pub fn declares(&self, capability: ClientCapability) -> bool {
        match capability {
            ClientCapability::Sampling => self.sampling,
            ClientCapability::Roots => self.roots,
            ClientCapability::ElicitationForm => self.elicitation_form,
            ClientCapability::ElicitationUrl => self.elicitation_url,
            ClientCapability::Extension(id) => matches!(self.extension(id), ExtensionUse::Declared(_)),
        }
    }

    /// What the request may do with an extension of the server's.
    pub fn extension(&self, id: ExtensionId) -> ExtensionUse<'_> {
        match id == ExtensionId::TASKS && self.tasks {
            true => ExtensionUse::Declared(None),
            false => self.others.find(id),
        }
    }

    /// Whether the request declares extensions that nobody has looked at yet.
    pub fn has_unread_extensions(&self) -> bool {
        self.unread
    }

    /// The same capabilities with the extensions that were found among the declared ones.
    #[must_use]
    pub fn with_extensions(mut self, declared: DeclaredExtensions) -> Self {
        (self.unread, self.others) = (false, declared);
        self
    }

    /// The first named member that is not an object, if there is one.
    pub const fn wrong_member(&self) -> Option<&'static str> {
        self.wrong
    }
}

/// The declared capabilities, whatever JSON type they were given as.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum LooseCapabilities {
    Wrong(JsonKind),
    Object(ClientCapabilities),
}

impl<'de> Deserialize<'de> for LooseCapabilities {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(CapabilitiesOnly))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Sampling,
    Roots,
    Elicitation,
    Extensions,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(field_identifier)]
enum Extension {
    #[serde(rename = "io.modelcontextprotocol/tasks")]
    Tasks,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Mode {
    Form,
    Url,
    #[serde(other)]
    Other,
}

struct CapabilitiesOnly;

impl<'de> Expect<'de> for CapabilitiesOnly {
    type Value = LooseCapabilities;

    fn other(self, kind: JsonKind) -> Self::Value {
        LooseCapabilities::Wrong(kind)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = ClientCapabilities::default();
        while let Some(key) = map.next_key::<Member>()? {
            match key {
                Member::Sampling => found.sampling = object_member(&mut map, "sampling", &mut found.wrong)?,
                Member::Roots => found.roots = object_member(&mut map, "roots", &mut found.wrong)?,
                Member::Elicitation => match map.next_value::<LooseElicitation>()? {
                    LooseElicitation::Modes { form, url } => {
                        (found.elicitation_form, found.elicitation_url) = (form, url);
                    }
                    LooseElicitation::Wrong(member) => found.wrong = found.wrong.or(Some(member)),
                },
                Member::Extensions => {
                    let LooseExtensions { tasks, others } = map.next_value()?;
                    found.tasks = tasks;
                    found.unread = others;
                }
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(LooseCapabilities::Object(found))
    }
}

/// Reads a member that should be an object; notes it in `wrong` when it is something else.
fn object_member<'de, A: MapAccess<'de>>(
    map: &mut A,
    name: &'static str,
    wrong: &mut Option<&'static str>,
) -> Result<bool, A::Error> {
    let is_object = map.next_value::<Kind>()?.0 == JsonKind::Object;
    if !is_object {
        *wrong = wrong.or(Some(name));
    }
    Ok(is_object)
}

/// Any value, reduced to its JSON type.
pub(super) struct Kind(pub(super) JsonKind);

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindOnly;
        impl Expect<'_> for KindOnly {
            type Value = Kind;
            fn other(self, kind: JsonKind) -> Kind {
                Kind(kind)
            }
        }
        deserializer.deserialize_any(Loose(KindOnly))
    }
}

/// The declared extensions. A malformed declaration is none: it takes away the extension, never the request.
#[derive(Default)]
struct LooseExtensions {
    tasks: bool,
    others: bool,
}

impl<'de> Deserialize<'de> for LooseExtensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ExtensionsOnly;
        impl<'de> Expect<'de> for ExtensionsOnly {
            type Value = LooseExtensions;

            fn other(self, _: JsonKind) -> Self::Value {
                LooseExtensions::default()
            }

            fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut found = LooseExtensions::default();
                while let Some(extension) = map.next_key::<Extension>()? {
                    let settings = map.next_value::<Kind>()?.0;
                    match extension {
                        Extension::Tasks => found.tasks = settings == JsonKind::Object,
                        Extension::Other => found.others = true,
                    }
                }
                Ok(found)
            }
        }
        deserializer.deserialize_any(Loose(ExtensionsOnly))
    }
}

enum LooseElicitation {
    Wrong(&'static str),
    Modes { form: bool, url: bool },
}

impl<'de> Deserialize<'de> for LooseElicitation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ModesOnly;
        impl<'de> Expect<'de> for ModesOnly {
            type Value = LooseElicitation;

            fn other(self, _: JsonKind) -> Self::Value {
                LooseElicitation::Wrong("elicitation")
            }

            /// An elicitation object that names no mode means form mode
            /// ([Elicitation](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities)).
            fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let (mut form, mut url, mut wrong) = (None, None, None);
                while let Some(key) = map.next_key::<Mode>()? {
                    match key {
                        Mode::Form => form = Some(object_member(&mut map, "elicitation.form", &mut wrong)?),
                        Mode::Url => url = Some(object_member(&mut map, "elicitation.url", &mut wrong)?),
                        Mode::Other => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(match wrong {
                    Some(member) => LooseElicitation::Wrong(member),
                    None => LooseElicitation::Modes {
                        form: form.unwrap_or(url.is_none()),
                        url: url.unwrap_or(false),
                    },
                })
            }
        }
        deserializer.deserialize_any(Loose(ModesOnly))
    }
}
