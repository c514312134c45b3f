//! Resources ([Resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources)).

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde::ser::SerializeMap;

use super::content::Annotations;
use super::result::{ResultBody, write_cache_policy};
use crate::cache::CachePolicy;

/// A resource in a list.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The URI that reads it, compared character by character.
    pub uri: String,
    /// The resource's name for programs.
    pub name: String,
    /// The resource's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes, before any encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Hints for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
}

/// A family of resources, by a URI template.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The template, as RFC 6570 writes it.
    pub uri_template: String,
    /// The template's name for programs.
    pub name: String,
    /// The template's name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What its resources hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The media type that all its resources have, if they have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// What a resource holds: text or bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum ResourceContents {
    /// Text.
    Text {
        /// The URI that was read.
        uri: String,
        /// The media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The text.
        text: String,
    },
    /// Bytes.
    Blob {
        /// The URI that was read.
        uri: String,
        /// The media type.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The bytes in Base64.
        blob: String,
    },
}

impl ResourceContents {
    /// Text at `uri`.
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { uri: uri.into(), mime_type: Some(mime_type.into()), text: text.into() }
    }

    /// What a file at `uri` holds: text if it is UTF-8, else bytes.
    pub fn of_bytes(uri: impl Into<String>, mime_type: impl Into<String>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::text(uri, mime_type, text),
            Err(bytes) => Self::blob(uri, mime_type, BASE64_STANDARD.encode(bytes.as_bytes())),
        }
    }

    /// Bytes at `uri`, which are Base64 already.
    pub fn blob(uri: impl Into<String>, mime_type: impl Into<String>, base64: impl Into<String>) -> Self {
        Self::Blob { uri: uri.into(), mime_type: Some(mime_type.into()), blob: base64.into() }
    }
}

/// The result of `resources/read`.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadResourceResult {
    /// The contents; never empty, a missing resource is an error.
    pub contents: Vec<ResourceContents>,
    /// How long they may be kept.
    pub cache: CachePolicy,
}

impl ResultBody for ReadResourceResult {
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("contents", &self.contents)?;
        write_cache_policy(map, self.cache)
    }
}
