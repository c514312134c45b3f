//! Two servers on one bus: a listener hears of a change whichever of them made it.

use std::convert::Infallible;
use std::sync::Arc;

use pm_mcp::{
    Change, ChangeBus, Context, Execution, Form, McpService, NoArguments, Output, Principal, Read, Server,
    Shutdown, TaskState, Transport, async_trait, resource, tool,
};
use pm_mcp_contract::ScriptedEntropy;
use pm_mcp_memory::{MemoryChangeBus, MemoryTaskStore};
use serde_json::json;
use tokio::sync::oneshot;

use crate::support::{Exchange, Gate, Peer, Yes, accepted, nothing, stage};

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
    // Which resources changed is not known, so that all that are listened to may have.
    assert_eq!(at_there.next().await["params"]["uri"], "test://1");
    assert_eq!(at_there.next().await["params"]["uri"], "test://2");
}

/// Two servers that share tasks, each with a process's own randomness, and a third member of their bus.
async fn sharing_tasks(go: &Gate) -> (Server, Server, MemoryChangeBus) {
    let (bus, store) = (MemoryChangeBus::default(), Arc::new(MemoryTaskStore::default()));
    let mut servers = Vec::new();
    for seed in [1, 2] {
        let go = go.clone();
        let work = tool("work", "Asks and works.").execution(Execution::TaskOnly);
        let work = work.handler(move |ctx: Context, _: NoArguments| {
            let go = go.clone();
            async move {
                let Yes { ok } = ctx.ask("name", Form::new("Well?")).await?;
                tokio::select! {
                    () = go.pass() => Ok(Output::text(format!("ok: {ok}"))),
                    () = ctx.cancelled() => {
                        go.open();
                        Ok(Output::text("stopped"))
                    }
                }
            }
        });
        let builder =
            stage().0.entropy(Arc::new(ScriptedEntropy::seeded(seed))).task_store(Arc::clone(&store));
        let server = builder.change_bus(bus.member()).tool(work).build().unwrap();
        let (stands, standing) = oneshot::channel();
        let served = server.clone();
        tokio::spawn(async move { served.serve(Standing { stands }).await });
        standing.await.unwrap();
        servers.push(server);
    }
    let there = servers.pop().unwrap();
    (servers.pop().unwrap(), there, bus)
}

async fn listen_to_task(peer: &Peer, id: &str) -> Exchange {
    let wanted = json!({"notifications": {"taskIds": [id]}});
    let mut stream = peer.send(peer.request("s", "subscriptions/listen", wanted));
    assert_eq!(stream.next().await["method"], "notifications/subscriptions/acknowledged");
    stream
}

/// Lets the work go on until it asks.
async fn asks(peer: &Peer, id: &str) {
    while peer.task(id).await.result()["status"] != "input_required" {
        tokio::task::yield_now().await;
    }
}

/// Waits for a notification with this state of the task.
async fn until(stream: &mut Exchange, status: &str) {
    while stream.next().await["params"]["status"] != status {}
}

#[tokio::test]
async fn a_task_at_one_server_is_answered_and_heard_at_the_other_without_waiting_for_a_clock() {
    let go = Gate::new();
    let (here, there, _) = sharing_tasks(&go).await;
    let [at_here, at_there] = [&here, &there].map(|server| Peer::stdio(server).with_tasks());
    let id = at_here.start("work", nothing()).await;
    let mut stream = listen_to_task(&at_there, &id).await;
    asks(&at_there, &id).await;
    at_there.update(&id, json!({"name": accepted(json!({"ok": true}))})).await.result();
    go.open();
    until(&mut stream, "completed").await;
}

#[tokio::test]
async fn a_cancellation_at_one_server_stops_the_work_at_the_other_without_waiting_for_a_clock() {
    let go = Gate::new();
    let (here, there, _) = sharing_tasks(&go).await;
    let [at_here, at_there] = [&here, &there].map(|server| Peer::stdio(server).with_tasks());
    let id = at_here.start("work", nothing()).await;
    asks(&at_there, &id).await;
    at_there.update(&id, json!({"name": accepted(json!({"ok": true}))})).await.result();
    let mut stream = listen_to_task(&at_here, &id).await;
    at_there.cancel_task(&id).await.result();
    until(&mut stream, "cancelled").await;
    // The work opens it when it is told to stop.
    go.pass().await;
}

#[tokio::test]
async fn late_news_of_a_task_does_not_take_its_listeners_back() {
    let go = Gate::new();
    let (here, there, other) = sharing_tasks(&go).await;
    let [at_here, at_there] = [&here, &there].map(|server| Peer::stdio(server).with_tasks());
    let id = at_here.start("work", nothing()).await;
    let working = json!({"taskId": id, "status": "working"}).to_string();
    let working = TaskState::try_from(working.as_str()).unwrap();
    let mut stream = listen_to_task(&at_there, &id).await;
    at_there.cancel_task(&id).await.result();
    until(&mut stream, "cancelled").await;
    let (task, principal) = (Arc::from(id.as_str()), Principal::local("ann"));
    other.publish(&Change::TaskChanged { task, principal, state: working }).unwrap();
    assert_eq!(stream.next().await["params"]["status"], "cancelled");
}

#[tokio::test]
async fn who_has_lagged_hears_how_its_tasks_stand() {
    let go = Gate::new();
    let (here, there, other) = sharing_tasks(&go).await;
    let [at_here, at_there] = [&here, &there].map(|server| Peer::stdio(server).with_tasks());
    let id = at_here.start("work", nothing()).await;
    asks(&at_there, &id).await;
    let mut stream = listen_to_task(&at_there, &id).await;
    for _ in 0..=MemoryChangeBus::WAITING.get() {
        other.publish(&updated("test://1")).unwrap();
    }
    until(&mut stream, "input_required").await;
}
