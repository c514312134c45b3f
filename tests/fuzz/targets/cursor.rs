//! The content of a cursor, and a token that nobody signed.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::cursor::Cursor;
use pm_mcp_ports::driven::CursorSigner;
use pm_mcp_seal_ring::HmacCursorSigner;

fuzz_target!(|bytes: &[u8]| {
    static SIGNER: OnceLock<HmacCursorSigner> = OnceLock::new();
    let signer = SIGNER.get_or_init(|| HmacCursorSigner::random().expect("randomness"));
    if let Ok(token) = std::str::from_utf8(bytes) {
        assert!(signer.open(token).is_none(), "a made-up cursor was taken");
    }
    if let Ok(cursor) = Cursor::decode(bytes) {
        let written = cursor.encode();
        assert_eq!(Cursor::decode(&written).expect("what was written is read"), cursor);
    }
});
