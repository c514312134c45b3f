//! The examples of the project's pages, so that they compile and run.

#[doc = include_str!("../../../docs/extensions.md")]
struct Extensions;

#[doc = include_str!("../../../docs/interactions-and-tasks.md")]
struct InteractionsAndTasks;

#[doc = include_str!("../../../docs/limits.md")]
struct LimitsPage;

#[doc = include_str!("../../../docs/protocol-decisions.md")]
struct ProtocolDecisions;

#[doc = include_str!("../../../docs/provenance.md")]
struct ProvenancePage;

#[doc = include_str!("../../../docs/remote.md")]
struct Remote;
