//! The list of machines, grouped by the source of their numbers.

use crate::browser::{self, Dropped};
use crate::machines::{Machine, published, short_source};
use crate::state::Action;
use crate::text;
use yew::{Callback, Event, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) chosen: Machine,
    /// Signatures other than the built-in ones.
    pub(crate) own: Vec<Machine>,
    pub(crate) on_action: Callback<Action>,
    /// Gets picked files.
    pub(crate) on_drop: Callback<Vec<Dropped>>,
}

#[component]
pub(crate) fn Machines(props: &Props) -> Html {
    let mut groups: Vec<(String, Vec<Machine>)> = Vec::new();
    if !props.own.is_empty() {
        groups.push((text::FROM_LINK.to_owned(), props.own.clone()));
    }
    for machine in published().iter() {
        let source = short_source(&machine.origin);
        match groups.iter_mut().find(|(known, _)| *known == source) {
            Some((_, machines)) => machines.push(machine.clone()),
            None => groups.push((source, vec![machine.clone()])),
        }
    }
    let group = |(source, machines): (String, Vec<Machine>)| {
        html! {
            <fieldset key={source.clone()}>
                <legend>{ source }</legend>
                { for machines.iter().map(|machine| entry(machine, props)) }
            </fieldset>
        }
    };
    html! {
        <nav class="machines" aria-label={text::MACHINES}>
            { for groups.into_iter().map(group) }
            { picker(&props.on_drop) }
        </nav>
    }
}

/// The button that opens files.
fn picker(on_drop: &Callback<Vec<Dropped>>) -> Html {
    let on_drop = on_drop.clone();
    let on_pick = move |event: Event| {
        on_drop.emit(browser::picked(&event).into_iter().map(Dropped::File).collect());
    };
    html! {
        <label class="picker">
            <input type="file" multiple=true onchange={on_pick} />
            <span>{ text::OPEN }</span>
            <small>{ text::OPEN_HINT }</small>
        </label>
    }
}

fn entry(machine: &Machine, props: &Props) -> Html {
    let (this, on_action) = (machine.clone(), props.on_action.clone());
    let what = match machine.measured_on() {
        Some(date) => date.to_owned(),
        None if machine.is_published() => machine.kinds(),
        None => text::CHANGED.to_owned(),
    };
    html! {
        <label class="machine" key={machine.key()}>
            <input
                type="radio"
                name="machine"
                value={machine.name.clone()}
                checked={*machine == props.chosen}
                onchange={move |_| on_action.emit(Action::SelectMachine(this.clone()))}
            />
            <span class="title">{ &machine.title }</span>
            <small>{ what }</small>
        </label>
    }
}
