//! Choices of one or several among a few, all visible.

use crate::memo::memoized;
use crate::state::Action;
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

/// A choice that does something to the page; it stays as it is until it is another.
pub(crate) fn choice(
    name: &'static str,
    legend: &'static str,
    chips: Vec<Chip>,
    on_action: &Callback<Action>,
    to_action: fn(String) -> Action,
) -> Html {
    let choice = (name, legend, chips, on_action.clone(), to_action);
    memoized(choice, |(name, legend, chips, on_action, to_action)| {
        let on_choose = on_action.reform(*to_action);
        html! { <Chips name={*name} legend={*legend} chips={chips.clone()} {on_choose} /> }
    })
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

/// Something that can be shown beside what is asked about.
pub(crate) struct OptionChip {
    pub(crate) name: String,
    /// What is written on it.
    pub(crate) label: String,
    /// Its colour, where it has one.
    pub(crate) swatch: Option<Html>,
    /// Whether it can be shown, too.
    pub(crate) is_possible: bool,
}

/// Check boxes that look like chips, for what stands beside.
pub(crate) fn others(
    class: &'static str,
    legend: &'static str,
    others: Vec<OptionChip>,
    chosen: &[String],
    on_action: &Callback<Action>,
) -> Html {
    let chip = |OptionChip { name, label, swatch, is_possible }: OptionChip| {
        let names = toggled(chosen, &name);
        let is_chosen = chosen.contains(&name);
        let on_change = on_action.reform(move |_| Action::SetInput("beside", names.clone()));
        html! {
            <label class="chip" key={name.clone()}>
                <input
                    type="checkbox"
                    name="beside"
                    checked={is_chosen}
                    value={name}
                    disabled={!is_possible}
                    onchange={on_change}
                />
                { swatch }
                <span>{ label }</span>
            </label>
        }
    };
    html! {
        <fieldset {class}>
            <legend>{ legend }</legend>
            <div>{ for others.into_iter().map(chip) }</div>
        </fieldset>
    }
}

/// The names with one more, or without it, as they are typed.
fn toggled(chosen: &[String], name: &str) -> String {
    let mut names: Vec<&str> = chosen.iter().map(String::as_str).filter(|n| *n != name).collect();
    if names.len() == chosen.len() {
        names.push(name);
    }
    names.join(",")
}

#[cfg(test)]
mod tests {
    use super::toggled;

    #[test]
    fn a_click_adds_a_name_and_another_removes_it() {
        assert_eq!(toggled(&[], "ring"), "ring");
        let both = ["ring".to_owned(), "bruck".to_owned()];
        assert_eq!(toggled(&both[..1], "bruck"), "ring,bruck");
        assert_eq!(toggled(&both, "ring"), "bruck");
    }
}
