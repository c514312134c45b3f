//! The table of the laws.

use crate::run;

use super::harness::{Sealers, StateSealerHarness, skipped_without_encryption};
use super::laws::{
    an_older_key_still_opens_and_a_dropped_one_does_not, another_context_opens_nothing,
    another_text_opens_nothing, equal_states_do_not_look_equal, keys_show_in_no_output,
    nothing_of_the_state_can_be_read, what_is_sealed_opens_unchanged,
};

/// Makes one test a law, each with sealers of the given [`StateSealerHarness`].
#[macro_export]
macro_rules! state_sealer_contract {
    ($harness:expr) => {
        $crate::__state_sealer_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __state_sealer_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what state_sealer $($with)+;
            ss_01_what_is_sealed_opens_unchanged "SS-01"
                "what was sealed opens unchanged in its context, by whoever has the key"
                what_is_sealed_opens_unchanged;
            ss_02_another_text_opens_nothing "SS-02"
                "any other text opens to nothing" another_text_opens_nothing;
            ss_02_another_context_opens_nothing "SS-02"
                "any other context opens to nothing" another_context_opens_nothing;
            ss_03_nothing_of_the_state_can_be_read "SS-03"
                "a sealer that encrypts shows nothing of the state"
                nothing_of_the_state_can_be_read, unless skipped_without_encryption;
            ss_03_equal_states_do_not_look_equal "SS-03"
                "a sealer that encrypts does not show whether two states are equal"
                equal_states_do_not_look_equal, unless skipped_without_encryption;
            ss_04_keys_show_in_no_output "SS-04"
                "keys show in no output of the sealer" keys_show_in_no_output;
            ss_05_an_older_key_still_opens_and_a_dropped_one_does_not "SS-05"
                "what an older key sealed still opens, what a dropped key sealed does not"
                an_older_key_still_opens_and_a_dropped_one_does_not;
        }
    };
}

__state_sealer_laws!(slice Sealers);

/// Tries the law whose test has this name; what [`state_sealer_contract!`](crate::state_sealer_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no sealer.
pub fn hold(harness: impl StateSealerHarness, name: &str) {
    run::hold(LAWS, name, Sealers::of(harness));
}
