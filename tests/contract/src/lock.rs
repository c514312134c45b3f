//! Locks that outlive a panic of whoever held them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks. No change in this crate can panic halfway, so what a panicking holder leaves behind is whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
