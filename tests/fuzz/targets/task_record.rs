//! The body of a stored task: what is read is written again as the same task.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{Task, TaskId, TaskRecord};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(body) = serde_json::from_slice::<Value>(bytes) else { return };
    let Some(id) = body["id"].as_str().and_then(|id| TaskId::parse(id)) else { return };
    let Some(principal) = body["principal"].as_str() else { return };
    for finished in [true, false] {
        for due in [None, body["lease_until_ms"].as_i64(), expiry(&body)] {
            let due = due.map(pm_mcp_domain::time::Timestamp::from_unix_ms);
            let principal = Principal::from_stored(principal);
            let record = TaskRecord { id: id.clone(), principal, due, finished, body: bytes.to_vec() };
            if let Ok(task) = Task::from_record(&record) {
                assert_eq!(Task::from_record(&task.to_record()), Ok(task));
            }
        }
    }
});

fn expiry(body: &Value) -> Option<i64> {
    let lifetime = i64::try_from(body["lifetime_ms"].as_u64()?).ok()?;
    Some(body["created_ms"].as_i64()?.saturating_add(lifetime))
}
