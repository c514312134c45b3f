//! What the replay guard forgets.

use std::sync::Arc;

use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard};
use pm_mcp_postgres::{PgDatabase, PgReplayGuard};

use crate::cluster::Cluster;
use crate::failing::beside;
use crate::laws::{fresh_schema, settings};

/// How many there are whose time is past: more than are forgotten at a time.
const PAST: i64 = 1_200;

pub(crate) fn forgets(cluster: &Arc<Cluster>) {
    crate::runtime().block_on(async {
        let schema = fresh_schema();
        let database = PgDatabase::connect(settings(&cluster.url(), &schema)).await.unwrap();
        let guard = PgReplayGuard::new(&database);
        let client = beside(cluster).await;
        let past = format!(
            "INSERT INTO {schema}.used_nonces SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), 99
             FROM generate_series(1, {PAST}) AS n"
        );
        client.batch_execute(&past).await.unwrap();
        let counting = format!("SELECT count(*) FROM {schema}.used_nonces");
        let at = Timestamp::from_unix_ms;
        let (mut before, mut kept) = (PAST, 0);
        for number in 0..=u8::MAX {
            let nonce = Nonce::from_random([number; 16]);
            guard.consume(&nonce, at(200), at(100)).await.unwrap();
            kept += 1;
            let left: i64 = client.query_one(&counting, &[]).await.unwrap().get(0);
            assert!(before + 1 - left <= 512, "{} are forgotten at a time", before + 1 - left);
            before = left;
        }
        assert_eq!(before, kept, "what is past its time stays");
        let outcome = guard.consume(&Nonce::from_random([7; 16]), at(300), at(200)).await;
        assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "{outcome:?}");
    });
}
