//! What a request is part of, in its client's words.

use alloc::borrow::Cow;

use serde::de::{Deserializer, IgnoredAny, MapAccess};
use serde::{Deserialize, de};

use super::loose::{Expect, JsonKind, Loose, LooseText};
use super::provenance::LONGEST_LABEL;

/// The longest id, in bytes.
const LONGEST_ID: usize = 128;

/// A piece of work that spans several requests, as its client names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Episode<'a> {
    /// Its id: 1 to 128 ASCII letters, digits and `.`, `_`, `:`, `-`.
    pub id: Cow<'a, str>,
    /// Its label, up to 256 characters; one that is longer or no string is left out.
    pub label: Option<Cow<'a, str>>,
}

impl Episode<'_> {
    pub(super) fn into_owned(self) -> Episode<'static> {
        Episode {
            id: Cow::Owned(self.id.into_owned()),
            label: self.label.map(|label| Cow::Owned(label.into_owned())),
        }
    }
}

/// `episode`, if it is an object with an id within bounds.
pub(super) struct LooseEpisode<'a>(pub(super) Option<Episode<'a>>);

impl<'de: 'a, 'a> de::Deserialize<'de> for LooseEpisode<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(EpisodeOnly))
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Id,
    Label,
    #[serde(other)]
    Other,
}

struct EpisodeOnly;

impl<'de> Expect<'de> for EpisodeOnly {
    type Value = LooseEpisode<'de>;

    fn other(self, _: JsonKind) -> Self::Value {
        LooseEpisode(None)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut id, mut label) = (LooseText::Absent, LooseText::Absent);
        while let Some(member) = map.next_key::<Member>()? {
            match member {
                Member::Id => id = map.next_value()?,
                Member::Label => label = map.next_value()?,
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let id = text(id).filter(|id| is_id(id));
        let label = text(label).filter(|label| label.chars().nth(LONGEST_LABEL).is_none());
        Ok(LooseEpisode(id.map(|id| Episode { id, label })))
    }
}

fn text(member: LooseText<'_>) -> Option<Cow<'_, str>> {
    match member {
        LooseText::Text(text) => Some(text),
        LooseText::Absent | LooseText::Wrong(_) => None,
    }
}

fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte))
}
