//! The table of the laws.

use crate::run;

use super::harness::{FreshVerifier, TokenVerifierHarness, skipped_without_end, skipped_without_issuer};
use super::laws::{
    a_changed_token_is_invalid, a_token_of_somebody_else_is_invalid, a_token_that_ended_is_told_as_such,
    an_authentic_token_gives_its_grant, an_outage_is_no_verdict, answers_depend_on_the_token_alone,
    nothing_of_a_token_shows,
};

/// Makes one test a law, each with a fresh verifier of the given [`TokenVerifierHarness`].
#[macro_export]
macro_rules! token_verifier_contract {
    ($harness:expr) => {
        $crate::__token_verifier_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __token_verifier_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what token_verifier $($with)+;
            tv_01_an_authentic_token_gives_its_grant "TV-01"
                "an authentic token gives what its issuer set, letter for letter"
                an_authentic_token_gives_its_grant;
            tv_02_a_changed_token_is_invalid "TV-02"
                "a token that was cut, lengthened or changed in one character is invalid"
                a_changed_token_is_invalid;
            tv_02_a_token_of_somebody_else_is_invalid "TV-02"
                "a token that somebody else made, or that was taken back, is invalid"
                a_token_of_somebody_else_is_invalid;
            tv_03_a_token_that_ended_is_told_as_such "TV-03"
                "a token whose time is over is expired, never invalid"
                a_token_that_ended_is_told_as_such, unless skipped_without_end;
            tv_04_an_outage_is_no_verdict "TV-04"
                "while the verifier cannot tell, it says so"
                an_outage_is_no_verdict, unless skipped_without_issuer;
            tv_05_answers_depend_on_the_token_alone "TV-05"
                "equal tokens give equal answers, whoever asks and in whatever order"
                answers_depend_on_the_token_alone;
            tv_06_nothing_of_a_token_shows "TV-06"
                "neither tokens nor keys show in grants, errors and Debug" nothing_of_a_token_shows;
        }
    };
}

__token_verifier_laws!(slice FreshVerifier);

/// Tries the law whose test has this name; what [`token_verifier_contract!`](crate::token_verifier_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh verifier.
pub fn hold(harness: impl TokenVerifierHarness, name: &str) {
    run::hold(LAWS, name, FreshVerifier::of(harness));
}
