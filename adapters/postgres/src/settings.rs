//! Where the database is, and how long it is waited for.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::schema_name::SchemaName;
use crate::settings_error::SettingsError;

/// How to reach the database. `Debug` shows hosts, database and schema, and never the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PgSettings {
    pub(crate) config: Config,
    pub(crate) schema: SchemaName,
    pub(crate) limits: PgLimits,
}

/// How many connections there are, and how long anything is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PgLimits {
    /// How many connections there are at the most. Each process has as many of its own.
    pub connections: usize,
    /// How long a call waits for a connection that others use.
    pub wait: Duration,
    /// How long making a connection may take.
    pub connect: Duration,
    /// How long the database may work on one statement before it gives it up, to the millisecond. An answer that has not
    /// come a second later is not waited for any more, and the connection is given up.
    pub statement: Duration,
}

impl Default for PgLimits {
    /// 8 connections; 5 s to wait for one, 5 s to make one, 10 s for a statement.
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connections: 8, wait: seconds(5), connect: seconds(5), statement: seconds(10) }
    }
}

impl PgSettings {
    /// Reads a connection string, as a URL or as `key=value` pairs. The schema is `pm_mcp` and the limits are the default
    /// ones unless said otherwise.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when it cannot be read, names no host, asks for TLS, or names a host behind a network without
    /// `sslmode=disable`.
    pub fn parse(url: &str) -> Result<Self, SettingsError> {
        let mut config = Config::from_str(url).map_err(|_| SettingsError::Unreadable)?;
        if !config.get_hosts().iter().all(is_host) {
            return Err(SettingsError::Unreadable);
        }
        match config.get_ssl_mode() {
            SslMode::Disable => {}
            SslMode::Prefer => local_only(&config)?,
            // What else there is asks for TLS.
            _ => return Err(SettingsError::TlsAsked),
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(SettingsError::NoHost);
        }
        if config.get_application_name().is_none() {
            config.application_name("pm-mcp");
        }
        Ok(Self { config, schema: SchemaName::default(), limits: PgLimits::default() })
    }

    /// With the tables in this schema instead of `pm_mcp`. Servers that share tasks have the same.
    ///
    /// # Errors
    ///
    /// [`SettingsError::SchemaName`] unless it is 1 to 63 of `a-z`, `0-9` and `_`, without a digit or `pg_` in front.
    pub fn with_schema(mut self, name: &str) -> Result<Self, SettingsError> {
        self.schema = SchemaName::parse(name)?;
        Ok(self)
    }

    /// With these limits.
    ///
    /// # Errors
    ///
    /// [`SettingsError::ZeroLimit`] when one is zero.
    pub fn with_limits(mut self, limits: PgLimits) -> Result<Self, SettingsError> {
        let PgLimits { connections, wait, connect, statement } = limits;
        let zero = [
            ("connections", connections == 0),
            ("wait", wait.is_zero()),
            ("connect", connect.is_zero()),
            ("statement", statement.is_zero()),
        ];
        if let Some((limit, _)) = zero.into_iter().find(|(_, zero)| *zero) {
            return Err(SettingsError::ZeroLimit { limit });
        }
        self.limits = limits;
        Ok(self)
    }
}

/// Refuses every host that a network lies in front of. An address goes before the name beside it.
fn local_only(config: &Config) -> Result<(), SettingsError> {
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    for place in 0..hosts.len().max(addresses.len()) {
        let remote = match (addresses.get(place), hosts.get(place)) {
            (Some(address), _) => Some(address.to_string()).filter(|_| !address.is_loopback()),
            (None, Some(Host::Tcp(name))) => Some(name.clone()).filter(|name| !is_loopback(name)),
            #[cfg(unix)]
            (None, Some(Host::Unix(_))) => None,
            (None, None) => None,
        };
        if let Some(host) = remote {
            return Err(SettingsError::Unencrypted { host });
        }
    }
    Ok(())
}

/// Whether it can be the name of a host. What stands in its place because something in front of it is not percent-encoded
/// may be a part of the password, and is not to be shown.
fn is_host(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name.chars().all(|next| next.is_ascii_alphanumeric() || "-._:%".contains(next)),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn is_loopback(name: &str) -> bool {
    name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

impl fmt::Debug for PgSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgSettings")
            .field("hosts", &self.config.get_hosts())
            .field("database", &self.config.get_dbname())
            .field("schema", &self.schema.as_str())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_databases_need_no_more() {
        for url in [
            "postgres://ann:secret@localhost/tasks",
            "postgresql://127.0.0.1:5433/tasks",
            "postgres://[::1]/tasks",
            "postgres:///tasks?host=/run/postgresql",
            "host=/run/postgresql dbname=tasks",
            "host=database hostaddr=127.0.0.1",
        ] {
            PgSettings::parse(url).unwrap();
        }
    }

    #[test]
    fn a_network_is_crossed_without_tls_only_when_that_is_said() {
        for (url, host) in [
            ("postgres://database.example/tasks", "database.example"),
            ("postgres://localhost,10.0.0.7/tasks", "10.0.0.7"),
            ("host=localhost hostaddr=10.0.0.7", "10.0.0.7"),
        ] {
            let refused = SettingsError::Unencrypted { host: host.to_owned() };
            assert_eq!(PgSettings::parse(url).unwrap_err(), refused);
        }
        PgSettings::parse("postgres://database.example/tasks?sslmode=disable").unwrap();
        let outcome = PgSettings::parse("postgres://localhost/tasks?sslmode=require");
        assert_eq!(outcome.unwrap_err(), SettingsError::TlsAsked);
    }

    #[test]
    fn what_cannot_be_read_is_not_repeated() {
        for url in [
            "postgres://ann:secret@localhost/tasks?secret=1",
            "secret",
            "postgres://localhost:secret/",
            "postgres://ann:s@secret@db/",
        ] {
            let fault = PgSettings::parse(url).unwrap_err();
            assert_eq!(fault, SettingsError::Unreadable, "{url}");
            assert!(!fault.to_string().contains("secret"));
        }
        assert_eq!(PgSettings::parse("dbname=tasks").unwrap_err(), SettingsError::NoHost);
    }

    #[test]
    fn the_password_is_not_shown() {
        let settings = PgSettings::parse("postgres://ann:hidden@localhost/tasks").unwrap();
        let shown = format!("{settings:?}");
        assert!(shown.contains("localhost") && !shown.contains("hidden"), "{shown}");
    }

    #[test]
    fn no_limit_is_zero() {
        let settings = PgSettings::parse("host=localhost").unwrap();
        let limits = PgLimits { wait: Duration::ZERO, ..PgLimits::default() };
        let outcome = settings.with_limits(limits);
        assert_eq!(outcome.unwrap_err(), SettingsError::ZeroLimit { limit: "wait" });
    }
}
