//! Errors as data: fact, place, remedy. The command and the page name the inputs differently.

mod input;
mod place;
mod remedy;
mod value;

pub use input::Input;
pub use place::Place;
pub use remedy::{Assumption, Part, Remedy};
pub use value::{Expected, PlacementError, ValueError};

use serde::{Deserialize, Serialize, Serializer};

/// An error that the user can correct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    pub message: String,
    pub place: Place,
    pub help: Remedy,
}

/// The remedy of an error that no input should cause.
pub const REPORT: &str = "this is a bug of Loggia: please report it";

/// An error as text for the command or the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Worded {
    pub message: String,
    /// Empty if the message is sufficient.
    #[serde(rename = "where")]
    pub place: String,
    pub help: String,
}

impl Error {
    pub fn new(
        message: impl Into<String>,
        place: impl Into<Place>,
        help: impl Into<Remedy>,
    ) -> Self {
        Error { message: one_line(message.into()), place: place.into(), help: help.into() }
    }

    /// An unknown word; the remedy lists the nearest known words.
    pub fn unknown<'a>(
        what: &str,
        word: &str,
        place: impl Into<Place>,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Error {
            message: one_line(format!("unknown {what} `{}`", shortened(word))),
            place: place.into(),
            help: Remedy::choose(word, known),
        }
    }

    /// The error at another place.
    #[must_use]
    pub fn at(self, place: impl Into<Place>) -> Self {
        Error { place: place.into(), ..self }
    }

    /// The error in a file; the file name precedes the place.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.place = self.place.in_file(file);
        self
    }

    /// As text; `name` gives the name of an input.
    pub fn worded(&self, name: impl Fn(Input, Option<&str>) -> String) -> Worded {
        Worded {
            message: self.message.clone(),
            place: self.place.worded(&name),
            help: self.help.worded(&name),
        }
    }
}

impl From<Worded> for Error {
    fn from(worded: Worded) -> Self {
        Error::new(worded.message, worded.place, worded.help)
    }
}

/// Serializes an optional error as text.
pub fn in_words<'a, E, S: Serializer>(error: &'a E, to: S) -> Result<S::Ok, S::Error>
where
    &'a E: Into<Option<&'a Error>>,
{
    error.into().map(|error| error.worded(neutral)).serialize(to)
}

/// An input and its value, neutral between command and page.
fn neutral(input: Input, value: Option<&str>) -> String {
    match (input, value) {
        (Input::Set, Some(value)) => value.to_owned(),
        (_, Some(value)) => format!("{} {value}", input.name()),
        (_, None) => input.name().to_owned(),
    }
}

impl std::fmt::Display for Worded {
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

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.worded(neutral).fmt(f)
    }
}

impl std::error::Error for Error {}

/// Known words similar to `word`, nearest first, at most three.
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

/// Text from an untrusted file, made safe for one line of a terminal.
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

/// A word, shortened to fit in one line.
fn shortened(word: &str) -> String {
    let clean: String = word.chars().filter(|c| !c.is_control()).take(60).collect();
    if clean.chars().count() < word.chars().count() { format!("{clean}…") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_is_recognised() {
        let error = Error::unknown("signature", "cray-td3", "SIG", ["cray-t3d", "ibm-sp2"]);
        assert_eq!(error.message, "unknown signature `cray-td3`");
        let help = error.help.to_string();
        assert!(help.starts_with("did you mean cray-t3d?"), "{help}");
    }

    #[test]
    fn a_dissimilar_word_lists_all_known_words() {
        let error = Error::unknown("view", "zzz", Input::View, ["p2p", "learn"]);
        assert_eq!(error.help.to_string(), "known: p2p, learn");
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
        let place = |p: &str| Error::new("m", p, "").in_file("a.json").place.to_string();
        assert_eq!(place("3:7"), "a.json:3:7");
        assert_eq!(place("tiers[0]"), "a.json: tiers[0]");
        assert_eq!(place(""), "a.json");
    }

    #[test]
    fn command_and_page_name_inputs_differently() {
        let examples = [("L", "5us"), ("o_s", "1us")].map(|(parameter, value)| Assumption {
            parameter: parameter.to_owned(),
            value: value.to_owned(),
        });
        let help = Remedy::from("assume them").then(examples.to_vec());
        let error = Error::new("m", (Input::Rules, "loggps"), help);
        let option = |input: Input, value: Option<&str>| {
            format!("--{} {}", input.name(), value.unwrap_or_default())
        };
        let worded = error.worded(option);
        assert_eq!(worded.place, "--rules loggps");
        assert_eq!(worded.help, "assume them (such as --set L=5us --set o_s=1us)");
        assert_eq!(error.help.to_string(), "assume them (such as L=5us o_s=1us)");
        assert_eq!(error.help.without_assumptions().to_string(), "assume them");
    }
}
