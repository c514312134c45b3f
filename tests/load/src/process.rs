//! What the operating system knows of a process.

use std::fs;
use std::time::Duration;

/// A process at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Bytes of memory that it holds.
    pub(crate) resident: usize,
    pub(crate) descriptors: usize,
    pub(crate) sockets: usize,
    pub(crate) threads: usize,
    /// Processor time that it has used.
    pub(crate) used: Duration,
}

/// Looks at a process that lives.
pub(crate) fn look(process: u32) -> Sample {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the server lives");
    let number = |name: &str| -> usize {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
    };
    let (mut descriptors, mut sockets) = (0, 0);
    for entry in fs::read_dir(format!("/proc/{process}/fd")).expect("the server lives") {
        // One that was closed meanwhile is not counted.
        let Ok(target) = entry.and_then(|entry| fs::read_link(entry.path())) else { continue };
        descriptors += 1;
        sockets += usize::from(target.to_string_lossy().starts_with("socket:"));
    }
    Sample {
        resident: number("VmRSS:") << 10,
        descriptors,
        sockets,
        threads: number("Threads:"),
        used: used(process),
    }
}

/// Processor time, in the hundredths of a second that the kernel counts in.
pub(crate) fn used(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("the server lives");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<u64>().unwrap_or_default();
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}

/// The average load of the last minute, and how many processors there are.
pub(crate) fn machine() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown").to_owned();
    let processors = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{processors} processors, load average {load}")
}

pub(crate) fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
