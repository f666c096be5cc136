//! The view Plan: a program as a sketch, and its time over the number of ranks.

mod comparison;
mod edit;
mod editor;
pub(crate) mod figure;
mod form;
mod headline;
mod plots;
mod ranks;
mod ranks_per_node;
mod request;
mod results;
mod tables;
pub(crate) mod words;

use self::words as text;
use super::Props;
use crate::browser::{WebWorker, WorkerEvent};
use crate::fields::assume::assume;
use crate::fields::what_if::what_if;
use crate::memo::{Shared, memoized};
use crate::notices::reason;
use crate::request_queue::RequestQueue;
use crate::state::{Action, Page};
use edit::SketchEdit;
use gloo_timers::callback::Timeout;
use loggia_link::state::View;
use loggia_plan::plan::{Plan as Planned, Scaling};
use loggia_plan::sketch::edit::Outline;
use loggia_worker::Response;
use request::{MachineText, Query, Question};
use results::Results;
use yew::{Callback, Component, Context, Html, html};

/// Delay in milliseconds before simulations start after a change.
const SIMULATION_DELAY: u32 = 150;
/// Delay in milliseconds before a stale request is aborted.
const STALE_TIMEOUT: u32 = 1000;

pub(crate) enum Message {
    /// An event of the worker.
    WorkerEvent(WorkerEvent),
    /// A value of the sketch changes.
    SketchEdit(SketchEdit),
    /// Nothing has changed for the delay.
    Rest,
    /// Stale request with this number is slow.
    StaleTimeout(u32),
    /// Repeat after the worker was lost.
    Again,
}

/// A component with state, since it talks to a worker.
pub(crate) struct Plan {
    requests: RequestQueue<Question, Query>,
    results: Results,
    machines: Vec<MachineText>,
    /// The current text; the page may still hold an earlier one.
    text: String,
    on_put: Callback<SketchEdit>,
    /// The outline that the form shows: positions of edits refer to it.
    shown: Option<Shared<Outline>>,
    rest: Option<Timeout>,
    stale_timer: Option<Timeout>,
    lost: Option<String>,
}

impl Component for Plan {
    type Message = Message;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let on_event = context.link().callback(Message::WorkerEvent);
        let start = move || {
            let on_event = on_event.clone();
            WebWorker::start(move |event| on_event.emit(event))
        };
        let page = &context.props().page;
        let mut this = Plan {
            requests: RequestQueue::new(start, request::request),
            results: Results::default(),
            machines: request::machines(page, &[]),
            text: page.sketch().to_owned(),
            on_put: context.link().callback(Message::SketchEdit),
            shown: None,
            rest: None,
            stale_timer: None,
            lost: None,
        };
        this.send_requests(context);
        this
    }

    fn changed(&mut self, context: &Context<Self>, _: &Props) -> bool {
        let page = &context.props().page;
        self.machines = request::machines(page, &self.machines);
        self.text = page.sketch().to_owned();
        if self.requests.is_new(&request::question(page, &self.machines), &None) {
            self.results.keep(&self.machines);
            self.send_requests(context);
        }
        true
    }

    fn update(&mut self, context: &Context<Self>, message: Message) -> bool {
        match message {
            Message::WorkerEvent(event) => return self.handle_event(event),
            Message::SketchEdit(put) => self.put(context, put),
            Message::Rest => {
                if let Ok(procs) = request::procs(&context.props().page) {
                    self.requests.add(request::delayed_queries(self.machines.len(), procs.len()));
                }
            }
            Message::StaleTimeout(count) => {
                let is_stale =
                    self.requests.running.as_ref().is_some_and(|(_, is_current)| !is_current);
                if count == self.requests.count && is_stale {
                    self.requests.restart();
                }
            }
            Message::Again => {
                self.send_requests(context);
                return true;
            }
        }
        false
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.shown = self.results.outline.as_ref().map(|(_, outline)| outline.clone());
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props { page, on_action } = context.props();
        let outline = self.results.outline.as_ref().map(|(of, outline)| edit::EditorInputs {
            outline: outline.clone(),
            is_current: *of == self.text,
        });
        html! {
            <>
                <div class="planning">
                    <section class="panel" id="sketch" aria-labelledby="sketch-title">
                        <h2 id="sketch-title">{ text::SKETCH }</h2>
                        <p class="aside">{ text::INTRO }</p>
                        { editor::examples(&self.text, on_action) }
                        <ranks::Ranks ranks={page.ranks().to_owned()} on_action={on_action.clone()} />
                        <ranks_per_node::RanksPerNodeField
                            text={self.text.clone()}
                            known={outline.clone()}
                            on_put={self.on_put.clone()}
                            on_action={on_action.clone()}
                        />
                        <editor::Editor
                            text={self.text.clone()}
                            known={outline}
                            problem={self.results.refused.clone()}
                            on_put={self.on_put.clone()}
                            on_action={on_action.clone()}
                        />
                        { memoized((page.clone(), on_action.clone()), |(page, on_action)| what_if(page, false, on_action)) }
                        { self.strip().unwrap_or_default() }
                    </section>
                    <section class="panel" id="plan" aria-labelledby="plan-title">
                        <h2 id="plan-title">{ crate::text::view(View::Plan) }</h2>
                        { self.state(context) }
                        { self.answer(page, on_action) }
                        { self.pictures(page, on_action) }
                    </section>
                </div>
                { self.parts(page, on_action) }
                { comparison::other_machines(page, &self.results.plans, on_action) }
            </>
        }
    }
}

impl Plan {
    fn send_requests(&mut self, context: &Context<Self>) {
        let page = &context.props().page;
        self.lost = None;
        if let Err(error) = request::procs(page) {
            self.results.refused = Some(error);
            return;
        }
        let question = request::question(page, &self.machines);
        let first = request::immediate_queries(&question);
        self.requests.set_question(question, None, first);
        let link = context.link().clone();
        self.rest = Some(Timeout::new(SIMULATION_DELAY, move || link.send_message(Message::Rest)));
        let (link, count) = (context.link().clone(), self.requests.count);
        let call = move || link.send_message(Message::StaleTimeout(count));
        self.stale_timer = Some(Timeout::new(STALE_TIMEOUT, call));
    }

    /// Puts a value at its position in the text, if the form belongs to this text.
    fn put(&mut self, context: &Context<Self>, SketchEdit { what, at, new }: SketchEdit) {
        let Some((of, outline)) = &mut self.results.outline else { return };
        if *of != self.text {
            return;
        }
        // Several edits may arrive before the form is drawn again.
        let Some(at) = self.shown.as_ref().and_then(|shown| outline.place_now(shown, &at)) else {
            return;
        };
        let mut moved = (**outline).clone();
        let text = moved.put(&self.text, &at, &new);
        (*of, *outline) = (text.clone(), Shared::new(moved));
        self.text.clone_from(&text);
        context.props().on_action.emit(Action::Sketch(what, text));
    }

    fn handle_event(&mut self, event: WorkerEvent) -> bool {
        let query = self.requests.handle(&event);
        let is_changed = match event {
            WorkerEvent::Ready => false,
            WorkerEvent::Progress(_) => return false,
            WorkerEvent::Lost(failure) => {
                self.lost = Some(crate::text::lost(&failure));
                return true;
            }
            WorkerEvent::NotLoaded => {
                self.lost = Some(crate::text::SIMULATOR_NOT_LOADED.to_owned());
                return true;
            }
            WorkerEvent::Response { text, .. } => match (query, serde_json::from_str(&text)) {
                (Some(query), Ok(Response::Planned(Some(planned)))) => {
                    self.results.store(query, *planned, &self.text, &self.machines);
                    true
                }
                (_, Err(error)) => {
                    self.lost = Some(crate::text::lost(&error.to_string()));
                    true
                }
                _ => false,
            },
        };
        self.requests.send_next();
        is_changed
    }

    /// Progress and errors.
    fn state(&self, context: &Context<Self>) -> Html {
        let status = match (&self.lost, self.requests.is_possible()) {
            (Some(failure), _) => {
                html! { { failure } }
            }
            (None, false) => html! { { crate::text::NO_THREAD } },
            _ if self.results.plans.is_empty() && self.results.refused.is_none() => {
                return html! { <p class="aside" role="status">{ text::STARTING }</p> };
            }
            _ => return html! {},
        };
        html! {
            <p class="running" role="status">
                { status }
                <button type="button" onclick={context.link().callback(|_| Message::Again)}>
                    { crate::text::AGAIN }
                </button>
            </p>
        }
    }

    /// The result in short, next to sliders when the result itself is out of sight.
    fn strip(&self) -> Option<Html> {
        let (_, plan) = self.results.own()?;
        Some(memoized(plan.clone(), headline::strip))
    }

    fn answer(&self, page: &Page, on_action: &Callback<Action>) -> Html {
        match (self.results.own(), self.results.plans.first().map(|known| &known.plan)) {
            (Some((known, plan)), _) => {
                let of = (known.clone(), plan.clone(), page.machine.title.clone());
                memoized(of, |(known, plan, title)| headline::answer(known, plan, title))
            }
            // An error in the sketch is shown below its text.
            (None, Some(Err(error))) => {
                html! { <>{ reason(error) }{ assume(error, on_action) }</> }
            }
            (None, _) => html! {},
        }
    }

    fn pictures(&self, page: &Page, on_action: &Callback<Action>) -> Html {
        let Some((known, plan)) = self.results.own() else { return html! {} };
        let at = chosen(page, plan);
        let of = (known.clone(), plan.clone(), at, on_action.clone());
        html! {
            <>
                { memoized(of, |(known, plan, at, on_action)| plots::pictures(known, plan, *at, on_action)) }
                { memoized(plan.clone(), headline::conclusions) }
            </>
        }
    }

    /// Parts of an iteration, and numbers.
    fn parts(&self, page: &Page, on_action: &Callback<Action>) -> Html {
        let Some((known, plan)) = self.results.own() else { return html! {} };
        let at = chosen(page, plan);
        let of = (known.clone(), plan.clone(), at);
        let clicked = (plan.clone(), at, on_action.clone());
        html! {
            <>
                { memoized(clicked, |(plan, at, on_action)| plots::split(plan, *at, on_action)) }
                { memoized(of.clone(), |(known, plan, at)| tables::point_tables(known, plan, *at)) }
                { memoized(of, |(known, plan, at)| tables::points(known, plan, *at)) }
                { memoized((known.clone(), plan.clone()), |(known, plan)| tables::unknown_parameters(known, plan)) }
            </>
        }
    }
}

/// Index of the selected number of ranks: the nearest to the page's input; by default the one with
/// the shortest iteration, or for weak scaling the last.
fn chosen(page: &Page, plan: &Planned) -> usize {
    let selected = page.inputs.procs.map(|procs| procs.count().max(1.0));
    let far = |at: usize| match (selected, plan.scaling) {
        (Some(selected), _) => (plan.points[at].procs.count() / selected).ln().abs(),
        (None, Scaling::Strong) => plan.points[at].time_us.0,
        (None, Scaling::Weak) => -(at as f64),
    };
    (0..plan.points.len()).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or_default()
}
