//! What is looked at, one file a subject.

mod authorization;
mod discovery;
mod earlier;
mod ending;
mod era;
mod headers;
mod lists;
mod requests;
mod shape;

pub(crate) use authorization::authorization;
pub(crate) use discovery::{discovery, versions};
pub(crate) use earlier::{earlier, earlier_beside};
pub(crate) use ending::ending;
pub(crate) use era::{Door, Era};
pub(crate) use headers::headers;
pub(crate) use lists::lists;
pub(crate) use requests::requests;
