//! Publishing skills, by the extension `io.modelcontextprotocol/skills`.
//!
//! The extension is one like any other of a host: an entry with methods, a resource template that reads the files, and a
//! source of resources that lists each `SKILL.md` for clients without the extension.

mod library;
mod listing;
mod media;
mod publish;

pub(crate) use library::Library;
pub(crate) use publish::{entry, list_source, reader};
