//! What a link to the page holds, and how it is written; the papers' figures, each with its link.

pub mod figures;
mod link;
pub mod single;
pub mod state;
pub mod view;

pub use link::{DIGNIFIED_LENGTH, Damage, LinkError, decode, encode, is_link};
