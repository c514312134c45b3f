//! How long a task may be kept.

use thiserror::Error;

use crate::time::TimeToLive;

/// How long a task is kept, counted from its creation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// For this long; never zero.
    For(TimeToLive),
    /// Until someone removes it.
    Unlimited,
}

/// The lifetime that a host wishes for a task.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LifetimeWish {
    /// What is usual.
    #[default]
    Usual,
    /// A number of milliseconds, as it was given.
    Milliseconds(i64),
    /// No end.
    Unlimited,
}

/// What lifetimes a server grants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LifetimeLimits {
    usual: TimeToLive,
    longest: TimeToLive,
    unlimited: bool,
}

impl LifetimeLimits {
    /// The longest lifetime that can be set: the largest whole number that every JSON reader keeps exact.
    pub const CEILING: TimeToLive = TimeToLive::from_ms((1 << 53) - 1);

    /// Grants `usual` where nothing is wished, and `longest` at the most. Unlimited lifetimes are not granted.
    ///
    /// # Errors
    ///
    /// [`LifetimeError::Limits`] unless `0 < usual <= longest <= CEILING`.
    pub const fn new(usual: TimeToLive, longest: TimeToLive) -> Result<Self, LifetimeError> {
        let (low, high) = (usual.as_ms(), longest.as_ms());
        if low == 0 || low > high || high > Self::CEILING.as_ms() {
            return Err(LifetimeError::Limits);
        }
        Ok(Self { usual, longest, unlimited: false })
    }

    /// Grants unlimited lifetimes too. Such tasks stay in the store until someone removes them.
    #[must_use]
    pub const fn with_unlimited(self) -> Self {
        Self { unlimited: true, ..self }
    }

    /// The lifetime that a wish is granted. One that is too long is cut to the longest.
    ///
    /// # Errors
    ///
    /// [`LifetimeError::NotPositive`] for zero and less, [`LifetimeError::Unlimited`] where that is not granted.
    pub fn grant(&self, wish: LifetimeWish) -> Result<Lifetime, LifetimeError> {
        match wish {
            LifetimeWish::Usual => Ok(Lifetime::For(self.usual)),
            LifetimeWish::Milliseconds(ms) => match u64::try_from(ms) {
                Ok(0) | Err(_) => Err(LifetimeError::NotPositive { ms }),
                Ok(wished) => Ok(Lifetime::For(TimeToLive::from_ms(wished).min(self.longest))),
            },
            LifetimeWish::Unlimited if self.unlimited => Ok(Lifetime::Unlimited),
            LifetimeWish::Unlimited => Err(LifetimeError::Unlimited),
        }
    }
}

impl Default for LifetimeLimits {
    /// An hour where nothing is wished, a week at the most.
    fn default() -> Self {
        const HOUR: u64 = 3_600_000;
        Self {
            usual: TimeToLive::from_ms(HOUR),
            longest: TimeToLive::from_ms(7 * 24 * HOUR),
            unlimited: false,
        }
    }
}

/// A lifetime that is not granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LifetimeError {
    /// It is zero or negative.
    #[error("a task's lifetime of {ms} ms is not positive; give a positive number of milliseconds")]
    NotPositive {
        /// What was wished.
        ms: i64,
    },
    /// It has no end.
    #[error(
        "unlimited task lifetimes are not granted; give a number, or let the server grant unlimited ones"
    )]
    Unlimited,
    /// The limits themselves do not fit each other.
    #[error("task lifetimes need 0 < usual <= longest <= {} ms", LifetimeLimits::CEILING.as_ms())]
    Limits,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> TimeToLive {
        TimeToLive::from_ms(ms)
    }

    #[test]
    fn wishes_are_granted_cut_or_refused() {
        let limits = LifetimeLimits::new(ms(100), ms(1000)).unwrap();
        for (wish, granted) in [
            (LifetimeWish::Usual, Ok(Lifetime::For(ms(100)))),
            (LifetimeWish::Milliseconds(1), Ok(Lifetime::For(ms(1)))),
            (LifetimeWish::Milliseconds(1000), Ok(Lifetime::For(ms(1000)))),
            (LifetimeWish::Milliseconds(1001), Ok(Lifetime::For(ms(1000)))),
            (LifetimeWish::Milliseconds(i64::MAX), Ok(Lifetime::For(ms(1000)))),
            (LifetimeWish::Milliseconds(0), Err(LifetimeError::NotPositive { ms: 0 })),
            (LifetimeWish::Milliseconds(-1), Err(LifetimeError::NotPositive { ms: -1 })),
            (LifetimeWish::Milliseconds(i64::MIN), Err(LifetimeError::NotPositive { ms: i64::MIN })),
            (LifetimeWish::Unlimited, Err(LifetimeError::Unlimited)),
        ] {
            assert_eq!(limits.grant(wish), granted, "{wish:?}");
        }
        assert_eq!(limits.with_unlimited().grant(LifetimeWish::Unlimited), Ok(Lifetime::Unlimited));
    }

    #[test]
    fn limits_must_fit_each_other() {
        for (usual, longest) in [(0, 1), (2, 1), (1, (1 << 53))] {
            assert_eq!(LifetimeLimits::new(ms(usual), ms(longest)), Err(LifetimeError::Limits));
        }
    }
}
