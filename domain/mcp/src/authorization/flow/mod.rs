//! The way from a refusal to tokens, as a state machine that does nothing itself.
//!
//! [`Flow::begin`] and [`Flow::next`] say what to do, whoever drives it does that and says what came of it:
//!
//! | Step | Done by the driver | What may follow |
//! |---|---|---|
//! | the resource says who issues tokens for it | a fetch | the next place, the issuer |
//! | the issuer says where and how it is asked | a fetch | the next place, the next issuer, the stored credential |
//! | what is kept of the issuer | a hold and a read | the end, a refresh, a registration, the user |
//! | the client becomes known | a fetch or a question, and a write | the user |
//! | the user consents | a visit to the issuer's page | the code is redeemed |
//! | the code is redeemed, or the refresh token spent | a fetch | a write |
//! | what was gained is kept, or what is void forgotten | a write | the end, the user |
//!
//! From the stored credential on to the end, the driver holds the issuer, so that others who share the store wait and then
//! find what was gained.

mod action;
mod fault;
mod grant;
mod known;
mod machine;
mod step;
mod turn;

pub use action::{Action, Event, Fetch, FetchBody};
pub use fault::FlowFault;
pub use grant::GrantKind;
pub use known::{Granted, KnownServer};
pub use machine::{Flow, FlowRandom, FlowSettings, Wanted};
