//! A page that holds its state as JSON, whole, with the samples that a link leaves out: the page as
//! one file, and what `loggia serve` shows.

use crate::state::State;
use loggia_model::Error;
use loggia_model::json;

/// The place for a state in `index.html`: a script of a type that browsers do not run.
const STATE: &str = "<script type=\"application/json\" id=\"loggia-state\">";
const END: &str = "</script>";

/// The page with this state in the place of the one before; none where it has no place for one.
pub fn with_state(page: &str, state: &State) -> Option<String> {
    let (before, rest) = page.split_once(STATE)?;
    let (_, after) = rest.split_once(END)?;
    // In JSON a `<` is always inside a string; escaped, it cannot end the script.
    let json = serde_json::to_string(state).ok()?.replace('<', "\\u003c");
    Some(format!("{before}{STATE}{json}{END}{after}"))
}

/// The page that asks this address again and again for a signature that is still to come; none where
/// it has no place to say so.
pub fn watching(page: &str, address: &str) -> Option<String> {
    let (before, after) = page.split_once(STATE)?;
    let place = STATE.trim_end_matches('>');
    Some(format!("{before}{place} data-watch=\"./{address}\">{after}"))
}

/// The JSON of the embedded state, if any.
pub fn held(place: &str) -> Option<&str> {
    Some(place.trim()).filter(|json| !matches!(*json, "" | "null"))
}

/// Reads that state.
pub fn read(json: &str) -> Result<State, Error> {
    json::read(json).and_then(|state: State| state.validate().map(|()| state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn a_state_comes_back_whole_however_it_is_named() {
        let page = include_str!("../../../index.html");
        let mut signature = library::load("cray-t3d").unwrap();
        signature.title = "</script><script>alert(1)</script> <!-- \u{2028} é".to_owned();
        assert!(!signature.samples.is_empty());
        let state = State::of(signature);
        let one = with_state(page, &state).unwrap();
        assert_eq!(one.matches("<").count(), page.matches("<").count());
        let place = one.split_once(STATE).unwrap().1.split_once(END).unwrap().0;
        assert_eq!(held(place).map(read), Some(Ok(state.clone())));
        assert_eq!(with_state(&one, &state), Some(one));
    }

    #[test]
    fn a_template_holds_none_and_another_file_has_no_place() {
        assert_eq!(held("null"), None);
        assert_eq!(held(" "), None);
        assert!(read("{\"view\": 1}").is_err());
        assert_eq!(with_state("<html></html>", &State::default()), None);
    }
}
