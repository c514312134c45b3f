//! Vocabulary and decisions of the Model Context Protocol, revision `2026-07-28`.
//!
//! This crate decides and does nothing else: no clock, no randomness, no input or output, no `async`.
//! What a decision needs is an argument, what it says is a value.
//!
//! | Module | Decides |
//! |---|---|
//! | [`version`] | which revisions are spoken |
//! | [`request`] | what a message is, and the ordered checks before it is dispatched |
//! | [`extension`] | what a server may add to the protocol, and what a request may do with it |
//! | [`fault`] | the code and HTTP status of every refusal, in one total table |
//! | [`authorization`] | how a client finds, asks and believes an authorization server |
//! | [`header`] | which headers a request must carry and what they may say |
//! | [`limit`] | what the limits are called in settings, refusals and counters |
//! | [`http`] | what the Streamable HTTP binding asks of a request before its body is read |
//! | [`schema`] | which JSON Schemas are safe to compile |
//! | [`access`] | whether a token is enough for what is asked |
//! | [`cursor`] | what a list cursor holds and when it still fits |
//! | [`continuation`] | what may be asked in the middle of a request, and what travels between its rounds |
//! | [`skill`] | what a skill says of itself, where its files stand, how large it may be |
//! | [`subscription`] | who hears of which change, and in which order a stream says what |
//! | [`cache`] | how long and by whom a result may be kept |
//! | [`task`] | what may happen to work that outlives its request, and the bytes that a store keeps of it |
//! | [`trace`] | which trace a request belongs to, and what its trace fields may say |
//! | [`uri_template`] | which resources a template stands for |
//! | [`wire`] | the words of the revision: tools, resources, prompts, content, results |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod access;
pub mod authorization;
pub mod cache;
pub mod continuation;
pub mod cursor;
pub mod extension;
pub mod fault;
pub mod header;
pub mod http;
pub mod ident;
pub mod limit;
pub mod request;
pub mod schema;
pub mod skill;
pub mod subscription;
pub mod task;
pub mod time;
pub mod trace;
pub mod uri_template;
pub mod version;
pub mod wire;
