//! A bus whose connection is lost, whose database restarts, and that is asked for more than it carries.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::subscription::{Change, TaskState};
use pm_mcp_ports::driven::{ChangeBus, ChangeFeed, Heard, PublishError, Retry};
use pm_mcp_postgres::{PgChangeBus, PgDatabase};

use crate::cluster::{self, Cluster, Order};
use crate::failing::beside;
use crate::laws::{fresh_schema, settings};

fn updated(number: usize) -> Change {
    Change::ResourceUpdated { uri: format!("bus:{number}").into() }
}

/// A state of a task that makes a change of about so many bytes.
fn long(bytes: usize) -> Change {
    let state = format!(r#"{{"result":"{}"}}"#, "ü".repeat(bytes / 2));
    Change::TaskChanged {
        task: Arc::from("t-1"),
        principal: Principal::loopback(),
        state: TaskState::try_from(state.as_str()).unwrap(),
    }
}

/// A member whose sessions are named after its schema.
async fn member(cluster: &Cluster, schema: &str) -> PgChangeBus {
    let url = format!("{} application_name={schema}", cluster.url());
    PgChangeBus::connect(&PgDatabase::connect(settings(&url, schema)).await.unwrap()).await.unwrap()
}

/// What comes next; `None` for a gap.
async fn next(feed: &mut dyn ChangeFeed) -> Option<Change> {
    let heard = tokio::time::timeout(Duration::from_secs(20), feed.next()).await;
    match heard.expect("something is heard within 20 s").unwrap() {
        Heard::Change(change) => Some(change),
        Heard::Lagged => None,
    }
}

/// The number of the next change; gaps before it are counted.
async fn number(feed: &mut dyn ChangeFeed, gaps: &mut usize) -> usize {
    loop {
        match next(feed).await {
            Some(Change::ResourceUpdated { uri }) => {
                return uri.strip_prefix("bus:").unwrap().parse().unwrap();
            }
            Some(other) => panic!("{other:?}"),
            None => *gaps += 1,
        }
    }
}

/// Ends so many of the sessions that listen to this schema's channel; gives how many.
async fn cut(cluster: &Cluster, schema: &str, most: i64) -> i64 {
    let listening = "SELECT count(pg_terminate_backend(pid)) FROM (
            SELECT pid FROM pg_stat_activity
            WHERE application_name = $1 AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%') LIMIT $2
        ) AS listening";
    beside(cluster).await.query_one(listening, &[&schema, &most]).await.unwrap().get(0)
}

/// A connection that is ended is made anew, and each feed of both sides is told of the gap, also where only one side lost
/// its connection.
pub(crate) fn cut_off(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        for cut_off in [2, 1] {
            let schema = fresh_schema();
            let (here, there) = (member(cluster, &schema).await, member(cluster, &schema).await);
            let (mut at_here, mut at_there) = (here.attach().await.unwrap(), there.attach().await.unwrap());
            for round in 0..3 {
                assert_eq!(cut(cluster, &schema, cut_off).await, cut_off, "round {round}");
                for feed in [&mut at_here, &mut at_there] {
                    assert!(
                        next(&mut **feed).await.is_none(),
                        "a change was heard over a connection that had ended"
                    );
                }
                for (publishing, feed) in [(&here, &mut at_there), (&there, &mut at_here)] {
                    let mut gaps = 0;
                    publishing.publish(&updated(round)).unwrap();
                    assert_eq!(number(&mut **feed, &mut gaps).await, round);
                    assert!(gaps <= 1, "{gaps} gaps more");
                }
            }
        }
    });
}

/// Changes that one side publishes while the database restarts: each is heard, or lies in a gap that is told.
pub(crate) fn restart(_: &Arc<Cluster>) {
    let cluster = Cluster::start(&cluster::programs().unwrap());
    let schema = fresh_schema();
    crate::runtime().block_on(async {
        let (here, there) = (member(&cluster, &schema).await, member(&cluster, &schema).await);
        let mut feed = there.attach().await.unwrap();
        let (rounds, mut published, mut gaps) = (3, 0, 0);
        for _ in 0..rounds {
            here.publish(&updated(published)).unwrap();
            assert_eq!(number(&mut *feed, &mut gaps).await, published);
            let gaps_before = gaps;
            tokio::task::block_in_place(|| cluster.order(Order::Stop));
            // Nothing is heard for now, which whoever attaches is told; publishing goes on.
            let refused = loop {
                match there.attach().await {
                    Ok(_) => tokio::task::yield_now().await,
                    Err(fault) => break fault,
                }
            };
            assert_eq!(refused.retry, Retry::Later, "{refused:?}");
            for _ in 0..5 {
                published += 1;
                here.publish(&updated(published)).unwrap();
            }
            tokio::task::block_in_place(|| cluster.order(Order::Start));
            assert!(next(&mut *feed).await.is_none(), "the gap is told first");
            gaps += 1;
            // Once one round trip worked, what is published is heard again, in its order.
            let mut settled = there.attach().await;
            while settled.is_err() {
                settled = there.attach().await;
            }
            published += 1;
            here.publish(&updated(published)).unwrap();
            let mut last = 0;
            while last != published {
                let heard = number(&mut *feed, &mut gaps).await;
                assert!(heard > last, "change {heard} after {last}");
                last = heard;
            }
            published += 1;
            assert!(gaps > gaps_before);
        }
        eprintln!("{rounds} restarts, {gaps} gaps told, nothing lost without a word");
    });
}

/// Long changes arrive whole; what is too long is refused, and the others are told to look again.
pub(crate) fn long_changes(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let (here, there) = (member(cluster, &schema).await, member(cluster, &schema).await);
        let mut feed = there.attach().await.unwrap();
        for bytes in [7_000, 8_000, 100_000, PgChangeBus::LONGEST - 200] {
            let change = long(bytes);
            here.publish(&change).unwrap();
            let heard = next(&mut *feed).await;
            assert!(format!("{heard:?}") == format!("{:?}", Some(change)), "{bytes} bytes arrive otherwise");
        }
        let refused = here.publish(&long(PgChangeBus::LONGEST)).unwrap_err();
        assert!(matches!(refused, PublishError::TooLarge { limit: PgChangeBus::LONGEST, .. }), "{refused:?}");
        assert!(next(&mut *feed).await.is_none(), "the others are not told that they have missed something");
        here.publish(&updated(1)).unwrap();
        assert_eq!(number(&mut *feed, &mut 0).await, 1);
    });
}

/// More is published at once than can wait: publishing goes on, the newest arrive, and the gap is told.
pub(crate) fn overflow(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let database = PgDatabase::connect(settings(&cluster.url(), &schema)).await.unwrap();
        let here = PgChangeBus::connect_with(&database, 100.try_into().unwrap()).await.unwrap();
        let there = member(cluster, &schema).await;
        let mut feed = there.attach().await.unwrap();
        let many = 20_000;
        for number in 0..many {
            here.publish(&updated(number)).unwrap();
        }
        let (mut expected, mut gaps) = (0, 0);
        while expected < many {
            let gaps_before = gaps;
            let heard = number(&mut *feed, &mut gaps).await;
            assert!(
                heard == expected || heard > expected && gaps > gaps_before,
                "{expected} lost without a word"
            );
            expected = heard + 1;
        }
        assert!(gaps > 0, "{many} changes went through a queue of 100");
    });
}

/// Servers with different schemas in one database hear nothing of each other, and whatever else is said on the channel
/// does no more than let listeners look again.
pub(crate) fn strangers(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let (schema, other) = (fresh_schema(), fresh_schema());
        let (here, there) = (member(cluster, &schema).await, member(cluster, &schema).await);
        let stranger = member(cluster, &other).await;
        let mut feed = there.attach().await.unwrap();
        stranger.publish(&updated(1)).unwrap();
        let client = beside(cluster).await;
        client.execute("SELECT pg_notify($1, 'hello')", &[&schema]).await.unwrap();
        assert!(next(&mut *feed).await.is_none());
        here.publish(&updated(2)).unwrap();
        assert_eq!(number(&mut *feed, &mut 0).await, 2);
    });
}
