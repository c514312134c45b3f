//! Discovery ([Discovery](https://modelcontextprotocol.io/specification/2026-07-28/server/discover)).

use alloc::string::String;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::result::{ResultBody, write_cache_policy};
use crate::cache::CachePolicy;
use crate::extension::Extensions;
use crate::version::SUPPORTED_VERSIONS;

/// Name and version of a server or client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Implementation {
    /// The program's name.
    pub name: String,
    /// The program's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The program's version.
    pub version: String,
}

/// What a server offers. Members are written in one fixed order, so that equal offers are equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ServerCapabilities {
    /// Some argument can be completed.
    pub completions: bool,
    /// There are prompts.
    pub prompts: bool,
    /// There are resources or templates of such.
    pub resources: bool,
    /// There are tools.
    pub tools: bool,
    /// Calls can become tasks, by the extension of that name.
    pub tasks: bool,
}

impl ServerCapabilities {
    fn write<M: SerializeMap>(self, map: &mut M) -> Result<(), M::Error> {
        #[derive(Serialize)]
        struct Empty {}
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Changes {
            list_changed: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            subscribe: Option<bool>,
        }
        if self.completions {
            map.serialize_entry("completions", &Empty {})?;
        }
        if self.prompts {
            map.serialize_entry("prompts", &Changes { list_changed: true, subscribe: None })?;
        }
        if self.resources {
            map.serialize_entry("resources", &Changes { list_changed: true, subscribe: Some(true) })?;
        }
        if self.tools {
            map.serialize_entry("tools", &Changes { list_changed: true, subscribe: None })?;
        }
        Ok(())
    }
}

/// The capabilities of the core, without extensions.
impl Serialize for ServerCapabilities {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.write(&mut map)?;
        map.end()
    }
}

/// Everything that a server offers.
struct Offer<'a> {
    capabilities: ServerCapabilities,
    extensions: &'a Extensions,
}

impl Serialize for Offer<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.capabilities.write(&mut map)?;
        if !self.extensions.is_empty() {
            map.serialize_entry("extensions", self.extensions)?;
        }
        map.end()
    }
}

/// The result of `server/discover`.
#[derive(Clone, PartialEq, Debug)]
pub struct DiscoverResult {
    /// What the server offers of the core.
    pub capabilities: ServerCapabilities,
    /// What it adds, tasks among it.
    pub extensions: Extensions,
    /// How to use the server, for a model; at most [`INSTRUCTIONS_LIMIT`](Self::INSTRUCTIONS_LIMIT) characters.
    pub instructions: Option<String>,
    /// How long the result may be kept.
    pub cache: CachePolicy,
}

impl DiscoverResult {
    /// How many characters the instructions may have.
    pub const INSTRUCTIONS_LIMIT: usize = 4_000;
}

impl ResultBody for DiscoverResult {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("supportedVersions", SUPPORTED_VERSIONS)?;
        let offer = Offer { capabilities: self.capabilities, extensions: &self.extensions };
        map.serialize_entry("capabilities", &offer)?;
        if let Some(instructions) = &self.instructions {
            map.serialize_entry("instructions", instructions)?;
        }
        write_cache_policy(map, self.cache)
    }
}
