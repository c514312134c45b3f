//! The table of the laws.

use crate::run;

use super::harness::{
    FreshSkills, SkillSourceHarness, skipped_unless_spoiled, skipped_without_bad, skipped_without_large,
    skipped_without_outside,
};
use super::laws::{
    a_bad_skill_takes_nothing_from_the_others, each_skill_is_listed_once_by_path,
    every_listed_skill_is_found, listed_files_read_as_listed, nothing_outside_is_read,
    one_skill_is_loaded_by_itself, what_is_not_listed_reads_as_nothing, what_is_too_large_is_left_out,
};

/// Makes one test a law, each with a fresh source of the given [`SkillSourceHarness`].
#[macro_export]
macro_rules! skill_source_contract {
    ($harness:expr) => {
        $crate::__skill_source_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __skill_source_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what skill_source $($with)+;
            sk_01_each_skill_is_listed_once_by_path "SK-01"
                "each skill is listed once, ordered by path" each_skill_is_listed_once_by_path;
            sk_02_every_listed_skill_is_found "SK-02"
                "every skill that is listed is found, as it is listed" every_listed_skill_is_found;
            sk_03_listed_files_read_as_listed "SK-03"
                "a listed file reads as bytes of the listed digest and size" listed_files_read_as_listed;
            sk_03_what_is_not_listed_reads_as_nothing "SK-03"
                "what no skill lists reads as nothing" what_is_not_listed_reads_as_nothing;
            sk_04_a_bad_skill_takes_nothing_from_the_others "SK-04"
                "a bad skill is left out, and the others stay"
                a_bad_skill_takes_nothing_from_the_others, unless skipped_without_bad;
            sk_05_one_skill_is_loaded_by_itself "SK-05"
                "a skill is loaded also when no other can be read"
                one_skill_is_loaded_by_itself, unless skipped_unless_spoiled;
            sk_06_what_is_too_large_is_left_out "SK-06"
                "a skill that is larger than the bound is left out"
                what_is_too_large_is_left_out, unless skipped_without_large;
            sk_06_nothing_outside_is_read "SK-06"
                "nothing is read from outside the source"
                nothing_outside_is_read, unless skipped_without_outside;
        }
    };
}

__skill_source_laws!(slice FreshSkills);

/// Tries the law whose test has this name; what [`skill_source_contract!`](crate::skill_source_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh source.
pub fn hold(harness: impl SkillSourceHarness, name: &str) {
    run::hold(LAWS, name, FreshSkills::of(harness));
}
