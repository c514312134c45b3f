//! Content blocks ([Tool result](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result)).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::resource::{Resource, ResourceContents};
use super::sink::JsonSink;

/// Who speaks, or for whom a block is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person or program that uses the client.
    User,
    /// The model.
    Assistant,
}

/// Hints on how a client may use or show a block.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// For whom the block is meant; empty means anyone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// How much the block matters, from 0 (optional) to 1 (required).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When the block's source last changed, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// One block of content.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Hints for the client.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
    },
    /// A picture.
    Image {
        /// The picture's bytes in Base64.
        data: String,
        /// The picture's media type, such as `image/png`.
        mime_type: String,
        /// Hints for the client.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
    },
    /// A sound.
    Audio {
        /// The sound's bytes in Base64.
        data: String,
        /// The sound's media type, such as `audio/wav`.
        mime_type: String,
        /// Hints for the client.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
    },
    /// A resource that can be read.
    ResourceLink(Resource),
    /// A resource, with its contents.
    Resource {
        /// The contents.
        resource: ResourceContents,
        /// Hints for the client.
        #[serde(skip_serializing_if = "Option::is_none")]
        annotations: Option<Annotations>,
    },
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), annotations: None }
    }

    /// A picture from bytes that are Base64 already.
    pub fn image(base64: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image { data: base64.into(), mime_type: mime_type.into(), annotations: None }
    }

    /// A sound from bytes that are Base64 already.
    pub fn audio(base64: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio { data: base64.into(), mime_type: mime_type.into(), annotations: None }
    }

    /// A resource with its contents.
    pub fn resource(contents: ResourceContents) -> Self {
        Self::Resource { resource: contents, annotations: None }
    }

    /// Writes the block; of plain text, which most blocks are, only the text itself is serialised.
    pub(super) fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Text { text, annotations: None } => {
                sink.text("{\"type\":\"text\",\"text\":");
                sink.value(text)?;
                sink.text("}");
                Ok(())
            }
            Self::Text { .. }
            | Self::Image { .. }
            | Self::Audio { .. }
            | Self::ResourceLink(_)
            | Self::Resource { .. } => sink.value(self),
        }
    }
}
