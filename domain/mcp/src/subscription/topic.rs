//! What a change is about.

use alloc::sync::Arc;

/// What a change is about, exactly.
///
/// A filter is a set of topics and a change has one, so that wanting is equality; a URI stands for itself and for
/// nothing below it. Of two changes of one topic that wait for the same stream, only the newer need be sent.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources.
    Resources,
    /// The resource with this URI, letter for letter.
    Resource(Arc<str>),
    /// The task with this id.
    Task(Arc<str>),
}
