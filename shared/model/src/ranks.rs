//! Numbers of ranks: a list such as `2,4,6`, or powers of two such as `2..1Mi`.

use crate::Error;
use crate::units::{Procs, doubling};

/// Default numbers of ranks of a plan.
pub const USUAL: &str = "2..1Ki";
/// Maximum length of a list.
const MOST: usize = 1000;
/// Largest number of ranks.
const MOST_RANKS: u32 = 1 << 30;

/// The numbers of ranks, rising, each once.
///
/// # Errors
/// What is no number of ranks, and how to write one.
pub fn ranks(text: &str) -> Result<Vec<Procs>, Error> {
    const HELP: &str = "write such as 2,4,6 or 2..1M for powers of two";
    let refused = |message: String| Error::new(message, "", HELP);
    let number = |word: &str| {
        let procs = one(word).map_err(|error| Error { help: HELP.into(), ..error })?;
        Ok(u64::from(procs.0))
    };
    let all = doubling(text, number)?;
    match all.len() {
        0 => Err(refused("no number of ranks is in that range".to_owned())),
        count if count > MOST => Err(refused(format!("{count} numbers of ranks are too many"))),
        // No number exceeds the largest one checked.
        _ => Ok(all.into_iter().map(|procs| Procs(procs as u32)).collect()),
    }
}

/// One number of ranks.
///
/// # Errors
/// What is no number of ranks, and how to write one.
pub fn one(text: &str) -> Result<Procs, Error> {
    let refused = |message: String| Error::new(message, "", "write such as 1 or 16");
    match text.trim().parse::<Procs>().ok().filter(|procs| procs.0 > 0) {
        Some(procs) if procs.0 > MOST_RANKS => {
            Err(refused(format!("{text} ranks are more than any machine has")))
        }
        Some(procs) => Ok(procs),
        None => Err(refused(format!("`{text}` is not a number of ranks"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn lists_and_ranges_rise() {
        let of = |text| ranks(text).unwrap().iter().map(|procs| procs.0).collect::<Vec<_>>();
        assert_eq!(of("6,2..8"), [2, 4, 6, 8]);
        assert_eq!(of("2..1Mi").len(), 20);
        for text in ["", "0", "2..", "8..4", "2;4", "-1", "3000000000"] {
            assert!(ranks(text).unwrap_err().help.to_string().contains("2..1M"), "{text}");
        }
    }
}
