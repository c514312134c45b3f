//! Clients of the revisions that had a handshake, on a channel of one local peer. Nothing outside this module knows
//! them, and with it they go.
//!
//! A message that claims no protocol version in `params._meta` belongs to the earlier era, whatever else its `_meta`
//! holds; one that claims any is judged as strictly as elsewhere. A call of the earlier era is written as the call of the
//! current revision that it stands for, served by the same door, and its answer is written in the earlier shape: there is
//! no second way to call a tool.
//!
//! | Part | Job |
//! |---|---|
//! | `service` | opens doors that serve both eras on shared channels |
//! | `door` | which era a message belongs to, and who serves it |
//! | `message` | reads a request of the earlier era and writes the one that it stands for |
//! | `answer` | writes answers in the earlier shape |
//! | `lists` | what the earlier revisions cannot express of tools and their results |
//! | `handshake` | `initialize` |
//! | `changes` | subscriptions and changed lists, as streams of the current revision |
//!
//! What a door keeps of its peer, against the rule for other doors: its name and version, which requests then carry as a
//! label, and what it subscribed to. No request needs any of it.

mod answer;
mod changes;
mod door;
mod handshake;
mod lists;
mod members;
mod message;
mod method;
mod revision;
mod service;
