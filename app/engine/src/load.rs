//! How many requests are being served.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::fault::Rejection;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::limit::Limit;

/// How many requests may be served at the same time. Streams do not count: they have limits of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestLimits {
    /// In all.
    pub requests: usize,
    /// For one principal. Where nobody has to show a token there is one principal only.
    pub requests_per_principal: usize,
}

impl Default for RequestLimits {
    /// 8,192 in all, 2,048 for one principal.
    fn default() -> Self {
        Self { requests: 8_192, requests_per_principal: 2_048 }
    }
}

/// The requests that are being served.
#[derive(Debug)]
pub(crate) struct Load {
    limits: RequestLimits,
    all: AtomicUsize,
    /// Only principals who are served have an entry.
    each: Mutex<HashMap<Principal, usize>>,
}

impl Load {
    pub(crate) fn new(limits: RequestLimits) -> Self {
        Self { limits, all: AtomicUsize::new(0), each: Mutex::default() }
    }

    /// Takes a place for a request; it is given back when the place is dropped.
    ///
    /// `told_apart` says whether callers show who they are. Where they do not, whoever calls is the one principal, whose
    /// requests are all there are, and no lock is taken.
    pub(crate) fn enter(&self, principal: &Principal, told_apart: bool) -> Result<Place<'_>, Rejection> {
        let RequestLimits { requests, requests_per_principal: own } = self.limits;
        let before = self.all.fetch_add(1, Ordering::Relaxed);
        let mut place = Place { load: self, principal: None };
        if before >= requests {
            return Err(Rejection::Busy { limit: Limit::Requests, most: requests });
        }
        let busy = Rejection::Busy { limit: Limit::RequestsPerPrincipal, most: own };
        if !told_apart {
            return if before >= own { Err(busy) } else { Ok(place) };
        }
        let mut each = self.each();
        let held = each.get(principal).copied().unwrap_or(0);
        if held >= own {
            return Err(busy);
        }
        each.insert(principal.clone(), held + 1);
        drop(each);
        place.principal = Some(principal.clone());
        Ok(place)
    }

    /// How many requests are being served.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.all.load(Ordering::Relaxed)).unwrap_or(u64::MAX)
    }

    fn each(&self) -> MutexGuard<'_, HashMap<Principal, usize>> {
        // The table is whole between any two statements, so a panic elsewhere does not spoil it.
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one request among those that are served.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    load: &'a Load,
    /// Whose it is, where callers are told apart.
    principal: Option<Principal>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.load.all.fetch_sub(1, Ordering::Relaxed);
        let Some(principal) = self.principal.take() else { return };
        if let Entry::Occupied(mut held) = self.load.each().entry(principal) {
            match held.get() {
                0 | 1 => {
                    held.remove();
                }
                more => *held.get_mut() = more - 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    fn load(requests: usize, requests_per_principal: usize) -> Load {
        Load::new(RequestLimits { requests, requests_per_principal })
    }

    #[test]
    fn as_many_requests_as_the_limit_are_served_and_the_next_is_refused() {
        let (load, ann) = (load(3, 9), Principal::local("ann"));
        let places: Vec<Place<'_>> = (0..3).map(|_| load.enter(&ann, false).unwrap()).collect();
        let refused = load.enter(&ann, false).unwrap_err();
        assert_eq!(refused, Rejection::Busy { limit: Limit::Requests, most: 3 });
        assert_eq!((refused.http_status(), refused.limit()), (503, Some(Limit::Requests)));
        assert!(refused.to_string().contains("(limit requests)"), "{refused}");
        drop(places);
        assert!(load.enter(&ann, false).is_ok());
        assert_eq!(load.all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn one_principal_leaves_room_for_others() {
        let (load, ann, bob) = (load(9, 2), Principal::local("ann"), Principal::local("bob"));
        let first = load.enter(&ann, true).unwrap();
        let second = load.enter(&ann, true).unwrap();
        let refused = load.enter(&ann, true).unwrap_err();
        assert_eq!(refused, Rejection::Busy { limit: Limit::RequestsPerPrincipal, most: 2 });
        assert_eq!(refused.http_status(), 429);
        assert!(load.enter(&bob, true).is_ok());
        drop(first);
        drop(load.enter(&ann, true).unwrap());
        drop(second);
        assert!(load.each().is_empty());
        assert_eq!(load.all.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn where_nobody_is_told_apart_all_requests_are_those_of_one() {
        let (load, one) = (load(9, 1), Principal::local("ann"));
        let _first = load.enter(&one, false).unwrap();
        let refused = load.enter(&Principal::local("bob"), false).unwrap_err();
        assert_eq!(refused.limit(), Some(Limit::RequestsPerPrincipal));
    }
}
