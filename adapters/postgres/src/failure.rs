//! Why a call to the database failed, and what that means for whoever called.

use std::time::Duration;

use deadpool_postgres::{HookError, PoolError, TimeoutType};
use pm_mcp_ports::driven::{Applied, BackendError, Retry};
use thiserror::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::settings::PgLimits;

/// A call that failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// Every connection is in use.
    #[error(
        "no connection to the database was free within {0:?} (limit `wait`); allow more (limit `connections`) or look for slow statements"
    )]
    Busy(Duration),
    /// The database does not answer.
    #[error("no connection to the database was made within {0:?} (limit `connect`)")]
    Unreachable(Duration),
    /// There is no connection.
    #[error("the database cannot be reached")]
    Connect(#[source] tokio_postgres::Error),
    /// The pool does not work.
    #[error("the pool of connections does not work: {0}")]
    Pool(String),
    /// The statement was not even tried.
    #[error("the database does not take the statement")]
    Prepare(#[source] tokio_postgres::Error),
    /// The statement failed.
    #[error("the statement failed in the database")]
    Statement(#[source] tokio_postgres::Error),
    /// No answer came.
    #[error("the database did not answer within {0:?} (limit `statement`)")]
    Silent(Duration),
    /// The session ended.
    #[error("the database has ended the session")]
    Ended,
    /// What is stored cannot be what a store has written.
    #[error("{0}")]
    Damaged(String),
}

impl Failure {
    pub(crate) fn of_pool(fault: PoolError, limits: &PgLimits) -> Self {
        match fault {
            PoolError::Timeout(TimeoutType::Wait) => Self::Busy(limits.wait),
            PoolError::Timeout(TimeoutType::Create | TimeoutType::Recycle) => {
                Self::Unreachable(limits.connect)
            }
            PoolError::Backend(fault) | PoolError::PostCreateHook(HookError::Backend(fault)) => {
                Self::Connect(fault)
            }
            fault @ (PoolError::Closed
            | PoolError::NoRuntimeSpecified
            | PoolError::PostCreateHook(HookError::Message(_))) => Self::Pool(fault.to_string()),
        }
    }

    /// Whether the database has no room for what should be written, and has therefore written nothing.
    pub(crate) fn is_full(&self) -> bool {
        match self {
            Self::Statement(fault) => {
                ended_by_itself(fault).is_some_and(|error| *error.code() == SqlState::DISK_FULL)
            }
            Self::Busy(_)
            | Self::Unreachable(_)
            | Self::Connect(_)
            | Self::Pool(_)
            | Self::Prepare(_)
            | Self::Silent(_)
            | Self::Ended
            | Self::Damaged(_) => false,
        }
    }

    /// Whether the connection must not be used again.
    pub(crate) fn breaks_connection(&self) -> bool {
        match self {
            Self::Prepare(fault) | Self::Statement(fault) => match ended_by_itself(fault) {
                None => true,
                // What was prepared is gone or fits the tables no longer: a new session prepares it again.
                Some(error) => matches!(
                    *error.code(),
                    SqlState::INVALID_SQL_STATEMENT_NAME | SqlState::FEATURE_NOT_SUPPORTED
                ),
            },
            Self::Silent(_) | Self::Ended => true,
            Self::Busy(_) | Self::Unreachable(_) | Self::Connect(_) | Self::Pool(_) | Self::Damaged(_) => {
                false
            }
        }
    }

    /// Whether a write that failed so may have had its effect.
    fn applied(&self) -> Applied {
        match self {
            // An error that leaves the session alive has ended the statement's transaction, and with it its effect. When
            // the session ends with it, or nothing is heard, the commit may have come before.
            Self::Statement(fault) if ended_by_itself(fault).is_none() => Applied::Unknown,
            Self::Silent(_) | Self::Ended => Applied::Unknown,
            Self::Statement(_)
            | Self::Busy(_)
            | Self::Unreachable(_)
            | Self::Connect(_)
            | Self::Pool(_)
            | Self::Prepare(_)
            | Self::Damaged(_) => Applied::No,
        }
    }

    fn retry(&self) -> Retry {
        match self {
            Self::Busy(_) | Self::Unreachable(_) | Self::Silent(_) | Self::Ended => Retry::Later,
            Self::Connect(fault) | Self::Prepare(fault) | Self::Statement(fault) => {
                fault.as_db_error().map_or(Retry::Later, |error| retry(error.code()))
            }
            Self::Pool(_) | Self::Damaged(_) => Retry::Never,
        }
    }

    /// The error of a call that only reads.
    pub(crate) fn of_read(self, operation: &'static str) -> BackendError {
        BackendError { operation, applied: Applied::No, retry: self.retry(), source: Box::new(self) }
    }

    /// The error of a call that writes.
    pub(crate) fn of_write(self, operation: &'static str) -> BackendError {
        let (applied, retry) = (self.applied(), self.retry());
        BackendError { operation, applied, retry, source: Box::new(self) }
    }
}

/// The database's own error, if the session goes on after it.
fn ended_by_itself(fault: &tokio_postgres::Error) -> Option<&DbError> {
    fault.as_db_error().filter(|error| error.parsed_severity() == Some(Severity::Error))
}

/// Whether what failed with this code may work later. The two characters in front are the code's class.
fn retry(code: &SqlState) -> Retry {
    let class = code.code().get(..2).unwrap_or_default();
    match class {
        // Connections, transactions that got into each other's way, room and limits, and operators.
        "08" | "40" | "53" | "57" => Retry::Later,
        // Locks; and a database that takes no writes until another one takes over.
        "55" => Retry::Later,
        "25" if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Retry::Later,
        // A new session prepares again.
        "26" => Retry::Later,
        _ => Retry::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_pass_and_mistakes_do_not() {
        for later in [
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::ADMIN_SHUTDOWN,
            SqlState::QUERY_CANCELED,
            SqlState::TOO_MANY_CONNECTIONS,
            SqlState::DISK_FULL,
            SqlState::LOCK_NOT_AVAILABLE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::READ_ONLY_SQL_TRANSACTION,
        ] {
            assert_eq!(retry(&later), Retry::Later, "{later:?}");
        }
        for never in [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::UNDEFINED_TABLE,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ] {
            assert_eq!(retry(&never), Retry::Never, "{never:?}");
        }
    }

    #[test]
    fn only_silence_leaves_a_write_in_doubt() {
        let second = Duration::from_secs(1);
        assert_eq!(Failure::Silent(second).of_write("writing").applied, Applied::Unknown);
        assert_eq!(Failure::Silent(second).of_read("reading").applied, Applied::No);
        assert_eq!(Failure::Busy(second).of_write("writing").applied, Applied::No);
        assert_eq!(Failure::Unreachable(second).of_write("writing").retry, Retry::Later);
    }
}
