//! `subscriptions/listen`.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::fault::{Refusal, Rejection};
use pm_mcp_domain::request::ClientCapability;
use pm_mcp_domain::subscription::{DoorId, Filter};
use pm_mcp_ports::driving::{Answer, Outbox, Served};
use pm_mcp_ports::feature::{HandlerFault, Offer};
use serde_json::value::RawValue;
use tracing::info;

use crate::core::Core;
use crate::door::{Door, OpenStreams};
use crate::exchange::Request;
use crate::failure::Failure;
use crate::handed_over::HandedOver;
use crate::hub::{Ended, Listen, ListenRefused, Subscription};

impl Door {
    /// Carries a stream until it ends. Task ids that the caller cannot see are left out of what is granted, like kinds
    /// that the server does not offer.
    pub(crate) async fn listen(
        &self,
        request: &Request<'_>,
        notifications: &RawValue,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let (core, surface) = (&request.core, &request.surface);
        let mut filter = match Filter::parse(Some(notifications), &core.settings.limits.filter) {
            Ok(filter) => filter,
            Err(fault) => {
                request.permit(Scopes::NONE)?;
                return Err(Refusal::Unusable(fault.to_string()).into());
            }
        };
        // To hear of a resource or a task needs what it needs to read it.
        filter.retain_uris(|uri| request.shows(Offer::Resource(uri)));
        let mut needs = Scopes::default();
        if request.caller.access.is_some() {
            for uri in filter.uris() {
                needs.extend(&surface.catalogue.needs_of_resource(uri, |offer| request.shows(offer)));
            }
        }
        if filter.tasks().len() > 0 && !request.caller.capabilities.declares(ClientCapability::TASKS) {
            request.permit(&needs)?;
            return Err(Rejection::MissingCapability(ClientCapability::TASKS).into());
        }
        let mut visible = Vec::new();
        if let Some(tasks) = core.tasks.as_deref() {
            for task in filter.tasks() {
                let scopes = tasks.scopes_if_visible(task, &request.caller.principal).await;
                visible.push(scopes.is_some());
                needs.extend(&scopes.unwrap_or_default());
            }
        }
        request.permit(&needs)?;
        let (id, caller) = (request.id, &request.caller);
        let mut visible = visible.into_iter();
        filter.retain_tasks(|_| visible.next().unwrap_or(false));
        filter = filter.accepted(surface.offers());
        let Some(door) = self.stream_door() else {
            return Err(HandlerFault::Busy(ListenRefused::ShuttingDown.to_string()).into());
        };
        let listen = Listen { id, filter, principal: &caller.principal, door: door.id() };
        if outbox.carries_streams() && !self.is_shared() {
            let subscription =
                Subscription::open(&core.hub, listen).map_err(|refused| refuse(core, &refused))?;
            if self.streams().closed {
                core.hub.close_door(door.id());
            }
            outbox.carry(Box::new(HandedOver::new(subscription, door, core, caller.access.as_deref())));
            return Ok(Served::HandedOver);
        }
        let mut listening = pin!(core.hub.listen(listen, outbox, &*core.ports.clock));
        let first = poll_fn(|task| Poll::Ready(listening.as_mut().poll(task))).await;
        // The stream is registered by now; whoever closed the door before that has missed it.
        if self.streams().closed {
            core.hub.close_door(door.id());
        }
        let ended = match first {
            Poll::Ready(ended) => ended,
            Poll::Pending => match caller.access.as_deref().and_then(|access| access.ends) {
                None => listening.await,
                // Whoever may not call any more does not hear any more.
                Some(ends) => tokio::select! {
                    biased;
                    ended = listening.as_mut() => ended,
                    () = core.ports.clock.sleep_until(ends) => {
                        core.hub.close_door(door.id());
                        listening.await
                    }
                },
            },
        };
        match ended {
            Ok(Ended::Closed(live)) => Ok(Served::Answered(Answer::new(200, live.end(&core.identity)))),
            Ok(Ended::PeerGone) => Ok(Served::Cancelled),
            Ok(Ended::TooSlow(reason)) => {
                info!(%reason, "ended a subscription of a slow peer");
                Ok(Served::Cancelled)
            }
            Err(refused) => Err(refuse(core, &refused)),
        }
    }

    /// The door of one stream: that of the peer on a shared channel, else one of its own, since equal ids of different
    /// clients must not meet.
    ///
    /// `None` once the door is closed: nobody would end the stream.
    fn stream_door(&self) -> Option<StreamDoor> {
        let mut streams = self.streams();
        if streams.closed {
            return None;
        }
        if self.is_shared() {
            return Some(StreamDoor { id: self.id, known_to: None });
        }
        let id = self.core.hub.new_door();
        streams.doors.insert(id);
        Some(StreamDoor { id, known_to: Some(Arc::clone(&self.open_streams)) })
    }
}

fn refuse(core: &Core, refused: &ListenRefused) -> Failure {
    if let Some(limit) = refused.limit() {
        core.limit_counts.count(limit);
    }
    HandlerFault::Busy(refused.to_string()).into()
}

/// The door of one stream while it is open.
pub(crate) struct StreamDoor {
    id: DoorId,
    /// Where it is known as a door of its own.
    known_to: Option<Arc<Mutex<OpenStreams>>>,
}

impl StreamDoor {
    pub(crate) fn id(&self) -> DoorId {
        self.id
    }
}

impl Drop for StreamDoor {
    fn drop(&mut self) {
        if let Some(streams) = &self.known_to {
            OpenStreams::lock(streams).doors.remove(&self.id);
        }
    }
}
