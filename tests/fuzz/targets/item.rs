//! An item of any value: its normal form is its own normal form.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_tracker_domain::{Dialect, Item, Statuses, canonical_json, normal_form};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let _ = canonical_json(&value);
    let Ok(item) = Item::from_file_value(value) else { return };
    let statuses = Statuses::default();
    let once = normal_form(&item, &statuses, Dialect::StoredTests);
    if let Ok(again) = Item::from_file_value(Value::Object(once.clone())) {
        assert_eq!(normal_form(&again, &statuses, Dialect::StoredTests), once);
    }
});
