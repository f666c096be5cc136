//! Records of each call: one file per chapter of MPI.

mod collectives;
mod communicators;
mod completion;
mod one_sided;
mod point_to_point;
mod start_and_end;
mod unreplayable;
