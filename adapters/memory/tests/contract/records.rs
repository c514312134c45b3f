//! Records to try.

use std::num::NonZeroUsize;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;

pub(crate) fn id(number: u8) -> TaskId {
    TaskId::from_random(&[number; 20])
}

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}

pub(crate) fn record(number: u8) -> TaskRecord {
    TaskRecord {
        id: id(number),
        principal: Principal::local("ann"),
        due: Some(at(1_000)),
        finished: false,
        body: vec![number],
    }
}

pub(crate) fn size(records: usize) -> NonZeroUsize {
    NonZeroUsize::new(records).unwrap()
}
