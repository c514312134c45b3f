//! The table of the laws.

use crate::run;

use super::harness::{FreshLiveness, WorkerLivenessHarness};
use super::laws::{
    a_living_worker_is_never_named, a_living_worker_is_not_forgotten, an_ended_worker_is_named_to_all,
    an_unknown_worker_is_never_named,
};

/// Makes one test a law, each with a fresh pair of the given [`WorkerLivenessHarness`].
#[macro_export]
macro_rules! worker_liveness_contract {
    ($harness:expr) => {
        $crate::__worker_liveness_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __worker_liveness_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what worker_liveness $($with)+;
            wl_01_a_living_worker_is_never_named "WL-01"
                "a worker that has not ended is never named" a_living_worker_is_never_named;
            wl_02_an_ended_worker_is_named_to_all "WL-02"
                "a worker that has ended is named to all who share the place, until it is forgotten"
                an_ended_worker_is_named_to_all;
            wl_03_an_unknown_worker_is_never_named "WL-03"
                "a worker that was never announced is never named" an_unknown_worker_is_never_named;
            wl_04_a_living_worker_is_not_forgotten "WL-04"
                "forgetting a worker that lives changes nothing" a_living_worker_is_not_forgotten;
        }
    };
}

__worker_liveness_laws!(slice FreshLiveness);

/// Tries the law whose test has this name; what [`worker_liveness_contract!`](crate::worker_liveness_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh pair.
pub fn hold(harness: impl WorkerLivenessHarness, name: &str) {
    run::hold(LAWS, name, FreshLiveness::of(harness));
}
