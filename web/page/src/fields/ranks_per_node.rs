//! Ranks per node: a field, and a slider over powers of two.

use super::typed::{Typed, use_typed};
use super::words;
use crate::browser;
use crate::notices::explained;
use loggia_model::Error;
use loggia_model::error::Place;
use yew::{Callback, Html, InputEvent, Properties, component, html};

/// The slider's last step: 1024 ranks per node.
const STEPS: u32 = 10;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// `None` if a placement has no single number of ranks per node.
    pub(crate) value: Option<u32>,
    #[prop_or(true)]
    pub(crate) is_possible: bool,
    pub(crate) on_set: Callback<u32>,
    /// Further elements below the field.
    #[prop_or_default]
    pub(crate) children: Html,
}

fn parse(typed: &str) -> Result<u32, Error> {
    typed.trim().parse().ok().filter(|each| *each > 0).ok_or_else(|| {
        Error::new(
            format!("`{typed}` is not a number of ranks per node"),
            Place::Nowhere,
            "give a whole number from 1 on, such as 64",
        )
    })
}

#[component]
pub(crate) fn RanksPerNode(props: &Props) -> Html {
    let &Props { value, is_possible, ref on_set, ref children } = props;
    let typed = use_typed(value, parse, on_set.clone());
    let on_slide = on_set.filter_reform(|event: InputEvent| {
        browser::input_value(&event).parse().ok().map(|step: u32| 1 << step.min(STEPS))
    });
    let words = value.map(|each| each.to_string()).unwrap_or_default();
    let shown = typed.shown(|| words.clone());
    let Typed { problem, on_type, on_leave, .. } = typed;
    let step = value.unwrap_or(1).max(1).ilog2().min(STEPS);
    html! {
        <div class="amount">
            <label for="ranks-per-node">{ words::RANKS_PER_NODE }</label>
            <input
                id="ranks-per-node"
                class="field"
                type="text"
                inputmode="numeric"
                autocomplete="off"
                spellcheck="false"
                disabled={!is_possible}
                value={shown}
                aria-invalid={problem.is_some().to_string()}
                aria-describedby="ranks-per-node-problem"
                oninput={on_type}
                onblur={on_leave}
            />
            <input
                id="ranks-per-node-slider"
                class="slider"
                type="range"
                min="0"
                max={STEPS.to_string()}
                value={step.to_string()}
                disabled={!is_possible}
                aria-label={words::RANKS_PER_NODE}
                aria-valuetext={words}
                oninput={move |event| { on_slide.emit(event); }}
            />
            <div id="ranks-per-node-problem" class="field-problem" role="status">
                { problem.as_ref().map(explained) }
                { children.clone() }
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_a_whole_number_of_ranks_from_1_on() {
        assert_eq!(parse(" 64 "), Ok(64));
        for typed in ["0", "-1", "1.5", "", "many"] {
            assert!(parse(typed).unwrap_err().help.to_string().contains("64"), "{typed}");
        }
    }
}
