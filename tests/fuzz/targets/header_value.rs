//! Values of headers, read and written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::header::{collect_header_annotations, decode_header_value, encode_header_value};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = decode_header_value(bytes) {
        let written = encode_header_value(&text);
        assert_eq!(decode_header_value(written.as_bytes()).as_deref(), Ok(&*text));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let written = encode_header_value(text);
        assert!(written.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')), "{written:?}");
        assert_eq!(decode_header_value(written.as_bytes()).as_deref(), Ok(text));
    }
    if let Ok(schema) = serde_json::from_slice(bytes) {
        let _ = collect_header_annotations(&schema);
    }
});
