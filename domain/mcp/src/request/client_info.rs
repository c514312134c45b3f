//! Who a client says it is: labels, never a principal.
//!
//! Name and version are the revision's. A client that embeds the server may add where its requests come from
//! ([`Provenance`]) and what they are part of ([`Episode`]); whatever of these is out of bounds is left out, and the
//! request goes on. All of it holds for its own request alone.

use alloc::borrow::Cow;
use alloc::boxed::Box;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess};

use super::episode::{Episode, LooseEpisode};
use super::loose::{Expect, JsonKind, Loose, LooseText};
use super::provenance::Provenance;

/// The name and version that a client gives itself, and what it adds to them: labels, never a principal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientInfo<'a> {
    /// The client's name.
    pub name: Cow<'a, str>,
    /// The client's version.
    pub version: Cow<'a, str>,
    /// What a client that embeds the server adds; absent when nothing of it is within bounds.
    pub embedding: Option<Box<Embedding<'a>>>,
}

/// What a client that embeds the server says of one request.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Embedding<'a> {
    /// Where the request comes from, in the client's words.
    pub provenance: Provenance<'a>,
    /// What the request is part of.
    pub episode: Option<Episode<'a>>,
}

impl ClientInfo<'_> {
    /// The same, without borrowing from the request's bytes.
    pub fn into_owned(self) -> ClientInfo<'static> {
        ClientInfo {
            name: Cow::Owned(self.name.into_owned()),
            version: Cow::Owned(self.version.into_owned()),
            embedding: self.embedding.map(|embedding| Box::new(embedding.into_owned())),
        }
    }
}

impl Embedding<'_> {
    /// The same, without borrowing from the request's bytes.
    pub fn into_owned(self) -> Embedding<'static> {
        Embedding { provenance: self.provenance.into_owned(), episode: self.episode.map(Episode::into_owned) }
    }
}

/// `clientInfo`, whatever JSON type it was given as.
#[derive(Debug)]
pub(super) struct LooseClientInfo<'a>(Option<ClientInfo<'a>>);

impl<'a> LooseClientInfo<'a> {
    /// The client, if it is an object with name and version.
    pub(super) fn into_client(self) -> Option<ClientInfo<'a>> {
        self.0
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Name,
    Version,
    Provenance,
    Episode,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for LooseClientInfo<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(ClientInfoOnly))
    }
}

struct ClientInfoOnly;

impl<'de> Expect<'de> for ClientInfoOnly {
    type Value = LooseClientInfo<'de>;

    fn other(self, _: JsonKind) -> Self::Value {
        LooseClientInfo(None)
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut name, mut version) = (LooseText::Absent, LooseText::Absent);
        let mut embedding = Embedding::default();
        while let Some(member) = map.next_key::<Member>()? {
            match member {
                Member::Name => name = map.next_value()?,
                Member::Version => version = map.next_value()?,
                Member::Provenance => embedding.provenance = map.next_value()?,
                Member::Episode => embedding.episode = map.next_value::<LooseEpisode<'de>>()?.0,
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(LooseClientInfo(match (name, version) {
            (LooseText::Text(name), LooseText::Text(version)) => {
                let says_something = !embedding.provenance.is_empty() || embedding.episode.is_some();
                let embedding = says_something.then(|| Box::new(embedding));
                Some(ClientInfo { name, version, embedding })
            }
            _ => None,
        }))
    }
}
