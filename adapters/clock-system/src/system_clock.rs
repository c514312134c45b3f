//! The wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;

/// The wall clock of the operating system, to the millisecond. It may step in either direction.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemClock;

#[deny(clippy::missing_trait_methods, reason = "a clock answers every question of the port itself")]
#[async_trait]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        instant(SystemTime::now())
    }

    /// The runtime counts in a time of its own, so the clock is read again when it says that the time has come.
    async fn sleep_until(&self, at: Timestamp) {
        loop {
            let left = at.since(self.now());
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }
}

/// Instants before 1970 count backwards; what does not fit is the end of time on its side.
fn instant(time: SystemTime) -> Timestamp {
    let ms = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    };
    Timestamp::from_unix_ms(ms)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn instants_on_both_sides_of_1970_are_told() {
        assert_eq!(instant(UNIX_EPOCH), Timestamp::from_unix_ms(0));
        assert_eq!(instant(UNIX_EPOCH + Duration::from_micros(1_999)), Timestamp::from_unix_ms(1));
        assert_eq!(instant(UNIX_EPOCH - Duration::from_millis(1)), Timestamp::from_unix_ms(-1));
    }

    #[tokio::test]
    async fn an_instant_that_has_come_is_not_waited_for() {
        SystemClock.sleep_until(Timestamp::from_unix_ms(0)).await;
        let soon = SystemClock.now().after(Duration::from_millis(5));
        SystemClock.sleep_until(soon).await;
        assert!(SystemClock.now() >= soon);
    }

    #[test]
    fn the_clock_tells_the_time_of_the_system() {
        let before = instant(SystemTime::now());
        let now = SystemClock.now();
        let after = instant(SystemTime::now());
        assert!(before <= now && now <= after, "{before} <= {now} <= {after}");
    }
}
