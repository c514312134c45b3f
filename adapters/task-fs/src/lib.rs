//! Task records in a folder, one file a record.
//!
//! [`FsTaskStore`] holds what it acknowledged through a killed process and a loss of power, and may be opened by any
//! number of processes of one machine at the same time. It is not for network file systems, whose locks and renames
//! promise less.
//!
//! # The folder
//!
//! | Name | What |
//! |---|---|
//! | `task-….record` | a record: a header with its own digest, the principal, the body |
//! | `new-….tmp` | a record that is being written; it counts for nothing until it is renamed |
//! | `revisions-…` | the newest block of revisions that was handed to a process; the process holds a lock on it |
//! | `changes` | which records were written lately, so that other processes need not read all of them |
//! | `lock` | the lock under which a record is compared and replaced |
//!
//! The folder takes as much of the disk as its records, and four mebibytes at the most for the list of changes.
//!
//! Other files are left alone, and so are records that are damaged or of a newer version; both are told in the log.
//!
//! # A write
//!
//! The record is written to a file of its own and synchronised, without any lock. Under the lock the stored revision is
//! compared, and the new file is renamed over the old one; then the folder is synchronised. A process that dies at any
//! point leaves the old record or the new one, and at the most a `.tmp` file, which the next one to open the folder
//! removes.
//!
//! # Revisions
//!
//! A process takes a block of 2²⁰ numbers when it opens the folder, by making the file that names the block, and counts
//! within it. Numbers of a block that were not used are never used, so no number comes twice, whatever is removed.
//!
//! # Lists
//!
//! What is due and what is unfinished is known in memory, some hundred bytes a record. Opening a folder reads the first
//! bytes of each record; afterwards, a list costs the records that it gives and those that other processes wrote since.

mod changes;
mod disk;
mod durable;
mod fault;
mod folder;
mod header;
mod index;
mod key;
mod order;
mod revisions;
mod scan;
mod store;

pub use fault::OpenError;
pub use store::FsTaskStore;
