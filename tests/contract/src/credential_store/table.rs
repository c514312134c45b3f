//! The table of the laws.

use crate::run;

use super::harness::{CredentialStoreHarness, FreshCredentials, skipped_when_volatile};
use super::holds::{
    a_dropped_call_holds_nothing, a_hold_keeps_nobody_from_anything_else, one_at_a_time_holds_an_issuer,
};
use super::laws::{
    a_removal_takes_what_was_expected_and_nothing_else, a_stale_save_changes_nothing,
    acknowledged_saves_survive_a_killed_process, durability_is_as_declared,
    issuers_are_told_apart_letter_for_letter, no_revision_is_given_out_twice, nothing_of_a_secret_is_printed,
    of_many_who_expect_the_same_one_saves, what_was_saved_is_found_as_it_was,
};

/// Makes one test a law, each with a fresh store of the given [`CredentialStoreHarness`].
#[macro_export]
macro_rules! credential_store_contract {
    ($harness:expr) => {
        $crate::__credential_store_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __credential_store_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what credential_store $($with)+;
            cr_01_what_was_saved_is_found_as_it_was "CR-01"
                "load gives what the latest acknowledged save wrote, equal in every part" what_was_saved_is_found_as_it_was;
            cr_02_issuers_are_told_apart_letter_for_letter "CR-02"
                "issuers are told apart letter for letter" issuers_are_told_apart_letter_for_letter;
            cr_03_a_stale_save_changes_nothing "CR-03"
                "a save that expects something else than is there changes nothing" a_stale_save_changes_nothing;
            cr_03_of_many_who_expect_the_same_one_saves "CR-03"
                "of any number of callers that expect the same, exactly one saves" of_many_who_expect_the_same_one_saves;
            cr_04_a_removal_takes_what_was_expected_and_nothing_else "CR-04"
                "a stale removal changes nothing, and no other issuer is touched"
                a_removal_takes_what_was_expected_and_nothing_else;
            cr_05_no_revision_is_given_out_twice "CR-05"
                "a revision was never given out for the issuer before" no_revision_is_given_out_twice;
            cr_06_one_at_a_time_holds_an_issuer "CR-06"
                "of all who share the store, one at the most holds an issuer" one_at_a_time_holds_an_issuer;
            cr_06_a_hold_keeps_nobody_from_anything_else "CR-06"
                "other issuers and other calls are not waited for, and a dropped hold is free"
                a_hold_keeps_nobody_from_anything_else;
            cr_07_a_dropped_call_holds_nothing "CR-07"
                "a dropped call holds nothing" a_dropped_call_holds_nothing;
            cr_08_acknowledged_saves_survive_a_killed_process "CR-08"
                "what Ok acknowledged is found after the process was killed"
                acknowledged_saves_survive_a_killed_process, unless skipped_when_volatile;
            cr_08_durability_is_as_declared "CR-08"
                "the store says what its Ok survives" durability_is_as_declared;
            cr_09_nothing_of_a_secret_is_printed "CR-09"
                "nothing of a secret shows in Debug or in errors" nothing_of_a_secret_is_printed;
        }
    };
}

__credential_store_laws!(slice FreshCredentials);

/// Tries the law whose test has this name; what [`credential_store_contract!`](crate::credential_store_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh store.
pub fn hold(harness: impl CredentialStoreHarness, name: &str) {
    run::hold(LAWS, name, FreshCredentials::of(harness));
}
