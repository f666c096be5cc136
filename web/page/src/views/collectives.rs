//! The view Collectives: time by closed form or algorithm, the fastest algorithms, a simulated run,
//! compositions.

mod choices;
mod compositions;
mod crossings;
pub(crate) mod figure;
mod machines;
mod map;
mod plot;
mod prediction;
mod ranks;
mod run;
mod sensitivity;
pub(crate) mod slices;
mod tiers;
pub(crate) mod words;

use super::Props;
use crate::draw::algorithms::CollectiveQuestion;
use crate::draw::steps::Axis;
use crate::fields::amount::Amount;
use crate::fields::assume::assume;
use crate::machines::Machine;
use crate::memo::memoized;
use crate::notices::reason;
use crate::state::{Action, Page};
use crate::text;
use loggia_link::state::View;
use loggia_model::Error;
use loggia_model::model::collective::check_procs;
use loggia_model::signature::Operation;
use loggia_simulate::request::{BEST, CollectivePrediction, Ranked};
use slices::{SlicedWork, Start, use_slices};
use yew::{Callback, Html, component, html, use_memo};

/// The question that every part of the view answers.
#[derive(Clone, Debug, PartialEq)]
struct Question {
    machine: Machine,
    collective: CollectiveQuestion,
    /// Algorithm or other method.
    method: String,
}

impl Question {
    fn of(page: &Page) -> Self {
        let op = page.operation().unwrap_or(Operation::Bcast);
        let inputs = &page.inputs;
        let collective = CollectiveQuestion {
            op,
            procs: page.procs_of(op),
            bytes: page.bytes(),
            bytes_are: None,
            tier: inputs.tier.clone(),
            style: inputs.style.clone(),
            nodes: inputs.nodes.clone(),
        };
        let default =
            || collective.of(&page.machine).map_or(BEST, |request| request.default_method());
        let method = inputs.algorithm.clone().unwrap_or_else(|| default().to_owned());
        Question { machine: page.machine.clone(), collective, method }
    }

    fn answer(&self) -> Result<CollectivePrediction, Error> {
        let request = self.collective.of(&self.machine)?;
        Ok(request.with_interval(request.by(&self.method)?))
    }
}

/// The inputs of the ranking, and its result.
struct Ranking(Question, Option<Vec<Ranked>>);

impl SlicedWork for Ranking {
    type Partial = (Question, Vec<Ranked>);

    fn step(&mut self) -> bool {
        let Ranking(question, found) = self;
        let ranking =
            question.collective.of(&question.machine).and_then(|request| request.fastest());
        *found = ranking.map(|(_, ranking)| ranking).ok();
        false
    }

    fn partial(&self) -> Self::Partial {
        (self.0.clone(), self.1.clone().unwrap_or_default())
    }
}

#[component]
pub(crate) fn Collectives(props: &Props) -> Html {
    let Props { page, on_action } = props;
    let question = Question::of(page);
    let answer = use_memo(question.clone(), Question::answer);
    let ranking = use_slices(Start::AfterPause, question.clone(), |question| {
        Some(Ranking(question.clone(), None))
    });
    let ranking =
        ranking.as_deref().filter(|(about, _)| about.collective.op == question.collective.op);
    let body = match check_procs(question.collective.procs) {
        Err(why) => reason(&why),
        Ok(()) => body(page, &question, &answer, on_action),
    };
    html! {
        <>
            <section class="panel whole" id="collectives" aria-labelledby="collectives-title">
                <h2 id="collectives-title">{ text::view(View::Collectives) }</h2>
                { choices::operations(page, question.collective.op, on_action) }
                { procs(&question, on_action) }
                { choices::methods(&question, ranking.map(|(_, all)| all.as_slice()), on_action) }
                { body }
            </section>
            <map::Map ..props.clone() />
            <run::Run ..props.clone() />
            <tiers::Tiers ..props.clone() />
            { compositions::compositions(&question) }
        </>
    }
}

fn procs(question: &Question, on_action: &Callback<Action>) -> Html {
    let (value, on_action) = (u64::from(question.collective.procs.0), on_action.clone());
    html! { <Amount axis={Axis::Procs} id="procs" {value} {on_action} /> }
}

fn body(
    page: &Page,
    question: &Question,
    answer: &Result<CollectivePrediction, Error>,
    on_action: &Callback<Action>,
) -> Html {
    let shown = Props { page: page.clone(), on_action: on_action.clone() };
    let answered = match answer {
        Ok(answer) => prediction::answered(question, answer),
        Err(why) => html! { <>{ reason(why) }{ assume(why, on_action) }</> },
    };
    let below = answer.as_ref().ok().map(|answer| prediction::below(question, answer));
    html! {
        <div class="spread">
            <div class="answered">
                { answered }
                { memoized((question.machine.clone(), question.collective.op, question.collective.procs), |(machine, op, procs)| prediction::metrics(machine, *op, *procs)) }
            </div>
            <plot::Picture ..shown.clone() />
            <div class="below">
                { below.unwrap_or_default() }
                if page.inputs.machines { <machines::Machines ..shown /> }
            </div>
        </div>
    }
}
