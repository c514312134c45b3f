//! The credentials of a client in a folder, encrypted, for processes of one machine: the port
//! [`CredentialStore`](pm_mcp_ports::driven::CredentialStore).
//!
//! [`FileCredentialStore`] keeps one file an issuer, named after the SHA-256 of the issuer's very letters.
//!
//! | File | Content |
//! |---|---|
//! | `ISSUER.credential` | form (1 byte), nonce (12), encrypted revision (8) and credential, tag (16): AES-256-GCM, with form and issuer authenticated along |
//! | `ISSUER.hold` | nothing; whoever holds the issuer has it locked |
//! | `writing` | nothing; whoever compares and replaces has it locked |
//!
//! Files are replaced by renaming, after their content and before their folder is synced, so that each is whole after a
//! crash and a loss of power. Folder and files are for their owner only. Locks are the system's own and end with their
//! process; they are of no use on network file systems that do not keep them.
//!
//! The key comes from the host: its key chain, a secret of its platform, a file that only it can read. Who has the key and
//! the folder has the tokens.
//!
//! ```no_run
//! # fn key_of_the_host() -> Vec<u8> { Vec::new() }
//! use pm_mcp_credentials_file::FileCredentialStore;
//!
//! # fn main() -> Result<(), pm_mcp_credentials_file::OpenError> {
//! let store = FileCredentialStore::open("/var/lib/app/credentials", &key_of_the_host())?;
//! # Ok(())
//! # }
//! ```

mod disk;
mod fault;
mod folder;
mod key;
mod lock;
mod store;

pub use fault::OpenError;
pub use key::SHORTEST_KEY;
pub use store::FileCredentialStore;
