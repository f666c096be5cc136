//! How a signature becomes a file, and a state becomes a link.

mod json;
mod layout;
mod link;
mod place;
pub mod single;

pub use json::{LARGEST_FILE, from_json, to_json};
pub use link::{DIGNIFIED_LENGTH, decode, encode, is_link};
