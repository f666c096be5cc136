//! The library that `loggia trace` preloads into MPI programs.
//!
//! It uses MPI's profiling interface: the program calls this library's `MPI_Send`, which calls
//! `PMPI_Send`. One build works with Open MPI and with libraries that have MPICH's binary interface,
//! and needs neither at build time; [`abi`] has the facts about them.
//!
//! Open MPI's Fortran routines call `PMPI_…`, so this library wraps them, too. MPICH's routines call
//! `MPI_…`, which records them.
//!
//! | file | contents |
//! |---|---|
//! | `wrap` | wrappers of the calls |
//! | `calls/` | records of each call |
//! | `recorder` | the program's requests, communicators and windows |
//! | `abi` | the libraries' handles, statuses and constants |
//! | `language` | arguments of C and Fortran |
//! | `library` | queries to the MPI library |
//! | `sink` | the file of a rank |
//! | `clock` | the clock, and its offset from rank 0's |
//! | `symbols` | the library's own functions |
//!
//! Without `LOGGIA_TRACE`, the output folder, or if it cannot write there, it only forwards calls.

#![allow(unsafe_code, reason = "implements and calls C interfaces")]
#![allow(clippy::too_many_arguments, reason = "MPI functions have many arguments")]

mod abi;
mod calls;
mod clock;
mod language;
mod library;
mod recorder;
mod sink;
mod symbols;
mod wrap;
