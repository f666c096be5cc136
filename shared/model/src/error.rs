//! Errors in the user's words: what, where, what to do.

use serde::{Deserialize, Serialize};

/// Something that the user can put right. The command and the page show the same text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    /// What is wrong.
    pub message: String,
    /// The file and line, the field, or the option. Empty where the message says it all.
    #[serde(rename = "where")]
    pub place: String,
    /// What to do about it.
    pub help: String,
}

impl Error {
    /// An error that says what, where and what to do.
    pub fn new(
        message: impl Into<String>,
        place: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let [message, place, help] = [message.into(), place.into(), help.into()].map(one_line);
        Error { message, place, help }
    }

    /// A word that is not one of a known list; the nearest known ones are offered.
    pub fn unknown<'a>(
        what: &str,
        word: &str,
        place: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<&str> = known.into_iter().collect();
        let near = nearest(word, &known);
        let help = match (near.as_slice(), known.as_slice()) {
            (_, []) => "there is none here".to_owned(),
            ([], _) => format!("known: {}", known.join(", ")),
            (near, _) if known.len() > near.len() => {
                format!("did you mean {}? known: {}", near.join(" or "), known.join(", "))
            }
            (near, _) => format!("did you mean {}?", near.join(" or ")),
        };
        Error::new(format!("unknown {what} `{}`", shortened(word)), place, help)
    }

    /// The same error, said to be in a file: its place is put before what stands there.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        let file = one_line(file.to_owned());
        self.place = match self.place.as_str() {
            "" => file,
            place if place.starts_with(|c: char| c.is_ascii_digit()) => format!("{file}:{place}"),
            place => format!("{file}: {place}"),
        };
        self
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)?;
        if !self.help.is_empty() {
            write!(f, "\n{}", self.help)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Known words a slip of the pen away from `word`, nearest first, at most three.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let word = shortened(word).to_ascii_lowercase();
    let score = |known: &str| {
        let known = known.to_ascii_lowercase();
        let near = strsim::jaro_winkler(&word, &known);
        if word.len() >= 2 && known.contains(&word) { near.max(0.9) } else { near }
    };
    let mut best: Vec<(f64, &str)> = Vec::new();
    for (score, known) in known.iter().map(|known| (score(known), *known)) {
        let place = best.partition_point(|better| better.0 >= score);
        if score >= 0.8 && place < 3 {
            best.insert(place, (score, known));
            best.truncate(3);
        }
    }
    best.into_iter().map(|(_, known)| known).collect()
}

/// Text that may come from a hostile file, as it may be shown in one line of a terminal.
pub fn one_line(text: String) -> String {
    const LONGEST: usize = 600;
    if text.len() <= LONGEST && !text.chars().any(char::is_control) {
        return text;
    }
    let visible = |c: char| if c.is_control() { '·' } else { c };
    let mut shown: String = text.chars().take(LONGEST).map(visible).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// A word as it may be quoted in one line.
fn shortened(word: &str) -> String {
    let clean: String = word.chars().filter(|c| !c.is_control()).take(60).collect();
    if clean.chars().count() < word.chars().count() { format!("{clean}…") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
        let error = Error::unknown("signature", "cray-td3", "SIG", ["cray-t3d", "ibm-sp2"]);
        assert_eq!(error.message, "unknown signature `cray-td3`");
        assert!(error.help.starts_with("did you mean cray-t3d?"), "{}", error.help);
    }

    #[test]
    fn a_wild_word_lists_what_is_known() {
        let error = Error::unknown("view", "zzz", "--view", ["p2p", "learn"]);
        assert_eq!(error.help, "known: p2p, learn");
    }

    #[test]
    fn a_long_or_hostile_word_is_cut() {
        let error = Error::unknown("view", &"\u{1b}[31mx".repeat(1000), "", ["p2p"]);
        assert!(error.message.len() < 200 && !error.message.contains('\u{1b}'));
    }

    #[test]
    fn hostile_text_stays_in_one_line() {
        let error =
            Error::new("\u{1b}[31mx\ny".repeat(10_000_000), "a\nb", "").in_file("\u{7}.json");
        let shown = error.to_string();
        assert!(shown.len() < 3000 && !shown.contains('\u{1b}') && !shown.contains('\u{7}'));
        assert_eq!(shown.lines().count(), 1);
    }

    #[test]
    fn a_line_number_follows_the_file_name_directly() {
        let place = |p: &str| Error::new("m", p, "").in_file("a.json").place;
        assert_eq!(place("3:7"), "a.json:3:7");
        assert_eq!(place("tiers[0]"), "a.json: tiers[0]");
        assert_eq!(place(""), "a.json");
    }
}
