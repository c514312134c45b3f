//! Multi round-trip requests: what may be asked, what comes back, and what a client carries between the rounds
//! ([Multi Round-Trip Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr)).
//!
//! A handler asks in the middle of its work. The request ends, the client brings the answer with a new request, and the
//! handler runs again with all answers so far. [`State`] is what travels in between; [`Claims`] bind it to one caller,
//! one request and a short time. How it is sealed is a port's business.

mod answer;
mod claims;
mod form;
mod key;
mod nonce;
mod question;
mod state;

pub use answer::{Answer, AnswerFault, ElicitAction, parse_responses};
pub use claims::{Claims, ContinuationRefusal};
pub use form::{FormFault, FormSchema};
pub use key::{InputKey, KeyFault};
pub use nonce::Nonce;
pub use question::{Question, QuestionFault, Questions, SamplingParams};
pub use state::{State, StateFault, StateLimits};
