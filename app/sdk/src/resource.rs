//! Resources.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::extension::ExtensionId;
use pm_mcp_domain::wire::{Annotations, ReadResourceResult, Resource, ResourceContents};
use pm_mcp_engine::ResourceSpec;
use pm_mcp_ports::feature::{Context, HandlerFault, ResourceReader};

use crate::access::EntryScopes;
use crate::builder::BuildError;

/// Starts a resource; [`ResourceDraft::reader`] finishes it.
///
/// ```
/// use pm_mcp::{CachePolicy, Read, Server, resource};
///
/// let today = resource("notes://today", "today")
///     .mime_type("text/plain")
///     .cache(CachePolicy::private(60_000))
///     .reader(|_, _| async { Ok(Read::text("a note")) });
/// let server = Server::builder("demo", "1").resource(today).build()?;
/// # let _ = server;
/// # Ok::<(), pm_mcp::BuildError>(())
/// ```
pub fn resource(uri: impl Into<String>, name: impl Into<String>) -> ResourceDraft {
    ResourceDraft {
        resource: Resource { uri: uri.into(), name: name.into(), ..Resource::default() },
        cache: CachePolicy::default(),
        needs: None,
        scopes: EntryScopes::default(),
    }
}

/// A resource without its reader.
#[derive(Debug)]
pub struct ResourceDraft {
    resource: Resource,
    cache: CachePolicy,
    needs: Option<ExtensionId>,
    scopes: EntryScopes,
}

impl ResourceDraft {
    /// The resource's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.resource.title = Some(title.into());
        self
    }

    /// What the resource holds.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.resource.description = Some(description.into());
        self
    }

    /// The resource's media type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.resource.mime_type = Some(mime_type.into());
        self
    }

    /// Hints for clients.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.resource.annotations = Some(annotations);
        self
    }

    /// How long what is read may be kept; the default is not at all.
    #[must_use]
    pub fn cache(mut self, cache: CachePolicy) -> Self {
        self.cache = cache;
        self
    }

    /// Lets only requests read it that declare this extension; others are refused with `-32021`.
    #[must_use]
    pub fn needs_extension(mut self, id: ExtensionId) -> Self {
        self.needs = Some(id);
        self
    }

    /// Asks for these scopes, with spaces between, of whoever reads the resource or listens to it.
    #[must_use]
    pub fn scope(mut self, scopes: &str) -> Self {
        self.scopes.add(scopes);
        self
    }

    /// Finishes the resource with what reads it.
    pub fn reader<F, Fut>(self, read: F) -> ResourceEntry
    where
        F: Fn(Context, ResourceRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Read, HandlerFault>> + Send + 'static,
    {
        let reader = Arc::new(Reader { mime_type: self.resource.mime_type.clone(), cache: self.cache, read });
        let spec =
            ResourceSpec { resource: self.resource, reader, needs: self.needs, scopes: Scopes::default() };
        ResourceEntry { spec, scopes: self.scopes }
    }
}

/// A resource, ready for [`ServerBuilder::resource`](crate::ServerBuilder::resource).
#[derive(Debug)]
pub struct ResourceEntry {
    spec: ResourceSpec,
    scopes: EntryScopes,
}

impl ResourceEntry {
    pub(crate) fn into_spec(self) -> Result<ResourceSpec, BuildError> {
        Ok(ResourceSpec { scopes: self.scopes.finish()?, ..self.spec })
    }
}

/// What is to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceRequest {
    /// The URI that was asked for.
    pub uri: String,
    /// The values of the template's variables; none for a resource of its own.
    pub values: BTreeMap<String, String>,
}

impl ResourceRequest {
    /// The value of a variable that every URI of the template has; empty if it is an optional one that is not there.
    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }
}

/// What a reader found.
#[derive(Clone, PartialEq, Debug)]
pub struct Read {
    body: Body,
    mime_type: Option<String>,
    cache: Option<CachePolicy>,
}

#[derive(Clone, PartialEq, Debug)]
enum Body {
    Text(String),
    Base64(String),
    Contents(Vec<ResourceContents>),
}

impl Read {
    /// Text, of the media type that the resource was registered with.
    pub fn text(text: impl Into<String>) -> Self {
        Self { body: Body::Text(text.into()), mime_type: None, cache: None }
    }

    /// Bytes that are Base64 already, of the media type that the resource was registered with.
    pub fn base64(base64: impl Into<String>) -> Self {
        Self { body: Body::Base64(base64.into()), mime_type: None, cache: None }
    }

    /// Several contents, such as the files of a folder.
    pub fn contents(contents: Vec<ResourceContents>) -> Self {
        Self { body: Body::Contents(contents), mime_type: None, cache: None }
    }

    /// Another media type than the resource was registered with.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Another cache hint than the resource was registered with.
    #[must_use]
    pub fn cache(mut self, cache: CachePolicy) -> Self {
        self.cache = Some(cache);
        self
    }

    fn into_result(self, uri: &str, mime_type: Option<&String>, cache: CachePolicy) -> ReadResourceResult {
        let uri = uri.to_owned();
        let mime_type = self.mime_type.or_else(|| mime_type.cloned());
        let contents = match self.body {
            Body::Text(text) => vec![ResourceContents::Text { uri, mime_type, text }],
            Body::Base64(blob) => vec![ResourceContents::Blob { uri, mime_type, blob }],
            Body::Contents(contents) => contents,
        };
        ReadResourceResult { contents, cache: self.cache.unwrap_or(cache) }
    }
}

/// A reader from a closure.
pub(crate) struct Reader<F> {
    pub(crate) mime_type: Option<String>,
    pub(crate) cache: CachePolicy,
    pub(crate) read: F,
}

impl<F> fmt::Debug for Reader<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("cache", &self.cache).finish_non_exhaustive()
    }
}

#[async_trait]
impl<F, Fut> ResourceReader for Reader<F>
where
    F: Fn(Context, ResourceRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Read, HandlerFault>> + Send + 'static,
{
    async fn read(
        &self,
        context: Context,
        uri: &str,
        values: BTreeMap<String, String>,
    ) -> Result<ReadResourceResult, HandlerFault> {
        let read = (self.read)(context, ResourceRequest { uri: uri.to_owned(), values }).await?;
        Ok(read.into_result(uri, self.mime_type.as_ref(), self.cache))
    }
}
