//! Dependency edges: against the table, and against the shape that no table may undo.

use crate::cargo::{Kind, Member};
use crate::fault::Fault;
use crate::table::{DEV, Row};

/// Members and edges that `table` does not have, and rows without a member.
#[must_use]
pub fn table_faults(members: &[Member], table: &[Row]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for member in members {
        let Some(row) = table.iter().find(|row| row.name == member.name) else {
            faults.push(Fault::new(&member.name, "is in no row of the table of who may depend on whom"));
            continue;
        };
        for dependency in &member.dependencies {
            let name = dependency.name.as_str();
            let own = row.normal.contains(&name) || row.base.contains(&name);
            let allowed = match dependency.kind {
                Kind::Normal => own,
                Kind::Dev => own || row.dev.contains(&name) || DEV.contains(&name),
                Kind::Build => false,
            };
            if !allowed {
                faults.push(Fault::new(
                    &member.name,
                    format!(
                        "may not depend on {name} ({:?}); if it should, say so in the table",
                        dependency.kind
                    ),
                ));
            }
        }
    }
    for row in table {
        if !members.iter().any(|member| member.name == row.name) {
            faults.push(Fault::new(row.name, "has a row in the table but is no member"));
        }
    }
    faults
}

/// Edges that break the layers, whatever the table says. Edges of tests count too, but for the black-box tests
/// and the facade, which have to name what they wire.
#[must_use]
pub fn layer_faults(members: &[Member]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for member in members {
        let own = members.iter().filter_map(|other| {
            member.dependencies.iter().any(|used| used.name == other.name).then_some(other.folder.as_str())
        });
        for used in own {
            if let Some(why) = refused(&member.folder, used) {
                faults.push(Fault::new(&member.folder, format!("depends on {used}: {why}")));
            }
        }
    }
    faults
}

/// Why the crate in folder `user` may not use the one in folder `used`.
fn refused(user: &str, used: &str) -> Option<&'static str> {
    let layer = |folder: &str| folder.split('/').next().unwrap_or_default().to_owned();
    let is_core = |folder: &str| matches!(folder, "domain/mcp" | "ports/mcp" | "app/engine" | "app/sdk");
    let is_tracker = |folder: &str| folder.ends_with("/tracker");
    match (layer(user).as_str(), layer(used).as_str()) {
        _ if is_core(user) && is_tracker(used) => Some("the protocol does not know the tracker"),
        _ if user == "app/tracker" && !is_tracker(used) && used != "app/sdk" => {
            Some("the tracker is written against the public facade alone")
        }
        ("domain", _) => Some("a domain crate knows no other crate of this workspace"),
        ("ports", "ports" | "adapters" | "app" | "tests") => Some("ports know their domain only"),
        ("adapters", "adapters") => Some("an adapter never leans on another"),
        ("adapters", "app") => Some("an adapter knows ports, not who calls them"),
        ("app", "adapters") if user == "app/engine" => Some("the engine knows ports only"),
        ("app", "app") if user == "app/engine" => Some("the engine knows ports only"),
        _ => None,
    }
}
