//! Two servers on one bus: a listener hears of a change whichever of them made it.

use std::convert::Infallible;
use std::sync::Arc;

use pm_mcp::{
    Change, McpService, NoArguments, Output, Read, Server, Shutdown, Transport, async_trait, resource, tool,
};
use pm_mcp_memory::MemoryChangeBus;
use serde_json::json;
use tokio::sync::oneshot;

use crate::support::{Exchange, Peer, stage};

/// Serves nobody until it is told to stop.
struct Standing {
    stands: oneshot::Sender<()>,
}

#[async_trait]
impl Transport for Standing {
    type Error = Infallible;

    async fn serve(self, _: Arc<dyn McpService>, shutdown: Shutdown) -> Result<(), Infallible> {
        self.stands.send(()).unwrap();
        shutdown.await;
        Ok(())
    }
}

async fn serving(bus: MemoryChangeBus) -> Server {
    let entry = tool("any", "Makes tools something to listen to.");
    let entry = entry.handler(|_, _: NoArguments| async { Ok(Output::text("yes")) });
    let one = resource("test://1", "one").reader(|_, _| async { Ok(Read::text("1")) });
    let server = stage().0.change_bus(bus).tool(entry).resource(one).build().unwrap();
    let (stands, standing) = oneshot::channel();
    let served = server.clone();
    tokio::spawn(async move { served.serve(Standing { stands }).await });
    standing.await.unwrap();
    server
}

async fn listen(server: &Server) -> Exchange {
    let peer = Peer::stdio(server);
    let filter = json!({"toolsListChanged": true, "resourceSubscriptions": ["test://1", "test://2"]});
    let mut stream = peer.send(peer.request(1, "subscriptions/listen", json!({"notifications": filter})));
    assert_eq!(stream.next().await["method"], "notifications/subscriptions/acknowledged");
    stream
}

fn updated(uri: &str) -> Change {
    Change::ResourceUpdated { uri: uri.into() }
}

#[tokio::test]
async fn a_change_at_one_server_is_heard_once_at_each() {
    let bus = MemoryChangeBus::default();
    let (here, there) = (serving(bus.member()).await, serving(bus).await);
    let (mut at_here, mut at_there) = (listen(&here).await, listen(&there).await);
    for (changed, uri) in [(&here, "test://1"), (&there, "test://2"), (&here, "test://1")] {
        changed.publish(&updated(uri));
        for stream in [&mut at_here, &mut at_there] {
            assert_eq!(stream.next().await["params"]["uri"], uri);
        }
    }
    tokio::task::yield_now().await;
    assert!(at_here.waiting().is_none() && at_there.waiting().is_none(), "each change is told once");
}

#[tokio::test]
async fn who_has_lagged_hears_that_the_lists_changed() {
    let bus = MemoryChangeBus::with_waiting(1.try_into().unwrap());
    let (here, there) = (serving(bus.member()).await, serving(bus).await);
    let mut at_there = listen(&there).await;
    here.publish(&updated("test://1"));
    here.publish(&updated("test://2"));
    assert_eq!(at_there.next().await["method"], "notifications/tools/list_changed");
    assert_eq!(at_there.next().await["params"]["uri"], "test://2");
}
