//! Serving a request within its interceptors.

use std::sync::Arc;

use pm_mcp_domain::fault::Refusal;
use pm_mcp_domain::request::{Binding, Method, Params};
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{HandlerFault, Operation, Outcome};

use super::kept::Kept;
use super::links::Links;
use super::watch::Watch;
use crate::answer::code;
use crate::door::Door;
use crate::exchange::Request;
use crate::failure::Failure;

impl Door {
    /// Serves a request within `links`. The refusal is for when what it names is not found.
    pub(crate) async fn intercepted(
        &self,
        links: Links,
        request: &mut Request<'_>,
        params: &Params<'_>,
        binding: Binding<'_>,
        outbox: &mut dyn Outbox,
    ) -> (Result<Served, Failure>, Refusal) {
        // Declared before the work, so that a request that is dropped drops its work first and tells of it then.
        let (watch, entered) = Watch::enter(links, Arc::clone(&self.core.ports.clock)).await;
        let watch = Arc::new(watch);
        let mut not_found = unknown(watch.operation());
        if let Err(fault) = entered {
            let code = code_of(&fault, &not_found);
            watch.end(&Outcome::Refused { code });
            return (Err(fault.into()), not_found);
        }
        request.watch = Some(Arc::clone(&watch));
        let served = {
            let refusal = &mut not_found;
            let mut kept;
            let outbox: &mut dyn Outbox = if request.method == Method::Listen {
                kept = Kept(outbox);
                &mut kept
            } else {
                &mut *outbox
            };
            let work = async {
                let (served, unknown) = self.perform(request, params, binding, outbox).await;
                *refusal = unknown;
                served
            };
            watch.within(work).await
        };
        request.watch = None;
        watch.end_request(&outcome(&watch, &served, &not_found));
        (served, not_found)
    }
}

fn outcome(watch: &Watch, served: &Result<Served, Failure>, not_found: &Refusal) -> Outcome {
    match served {
        Ok(Served::Answered(_) | Served::Accepted | Served::HandedOver) => watch.noted(),
        Ok(Served::Cancelled) => Outcome::Cancelled,
        Err(Failure::Denied(denial, _)) => Outcome::Refused { code: denial.code() },
        Err(Failure::Rejected(rejection)) => Outcome::Refused { code: rejection.code() },
        Err(Failure::Refused(refusal)) => Outcome::Refused { code: refusal.code() },
        Err(Failure::Handler(fault)) => Outcome::Failed { code: code_of(fault, not_found) },
    }
}

fn code_of(fault: &HandlerFault, not_found: &Refusal) -> pm_mcp_domain::fault::ErrorCode {
    match fault {
        HandlerFault::NotFound => not_found.code(),
        fault => code(fault),
    }
}

/// What an operation gets whose interceptor says that there is no such thing.
fn unknown(operation: &Operation) -> Refusal {
    let name = operation.name.clone().unwrap_or_default();
    match operation.method {
        Method::CallTool => Refusal::UnknownTool { name },
        Method::ReadResource => Refusal::UnknownResource { uri: name },
        Method::GetPrompt => Refusal::UnknownPrompt { name },
        Method::GetTask | Method::UpdateTask | Method::CancelTask => Refusal::UnknownTask,
        Method::Discover
        | Method::ListTools
        | Method::ListResources
        | Method::ListResourceTemplates
        | Method::ListPrompts
        | Method::Complete
        | Method::Listen
        | Method::Extension(_) => Refusal::Unusable("nothing is known by that name".to_owned()),
    }
}
