//! Where a stream leaves the server.

/// Names one way out of the server: a stdio connection with all its streams, or the response of one HTTP request.
///
/// Ids of subscriptions are unique within a door and nowhere else: two HTTP clients may well use the same one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DoorId(u64);

impl DoorId {
    /// The door with this number. Whoever numbers doors uses no number twice while the server runs.
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// The door's number, for logs.
    pub const fn as_number(self) -> u64 {
        self.0
    }
}
