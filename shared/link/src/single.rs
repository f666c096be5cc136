//! A page with an embedded state as JSON, including the samples, which links omit: the page as one
//! file, and the page of `loggia serve`.

use crate::state::State;
use loggia_model::Error;
use loggia_model::json;

/// Start of the element for a state in `index.html`: a script of a type that browsers do not run.
const STATE: &str = "<script type=\"application/json\" id=\"loggia-state\">";
const END: &str = "</script>";

/// Replaces the state embedded in a page; `None` if the page has no element for a state.
pub fn with_state(page: &str, state: &State) -> Option<String> {
    let (before, rest) = page.split_once(STATE)?;
    let (_, after) = rest.split_once(END)?;
    // In JSON `<` occurs only in strings; the escape prevents the end of the script.
    let json = serde_json::to_string(state).ok()?.replace('<', "\\u003c");
    Some(format!("{before}{STATE}{json}{END}{after}"))
}

/// The page that polls an address for a future signature; `None` if the page has no element for a
/// state.
pub fn with_polling(page: &str, address: &str) -> Option<String> {
    let (before, after) = page.split_once(STATE)?;
    let place = STATE.trim_end_matches('>');
    Some(format!("{before}{place} data-watch=\"./{address}\">{after}"))
}

/// The embedded JSON of a state, if any.
pub fn embedded_state(place: &str) -> Option<&str> {
    Some(place.trim()).filter(|json| !matches!(*json, "" | "null"))
}

/// Parses an embedded state.
pub fn read(json: &str) -> Result<State, Error> {
    json::read(json).and_then(|state: State| state.validate().map(|()| state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn a_state_with_hostile_text_is_restored() {
        let page = include_str!("../../../index.html");
        let mut signature = library::load("cray-t3d").unwrap();
        signature.title = "</script><script>alert(1)</script> <!-- \u{2028} é".to_owned();
        assert!(!signature.samples.is_empty());
        let state = State::of(signature);
        let file = with_state(page, &state).unwrap();
        assert_eq!(file.matches("<").count(), page.matches("<").count());
        let place = file.split_once(STATE).unwrap().1.split_once(END).unwrap().0;
        assert_eq!(embedded_state(place).map(read), Some(Ok(state.clone())));
        assert_eq!(with_state(&file, &state), Some(file));
    }

    #[test]
    fn a_template_has_no_state_and_another_file_has_no_element() {
        assert_eq!(embedded_state("null"), None);
        assert_eq!(embedded_state(" "), None);
        assert!(read("{\"view\": 1}").is_err());
        assert_eq!(with_state("<html></html>", &State::default()), None);
    }
}
