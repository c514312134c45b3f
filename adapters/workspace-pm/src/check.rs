//! Verification of all histories, in parallel, with what did not change remembered.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use pm_tracker_domain::{
    ChainFault, ChainVerifier, Dialect, Item, WorkspaceSchema, canonical_json, normal_form,
};
use pm_tracker_ports::{
    CheckProgress, FileForm, FormCheck, HistoryCheck, ItemFile, LineFault, ReadError, WorkspaceSnapshot,
};
use serde_json::Value;

use crate::{parallel, scan, stamp::Stamp, stream, toon};

/// The made-up item whose history is that of the settings-like files.
pub(crate) const WORKSPACE_STREAM: &str = "_workspace";

/// A finished check and all that it depended on.
#[derive(Debug)]
struct Remembered {
    stamp: Option<Stamp>,
    item_digest: Option<[u8; 32]>,
    schema: Arc<WorkspaceSchema>,
    check: HistoryCheck,
}

/// The checks finished so far.
#[derive(Debug, Default)]
pub(crate) struct CheckMemory {
    finished: HashMap<String, Remembered>,
}

impl CheckMemory {
    /// How many checks are remembered.
    pub(crate) fn len(&self) -> usize {
        self.finished.len()
    }

    /// Checks every stream of the workspace and every item without a stream.
    pub(crate) fn check_histories(
        &mut self,
        root: &Path,
        snapshot: &WorkspaceSnapshot,
        progress: &dyn CheckProgress,
    ) -> Result<Vec<HistoryCheck>, ReadError> {
        let streams = scan::streams(root)?;
        let ids: BTreeSet<&str> = streams.keys().chain(snapshot.items.keys()).map(String::as_str).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        let done = AtomicUsize::new(0);
        let finished = &self.finished;
        let checks = parallel::for_each(&ids, |&id| {
            if progress.is_cancelled() {
                return None;
            }
            let file = snapshot.items.get(id);
            let stamp = streams.get(id).map(|(_, stamp)| *stamp);
            let digest = file.map(|file| file.digest);
            let known = finished.get(id).filter(|known| {
                // The workspace's own stream is compared with files that have no stamp here.
                id != WORKSPACE_STREAM
                    && known.stamp == stamp
                    && known.item_digest == digest
                    && Arc::ptr_eq(&known.schema, &snapshot.schema)
            });
            let check = known.map_or_else(
                || check_one(root, id, file.map(|f| &*f.item), &snapshot.schema),
                |known| known.check.clone(),
            );
            progress.advanced(done.fetch_add(1, Ordering::Relaxed) + 1, ids.len());
            Some((check, stamp, digest))
        })?;
        let mut out = Vec::with_capacity(checks.len());
        let complete = checks.len() == ids.len();
        if complete {
            self.finished.clear();
        }
        for (check, stamp, item_digest) in checks {
            out.push(check.clone());
            let schema = Arc::clone(&snapshot.schema);
            self.finished.insert(check.id.clone(), Remembered { stamp, item_digest, schema, check });
        }
        Ok(out)
    }
}

fn check_one(root: &Path, id: &str, item: Option<&Item>, schema: &WorkspaceSchema) -> HistoryCheck {
    let mut check = HistoryCheck {
        id: id.to_owned(),
        exists: false,
        entries: 0,
        findings: Vec::new(),
        faults: Vec::new(),
        differing_documents: Vec::new(),
    };
    let mut verifier = ChainVerifier::new(schema.statuses());
    match stream::each_entry(root, id, |entry| verifier.push(&entry)) {
        Ok(Some(lines)) => check.faults = lines.faults,
        Ok(None) => return check,
        Err(error) => {
            check.faults.push(LineFault { line: 0, torn: false, detail: error.to_string() });
            return check;
        }
    }
    check.exists = true;
    check.entries = verifier.version();
    let documents = (id == WORKSPACE_STREAM).then(|| documents(root, &verifier));
    check.findings = verifier.finish(item);
    if let Some(documents) = documents {
        check.findings.retain(|finding| finding.fault != ChainFault::FileMissing);
        check.differing_documents = documents;
    }
    check
}

/// The settings-like files that are not what their history leads to.
fn documents(root: &Path, verifier: &ChainVerifier<'_>) -> Vec<String> {
    let recorded = verifier.state().metadata().and_then(|metadata| metadata.get("documents"));
    let Some(Value::Object(recorded)) = recorded else { return Vec::new() };
    let differs = |path: &str, value: &Value| {
        let inside = fs::canonicalize(root.join(path)).ok().filter(|real| real.starts_with(root));
        let text = inside.and_then(|real| fs::read_to_string(real).ok());
        let now = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        now.map_or(!value.is_null(), |now| canonical_json(&now) != canonical_json(value))
    };
    recorded.iter().filter(|(path, value)| differs(path, value)).map(|(path, _)| path.clone()).collect()
}

/// The item files whose bytes are not those of normal form.
pub(crate) fn check_forms(
    root: &Path,
    snapshot: &WorkspaceSnapshot,
    progress: &dyn CheckProgress,
) -> Result<Vec<FormCheck>, ReadError> {
    let files: Vec<&ItemFile> = snapshot.items.values().filter(|file| file.form == FileForm::Toon).collect();
    let done = AtomicUsize::new(0);
    let checks = parallel::for_each(&files, |file| {
        if progress.is_cancelled() {
            return None;
        }
        let line = first_difference(root, file, &snapshot.schema);
        progress.advanced(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
        Some(line.map(|line| FormCheck { id: file.item.id().to_owned(), path: file.path.clone(), line }))
    })?;
    Ok(checks.into_iter().flatten().collect())
}

/// The first line that differs from normal form, in whichever case of ids the file keeps. A file that changed since
/// the snapshot is left to the next check.
fn first_difference(root: &Path, file: &ItemFile, schema: &WorkspaceSchema) -> Option<usize> {
    let text = fs::read_to_string(root.join(&file.path)).ok()?;
    let mut first = None;
    for dialect in [Dialect::StoredTests, Dialect::KeptIdCase] {
        let form = Value::Object(normal_form(&file.item, schema.statuses(), dialect));
        let form = toon::encode(&form).ok()?;
        if form == text {
            return None;
        }
        let same = text.lines().zip(form.lines()).take_while(|(a, b)| a == b).count();
        first = first.max(Some(same + 1));
    }
    first
}
