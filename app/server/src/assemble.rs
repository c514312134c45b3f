//! Putting the server together.

use std::sync::Arc;

use pm_mcp::{HmacCursorSigner, KeyTooShort, RingSealer, Server, ServerBuilder};
use pm_mcp_telemetry_otel::Telemetry;
use pm_tracker::writing::AuthorRules;
use pm_tracker::{Follower, INSTRUCTIONS, Tracker, Vocabulary, offer, tools};
use pm_tracker_command_process::ProcessRunner;
use pm_tracker_domain::check::KeyFacts;
use pm_tracker_ports::{CommandRunner, WorkspaceRepository, WorkspaceWriter};
use pm_tracker_watch_notify::{NotifySource, WatchedFolders};

use crate::access;
use crate::places::Places;
use crate::settings::{SettingFault, Settings};
use crate::skills;
use crate::start::StartError;
use crate::tasks;

/// Where guides are to be found, after the instructions of the tracker.
const GUIDES: &str =
    "Guides for this server are skills (skills/list). Read skill://pm-mcp/orient/SKILL.md at the start.";

/// The tracker of `places` as a server. Workspaces are followed in the background,
/// and what searching needs is built there.
///
/// # Errors
///
/// [`StartError::Tasks`] and [`StartError::Database`] when tasks cannot be kept, [`StartError::Tracker`] and [`StartError::Build`] when the parts do not fit, [`StartError::Setting`] for a key that
/// the signer refuses.
pub async fn assemble(
    settings: &Settings,
    places: &Places,
    telemetry: &Telemetry,
) -> Result<Server, StartError> {
    let builder =
        Server::builder("pm-mcp", env!("CARGO_PKG_VERSION")).title("pm work tracker").legacy_stdio();
    let builder = guard(builder, settings)?;
    let store = tasks::open(&settings.tasks, &settings.limits, places);
    let workspaces = places.workspaces().map(|(name, workspace)| {
        let repository: Arc<dyn WorkspaceRepository> = Arc::new(workspace.clone());
        (name.to_owned(), repository)
    });
    let runners = places.workspaces().filter(|_| settings.allow_test_run).map(|(name, workspace)| {
        let runner = ProcessRunner::new(workspace.root().repository.clone());
        (name.to_owned(), Arc::new(runner) as Arc<dyn CommandRunner>)
    });
    let keys = KeyFacts {
        continuation_is_process_local: settings.state_keys.is_none(),
        cursor_is_process_local: settings.cursor_key.is_none(),
        clients_outlive_process: false,
    };
    let writers = places.workspaces().map(|(name, workspace)| {
        let writer = match settings.lock_wait {
            Some(wait) => workspace.clone().with_lock_wait(wait),
            None => workspace.clone(),
        };
        (name.to_owned(), Arc::new(writer) as Arc<dyn WorkspaceWriter>)
    });
    let tracker = Tracker::new(workspaces)?
        .with_writers(writers)
        .with_runners(runners)
        .with_authors(AuthorRules { configured: settings.author.clone() })
        .with_confirmation(settings.confirmation)
        .with_keys(keys)
        .with_foreground_limit(settings.tasks.foreground_limit);
    let tracker = Arc::new(tracker);
    let vocabulary = Vocabulary::gather(&tracker).await;
    let mut builder = offer(builder, &tracker).await;
    let chosen = settings.profile.tools();
    for tool in tools::tools(&tracker, &vocabulary, &chosen) {
        builder = builder.tool(tool);
    }
    builder = skills::publish(builder, places).instructions(format!("{INSTRUCTIONS}\n\n{GUIDES}"));
    // Before the store is waited for.
    builder = builder.prepared()?;
    builder = tasks::keep(builder, &settings.tasks, &settings.limits, store).await?;
    if telemetry.is_on() {
        builder = builder.request_observer(telemetry.clone());
    }
    let server = builder.build()?;
    let follower = Follower::new(Arc::clone(&tracker), server.clone(), chosen, vocabulary);
    follow(places, &tracker, follower).await;
    Ok(server)
}

/// The builder with the keys of the settings, and with what it asks of callers.
fn guard(mut builder: ServerBuilder, settings: &Settings) -> Result<ServerBuilder, SettingFault> {
    if let Some(key) = &settings.cursor_key {
        let signer = HmacCursorSigner::new(key.as_bytes()).map_err(|short| {
            SettingFault::new("PM_MCP_DISCOVERY_CURSOR_KEY", short.to_string(), "give a longer one")
        })?;
        builder = builder.cursor_signer(signer);
    }
    builder = builder.baggage_keys(settings.baggage_keys.clone());
    if let Some(keys) = &settings.state_keys {
        let refused = |short: KeyTooShort| {
            SettingFault::new("MCP_REQUEST_STATE_KEY", short.to_string(), "give a longer one")
        };
        let mut sealer = RingSealer::new(keys.active()).map_err(refused)?;
        for key in keys.older() {
            sealer = sealer.with_older(key).map_err(refused)?;
        }
        builder = builder.state_sealer(sealer);
    }
    access::guard(builder, settings.http.access.as_ref())
}

/// Follows every workspace for as long as the runtime lives.
async fn follow(places: &Places, tracker: &Arc<Tracker>, follower: Follower) {
    let follower = Arc::new(follower);
    for (name, place) in places.workspaces() {
        let Ok(workspace) = tracker.workspace(Some(name)) else { continue };
        let root = place.root();
        let folders = WatchedFolders { tracker: root.tracker.clone(), repository: root.repository.clone() };
        let announced = follower.begin(workspace).await;
        let (follower, workspace) = (Arc::clone(&follower), Arc::clone(workspace));
        tokio::spawn(async move {
            let Ok(source) = tokio::task::spawn_blocking(move || NotifySource::watch(folders)).await else {
                return;
            };
            follower.follow(workspace, announced, Arc::new(source)).await;
        });
    }
}
