//! Which machines are compared.

use super::{Side, title};
use crate::draw::figure::Ink;
use crate::machines::Machine;
use crate::state::{Action, Page};
use crate::text;
use crate::views::rich;
use crate::views::still::still;
use yew::{Callback, Html, html};

/// Check boxes that look like chips; each chosen one bears its colour.
pub(in crate::views) fn chooser(page: &Page, on_action: &Callback<Action>) -> Html {
    let Side { machines, .. } = Side::of(page);
    still((machines, page.comparable(), on_action.clone()), |(machines, all, on_action)| {
        chips(machines, all, on_action)
    })
}

fn chips(machines: &[Machine], all: &[Machine], on_action: &Callback<Action>) -> Html {
    let chip = |machine: &Machine| {
        let place = machines.iter().position(|chosen| chosen == machine);
        let others = toggled(&machines[1..], machine);
        let on_change = on_action.reform(move |_| Action::Compare(others.clone()));
        html! {
            <label class="chip" title={machine.kinds()} key={machine.name.clone()}>
                <input type="checkbox" value={machine.name.clone()} checked={place.is_some()} onchange={on_change} />
                { place.map(|i| rich::swatch(Ink::of_machine(i))) }
                <span>{ title(machine) }</span>
            </label>
        }
    };
    html! {
        <fieldset class="chips beside">
            <legend>{ text::compare::WITH }</legend>
            <div>{ for all.iter().map(chip) }</div>
        </fieldset>
    }
}

/// The same with one more, or without it.
fn toggled(chosen: &[Machine], machine: &Machine) -> Vec<Machine> {
    let mut others = chosen.to_vec();
    match others.iter().position(|other| other == machine) {
        Some(place) => {
            others.remove(place);
        }
        None => others.push(machine.clone()),
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::published;

    #[test]
    fn a_click_adds_and_another_removes() {
        let all = published();
        let one = toggled(&[], &all[0]);
        let both = toggled(&one, &all[1]);
        assert_eq!(both, [all[0].clone(), all[1].clone()]);
        assert_eq!(toggled(&both, &all[0]), [all[1].clone()]);
    }
}
