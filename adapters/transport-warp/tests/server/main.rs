//! A whole server on a loopback socket, with a small made-up service behind it and a client that writes raw bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod bodies;
mod browsers;
mod carried;
mod ending;
mod heads;
mod http2;
mod leaving;
mod limits;
mod listening;
mod probes;
mod replies;
mod room;
mod streams;
mod support;
