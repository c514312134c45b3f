//! Two servers on one store of tasks: what one changes the other sees, and when one is killed the other ends its tasks.
//!
//! `PM_TWO_SERVERS_TRANSITIONS` says how many transitions eight clients make, 600 unless set; they stop after two minutes
//! and tell how many there were.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, call, request};
use serde_json::{Value, json};

use crate::cluster::{self, Cluster};
use crate::tasks::{long_histories, with_tasks};

const CLIENTS: usize = 8;
const LONGEST: Duration = Duration::from_secs(120);

/// All tasks are one caller's.
const ROOM: (&str, &str) = ("PM_MCP_TASKS_PER_PRINCIPAL", "100000");

/// How soon a server of the same machine has ended the tasks of one that was killed: far less than their lease.
const AT_ONCE: Duration = Duration::from_secs(4);

/// The lease, and what a busy machine takes beyond it.
const BY_LEASE: Duration = Duration::from_secs(30);

fn begin(server: &HttpServer, tool: &str) -> String {
    let answer = server.ask(&with_tasks(call(1, tool, json!({}))));
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    answer["result"]["taskId"].as_str().unwrap().to_owned()
}

fn get(server: &HttpServer, task: &str) -> Value {
    let answer = server.ask(&with_tasks(request(9, "tasks/get", json!({"taskId": task}))));
    assert!(answer["result"].is_object(), "{answer}");
    answer["result"].clone()
}

fn cancel(server: &HttpServer, task: &str) {
    let answer = server.ask(&with_tasks(request(7, "tasks/cancel", json!({"taskId": task}))));
    assert!(answer["result"].is_object(), "{answer}");
}

/// Asks until the task has ended.
fn ended(server: &HttpServer, task: &str, within: Duration) -> Value {
    let begun = Instant::now();
    loop {
        let found = get(server, task);
        if !["working", "input_required"].contains(&found["status"].as_str().unwrap()) {
            return found;
        }
        assert!(begun.elapsed() < within, "still {found}");
    }
}

/// Begins tasks with one server, cancels some of them with the other one, and sees both agree on every end. A task that
/// was created and ended counts as two transitions.
fn share(servers: &[HttpServer; 2], goal: usize) -> String {
    let (transitions, cancelled, begun) = (AtomicUsize::new(0), AtomicUsize::new(0), Instant::now());
    let ends = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let [ours, theirs] = [&servers[client % 2], &servers[(client + 1) % 2]];
            let (transitions, cancelled, ends) = (&transitions, &cancelled, &ends);
            scope.spawn(move || {
                for round in client.. {
                    if transitions.load(Ordering::Relaxed) >= goal || begun.elapsed() > LONGEST {
                        return;
                    }
                    let task = begin(ours, "pm_health");
                    if round % 3 == 0 {
                        cancel(theirs, &task);
                    }
                    let end = ended(theirs, &task, PATIENCE);
                    assert_eq!(get(ours, &task), end, "the servers do not agree");
                    cancelled.fetch_add(usize::from(end["status"] == "cancelled"), Ordering::Relaxed);
                    transitions.fetch_add(2, Ordering::Relaxed);
                    ends.lock().unwrap().push((task, end));
                }
            });
        }
    });
    let took = begun.elapsed();
    let ends = ends.into_inner().unwrap();
    for (number, (task, end)) in ends.iter().enumerate() {
        assert!(["completed", "cancelled"].contains(&end["status"].as_str().unwrap()), "{end}");
        assert_eq!(get(&servers[number % 2], task), *end, "the end of a task changed");
    }
    let transitions = transitions.into_inner();
    assert!(transitions >= 2 * CLIENTS);
    format!(
        "{CLIENTS} clients, {transitions} transitions of {goal} asked for in {took:.1?}, {} tasks cancelled by the other \
         server, no update lost",
        cancelled.into_inner()
    )
}

/// Kills the first server while it works, and the second one while it serves clients of its own; says how long it took
/// until the tasks of the first had ended.
fn kill_one([first, second]: [HttpServer; 2], within: Duration) -> String {
    let lost: Vec<String> = (0..4).map(|_| begin(&first, "pm_validate")).collect();
    let found = get(&second, &lost[0]);
    assert_eq!(found["status"], "working", "the work is too short for this test: {found}");
    let (second, stop) = (Arc::new(second), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..2)
        .map(|_| {
            let (server, stop) = (Arc::clone(&second), Arc::clone(&stop));
            thread::spawn(move || {
                let (mut served, mut longest) = (0, Duration::ZERO);
                while !stop.load(Ordering::Relaxed) {
                    let begun = Instant::now();
                    let task = begin(&server, "pm_health");
                    cancel(&server, &task);
                    let end = ended(&server, &task, PATIENCE);
                    assert!(["completed", "cancelled"].contains(&end["status"].as_str().unwrap()), "{end}");
                    (served, longest) = (served + 1, longest.max(begun.elapsed()));
                }
                (served, longest)
            })
        })
        .collect();
    // Dropping it kills the process at once.
    drop(first);
    let killed = Instant::now();
    for task in &lost {
        let end = ended(&second, task, within);
        assert_eq!(end["status"], "failed", "{end}");
        let message = end["error"]["message"].as_str().unwrap();
        assert!(message.contains("stopped before the task ended") && message.contains("start"), "{message}");
    }
    let took = killed.elapsed();
    stop.store(true, Ordering::Relaxed);
    let (mut served, mut longest) = (0, Duration::ZERO);
    for client in clients {
        let (one, slowest) = client.join().unwrap();
        (served, longest) = (served + one, longest.max(slowest));
    }
    assert!(took < within && served > 0, "{took:?} and {served} tasks served meanwhile");
    format!(
        "{} tasks of the killed server ended after {took:.1?}; the other one served {served} tasks meanwhile, the slowest \
         in {longest:.1?}",
        lost.len()
    )
}

fn goal() -> usize {
    std::env::var("PM_TWO_SERVERS_TRANSITIONS").map_or(600, |text| text.parse().unwrap())
}

fn busy() -> Project {
    let project = Project::paged();
    long_histories(&project);
    project
}

#[test]
fn two_servers_on_one_folder_lose_nothing_and_one_ends_the_tasks_of_the_other() {
    let project = Project::small();
    let settings = [("PM_MCP_TASK_STORE", "fs"), ROOM];
    let start = |project: &Project| HttpServer::start(project.root(), &settings);
    eprintln!("fs: {}", share(&[start(&project), start(&project)], goal()));
    let project = busy();
    eprintln!("fs: {}", kill_one([start(&project), start(&project)], AT_ONCE));
}

#[test]
fn two_servers_on_postgres_lose_nothing_and_one_ends_the_tasks_of_the_other() {
    let bin = match cluster::programs() {
        Ok(bin) => bin,
        Err(why) => return eprintln!("SKIPPED two servers on PostgreSQL: {why}"),
    };
    let cluster = Cluster::start(&bin);
    let url = cluster.url();
    let settings = [("PM_MCP_TASK_STORE", "postgres"), ("PM_MCP_DATABASE_URL", url.as_str()), ROOM];
    let start = |project: &Project| HttpServer::start(project.root(), &settings);
    let project = Project::small();
    eprintln!("postgres: {}", share(&[start(&project), start(&project)], goal()));
    let (one, other) = (busy(), Project::small());
    eprintln!("postgres, one machine: {}", kill_one([start(&one), start(&one)], AT_ONCE));
    // Without a folder in common the servers are as far from each other as on two machines.
    eprintln!("postgres, by the lease: {}", kill_one([start(&one), start(&other)], BY_LEASE));
}
