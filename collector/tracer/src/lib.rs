//! The library that `loggia trace` preloads into MPI programs.
//!
//! It stands between the program and its MPI library by MPI's own rule: the program calls
//! `MPI_Send`, finds it here, and here calls `PMPI_Send`. It is one library for both families of MPI
//! libraries, Open MPI and those with MPICH's binary interface, and is built without either: what
//! it must know of them stands in [`abi`].
//!
//! Fortran's routines are wrapped too where they would otherwise go past `MPI_…` (Open MPI's call
//! `PMPI_…`); where they call `MPI_…` (MPICH's), they are let through, and recorded there.
//!
//! | file | what it answers |
//! |---|---|
//! | `wrap` | how does a call get here, and from here to the library |
//! | `calls/` | what is written down about each call |
//! | `recorder` | what is known about the program's requests, communicators and windows |
//! | `abi` | how do the libraries' handles, statuses and constants look |
//! | `language` | how do C and Fortran pass the same arguments |
//! | `library` | what does the MPI library say when it is asked |
//! | `sink` | where do the bytes go |
//! | `clock` | what time is it, and what time is it for rank 0 |
//! | `symbols` | where are the library's own functions |
//!
//! Without `LOGGIA_TRACE`, the folder to write to, or where something prevents it from writing, it
//! lets everything through.

#![allow(unsafe_code, reason = "it speaks the C language's interface, from both sides")]
#![allow(clippy::too_many_arguments, reason = "MPI has functions with that many")]

mod abi;
mod calls;
mod clock;
mod language;
mod library;
mod recorder;
mod sink;
mod symbols;
mod wrap;
