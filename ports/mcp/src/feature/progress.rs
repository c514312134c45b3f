//! What a report of progress says, in whatever a handler has at hand.

/// How far the work is: any number.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct ProgressAmount(f64);

/// How far the work goes: any number, or `None` where nobody knows.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct ProgressTotal(Option<f64>);

/// What is being done, for people: a text, or `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatusMessage(Option<String>);

impl ProgressAmount {
    pub(super) fn as_f64(self) -> f64 {
        self.0
    }
}

impl ProgressTotal {
    pub(super) fn as_f64(self) -> Option<f64> {
        self.0
    }
}

impl StatusMessage {
    pub(super) fn into_text(self) -> Option<String> {
        self.0
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl From<$number> for ProgressAmount {
            /// Counts beyond 2⁵³ are rounded.
            fn from(number: $number) -> Self {
                Self(number as f64)
            }
        }

        impl From<$number> for ProgressTotal {
            /// Counts beyond 2⁵³ are rounded.
            fn from(number: $number) -> Self {
                Self(Some(number as f64))
            }
        }
    )+};
}

numbers!(f32, f64, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

impl From<Option<f64>> for ProgressTotal {
    fn from(total: Option<f64>) -> Self {
        Self(total)
    }
}

impl From<&str> for StatusMessage {
    fn from(message: &str) -> Self {
        Self(Some(message.to_owned()))
    }
}

impl From<String> for StatusMessage {
    fn from(message: String) -> Self {
        Self(Some(message))
    }
}

impl From<Option<String>> for StatusMessage {
    fn from(message: Option<String>) -> Self {
        Self(message)
    }
}
