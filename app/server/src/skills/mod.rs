//! Skills that the bundled servers publish: their own, which explain how to use them, and those of each repository.

mod publish;
mod shipped;

pub(crate) use publish::publish;
