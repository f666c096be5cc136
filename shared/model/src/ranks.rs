//! Numbers of ranks: a list such as `2,4,6`, or powers of two such as `2..1Mi`, with the end of
//! the range.

use crate::Error;
use crate::error::{Expected, ValueError};
use crate::units::{Count, Procs, list_of};

/// Default numbers of ranks of a plan.
pub const USUAL: &str = "2..1024";
/// Maximum length of a list.
const MAX: usize = 1000;
/// Largest number of ranks.
const MAX_RANKS: u32 = 1 << 30;

/// The numbers of ranks, in ascending order without duplicates.
///
/// # Errors
/// [`ValueError`] for a word that is not a number of ranks, and for an empty or too long list.
pub fn ranks(text: &str) -> Result<Vec<Procs>, Error> {
    let number = |word: &str| Ok(u64::from(parsed(word, Expected::ListOfRanks)?.0));
    let all = list_of(text, number)?;
    match all.len() {
        0 => Err(ValueError::NoProcs.into()),
        count if count > MAX => Err(ValueError::TooManyNumbersOfProcs { count, most: MAX }.into()),
        // All numbers are below the checked maximum.
        _ => Ok(all.into_iter().map(|procs| Procs(procs as u32)).collect()),
    }
}

/// One number of ranks.
///
/// # Errors
/// [`ValueError`] for text that is not a number of ranks.
pub fn parse_procs(text: &str) -> Result<Procs, Error> {
    Ok(parsed(text, Expected::Ranks)?)
}

fn parsed(text: &str, expected: Expected) -> Result<Procs, ValueError> {
    match text.trim().parse::<Count>().ok().filter(|count| count.0 > 0) {
        Some(count) if count.0 > u64::from(MAX_RANKS) => {
            Err(ValueError::TooManyProcs { text: text.to_owned(), most: MAX_RANKS, expected })
        }
        // All numbers are below the checked maximum.
        Some(count) => Ok(Procs(count.0 as u32)),
        None => Err(ValueError::Malformed { text: text.to_owned(), expected }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn too_many_ranks_are_refused() {
        for text in ["3000000000", "1000000000000"] {
            let expected = Expected::Ranks;
            let too_many =
                ValueError::TooManyProcs { text: text.to_owned(), most: MAX_RANKS, expected };
            assert_eq!(parsed(text, expected).unwrap_err(), too_many);
        }
        let error = "1000000000000".parse::<Procs>().unwrap_err();
        assert!(error.help.to_string().starts_with("use 4294967295 or fewer"), "{error}");
    }

    #[test]
    fn lists_and_ranges_are_ascending() {
        let of = |text| ranks(text).unwrap().iter().map(|procs| procs.0).collect::<Vec<_>>();
        assert_eq!(of("6,2..8"), [2, 4, 6, 8]);
        assert_eq!(of("2..1Mi").len(), 20);
        assert_eq!(of("2..9"), [2, 4, 8, 9]);
        assert_eq!(of("5..5"), [5]);
        for text in ["", "0", "2..", "8..4", "2;4", "-1", "3000000000"] {
            assert!(ranks(text).unwrap_err().help.to_string().contains("2..1M"), "{text}");
        }
    }
}
