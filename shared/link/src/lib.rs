//! The state of the page, its encoding in links, and the figures of papers.

pub mod error;
pub mod figures;
mod link;
pub mod single;
pub mod state;
pub mod view;

pub use link::{Damage, LinkError, RECOMMENDED_LENGTH, decode, encode, is_link};
