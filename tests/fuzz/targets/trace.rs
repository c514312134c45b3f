//! Trace fields of a caller.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::trace::{
    Baggage, BaggageKeys, LONGEST_TRACEPARENT, LONGEST_TRACESTATE, TraceParent, TraceState,
};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Some(parent) = TraceParent::parse(text) {
        assert!(text.len() <= LONGEST_TRACEPARENT);
        assert_eq!(TraceParent::parse(&parent.to_string()), Some(parent));
    }
    if let Some(state) = TraceState::parse(text) {
        assert!(state.as_str().len() <= LONGEST_TRACESTATE);
        assert_eq!(TraceState::parse(state.as_str()), Some(state));
    }
    let listed = BaggageKeys::new(["user", "tenant"]).expect("keys");
    if let Some(baggage) = Baggage::parse(text, &listed) {
        assert!(baggage.iter().all(|(key, _)| listed.lists(key)));
        assert_eq!(Baggage::parse(&baggage.encode(), &listed), Some(baggage));
    }
});
