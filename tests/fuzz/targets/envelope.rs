//! One message as a transport hands it over, without headers.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::request::{Binding, Verdict, judge};
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| match judge(bytes, Binding::Stdio) {
    Verdict::Request(admitted) => {
        // Numbers of any size are JSON, although not all of them fit a `Value`.
        let whole: BTreeMap<String, Box<RawValue>> =
            serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).expect("what is admitted is JSON");
        let method: String = serde_json::from_str(whole["method"].get()).expect("a method is a string");
        assert_eq!(method, admitted.method.as_str());
        assert!(whole["params"].get().starts_with('{'), "a request has parameters");
    }
    Verdict::Notification(_) => {}
    Verdict::Refused(refused) => {
        let response = refused.rejection.to_string();
        assert!(response.len() < 4_000, "a refusal of {} bytes", response.len());
    }
});
