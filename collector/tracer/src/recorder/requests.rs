//! The program's requests, with small numbers that are reused.

use crate::abi::{Abi, Handle};
use crate::language::{HandleKind, Language};
use loggia_trace::call::{CompletedRequest, MatchedMessage};
use loggia_trace::slots::Slots;
use rustc_hash::FxHashMap;
use std::ffi::c_void;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    number: u32,
    handle: Handle,
    /// Whether the status is needed: for a receive from any source or with any tag, and for a cancelled
    /// request.
    returns_envelope: bool,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    returns_envelope: bool,
    /// Whether the request is persistent: it keeps its handle.
    persistent: bool,
    active: bool,
    /// The next request with the same handle: a library may use one handle for several completed
    /// requests.
    next: u32,
    /// The number of the last call with this request.
    last_call: u64,
}

/// All open requests.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    slots: Slots<Slot>,
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
    /// The completed requests.
    pub(crate) done: Vec<CompletedRequest>,
    /// Buffer for statuses that the program ignores.
    buffer: Vec<u64>,
}

impl Requests {
    /// Adds a request.
    #[inline]
    pub(crate) fn add(&mut self, handle: Handle, returns_envelope: bool, persistent: bool) -> u32 {
        let slot =
            Slot { returns_envelope, persistent, active: !persistent, next: NONE, last_call: 0 };
        let number = self.slots.add(slot);
        match self.by_handle.get_mut(&handle) {
            None => {
                self.by_handle.insert(handle, (number, number));
            }
            Some((_, last)) => {
                self.slots[*last].next = number;
                *last = number;
            }
        }
        number
    }

    /// The first active request with this handle that this call has not used.
    #[inline]
    fn find(&mut self, handle: Handle) -> Option<Request> {
        let (mut number, _) = *self.by_handle.get(&handle)?;
        while let Some(slot) = self.slots.get_mut(number) {
            if slot.active && slot.last_call != self.calls {
                slot.last_call = self.calls;
                return Some(Request { number, handle, returns_envelope: slot.returns_envelope });
            }
            number = slot.next;
        }
        None
    }

    /// Starts a persistent request.
    pub(crate) fn start(&mut self, handle: Handle) -> Option<u32> {
        let (number, _) = *self.by_handle.get(&handle)?;
        self.slots[number].active = true;
        Some(number)
    }

    /// The first request with this handle.
    pub(crate) fn number(&self, handle: Handle) -> Option<u32> {
        self.by_handle.get(&handle).map(|(first, _)| *first)
    }

    /// Marks the first request with this handle as cancelled; it may have completed before.
    pub(crate) fn cancel(&mut self, handle: Handle) -> Option<u32> {
        let number = self.number(handle)?;
        self.slots[number].returns_envelope = true;
        Some(number)
    }

    /// Marks a request as complete.
    #[inline]
    fn end(&mut self, request: Request) {
        let slot = &mut self.slots[request.number];
        if slot.persistent {
            slot.active = false;
        } else {
            self.forget(request.handle, request.number);
        }
    }

    /// Removes a request whose handle is no longer valid.
    pub(crate) fn release(&mut self, handle: Handle) -> Option<u32> {
        let number = self.number(handle)?;
        self.forget(handle, number);
        Some(number)
    }

    fn forget(&mut self, handle: Handle, number: u32) {
        let Some((first, last)) = self.by_handle.get_mut(&handle) else { return };
        let next = self.slots[number].next;
        match (*first == number, next) {
            (true, NONE) => {
                self.by_handle.remove(&handle);
            }
            (true, next) => *first = next,
            (false, next) => {
                let mut before = *first;
                while self.slots[before].next != number {
                    before = self.slots[before].next;
                }
                self.slots[before].next = next;
                if next == NONE {
                    *last = before;
                }
            }
        }
        self.slots.free(number);
    }

    /// The requests of a call.
    ///
    /// # Safety
    /// `handles` points to `count` requests.
    pub(crate) unsafe fn of_call<L: Language>(
        &mut self,
        abi: &Abi,
        count: usize,
        handles: *mut c_void,
    ) -> CallRequests {
        let mut call_requests = self.spare.pop().unwrap_or_default();
        self.calls += 1;
        for index in 0..count {
            // SAFETY: guaranteed by the caller.
            let handle = unsafe { L::handle_at(abi, HandleKind::Request, handles, index) };
            call_requests.requests.push(match handle == abi.no_request {
                true => None,
                false => self.find(handle),
            });
        }
        call_requests
    }

    /// Marks requests as completed, by their indices in the array. `met` returns the message of
    /// the status at an index, if there is one.
    pub(crate) fn complete(
        &mut self,
        call_requests: &mut CallRequests,
        places: impl IntoIterator<Item = usize>,
        mut met: impl FnMut(usize) -> Option<MatchedMessage>,
    ) {
        for (index, place) in places.into_iter().enumerate() {
            let Some(&Some(request)) = call_requests.requests.get(place) else { continue };
            let met = request.returns_envelope.then(|| met(index)).flatten();
            call_requests.done.push(CompletedRequest { request: request.number, met });
            self.end(request);
        }
    }

    /// Keeps the lists for reuse.
    pub(crate) fn reuse(&mut self, mut call_requests: CallRequests) {
        call_requests.requests.clear();
        call_requests.done.clear();
        self.spare.push(call_requests);
    }
}

impl CallRequests {
    pub(crate) fn len(&self) -> usize {
        self.requests.len()
    }

    /// The address for statuses: the program's memory, unless the program ignores them and a wildcard
    /// receive needs them.
    pub(crate) fn statuses<L: Language>(
        &mut self,
        abi: &Abi,
        count: usize,
        program_statuses: *mut c_void,
    ) -> *mut c_void {
        let returns_envelope =
            self.requests.iter().flatten().any(|request| request.returns_envelope);
        if !returns_envelope || !L::is_no_status(abi, program_statuses) {
            return program_statuses;
        }
        self.buffer.resize((count * abi.status).div_ceil(8), 0);
        self.buffer.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn done(requests: &mut Requests, handles: &[Handle], places: &[usize]) -> Vec<u32> {
        let mut call_requests = CallRequests::default();
        requests.calls += 1;
        for handle in handles {
            call_requests.requests.push(requests.find(*handle));
        }
        let met = |_| Some(MatchedMessage { source: 3, tag: 4, bytes: 5 });
        requests.complete(&mut call_requests, places.iter().copied(), met);
        let done = call_requests.done.iter().map(|done| done.request).collect();
        requests.reuse(call_requests);
        done
    }

    /// Open MPI uses one handle for all messages that are already sent.
    #[test]
    fn many_requests_may_share_a_handle() {
        let mut requests = Requests::default();
        let numbers: Vec<u32> = (0..3).map(|_| requests.add(77, false, false)).collect();
        let other = requests.add(78, true, false);
        assert_eq!(done(&mut requests, &[77], &[0]), [numbers[0]]);
        assert_eq!(done(&mut requests, &[78, 77, 77, 77], &[1, 2, 3]), numbers[1..]);
        assert_eq!(done(&mut requests, &[77, 78], &[0, 1]), [other]);
        assert!(requests.by_handle.is_empty());
        assert_eq!(requests.slots.unused(), 4);
        assert_eq!(requests.add(79, false, false), other, "numbers are reused");
    }

    #[test]
    fn a_persistent_request_keeps_its_number() {
        let mut requests = Requests::default();
        let number = requests.add(5, false, true);
        assert_eq!(done(&mut requests, &[5], &[0]), [0u32; 0], "not started");
        for _ in 0..2 {
            assert_eq!(requests.start(5), Some(number));
            assert_eq!(done(&mut requests, &[5], &[0]), [number]);
        }
        assert_eq!(requests.release(5), Some(number));
        assert_eq!(requests.start(5), None);
    }
}
