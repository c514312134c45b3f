//! The one service behind every transport: judge, dispatch, answer.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::fault::{Refusal, Rejection};
use pm_mcp_domain::request::{Admitted, Method, Params, Verdict, judge};
use pm_mcp_domain::wire::{DiscoverResult, Rendered, ResultResponse, ServerCapabilities, ServerIdentity};
use pm_mcp_ports::driven::{Clock, CursorSigner};
use pm_mcp_ports::driving::{Answer, Inbound, McpService, Outbox, Served};
use pm_mcp_ports::feature::{Caller, Context};
use tracing::debug;

use crate::answer::{answer, failed, rejected};
use crate::build::BuildError;
use crate::catalogue::Catalogue;
use crate::failure::Failure;
use crate::list::Lists;
use crate::settings::Settings;

/// Serves the methods of the revision from a catalogue.
#[derive(Debug)]
pub struct Engine {
    pub(crate) catalogue: Catalogue,
    pub(crate) identity: ServerIdentity,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) cursors: Arc<dyn CursorSigner>,
    pub(crate) lists: Lists,
    capabilities: ServerCapabilities,
    discovery: Rendered,
}

impl Engine {
    /// An engine over `catalogue`.
    ///
    /// # Errors
    ///
    /// When a setting is out of bounds.
    pub fn new(
        catalogue: Catalogue,
        settings: Settings,
        clock: Arc<dyn Clock>,
        cursors: Arc<dyn CursorSigner>,
    ) -> Result<Self, BuildError> {
        let length = settings.instructions.as_ref().map_or(0, |text| text.chars().count());
        if length > DiscoverResult::INSTRUCTIONS_LIMIT {
            return Err(BuildError::Instructions { length, limit: DiscoverResult::INSTRUCTIONS_LIMIT });
        }
        let identity = ServerIdentity::new(settings.implementation.clone());
        let capabilities = catalogue.capabilities();
        let discovery = Rendered::new(
            &identity,
            &DiscoverResult {
                capabilities,
                instructions: settings.instructions.clone(),
                cache: settings.caches.discover,
            },
        )?;
        let lists = Lists::new(&catalogue, &identity, &settings)?;
        Ok(Self { catalogue, identity, clock, cursors, lists, capabilities, discovery })
    }

    /// What the engine offers.
    pub fn capabilities(&self) -> ServerCapabilities {
        self.capabilities
    }

    /// A method of something that the server does not offer is as unknown as any other.
    fn offers(&self, method: Method) -> bool {
        match method {
            Method::Discover => true,
            Method::ListTools | Method::CallTool => self.capabilities.tools,
            Method::ListResources | Method::ListResourceTemplates | Method::ReadResource => {
                self.capabilities.resources
            }
            Method::ListPrompts | Method::GetPrompt => self.capabilities.prompts,
            Method::Complete => self.capabilities.completions,
            Method::Listen | Method::GetTask | Method::UpdateTask | Method::CancelTask => false,
        }
    }

    async fn dispatch(&self, request: Admitted<'_>, inbound: Inbound<'_>) -> Answer {
        let Admitted { id, method, params, meta } = request;
        if !self.offers(method) {
            return rejected(Some(id), &Rejection::MethodNotFound { method: method.as_str().to_owned() });
        }
        let caller = || Caller {
            principal: inbound.principal.clone(),
            client_name: meta.client_info.as_ref().map(|client| client.name.clone().into_owned()),
            capabilities: meta.capabilities,
        };
        let context = || Context::new(caller(), Arc::clone(&self.clock), Arc::clone(&self.cursors));
        match params {
            Params::Discover => answer(&ResultResponse::rendered(id, &self.discovery))
                .unwrap_or_else(|failure| failed(id, failure, || Refusal::InvalidCursor)),
            Params::List { list, cursor } => self
                .list(id, list, cursor.as_deref(), context)
                .await
                .unwrap_or_else(|failure| failed(id, failure, || Refusal::InvalidCursor)),
            Params::CallTool { name, arguments, .. } => {
                self.call_tool(id, &name, arguments, inbound.binding, context).await.unwrap_or_else(
                    |failure| failed(id, failure, || Refusal::UnknownTool { name: name.into_owned() }),
                )
            }
            Params::ReadResource { uri, .. } => {
                self.read_resource(id, &uri, context).await.unwrap_or_else(|failure| {
                    failed(id, failure, || Refusal::UnknownResource { uri: uri.into_owned() })
                })
            }
            Params::GetPrompt { name, arguments, .. } => {
                self.get_prompt(id, &name, arguments, context).await.unwrap_or_else(|failure| {
                    failed(id, failure, || Refusal::UnknownPrompt { name: name.into_owned() })
                })
            }
            Params::Listen { .. } | Params::GetTask { .. } | Params::UpdateTask { .. } | Params::CancelTask { .. } => {
                rejected(Some(id), &Rejection::MethodNotFound { method: method.as_str().to_owned() })
            }
            Params::Complete { reference, argument, value, context: known } => self
                .complete(id, &reference, &argument, &value, known, context)
                .await
                .unwrap_or_else(|failure: Failure| {
                    failed(id, failure, || Refusal::Unusable("nothing is known by that name".to_owned()))
                }),
        }
    }
}

#[async_trait]
impl McpService for Engine {
    async fn serve(&self, inbound: Inbound<'_>, _outbox: &mut dyn Outbox) -> Served {
        match judge(inbound.bytes, inbound.binding) {
            Verdict::Request(request) => Served::Answered(self.dispatch(request, inbound).await),
            Verdict::Notification(notification) => {
                debug!(method = %notification.method, "took note of a notification");
                Served::Accepted
            }
            Verdict::Refused(refused) => Served::Answered(rejected(refused.id, &refused.rejection)),
        }
    }
}
