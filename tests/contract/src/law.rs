//! A law of a port, and what it means that it does not hold.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A law that does not hold: what was seen instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What was seen, for whoever mends the adapter.
    pub seen: String,
}

impl Violation {
    /// A violation that shows in this.
    pub fn new(seen: impl Into<String>) -> Self {
        Self { seen: seen.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.seen)
    }
}

impl<E: std::error::Error> From<E> for Violation {
    /// An error where the law asks for success, with all its sources.
    fn from(error: E) -> Self {
        let mut seen = format!("an operation failed: {error}");
        let mut source = error.source();
        while let Some(cause) = source {
            seen.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self { seen }
    }
}

/// What a check found.
pub type Outcome = Result<(), Violation>;

/// A check that is under way.
pub type Checking = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// One law of a port whose adapters are tried as an `S`: a fresh adapter and what belongs to it.
pub struct Law<S: 'static> {
    /// The number that the port's documentation gives it, such as `TS-05`.
    pub id: &'static str,
    /// The name of its test. One law may have several, each for one side of it.
    pub name: &'static str,
    /// What the law says.
    pub claim: &'static str,
    /// Why the law does not apply to this adapter; `None` when it does.
    pub skipped: fn(&S) -> Option<&'static str>,
    /// Tries the law on a fresh adapter.
    pub check: fn(S) -> Checking,
}

impl<S> fmt::Debug for Law<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Law")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("claim", &self.claim)
            .finish_non_exhaustive()
    }
}

/// Ends the check when what the law says is not so.
macro_rules! ensure {
    ($holds:expr, $($seen:tt)+) => {
        if !$holds {
            return Err($crate::Violation::new(format!($($seen)+)));
        }
    };
}

pub(crate) use ensure;

/// What a table of laws becomes: `slice` makes the programmatic list with its documentation, `tests` one test a row.
#[doc(hidden)]
#[macro_export]
macro_rules! __laws {
    (slice $port:ident $subject:ty; $($name:ident $id:literal $claim:literal $check:path $(, unless $skipped:path)?;)*) => {
        /// Every law that the kit tries, in the order of the port's documentation:
        ///
        $(#[doc = concat!("- ", $id, ": ", $claim, " (`", stringify!($name), "`)")])*
        pub const LAWS: &[$crate::Law<$subject>] = &[$($crate::Law {
            id: $id,
            name: stringify!($name),
            claim: $claim,
            skipped: $crate::__laws!(@skipped $($skipped)?),
            check: |subject| Box::pin($check(subject)),
        }),*];
    };
    (tests $port:ident $harness:expr; $($name:ident $id:literal $claim:literal $check:path $(, unless $skipped:path)?;)*) => {
        $(
            #[doc = $claim]
            #[test]
            fn $name() {
                $crate::$port::hold($harness, stringify!($name));
            }
        )*
    };
    (@skipped) => { |_| None };
    (@skipped $skipped:path) => { $skipped };
}
