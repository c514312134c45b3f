//! The table of the laws.

use crate::run;

use super::harness::{FreshKeys, KeySourceHarness, skipped_without_issuer};
use super::laws::{
    an_issuer_that_was_never_heard_gives_no_keys, an_outage_is_asked_into_at_a_bounded_rate,
    calls_for_newer_keys_ask_at_a_bounded_rate, every_key_is_of_the_issuer, new_keys_come_in_a_new_set,
    the_newest_set_has_no_newer_one, unconfirmed_keys_serve_for_the_stated_time,
};

/// Makes one test a law, each with a fresh source of the given [`KeySourceHarness`].
#[macro_export]
macro_rules! key_source_contract {
    ($harness:expr) => {
        $crate::__key_source_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __key_source_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what key_source $($with)+;
            ks_01_every_key_is_of_the_issuer "KS-01"
                "every key is one that the issuer publishes" every_key_is_of_the_issuer;
            ks_02_new_keys_come_in_a_new_set "KS-02"
                "new keys come in a new set, and the one that was seen stays as it was"
                new_keys_come_in_a_new_set, unless skipped_without_issuer;
            ks_02_the_newest_set_has_no_newer_one "KS-02"
                "while the keys stay the same, no set is called newer" the_newest_set_has_no_newer_one;
            ks_03_unconfirmed_keys_serve_for_the_stated_time "KS-03"
                "keys that cannot be confirmed are given out for the stated time and not longer"
                unconfirmed_keys_serve_for_the_stated_time, unless skipped_without_issuer;
            ks_03_an_issuer_that_was_never_heard_gives_no_keys "KS-03"
                "without any answer of the issuer the keys are unavailable, never empty"
                an_issuer_that_was_never_heard_gives_no_keys, unless skipped_without_issuer;
            ks_04_calls_for_newer_keys_ask_at_a_bounded_rate "KS-04"
                "however often newer keys are wanted, the issuer is asked once in a rest"
                calls_for_newer_keys_ask_at_a_bounded_rate, unless skipped_without_issuer;
            ks_04_an_outage_is_asked_into_at_a_bounded_rate "KS-04"
                "an issuer that is down is asked once in a rest"
                an_outage_is_asked_into_at_a_bounded_rate, unless skipped_without_issuer;
        }
    };
}

__key_source_laws!(slice FreshKeys);

/// Tries the law whose test has this name; what [`key_source_contract!`](crate::key_source_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh source.
pub fn hold(harness: impl KeySourceHarness, name: &str) {
    run::hold(LAWS, name, FreshKeys::of(harness));
}
