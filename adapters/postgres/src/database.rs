//! A database that is open.

use std::fmt;
use std::sync::Arc;

use pm_mcp_ports::driven::BackendError;
use thiserror::Error;

use crate::migration;
use crate::pool::Connections;
use crate::schema_name::SchemaName;
use crate::settings::PgSettings;

/// A schema of a database with everything in it that the stores need. Cloning it shares the connections.
#[derive(Clone)]
pub struct PgDatabase {
    pub(crate) connections: Arc<Connections>,
    pub(crate) schema: SchemaName,
}

impl PgDatabase {
    /// Connects, and makes the tables or upgrades those of an older version. Of several processes that do so at the same
    /// time one does the work and the others wait for it.
    ///
    /// A process of the older version that is running goes on working while its tables are upgraded.
    ///
    /// # Errors
    ///
    /// [`OpenError::Newer`] when a newer version has made the tables, [`OpenError::Backend`] when the database cannot be
    /// reached, takes too long or refuses. Tables are never left half made.
    pub async fn connect(settings: PgSettings) -> Result<Self, OpenError> {
        let unusable =
            |failure: crate::failure::Failure| OpenError::Backend(failure.of_read("opening the database"));
        let connections = Connections::new(&settings).map_err(unusable)?;
        let mut client = connections.connection().await.map_err(unusable)?;
        migration::bring_up_to_date(&mut client, &settings.schema).await?;
        drop(client);
        Ok(Self { connections: Arc::new(connections), schema: settings.schema })
    }
}

impl fmt::Debug for PgDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PgDatabase")
            .field("schema", &self.schema.as_str())
            .field("connections", &self.connections)
            .finish()
    }
}

/// A database cannot be used.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Its tables were made by a newer version.
    #[error(
        "the tables in the database schema {schema} have version {found}, and this version of the server knows {known}; use the version that made them, or another schema"
    )]
    Newer {
        /// The schema.
        schema: String,
        /// The version of the tables.
        found: i32,
        /// The newest version that is known here.
        known: i32,
    },
    /// It cannot be reached, takes too long or refuses.
    #[error(transparent)]
    Backend(#[from] BackendError),
}
