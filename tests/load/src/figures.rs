//! How long things took, in little memory.

use std::time::Duration;

/// Parts of each power of two: a figure is true to an eighth.
const PARTS: usize = 8;

/// Times, sorted into slots that grow with them.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    slots: Vec<u64>,
    most: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self { slots: vec![0; 64 * PARTS], most: Duration::ZERO }
    }
}

impl Times {
    pub(crate) fn add(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX).max(PARTS as u64);
        let power = micros.ilog2();
        let part = (micros >> (power - PARTS.ilog2())) as usize - PARTS;
        self.slots[power as usize * PARTS + part] += 1;
        self.most = self.most.max(took);
    }

    /// Takes in all of another.
    pub(crate) fn join(&mut self, other: &Self) {
        self.slots.iter_mut().zip(&other.slots).for_each(|(own, more)| *own += more);
        self.most = self.most.max(other.most);
    }

    /// What so many of a thousand stayed below, to an eighth.
    pub(crate) fn permille(&self, wanted: u64) -> Duration {
        let all: u64 = self.slots.iter().sum();
        let mut left = (all * wanted).div_ceil(1_000);
        for (slot, count) in self.slots.iter().enumerate() {
            if *count >= left && left > 0 {
                let (power, part) = (slot / PARTS, slot % PARTS);
                let micros = ((PARTS + part + 1) as u64) << (power as u32 - PARTS.ilog2());
                return Duration::from_micros(micros).min(self.most);
            }
            left = left.saturating_sub(*count);
        }
        self.most
    }

    pub(crate) fn most(&self) -> Duration {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_below_is_true_to_an_eighth() {
        let mut times = Times::default();
        for micros in 1..=1_000_u64 {
            times.add(Duration::from_micros(micros * 10));
        }
        for (wanted, exact) in [(500_u64, 5_000_u64), (990, 9_900), (1_000, 10_000)] {
            let told = u64::try_from(times.permille(wanted).as_micros()).unwrap();
            assert!(told >= exact && told <= exact + exact / 8 + 8, "{wanted}: {told} for {exact}");
        }
        assert_eq!(times.most(), Duration::from_millis(10));
    }
}
