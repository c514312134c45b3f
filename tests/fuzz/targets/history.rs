//! A history stream, line by line: replayed and verified whatever it says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_tracker_domain::{At, HistoryEntry, Statuses, replay, verify};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let entries: Vec<HistoryEntry> = text.lines().filter_map(|line| HistoryEntry::parse(line).ok()).collect();
    for entry in &entries {
        let _ = (entry.computed_record_hash(), entry.time(), entry.patch().len());
    }
    let _ = replay(&entries, At::Version(entries.len()));
    let _ = verify(&entries, None, &Statuses::default());
});
