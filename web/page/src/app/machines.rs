//! The list of machines: the reader's own, current ones by kind, those of the papers.

use crate::browser::{self, Dropped};
use crate::machines::{self, Machine};
use crate::state::Action;
use crate::text;
use loggia_model::library::{ENTRIES, Entry, Group};
use yew::platform::spawn_local;
use yew::{
    Callback, Event, Html, InputEvent, Properties, component, html, use_effect_with, use_node_ref,
    use_state_eq,
};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) chosen: Machine,
    /// Signatures other than the built-in ones.
    pub(crate) own: Vec<Machine>,
    /// A lesson's machines stay.
    pub(crate) can_remove: bool,
    pub(crate) on_action: Callback<Action>,
    /// Gets picked files.
    pub(crate) on_drop: Callback<Vec<Dropped>>,
    /// Opens the dialog that makes a machine from a few numbers.
    pub(crate) on_new: Callback<()>,
}

#[component]
pub(crate) fn Machines(props: &Props) -> Html {
    let query = use_state_eq(String::new);
    let on_search = {
        let query = query.clone();
        move |event: InputEvent| query.set(browser::input_value(&event))
    };
    let list = use_node_ref();
    {
        let list = list.clone();
        let show = move |_: &String| browser::show_in_list(&list, ".machine:has(:checked)");
        use_effect_with(props.chosen.key(), show);
    }
    let fits = |entry: &&Entry| query.split_whitespace().all(|word| entry.contains(word));
    let groups: Vec<Html> = Group::ALL
        .into_iter()
        .filter_map(|of| {
            let entries = ENTRIES.iter().filter(|entry| entry.group == of).filter(fits);
            group(of.to_string(), entries.map(|entry| built_in(entry, props)).collect())
        })
        .collect();
    let is_one = |machine: &Machine| props.own.contains(machine);
    let is_own = props.can_remove && (is_one(&props.chosen) || is_one(&props.chosen.original()));
    let own = props.own.iter().map(|machine| own(machine, props)).collect();
    let remove = is_own.then(|| {
        let onclick = props.on_action.reform(|_| Action::RemoveMachine);
        html! { <button type="button" class="remove-machine" {onclick}>{ text::remove(&props.chosen.title) }</button> }
    });
    let none = groups
        .is_empty()
        .then(|| html! { <p class="aside" role="status">{ text::NO_MACHINE }</p> });
    html! {
        <nav ref={list} class="machines" aria-label={text::MACHINES}>
            <input
                type="search"
                class="field find"
                placeholder={text::FIND_MACHINE}
                aria-label={text::FIND_MACHINE}
                oninput={on_search}
            />
            // The groups are in one node, so that the search field is not created again when they
            // change.
            <div class="groups">
                { group(text::OPENED.to_owned(), own).unwrap_or_default() }
                { for remove }
                { for groups }
                { none.unwrap_or_default() }
            </div>
            <button type="button" class="new" onclick={props.on_new.reform(|_| ())}>{ text::NEW_MACHINE }</button>
            { picker(&props.on_drop) }
        </nav>
    }
}

fn group(title: String, machines: Vec<Html>) -> Option<Html> {
    (!machines.is_empty()).then(|| {
        html! {
            <fieldset key={title.clone()}>
                <legend>{ title }</legend>
                { for machines }
            </fieldset>
        }
    })
}

/// The button that opens files.
fn picker(on_drop: &Callback<Vec<Dropped>>) -> Html {
    let on_drop = on_drop.clone();
    let on_pick = move |event: Event| {
        on_drop.emit(browser::picked_files(&event).into_iter().map(Dropped::File).collect());
    };
    html! {
        <label class="picker">
            <input type="file" multiple=true onchange={on_pick} />
            <span>{ text::OPEN }</span>
            <small>{ text::OPEN_HINT }</small>
        </label>
    }
}

/// A machine of the list; its numbers may not be loaded yet.
fn built_in(entry: &'static Entry, props: &Props) -> Html {
    let on_action = props.on_action.clone();
    let on_choose = move |()| {
        let on_action = on_action.clone();
        let choose = move || on_action.emit(select(entry.name));
        match machines::find(entry.name) {
            Some(_) => choose(),
            None => spawn_local(async move {
                machines::load().await;
                choose();
            }),
        }
    };
    let is_original = |machine: &Machine| *machine == props.chosen.original();
    let chosen = machines::find(entry.name)
        .filter(is_original)
        .filter(|_| !props.own.contains(&props.chosen));
    let is_chosen = chosen.is_some();
    let what = match chosen.is_some_and(|machine| machine != props.chosen) {
        true => text::CHANGED.to_owned(),
        false => format!("{} · {}", entry.year, entry.network),
    };
    let found = entry.found.to_string();
    radio(
        entry.name.to_owned(),
        [entry.name, entry.title, &what],
        &found,
        is_chosen,
        on_choose.into(),
    )
}

/// Selects the machine of that name, or reports why it cannot be loaded.
fn select(name: &str) -> Action {
    match machines::find(name) {
        Some(machine) => Action::SelectMachine(machine),
        None => Action::AddMachine(machines::signature(name).map(Box::new)),
    }
}

/// A machine of the reader's own.
fn own(machine: &Machine, props: &Props) -> Html {
    let (this, on_action) = (machine.clone(), props.on_action.clone());
    let is_changed = machine.original() != *machine;
    let what =
        if is_changed { text::CHANGED } else { machine.measured_on().unwrap_or(text::UNDATED) };
    let on_choose = move |()| on_action.emit(Action::SelectMachine(this.clone()));
    let words = [&*machine.name, &machine.title, what];
    radio(machine.key(), words, "", *machine == props.chosen, on_choose.into())
}

fn radio(
    key: String,
    [name, title, what]: [&str; 3],
    hint: &str,
    checked: bool,
    on_choose: Callback<()>,
) -> Html {
    html! {
        <label class="machine" {key} title={hint.to_owned()}>
            <input
                type="radio"
                name="machine"
                value={name.to_owned()}
                {checked}
                onchange={on_choose.reform(|_| ())}
            />
            <span class="title">{ title.to_owned() }</span>
            <small>{ what.to_owned() }</small>
        </label>
    }
}
