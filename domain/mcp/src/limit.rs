//! The names of the limits: one vocabulary for settings, refusals and counters.

use core::fmt;

/// One of the limits that a server holds its peers to. Closed on purpose: whoever lists limits hears of a new one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// Requests that are served at the same time, streams not counted.
    Requests,
    /// Those of one principal.
    RequestsPerPrincipal,
    /// How long a handler may work on one request.
    RequestTime,
    /// How deep arrays and objects may stand within one another in a message.
    JsonDepth,
    /// Bytes of one line on stdio.
    FrameBytes,
    /// Bytes of one HTTP request body.
    BodyBytes,
    /// How long one HTTP request body may take.
    BodyReadTime,
    /// Bytes and number of the headers of one HTTP request.
    HeaderBytes,
    /// How long a new connection may take to send its first head.
    HeaderReadTime,
    /// How long a connection may go without another request.
    IdleTime,
    /// HTTP connections that are served at the same time.
    Connections,
    /// Requests of one stdio session that are served at the same time.
    InFlight,
    /// Subscription streams that are open at the same time.
    Streams,
    /// Those of one principal.
    StreamsPerPrincipal,
    /// Bytes of the id of a stream.
    StreamIdBytes,
    /// Changes that wait for one stream.
    QueueEntries,
    /// Bytes that wait for one stream.
    QueueBytes,
    /// How long a peer may take to accept one message of a stream.
    WriteDeadline,
    /// Tasks that the store keeps.
    Tasks,
    /// Those of one principal.
    TasksPerPrincipal,
    /// Bytes of the result or error of a task.
    TaskResultBytes,
    /// Questions of one task.
    TaskQuestions,
    /// Bytes of one question of a task.
    TaskQuestionBytes,
    /// Bytes of a status message of a task.
    TaskMessageBytes,
}

impl Limit {
    /// Every limit, in the order of their declaration.
    pub const ALL: [Self; 24] = [
        Self::Requests,
        Self::RequestsPerPrincipal,
        Self::RequestTime,
        Self::JsonDepth,
        Self::FrameBytes,
        Self::BodyBytes,
        Self::BodyReadTime,
        Self::HeaderBytes,
        Self::HeaderReadTime,
        Self::IdleTime,
        Self::Connections,
        Self::InFlight,
        Self::Streams,
        Self::StreamsPerPrincipal,
        Self::StreamIdBytes,
        Self::QueueEntries,
        Self::QueueBytes,
        Self::WriteDeadline,
        Self::Tasks,
        Self::TasksPerPrincipal,
        Self::TaskResultBytes,
        Self::TaskQuestions,
        Self::TaskQuestionBytes,
        Self::TaskMessageBytes,
    ];

    /// The name under which refusals, settings and counters know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::RequestsPerPrincipal => "requests_per_principal",
            Self::RequestTime => "request_time",
            Self::JsonDepth => "json_depth",
            Self::FrameBytes => "max_frame_bytes",
            Self::BodyBytes => "body_bytes",
            Self::BodyReadTime => "body_read_time",
            Self::HeaderBytes => "header_bytes",
            Self::HeaderReadTime => "header_read_time",
            Self::IdleTime => "idle_time",
            Self::Connections => "connections",
            Self::InFlight => "max_in_flight",
            Self::Streams => "streams",
            Self::StreamsPerPrincipal => "streams_per_principal",
            Self::StreamIdBytes => "id_bytes",
            Self::QueueEntries => "queue_entries",
            Self::QueueBytes => "queue_bytes",
            Self::WriteDeadline => "write_deadline",
            Self::Tasks => "tasks",
            Self::TasksPerPrincipal => "tasks_per_principal",
            Self::TaskResultBytes => "result_bytes",
            Self::TaskQuestions => "questions",
            Self::TaskQuestionBytes => "question_bytes",
            Self::TaskMessageBytes => "message_bytes",
        }
    }

    /// Its place among [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_place_and_a_name_of_its_own() {
        for (place, limit) in Limit::ALL.into_iter().enumerate() {
            assert_eq!(limit.index(), place, "{limit}");
            assert_eq!(Limit::ALL.iter().filter(|other| other.name() == limit.name()).count(), 1, "{limit}");
        }
    }
}
