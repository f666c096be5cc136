//! The numbers of ranks of a plan.

use super::words as text;
use crate::browser;
use crate::draw::steps::Axis;
use crate::fields::typed::{Typed, use_typed};
use crate::notices::explained;
use crate::state::Action;
use loggia_model::ranks::ranks;
use yew::{Callback, Html, InputEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) ranks: String,
    pub(super) on_action: Callback<Action>,
}

/// A field, and a slider for the largest.
#[component]
pub(super) fn Ranks(props: &Props) -> Html {
    let on_set = props.on_action.reform(|text| Action::SetInput("ranks", text));
    let parse = |text: &str| ranks(text).map(|_| text.to_owned());
    let typed = use_typed(Some(props.ranks.clone()), parse, on_set);
    let shown = typed.shown(|| props.ranks.clone());
    let problem = ranks(&shown).err();
    let Typed { on_type, on_leave, .. } = typed;
    let all = ranks(&props.ranks).unwrap_or_default();
    let [first, last] =
        [all.first(), all.last()].map(|procs| procs.map_or(1, |procs| u64::from(procs.0)));
    let on_slide = props.on_action.reform(move |event: InputEvent| {
        let last =
            browser::input_value(&event).parse().map_or(first, |step| Axis::Ranks.value(step));
        let first = first.min(last);
        Action::SetInput(
            "ranks",
            format!("{}..{}", Axis::Ranks.words(first), Axis::Ranks.words(last)),
        )
    });
    html! {
        <div class="amount">
            <label for="ranks">{ text::RANKS }</label>
            <input
                id="ranks"
                class="field"
                type="text"
                autocomplete="off"
                spellcheck="false"
                value={shown}
                aria-invalid={problem.is_some().to_string()}
                aria-describedby="ranks-problem"
                oninput={on_type}
                onblur={on_leave}
            />
            <input
                id="ranks-slider"
                class="slider"
                type="range"
                min="1"
                max={Axis::Ranks.steps().to_string()}
                value={Axis::Ranks.nearest(last).to_string()}
                aria-label={text::RANKS_TO}
                aria-valuetext={Axis::Ranks.words(last)}
                oninput={on_slide}
            />
            <div id="ranks-problem" class="field-problem" role="status">
                { problem.as_ref().map(explained) }
            </div>
        </div>
    }
}
