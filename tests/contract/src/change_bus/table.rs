//! The table of the laws.

use crate::run;

use super::harness::{ChangeBusHarness, FreshBus};
use super::laws::{
    a_change_arrives_whole, a_dropped_feed_costs_nothing, a_dropped_wait_takes_nothing,
    a_feed_that_is_not_read_lags, every_feed_of_the_others_hears_in_order, nobody_hears_itself,
    nothing_from_before_is_heard, what_was_sent_outlives_its_member,
};

/// Makes one test a law, each with a fresh bus of the given [`ChangeBusHarness`].
#[macro_export]
macro_rules! change_bus_contract {
    ($harness:expr) => {
        $crate::__change_bus_laws!(tests $harness);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __change_bus_laws {
    ($what:ident $($with:tt)+) => {
        $crate::__laws! { $what change_bus $($with)+;
            cb_01_every_feed_of_the_others_hears_in_order "CB-01"
                "every feed of the other members hears each change once, in the order of publishing"
                every_feed_of_the_others_hears_in_order;
            cb_02_nobody_hears_itself "CB-02"
                "no feed of a member hears what the member published" nobody_hears_itself;
            cb_03_nothing_from_before_is_heard "CB-03"
                "no feed hears what was published before it was attached" nothing_from_before_is_heard;
            cb_04_a_feed_that_is_not_read_lags "CB-04"
                "a feed that is not read holds back nobody, is told that it lagged, and goes on with newer changes"
                a_feed_that_is_not_read_lags;
            cb_05_a_dropped_wait_takes_nothing "CB-05"
                "a wait that is dropped has taken nothing" a_dropped_wait_takes_nothing;
            cb_06_a_dropped_feed_costs_nothing "CB-06"
                "a feed that was dropped harms neither publishing nor other feeds" a_dropped_feed_costs_nothing;
            cb_07_a_change_arrives_whole "CB-07"
                "a change arrives as it was published, of whatever kind" a_change_arrives_whole;
            cb_08_what_was_sent_outlives_its_member "CB-08"
                "what was sent is heard although its member is gone" what_was_sent_outlives_its_member;
        }
    };
}

__change_bus_laws!(slice FreshBus);

/// Tries the law whose test has this name; what [`change_bus_contract!`](crate::change_bus_contract) calls.
///
/// # Panics
///
/// When the law does not hold, and when the harness has no fresh bus.
pub fn hold(harness: impl ChangeBusHarness, name: &str) {
    run::hold(LAWS, name, FreshBus::of(harness));
}
