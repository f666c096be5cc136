//! Links to the page: the state that they hold, and its encoding; the figures of papers.

pub mod error;
pub mod figures;
mod link;
pub mod single;
pub mod state;
pub mod view;

pub use link::{DIGNIFIED_LENGTH, Damage, LinkError, decode, encode, is_link};
