//! MPI's one-sided calls, in one long passive-target epoch: the "lower-level API" of Bell et al.
//! 2003, whose "quiet" is a flush.
#![allow(unsafe_code, reason = "the C interface of MPI; each block states why it is sound")]

use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw, Communicator};

/// Memory that two ranks expose to each other.
pub(super) struct Window {
    window: ffi::MPI_Win,
    peer: i32,
    _memory: Vec<u8>,
    _comm: SimpleCommunicator,
}

impl Window {
    /// Exposes this many bytes; both ranks of the communicator call this. `None` if the library
    /// cannot create a window over this network.
    pub(super) fn open(comm: SimpleCommunicator, bytes: usize) -> Option<Self> {
        let peer = 1 - comm.rank();
        let mut memory = vec![0_u8; bytes.max(1)];
        // SAFETY: the memory does not move and lives as long as the window: see `drop`.
        let window = unsafe {
            let mut window = ffi::RSMPI_WIN_NULL;
            let size = memory.len() as ffi::MPI_Aint;
            let info = ffi::RSMPI_INFO_NULL;
            let base = memory.as_mut_ptr().cast();
            ffi::MPI_Comm_set_errhandler(comm.as_raw(), ffi::RSMPI_ERRORS_RETURN);
            let code = ffi::MPI_Win_create(base, size, 1, info, comm.as_raw(), &raw mut window);
            if code != ffi::MPI_SUCCESS as i32 {
                return None;
            }
            ffi::MPI_Win_lock_all(0, window);
            window
        };
        Some(Window { window, peer, _memory: memory, _comm: comm })
    }

    pub(super) fn put(&self, data: &[u8]) {
        let (from, n) = (data.as_ptr().cast(), data.len() as i32);
        // SAFETY: the peer exposes at least this many bytes; the data is valid until `quiet`.
        unsafe {
            let byte = ffi::RSMPI_UINT8_T;
            ffi::MPI_Put(from, n, byte, self.peer, 0, n, byte, self.window)
        };
    }

    pub(super) fn get(&self, buffer: &mut [u8]) {
        let (to, n) = (buffer.as_mut_ptr().cast(), buffer.len() as i32);
        // SAFETY: as in `put`.
        unsafe {
            let byte = ffi::RSMPI_UINT8_T;
            ffi::MPI_Get(to, n, byte, self.peer, 0, n, byte, self.window)
        };
    }

    pub(super) fn quiet(&self) {
        // SAFETY: the epoch was opened for all ranks.
        unsafe { ffi::MPI_Win_flush(self.peer, self.window) };
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: ends the epoch that `open` began, then frees the window, before its memory is
        // freed.
        unsafe {
            ffi::MPI_Win_unlock_all(self.window);
            ffi::MPI_Win_free(&raw mut self.window);
        }
    }
}
