//! A PostgreSQL server of its own for a test or a measurement: in a temporary folder, on a Unix socket, gone afterwards.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// Keeps the server. It ends it and removes the folder when its standard input ends, so also after whoever started it
/// was killed. Arguments: the folder with the programs, the folder of the server.
const KEEPER: &str = r#"
trap '' INT TERM HUP
bin=$1 place=$2
cd "$place" || exit 1
tell() { if [ "$1" -eq 0 ]; then echo ok; else echo "failed, see $place/log"; fi; }
{
  "$bin/initdb" -D data -A trust -U tester -E UTF8 --no-locale --no-sync &&
  printf '%s\n' "listen_addresses = ''" "unix_socket_directories = '$place'" \
    "max_connections = 200" "log_min_messages = fatal" >>data/postgresql.conf &&
  "$bin/pg_ctl" -D data -l server.log -w start
} >log 2>&1
tell $?
while read -r word; do
  case $word in
    stop) "$bin/pg_ctl" -D data -m immediate -w stop ;;
    start) "$bin/pg_ctl" -D data -l server.log -w start ;;
    restart) "$bin/pg_ctl" -D data -l server.log -m fast -w restart ;;
  esac >>log 2>&1
  tell $?
done
"$bin/pg_ctl" -D data -m immediate -w stop >>log 2>&1
cd / && rm -rf "$place"
"#;

/// A running server. Dropping it ends the server and removes its folder.
pub(crate) struct Cluster {
    place: PathBuf,
    keeper: Child,
    talk: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
}

/// What can be done to a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    /// It ends as if the power were lost.
    Stop,
    /// It starts again.
    Start,
    /// It ends all sessions and starts again.
    Restart,
}

impl Cluster {
    /// Starts a server with the programs in `bin`.
    pub(crate) fn start(bin: &Path) -> Self {
        // A socket's path is short; `keep` leaves the removal to the keeper, which outlives this process.
        let place = tempfile::Builder::new().prefix("pm-pg-").tempdir().unwrap().keep();
        std::fs::set_permissions(&place, Permissions::from_mode(0o700)).unwrap();
        let mut command = as_ordinary_user(&place);
        let keeper = command.args(["sh", "-c", KEEPER, "keeper"]).arg(bin).arg(&place);
        let mut keeper = keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let talk = (keeper.stdin.take().unwrap(), BufReader::new(keeper.stdout.take().unwrap()));
        let cluster = Self { place, keeper, talk: Mutex::new(Some(talk)) };
        cluster.answer();
        cluster
    }

    /// Carries out an order, and returns when it is carried out.
    pub(crate) fn order(&self, order: Order) {
        let word = match order {
            Order::Stop => "stop",
            Order::Start => "start",
            Order::Restart => "restart",
        };
        let mut talk = self.talk.lock().unwrap();
        writeln!(talk.as_mut().unwrap().0, "{word}").unwrap();
        drop(talk);
        self.answer();
    }

    fn answer(&self) {
        let mut line = String::new();
        self.talk.lock().unwrap().as_mut().unwrap().1.read_line(&mut line).unwrap();
        let log = std::fs::read_to_string(self.place.join("log")).unwrap_or_default();
        assert_eq!(line.trim(), "ok", "{log}");
    }

    /// The connection string.
    pub(crate) fn url(&self) -> String {
        format!("host={} user=tester dbname=postgres", self.place.display())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        *self.talk.lock().unwrap() = None;
        self.keeper.wait().unwrap();
    }
}

/// A command as somebody other than root, as whom the server refuses to run; the folder becomes theirs.
fn as_ordinary_user(place: &Path) -> Command {
    let owner = std::fs::metadata(place).unwrap().uid();
    if owner != 0 {
        return Command::new("env");
    }
    const NOBODY: u32 = 65_534;
    chown(place, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]);
    command
}

/// Where the server's programs are: on the path, where `pg_config` says, or where distributions put them.
pub(crate) fn programs() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(told) = Command::new("pg_config").arg("--bindir").output() {
        places.push(PathBuf::from(String::from_utf8_lossy(&told.stdout).trim()));
    }
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        places.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    let complete = |place: &&PathBuf| {
        ["initdb", "postgres", "pg_ctl"].iter().all(|program| place.join(program).is_file())
    };
    places.iter().find(complete).cloned().ok_or_else(|| {
        "initdb, postgres and pg_ctl are not installed; the package postgresql has them".to_owned()
    })
}
