//! A sealed state that a client made up, and the state inside one as it is read after the seal.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::continuation::{State, StateLimits};
use pm_mcp_ports::driven::StateSealer;
use pm_mcp_seal_ring::RingSealer;

fuzz_target!(|bytes: &[u8]| {
    static RING: OnceLock<RingSealer> = OnceLock::new();
    let ring = RING.get_or_init(|| RingSealer::random().expect("randomness"));
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert_eq!(ring.open(text, b"context"), None, "a made-up state opened");
    }
    if let Ok(state) = State::decode(bytes) {
        if let Ok(written) = state.encode(&StateLimits::default()) {
            assert_eq!(State::decode(&written).expect("what was written is read"), state);
        }
    }
});
