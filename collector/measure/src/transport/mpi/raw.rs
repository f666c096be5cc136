//! The timed calls of the MPI library, without a wrapper.
#![allow(unsafe_code, reason = "the C interface of MPI; each block states why it is sound")]

use super::{Mode, Operation, Rank, Result};
use mpi::ffi;
use mpi::traits::AsRaw;
use std::ffi::c_void;

/// A communicator handle; `Mpi` keeps the owner alive.
#[derive(Clone, Copy)]
pub(super) struct Comm(ffi::MPI_Comm);

/// A send or receive in flight, or null. Its buffer belongs to `Mpi`, which neither moves nor
/// shrinks it while a request is in flight.
#[derive(Clone, Copy)]
pub(super) struct Request(ffi::MPI_Request);

/// A count for MPI; the buffers of `Mpi` are far smaller than 2 GiB.
fn count(bytes: usize) -> i32 {
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

fn byte() -> ffi::MPI_Datatype {
    // SAFETY: a constant of the shim library, set before `main`.
    unsafe { ffi::RSMPI_UINT8_T }
}

fn double() -> ffi::MPI_Datatype {
    // SAFETY: as above.
    unsafe { ffi::RSMPI_DOUBLE }
}

/// MPI_SUM
pub(super) fn sum() -> ffi::MPI_Op {
    // SAFETY: as above.
    unsafe { ffi::RSMPI_SUM }
}

impl Request {
    pub(super) fn none() -> Self {
        // SAFETY: as above.
        Request(unsafe { ffi::RSMPI_REQUEST_NULL })
    }

    pub(super) fn test(&mut self) -> bool {
        let mut done = 0;
        // SAFETY: the request is valid or null; statuses may be ignored.
        unsafe { ffi::MPI_Test(&raw mut self.0, &raw mut done, ffi::RSMPI_STATUS_IGNORE) };
        done != 0
    }

    pub(super) fn wait(&mut self) {
        // SAFETY: as above.
        unsafe { ffi::MPI_Wait(&raw mut self.0, ffi::RSMPI_STATUS_IGNORE) };
    }
}

impl Comm {
    pub(super) fn of(owner: &impl AsRaw<Raw = ffi::MPI_Comm>) -> Self {
        Comm(owner.as_raw())
    }

    pub(super) fn send(self, mode: Mode, data: &[u8], to: Rank, tag: i32) {
        let call = match mode {
            Mode::Standard => ffi::MPI_Send,
            Mode::Synchronous => ffi::MPI_Ssend,
            Mode::Buffered => ffi::MPI_Bsend,
            Mode::Ready => ffi::MPI_Rsend,
        };
        // SAFETY: the slice is valid for the length given, and the call ends with its use.
        unsafe { call(data.as_ptr().cast(), count(data.len()), byte(), to as i32, tag, self.0) };
    }

    pub(super) fn start_send(self, mode: Mode, data: &[u8], to: Rank, tag: i32) -> Request {
        let call = match mode {
            Mode::Standard => ffi::MPI_Isend,
            Mode::Synchronous => ffi::MPI_Issend,
            Mode::Buffered => ffi::MPI_Ibsend,
            Mode::Ready => ffi::MPI_Irsend,
        };
        let mut request = Request::none();
        let (data, length) = (data.as_ptr().cast(), count(data.len()));
        // SAFETY: the caller keeps the data in place until the request is complete.
        unsafe { call(data, length, byte(), to as i32, tag, self.0, &raw mut request.0) };
        request
    }

    pub(super) fn recv(self, buffer: &mut [u8], from: Rank, tag: i32) {
        let (place, length) = (buffer.as_mut_ptr().cast(), count(buffer.len()));
        // SAFETY: the slice is valid for the length given, and the call ends with its use.
        unsafe {
            let ignore = ffi::RSMPI_STATUS_IGNORE;
            ffi::MPI_Recv(place, length, byte(), from as i32, tag, self.0, ignore)
        };
    }

    pub(super) fn start_recv(self, buffer: &mut [u8], from: Rank, tag: i32) -> Request {
        let mut request = Request::none();
        let (place, length) = (buffer.as_mut_ptr().cast(), count(buffer.len()));
        let handle = &raw mut request.0;
        // SAFETY: the caller keeps the buffer in place until the request is complete.
        unsafe { ffi::MPI_Irecv(place, length, byte(), from as i32, tag, self.0, handle) };
        request
    }

    /// Size of a waiting message, if there is one.
    pub(super) fn probe(self, from: Rank, tag: i32) -> Option<usize> {
        let (mut found, mut bytes) = (0, 0);
        // SAFETY: a status is plain data; the first call fills it if it found a message.
        unsafe {
            let mut status = std::mem::zeroed();
            ffi::MPI_Iprobe(from as i32, tag, self.0, &raw mut found, &raw mut status);
            if found != 0 {
                ffi::MPI_Get_count(&raw const status, byte(), &raw mut bytes);
            }
        }
        (found != 0).then_some(usize::try_from(bytes).unwrap_or_default())
    }

    /// Sender of a waiting message, if there is one.
    pub(super) fn any_source(self, tag: i32) -> Option<Rank> {
        let mut found = 0;
        // SAFETY: a status is plain data; the call fills it if it found a message.
        let status = unsafe {
            let mut status: ffi::MPI_Status = std::mem::zeroed();
            let any_source = ffi::RSMPI_ANY_SOURCE;
            ffi::MPI_Iprobe(any_source, tag, self.0, &raw mut found, &raw mut status);
            status
        };
        (found != 0).then_some(status.MPI_SOURCE.unsigned_abs())
    }

    /// The maximum over all ranks, on rank 0.
    pub(super) fn maximum(self, numbers: &mut [f64]) {
        let own = numbers.to_vec();
        let (from, to) = (own.as_ptr().cast(), numbers.as_mut_ptr().cast());
        // SAFETY: both slices are valid for the given length and do not overlap.
        unsafe { ffi::MPI_Reduce(from, to, count(own.len()), double(), ffi::RSMPI_MAX, 0, self.0) };
    }

    /// One collective operation; the buffers must be large enough.
    pub(super) fn collective(
        self,
        op: Operation,
        procs: usize,
        bytes: usize,
        reduction: ffi::MPI_Op,
        (out, into): (&[u8], &mut [u8]),
    ) -> Result<()> {
        let (out, into): (*const c_void, *mut c_void) =
            (out.as_ptr().cast(), into.as_mut_ptr().cast());
        let (n, comm, doubles) = (count(bytes), self.0, count(bytes / 8));
        // SAFETY: `Mpi::collective` passes buffers of the size that the operation reads and writes,
        // and all ranks of the communicator make the same call.
        unsafe {
            match op {
                Operation::Barrier => ffi::MPI_Barrier(comm),
                Operation::Bcast => ffi::MPI_Bcast(into, n, byte(), 0, comm),
                Operation::Gather => ffi::MPI_Gather(out, n, byte(), into, n, byte(), 0, comm),
                Operation::Scatter => ffi::MPI_Scatter(out, n, byte(), into, n, byte(), 0, comm),
                Operation::Allgather => ffi::MPI_Allgather(out, n, byte(), into, n, byte(), comm),
                Operation::Alltoall => ffi::MPI_Alltoall(out, n, byte(), into, n, byte(), comm),
                Operation::Reduce => {
                    ffi::MPI_Reduce(out, into, doubles, double(), reduction, 0, comm)
                }
                Operation::Allreduce => {
                    ffi::MPI_Allreduce(out, into, doubles, double(), reduction, comm)
                }
                Operation::Scan => ffi::MPI_Scan(out, into, doubles, double(), reduction, comm),
                Operation::ReduceScatter => {
                    let share = |rank| {
                        count(blocks_before(bytes / 8, procs, rank + 1))
                            - count(blocks_before(bytes / 8, procs, rank))
                    };
                    let shares: Vec<i32> = (0..procs).map(share).collect();
                    let shares = shares.as_ptr();
                    ffi::MPI_Reduce_scatter(out, into, shares, double(), reduction, comm)
                }
            }
        };
        Ok(())
    }
}

/// Start of a rank's block.
fn blocks_before(elements: usize, procs: usize, rank: usize) -> usize {
    elements * rank / procs.max(1)
}

/// A reduction that does nothing (Hwang, Wang & Wang 1997 and Touriño & Doallo 2001 take t_c from
/// the difference).
pub(super) struct EmptyOperation(ffi::MPI_Op);

unsafe extern "C" fn nothing(
    _: *mut c_void,
    _: *mut c_void,
    _: *mut i32,
    _: *mut ffi::MPI_Datatype,
) {
}

impl EmptyOperation {
    pub(super) fn new() -> Self {
        let mut op = sum();
        // SAFETY: the function has the type that MPI requires, and accesses no memory.
        unsafe { ffi::MPI_Op_create(Some(nothing), 1, &raw mut op) };
        EmptyOperation(op)
    }

    pub(super) fn get(&self) -> ffi::MPI_Op {
        self.0
    }
}

/// "Open MPI v4.1.4, package: …" as a name and a version.
pub(super) fn name_and_version(banner: &str) -> (String, Option<String>) {
    let banner = banner.trim_end_matches('\0');
    let first = banner.lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split([' ', ',', '\t', ':']).filter(|w| !w.is_empty()).collect();
    let is_version =
        |word: &&&str| word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let version = words.iter().find(is_version).map(|v| v.trim_start_matches('v').to_owned());
    let name = match first {
        _ if first.starts_with("Open MPI") => "Open MPI",
        _ if first.starts_with("MPICH") => "MPICH",
        _ if first.starts_with("Intel") => "Intel MPI",
        _ if first.starts_with("MVAPICH") => "MVAPICH",
        _ => words.first().copied().unwrap_or("MPI"),
    };
    (name.to_owned(), version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_banner_has_name_and_version() {
        let version = |banner| name_and_version(banner);
        let open = version("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4\0");
        assert_eq!(open, ("Open MPI".to_owned(), Some("4.1.4".to_owned())));
        let mpich = version("MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 2022\n");
        assert_eq!(mpich, ("MPICH".to_owned(), Some("4.0.2".to_owned())));
    }

    #[test]
    fn blocks_cover_all_elements() {
        assert_eq!(blocks_before(10, 4, 0), 0);
        assert_eq!(blocks_before(10, 4, 4), 10);
    }
}
