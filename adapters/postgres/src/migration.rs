//! The tables, and how those of an older version become those of this one.

use deadpool_postgres::{Client, Transaction};

use crate::database::OpenError;
use crate::failure::Failure;
use crate::schema_name::SchemaName;

/// What leads from each version to the next, beginning with nothing. Steps are only ever added, and leave what an older
/// version reads and writes in its place.
///
/// - Revisions of all tasks come from one sequence, so that none is given out twice for an id, whatever was removed.
/// - A principal is any text, and `text` in PostgreSQL holds no NUL: names are stored as their bytes.
/// - Ids are compared by byte, as the port orders them, whatever the database's own collation is.
/// - A page of `tasks` has room for the next version of its rows, so that most updates touch no index.
const STEPS: [&str; 2] = [
    "
    CREATE SEQUENCE SCHEMA.task_revisions AS bigint;
    CREATE TABLE SCHEMA.tasks (
        id text COLLATE \"C\" PRIMARY KEY,
        revision bigint NOT NULL,
        principal bytea NOT NULL,
        due bigint,
        finished boolean NOT NULL,
        body bytea NOT NULL
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX tasks_due ON SCHEMA.tasks (due, id) WHERE due IS NOT NULL;
    CREATE INDEX tasks_unfinished ON SCHEMA.tasks (id) WHERE NOT finished;
    COMMENT ON COLUMN SCHEMA.tasks.due IS 'milliseconds since 1970-01-01T00:00:00Z';
    CREATE TABLE SCHEMA.used_nonces (
        nonce bytea PRIMARY KEY,
        keep_until bigint NOT NULL
    );
    CREATE INDEX used_nonces_keep_until ON SCHEMA.used_nonces (keep_until);
    COMMENT ON COLUMN SCHEMA.used_nonces.keep_until IS 'milliseconds since 1970-01-01T00:00:00Z';
",
    "CREATE INDEX tasks_principal ON SCHEMA.tasks (principal)",
];

/// Long enough to build an index over what a server keeps.
const LONGEST_STEP: &str = "SET LOCAL statement_timeout = '10min'";

/// Makes the tables or upgrades them.
pub(crate) async fn bring_up_to_date(client: &mut Client, schema: &SchemaName) -> Result<(), OpenError> {
    let failed =
        |fault| OpenError::Backend(Failure::Statement(fault).of_write("preparing the database schema"));
    // Without a lock first: a role that may not create anything, and every start but the first, needs no more.
    let transaction = client.transaction().await.map_err(failed)?;
    let found = version(&transaction, schema).await.map_err(failed)?;
    transaction.rollback().await.map_err(failed)?;
    if is_known(found, schema)? {
        return Ok(());
    }
    let transaction = client.transaction().await.map_err(failed)?;
    transaction.batch_execute(LONGEST_STEP).await.map_err(failed)?;
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended('pm-mcp schema ' || $1, 0))";
    transaction.execute(lock, &[&schema.as_str()]).await.map_err(failed)?;
    let found = version(&transaction, schema).await.map_err(failed)?;
    if is_known(found, schema)? {
        return Ok(());
    }
    upgrade(&transaction, schema, found).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// The version of the tables; 0 when there are none.
async fn version(transaction: &Transaction<'_>, schema: &SchemaName) -> Result<i32, tokio_postgres::Error> {
    let name = schema.as_str();
    // Asked of the catalogue's own tables. `to_regclass` would answer from what the session remembers, so that whoever has
    // waited for the lock would not see what was made meanwhile.
    let table = "SELECT EXISTS (
        SELECT FROM pg_catalog.pg_class AS class JOIN pg_catalog.pg_namespace AS space ON space.oid = class.relnamespace
        WHERE space.nspname = $1 AND class.relname = 'schema_version')";
    if !transaction.query_one(table, &[&name]).await?.try_get::<_, bool>(0)? {
        return Ok(0);
    }
    let row = transaction.query_opt(&format!("SELECT version FROM {name}.schema_version"), &[]).await?;
    row.map_or(Ok(0), |row| row.try_get(0))
}

/// Whether nothing is left to be done for tables of this version.
fn is_known(found: i32, schema: &SchemaName) -> Result<bool, OpenError> {
    let known = newest();
    if found > known {
        return Err(OpenError::Newer { schema: schema.as_str().to_owned(), found, known });
    }
    Ok(found == known)
}

fn newest() -> i32 {
    i32::try_from(STEPS.len()).unwrap_or(i32::MAX)
}

async fn upgrade(
    transaction: &Transaction<'_>,
    schema: &SchemaName,
    from: i32,
) -> Result<(), tokio_postgres::Error> {
    let name = schema.as_str();
    let space = "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1)";
    let there = transaction.query_one(space, &[&name]).await?;
    // Not `IF NOT EXISTS`, which needs the right to create schemas also where an operator has made this one.
    if !there.try_get::<_, bool>(0)? {
        transaction.batch_execute(&format!("CREATE SCHEMA {name}")).await?;
    }
    transaction
        .batch_execute(&format!(
            "CREATE TABLE IF NOT EXISTS {name}.schema_version (
                 single boolean PRIMARY KEY DEFAULT true CHECK (single),
                 version integer NOT NULL
             )"
        ))
        .await?;
    for step in STEPS.iter().skip(usize::try_from(from).unwrap_or_default()) {
        transaction.batch_execute(&step.replace("SCHEMA", name)).await?;
    }
    let note = format!(
        "INSERT INTO {name}.schema_version (version) VALUES ($1)
         ON CONFLICT (single) DO UPDATE SET version = excluded.version"
    );
    transaction.execute(&note, &[&newest()]).await.map(drop)
}
