//! Which reports of progress are sent.

use std::collections::VecDeque;
use std::time::Duration;

use pm_mcp_domain::time::Timestamp;

/// One report.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Report {
    pub(crate) progress: f64,
    pub(crate) total: Option<f64>,
    pub(crate) message: Option<String>,
}

/// How many reports may go out in one go.
const BURST: u32 = 16;
/// How long it takes until one more may.
const REFILL: Duration = Duration::from_millis(50);

/// Lets reports through that grow, at a bounded rate; of those that come faster only the newest is kept, until its turn comes
/// ([Progress](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress)).
#[derive(Debug)]
pub(crate) struct Progress {
    last: f64,
    allowance: u32,
    refilled: Option<Timestamp>,
    ready: VecDeque<Report>,
    held: Option<Report>,
}

impl Default for Progress {
    fn default() -> Self {
        let (ready, held) = (VecDeque::new(), None);
        Self { last: f64::NEG_INFINITY, allowance: BURST, refilled: None, ready, held }
    }
}

impl Progress {
    /// Takes a report; says whether there is something new to send, now or at [`release_at`](Self::release_at).
    pub(crate) fn offer(&mut self, report: Report, now: Timestamp) -> bool {
        if !report.progress.is_finite() || report.progress <= self.last {
            return false;
        }
        self.last = report.progress;
        self.refill(now);
        if self.allowance == 0 {
            return self.held.replace(report).is_none();
        }
        self.allowance -= 1;
        self.held = None;
        self.ready.push_back(report);
        true
    }

    /// The next report to send.
    pub(crate) fn next(&mut self) -> Option<Report> {
        self.ready.pop_front()
    }

    /// When the report that is held back may go out, if there is one.
    pub(crate) fn release_at(&self) -> Option<Timestamp> {
        let since = self.refilled.filter(|_| self.held.is_some())?;
        Some(since.after(REFILL))
    }

    /// Lets the report that is held back go out if its time has come.
    pub(crate) fn release(&mut self, now: Timestamp) {
        self.refill(now);
        if self.allowance > 0
            && let Some(report) = self.held.take()
        {
            self.allowance -= 1;
            self.ready.push_back(report);
        }
    }

    /// The reports to send before the answer: those that are ready, then the newest that was held back.
    pub(crate) fn last(&mut self) -> Option<Report> {
        self.ready.pop_front().or_else(|| self.held.take())
    }

    fn refill(&mut self, now: Timestamp) {
        let since = *self.refilled.get_or_insert(now);
        if now < since {
            // The clock was set back; what is held must not wait until it has caught up.
            self.refilled = Some(now);
            return;
        }
        let more = now.since(since).as_millis() / REFILL.as_millis();
        if more > 0 {
            let more = u32::try_from(more).unwrap_or(BURST);
            self.allowance = self.allowance.saturating_add(more).min(BURST);
            self.refilled = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(progress: f64) -> Report {
        Report { progress, total: None, message: None }
    }

    #[test]
    fn only_reports_that_grow_are_sent() {
        let (mut gate, now) = (Progress::default(), Timestamp::from_unix_ms(0));
        for (progress, sent) in
            [(0.0, true), (0.0, false), (-1.0, false), (f64::NAN, false), (50.0, true), (49.0, false)]
        {
            assert_eq!(gate.offer(report(progress), now), sent, "{progress}");
        }
        assert_eq!(gate.next(), Some(report(0.0)));
        assert_eq!(gate.last(), Some(report(50.0)));
        assert_eq!(gate.last(), None);
    }

    #[test]
    fn a_flood_is_thinned_out_and_its_end_is_told() {
        let (mut gate, start) = (Progress::default(), Timestamp::from_unix_ms(0));
        let told = (0..1000).filter(|n| gate.offer(report(f64::from(*n)), start)).count();
        assert_eq!(told, 17, "sixteen to send and one that waits");
        let mut all = Vec::new();
        while let Some(report) = gate.last() {
            all.push(report.progress);
        }
        assert_eq!(all.len(), 17);
        assert_eq!(all.last(), Some(&999.0));
        let later = Timestamp::from_unix_ms(50);
        assert!(gate.offer(report(1000.0), later), "one more a twentieth of a second later");
        assert_eq!(gate.next(), Some(report(1000.0)));
        gate.offer(report(1001.0), later);
        assert_eq!(gate.next(), None);
    }

    #[test]
    fn what_is_held_back_has_its_time() {
        let (mut gate, start) = (Progress::default(), Timestamp::from_unix_ms(0));
        assert_eq!(gate.release_at(), None);
        for n in 0..20 {
            gate.offer(report(f64::from(n)), start);
        }
        while gate.next().is_some() {}
        assert_eq!(gate.release_at(), Some(Timestamp::from_unix_ms(50)));
        gate.release(Timestamp::from_unix_ms(49));
        assert_eq!(gate.next(), None);
        gate.release(Timestamp::from_unix_ms(50));
        assert_eq!((gate.next(), gate.next()), (Some(report(19.0)), None));
        assert_eq!(gate.release_at(), None);
    }

    #[test]
    fn a_clock_that_is_set_back_holds_nothing_for_long() {
        let (mut gate, start) = (Progress::default(), Timestamp::from_unix_ms(1_000_000));
        for n in 0..20 {
            gate.offer(report(f64::from(n)), start);
        }
        while gate.next().is_some() {}
        gate.release(Timestamp::from_unix_ms(0));
        assert_eq!(gate.release_at(), Some(Timestamp::from_unix_ms(50)));
    }
}
