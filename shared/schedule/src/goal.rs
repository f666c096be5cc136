//! GOAL: the schedule files of LogGOPSim and its relatives, as text and as binary.
//!
//! ```
//! use loggia_schedule::goal;
//! let (ping, warnings) = goal::read(b"num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n")?;
//! assert_eq!((ping.ranks(), ping.len(), warnings.len()), (2, 2, 0));
//! let mut file = Vec::new();
//! goal::binary::write(&ping, &mut file)?;
//! assert_eq!(goal::read(&file)?.0, ping);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod binary;
pub mod error;
pub mod text;
mod time;

use crate::schedule::Schedule;
use loggia_model::Error;

/// Reads text or binary, distinguished by the first eight bytes. Returns the schedule and warnings,
/// each with its position.
pub fn read(bytes: &[u8]) -> Result<(Schedule, Vec<String>), Error> {
    if binary::is_binary(bytes) { binary::read(bytes) } else { text::read(bytes) }
}

/// Whether a file with this beginning may be a GOAL file.
pub fn is_goal(begin: &[u8]) -> bool {
    let text = String::from_utf8_lossy(begin);
    let mut rest = text.trim_start();
    loop {
        let comment = match (rest.starts_with("//"), rest.starts_with("/*")) {
            (true, _) => rest.split_once('\n'),
            (_, true) => rest.split_once("*/"),
            _ => return binary::is_binary(begin) || rest.starts_with("num_ranks"),
        };
        rest = comment.map_or("", |(_, after)| after.trim_start());
    }
}
