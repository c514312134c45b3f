//! A stream of changes that its transport carries.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pm_mcp_domain::access::Authorized;
use pm_mcp_ports::driving::{MessageStream, StreamStep};
use tracing::{Span, info};

use crate::core::Core;
use crate::hub::{Ended, Pulled, Subscription};
use crate::listen::StreamDoor;

/// What is left of a `subscriptions/listen` once its transport carries it.
pub(crate) struct HandedOver {
    /// Before the door, which has to know of it for as long as it is open.
    subscription: Subscription,
    door: StreamDoor,
    core: Arc<Core>,
    /// Ready once the caller may hear nothing any more.
    expires: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// That of the request.
    span: Span,
}

impl HandedOver {
    /// `access` is what the caller's token says, where one is asked for.
    pub(crate) fn new(
        subscription: Subscription,
        door: StreamDoor,
        core: &Arc<Core>,
        access: Option<&Authorized>,
    ) -> Self {
        let expires = access.and_then(|access| access.ends).map(|ends| {
            let clock = Arc::clone(&core.ports.clock);
            let expires: Pin<Box<dyn Future<Output = ()> + Send>> =
                Box::pin(async move { clock.sleep_until(ends).await });
            expires
        });
        Self { subscription, door, core: Arc::clone(core), expires, span: Span::current() }
    }
}

impl MessageStream for HandedOver {
    fn poll_next(&mut self, task: &mut Context<'_>, say: &mut dyn FnMut(&[&[u8]])) -> Poll<StreamStep> {
        let Self { subscription, door, core, expires, span } = self;
        let _entered = span.enter();
        loop {
            match subscription.poll_next(task, &*core.ports.clock, say) {
                Poll::Ready(Pulled::Message) => return Poll::Ready(StreamStep::Message),
                Poll::Ready(Pulled::Ended(ended)) => return Poll::Ready(end(core, ended, say)),
                Poll::Pending => {}
            }
            let Some(expiring) = expires else { return Poll::Pending };
            ready!(expiring.as_mut().poll(task));
            // Whoever may not call any more does not hear any more.
            *expires = None;
            core.hub.close_door(door.id());
        }
    }
}

fn end(core: &Core, ended: Ended, say: &mut dyn FnMut(&[&[u8]])) -> StreamStep {
    match ended {
        Ended::Closed(live) => {
            say(&[&live.end(&core.identity)]);
            StreamStep::Answer
        }
        Ended::PeerGone => StreamStep::Cancelled,
        Ended::TooSlow(reason) => {
            info!(%reason, "ended a subscription of a slow peer");
            StreamStep::Cancelled
        }
    }
}
