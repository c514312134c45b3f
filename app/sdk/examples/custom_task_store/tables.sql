-- The counter of all writes lies beside the records, so that no revision comes twice. FULL syncs each commit.
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA busy_timeout = 5000;
CREATE TABLE IF NOT EXISTS tasks (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, principal TEXT NOT NULL,
    due INTEGER, finished INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS tasks_due ON tasks (due, id);
CREATE INDEX IF NOT EXISTS tasks_unfinished ON tasks (id) WHERE NOT finished;
CREATE INDEX IF NOT EXISTS tasks_principal ON tasks (principal);
CREATE TABLE IF NOT EXISTS writes (number INTEGER NOT NULL) STRICT;
INSERT INTO writes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM writes);
