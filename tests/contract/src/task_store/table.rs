//! The table of the laws.

use crate::run;

use super::durability::{
    acknowledged_writes_survive_a_killed_process, durability_is_as_declared, skipped_when_volatile,
    what_was_read_survives_a_killed_process,
};
use super::harness::{FreshStore, TaskStoreHarness};
use super::laws::{
    a_dropped_call_leaves_all_or_nothing, a_stale_replace_changes_nothing, everything_comes_back_unchanged,
    held_counts_the_records_of_one_principal, load_finds_the_latest_write, refused_writes_change_nothing,
    remove_succeeds_at_the_stored_revision, replace_succeeds_at_the_stored_revision,
    revisions_are_never_reused, unknown_formats_come_back_like_any_other,
};
use super::pages::{due_is_exact_at_the_boundary, paging_neither_repeats_nor_skips, unfinished_is_exact};
use super::races::{create_is_exclusive, one_of_many_wins_each_revision};

/// Makes one test a law, each with a fresh store of the given [`TaskStoreHarness`].
///
/// The tests need no runtime and no further dependency. To try several stores in one file, put each into a module.
#[macro_export]
macro_rules! task_store_contract {
    ($harness:expr) => {
        $crate::__task_store_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __task_store_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what task_store $($with)+;
            ts_01_create_is_exclusive "TS-01"
                "of any number of callers that create one id, exactly one gets Ok" create_is_exclusive;
            ts_02_everything_comes_back_unchanged "TS-02"
                "records come back unchanged, at the limits too" everything_comes_back_unchanged;
            ts_03_load_finds_the_latest_write "TS-03"
                "load finds the latest acknowledged write" load_finds_the_latest_write;
            ts_04_replace_succeeds_at_the_stored_revision "TS-04"
                "replace succeeds exactly at the stored revision" replace_succeeds_at_the_stored_revision;
            ts_05_a_stale_replace_changes_nothing "TS-05"
                "a stale replace changes nothing" a_stale_replace_changes_nothing;
            ts_06_one_of_many_wins_each_revision "TS-06"
                "of many who expect one revision, exactly one gets Ok" one_of_many_wins_each_revision;
            ts_07_revisions_are_never_reused "TS-07"
                "a revision is never given out twice for an id" revisions_are_never_reused;
            ts_08_acknowledged_writes_survive_a_killed_process "TS-08"
                "what Ok acknowledged survives a killed process"
                acknowledged_writes_survive_a_killed_process, unless skipped_when_volatile;
            ts_08_durability_is_as_declared "TS-08"
                "a store claims the durability that its harness declares" durability_is_as_declared;
            ts_09_a_dropped_call_leaves_all_or_nothing "TS-09"
                "a dropped future had its whole effect or none" a_dropped_call_leaves_all_or_nothing;
            ts_10_paging_neither_repeats_nor_skips "TS-10"
                "paging shows every untouched record once" paging_neither_repeats_nor_skips;
            ts_11_due_is_exact_at_the_boundary "TS-11"
                "due is exact to the millisecond" due_is_exact_at_the_boundary;
            ts_12_unfinished_is_exact "TS-12"
                "unfinished lists exactly what is not finished" unfinished_is_exact;
            ts_13_unknown_formats_come_back_like_any_other "TS-13"
                "bodies are bytes, whatever wrote them" unknown_formats_come_back_like_any_other;
            ts_14_remove_succeeds_at_the_stored_revision "TS-14"
                "remove succeeds exactly at the stored revision" remove_succeeds_at_the_stored_revision;
            ts_15_refused_writes_change_nothing "TS-15"
                "a refused write changes nothing" refused_writes_change_nothing;
            ts_16_held_counts_the_records_of_one_principal "TS-16"
                "held is the number of records of one principal" held_counts_the_records_of_one_principal;
            ts_17_what_was_read_survives_a_killed_process "TS-17"
                "what a read yielded survives a killed process, acknowledged or not"
                what_was_read_survives_a_killed_process, unless skipped_when_volatile;
        }
    };
}

__task_store_laws!(slice FreshStore);

/// Tries the law whose test has this name; what [`task_store_contract!`](crate::task_store_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh store.
pub fn hold(harness: impl TaskStoreHarness, name: &str) {
    run::hold(LAWS, name, FreshStore::of(harness));
}
