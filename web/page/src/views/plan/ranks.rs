//! The numbers of ranks of a plan.

use super::words as text;
use crate::browser;
use crate::draw::steps::Axis;
use crate::notices::explained;
use crate::state::Action;
use loggia_model::ranks::ranks;
use yew::{Callback, Html, InputEvent, Properties, component, html, use_effect_with, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) ranks: String,
    pub(super) on_action: Callback<Action>,
}

/// A field, and a slider for the largest. Typed text stays as typed until the field loses the focus
/// or the ranks change elsewhere.
#[component]
pub(super) fn Ranks(props: &Props) -> Html {
    let typed = use_state(|| None::<String>);
    {
        let typed = typed.clone();
        use_effect_with(props.ranks.clone(), move |now| {
            if typed.as_ref().is_some_and(|typed| typed != now) {
                typed.set(None);
            }
        });
    }
    let shown = (*typed).clone().unwrap_or_else(|| props.ranks.clone());
    let problem = ranks(&shown).err();
    let on_type = {
        let (typed, on_action) = (typed.clone(), props.on_action.clone());
        move |event: InputEvent| {
            let text = browser::typed(&event);
            if ranks(&text).is_ok() {
                on_action.emit(Action::SetInput("ranks", text.clone()));
            }
            typed.set(Some(text));
        }
    };
    let on_leave = {
        let (typed, fits) = (typed.clone(), problem.is_none());
        move |_| {
            if fits {
                typed.set(None);
            }
        }
    };
    let all = ranks(&props.ranks).unwrap_or_default();
    let [first, last] =
        [all.first(), all.last()].map(|procs| procs.map_or(1, |procs| u64::from(procs.0)));
    let on_slide = props.on_action.reform(move |event: InputEvent| {
        let last = browser::typed(&event).parse().map_or(first, |step| Axis::Ranks.value(step));
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
