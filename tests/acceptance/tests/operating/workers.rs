//! Two workers on one PostgreSQL behind nginx.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, ListenStream, Project, call, request};
use serde_json::{Value, json};

use crate::cluster::{self, Cluster};
use crate::load::{Client, HOST, Tally, with_tasks};
use crate::nginx::{self, Nginx};
use crate::page::environment;

const CLIENTS: usize = 6;

/// Items, one for each edit: who shares a folder with others may hear of one edit more than once.
const ITEMS: [&str; 4] = ["demo-f110", "demo-f111", "demo-f112", "demo-f113"];

/// The settings of the page's environment file, with this database and project.
pub(crate) fn settings(database: &str, project: &Project) -> Vec<(String, String)> {
    let mut settings = environment();
    for (name, value) in &mut settings {
        match name.as_str() {
            "PM_PATH" => *value = project.root().display().to_string(),
            "PM_MCP_DATABASE_URL" => database.clone_into(value),
            _ => {}
        }
    }
    settings
}

/// A worker with these settings, on a port or on a free one.
pub(crate) fn worker(project: &Project, settings: &[(String, String)], at: Option<SocketAddr>) -> HttpServer {
    let port = at.map_or(0, |at| at.port()).to_string();
    let mut settings: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    settings.push(("PM_MCP_HTTP_PORT", &port));
    HttpServer::start(project.root(), &settings)
}

pub(crate) fn value_of<'a>(settings: &'a [(String, String)], name: &str) -> &'a str {
    &settings.iter().find(|(known, _)| known == name).unwrap().1
}

struct Streams<'a> {
    proxy: SocketAddr,
    headers: [(&'a str, &'a str); 2],
}

impl Streams<'_> {
    fn open(&self) -> ListenStream {
        let uris = ITEMS.map(|item| format!("pm://items/{item}"));
        let filter = json!({"resourceSubscriptions": uris});
        ListenStream::open_with(self.proxy, &filter, &self.headers)
    }
}

fn edit(client: &Client<'_>, item: &str) {
    let arguments = json!({"id": item, "action": "add", "kind": "note", "text": "noted"});
    let answer = client.ask(&call(1, "pm_comments", arguments));
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}

/// Whether a change of the item is heard before the stream breaks off.
fn hears(stream: &mut ListenStream, item: &str) -> bool {
    while let Some(message) = stream.next_event() {
        if message["params"]["uri"] == format!("pm://items/{item}") {
            return true;
        }
    }
    false
}

/// Lets clients work until `meanwhile` is done; each does a few rounds more than that.
fn under_load<T>(client: impl Fn() -> Client<'static> + Sync, meanwhile: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let client = client();
                let mut rest = 3;
                while rest > 0 {
                    client.round();
                    if done.load(Ordering::Relaxed) {
                        rest -= 1;
                    }
                }
            });
        }
        let made = meanwhile();
        done.store(true, Ordering::Relaxed);
        made
    })
}

fn wait_for_rounds(tally: &Tally, more: usize) {
    let goal = tally.tasks.load(Ordering::Relaxed) + more;
    while tally.tasks.load(Ordering::Relaxed) < goal {
        thread::yield_now();
    }
}

fn told(what: &str, tally: &Tally, took: Duration) {
    let count = |counter: &std::sync::atomic::AtomicUsize| counter.load(Ordering::Relaxed);
    eprintln!(
        "{what}: {CLIENTS} clients made {} calls and {} tasks in {took:.1?}; {} requests were asked again, {} tasks started \
         again, the slowest took {:.1?}",
        count(&tally.calls),
        count(&tally.tasks),
        count(&tally.again),
        count(&tally.lost),
        tally.slowest(),
    );
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

#[test]
fn two_workers_behind_nginx_are_one_server_and_survive_the_death_of_one() {
    let (bin, program) = match (cluster::programs(), nginx::program()) {
        (Ok(bin), Ok(program)) => (bin, program),
        (Err(why), _) | (_, Err(why)) => return eprintln!("SKIPPED two workers behind nginx: {why}"),
    };
    let cluster = Cluster::start(&bin);
    let project = Project::paged();
    let settings = settings(&cluster.url(), &project);
    let token: &'static str = leak(value_of(&settings, "PM_MCP_HTTP_BEARER_TOKEN").to_owned());
    let workers = [worker(&project, &settings, None), worker(&project, &settings, None)];
    let places = workers.each_ref().map(HttpServer::address);
    let nginx = Nginx::start(&program, places);
    let proxy = nginx.address();
    let tally: &'static Tally = leak(Tally::default());
    let at = |to| Client { to, token, tally };

    // A task that was begun behind the proxy is the same at both workers.
    let begun = at(proxy).ask(&with_tasks(call(1, "pm_health", json!({}))));
    let poll = with_tasks(request(2, "tasks/get", json!({"taskId": begun["result"]["taskId"]})));
    let ended = |to| loop {
        let found: Value = at(to).ask(&poll)["result"].clone();
        if found["status"] != "working" {
            break found;
        }
    };
    let ends = [ended(places[0]), ended(places[1]), ended(proxy)];
    assert!(ends.iter().all(|end| end["status"] == "completed" && *end == ends[0]), "{ends:?}");

    // Two streams, one at each worker as the proxy takes turns, hear of edits at either.
    let authorization = format!("Bearer {token}");
    let streams = Streams { proxy, headers: [("Host", HOST), ("Authorization", &authorization)] };
    let mut open = [streams.open(), streams.open()];
    let begun = Instant::now();
    for (place, item) in places.into_iter().zip(ITEMS) {
        edit(&at(place), item);
        assert!(open.iter_mut().all(|stream| hears(stream, item)), "a stream broke off");
    }
    eprintln!("two edits were heard on two streams within {:.1?}", begun.elapsed());

    // One worker is killed under load.
    let [first, second] = workers;
    let begun = Instant::now();
    let first = under_load(
        || at(proxy),
        || {
            wait_for_rounds(tally, 10 * CLIENTS);
            // Dropping it kills the process at once.
            drop(first);
            wait_for_rounds(tally, 10 * CLIENTS);
            // Back on its port, it gets requests again.
            worker(&project, &settings, Some(places[0]))
        },
    );
    told("one of two workers killed", tally, begun.elapsed());
    edit(&at(places[1]), ITEMS[2]);
    let broken: Vec<bool> = open.iter_mut().map(|stream| !hears(stream, ITEMS[2])).collect();
    assert!(broken.contains(&true) && broken.contains(&false), "one stream at each worker: {broken:?}");
    let mut again = streams.open();
    edit(&at(places[0]), ITEMS[3]);
    assert!(hears(&mut again, ITEMS[3]), "a stream that was opened again hears nothing");

    // An upgrade: one worker after the other is told to end, and starts again.
    let tally: &'static Tally = leak(Tally::default());
    let begun = Instant::now();
    let at = |to| Client { to, token, tally };
    let workers = under_load(
        || at(proxy),
        || {
            let renew = |old: HttpServer, place| {
                wait_for_rounds(tally, 5 * CLIENTS);
                let ended = old.terminate();
                assert!(ended.status.success(), "{ended:?}");
                worker(&project, &settings, Some(place))
            };
            [renew(first, places[0]), renew(second, places[1])]
        },
    );
    told("both workers restarted in turn", tally, begun.elapsed());
    drop(workers);
}
