//! Waits and tests of requests.

use crate::clock::Time;
use crate::language::{HandleKind, Language, handle_before};
use crate::recorder::{self, CallRequests, Recorder};
use crate::wrap::wrap;
use loggia_trace::call::{Call, CompletedRequests, Completion, MatchedMessage};
use std::ffi::{c_int, c_void};
use std::mem;

/// `MPI_UNDEFINED`, as an index or a number of requests.
const UNDEFINED: c_int = -32_766;

/// The requests of a call, and the address for its statuses.
///
/// # Safety
/// `requests` points to `count` requests.
unsafe fn prepared<L: Language>(
    (count, requests): (usize, *mut c_void),
    (statuses, status_argument): (usize, *mut c_void),
) -> (CallRequests, *mut c_void) {
    let found = recorder::with(|r| {
        // SAFETY: guaranteed by the caller.
        let mut call_requests = unsafe { r.requests.of_call::<L>(r.abi, count, requests) };
        let at = call_requests.statuses::<L>(r.abi, statuses, status_argument);
        Some((call_requests, at))
    });
    // The recording may have ended meanwhile.
    found.unwrap_or_else(|| (CallRequests::default(), status_argument))
}

/// Like `prepared`, for a call with one request.
///
/// # Safety
/// `request` points to a request.
unsafe fn prepared_one<L: Language>(
    request: *mut c_void,
    status: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: guaranteed by the caller.
    unsafe { prepared::<L>((1, request), (1, status)) }
}

/// Like `prepared`, for a call that completes any request of an array.
///
/// # Safety
/// The arrays hold `count` elements.
unsafe fn prepared_any<L: Language>(
    count: L::Int,
    requests: *mut c_void,
    status: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: guaranteed by the caller.
    unsafe { prepared::<L>((L::length(count), requests), (1, status)) }
}

/// Like `prepared`, for a call that completes all or some requests of an array.
///
/// # Safety
/// The arrays hold `count` elements.
unsafe fn prepared_all<L: Language>(
    count: L::Int,
    requests: *mut c_void,
    statuses: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let count = L::length(count);
        prepared::<L>((count, requests), (count, statuses))
    }
}

impl Recorder {
    /// Records a call that completed the requests at these indices, with their statuses.
    ///
    /// # Safety
    /// The call has set the statuses.
    #[inline]
    unsafe fn completed(
        &mut self,
        time: Time,
        how: Completion,
        places: impl IntoIterator<Item = usize>,
        call_requests: &mut CallRequests,
        statuses: *mut c_void,
    ) {
        let abi = self.abi;
        self.requests.complete(call_requests, places, |index| {
            // SAFETY: guaranteed by the caller.
            let ((source, tag, bytes), is_cancelled) = unsafe {
                let status = statuses.cast::<u8>().add(index * abi.status).cast();
                (abi.status(status), abi.is_cancelled(status))
            };
            let met =
                MatchedMessage { source: source.max(0) as u32, tag: tag.max(0) as u32, bytes };
            (!is_cancelled).then_some(met)
        });
        let mut list = mem::take(&mut self.lists[0]);
        let done = CompletedRequests::new(&mut list, call_requests.done.iter().copied());
        self.write(time, Call::Complete { how, requested: call_requests.len() as u32, done });
        self.lists[0] = list;
        self.requests.reuse(mem::take(call_requests));
    }

    fn failed_test(&mut self, time: Time, call_requests: &mut CallRequests) {
        self.requests.reuse(mem::take(call_requests));
        self.poll(time);
    }
}

wrap! {
    "Wait" "wait" (request: Ptr, status: Ptr)
    before {
        let (mut call_requests, status) = unsafe { prepared_one::<L>(request, status) };
    }
    |r, time| r.completed(time, Completion::Wait, 0..1, &mut call_requests, status)
}

wrap! {
    "Waitall" "waitall" (count: Int, requests: Ptr, statuses: Ptr)
    before {
        let (mut call_requests, statuses) = unsafe { prepared_all::<L>(count, requests, statuses) };
    }
    |r, time| r.completed(time, Completion::Waitall, 0..call_requests.len(), &mut call_requests, statuses)
}

wrap! {
    "Waitany" "waitany" (count: Int, requests: Ptr, index: Ptr, status: Ptr)
    before {
        let (mut call_requests, status) = unsafe { prepared_any::<L>(count, requests, status) };
    }
    |r, time| r.completed(time, Completion::Waitany, place::<L>(index), &mut call_requests, status)
}

wrap! {
    "Waitsome" "waitsome" (count: Int, requests: Ptr, count_done: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let (mut call_requests, statuses) = unsafe { prepared_all::<L>(count, requests, statuses) };
    }
    |r, time| {
        let places = places::<L>(count_done, indices);
        r.completed(time, Completion::Waitsome, places, &mut call_requests, statuses)
    }
}

wrap! {
    "Test" "test" (request: Ptr, flag: Ptr, status: Ptr)
    before {
        let (mut call_requests, status) = unsafe { prepared_one::<L>(request, status) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.failed_test(time, &mut call_requests),
        _ => r.completed(time, Completion::Test, 0..1, &mut call_requests, status),
    }
}

wrap! {
    "Testall" "testall" (count: Int, requests: Ptr, flag: Ptr, statuses: Ptr)
    before {
        let (mut call_requests, statuses) = unsafe { prepared_all::<L>(count, requests, statuses) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.failed_test(time, &mut call_requests),
        _ => r.completed(time, Completion::Testall, 0..call_requests.len(), &mut call_requests, statuses),
    }
}

wrap! {
    "Testany" "testany" (count: Int, requests: Ptr, index: Ptr, flag: Ptr, status: Ptr)
    before {
        let (mut call_requests, status) = unsafe { prepared_any::<L>(count, requests, status) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.failed_test(time, &mut call_requests),
        _ => r.completed(time, Completion::Testany, place::<L>(index), &mut call_requests, status),
    }
}

wrap! {
    "Testsome" "testsome" (count: Int, requests: Ptr, count_done: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let (mut call_requests, statuses) = unsafe { prepared_all::<L>(count, requests, statuses) };
    }
    |r, time| match *count_done.cast::<c_int>() {
        0 => r.failed_test(time, &mut call_requests),
        _ => {
            let places = places::<L>(count_done, indices);
            r.completed(time, Completion::Testsome, places, &mut call_requests, statuses)
        }
    }
}

/// The index that a call returns, unless it is undefined.
///
/// # Safety
/// The call has set the index.
unsafe fn place<L: Language>(index: *mut c_void) -> Option<usize> {
    // SAFETY: guaranteed by the caller.
    let index = unsafe { *index.cast::<c_int>() };
    (index != UNDEFINED).then_some((index - L::FIRST).max(0) as usize)
}

/// The indices that a call returns.
///
/// # Safety
/// The call has set the indices.
unsafe fn places<L: Language>(
    count_done: *mut c_void,
    indices: *mut c_void,
) -> impl Iterator<Item = usize> {
    // SAFETY: guaranteed by the caller.
    let count_done = unsafe { *count_done.cast::<c_int>() };
    (0..count_done.max(0) as usize).map(move |at| {
        // SAFETY: `indices` holds this many numbers.
        let index = unsafe { *indices.cast::<c_int>().add(at) };
        (index - L::FIRST).max(0) as usize
    })
}

wrap! {
    "Request_get_status" "request_get_status" (request: Handle, flag: Ptr, status: Ptr)
    |r, time| r.poll(time)
}

wrap! {
    "Request_free" "request_free" (request: Ptr)
    before {
        let handle = unsafe { handle_before::<L>(HandleKind::Request, request) };
    }
    |r, time| {
        if let Some(number) = r.requests.release(handle) {
            r.write(time, Call::Release(number));
        }
    }
}

wrap! {
    "Cancel" "cancel" (request: Ptr)
    |r, time| {
        let handle = L::handle_at(r.abi, HandleKind::Request, request, 0);
        if let Some(number) = r.requests.cancel(handle) {
            r.write(time, Call::Cancel(number));
        }
    }
}
