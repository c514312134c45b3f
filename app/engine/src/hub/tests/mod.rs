//! The hub before scripted peers, under a clock that is moved by hand.

mod ending;
mod limits;
mod order;
mod pressure;
mod pulled;
mod stage;
