//! The table of the laws.

use crate::run;

use super::harness::{CursorSignerHarness, Signers};
use super::laws::{another_text_opens_nothing, the_key_shows_in_no_output, what_is_signed_opens_unchanged};

/// Makes one test a law, each with signers of the given [`CursorSignerHarness`].
#[macro_export]
macro_rules! cursor_signer_contract {
    ($harness:expr) => {
        $crate::__cursor_signer_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __cursor_signer_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what cursor_signer $($with)+;
            cs_01_what_is_signed_opens_unchanged "CS-01"
                "what was signed opens unchanged, by whoever has the key" what_is_signed_opens_unchanged;
            cs_02_another_text_opens_nothing "CS-02"
                "any other text opens to nothing" another_text_opens_nothing;
            cs_03_the_key_shows_in_no_output "CS-03"
                "the key shows in no output of the signer" the_key_shows_in_no_output;
        }
    };
}

__cursor_signer_laws!(slice Signers);

/// Tries the law whose test has this name; what [`cursor_signer_contract!`](crate::cursor_signer_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no signer.
pub fn hold(harness: impl CursorSignerHarness, name: &str) {
    run::hold(LAWS, name, Signers::of(harness));
}
