//! The state of the page, its encoding in links, and the figures of papers.

pub mod error;
pub mod figures;
mod link;
pub mod single;
pub mod state;
pub mod view;

pub use link::{DIGNIFIED_LENGTH, Damage, LinkError, decode, encode, is_link};
