//! Choice of one or several options, all visible.

use crate::browser;
use crate::memo::memoized;
use crate::state::Action;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_effect_with, use_node_ref};

/// An option.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chip {
    /// The value that a choice sends.
    pub(crate) value: String,
    pub(crate) label: String,
    /// The tooltip.
    pub(crate) hint: String,
    pub(crate) is_chosen: bool,
    /// Whether it can be chosen.
    pub(crate) is_possible: bool,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The `name` of the group.
    pub(crate) name: &'static str,
    pub(crate) legend: AttrValue,
    pub(crate) chips: Vec<Chip>,
    pub(crate) on_choose: Callback<String>,
}

/// A choice that changes the page; the callback stays the same between drawings.
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

/// Radio buttons styled as chips; arrow keys move between them.
#[component]
pub(crate) fn Chips(props: &Props) -> Html {
    let row = use_node_ref();
    {
        let row = row.clone();
        let chosen = props.chips.iter().position(|chip| chip.is_chosen);
        // On phones, a long row scrolls.
        use_effect_with(chosen, move |_| browser::show_in_list(&row, ".chip:has(:checked)"));
    }
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
            <div ref={row}>{ for props.chips.iter().map(chip) }</div>
        </fieldset>
    }
}

/// An option of a comparison.
pub(crate) struct OptionChip {
    pub(crate) name: String,
    pub(crate) label: String,
    /// Its colour, if any.
    pub(crate) swatch: Option<Html>,
    /// Whether it can be chosen.
    pub(crate) is_possible: bool,
}

/// Check boxes styled as chips, for comparisons.
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
                { swatch.unwrap_or_default() }
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

/// The list with one name added or removed, as text.
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
