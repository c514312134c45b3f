//! From an admitted request to the use case that serves it.

use std::sync::Arc;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::fault::{Refusal, Rejection};
use pm_mcp_domain::request::{Admitted, Binding, Method, Params};
use pm_mcp_domain::trace::TraceContext;
use pm_mcp_domain::wire::{ResultResponse, ServerCapabilities};
use pm_mcp_ports::driving::{Answer, Inbound, Outbox, Served};
use pm_mcp_ports::feature::Caller;
use tracing::{Instrument as _, info_span};

use crate::access::{Acting, asks_later};
use crate::answer::{answer, failed, rejected};
use crate::door::Door;
use crate::exchange::Request;
use crate::failure::Failure;
use crate::intercept::Links;
use crate::tool::Asked;
use crate::trace::within;

impl Door {
    pub(crate) async fn dispatch(
        &self,
        admitted: &Admitted<'_>,
        acting: &Acting<'_>,
        inbound: &Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let mut request = match self.prepare(admitted, acting, inbound) {
            Ok(request) => request,
            Err(refused) => return Served::Answered(refused),
        };
        let (params, binding) = (&admitted.params, inbound.binding);
        if request.caller.trace == TraceContext::default() {
            return self.serve_params(&mut request, params, binding, outbox).await;
        }
        // Boxed, like every branch that few calls take: a future is as large as its largest branch, and each call moves it.
        Box::pin(self.serve_traced(request, params, binding, outbox)).await
    }

    async fn serve_traced(
        &self,
        mut request: Request<'_>,
        params: &Params<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let trace = request.caller.trace.clone();
        let span = match &trace.parent {
            Some(parent) => info_span!("request", method = request.method.as_str(), trace = %parent),
            None => info_span!("request", method = request.method.as_str()),
        };
        let served = self.serve_params(&mut request, params, binding, outbox).instrument(span);
        within(trace, served).await
    }

    /// What is known of a request before its use case begins, or the answer to one that may not be served.
    fn prepare<'a>(
        &self,
        admitted: &Admitted<'a>,
        acting: &Acting<'_>,
        inbound: &Inbound<'_>,
    ) -> Result<Request<'a>, Answer> {
        let Admitted { id, method, params, meta } = admitted;
        let (id, method, core) = (*id, *method, &self.core);
        let surface = acting.surface.clone().unwrap_or_else(|| core.surface());
        if !offers(surface.capabilities, method) {
            let rejection = Rejection::MethodNotFound { method: method.as_str().to_owned() };
            return Err(rejected(Some(id), &rejection));
        }
        let capabilities = core.extensions.read(inbound.bytes, meta.capabilities.clone());
        let undeclared = core.extensions.known().admit(method, &capabilities).err();
        let headers = match inbound.binding {
            Binding::Http(headers) => Some(headers),
            Binding::Stdio => None,
        };
        let caller = Arc::new(Caller {
            principal: acting.principal.clone(),
            access: acting.access.cloned(),
            client: meta.client_info.as_ref().map(|client| core.last_client.owned(client)),
            capabilities,
            trace: TraceContext::extract(&meta.trace, headers, &core.settings.baggage),
        });
        let class = core.settings.visibility.as_ref().map(|policy| policy.class(&caller));
        let mut request = Request {
            core: Arc::clone(core),
            surface,
            id,
            method,
            caller,
            class,
            needs: Scopes::default(),
            progress: meta.progress_token,
            watch: None,
        };
        if let (Some(gate), Some(_)) = (&core.gate, acting.access) {
            request.needs = gate.needs.of(method);
            let needs = request.surface.catalogue.needs(params, |offer| request.shows(offer));
            request.needs.extend(&needs);
            if (!asks_later(params) || undeclared.is_some())
                && let Err(failure) = request.permit(Scopes::NONE)
            {
                return Err(failed(id, failure, core.gate.as_ref(), || Refusal::UnknownTask));
            }
        }
        match undeclared {
            Some(rejection) => Err(rejected(Some(id), &rejection)),
            None => Ok(request),
        }
    }

    async fn serve_params(
        &self,
        request: &mut Request<'_>,
        params: &Params<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let id = request.id;
        let core = &self.core;
        let (served, not_found) = match Links::around(request, params).map(Box::new) {
            None => self.perform(request, params, binding, outbox).await,
            Some(links) => Box::pin(self.intercepted(*links, request, params, binding, outbox)).await,
        };
        served
            .unwrap_or_else(|failure| Served::Answered(failed(id, failure, core.gate.as_ref(), || not_found)))
    }

    /// Lets the use case of a request work; the refusal is for when what it names is not found.
    pub(crate) async fn perform(
        &self,
        request: &Request<'_>,
        params: &Params<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> (Result<Served, Failure>, Refusal) {
        let id = request.id;
        match params {
            Params::Discover => (
                answer(&ResultResponse::rendered(id, &request.surface.discovery)).map(Served::Answered),
                Refusal::InvalidCursor,
            ),
            Params::List { list, cursor } => {
                (Box::pin(request.list(*list, cursor.as_deref())).await, Refusal::InvalidCursor)
            }
            Params::CallTool { name, arguments, retry } => {
                let asked = Asked { name, arguments: *arguments };
                let served = request.call_tool(asked, retry, binding, outbox).await;
                let unknown = unless_served(&served, || Refusal::UnknownTool { name: name.to_string() });
                (served, unknown)
            }
            Params::ReadResource { uri, retry } => {
                let served = Box::pin(request.read_resource(uri, retry, outbox)).await;
                let unknown = unless_served(&served, || Refusal::UnknownResource { uri: uri.to_string() });
                (served, unknown)
            }
            Params::GetPrompt { name, arguments, retry } => {
                let served = Box::pin(request.get_prompt(name, *arguments, retry, outbox)).await;
                let unknown = unless_served(&served, || Refusal::UnknownPrompt { name: name.to_string() });
                (served, unknown)
            }
            Params::Complete { reference, argument, value, context: known } => {
                let served = Box::pin(request.complete(reference, argument, value, *known)).await;
                (served, nothing_by_that_name())
            }
            Params::Listen { notifications } => {
                (Box::pin(self.listen(request, notifications, outbox)).await, Refusal::UnknownTask)
            }
            Params::GetTask { task_id } => (Box::pin(request.get_task(task_id)).await, Refusal::UnknownTask),
            Params::UpdateTask { task_id, responses } => {
                (Box::pin(request.update_task(task_id, responses)).await, Refusal::UnknownTask)
            }
            Params::CancelTask { task_id } => {
                (Box::pin(request.cancel_task(task_id)).await, Refusal::UnknownTask)
            }
            Params::Extension { message } => {
                (Box::pin(request.call_extension(message, outbox)).await, nothing_by_that_name())
            }
        }
    }
}

/// The refusal of what a request names; one that was served needs none, and none is made up for it.
fn unless_served(served: &Result<Served, Failure>, refusal: impl FnOnce() -> Refusal) -> Refusal {
    match served {
        Ok(_) => Refusal::UnknownTask,
        Err(_) => refusal(),
    }
}

fn nothing_by_that_name() -> Refusal {
    Refusal::Unusable("nothing is known by that name".to_owned())
}

/// A method of something that the server does not offer is as unknown as any other.
pub(crate) fn offers(capabilities: ServerCapabilities, method: Method) -> bool {
    match method {
        Method::Discover | Method::Listen | Method::Extension(_) => true,
        Method::ListTools | Method::CallTool => capabilities.tools,
        Method::ListResources | Method::ListResourceTemplates | Method::ReadResource => {
            capabilities.resources
        }
        Method::ListPrompts | Method::GetPrompt => capabilities.prompts,
        Method::Complete => capabilities.completions,
        Method::GetTask | Method::UpdateTask | Method::CancelTask => capabilities.tasks,
    }
}
