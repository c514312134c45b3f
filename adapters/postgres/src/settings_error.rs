//! Why settings are refused.

use thiserror::Error;

/// Settings do not say how to reach a database. No message repeats the connection string, which may hold a password.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SettingsError {
    /// The connection string cannot be read.
    #[error(
        "the database URL is none that PostgreSQL knows; write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded, or pairs such as host=/run/postgresql dbname=tasks"
    )]
    Unreadable,
    /// The connection string names no host.
    #[error(
        "the database URL names no host; add one, or the folder of a Unix socket as host=/run/postgresql"
    )]
    NoHost,
    /// The connection string asks for TLS.
    #[error(
        "the database URL asks for TLS with `sslmode`, which this adapter does not speak; use a Unix socket, a tunnel that ends on the loopback interface, or sslmode=disable in a network that is trusted"
    )]
    TlsAsked,
    /// The host is reached over a network, and nothing says that it may be without TLS.
    #[error(
        "the database host {host} is neither a Unix socket nor a loopback address, and this adapter does not speak TLS; use one of these, or add sslmode=disable in a network that is trusted"
    )]
    Unencrypted {
        /// The host.
        host: String,
    },
    /// The name of the schema would need quoting, is too long or is kept by the database for itself.
    #[error(
        "the database schema has 1 to 63 of a-z, 0-9 and _, begins with no digit and not with pg_; choose such a name"
    )]
    SchemaName,
    /// A limit is zero.
    #[error("the database limit `{limit}` is zero; give it a value above")]
    ZeroLimit {
        /// The field of [`PgLimits`](crate::PgLimits).
        limit: &'static str,
    },
}
