//! Waiting for requests, and asking for them.

use crate::clock::Time;
use crate::language::{HandleKind, Language, handle_before};
use crate::recorder::{self, CallRequests, Recorder};
use crate::wrap::wrap;
use loggia_trace::call::{Call, Completion, Dones, MatchedMessage};
use std::ffi::{c_int, c_void};

/// `MPI_UNDEFINED`, as the number of a request or of requests.
const UNDEFINED: c_int = -32_766;

/// What a call asks for, and where its statuses are to be written.
///
/// # Safety
/// `requests` points to `count` requests.
unsafe fn asked<L: Language>(
    (count, requests): (usize, *mut c_void),
    (statuses, wanted): (usize, *mut c_void),
) -> (CallRequests, *mut c_void) {
    let prepared = recorder::with(|r| {
        // SAFETY: the caller guarantees it.
        let mut asked = unsafe { r.requests.asked::<L>(r.abi, count, requests) };
        let at = asked.statuses::<L>(r.abi, statuses, wanted);
        Some((asked, at))
    });
    // Recording may have ended meanwhile.
    prepared.unwrap_or_else(|| (CallRequests::default(), wanted))
}

/// The same of a call that asks for one.
///
/// # Safety
/// There is one.
unsafe fn one<L: Language>(
    request: *mut c_void,
    status: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: the caller guarantees it.
    unsafe { asked::<L>((1, request), (1, status)) }
}

/// The same of a call that asks for any of an array.
///
/// # Safety
/// The arrays hold `count` elements.
unsafe fn any<L: Language>(
    count: L::Int,
    requests: *mut c_void,
    status: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: the caller guarantees it.
    unsafe { asked::<L>((L::how_many(count), requests), (1, status)) }
}

/// The same of a call that asks for all of an array, or for some.
///
/// # Safety
/// The arrays hold `count` elements.
unsafe fn all<L: Language>(
    count: L::Int,
    requests: *mut c_void,
    statuses: *mut c_void,
) -> (CallRequests, *mut c_void) {
    // SAFETY: the caller guarantees it.
    unsafe {
        let count = L::how_many(count);
        asked::<L>((count, requests), (count, statuses))
    }
}

impl Recorder {
    /// Those at these places of the array have come to their end, as the statuses say.
    ///
    /// # Safety
    /// The call has set the statuses.
    #[inline]
    unsafe fn completed(
        &mut self,
        time: Time,
        how: Completion,
        places: impl IntoIterator<Item = usize>,
        mut asked: CallRequests,
        statuses: *mut c_void,
    ) {
        let abi = self.abi;
        self.requests.ended(&mut asked, places, |index| {
            // SAFETY: the caller guarantees it.
            let ((source, tag, bytes), is_taken_back) = unsafe {
                let status = statuses.cast::<u8>().add(index * abi.status).cast();
                (abi.status(status), abi.is_taken_back(status))
            };
            let met =
                MatchedMessage { source: source.max(0) as u32, tag: tag.max(0) as u32, bytes };
            (!is_taken_back).then_some(met)
        });
        let mut list = std::mem::take(&mut self.lists[0]);
        let done = Dones::new(&mut list, asked.done.iter().copied());
        self.write(time, Call::Complete { how, asked: asked.len() as u32, done });
        self.lists[0] = list;
        self.requests.put_back(asked);
    }

    fn not_yet(&mut self, time: Time, asked: CallRequests) {
        self.requests.put_back(asked);
        self.poll(time);
    }
}

wrap! {
    "Wait" "wait" (request: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { one::<L>(request, status) };
    }
    |r, time| r.completed(time, Completion::Wait, 0..1, asked, status)
}

wrap! {
    "Waitall" "waitall" (count: Int, requests: Ptr, statuses: Ptr)
    before {
        let (asked, statuses) = unsafe { all::<L>(count, requests, statuses) };
    }
    |r, time| r.completed(time, Completion::Waitall, 0..asked.len(), asked, statuses)
}

wrap! {
    "Waitany" "waitany" (count: Int, requests: Ptr, index: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { any::<L>(count, requests, status) };
    }
    |r, time| r.completed(time, Completion::Waitany, place::<L>(index), asked, status)
}

wrap! {
    "Waitsome" "waitsome" (count: Int, requests: Ptr, many: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let (asked, statuses) = unsafe { all::<L>(count, requests, statuses) };
    }
    |r, time| {
        let places = places::<L>(many, indices);
        r.completed(time, Completion::Waitsome, places, asked, statuses)
    }
}

wrap! {
    "Test" "test" (request: Ptr, flag: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { one::<L>(request, status) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => r.completed(time, Completion::Test, 0..1, asked, status),
    }
}

wrap! {
    "Testall" "testall" (count: Int, requests: Ptr, flag: Ptr, statuses: Ptr)
    before {
        let (asked, statuses) = unsafe { all::<L>(count, requests, statuses) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => r.completed(time, Completion::Testall, 0..asked.len(), asked, statuses),
    }
}

wrap! {
    "Testany" "testany" (count: Int, requests: Ptr, index: Ptr, flag: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { any::<L>(count, requests, status) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => r.completed(time, Completion::Testany, place::<L>(index), asked, status),
    }
}

wrap! {
    "Testsome" "testsome" (count: Int, requests: Ptr, many: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let (asked, statuses) = unsafe { all::<L>(count, requests, statuses) };
    }
    |r, time| match *many.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => {
            let places = places::<L>(many, indices);
            r.completed(time, Completion::Testsome, places, asked, statuses)
        }
    }
}

/// The place that a call names, if it names one.
///
/// # Safety
/// The call has set it.
unsafe fn place<L: Language>(index: *mut c_void) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    let index = unsafe { *index.cast::<c_int>() };
    (index != UNDEFINED).then_some((index - L::FIRST).max(0) as usize)
}

/// The places that a call names.
///
/// # Safety
/// The call has set them.
unsafe fn places<L: Language>(
    many: *mut c_void,
    indices: *mut c_void,
) -> impl Iterator<Item = usize> {
    // SAFETY: the caller guarantees it.
    let many = unsafe { *many.cast::<c_int>() };
    (0..many.max(0) as usize).map(move |at| {
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
        if let Some(number) = r.requests.give_up(handle) {
            r.write(time, Call::Release(number));
        }
    }
}

wrap! {
    "Cancel" "cancel" (request: Ptr)
    |r, time| {
        let handle = L::handle_at(r.abi, HandleKind::Request, request, 0);
        if let Some(number) = r.requests.take_back(handle) {
            r.write(time, Call::Cancel(number));
        }
    }
}
