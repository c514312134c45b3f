//! Where a transport comes in: judge, dispatch, answer.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use async_trait::async_trait;
use pm_mcp_domain::access::Credential;
use pm_mcp_domain::fault::Rejection;
use pm_mcp_domain::request::{Admitted, Method, Verdict};
use pm_mcp_domain::subscription::DoorId;
use pm_mcp_ports::driven::RequestOutcome;
use pm_mcp_ports::driving::{Channel, Inbound, McpDoor, Outbox, Served};
use tracing::debug;

use crate::access::Acting;
use crate::answer::rejected;
use crate::core::Core;
use crate::in_flight::{InFlight, Serving};
use crate::observing::Observing;

/// One transport's way into the engine.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) core: Arc<Core>,
    pub(crate) id: DoorId,
    /// On a shared channel: what is being served there.
    requests: Option<InFlight>,
    /// Else: the doors of the streams that are open.
    pub(crate) open_streams: Arc<Mutex<OpenStreams>>,
}

/// The streams of a door whose requests have a channel each.
#[derive(Debug, Default)]
pub(crate) struct OpenStreams {
    pub(crate) doors: BTreeSet<DoorId>,
    /// Whether the door was closed. A request may be on its way to a stream at that moment.
    pub(crate) closed: bool,
}

impl OpenStreams {
    pub(crate) fn lock(streams: &Mutex<Self>) -> MutexGuard<'_, Self> {
        // The set is whole between any two statements, so a panic elsewhere does not spoil it.
        streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Door {
    pub(crate) fn new(core: Arc<Core>, channel: Channel) -> Self {
        let id = core.hub.new_door();
        let requests = match channel {
            Channel::Shared => Some(InFlight::default()),
            Channel::PerRequest => None,
        };
        Self { core, id, requests, open_streams: Arc::default() }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.requests.is_some()
    }

    pub(crate) fn streams(&self) -> MutexGuard<'_, OpenStreams> {
        OpenStreams::lock(&self.open_streams)
    }

    /// Serves a message by what the ladder says of it.
    pub(crate) async fn judged(
        &self,
        verdict: &Verdict<'_>,
        acting: &Acting<'_>,
        inbound: &Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        match verdict {
            Verdict::Request(request) => self.request(request, acting, inbound, outbox).await,
            Verdict::Notification(notification) => {
                match (notification.cancels, &self.requests) {
                    (Some(id), Some(requests)) => requests.cancel(id),
                    _ => debug!(method = %notification.method, "took note of a notification"),
                }
                Served::Accepted
            }
            Verdict::Refused(refused) => Served::Answered(self.core.refuse(refused.id, &refused.rejection)),
        }
    }

    async fn request(
        &self,
        request: &Admitted<'_>,
        acting: &Acting<'_>,
        inbound: &Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let id = request.id;
        // Streams last, and have limits of their own.
        let entered = match request.method {
            Method::Listen => None,
            _ => Some(self.core.load.enter(acting.principal, acting.access.is_some())),
        };
        let _place = match entered.transpose() {
            Ok(place) => place,
            Err(rejection) => return Served::Answered(self.core.refuse(Some(id), &rejection)),
        };
        let mut observed = self.core.observe(request, inbound.binding);
        let mut observing;
        let outbox: &mut dyn Outbox = if request.method == Method::Listen {
            observing = Observing::new(outbox, &mut observed);
            &mut observing
        } else {
            &mut *outbox
        };
        let serving = match &self.requests {
            None => None,
            Some(requests) => match requests.begin(id) {
                None => return Served::Answered(rejected(None, &Rejection::IdInUse)),
                serving => serving,
            },
        };
        // One call for both kinds of channel: a second one would double the future that every request moves.
        let served =
            until_cancelled(serving.as_ref(), pin!(self.dispatch(request, acting, inbound, outbox))).await;
        let served = match (serving.is_none_or(Serving::end), served) {
            (true, Some(served)) => served,
            (false, _) | (_, None) => {
                debug!(id = id.as_json(), "a request was cancelled");
                Served::Cancelled
            }
        };
        if let Some(observed) = observed {
            observed.end(outcome(&served));
        }
        served
    }
}

#[async_trait]
impl McpDoor for Door {
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        match &self.core.gate {
            // Boxed, because a future is as large as its largest branch.
            Some(gate) if inbound.credential != Credential::Local => {
                Box::pin(self.guarded(gate, inbound, outbox)).await
            }
            Some(_) | None => {
                // Boxed, so that the future around it is one of those sizes that allocators have at hand.
                let verdict = Box::new(self.core.judge(&inbound));
                self.judged(&verdict, &Acting::vouched(inbound.principal), &inbound, outbox).await
            }
        }
    }

    fn close(&self) {
        self.core.hub.close_door(self.id);
        let streams = {
            let mut streams = self.streams();
            streams.closed = true;
            streams.doors.clone()
        };
        for stream in streams {
            self.core.hub.close_door(stream);
        }
    }
}

/// How a request ended, for whoever watches it.
fn outcome(served: &Served) -> RequestOutcome {
    match served {
        Served::Answered(answer) => answer.error.map_or(RequestOutcome::Result, RequestOutcome::Error),
        Served::Accepted | Served::HandedOver => RequestOutcome::Result,
        Served::Cancelled => RequestOutcome::Cancelled,
    }
}

/// Lets a request be worked on until it is cancelled, if it can be. From the second time on a cancellation is looked for
/// before the work, so that the work of a cancelled request says nothing more.
fn until_cancelled(
    serving: Option<&Serving<'_>>,
    mut work: Pin<&mut impl Future<Output = Served>>,
) -> impl Future<Output = Option<Served>> {
    let mut waited = false;
    poll_fn(move |task| {
        if waited && serving.is_some_and(|serving| serving.poll_cancelled(task).is_ready()) {
            return Poll::Ready(None);
        }
        waited = true;
        match work.as_mut().poll(task) {
            Poll::Ready(served) => Poll::Ready(Some(served)),
            Poll::Pending => {
                serving.map_or(Poll::Pending, |serving| serving.poll_cancelled(task).map(|()| None))
            }
        }
    })
}
