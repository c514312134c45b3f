//! Hears of changes in a pm workspace from the operating system, or by looking where it says nothing.
//!
//! Decides which paths concern which part of a workspace and how long a burst is gathered. Reads no file: whether
//! anything is different is for readers to find out.

mod folders;
mod git;
mod network;
mod part;
mod source;

pub use source::{LONGEST_BURST, LONGEST_GIT, LOOK_INTERVAL, NotifySource, QUIET, WatchedFolders};
