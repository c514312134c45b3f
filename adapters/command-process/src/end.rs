//! Ending a process group.

/// A process group that is killed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    /// The group that a process leads.
    pub(crate) fn led_by(process: Option<u32>) -> Self {
        let leader = process.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        Self { leader }
    }

    /// Asks all processes of the group to end.
    pub(crate) fn ask_to_end(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(leader) = self.leader {
            let _ended_already = rustix::process::kill_process_group(leader, signal);
        }
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.signal(rustix::process::Signal::KILL);
    }
}

/// Elsewhere the process alone is killed, by its own handle.
#[cfg(not(unix))]
impl Group {
    pub(crate) fn led_by(_process: Option<u32>) -> Self {
        Self {}
    }

    pub(crate) fn ask_to_end(&self) {}
}
