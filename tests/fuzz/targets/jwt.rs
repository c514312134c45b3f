//! A token of any text against the keys of an issuer: nothing that the issuer did not sign is a grant.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::access::{Issuer, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::TokenVerifier;
use pm_mcp_token_jwt::{JwtVerifier, StaticKeys, parse_jwks};

/// The public key of RFC 8037, appendix A.2; its private half signs nothing here.
const KEYS: &[u8] =
    br#"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

fuzz_target!(|bytes: &[u8]| {
    static VERIFIER: OnceLock<(JwtVerifier, tokio::runtime::Runtime)> = OnceLock::new();
    let (verifier, runtime) = VERIFIER.get_or_init(|| {
        let issuer = Issuer::parse("https://as.example").expect("an issuer");
        let keys = StaticKeys::from_jwks(KEYS).expect("keys");
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        (JwtVerifier::new(&issuer, keys), runtime)
    });
    let _ = parse_jwks(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(token) = PresentedToken::parse(text) {
        let verified = runtime.block_on(verifier.verify(&token, Timestamp::from_unix_ms(1_800_000_000_000)));
        assert!(verified.is_err(), "a made-up token is a grant");
    }
});
