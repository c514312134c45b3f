use std::sync::Arc;

use pm_tracker_ports::{FileForm, Unwatched, WorkspaceRepository};
use pm_tracker_workspace_pm::{PmWorkspace, WorkspaceRoot};

use super::create;

fn sample() -> (tempfile::TempDir, PmWorkspace) {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path()).unwrap();
    let workspace = PmWorkspace::new(WorkspaceRoot::at(folder.path()).unwrap());
    (folder, workspace)
}

#[tokio::test]
async fn the_sample_is_read_without_complaint() {
    let (_folder, workspace) = sample();
    let snapshot = workspace.snapshot().await.unwrap();
    assert!(snapshot.settings_problem.is_none(), "{:?}", snapshot.settings_problem);
    assert!(snapshot.schema_problems.is_empty(), "{:?}", snapshot.schema_problems);
    assert!(snapshot.unreadable.is_empty() && snapshot.duplicates.is_empty(), "{:?}", snapshot.unreadable);
    assert_eq!((snapshot.items.len(), snapshot.streams.len()), (12, 13));
    assert!(snapshot.items.values().all(|file| file.form == FileForm::Toon));
    assert_eq!(snapshot.items["demo-night1"].folder, "experiments");
    let types: std::collections::BTreeSet<_> = snapshot.iter().map(|item| item.type_name()).collect();
    assert!(types.len() >= 7, "{types:?}");
}

#[tokio::test]
async fn every_history_of_the_sample_verifies_and_every_file_is_in_normal_form() {
    let (_folder, workspace) = sample();
    let checks = workspace.check_histories(Arc::new(Unwatched)).await.unwrap();
    assert_eq!(checks.len(), 13);
    for check in &checks {
        assert!(check.is_sound(), "{check:?}");
    }
    let forms = workspace.check_forms(Arc::new(Unwatched)).await.unwrap();
    assert!(forms.is_empty(), "{forms:?}");
    let history = workspace.history("demo-lost01").await.unwrap();
    assert_eq!((history.entries.len(), history.entries[1].op()), (2, "delete"));
}

#[tokio::test]
async fn the_sample_has_guidance_for_agents() {
    let (_folder, workspace) = sample();
    assert!(workspace.agent_guide().await.unwrap().unwrap().contains("made-up"));
    let skills = workspace.skills().await.unwrap();
    assert_eq!((skills.offered.len(), skills.refused.len()), (1, 0));
    assert_eq!(skills.offered[0].name, "close-with-evidence");
    assert!(!skills.offered[0].description.is_empty());
}
