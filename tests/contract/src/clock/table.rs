//! The table of the laws.

use crate::run;

use super::harness::{ClockHarness, TriedClock};
use super::laws::{
    a_dropped_sleep_has_no_effect, a_reached_instant_is_ready_at_once, a_sleep_does_not_end_early,
};

/// Makes one test a law, each with a clock of the given [`ClockHarness`]. They take a fraction of a second of the clock's
/// own time.
#[macro_export]
macro_rules! clock_contract {
    ($harness:expr) => {
        $crate::__clock_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __clock_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what clock $($with)+;
            cl_01_a_reached_instant_is_ready_at_once "CL-01"
                "sleep_until an instant that now has reached is ready at once" a_reached_instant_is_ready_at_once;
            cl_02_a_sleep_does_not_end_early "CL-02"
                "sleep_until never ends before the clock shows the instant" a_sleep_does_not_end_early;
            cl_03_a_dropped_sleep_has_no_effect "CL-03"
                "a dropped sleep_until has no effect" a_dropped_sleep_has_no_effect;
        }
    };
}

__clock_laws!(slice TriedClock);

/// Tries the law whose test has this name; what [`clock_contract!`](crate::clock_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no clock.
pub fn hold(harness: impl ClockHarness, name: &str) {
    run::hold(LAWS, name, TriedClock::of(harness));
}
