//! A choice of one of a few, all in sight.

use yew::{AttrValue, Callback, Html, Properties, component, html};

/// Something to choose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chip {
    /// What is told when it is chosen.
    pub(crate) value: String,
    /// What is written on it.
    pub(crate) label: String,
    /// What is said about it.
    pub(crate) hint: String,
    /// Whether it is the choice.
    pub(crate) is_chosen: bool,
    /// Whether it can be the choice.
    pub(crate) is_possible: bool,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The name of the choice in the document.
    pub(crate) name: &'static str,
    /// What is chosen here.
    pub(crate) legend: AttrValue,
    pub(crate) chips: Vec<Chip>,
    pub(crate) on_choose: Callback<String>,
}

/// Radio buttons that look like chips; arrow keys go from one to the next.
#[component]
pub(crate) fn Chips(props: &Props) -> Html {
    let chip = |chip: &Chip| {
        let (value, on_choose) = (chip.value.clone(), props.on_choose.clone());
        html! {
            <label class="chip" title={chip.hint.clone()} key={chip.value.clone()}>
                <input
                    type="radio"
                    name={props.name}
                    value={chip.value.clone()}
                    checked={chip.is_chosen}
                    disabled={!chip.is_possible}
                    onchange={move |_| on_choose.emit(value.clone())}
                />
                <span>{ &chip.label }</span>
            </label>
        }
    };
    html! {
        <fieldset class="chips">
            <legend>{ &props.legend }</legend>
            <div>{ for props.chips.iter().map(chip) }</div>
        </fieldset>
    }
}
