//! What a server says of tokens: challenges in `WWW-Authenticate`, and the documents that they lead to.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{read_challenges, read_server_metadata};

fuzz_target!(|bytes: &[u8]| {
    let issuer = Issuer::parse("https://as.example").expect("an issuer");
    if let Ok(metadata) = read_server_metadata(bytes, &issuer) {
        assert_eq!(metadata.issuer, issuer);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(challenges) = read_challenges(text) {
        for challenge in &challenges {
            if let Some(uri) = challenge.parameter("resource_metadata") {
                assert!(uri.len() <= text.len());
            }
        }
    }
});
