//! The task store, the replay guard and the change bus in PostgreSQL 12 or newer, for servers that share what they keep: one process or many,
//! on one machine or many.
//!
//! [`PgDatabase`] is a bounded pool of connections to one schema of one database, which it makes and upgrades itself.
//! [`PgTaskStore`] and [`PgReplayGuard`] use it. [`PgChangeBus`] has one connection more.
//!
//! ```no_run
//! use pm_mcp_postgres::{PgChangeBus, PgDatabase, PgReplayGuard, PgSettings, PgTaskStore};
//!
//! # async fn open() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = PgSettings::parse("postgres://server@localhost/tasks?host=/run/postgresql")?;
//! let database = PgDatabase::connect(settings).await?;
//! let (tasks, guard) = (PgTaskStore::new(&database), PgReplayGuard::new(&database));
//! let bus = PgChangeBus::connect(&database).await?;
//! # drop((tasks, guard, bus));
//! # Ok(())
//! # }
//! ```
//!
//! # What the database has to be
//!
//! - A server that answers `Ok` after its own disk has it: `fsync` and `full_page_writes` as they are by default.
//!   `synchronous_commit` is raised for the adapter's sessions where it is `off`.
//! - Sessions of its own: a pooler in between must pool by session, because statements are prepared.
//! - A role that may create the schema, or one that owns nothing but may read and write its tables once they are there.
//! - Reached by a Unix socket or the loopback interface. This crate speaks no TLS, so any other host is refused unless the
//!   connection string says `sslmode=disable`.
//!
//! # When the database is away
//!
//! Calls fail with a `BackendError` whose `retry` is `Later`, each within the time limits of [`PgLimits`]. Broken
//! connections leave the pool; the first call after the database is back makes a new one. A write whose answer was lost
//! is reported as `Applied::Unknown`. The bus reconnects by itself, and whoever may have missed a change is told.

mod change;
mod change_bus;
mod database;
mod failure;
mod feeds;
mod message;
mod migration;
mod outbox;
mod pool;
mod replay_guard;
mod row;
mod schema_name;
mod session;
mod settings;
mod settings_error;
mod task_statements;
mod task_store;

pub use change_bus::PgChangeBus;
pub use database::{OpenError, PgDatabase};
pub use replay_guard::PgReplayGuard;
pub use settings::{PgLimits, PgSettings};
pub use settings_error::SettingsError;
pub use task_store::PgTaskStore;
