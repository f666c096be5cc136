//! Parameters fitted again to the samples, compared with the file's.

use super::{value_and_bounds, words};
use crate::browser::{WebWorker, WorkerEvent};
use crate::machines::Machine;
use crate::notices::reason;
use crate::state::Action;
use crate::tables::rich;
use crate::tables::scroll::Scroll;
use crate::tables::table::table;
use loggia_model::json::{from_json, to_json};
use loggia_model::model::collective;
use loggia_model::signature::Quality;
use loggia_model::signature::listing::{Entry, entries};
use loggia_model::{Error, Signature};
use loggia_worker::{Request, Response};
use std::cell::RefCell;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) machine: Machine,
    pub(super) on_action: Callback<Action>,
}

type Fitted = Result<Box<Signature>, Error>;

/// State of the fit.
#[derive(Clone, PartialEq)]
enum Fit {
    Requested,
    Done(Fitted),
}

/// Fits a machine in a worker, and reports the result.
fn begin(machine: Machine, on_fitted: Callback<Fitted>) -> Rc<RefCell<Option<WebWorker>>> {
    let worker = Rc::new(RefCell::new(None::<WebWorker>));
    let on_event = {
        let (worker, on_fitted) = (worker.clone(), on_fitted.clone());
        move |event| match event {
            WorkerEvent::Ready => {
                // A request always serialises.
                let request = serde_json::to_string(&Request::Fit(to_json(&machine)));
                if let Some(worker) = &*worker.borrow() {
                    worker.send(&request.unwrap_or_default(), None);
                }
            }
            WorkerEvent::Progress(_) => {}
            WorkerEvent::Response { text, .. } => on_fitted.emit(parse_response(&text, &machine)),
            WorkerEvent::Lost(failure) => on_fitted.emit(Err(lost(&failure))),
            WorkerEvent::NotLoaded => on_fitted.emit(Err(lost(crate::text::SIMULATOR_NOT_LOADED))),
        }
    };
    match WebWorker::start(on_event) {
        Some(started) => *worker.borrow_mut() = Some(started),
        None => on_fitted.emit(Err(lost(""))),
    }
    worker
}

/// The signature of a response; the samples are those of the machine.
fn parse_response(text: &str, machine: &Machine) -> Fitted {
    match serde_json::from_str(text) {
        Ok(Response::Fitted(file)) => {
            let fitted = from_json(&file)?;
            Ok(Box::new(Signature { samples: machine.samples.clone(), ..fitted }))
        }
        Ok(Response::Refused(why)) => Err(why),
        _ => Err(lost("")),
    }
}

fn lost(failure: &str) -> Error {
    Error::new(words::NOT_FITTED, failure, words::NOT_FITTED_HELP)
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
        let is_requested = *fit == Some(Fit::Requested);
        use_effect_with(is_requested, move |is_requested| {
            let on_fitted = Callback::from(move |fitted| fit.set(Some(Fit::Done(fitted))));
            let work = is_requested.then(|| begin(machine, on_fitted));
            // Dropping the worker stops it.
            move || drop(work.and_then(|work| work.take()))
        });
    }
    let on_refit = {
        let fit = fit.clone();
        move |_| fit.set(Some(Fit::Requested))
    };
    let on_keep = {
        let fit = fit.clone();
        move |_| fit.set(None)
    };
    match &*fit {
        None => html! {
            <div class="refit">
                <button type="button" onclick={on_refit}>{ words::REFIT }</button>
                <p class="aside">{ words::REFIT_SHOWS }</p>
            </div>
        },
        Some(Fit::Requested) => html! { <p role="status">{ words::REFITTING }</p> },
        Some(Fit::Done(Err(why))) => reason(why),
        Some(Fit::Done(Ok(fitted))) => {
            let on_use = {
                let (on_action, fitted) = (on_action.clone(), fitted.clone());
                move |_| on_action.emit(Action::Replace(fitted.clone()))
            };
            let (count, rows) = compare(machine, fitted);
            let summary = words::changed(rows.len(), count);
            if rows.is_empty() {
                return html! { <p role="status">{ summary }</p> };
            }
            html! {
                <>
                    <p role="status">{ summary }</p>
                    <Scroll>{ table(words::REFIT, &words::REFIT_COLUMNS, rows) }</Scroll>
                    <div class="refit">
                        <button type="button" onclick={on_use}>{ words::USE }</button>
                        <button type="button" onclick={on_keep}>{ words::KEEP }</button>
                    </div>
                </>
            }
        }
    }
}

/// A fitted parameter, or closed form.
#[derive(PartialEq)]
struct FittedValue {
    name: String,
    value: String,
    quality: Quality,
}

/// All parameters and closed forms.
fn listed(signature: &Signature) -> Vec<FittedValue> {
    let parameters = signature.tiers.iter().flat_map(entries).map(|entry: Entry| {
        let style = entry.style.as_ref().map(|style| format!("{style} ")).unwrap_or_default();
        let (value, bounds) = value_and_bounds(&entry.value);
        let value = if bounds.is_empty() { value } else { format!("{value} ({bounds})") };
        FittedValue { name: format!("{style}{}", entry.symbol), value, quality: entry.quality }
    });
    let forms = signature.collectives.iter().map(|form| FittedValue {
        name: form.op.name().to_owned(),
        value: collective::words(form),
        quality: form.quality,
    });
    parameters.chain(forms).collect()
}

/// The number of values, and those that changed: name, file's value, new value.
fn compare(file: &Signature, fitted: &Signature) -> (usize, Vec<Vec<Html>>) {
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
            html! { { super::quality(found.quality) } },
        ]);
    }
    (now.len(), rows)
}
