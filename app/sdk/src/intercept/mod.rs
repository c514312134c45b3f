//! Interceptors that are ready to use, for [`ServerBuilder::interceptor`](crate::ServerBuilder::interceptor) and
//! [`ToolDraft::interceptor`](crate::ToolDraft::interceptor).

mod audit;
mod bounded;
mod concurrency;
mod time;

pub use audit::AuditRecord;
pub use concurrency::ConcurrencyLimit;
pub use time::TimeLimit;
