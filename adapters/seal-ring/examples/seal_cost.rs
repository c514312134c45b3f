//! What it costs to seal a state of 1 KiB, and to open it, beside the bare cipher in the same run.
//!
//! ```text
//! cargo run --release -p pm-mcp-seal-ring --example seal_cost
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints what a clock says, and stops at the first surprise"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use pm_mcp_ports::driven::StateSealer as _;
use pm_mcp_seal_ring::RingSealer;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

const TIMES: u32 = 20_000;
const ROUNDS: usize = 11;

fn median(mut run: impl FnMut()) -> Duration {
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            (0..TIMES).for_each(|_| run());
            began.elapsed() / TIMES
        })
        .collect();
    rounds.sort();
    rounds.into_iter().nth(ROUNDS / 2).unwrap()
}

fn main() {
    let plain: Vec<u8> = (0..=255).cycle().take(1024).collect();
    let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &[7; 32]).unwrap());
    let mut bytes = plain.clone();
    let bare = median(|| {
        let nonce = Nonce::assume_unique_for_key([7; 12]);
        let tag = key.seal_in_place_separate_tag(nonce, Aad::from(b"context"), &mut bytes).unwrap();
        assert_eq!(black_box(tag).as_ref().len(), 16);
    });
    println!("AES-256-GCM alone: {bare:?}");
    for sealer in [RingSealer::random().unwrap(), RingSealer::random().unwrap().signed_only()] {
        let sealed = sealer.seal(&plain, b"context").unwrap();
        let seal = median(|| drop(black_box(sealer.seal(black_box(&plain), b"context"))));
        let open = median(|| drop(black_box(sealer.open(black_box(&sealed), b"context"))));
        println!("{:?}: seal {seal:?}, open {open:?}", sealer.form());
    }
}
