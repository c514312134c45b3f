//! Requests on a channel that several share: told apart by id, cancelled by message.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use foldhash::fast::RandomState;
use pm_mcp_domain::ident::RequestId;

/// The requests that are being served on one channel.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<Requests>);

type Requests = HashMap<IdText, Standing, RandomState>;

/// How one request stands. A cancellation is noted under the lock of the map and looked for there when the request ends, so
/// that it either finds the request, which is then not answered, or comes too late.
#[derive(Debug, Default)]
struct Standing {
    cancelled: bool,
    /// Who serves it, once that had to wait.
    waiting: Option<Waker>,
}

impl InFlight {
    /// Takes up a request; `None` when another with this id is being served.
    pub(crate) fn begin<'a>(&'a self, id: RequestId<'a>) -> Option<Serving<'a>> {
        match self.lock().entry(IdText::of(id)) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                place.insert(Standing::default());
                Some(Serving { requests: self, id, ended: false })
            }
        }
    }

    /// Cancels a request; one that is unknown or answered already is passed over.
    pub(crate) fn cancel(&self, id: RequestId<'_>) {
        let waiting = self.lock().get_mut(id.as_json().as_bytes()).and_then(|standing| {
            standing.cancelled = true;
            standing.waiting.take()
        });
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }

    fn remove(&self, id: RequestId<'_>) -> Option<Standing> {
        self.lock().remove(id.as_json().as_bytes())
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        // The map is whole between any two statements, so a panic elsewhere does not spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One request that is being served; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Serving<'a> {
    requests: &'a InFlight,
    id: RequestId<'a>,
    ended: bool,
}

impl Serving<'_> {
    /// Ready when the request is cancelled; else its task is woken when it is.
    pub(crate) fn poll_cancelled(&self, task: &Context<'_>) -> Poll<()> {
        match self.requests.lock().get_mut(self.id.as_json().as_bytes()) {
            Some(standing) if !standing.cancelled => {
                match &mut standing.waiting {
                    Some(waiting) => waiting.clone_from(task.waker()),
                    none => *none = Some(task.waker().clone()),
                }
                Poll::Pending
            }
            Some(_) | None => Poll::Ready(()),
        }
    }

    /// Ends the request; says whether it may still be answered. From here on a cancellation finds nothing.
    pub(crate) fn end(mut self) -> bool {
        self.ended = true;
        self.requests.remove(self.id).is_some_and(|standing| !standing.cancelled)
    }
}

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.requests.remove(self.id);
        }
    }
}

/// The JSON text of an id. A short one, as nearly all are, needs no memory of its own.
#[derive(Debug)]
enum IdText {
    Short { length: u8, text: [u8; SHORT] },
    Long(Box<[u8]>),
}

const SHORT: usize = 22;

impl IdText {
    fn of(id: RequestId<'_>) -> Self {
        let given = id.as_json().as_bytes();
        let mut text = [0; SHORT];
        match (text.get_mut(..given.len()), u8::try_from(given.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(given);
                Self::Short { length, text }
            }
            _ => Self::Long(Box::from(given)),
        }
    }

    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short { length, text } => text.get(..usize::from(*length)).unwrap_or(text),
            Self::Long(text) => text,
        }
    }
}

impl Borrow<[u8]> for IdText {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Hash for IdText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl PartialEq for IdText {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for IdText {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use serde_json::value::RawValue;

    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn ids_of_any_length_are_told_apart() {
        let texts = [
            "1",
            "\"1\"",
            "\"12345678901234567890\"",
            "\"123456789012345678901\"",
            "\"12345678901234567890a\"",
        ];
        let held: Vec<Box<RawValue>> = texts.iter().map(|text| raw(text)).collect();
        let requests = InFlight::default();
        let ids: Vec<RequestId<'_>> = held.iter().map(|raw| RequestId::parse(raw).unwrap()).collect();
        let serving: Vec<Serving<'_>> = ids.iter().map(|id| requests.begin(*id).unwrap()).collect();
        assert!(ids.iter().all(|id| requests.begin(*id).is_none()));
        requests.cancel(ids[2]);
        requests.cancel(ids[3]);
        let answered: Vec<bool> = serving.into_iter().map(Serving::end).collect();
        assert_eq!(answered, [true, true, false, false, true]);
        assert!(requests.lock().is_empty());
    }

    #[test]
    fn a_cancellation_wakes_whoever_waits_and_one_that_comes_late_finds_nothing() {
        let held = raw("7");
        let (requests, id) = (InFlight::default(), RequestId::parse(&held).unwrap());
        let task = Context::from_waker(Waker::noop());
        let serving = requests.begin(id).unwrap();
        assert!(serving.poll_cancelled(&task).is_pending());
        requests.cancel(id);
        assert!(serving.poll_cancelled(&task).is_ready());
        assert!(!serving.end());
        requests.cancel(id);
        let again = requests.begin(id).unwrap();
        assert!(again.poll_cancelled(&task).is_pending());
        drop(again);
        assert!(requests.lock().is_empty());
    }
}
