//! `loggia link` and `loggia open`

use crate::cli::{Link, PageState};
use crate::report::{Failure, Output, remark};
use crate::source::load;
use loggia_link::RECOMMENDED_LENGTH;
use loggia_link::state::State;
use loggia_model::error::Input;
use loggia_model::{Error, Signature};
use serde_json::json;

/// The state of the page from the command line.
pub(crate) fn state(args: &PageState) -> Result<State, Error> {
    let signatures: Vec<Signature> =
        args.sig.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let mut state = State { signatures, ..State::default() };
    state.view = args.view.unwrap_or_default();
    // Inputs first: they set the tier and send mode of the parameters.
    let (inputs, parameters): (Vec<_>, Vec<_>) =
        args.set.iter().partition(|(key, _)| State::is_input(key));
    for (key, value) in inputs.into_iter().chain(parameters) {
        state.set(key, value).map_err(|e| e.at((Input::Set, format!("{key}={value}"))))?;
    }
    Ok(state)
}

pub(crate) fn make(args: &Link, output: &mut Output) -> Result<(), Failure> {
    let state = state(&args.state)?;
    let (fragment, omitted) = loggia_link::encode(&state);
    let page = args.page.as_deref().unwrap_or_default().trim_end_matches('#');
    let link = format!("{page}{fragment}");
    let characters = link.chars().count();
    let answer = json!({
        "link": link,
        "characters": characters,
        "fits": characters <= RECOMMENDED_LENGTH,
        "omitted": omitted,
    });
    if !output.is_json() {
        for what in &omitted {
            remark(&format!("left out of the link: {what}"));
        }
        if characters > RECOMMENDED_LENGTH {
            remark(&format!(
                "the link has {characters} characters; some programs truncate links longer than \
                 {RECOMMENDED_LENGTH}; share the file instead"
            ));
        }
    }
    output.print(&answer, || link.clone())
}

pub(crate) fn open(link: &str, output: &mut Output) -> Result<(), Failure> {
    let state = loggia_link::decode(link).map_err(Error::from)?;
    let text = serde_json::to_string_pretty(&state).unwrap_or_default();
    output.text(&text)
}
