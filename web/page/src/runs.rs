//! A simulated run: completion time, timeline, time of ranks, critical path, sensitivity.

mod critical_path;
mod curve;
mod deadlock;
pub(crate) mod estimate;
pub(crate) mod fields;
mod other_machines;
pub(crate) mod request;
pub(crate) mod result;
pub(crate) mod results;
mod split;
mod timeline;
pub(crate) mod words;

use self::words as text;
use crate::browser::{Files, WebWorker, WorkerEvent};
use crate::draw::visible::VisibleRange;
use crate::fields::assume::assume;
use crate::machines::Machine;
use crate::memo::{Shared, memoized};
use crate::notices::{explained, reason};
use crate::request_queue::RequestQueue;
use crate::state::{Action, Page};
use estimate::Factors;
use gloo_timers::callback::Timeout;
use loggia_simulate::result::Status;
use loggia_worker::{
    Comparison, Query, Response, RunRequest, RunResult, TimelineSection, Viewport,
};
use results::Results;
use timeline::{Timeline, TimelineKind};
use yew::{Callback, Component, Context, Html, Properties, html};

/// Delay in milliseconds before progress is shown.
const PROGRESS_DELAY: u32 = 200;
/// Delay in milliseconds before a stale request is aborted.
const STALE_TIMEOUT: u32 = 300;

/// The elements that a view adds to a run.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) title: &'static str,
    /// Fields with the inputs of the run.
    pub(crate) fields: fn(&Page, &Callback<Action>) -> Html,
    /// The result, if a view shows another one than that of the simulation.
    pub(crate) answer: fn(&Page, &Results, &RunResult) -> Option<Html>,
    /// Shown below the timelines of a traced program.
    pub(crate) calls: fn(&Comparison) -> Html,
}

impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        self.title == other.title
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) page: Page,
    pub(crate) on_action: Callback<Action>,
    pub(crate) parts: Parts,
}

pub(crate) enum Message {
    /// An event of the worker.
    WorkerEvent(WorkerEvent),
    /// Request another part of the timeline.
    Viewport(Viewport),
    /// The visible part of the timeline changed; `None` is all of it.
    VisibleRange(Option<VisibleRange>),
    /// Request with this number is slow.
    Slow(u32),
    /// Stale request with this number is slow.
    StaleTimeout(u32),
    /// Cancel the request.
    Cancel,
    /// Repeat the cancelled request.
    Again,
}

/// State of the requests to the worker.
enum RunState {
    /// All have responses, or will have them soon.
    Quiet,
    /// A request takes long; its progress, if known.
    Slow(Option<f64>),
    /// The user has cancelled the request.
    Cancelled,
    /// The worker is lost, for this reason.
    Lost(String),
}

/// A component with state, since it talks to a worker.
pub(crate) struct Run {
    requests: RequestQueue<RunRequest, Query>,
    results: Results,
    /// The machine and its JSON, serialised once.
    machine: (Machine, String),
    /// Compared machines and their JSON.
    compared: Vec<(Machine, String)>,
    on_viewport: Callback<Viewport>,
    visible: Option<VisibleRange>,
    on_visible: Callback<Option<VisibleRange>>,
    slow: Option<Timeout>,
    stale_timer: Option<Timeout>,
    state: RunState,
    /// The files of the run.
    program: Option<Files>,
}

impl Component for Run {
    type Message = Message;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let on_event = context.link().callback(Message::WorkerEvent);
        let machine = &context.props().page.machine;
        let mut this = Run {
            requests: RequestQueue::new(
                move || {
                    let on_event = on_event.clone();
                    WebWorker::start(move |event| on_event.emit(event))
                },
                request::request,
            ),
            results: Results::default(),
            machine: (machine.clone(), request::text_of(machine, &context.props().page)),
            compared: with_texts(&context.props().page, &[]),
            on_viewport: context.link().callback(Message::Viewport),
            visible: None,
            on_visible: context.link().callback(Message::VisibleRange),
            slow: None,
            stale_timer: None,
            state: RunState::Quiet,
            program: context.props().page.program.clone(),
        };
        this.send_requests(context);
        this
    }

    fn changed(&mut self, context: &Context<Self>, _: &Props) -> bool {
        let page = &context.props().page;
        if self.machine.0 != page.machine {
            self.machine = (page.machine.clone(), request::text_of(&page.machine, page));
        }
        let compared = with_texts(page, &self.compared);
        let is_new = self.requests.is_new(&self.question(context), &page.program);
        if is_new || compared != self.compared {
            self.compared = compared;
            if self.program != page.program {
                (self.results, self.visible) = (Results::default(), None);
                self.program = page.program.clone();
            }
            self.send_requests(context);
        }
        true
    }

    fn update(&mut self, context: &Context<Self>, message: Message) -> bool {
        match message {
            Message::WorkerEvent(event) => self.handle_event(context, event),
            Message::Viewport(viewport) => {
                let query = match request::is_replay(&context.props().page) {
                    true => Query::Calls(viewport),
                    false => Query::TimelineSection(viewport),
                };
                self.requests.add_first(query, |other| {
                    matches!(other, Query::TimelineSection(_) | Query::Calls(_))
                });
                self.watch(context);
                return false;
            }
            Message::VisibleRange(visible) => self.visible = visible,
            Message::Slow(count) => {
                let is_running = count == self.requests.count && self.requests.running.is_some();
                if !is_running || !matches!(self.state, RunState::Quiet) {
                    return false;
                }
                self.state = RunState::Slow(None);
            }
            Message::StaleTimeout(count) => {
                let is_stale =
                    self.requests.running.as_ref().is_some_and(|(_, is_current)| !is_current);
                if count == self.requests.count && is_stale {
                    self.requests.restart();
                }
                return false;
            }
            Message::Cancel => {
                self.requests.end();
                self.slow = None;
                self.state = RunState::Cancelled;
            }
            Message::Again => self.send_requests(context),
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let &Props { ref page, ref on_action, parts } = context.props();
        html! {
            <>
                <section class="panel" id="simulate" aria-labelledby="simulate-title">
                    <h2 id="simulate-title">{ parts.title }</h2>
                    { memoized((page.clone(), on_action.clone(), parts), |(page, on_action, parts)| {
                        (parts.fields)(page, on_action)
                    }) }
                    { self.state(context) }
                    { self.result(page, parts, on_action) }
                </section>
                { self.pictures(context) }
            </>
        }
    }
}

/// Machines with their JSON; known ones are not serialised again.
fn with_texts(page: &Page, known: &[(Machine, String)]) -> Vec<(Machine, String)> {
    if request::is_replay(page) {
        return Vec::new();
    }
    let with_text = |machine: Machine| {
        let text = known.iter().find(|(other, _)| *other == machine).map(|(_, text)| text.clone());
        let text = text.unwrap_or_else(|| request::text_of(&machine, page));
        (machine, text)
    };
    page.compared().into_iter().map(with_text).collect()
}

impl Run {
    fn question(&self, context: &Context<Self>) -> RunRequest {
        request::question(&context.props().page, self.machine.1.clone())
    }

    fn send_requests(&mut self, context: &Context<Self>) {
        if matches!(self.state, RunState::Cancelled | RunState::Lost(_)) {
            self.state = RunState::Quiet;
        }
        let page = &context.props().page;
        if request::is_replay(page) && page.program.is_none() {
            return;
        }
        let (question, program) = (self.question(context), context.props().page.program.clone());
        self.requests.set_question(question, program, vec![Query::End]);
        self.watch(context);
        let (link, count) = (context.link().clone(), self.requests.count);
        let call = move || link.send_message(Message::StaleTimeout(count));
        self.stale_timer = Some(Timeout::new(STALE_TIMEOUT, call));
    }

    /// Shows progress if the last request takes long.
    fn watch(&mut self, context: &Context<Self>) {
        let (link, count) = (context.link().clone(), self.requests.count);
        self.slow =
            Some(Timeout::new(PROGRESS_DELAY, move || link.send_message(Message::Slow(count))));
    }

    fn handle_event(&mut self, context: &Context<Self>, event: WorkerEvent) {
        let query = self.requests.handle(&event);
        match event {
            WorkerEvent::Ready => {}
            WorkerEvent::Progress(share) => {
                if let RunState::Slow(progress) = &mut self.state {
                    *progress = Some(share);
                }
                return;
            }
            WorkerEvent::Lost(failure) => {
                self.state = RunState::Lost(crate::text::lost(&failure));
                return;
            }
            WorkerEvent::NotLoaded => {
                self.state = RunState::Lost(crate::text::SIMULATOR_NOT_LOADED.to_owned());
                return;
            }
            WorkerEvent::Response { text, shares, milliseconds } => {
                if matches!(self.state, RunState::Slow(_)) {
                    self.state = RunState::Quiet;
                }
                if let Some(query) = query {
                    self.handle_response(context, &query, &text, shares, milliseconds);
                }
            }
        }
        self.requests.send_next();
        self.watch(context);
    }

    fn handle_response(
        &mut self,
        context: &Context<Self>,
        query: &Query,
        text: &str,
        shares: Vec<u8>,
        milliseconds: f64,
    ) {
        let response = match serde_json::from_str(text) {
            Ok(Response::TimelineSection(section)) => {
                Response::TimelineSection(TimelineSection { shares, ..section })
            }
            Ok(Response::Calls(was, is)) => {
                let mut shares = shares;
                let first = was.as_ref().map_or(0, |was| was.shares_length).min(shares.len());
                let rest = shares.split_off(first);
                let was = was.map(|was| Box::new(TimelineSection { shares, ..*was }));
                Response::Calls(was, Box::new(TimelineSection { shares: rest, ..*is }))
            }
            Ok(response) => response,
            Err(error) => {
                self.state = RunState::Lost(crate::text::lost(&error.to_string()));
                return;
            }
        };
        if let (Query::End, Response::Refused(_)) = (query, &response) {
            self.requests.forget_file();
        }
        if let Response::End(ended) = &response {
            self.results.factors = Some(Factors::of(&context.props().page.inputs));
            let others = self.compared.iter().map(|(_, text)| text.clone()).collect();
            let queries = request::queries(&context.props().page, others);
            let is_over = ended.answer.status == Status::Ok;
            // A run that gets stuck has no critical path.
            let queries: Vec<Query> = queries
                .into_iter()
                .filter(|query| is_over || matches!(query, Query::Split(_)))
                .collect();
            self.results.keep(&queries);
            self.requests.add(queries);
        }
        let compared = self.compared.iter().map(|(machine, _)| machine);
        self.results.store(query, response, milliseconds, compared);
    }

    /// Progress and errors.
    fn state(&self, context: &Context<Self>) -> Html {
        let link = context.link();
        if let RunState::Slow(progress) = self.state {
            let value = progress.map(|share| share.min(1.0).to_string());
            return html! {
                <p class="running" role="status">
                    { text::running(self.requests.running.as_ref().map(|(query, _)| query), progress) }
                    <progress aria-label={text::PROGRESS} {value} max="1" />
                    <button type="button" onclick={link.callback(|_| Message::Cancel)}>
                        { text::CANCEL }
                    </button>
                </p>
            };
        }
        let status = match &self.state {
            RunState::Lost(failure) => html! { { failure } },
            RunState::Cancelled => html! { { text::CANCELLED } },
            _ if !self.requests.is_possible() => html! { { crate::text::NO_THREAD } },
            _ if request::is_replay(&context.props().page)
                && context.props().page.program.is_none() =>
            {
                return html! {};
            }
            _ if self.results.end.is_none() && self.results.refusal.is_none() => {
                return html! { <p class="aside" role="status">{ text::STARTING }</p> };
            }
            _ => return html! {},
        };
        html! {
            <p class="running" role="status">
                { status }
                <button type="button" onclick={link.callback(|_| Message::Again)}>
                    { crate::text::AGAIN }
                </button>
            </p>
        }
    }

    /// The result of the run.
    fn result(&self, page: &Page, parts: Parts, on_action: &Callback<Action>) -> Html {
        let Results { end, refusal, milliseconds, .. } = &self.results;
        match (end, refusal) {
            (Some(end), _) => (parts.answer)(page, &self.results, end).unwrap_or_else(|| {
                memoized(
                    (end.clone(), page.machine.clone(), *milliseconds),
                    |(end, machine, ms)| result::result(end, &machine.title, *ms),
                )
            }),
            (None, Some(why)) => html! { <>{ reason(why) }{ assume(why, on_action) }</> },
            (None, None) => html! {},
        }
    }

    fn pictures(&self, context: &Context<Self>) -> Html {
        let &Props { ref page, ref on_action, parts } = context.props();
        let Some(ended) = &self.results.end else { return html! {} };
        // Always the same nodes: otherwise the timeline would be created again.
        let Results { bars, path, sensitivity, others, refused, .. } = &self.results;
        let refused: Html = refused.iter().map(explained).collect();
        let bars = bars.clone();
        let path = path.clone().map(|path| (path, *sensitivity));
        let others = others.clone().map(|others| (page.machine.clone(), ended.clone(), others));
        let replayed = ended.replayed.as_ref().filter(|_| request::is_replay(page));
        html! {
            <>
                { self.timelines(ended, replayed) }
                { replayed.map(|of| memoized((of.clone(), parts), |(of, parts)| (parts.calls)(of))).unwrap_or_default() }
                { bars.map(|bars| memoized(bars, split::split)).unwrap_or_default() }
                { path.map(|path| memoized(path, |(path, sensitivity)| critical_path::critical_path(path, sensitivity.as_ref()))).unwrap_or_default() }
                { curve::curves(&self.results, page, on_action).unwrap_or_default() }
                { others.map(|others| memoized(others, |(machine, here, others)| other_machines::comparison_table(machine, here, others))).unwrap_or_default() }
                { refused }
            </>
        }
    }

    /// The timeline of a run; for a traced program, calls as measured and as predicted.
    fn timelines(&self, ended: &RunResult, replayed: Option<&Comparison>) -> Html {
        let all = match replayed {
            None => vec![(TimelineKind::Run, self.results.section.clone())],
            Some(replayed) => {
                let [was, is] = self.results.calls.clone();
                let measured = replayed.measured_us.map(|_| (TimelineKind::Measured, was));
                measured.into_iter().chain([(TimelineKind::Predicted, is)]).collect()
            }
        };
        let measured = replayed.and_then(|replayed| replayed.measured_us);
        // Ranks of a deadlock wait for ever: half of the picture shows this.
        let is_deadlock = ended.answer.stuck.as_ref().is_some_and(|stuck| !stuck.cycle.is_empty());
        let last = ended.last_us * if is_deadlock { 2.0 } else { 1.0 };
        let end = measured.map_or(last, |measured| measured.max(last));
        let timeline =
            |(i, (shown, section)): (usize, (TimelineKind, Option<Shared<TimelineSection>>))| {
                html! {
                    <Timeline
                        key={i}
                        {shown}
                        {end}
                        ranks={ended.answer.procs}
                        run={self.results.run}
                        {section}
                        path={self.results.path.clone().filter(|_| shown != TimelineKind::Measured)}
                        has_controls={i == 0}
                        visible={self.visible}
                        on_visible={self.on_visible.clone()}
                        on_viewport={self.on_viewport.clone()}
                    />
                }
            };
        html! { <>{ for all.into_iter().enumerate().map(timeline) }</> }
    }
}
