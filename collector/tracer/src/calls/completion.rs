//! Waiting for requests, and asking for them.

use crate::language::{Language, Of};
use crate::recorder::{self, Asked, Recorder};
use crate::wrap::{Time, wrap};
use loggia_trace::call::{Call, Completion, Dones, Met};
use std::ffi::{c_int, c_void};

/// As the number of a request, or of how many: none.
const UNDEFINED: c_int = -32_766;

/// What a call asks for, and where its statuses are to be written.
///
/// # Safety
/// There are so many requests at that address.
unsafe fn asked<L: Language>(
    (count, requests): (usize, *mut c_void),
    (statuses, wanted): (usize, *mut c_void),
) -> (Asked, *mut c_void) {
    recorder::with(|r| {
        let abi = r.abi;
        // SAFETY: as the caller says.
        let mut asked = unsafe { r.requests.asked::<L>(abi, count, requests) };
        let at = asked.statuses::<L>(abi, statuses, wanted);
        Prepared(Some((asked, at)))
    })
    .0
    .unwrap_or_else(|| (Asked::default(), wanted))
}

/// What [`asked`] returns; nothing once recording has ended.
#[derive(Default)]
struct Prepared(Option<(Asked, *mut c_void)>);

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
        mut asked: Asked,
        places: impl IntoIterator<Item = usize>,
        statuses: *mut c_void,
    ) {
        let abi = self.abi;
        self.requests.ended(&mut asked, places, |index| {
            // SAFETY: as the caller says.
            let (source, tag, bytes) =
                unsafe { abi.status(statuses.cast::<u8>().add(index * abi.status).cast()) };
            Met { source: source.max(0) as u32, tag: tag.max(0) as u32, bytes }
        });
        let mut list = std::mem::take(&mut self.lists[0]);
        let done = Dones::new(&mut list, asked.done.iter().copied());
        self.write(time, Call::Complete { how, asked: asked.len() as u32, done });
        self.lists[0] = list;
        self.requests.put_back(asked);
    }

    fn not_yet(&mut self, time: Time, asked: Asked) {
        self.requests.put_back(asked);
        self.poll(time);
    }
}

wrap! {
    "Wait" "wait" (request: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { asked::<L>((1, request), (1, status)) };
    }
    |r, time| r.completed(time, Completion::Wait, asked, 0..1, status)
}

wrap! {
    "Waitall" "waitall" (count: Int, requests: Ptr, statuses: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, statuses) = unsafe { asked::<L>((all, requests), (all, statuses)) };
    }
    |r, time| r.completed(time, Completion::Waitall, asked, 0..all, statuses)
}

wrap! {
    "Waitany" "waitany" (count: Int, requests: Ptr, index: Ptr, status: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, status) = unsafe { asked::<L>((all, requests), (1, status)) };
    }
    |r, time| {
        let place = one::<L>(index);
        r.completed(time, Completion::Waitany, asked, place, status)
    }
}

wrap! {
    "Waitsome" "waitsome" (count: Int, requests: Ptr, many: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, statuses) = unsafe { asked::<L>((all, requests), (all, statuses)) };
    }
    |r, time| {
        let places = some::<L>(many, indices);
        r.completed(time, Completion::Waitsome, asked, places, statuses)
    }
}

wrap! {
    "Test" "test" (request: Ptr, flag: Ptr, status: Ptr)
    before {
        let (asked, status) = unsafe { asked::<L>((1, request), (1, status)) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => r.completed(time, Completion::Test, asked, 0..1, status),
    }
}

wrap! {
    "Testall" "testall" (count: Int, requests: Ptr, flag: Ptr, statuses: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, statuses) = unsafe { asked::<L>((all, requests), (all, statuses)) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => r.completed(time, Completion::Testall, asked, 0..all, statuses),
    }
}

wrap! {
    "Testany" "testany" (count: Int, requests: Ptr, index: Ptr, flag: Ptr, status: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, status) = unsafe { asked::<L>((all, requests), (1, status)) };
    }
    |r, time| match *flag.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => {
            let place = one::<L>(index);
            r.completed(time, Completion::Testany, asked, place, status)
        }
    }
}

wrap! {
    "Testsome" "testsome" (count: Int, requests: Ptr, many: Ptr, indices: Ptr, statuses: Ptr)
    before {
        let all = unsafe { L::int(count) }.max(0) as usize;
        let (asked, statuses) = unsafe { asked::<L>((all, requests), (all, statuses)) };
    }
    |r, time| match *many.cast::<c_int>() {
        0 => r.not_yet(time, asked),
        _ => {
            let places = some::<L>(many, indices);
            r.completed(time, Completion::Testsome, asked, places, statuses)
        }
    }
}

/// The place that a call names, if it names one.
///
/// # Safety
/// The call has set it.
unsafe fn one<L: Language>(index: *mut c_void) -> Option<usize> {
    // SAFETY: as the caller says.
    let index = unsafe { *index.cast::<c_int>() };
    (index != UNDEFINED).then_some((index - L::FIRST).max(0) as usize)
}

/// The places that a call names.
///
/// # Safety
/// The call has set them.
unsafe fn some<L: Language>(
    many: *mut c_void,
    indices: *mut c_void,
) -> impl Iterator<Item = usize> {
    // SAFETY: as the caller says.
    let many = unsafe { *many.cast::<c_int>() };
    (0..many.max(0) as usize).map(move |at| {
        // SAFETY: there are so many.
        let index = unsafe { *indices.cast::<c_int>().add(at) };
        (index - L::FIRST).max(0) as usize
    })
}

wrap! {
    "Request_free" "request_free" (request: Ptr)
    before {
        let handle = recorder::with(|r| unsafe { L::handle_at(r.abi, Of::Request, request, 0) });
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
        let handle = L::handle_at(r.abi, Of::Request, request, 0);
        if let Some(number) = r.requests.number(handle) {
            r.write(time, Call::Cancel(number));
        }
    }
}
