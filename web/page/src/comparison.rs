//! Comparison with other machines: their choice, tier and send mode.

mod chooser;
pub(crate) mod words;

use crate::draw::figure::Ink;
use crate::draw::leads::Leads;
use crate::draw::steps::Axis;
use crate::machines::Machine;
use crate::notices::reason;
use crate::state::{Action, Page};
use crate::tables::rich;
use crate::tables::scroll::Scroll;
pub(crate) use chooser::{chooser, chooser_of};
use loggia_link::state::Inputs;
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::model::changes::Change;
use yew::{Callback, Html, html};

/// A machine of the comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComparedMachine {
    pub(crate) machine: Machine,
    pub(crate) ink: Ink,
    /// A title unlike the others'.
    pub(crate) title: String,
    /// A short title.
    pub(crate) label: String,
}

impl ComparedMachine {
    /// The page's tier and send mode, if the machine has them.
    pub(crate) fn route(&self, inputs: &Inputs) -> Result<Route<'_>, Error> {
        Route::near(&self.machine, inputs.tier.as_deref(), inputs.style.as_deref())
    }

    /// The title with its colour.
    pub(crate) fn name(&self) -> Html {
        html! { <>{ rich::swatch(self.ink) }{ &self.title }</> }
    }

    /// The short title.
    pub(crate) fn short(&self) -> String {
        self.label.clone()
    }

    /// Whether it is the selected machine.
    pub(crate) fn is_first(&self) -> bool {
        self.ink == Ink::Total
    }
}

/// The selected machine, then the others.
pub(crate) fn all(page: &Page) -> Vec<ComparedMachine> {
    let machines: Vec<Machine> =
        std::iter::once(page.machine.clone()).chain(page.compared()).collect();
    shown(&machines)
}

/// These machines with titles and colours.
pub(crate) fn shown(machines: &[Machine]) -> Vec<ComparedMachine> {
    let names = titles(machines).into_iter().zip(short_names(machines));
    let named = machines.iter().cloned().zip(names).enumerate();
    let shown = |(i, (machine, (title, label)))| ComparedMachine {
        machine,
        ink: Ink::of_machine(i),
        title,
        label,
    };
    named.map(shown).collect()
}

/// A machine's title, marked if it was changed.
pub(crate) fn title(machine: &Machine) -> String {
    match machine.original() == *machine {
        true => machine.title.clone(),
        false => words::changed(&machine.title),
    }
}

/// Distinct titles: runs of one machine get their dates, or else numbers.
pub(crate) fn titles(machines: &[Machine]) -> Vec<String> {
    let dated = |machine: &Machine| match machine.measured_on() {
        Some(date) => format!("{}, {date}", title(machine)),
        None => title(machine),
    };
    let plain: Vec<String> = machines.iter().map(title).collect();
    let dated: Vec<String> = machines.iter().map(dated).collect();
    let is_alone =
        |all: &[String], at: usize| all.iter().filter(|one| **one == all[at]).count() == 1;
    // Not the place in the list: tables and plots have the machines in different orders.
    let content = |at: usize| serde_json::to_string(&*machines[at]).unwrap_or_default();
    let number = |at: usize| {
        let before = |other: &usize| dated[*other] == dated[at] && content(*other) < content(at);
        1 + (0..machines.len()).filter(before).count()
    };
    let one = |at: usize| match (is_alone(&plain, at), is_alone(&dated, at)) {
        (true, _) => plain[at].clone(),
        (false, true) => dated[at].clone(),
        (false, false) => format!("{} ({})", dated[at], number(at)),
    };
    (0..machines.len()).map(one).collect()
}

/// Distinct short titles: runs of one machine get their days, runs of one day their titles; a machine is
/// marked if it was changed.
pub(crate) fn short_names(machines: &[Machine]) -> Vec<String> {
    let titles = titles(machines);
    let day = |machine: &Machine| machine.measured_on()?.split(' ').next().map(str::to_owned);
    let one = |(machine, title): (&Machine, &String)| {
        let namesakes = || machines.iter().filter(|other| other.name == machine.name);
        let same_day = || namesakes().filter(|other| day(other) == day(machine)).count();
        let is_original = |machine: &Machine| machine.original() == *machine;
        let originals = || namesakes().filter(|other| is_original(other)).count();
        match (namesakes().count(), day(machine)) {
            (1, _) => words::short(&machine.name),
            (_, Some(day)) if same_day() == 1 => words::short(&day),
            _ if !is_original(machine) => words::short(&words::changed(&machine.name)),
            _ if originals() == 1 => words::short(&machine.name),
            _ => words::short(title),
        }
    };
    machines.iter().zip(&titles).map(one).collect()
}

/// The section of a view that compares machines; `inside` is its content.
pub(crate) fn panel(
    page: &Page,
    on_action: &Callback<Action>,
    inside: impl FnOnce() -> Html,
) -> Html {
    let is_on = page.inputs.machines;
    let next = if is_on { "no" } else { "yes" };
    let on_change = on_action.reform(move |_| Action::SetInput("machines", next.to_owned()));
    html! {
        <section class="panel whole" id="beside" aria-labelledby="beside-title">
            <div class="titled">
                <h2 id="beside-title">{ words::OTHER_MACHINES }</h2>
                <label class="chip">
                    <input type="checkbox" name="machines" checked={is_on} onchange={on_change} />
                    <span>{ words::COMPARE }</span>
                </label>
            </div>
            if is_on { { inside() } }
        </section>
    }
}

/// A table with a row per machine; columns from `numbers` on hold numbers.
pub(crate) fn table(columns: &[&'static str], numbers: usize, rows: Vec<Html>) -> Html {
    let head = |(i, words): (usize, &&'static str)| {
        let class = (i >= numbers).then_some("number");
        html! { <th scope="col" {class}>{ rich::formula(words) }</th> }
    };
    html! {
        <Scroll label={words::OTHER_MACHINES}>
            <table class="parts many">
                <caption class="unseen">{ words::OTHER_MACHINES }</caption>
                <thead><tr>{ for columns.iter().enumerate().map(head) }</tr></thead>
                <tbody>{ rows }</tbody>
            </table>
        </Scroll>
    }
}

/// The fastest machine along an axis; nothing if only one machine has values.
pub(crate) fn leads(leads: &Leads, shown: &[ComparedMachine], axis: Axis) -> Option<Html> {
    let name = |ink: Option<Ink>| -> String {
        let one = shown.iter().find(|one| Some(one.ink) == ink);
        one.map_or_else(|| words::UNKNOWN.to_owned(), |one| one.title.clone())
    };
    leads.first?;
    let change = |change: &Change<_>| (axis.rounded_words(change.at), name(change.to));
    let changes: Vec<_> = leads.changes.iter().map(change).collect();
    let sentence = words::leads(words::FASTEST, &name(leads.first), &changes);
    Some(html! { <p class="aside leads">{ sentence }</p> })
}

/// Machines without an answer, and the reasons.
pub(crate) fn refused<'a>(
    all: impl Iterator<Item = (&'a ComparedMachine, &'a Error)>,
) -> Option<Html> {
    let item = |(shown, why): (&ComparedMachine, &Error)| {
        html! { <li><b>{ shown.name() }</b>{ reason(why) }</li> }
    };
    let items: Vec<Html> = all.map(item).collect();
    (!items.is_empty()).then(|| {
        html! {
            <section class="refusing">
                <h3>{ words::REFUSED }</h3>
                <ul>{ for items }</ul>
            </section>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::named;

    #[test]
    fn a_changed_machine_and_the_original_have_distinct_short_names() {
        let alps = named("alps");
        let mut changed = (*alps).clone();
        changed.set("L", "20us").unwrap();
        let names = short_names(&[Machine::new(changed), alps, named("trinitite")]);
        assert_eq!(names, ["alps, changed", "alps", "trinitite"]);
    }
}
