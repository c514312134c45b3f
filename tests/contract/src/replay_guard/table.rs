//! The table of the laws.

use crate::run;

use super::harness::{FreshGuard, ReplayGuardHarness, skipped_when_not_shared, skipped_without_bound};
use super::laws::{
    a_dropped_call_leaves_consumed_or_not, a_full_guard_refuses, a_nonce_is_kept_until_its_time,
    an_answer_holds_for_all_who_share_the_store, one_of_many_consumes_a_nonce,
};

/// Makes one test a law, each with a fresh guard of the given [`ReplayGuardHarness`].
#[macro_export]
macro_rules! replay_guard_contract {
    ($harness:expr) => {
        $crate::__replay_guard_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __replay_guard_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what replay_guard $($with)+;
            rg_01_one_of_many_consumes_a_nonce "RG-01"
                "of any number of callers that consume one nonce, exactly one gets Ok" one_of_many_consumes_a_nonce;
            rg_02_a_nonce_is_kept_until_its_time "RG-02"
                "a nonce is not forgotten before its keep_until" a_nonce_is_kept_until_its_time;
            rg_02_a_full_guard_refuses "RG-02"
                "a guard without room refuses new nonces and forgets none"
                a_full_guard_refuses, unless skipped_without_bound;
            rg_03_an_answer_holds_for_all_who_share_the_store "RG-03"
                "Ok holds for all who share the guard's store"
                an_answer_holds_for_all_who_share_the_store, unless skipped_when_not_shared;
            rg_04_a_dropped_call_leaves_consumed_or_not "RG-04"
                "a dropped future leaves the nonce consumed or not" a_dropped_call_leaves_consumed_or_not;
        }
    };
}

__replay_guard_laws!(slice FreshGuard);

/// Tries the law whose test has this name; what [`replay_guard_contract!`](crate::replay_guard_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh guard.
pub fn hold(harness: impl ReplayGuardHarness, name: &str) {
    run::hold(LAWS, name, FreshGuard::of(harness));
}
