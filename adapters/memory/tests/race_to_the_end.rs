//! Many who end one task at the same time: the lifecycle and the store together.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{
    JsonObject, Lease, Lifetime, NewTask, Next, Operation, Task, TaskEvent, TaskId, TaskLimits, TaskRefusal,
    TaskStatus, WorkerId,
};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::MemoryTaskStore;
use pm_mcp_ports::driven::{ReplaceError, TaskStore};

const PAIRS: u32 = 10_000;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

fn task(number: u32) -> Task {
    let mut random = [0; TaskId::RANDOM_BYTES];
    random[..4].copy_from_slice(&number.to_be_bytes());
    let new = NewTask {
        id: TaskId::from_random(&random),
        principal: Principal::local("ann"),
        operation: Operation::call_tool("deploy", []),
        lifetime: Lifetime::Unlimited,
        poll_interval: Duration::from_secs(1),
        status_message: None,
        lease: Lease { worker: WorkerId::from_random(&[1; 16]), until: at(10_000) },
    };
    Task::create(new, at(0))
}

async fn load(store: &dyn TaskStore, id: &TaskId) -> Task {
    Task::from_record(&store.load(id).await.unwrap().unwrap().record).unwrap()
}

/// Applies an event as the port means it, and says whether it changed the task.
async fn apply(store: Arc<dyn TaskStore>, id: TaskId, event: TaskEvent) -> bool {
    loop {
        let stored = store.load(&id).await.unwrap().unwrap();
        let task = Task::from_record(&stored.record).unwrap();
        let next = match task.decide(event.clone(), &TaskLimits::default(), at(1)) {
            Ok(decision) => decision.next,
            Err(TaskRefusal::Ended { .. }) => return false,
            Err(other) => panic!("{other}"),
        };
        match next {
            Next::Unchanged => return false,
            Next::Remove => panic!("nothing is removed here"),
            Next::Replace(next) => match store.replace(&next.to_record(), stored.revision).await {
                Ok(_) => return true,
                Err(ReplaceError::Conflict) => {}
                Err(other) => panic!("{other}"),
            },
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_completion_and_cancellation_one_wins_and_stays() {
    let store: Arc<dyn TaskStore> = Arc::new(MemoryTaskStore::default());
    let result = JsonObject::parse(r#"{"content":[]}"#).unwrap();
    for number in 0..PAIRS {
        let task = task(number);
        store.create(&task.to_record()).await.unwrap();
        let finish = TaskEvent::Finished { result: result.clone() };
        let finishing = tokio::spawn(apply(Arc::clone(&store), task.id().clone(), finish));
        let cancelling =
            tokio::spawn(apply(Arc::clone(&store), task.id().clone(), TaskEvent::CancelRequested));
        let (finished, cancelled) = (finishing.await.unwrap(), cancelling.await.unwrap());
        assert!(finished != cancelled, "both or neither ended the task {number}");
        let ended = load(&*store, task.id()).await;
        let status = if finished { TaskStatus::Completed } else { TaskStatus::Cancelled };
        assert_eq!(ended.status(), status);
        assert!(!apply(Arc::clone(&store), task.id().clone(), TaskEvent::CancelRequested).await);
        assert_eq!(load(&*store, task.id()).await, ended);
    }
}
