//! How large a task may grow.

/// Bounds of one task, so that its record stays within what every store takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskLimits {
    /// How many questions a task may ask in its lifetime.
    pub questions: usize,
    /// The longest question, in bytes of JSON.
    pub question_bytes: usize,
    /// The longest status message, in bytes of UTF-8.
    pub message_bytes: usize,
    /// The longest result or error, in bytes of JSON.
    pub result_bytes: usize,
}

impl Default for TaskLimits {
    /// 64 questions of 64 KiB, messages of 4 KiB, results of 4 MiB.
    fn default() -> Self {
        Self { questions: 64, question_bytes: 64 << 10, message_bytes: 4 << 10, result_bytes: 4 << 20 }
    }
}
