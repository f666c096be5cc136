//! Chooses the machines to compare with.

use super::{ComparedMachine, all, titles, words};
use crate::machines::Machine;
use crate::memo::memoized;
use crate::state::{Action, Page};
use crate::tables::rich;
use yew::{Callback, Html, html};

/// Check boxes styled as chips, in the colours of the machines.
pub(crate) fn chooser(page: &Page, on_action: &Callback<Action>) -> Html {
    chooser_of(page, all(page), on_action)
}

/// The same for machines in another order.
pub(crate) fn chooser_of(
    page: &Page,
    shown: Vec<ComparedMachine>,
    on_action: &Callback<Action>,
) -> Html {
    let inputs = (shown, page.machine.clone(), page.comparable(), on_action.clone());
    memoized(inputs, |(shown, selected, machines, on_action)| {
        chips(shown, selected, machines, on_action)
    })
}

fn chips(
    shown: &[ComparedMachine],
    selected: &Machine,
    machines: &[Machine],
    on_action: &Callback<Action>,
) -> Html {
    let chosen = shown.iter().map(|one| one.machine.clone());
    let chosen: Vec<Machine> = chosen.filter(|machine| machine != selected).collect();
    // The selected machine is not in the list, but another machine may have the same title.
    let all: Vec<Machine> = machines.iter().chain([selected]).cloned().collect();
    let titles = titles(&all);
    let chip = |(machine, title): (&Machine, &String)| {
        let place = shown.iter().find(|one| one.machine == *machine);
        let others = toggled(&chosen, machine);
        let on_change = on_action.reform(move |_| Action::Compare(others.clone()));
        html! {
            <label class="chip" title={machine.kinds()} key={machine.key()}>
                <input type="checkbox" value={machine.name.clone()} checked={place.is_some()} onchange={on_change} />
                { place.map(|one| rich::swatch(one.ink)).unwrap_or_default() }
                <span>{ title }</span>
            </label>
        }
    };
    html! {
        <fieldset class="chips beside">
            <legend>{ words::WITH }</legend>
            <div>{ for machines.iter().zip(&titles).map(chip) }</div>
        </fieldset>
    }
}

/// The list with one machine added or removed.
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
