//! The program's requests, by small numbers that are reused.

use crate::abi::{Abi, Handle};
use crate::language::{HandleKind, Language};
use loggia_trace::call::{CompletedRequest, MatchedMessage};
use rustc_hash::FxHashMap;
use std::ffi::c_void;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    number: u32,
    handle: Handle,
    /// Whether its status is needed: of a receive from any source or with any tag, and of a cancelled
    /// request.
    returns_envelope: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    returns_envelope: bool,
    /// Persistent: it keeps its handle.
    stays: bool,
    active: bool,
    /// The next request with the same handle: a library may use one handle for several completed
    /// requests.
    next: u32,
    /// The last call with this request.
    asked: u64,
}

/// All open requests.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    slots: Vec<Slot>,
    unused: Vec<u32>,
    /// The first and the last request with a handle.
    by_handle: FxHashMap<Handle, (u32, u32)>,
    /// Number of calls.
    calls: u64,
    spare: Vec<CallRequests>,
}

/// The requests of a call, in the order of its array.
#[derive(Debug, Default)]
pub(crate) struct CallRequests {
    /// `None` for null requests.
    requests: Vec<Option<Request>>,
    /// The completed ones.
    pub(crate) done: Vec<CompletedRequest>,
    /// Buffer for statuses that the program ignores.
    room: Vec<u64>,
}

impl Requests {
    /// A new one.
    #[inline]
    pub(crate) fn add(&mut self, handle: Handle, returns_envelope: bool, stays: bool) -> u32 {
        let slot = Slot { returns_envelope, stays, active: !stays, next: NONE, asked: 0 };
        let number = match self.unused.pop() {
            Some(number) => {
                self.slots[number as usize] = slot;
                number
            }
            None => {
                self.slots.push(slot);
                (self.slots.len() - 1) as u32
            }
        };
        match self.by_handle.get_mut(&handle) {
            None => {
                self.by_handle.insert(handle, (number, number));
            }
            Some((_, last)) => {
                self.slots[*last as usize].next = number;
                *last = number;
            }
        }
        number
    }

    /// The first active request with this handle that this call has not used yet.
    #[inline]
    fn find(&mut self, handle: Handle) -> Option<Request> {
        let (mut number, _) = *self.by_handle.get(&handle)?;
        while let Some(slot) = self.slots.get_mut(number as usize) {
            if slot.active && slot.asked != self.calls {
                slot.asked = self.calls;
                return Some(Request { number, handle, returns_envelope: slot.returns_envelope });
            }
            number = slot.next;
        }
        None
    }

    /// Starts a persistent request.
    pub(crate) fn start(&mut self, handle: Handle) -> Option<u32> {
        let (number, _) = *self.by_handle.get(&handle)?;
        self.slots[number as usize].active = true;
        Some(number)
    }

    /// The first request with this handle.
    pub(crate) fn number(&self, handle: Handle) -> Option<u32> {
        self.by_handle.get(&handle).map(|(first, _)| *first)
    }

    /// The program cancels the first request with this handle, perhaps too late.
    pub(crate) fn take_back(&mut self, handle: Handle) -> Option<u32> {
        let number = self.number(handle)?;
        self.slots[number as usize].returns_envelope = true;
        Some(number)
    }

    /// Marks a request as complete.
    #[inline]
    fn end(&mut self, request: Request) {
        let slot = &mut self.slots[request.number as usize];
        if slot.stays {
            slot.active = false;
        } else {
            self.forget(request.handle, request.number);
        }
    }

    /// The handle is no longer valid.
    pub(crate) fn give_up(&mut self, handle: Handle) -> Option<u32> {
        let number = self.number(handle)?;
        self.forget(handle, number);
        Some(number)
    }

    fn forget(&mut self, handle: Handle, number: u32) {
        let Some((first, last)) = self.by_handle.get_mut(&handle) else { return };
        let next = self.slots[number as usize].next;
        match (*first == number, next) {
            (true, NONE) => {
                self.by_handle.remove(&handle);
            }
            (true, next) => *first = next,
            (false, next) => {
                let mut before = *first;
                while self.slots[before as usize].next != number {
                    before = self.slots[before as usize].next;
                }
                self.slots[before as usize].next = next;
                if next == NONE {
                    *last = before;
                }
            }
        }
        self.unused.push(number);
    }

    /// What a call asks for.
    ///
    /// # Safety
    /// `handles` points to `count` requests.
    pub(crate) unsafe fn asked<L: Language>(
        &mut self,
        abi: &Abi,
        count: usize,
        handles: *mut c_void,
    ) -> CallRequests {
        let mut asked = self.spare.pop().unwrap_or_default();
        self.calls += 1;
        for index in 0..count {
            // SAFETY: the caller guarantees it.
            let handle = unsafe { L::handle_at(abi, HandleKind::Request, handles, index) };
            asked.requests.push(match handle == abi.no_request {
                true => None,
                false => self.find(handle),
            });
        }
        asked
    }

    /// Notes which of them have completed, by their indices in the array; `met` returns the message of
    /// the status at an index, if there is one.
    pub(crate) fn ended(
        &mut self,
        asked: &mut CallRequests,
        places: impl IntoIterator<Item = usize>,
        mut met: impl FnMut(usize) -> Option<MatchedMessage>,
    ) {
        for (index, place) in places.into_iter().enumerate() {
            let Some(&Some(request)) = asked.requests.get(place) else { continue };
            let met = request.returns_envelope.then(|| met(index)).flatten();
            asked.done.push(CompletedRequest { request: request.number, met });
            self.end(request);
        }
    }

    /// The lists may be used again.
    pub(crate) fn put_back(&mut self, mut asked: CallRequests) {
        asked.requests.clear();
        asked.done.clear();
        self.spare.push(asked);
    }
}

impl CallRequests {
    pub(crate) fn len(&self) -> usize {
        self.requests.len()
    }

    /// Where statuses are written: to the program's memory, unless it ignores them and a wildcard
    /// receive needs one.
    pub(crate) fn statuses<L: Language>(
        &mut self,
        abi: &Abi,
        count: usize,
        wanted: *mut c_void,
    ) -> *mut c_void {
        let returns_envelope =
            self.requests.iter().flatten().any(|request| request.returns_envelope);
        if !returns_envelope || !L::is_no_status(abi, wanted) {
            return wanted;
        }
        self.room.resize((count * abi.status).div_ceil(8), 0);
        self.room.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn done(requests: &mut Requests, handles: &[Handle], places: &[usize]) -> Vec<u32> {
        let mut asked = CallRequests::default();
        requests.calls += 1;
        for handle in handles {
            asked.requests.push(requests.find(*handle));
        }
        let met = |_| Some(MatchedMessage { source: 3, tag: 4, bytes: 5 });
        requests.ended(&mut asked, places.iter().copied(), met);
        let done = asked.done.iter().map(|done| done.request).collect();
        requests.put_back(asked);
        done
    }

    /// As Open MPI does for messages that have already been sent.
    #[test]
    fn many_requests_may_share_a_handle() {
        let mut requests = Requests::default();
        let numbers: Vec<u32> = (0..3).map(|_| requests.add(77, false, false)).collect();
        let other = requests.add(78, true, false);
        assert_eq!(done(&mut requests, &[77], &[0]), [numbers[0]]);
        assert_eq!(done(&mut requests, &[78, 77, 77, 77], &[1, 2, 3]), numbers[1..]);
        assert_eq!(done(&mut requests, &[77, 78], &[0, 1]), [other]);
        assert!(requests.by_handle.is_empty());
        assert_eq!(requests.unused.len(), 4);
        assert_eq!(requests.add(79, false, false), other, "numbers are used again");
    }

    #[test]
    fn a_persistent_request_stays() {
        let mut requests = Requests::default();
        let number = requests.add(5, false, true);
        assert_eq!(done(&mut requests, &[5], &[0]), [0u32; 0], "not started");
        for _ in 0..2 {
            assert_eq!(requests.start(5), Some(number));
            assert_eq!(done(&mut requests, &[5], &[0]), [number]);
        }
        assert_eq!(requests.give_up(5), Some(number));
        assert_eq!(requests.start(5), None);
    }
}
