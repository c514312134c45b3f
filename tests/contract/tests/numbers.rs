//! The numbers of the laws: what the documentation of a port states is what the kit tries.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;

use pm_mcp_contract::{
    Law, change_bus, clock, credential_store, cursor_signer, entropy, key_source, replay_guard, skill_source,
    state_sealer, task_store, worker_liveness,
};

/// The numbers in a port's documentation, such as `TS-05`.
fn stated(source: &str, port: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in source.lines().filter_map(|line| line.trim().strip_prefix("///")) {
        for (start, _) in line.match_indices(&format!("{port}-")) {
            found.extend(line.get(start..start + 5).map(str::to_owned));
        }
    }
    found
}

fn tried<S>(laws: &[Law<S>]) -> BTreeSet<String> {
    for law in laws {
        let number = law.id.to_lowercase().replace('-', "_");
        assert!(law.name.starts_with(&format!("{number}_")), "{} is not named after {}", law.name, law.id);
    }
    laws.iter().map(|law| law.id.to_owned()).collect()
}

#[test]
fn every_law_that_a_port_states_is_tried() {
    macro_rules! port {
        ($file:literal) => {
            include_str!(concat!("../../../ports/mcp/src/driven/", $file))
        };
    }
    assert_eq!(stated(port!("task_store.rs"), "TS"), tried(task_store::LAWS));
    assert_eq!(stated(port!("replay_guard.rs"), "RG"), tried(replay_guard::LAWS));
    assert_eq!(stated(port!("state_sealer.rs"), "SS"), tried(state_sealer::LAWS));
    assert_eq!(stated(port!("cursor_signer.rs"), "CS"), tried(cursor_signer::LAWS));
    assert_eq!(stated(port!("credential_store.rs"), "CR"), tried(credential_store::LAWS));
    assert_eq!(stated(port!("change_bus.rs"), "CB"), tried(change_bus::LAWS));
    assert_eq!(stated(port!("clock.rs"), "CL"), tried(clock::LAWS));
    assert_eq!(stated(port!("worker_liveness.rs"), "WL"), tried(worker_liveness::LAWS));
    assert_eq!(stated(port!("key_source.rs"), "KS"), tried(key_source::LAWS));
    let skills = include_str!("../../../ports/mcp/src/feature/skill.rs");
    assert_eq!(stated(skills, "SK"), tried(skill_source::LAWS));
    let mut randomness = stated(port!("entropy.rs"), "EN");
    assert!(randomness.remove("EN-02"), "EN-02 binds whoever calls");
    assert_eq!(randomness, tried(entropy::LAWS));
}
