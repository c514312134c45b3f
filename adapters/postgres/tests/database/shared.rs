//! Two processes that change the same records.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::sync::Arc;

use pm_mcp_ports::driven::TaskStore;
use pm_mcp_postgres::{PgDatabase, PgTaskStore};

use crate::cluster::Cluster;
use crate::count;
use crate::laws::{fresh_schema, settings};
use crate::work::{CLIENTS, Role, counted, counter, start};

/// How many records the clients share.
pub(crate) const COUNTERS: u64 = 16;

pub(crate) fn run(cluster: &Arc<Cluster>) {
    let transitions = count("PM_PG_TRANSITIONS", 10_000);
    let share = transitions / 2 / usize::from(CLIENTS) * usize::from(CLIENTS);
    let (url, schema, runtime) = (cluster.url(), fresh_schema(), crate::runtime());
    let store = runtime.block_on(async {
        let store = PgTaskStore::new(&PgDatabase::connect(settings(&url, &schema)).await.unwrap());
        for number in 0..COUNTERS {
            store.create(&counter(number)).await.unwrap();
        }
        store
    });
    let mut children = [0, 1].map(|_| start(Role::Counting, &url, &schema, share));
    let outputs = children.each_mut().map(|child| {
        let output = child.stdout.take().unwrap();
        std::thread::spawn(move || BufReader::new(output).lines().map(Result::unwrap).collect::<Vec<_>>())
    });
    let lines: Vec<String> = outputs.into_iter().flat_map(|output| output.join().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let (conflicts, revisions): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| *line == "conflict");
    let distinct: BTreeSet<&String> = revisions.iter().copied().collect();
    assert_eq!((distinct.len(), revisions.len()), (2 * share, 2 * share), "a revision was given out twice");
    let sum = runtime.block_on(async {
        let mut sum = 0;
        for number in 0..COUNTERS {
            sum += counted(&store.load(&counter(number).id).await.unwrap().unwrap().record);
        }
        sum
    });
    assert_eq!(sum, u64::try_from(2 * share).unwrap(), "an update was lost");
    eprintln!(
        "2 processes, {} clients, {sum} transitions, {} conflicts, no update lost",
        2 * CLIENTS,
        conflicts.len()
    );
}
