//! The order of the examination.

use core::time::Duration;

use crate::checks::{self, Era};
use crate::finding::Report;
use crate::peer::{HttpPeer, Peer, StdioPeer};
use crate::target::Target;

/// How to probe.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_structs, reason = "plain settings")]
pub struct Settings {
    /// How long to wait for each answer.
    pub patience: Duration,
    /// The access token to send, for servers that ask for one.
    pub token: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { patience: Duration::from_secs(10), token: None }
    }
}

/// Probes a server. Nothing that it offers is called or changed.
///
/// Must be used inside a tokio runtime with I/O and time.
pub async fn examine(target: &Target, settings: &Settings) -> Report {
    let mut report = Report { target: target.to_string(), ..Report::default() };
    let patience = settings.patience;
    let mut peer = match target {
        Target::Command { program, arguments } => match StdioPeer::start(program, arguments, patience) {
            Ok(peer) => Peer::Stdio(peer),
            Err(error) => {
                report.wrong("start", error.to_string(), "check the command and its path");
                return report;
            }
        },
        Target::Url(url) => Peer::Http(HttpPeer::new(url.clone(), settings.token.clone(), patience)),
    };
    if let Peer::Http(http) = &peer
        && checks::authorization(http, &mut report).await.is_closed()
    {
        return report;
    }
    let era = checks::discovery(&mut peer, &mut report).await;
    match era {
        Era::Present => {
            checks::versions(&mut peer, &mut report).await;
            checks::lists(&mut peer, &mut report, Era::Present).await;
            checks::requests(&mut peer, &mut report).await;
            if let Peer::Http(http) = &peer {
                checks::headers(http, &mut report).await;
            }
            checks::earlier_beside(&mut peer, &mut report).await;
        }
        Era::Earlier => {
            if let Some(mut again) = restarted(target, settings, peer) {
                if checks::earlier(&mut again, &mut report).await {
                    checks::lists(&mut again, &mut report, Era::Earlier).await;
                }
                peer = again;
            } else {
                return report;
            }
        }
        Era::None => {}
    }
    if let Peer::Stdio(stdio) = peer {
        checks::ending(stdio, &mut report).await;
    }
    report
}

/// A fresh start for the handshake: servers with one refuse it after other messages.
fn restarted(target: &Target, settings: &Settings, peer: Peer) -> Option<Peer> {
    match (target, peer) {
        (Target::Command { program, arguments }, Peer::Stdio(before)) => {
            drop(before);
            StdioPeer::start(program, arguments, settings.patience).ok().map(Peer::Stdio)
        }
        (Target::Command { .. } | Target::Url(_), Peer::Http(mut http)) => {
            http.present = false;
            Some(Peer::Http(http))
        }
        (Target::Url(_), Peer::Stdio(_)) => None,
    }
}
