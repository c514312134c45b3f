//! Which era a message belongs to, and who serves it.

use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use pm_mcp_domain::access::Credential;
use pm_mcp_domain::fault::{ErrorCode, Rejection};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::request::{ClientCapabilities, Method, Verdict, judge};
use pm_mcp_domain::version::PROTOCOL_VERSION;
use pm_mcp_ports::driving::{Answer, Inbound, McpDoor, Outbox, Served};
use serde_json::json;
use serde_json::value::to_raw_value;
use tracing::info;

use super::answer;
use super::changes::{Changes, Entry, NotBegun, PlainOutbox, Topic};
use super::handshake::{Peer, initialize};
use super::message::{LegacyParams, LegacyRequest};
use super::method::LegacyMethod;
use crate::access::Acting;
use crate::answer::rejected;
use crate::door::Door;

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// One peer's way into the engine, in either era.
#[derive(Debug)]
pub(super) struct DualEraDoor {
    door: Door,
    /// What `initialize` said, last.
    peer: Mutex<Option<Peer>>,
    changes: Changes,
}

#[async_trait]
impl McpDoor for DualEraDoor {
    /// Requests of the current revision are judged once, as at any other door. Whatever claims no version is refused by
    /// the ladder before anything is looked up, so that only what is refused has to be looked at again.
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        if self.door.core.gate.is_some() && inbound.credential != Credential::Local {
            // Whoever has to show a token speaks the revision that says how.
            return self.door.serve(inbound, outbox).await;
        }
        match self.door.core.judge(&inbound) {
            Verdict::Refused(refused) => match refused.rejection {
                Rejection::MethodNotFound { .. } | Rejection::InvalidMeta(_) => {
                    match LegacyRequest::read(inbound.bytes) {
                        Some(request) => self.legacy(&request, inbound, outbox).await,
                        None => Served::Answered(rejected(refused.id, &refused.rejection)),
                    }
                }
                rejection => Served::Answered(self.door.core.refuse(refused.id, &rejection)),
            },
            Verdict::Notification(notification) if notification.method == "notifications/initialized" => {
                self.log("notifications/initialized");
                if let Ok(entry) = self.changes.begin(&Topic::Lists)
                    && let Some(refusal) = self.tell(&entry, &Topic::Lists, None, inbound, outbox).await
                {
                    let answer = String::from_utf8_lossy(&refusal.body).into_owned();
                    info!(answer, "a client is not told of changed lists");
                }
                Served::Accepted
            }
            verdict @ (Verdict::Request(_) | Verdict::Notification(_)) => {
                self.door.judged(&verdict, &Acting::vouched(inbound.principal), &inbound, outbox).await
            }
        }
    }

    fn close(&self) {
        self.door.close();
    }
}

impl DualEraDoor {
    pub(super) fn new(door: Door) -> Self {
        Self { door, peer: Mutex::default(), changes: Changes::default() }
    }

    async fn legacy(
        &self,
        request: &LegacyRequest<'_>,
        inbound: Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let LegacyRequest { id, ref method, ref params } = *request;
        let Some(known) = LegacyMethod::parse(method) else {
            self.log("unknown");
            return Served::Answered(unknown(id, method));
        };
        self.log(method);
        let Some(params) = params else {
            return Served::Answered(invalid(id, "params, and _meta in it, must be objects"));
        };
        let core = &self.door.core;
        let text = |name: &str| params.members.text(name);
        match known {
            LegacyMethod::Initialize => {
                let (answer, peer) = initialize(id, &params.members, core);
                if peer.is_some() {
                    *self.peer.lock().unwrap_or_else(PoisonError::into_inner) = peer;
                }
                Served::Answered(answer)
            }
            LegacyMethod::Ping => Served::Answered(answer::result(id, &json!({}))),
            LegacyMethod::SetLevel => Served::Answered(match text("level") {
                Some(level) if LEVELS.contains(&level.as_str()) => answer::result(id, &json!({})),
                Some(_) | None => invalid(id, &format!("params.level must be one of {}", LEVELS.join(", "))),
            }),
            LegacyMethod::Subscribe | LegacyMethod::Unsubscribe if !core.surface().capabilities.resources => {
                Served::Answered(unknown(id, method))
            }
            LegacyMethod::Subscribe => match text("uri") {
                Some(uri) => self.subscribe(id, &Topic::Resource(uri), inbound, outbox).await,
                None => Served::Answered(invalid(id, "params.uri must be a string")),
            },
            LegacyMethod::Unsubscribe => Served::Answered(match text("uri") {
                Some(uri) => {
                    self.changes.end(&Topic::Resource(uri));
                    answer::result(id, &json!({}))
                }
                None => invalid(id, "params.uri must be a string"),
            }),
            LegacyMethod::Shared(method) => self.shared(id, method, params, inbound, outbox).await,
        }
    }

    /// Answers once no update can be missed any more, then tells of updates.
    async fn subscribe(
        &self,
        id: RequestId<'_>,
        topic: &Topic,
        inbound: Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let done = answer::result(id, &json!({}));
        let entry = match self.changes.begin(topic) {
            Ok(entry) => entry,
            Err(NotBegun::Open) => return Served::Answered(done),
            Err(NotBegun::TooMany) => {
                let message = NotBegun::too_many();
                return Served::Answered(answer::error(id, ErrorCode::INTERNAL, &message, None));
            }
        };
        match self.tell(&entry, topic, Some(done.body), inbound, outbox).await {
            Some(refusal) => Served::Answered(answer::translated(id, Method::Listen, &refusal)),
            None => Served::Accepted,
        }
    }

    /// Tells of changes until the topic or the channel ends; gives the answer of a stream that was not opened.
    async fn tell(
        &self,
        entry: &Entry<'_>,
        topic: &Topic,
        opening: Option<Vec<u8>>,
        inbound: Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Option<Answer> {
        // JSON values can always be written.
        let filter = to_raw_value(&topic.filter()).ok()?;
        let bytes = self.current(&entry.id(), Method::Listen, &LegacyParams::of("notifications", &filter));
        let mut plain = PlainOutbox::new(outbox, opening);
        let served = tokio::select! {
            biased;
            served = self.serve_current(&bytes, inbound, &mut plain) => served,
            () = entry.ended() => Served::Cancelled,
        };
        match served {
            Served::Answered(answer) if !plain.is_open() => Some(answer),
            Served::Answered(_) | Served::Accepted | Served::Cancelled | Served::HandedOver => None,
        }
    }

    /// Serves the request of the current revision that this one stands for.
    async fn shared(
        &self,
        id: RequestId<'_>,
        method: Method,
        params: &LegacyParams<'_>,
        inbound: Inbound<'_>,
        outbox: &mut dyn Outbox,
    ) -> Served {
        let bytes = self.current(id.as_json(), method, params);
        match self.serve_current(&bytes, inbound, outbox).await {
            Served::Answered(answer) => Served::Answered(answer::translated(id, method, &answer)),
            other @ (Served::Accepted | Served::Cancelled | Served::HandedOver) => other,
        }
    }

    fn current(&self, id: &str, method: Method, params: &LegacyParams<'_>) -> Vec<u8> {
        let client = self.peer().and_then(|peer| peer.client);
        params.to_current(id, method.as_str(), client.as_deref())
    }

    async fn serve_current(&self, bytes: &[u8], inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        let mut verdict = judge(bytes, inbound.binding);
        if let Verdict::Request(admitted) = &mut verdict {
            admitted.meta.capabilities = ClientCapabilities::unaskable();
        }
        let acting = Acting::vouched(inbound.principal);
        self.door.judged(&verdict, &acting, &Inbound { bytes, ..inbound }, outbox).await
    }

    fn peer(&self) -> Option<Peer> {
        self.peer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What shows whether the earlier era is still needed. `method` is a name that this server knows, never the peer's
    /// own words.
    fn log(&self, method: &str) {
        let peer = self.peer();
        let revision = peer.as_ref().map_or("none agreed on", |peer| peer.revision);
        let client = peer.as_ref().and_then(|peer| peer.client.as_deref()).unwrap_or("unknown");
        info!(target: "pm_mcp::legacy", era = "legacy", revision, method, client, "a message of an earlier revision");
    }
}

fn invalid(id: RequestId<'_>, message: &str) -> Answer {
    answer::error(id, ErrorCode::INVALID_PARAMS, message, None)
}

/// A method that only the current revision has is named as such: its client forgot to claim the version.
fn unknown(id: RequestId<'_>, method: &str) -> Answer {
    let rejection = Rejection::MethodNotFound { method: method.to_owned() };
    let mut message = rejection.to_string();
    if Method::parse(method).is_some() && LegacyMethod::parse(method).is_none() {
        message.push_str(&format!(
            "; it belongs to revision {PROTOCOL_VERSION}, which a request claims in _meta"
        ));
    }
    answer::error(id, ErrorCode::METHOD_NOT_FOUND, &message, None)
}
