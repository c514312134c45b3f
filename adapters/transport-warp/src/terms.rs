//! On which terms requests are taken, whoever reads them from their connections.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::http::HttpPolicy;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::wire::ProtectedResource;
use pm_mcp_ports::driving::{Admission, Channel, McpService};
use tokio_util::sync::CancellationToken;

use crate::endpoint::Endpoint;
use crate::limits::HttpLimits;

/// What a host says of an endpoint, be it of a server of its own or one in another server.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) policy: HttpPolicy,
    pub(crate) limits: HttpLimits,
    keep_alive: Duration,
}

impl Terms {
    /// For requests that are addressed to the names of the loopback interface, and for no browser page.
    pub(crate) fn loopback() -> Self {
        let keep_alive = Duration::from_secs(15);
        Self { policy: HttpPolicy::loopback(), limits: HttpLimits::default(), keep_alive }
    }

    /// A stream without any pause between its comments would do nothing else.
    pub(crate) fn keep_alive(&mut self, interval: Duration) {
        self.keep_alive = interval.max(Duration::from_millis(1));
    }

    /// Makes the host of the resource one of the server's names.
    pub(crate) fn name_resource(&mut self, admission: &Admission) {
        if let Some(host) = admission.metadata().map(ProtectedResource::host)
            && !self.policy.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
        {
            self.policy.hosts.push(host.to_owned());
        }
    }

    /// The endpoint of a service on these terms.
    pub(crate) fn endpoint(
        self,
        host: Arc<dyn McpService>,
        probes: bool,
        stop: CancellationToken,
    ) -> Endpoint {
        let Self { policy, limits, keep_alive } = self;
        let admission = host.admission();
        // Whom a request acts for that names nobody.
        let principal = match &admission {
            Admission::Local | Admission::Tokens(_) => Principal::loopback(),
            Admission::Anyone => Principal::anonymous(),
        };
        let service = Arc::clone(&host).open(Channel::PerRequest);
        let limit_counts = host.limit_counts();
        Endpoint {
            service,
            principal,
            admission,
            policy,
            limits,
            keep_alive,
            probes,
            host,
            stop,
            limit_counts,
        }
    }
}
