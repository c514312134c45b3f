//! Which workers of one machine are gone, told at once by locked files.
//!
//! [`LockFileLiveness`] has one file a worker in a folder that the servers share. The worker's process holds a lock on its
//! file, and the operating system gives the lock back when the process ends, however it ends; a process number, which the
//! next process may get, is not looked at.
//!
//! # Whose word is believed
//!
//! A lock says something only where it reaches. Each file names the kernel that its worker runs on and the file system
//! that it lies in, and only files of the own kernel and file system are judged. So containers of one machine that share a
//! folder know of each other, whatever process numbers they see; machines that share a network folder do not, and there
//! the lease of a task tells. After a restart of the machine the lease tells as well.
//!
//! Where the system does not name its kernel (it does on Linux), the folder must belong to one machine.

mod fault;
mod files;
mod liveness;
mod place;

pub use fault::OpenError;
pub use liveness::LockFileLiveness;
