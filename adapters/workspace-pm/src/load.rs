//! Snapshots: what is on disk now, reading again only what changed.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::Path,
    sync::Arc,
};

use pm_tracker_ports::{
    DuplicateId, FileForm, ItemFile, ReadError, StreamFacts, UnreadableFile, UnreadableReason,
    WorkspaceSnapshot,
};
use sha2::{Digest as _, Sha256};

use crate::{
    item_file::{MAX_ITEM_BYTES, read_item},
    parallel,
    scan::{self, FoundFile},
    stamp::Stamp,
    vocabulary::Vocabulary,
};

/// What one file held when it was read last.
#[derive(Debug, Clone)]
struct KnownFile {
    stamp: Stamp,
    /// Whether the file was read again, with the same result, at a later look than the one that saw its stamp first.
    /// A write within the same tick of the file system's clock as the first read leaves the stamp as it was.
    settled: bool,
    digest: [u8; 32],
    outcome: Result<ItemFile, UnreadableReason>,
}

/// The files known so far and the snapshot made of them.
#[derive(Debug, Default)]
pub(crate) struct Loader {
    known: HashMap<String, KnownFile>,
    vocabulary: Option<Vocabulary>,
    streams: BTreeMap<String, StreamFacts>,
    snapshot: Option<Arc<WorkspaceSnapshot>>,
}

impl Loader {
    /// Looks at the workspace and gives its snapshot, the same as before if nothing changed.
    pub(crate) fn look(&mut self, root: &Path) -> Result<Arc<WorkspaceSnapshot>, ReadError> {
        let fresh = Vocabulary::read(root, self.vocabulary.as_ref())?;
        let mut changed = fresh.is_some();
        if let Some(fresh) = fresh {
            self.vocabulary = Some(fresh);
        }
        let Some(vocabulary) = self.vocabulary.clone() else {
            return Err(ReadError::Unavailable { detail: "the settings were not read".to_owned() });
        };
        let found = scan::item_files(root, &vocabulary.schema.folders())?;
        changed |= self.renew(&found)?;
        let streams: BTreeMap<_, _> =
            scan::streams(root)?.into_iter().map(|(id, (facts, _))| (id, facts)).collect();
        changed |= streams != self.streams;
        self.streams = streams;
        match &self.snapshot {
            Some(snapshot) if !changed => Ok(Arc::clone(snapshot)),
            before => {
                let revision = before.as_ref().map_or(1, |snapshot| snapshot.revision + 1);
                let snapshot = Arc::new(self.assemble(&found, &vocabulary, revision));
                self.snapshot = Some(Arc::clone(&snapshot));
                Ok(snapshot)
            }
        }
    }

    /// Reads what is new or may have changed and forgets what is gone; says whether anything is different.
    fn renew(&mut self, found: &[FoundFile]) -> Result<bool, ReadError> {
        let to_read: Vec<&FoundFile> = found
            .iter()
            .filter(|file| {
                self.known.get(&file.path).is_none_or(|known| !known.settled || known.stamp != file.stamp)
            })
            .collect();
        let known = &self.known;
        let read = parallel::for_each(&to_read, |file| Some(read_file(file, known.get(&file.path))))?;
        let mut changed = false;
        for (file, now) in to_read.into_iter().zip(read) {
            let before = self.known.insert(file.path.clone(), now.clone());
            let same = before.is_some_and(|before| before.digest == now.digest && same_kind(&before, &now));
            changed |= !same;
        }
        let count = self.known.len();
        if count != found.len() {
            let present: std::collections::HashSet<&str> =
                found.iter().map(|file| file.path.as_str()).collect();
            self.known.retain(|path, _| present.contains(path.as_str()));
            changed |= self.known.len() != count;
        }
        Ok(changed)
    }

    fn assemble(&self, found: &[FoundFile], vocabulary: &Vocabulary, revision: u64) -> WorkspaceSnapshot {
        let mut items: BTreeMap<String, ItemFile> = BTreeMap::new();
        let mut unreadable = Vec::new();
        let mut paths: BTreeMap<&str, Vec<&FoundFile>> = BTreeMap::new();
        for file in found {
            paths.entry(&file.id).or_default().push(file);
        }
        let mut duplicates = Vec::new();
        for (id, mut files) in paths {
            // The present form wins over what a stopped migration left.
            files.sort_by_key(|file| (file.form == FileForm::Markdown, &file.path));
            if files.len() > 1 {
                let paths = files.iter().map(|file| file.path.clone()).collect();
                duplicates.push(DuplicateId { id: id.to_owned(), paths });
            }
            for file in files {
                match self.known.get(&file.path).map(|known| &known.outcome) {
                    Some(Ok(item)) => {
                        items.entry(id.to_owned()).or_insert_with(|| item.clone());
                    }
                    Some(Err(reason)) => unreadable.push(UnreadableFile {
                        path: file.path.clone(),
                        id: id.to_owned(),
                        reason: reason.clone(),
                    }),
                    None => {}
                }
            }
        }
        unreadable.sort_by(|a, b| a.path.cmp(&b.path));
        WorkspaceSnapshot {
            revision,
            settings: Arc::clone(&vocabulary.settings),
            settings_problem: vocabulary.settings_problem.clone(),
            schema: Arc::clone(&vocabulary.schema),
            schema_problems: vocabulary.schema_problems.clone(),
            items,
            unreadable,
            duplicates,
            streams: self.streams.clone(),
        }
    }
}

fn same_kind(a: &KnownFile, b: &KnownFile) -> bool {
    match (&a.outcome, &b.outcome) {
        (Ok(_), Ok(_)) => true,
        (Err(x), Err(y)) => x == y,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

fn read_file(file: &FoundFile, before: Option<&KnownFile>) -> KnownFile {
    let settled = before.is_some_and(|before| before.stamp == file.stamp);
    let failed = |reason| KnownFile { stamp: file.stamp, settled, digest: [0; 32], outcome: Err(reason) };
    if file.leaves_root {
        return failed(UnreadableReason::LeavesRoot);
    }
    if file.stamp.bytes > MAX_ITEM_BYTES {
        return failed(UnreadableReason::TooLarge { bytes: file.stamp.bytes, limit: MAX_ITEM_BYTES });
    }
    let bytes = match fs::read(&file.full_path) {
        Ok(bytes) => bytes,
        Err(error) => return failed(UnreadableReason::Io { detail: error.to_string() }),
    };
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    let outcome = match before.filter(|before| before.digest == digest).map(|before| &before.outcome) {
        Some(Ok(item)) => Ok(Arc::clone(&item.item)),
        Some(Err(reason)) => Err(reason.clone()),
        None => read_item(&bytes, &file.id, file.form).map(Arc::new),
    };
    let outcome = outcome.map(|item| ItemFile {
        item,
        path: file.path.clone(),
        folder: file.folder.clone(),
        form: file.form,
        bytes: file.stamp.bytes,
        modified_ms: file.stamp.modified_ms,
        digest,
    });
    KnownFile { stamp: file.stamp, settled, digest, outcome }
}
