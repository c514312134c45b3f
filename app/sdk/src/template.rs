//! Resource templates.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::extension::ExtensionId;
use pm_mcp_domain::wire::{Completion, ResourceTemplate};
use pm_mcp_engine::TemplateSpec;
use pm_mcp_ports::feature::{Completer, Context, HandlerFault};

use crate::access::EntryScopes;
use crate::builder::BuildError;
use crate::resource::{Read, Reader, ResourceRequest};

/// Starts a resource template; [`TemplateDraft::reader`] finishes it.
///
/// `{name}` stands for one path segment; `{?name,other}` at the end for optional query members.
///
/// ```
/// use pm_mcp::{HandlerFault, Read, Server, template};
///
/// let day = template("notes://{day}", "day").reader(|_, asked| async move {
///     match asked.value("day") {
///         "monday" => Ok(Read::text("a note")),
///         _ => Err(HandlerFault::NotFound),
///     }
/// });
/// let server = Server::builder("demo", "1").template(day).build()?;
/// # let _ = server;
/// # Ok::<(), pm_mcp::BuildError>(())
/// ```
pub fn template(uri_template: impl Into<String>, name: impl Into<String>) -> TemplateDraft {
    TemplateDraft {
        template: ResourceTemplate {
            uri_template: uri_template.into(),
            name: name.into(),
            ..ResourceTemplate::default()
        },
        cache: CachePolicy::default(),
        completers: BTreeMap::new(),
        needs: None,
        scopes: EntryScopes::default(),
    }
}

/// A resource template without its reader.
#[derive(Debug)]
pub struct TemplateDraft {
    template: ResourceTemplate,
    cache: CachePolicy,
    completers: BTreeMap<String, Arc<dyn Completer>>,
    needs: Option<ExtensionId>,
    scopes: EntryScopes,
}

impl TemplateDraft {
    /// The template's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.template.title = Some(title.into());
        self
    }

    /// What the template's resources hold.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.template.description = Some(description.into());
        self
    }

    /// The media type of all the template's resources.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.template.mime_type = Some(mime_type.into());
        self
    }

    /// How long what is read may be kept; the default is not at all.
    #[must_use]
    pub fn cache(mut self, cache: CachePolicy) -> Self {
        self.cache = cache;
        self
    }

    /// Completes a variable: `complete` gets what is typed so far and the values of other variables.
    #[must_use]
    pub fn complete<F, Fut>(mut self, variable: impl Into<String>, complete: F) -> Self
    where
        F: Fn(Context, String, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>, HandlerFault>> + Send + 'static,
    {
        self.completers.insert(variable.into(), Arc::new(CompleteWith(complete)));
        self
    }

    /// Lets only requests read its resources that declare this extension; others are refused with `-32021`.
    #[must_use]
    pub fn needs_extension(mut self, id: ExtensionId) -> Self {
        self.needs = Some(id);
        self
    }

    /// Asks for these scopes, with spaces between, of whoever reads by the template or completes its variables.
    #[must_use]
    pub fn scope(mut self, scopes: &str) -> Self {
        self.scopes.add(scopes);
        self
    }

    /// Finishes the template with what reads its resources.
    pub fn reader<F, Fut>(self, read: F) -> TemplateEntry
    where
        F: Fn(Context, ResourceRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Read, HandlerFault>> + Send + 'static,
    {
        let reader = Arc::new(Reader { mime_type: self.template.mime_type.clone(), cache: self.cache, read });
        let spec = TemplateSpec {
            template: self.template,
            reader,
            completers: self.completers,
            needs: self.needs,
            scopes: Scopes::default(),
        };
        TemplateEntry { spec, scopes: self.scopes }
    }
}

/// A resource template, ready for [`ServerBuilder::template`](crate::ServerBuilder::template).
#[derive(Debug)]
pub struct TemplateEntry {
    spec: TemplateSpec,
    scopes: EntryScopes,
}

impl TemplateEntry {
    pub(crate) fn into_spec(self) -> Result<TemplateSpec, BuildError> {
        Ok(TemplateSpec { scopes: self.scopes.finish()?, ..self.spec })
    }
}

/// A completer from a closure.
pub(crate) struct CompleteWith<F>(pub(crate) F);

impl<F> fmt::Debug for CompleteWith<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CompleteWith(..)")
    }
}

#[async_trait]
impl<F, Fut> Completer for CompleteWith<F>
where
    F: Fn(Context, String, BTreeMap<String, String>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<String>, HandlerFault>> + Send + 'static,
{
    async fn complete(
        &self,
        context: Context,
        value: &str,
        known: BTreeMap<String, String>,
    ) -> Result<Completion, HandlerFault> {
        Ok(Completion::new((self.0)(context, value.to_owned(), known).await?))
    }
}
