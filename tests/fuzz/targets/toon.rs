//! Any text as an item's notation: what is read is written again as the same value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_tracker_workspace_pm::toon;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(value) = toon::decode(text)
        && let Ok(written) = toon::encode(&value)
        && let Ok(again) = toon::decode(&written)
    {
        assert_eq!(again, value, "{written}");
    }
});
