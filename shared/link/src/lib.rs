//! How a signature becomes a file, a state a link, and numbers a table.

pub mod csv;
mod json;
mod layout;
mod link;
mod place;
pub mod single;

pub use json::{LARGEST_FILE, from_json, to_json};
pub use link::{DIGNIFIED_LENGTH, decode, encode, is_link};
