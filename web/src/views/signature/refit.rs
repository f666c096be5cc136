//! The parameters fitted again to the samples, beside those of the file.

use super::value_and_bounds;
use crate::machines::Machine;
use crate::state::Action;
use crate::text::signature as words;
use crate::views::problem::reason;
use crate::views::rich;
use crate::views::table::table;
use gloo_timers::callback::Timeout;
use loggia_model::fit::anew;
use loggia_model::model::collective;
use loggia_model::signature::Verdict;
use loggia_model::signature::listing::{Entry, entries};
use loggia_model::{Error, Signature};
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) machine: Machine,
    pub(super) on_action: Callback<Action>,
}

/// How far fitting has come.
#[derive(Clone, PartialEq)]
enum Fit {
    Asked,
    Done(Result<Box<Signature>, Error>),
}

#[component]
pub(super) fn Refit(Props { machine, on_action }: &Props) -> Html {
    let fit = use_state(|| None::<Fit>);
    {
        let fit = fit.clone();
        use_effect_with(machine.clone(), move |_| fit.set(None));
    }
    {
        let (machine, fit) = (machine.clone(), fit.clone());
        let is_asked = *fit == Some(Fit::Asked);
        use_effect_with(is_asked, move |is_asked| {
            // After the words that say so are on the screen.
            let later = is_asked.then(|| {
                Timeout::new(50, move || fit.set(Some(Fit::Done(anew(&machine).map(Box::new)))))
            });
            move || drop(later)
        });
    }
    let on_ask = {
        let fit = fit.clone();
        move |_| fit.set(Some(Fit::Asked))
    };
    let on_keep = {
        let fit = fit.clone();
        move |_| fit.set(None)
    };
    match &*fit {
        None => html! {
            <div class="refit">
                <button type="button" onclick={on_ask}>{ words::REFIT }</button>
                <p class="aside">{ words::REFIT_SHOWS }</p>
            </div>
        },
        Some(Fit::Asked) => html! { <p role="status">{ words::REFITTING }</p> },
        Some(Fit::Done(Err(why))) => reason(why),
        Some(Fit::Done(Ok(fitted))) => {
            let on_use = {
                let (on_action, fitted) = (on_action.clone(), fitted.clone());
                move |_| on_action.emit(Action::Replace(fitted.clone()))
            };
            let (count, rows) = beside(machine, fitted);
            let said = words::changed(rows.len(), count);
            if rows.is_empty() {
                return html! { <p role="status">{ said }</p> };
            }
            html! {
                <>
                    <p role="status">{ said }</p>
                    <div class="scroll">{ table(words::REFIT, &words::REFIT_COLUMNS, rows) }</div>
                    <div class="refit">
                        <button type="button" onclick={on_use}>{ words::USE }</button>
                        <button type="button" onclick={on_keep}>{ words::KEEP }</button>
                    </div>
                </>
            }
        }
    }
}

/// A parameter, or the form of a collective operation, in words.
#[derive(PartialEq)]
struct Listed {
    name: String,
    value: String,
    verdict: Verdict,
}

/// All parameters of all tiers, and all forms.
fn listed(signature: &Signature) -> Vec<Listed> {
    let parameters = signature.tiers.iter().flat_map(entries).map(|entry: Entry| {
        let style = entry.style.as_ref().map(|style| format!("{style} ")).unwrap_or_default();
        let (value, bounds) = value_and_bounds(&entry.value);
        let value = if bounds.is_empty() { value } else { format!("{value} ({bounds})") };
        Listed { name: format!("{style}{}", entry.symbol), value, verdict: entry.verdict }
    });
    let forms = signature.collectives.iter().map(|form| Listed {
        name: form.op.name().to_owned(),
        value: collective::words(form),
        verdict: form.verdict,
    });
    parameters.chain(forms).collect()
}

/// How many there are, and what the file says beside what was found; what did not change is left
/// out.
fn beside(file: &Signature, fitted: &Signature) -> (usize, Vec<Vec<Html>>) {
    let (mut before, now) = (listed(file), listed(fitted));
    let mut rows: Vec<Vec<Html>> = Vec::new();
    for found in &now {
        let place = before.iter().position(|known| known.name == found.name);
        let was = place.map(|place| before.remove(place));
        if was.as_ref() == Some(found) {
            continue;
        }
        let was = was.map_or("—".to_owned(), |was| was.value);
        rows.push(vec![
            rich::formula(&found.name),
            rich::formula(&was),
            rich::formula(&found.value),
            html! { { super::verdict(found.verdict) } },
        ]);
    }
    (now.len(), rows)
}
