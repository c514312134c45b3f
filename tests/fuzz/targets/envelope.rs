//! One message as a transport hands it over, without headers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::request::{Binding, Verdict, judge};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| match judge(bytes, Binding::Stdio) {
    Verdict::Request(admitted) => {
        let whole: Value = serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
            .expect("what is admitted is JSON");
        assert_eq!(whole["method"], admitted.method.as_str());
    }
    Verdict::Notification(_) => {}
    Verdict::Refused(refused) => {
        let response = refused.rejection.to_string();
        assert!(response.len() < 4_000, "a refusal of {} bytes", response.len());
    }
});
