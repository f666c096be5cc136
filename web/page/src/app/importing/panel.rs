//! The dialog: reads the files in the worker, shows its questions, and opens the result.

use super::answers::{AnswerEdit, Answers};
use super::naming::naming;
use super::preview::{additions, by_tool, notes, unknown};
use super::questions::questions;
use super::samples::file_table;
use super::{Props, words};
use crate::browser::{self, Files, WebWorker, WorkerEvent};
use crate::comparison::titles;
use crate::machines::Machine;
use crate::notices::explained;
use crate::state::Action;
use crate::text;
use loggia_exchange::import::options::Question;
use loggia_exchange::import::{ImportOptions, ImportResult};
use loggia_model::json::{from_json, to_json};
use loggia_model::{Error, Signature};
use loggia_worker::{ImportRequest, Imported, Request, Response};
use std::rc::Rc;
use yew::{Callback, Component, Context, Html, InputEvent, KeyboardEvent, NodeRef, html};

pub(crate) enum Message {
    /// An event of the worker.
    WorkerEvent(WorkerEvent),
    /// An answer of the reader.
    AnswerEdit(AnswerEdit),
    /// Open the machine.
    Open,
    /// Add it to one of the reader's machines.
    Add,
    /// Choose that machine.
    Target(String),
}

/// A component with state, since it talks to a worker.
pub(crate) struct Panel {
    worker: Option<WebWorker>,
    is_ready: bool,
    /// Set while a request runs; true if the answers have changed since it was sent.
    pending: Option<bool>,
    /// Files sent to the worker last.
    sent: Option<Files>,
    /// The part of `sent` that the worker could read.
    readable: Option<Files>,
    answers: Answers,
    /// All questions so far, so that answers can be changed.
    questions: Vec<Question>,
    report: Option<Rc<Imported>>,
    refused: Option<Error>,
    /// The machine to add to, and its JSON, serialised once.
    target: Option<(Machine, String)>,
    dialog: NodeRef,
    is_shown: bool,
}

impl Component for Panel {
    type Message = Message;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let on_event = context.link().callback(Message::WorkerEvent);
        let this = Panel {
            worker: WebWorker::start(move |event| on_event.emit(event)),
            is_ready: false,
            pending: None,
            sent: None,
            readable: None,
            answers: Answers::default(),
            questions: Vec::new(),
            report: None,
            refused: None,
            target: target(&context.props().own, None),
            dialog: NodeRef::default(),
            is_shown: false,
        };
        if this.worker.is_none() {
            context.link().send_message(Message::WorkerEvent(WorkerEvent::Lost(String::new())));
        }
        this
    }

    fn changed(&mut self, context: &Context<Self>, before: &Props) -> bool {
        let props = context.props();
        if props.own != before.own {
            self.target = target(&props.own, None);
        }
        // After unreadable files were removed, the rest need not be sent again.
        if props.own != before.own || self.sent.as_ref() != Some(&props.files) {
            self.send_request(context);
        }
        true
    }

    fn update(&mut self, context: &Context<Self>, message: Message) -> bool {
        match message {
            Message::WorkerEvent(event) => self.handle_event(context, event),
            Message::AnswerEdit(answer) => {
                self.answers.apply(answer, &self.questions);
                self.send_request(context);
            }
            Message::Open => {
                let alone = self.report.as_ref().and_then(|report| report.alone.as_ref());
                let file = alone.map(|alone| alone.file.clone());
                self.finish(context, file, |signature| Action::AddMachine(Ok(signature)));
            }
            Message::Add => {
                let onto = self.report.as_ref().and_then(|report| report.onto.as_ref());
                let file = onto.and_then(|onto| Some(onto.as_ref().ok()?.file.clone()));
                if let Some((machine, _)) = self.target.as_ref().filter(|_| file.is_some()) {
                    context.props().on_action.emit(Action::SelectMachine(machine.clone()));
                }
                self.finish(context, file, Action::Replace);
            }
            Message::Target(key) => {
                self.target = target(&context.props().own, Some(&key));
                self.send_request(context);
            }
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        match &self.report {
            Some(report) => self.dialog(context, report),
            None => reading(context.props()),
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if self.report.is_some() && !self.is_shown {
            self.is_shown = true;
            browser::show_above(&self.dialog);
        }
    }
}

impl Panel {
    /// Requests the report with the current files and answers, after the running request.
    fn send_request(&mut self, context: &Context<Self>) {
        let (Some(worker), true) = (&self.worker, self.is_ready) else { return };
        if self.pending.is_some() {
            self.pending = Some(true);
            return;
        }
        let files = &context.props().files;
        let new = (self.sent.as_ref() != Some(files)).then_some(files);
        let request = ImportRequest {
            options: self.options(),
            onto: self.target.as_ref().map(|(_, json)| json.clone()),
        };
        // A request always serialises.
        let text = serde_json::to_string(&Request::Import(Box::new(request)));
        worker.send(&text.unwrap_or_default(), new);
        self.sent = Some(files.clone());
        self.pending = Some(false);
    }

    fn options(&self) -> ImportOptions {
        let files = self.report.iter().flat_map(|report| &report.made.files);
        let runs =
            files.flat_map(|file| file.taken.iter().map(|run| (file.file.as_str(), run.line)));
        self.answers.options(runs)
    }

    fn handle_event(&mut self, context: &Context<Self>, event: WorkerEvent) {
        match event {
            WorkerEvent::Ready => self.is_ready = true,
            WorkerEvent::Progress(_) => return,
            WorkerEvent::Response { text, .. } => {
                let has_changed = self.pending.take() == Some(true);
                self.handle_response(context, &text);
                if !has_changed {
                    return;
                }
            }
            WorkerEvent::Lost(failure) => {
                self.worker = None;
                self.show_error(context, Error::new(words::LOST, failure, words::LOST_HELP));
            }
            WorkerEvent::NotLoaded => {
                self.worker = None;
                let why = Error::new(words::NOT_LOADED, "", words::NOT_LOADED_HELP);
                self.show_error(context, why);
            }
        }
        self.send_request(context);
    }

    fn handle_response(&mut self, context: &Context<Self>, text: &str) {
        match serde_json::from_str(text) {
            Ok(Response::Imported(imported)) => {
                for question in &imported.made.questions {
                    if !self.questions.contains(question) {
                        self.questions.push(question.clone());
                    }
                }
                self.readable.clone_from(&self.sent);
                (self.report, self.refused) = (Some(Rc::new(*imported)), None);
            }
            Ok(Response::Program) if self.report.is_none() => {
                let Props { files, on_action, on_files, .. } = context.props();
                on_action.emit(Action::Trace(files.clone()));
                on_files.emit(None);
            }
            Ok(Response::Program) => {
                self.show_error(context, Error::new(words::PROGRAM, "", words::PROGRAM_HELP));
            }
            Ok(Response::Refused(why)) => self.show_error(context, why),
            _ => self.show_error(context, Error::new(words::LOST, "", words::LOST_HELP)),
        }
    }

    /// Shows an error; an earlier report stays.
    fn show_error(&mut self, context: &Context<Self>, why: Error) {
        let Props { on_action, on_files, .. } = context.props();
        if self.report.is_none() {
            on_action.emit(Action::AddMachine(Err(why)));
            on_files.emit(None);
            return;
        }
        self.refused = Some(why);
        self.sent.clone_from(&self.readable);
        on_files.emit(self.readable.clone());
    }

    /// Passes a signature to the page and closes the dialog.
    fn finish(
        &mut self,
        context: &Context<Self>,
        file: Option<String>,
        to_action: fn(Box<Signature>) -> Action,
    ) {
        let Some(file) = file else { return };
        match from_json(&file) {
            Ok(signature) => {
                let Props { on_action, on_files, .. } = context.props();
                on_action.emit(to_action(Box::new(signature)));
                on_files.emit(None);
            }
            Err(why) => self.refused = Some(why),
        }
    }

    fn dialog(&self, context: &Context<Self>, report: &Imported) -> Html {
        let made = &report.made;
        let on_answer = context.link().callback(Message::AnswerEdit);
        let on_files = &context.props().on_files;
        let refused = self.refused.as_ref().map(|why| {
            html! { <div class="refusal" role="alert">{ explained(why) }</div> }
        });
        let known = report.alone.as_ref().map(|alone| notes(&alone.notes));
        let onto = self.target.as_ref().zip(report.onto.as_ref());
        // Shortcuts of the page do not apply inside the dialog.
        let on_key = |event: KeyboardEvent| event.stop_propagation();
        html! {
            <dialog
                class="keys sharing importing"
                ref={self.dialog.clone()}
                aria-labelledby="import-heading"
                onclose={on_files.reform(|_| None)}
                onkeydown={on_key}
            >
                <header>
                    <h2 id="import-heading">{ words::TITLE }</h2>
                    <button type="button" onclick={on_files.reform(|_| None)}>{ text::CLOSE }</button>
                </header>
                <p class="aside" role="status">{ result_count(made) }</p>
                { refused.unwrap_or_default() }
                { naming(report.alone.as_ref(), &self.answers, &on_answer) }
                { questions(&self.questions, &made.files, &self.answers, &on_answer) }
                { file_table(&made.files, &self.answers) }
                { by_tool(&made.by_tool) }
                { unknown(&made.unknown) }
                { known.unwrap_or_default() }
                { onto.map(|((machine, _), of)| additions(&machine.title, of)).unwrap_or_default() }
                { self.foot(context, report, &on_answer) }
            </dialog>
        }
    }

    /// The buttons of the dialog.
    fn foot(
        &self,
        context: &Context<Self>,
        report: &Imported,
        on_answer: &Callback<AnswerEdit>,
    ) -> Html {
        let link = context.link();
        let open = report.made.questions.len();
        let is_open = open > 0 && !self.answers.leaves_out;
        let why_not = match (is_open, &report.alone) {
            (true, _) => words::open_questions(open),
            (false, None) => words::NO_SIGNATURE.to_owned(),
            (false, Some(_)) => String::new(),
        };
        let is_possible = !is_open && report.alone.is_some();
        let can_add = is_possible && matches!(report.onto, Some(Ok(_)));
        let leaves_out = (open > 0).then(|| {
            let now = self.answers.leaves_out;
            let on_input = on_answer.reform(move |_: InputEvent| AnswerEdit::LeavesOut(!now));
            html! {
                <label class="leave-out">
                    <input type="checkbox" id="import-leave-out" checked={now} oninput={on_input} />
                    { words::LEAVE_OUT }
                </label>
            }
        });
        html! {
            <footer>
                { leaves_out.unwrap_or_default() }
                <small role="status">{ why_not }</small>
                <button
                    type="button"
                    id="import-open"
                    class="first"
                    disabled={!is_possible}
                    onclick={link.callback(|_| Message::Open)}
                >
                    { words::OPEN }
                </button>
                { self.target.as_ref().map(|_| self.add(context, can_add)).unwrap_or_default() }
            </footer>
        }
    }

    /// The button that adds to one of the reader's machines, and the choice of one.
    fn add(&self, context: &Context<Self>, can_add: bool) -> Html {
        let (link, own) = (context.link(), &context.props().own);
        let chosen = self.target.as_ref().map(|(machine, _)| machine.key());
        let option = |(machine, title): (&Machine, String)| {
            let selected = Some(machine.key()) == chosen;
            html! { <option value={machine.key()} {selected}>{ title }</option> }
        };
        let options = own.iter().zip(titles(own)).map(option);
        html! {
            <>
                <button
                    type="button"
                    id="import-add"
                    disabled={!can_add}
                    onclick={link.callback(|_| Message::Add)}
                >
                    { words::ADD }
                </button>
                <select
                    class="field"
                    id="import-onto"
                    aria-label={words::ADD_TO}
                    onchange={link.callback(|event| Message::Target(browser::selected_option(&event)))}
                >
                    { for options }
                </select>
            </>
        }
    }
}

/// The machine of that key, or the first.
fn target(own: &[Machine], key: Option<&str>) -> Option<(Machine, String)> {
    let chosen = own.iter().find(|machine| key.is_some_and(|key| machine.key() == key));
    let machine = chosen.or(own.first())?;
    Some((machine.clone(), to_json(machine)))
}

/// Shown until the first report arrives.
fn reading(Props { files, on_files, .. }: &Props) -> Html {
    html! {
        <div class="problem reading" role="status">
            <p>{ words::reading(files.0.len()) }</p>
            <button type="button" onclick={on_files.reform(|_| None)}>{ words::CANCEL }</button>
        </div>
    }
}

/// The number of results found.
fn result_count(made: &ImportResult) -> String {
    let runs = || made.files.iter().flat_map(|file| &file.taken);
    words::found(runs().map(|run| run.numbers).sum(), runs().count(), made.files.len())
}
