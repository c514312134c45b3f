//! What it costs to verify a token for the first time, and once more.
//!
//! ```text
//! cargo run --release -p pm-mcp-token-jwt --example verify_cost
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    dead_code,
    reason = "a measurement prints what a clock says, and stops at the first surprise"
)]

#[path = "../tests/jwt/signer.rs"]
mod signer;

use std::time::Instant;

use pm_mcp_ports::driven::TokenVerifier as _;
use pm_mcp_token_jwt::{JwtVerifier, StaticKeys};
use signer::{NOW, Signer, at, claims, issuer, jwks, presented, with};

const TOKENS: u32 = 1_000;
const AGAIN: u32 = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let signers = [Signer::rsa("r", 0), Signer::p256("p"), Signer::p384("q"), Signer::ed("e")];
    let keys = StaticKeys::from_jwks(jwks(signers.iter()).as_bytes()).unwrap();
    let verifier = JwtVerifier::new(&issuer(), keys);
    for signer in &signers {
        let token = |number: u32| presented(&signer.token(&with(claims(), "jti", number.into())));
        let tokens: Vec<_> = (0..TOKENS).map(token).collect();
        let began = Instant::now();
        for token in &tokens {
            verifier.verify(token, at(NOW)).await.unwrap();
        }
        let first = began.elapsed() / TOKENS;
        let began = Instant::now();
        for _ in 0..AGAIN {
            verifier.verify(&tokens[0], at(NOW)).await.unwrap();
        }
        println!("{}: first {first:?}, again {:?}", signer.algorithm(), began.elapsed() / AGAIN);
    }
}
