//! The page's state and every way in which it changes. Pure.

use crate::browser::{Goal, Key};
use crate::draw::steps::Axis;
use crate::machines::{Machine, published};
use loggia_model::Error;
use loggia_model::Signature;
use loggia_model::compare::is_comparable;
use loggia_model::figures;
use loggia_model::model::messages::{Demand, MEASURED_WITH};
use loggia_model::model::{Model, Route};
use loggia_model::signature::{Collective, Defaults, Operation};
use loggia_model::state::{Inputs, State, View};
use loggia_model::units::{Bytes, Micros, Procs};
use std::rc::Rc;

/// The size that a page begins with.
const FIRST_SIZE: Bytes = Bytes(1024);
/// The number of processes that a page begins with, where the form was fitted to so many.
const FIRST_PROCS: Procs = Procs(64);
/// How many messages a page begins with, and the computation for each.
const FIRST_COUNT: u64 = 100;
const FIRST_COMPUTE: Micros = Micros(10.0);

/// Everything that the page shows: a [`State`], held so that a drag copies no signature, and what
/// went wrong last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    /// The machine in question, with what the reader has changed in it.
    pub(crate) machine: Machine,
    /// The same as it was published, measured or opened.
    pub(crate) original: Machine,
    /// Machines beside the one in question; none where the reader has chosen none.
    compared: Vec<Machine>,
    /// Signatures from links, which stay at hand when another machine is chosen.
    own: Vec<Machine>,
    /// Which view is open.
    pub(crate) view: View,
    /// What was asked.
    pub(crate) inputs: Inputs,
    /// A schedule's file, which no link can hold; none where an algorithm is asked about.
    pub(crate) goal: Option<Goal>,
    /// What the reader must be told.
    pub(crate) problem: Option<Error>,
    /// What the last change was about: a drag is one change, however many values it passes.
    last: Option<String>,
    /// Whether it is shown to a room: large, and nothing but the question and its answer.
    pub(crate) projector: bool,
    /// How often the reader has changed something; a page that nobody touched leaves its address
    /// alone.
    pub(crate) changes: u32,
}

/// The page with what it was before, and what it was before going back.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Desk {
    /// What is shown.
    pub(crate) page: Page,
    past: Vec<Page>,
    future: Vec<Page>,
}

/// So many changes can be taken back.
const MEMORY: usize = 200;

/// Something that the reader does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Chooses a machine.
    Choose(Machine),
    /// Asks for a size.
    Bytes(Bytes),
    /// Asks for so many processes.
    Procs(Procs),
    /// Asks for both at once.
    Place(Bytes, Procs),
    /// Chooses a collective operation.
    Operation(Operation),
    /// Chooses a model.
    Model(Model),
    /// Chooses a tier.
    Tier(String),
    /// Chooses a style of sending.
    Style(String),
    /// Asks for something else, by the input's name, as typed.
    Ask(&'static str, String),
    /// Puts these beside the machine in question; none for all that are comparable.
    Compare(Vec<Machine>),
    /// Opens a link, which was understood or was not.
    Open(Result<Box<State>, Error>),
    /// Brings a signature of the reader's own, which was understood or was not.
    Bring(Result<Box<Signature>, Error>),
    /// Opens a schedule's file in the simulator, or goes back to an algorithm.
    Goal(Option<Goal>),
    /// Opens a paper's figure by its name, or all of them.
    Figure(Option<String>),
    /// Opens a view.
    View(View),
    /// Sets a parameter of the machine by its symbol, to a value as typed.
    Set(&'static str, String),
    /// Puts another signature in the machine's place, such as one fitted again.
    Replace(Box<Signature>),
    /// Sets several at once.
    SetAll(Vec<(&'static str, String)>),
    /// Gives a parameter back what it was, or all of them.
    Reset(Option<&'static str>),
    /// Shows the page to a room, or no longer.
    Project,
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
    /// Has read the message.
    Dismiss,
}

impl Page {
    /// The page that a link opens; without a link, or with a damaged one, the first machine.
    pub(crate) fn new(link: Option<Result<State, Error>>) -> Self {
        let start = Page::showing(State::default()).unwrap_or_else(|problem| Page {
            // Unreachable while the library has any machine.
            machine: published()[0].clone(),
            original: published()[0].clone(),
            last: None,
            own: Vec::new(),
            compared: Vec::new(),
            view: View::default(),
            inputs: Inputs::default(),
            goal: None,
            problem: Some(problem),
            projector: false,
            changes: 0,
        });
        match link {
            None => start,
            Some(state) => start.after(Action::Open(state.map(Box::new))),
        }
    }

    fn showing(state: State) -> Result<Self, Error> {
        let mut machines = state.signatures.into_iter().map(Machine::recognised);
        let machine = machines.next().ok_or_else(|| {
            Error::new("this link holds no signature", "link", "make one with `loggia link SIG`")
        })?;
        let compared: Vec<Machine> = machines.collect();
        let own = std::iter::once(&machine).chain(&compared).filter(|m| !m.is_published());
        Ok(Page {
            own: own.cloned().collect(),
            compared,
            original: machine.original(),
            machine,
            last: None,
            view: state.view,
            inputs: state.inputs,
            goal: None,
            problem: None,
            projector: false,
            changes: 0,
        })
    }

    /// What a link to this page holds.
    pub(crate) fn state(&self) -> State {
        let at_hand = self.own.iter().filter(|own| !self.compared.contains(own));
        let others = self.compared.iter().chain(at_hand).filter(|other| **other != self.machine);
        let signatures = std::iter::once(&self.machine).chain(others).map(|m| (**m).clone());
        State { signatures: signatures.collect(), view: self.view, inputs: self.inputs.clone() }
    }

    /// What the last change was about, if many in a row are one change.
    pub(crate) fn subject(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// Signatures that are not built in.
    pub(crate) fn own(&self) -> &[Machine] {
        &self.own
    }

    /// Machines that may be compared with the one in question.
    pub(crate) fn comparable(&self) -> Vec<Machine> {
        let published = published();
        let mut all: Vec<Machine> = Vec::new();
        for machine in self.own.iter().chain(&self.compared).chain(published.iter()) {
            if *machine != self.machine && !all.contains(machine) {
                all.push(machine.clone());
            }
        }
        all
    }

    /// Machines beside the one in question; where none is chosen, all that report something that it
    /// reports, too.
    pub(crate) fn compared(&self) -> Vec<Machine> {
        let chosen = self.compared.iter().filter(|other| **other != self.machine);
        if self.compared.is_empty() {
            let shares = |other: &Machine| is_comparable(&self.machine, other);
            return self.comparable().into_iter().filter(shares).collect();
        }
        chosen.cloned().collect()
    }

    /// Those of them that were chosen.
    pub(crate) fn beside(&self) -> impl Iterator<Item = Machine> {
        self.compared.iter().filter(|other| **other != self.machine).cloned()
    }

    /// The page after something was done.
    pub(crate) fn after(&self, action: Action) -> Self {
        let mut page = self.clone();
        let key = action.key();
        match action {
            Action::Choose(machine) => page.choose(machine),
            Action::Bytes(bytes) => page.inputs.bytes = Some(bytes),
            Action::Procs(procs) => page.inputs.procs = Some(procs),
            Action::Place(bytes, procs) => {
                (page.inputs.bytes, page.inputs.procs) = (Some(bytes), Some(procs));
            }
            Action::Operation(op) => page.choose_operation(op),
            Action::Model(model) => page.inputs.model = Some(model),
            Action::Tier(tier) => page.inputs.tier = Some(tier),
            Action::Style(style) => page.inputs.style = Some(style),
            Action::View(view) => page.view = view,
            Action::Goal(goal) => {
                page.view = View::Simulate;
                page.goal = goal;
                page.problem = None;
            }
            Action::Compare(machines) => page.compared = machines,
            Action::Ask(name, value) => {
                if let Err(problem) = page.inputs.set(name, &value) {
                    return Page { problem: Some(problem), ..self.clone() };
                }
            }
            Action::Set(symbol, value) => {
                if let Err(problem) = page.set(symbol, &value) {
                    return Page { problem: Some(problem), ..self.clone() };
                }
            }
            Action::Replace(signature) => page.change(*signature),
            Action::SetAll(values) => {
                let done = values.iter().try_for_each(|(symbol, value)| page.set(symbol, value));
                if let Err(problem) = done {
                    return Page { problem: Some(problem), ..self.clone() };
                }
            }
            Action::Reset(symbol) => page.reset(symbol),
            Action::Bring(brought) => match brought {
                Ok(signature) => page.bring(Machine::new(*signature)),
                Err(problem) => return Page { problem: Some(problem), ..page },
            },
            Action::Figure(None) => {
                page.view = View::Learn;
                page.inputs.figure = None;
            }
            Action::Figure(Some(name)) => match self.figure(&name) {
                Ok(opened) => page = opened,
                Err(problem) => return Page { problem: Some(problem), ..page },
            },
            // These are the desk's.
            Action::Undo | Action::Redo => return page,
            Action::Project => return Page { projector: !page.projector, ..page },
            Action::Dismiss => return Page { problem: None, ..page },
            Action::Open(opened) => {
                return match opened.and_then(|state| Page::showing(*state)) {
                    Ok(opened) => {
                        let Page { changes, projector, goal, .. } = page;
                        Page { changes, projector, goal, ..opened }
                    }
                    Err(problem) => Page { problem: Some(problem), ..page },
                };
            }
        }
        page.drop_what_is_not_here();
        page.changes += 1;
        page.last = key;
        page
    }

    /// The page that shows a paper's figure; the reader's own machines stay at hand.
    fn figure(&self, name: &str) -> Result<Self, Error> {
        let state = figures::named(name)?.state(Some((*self.machine).clone()))?;
        let opened = Page::showing(state)?;
        let own = self.own.clone();
        Ok(Page { own, projector: self.projector, changes: self.changes, ..opened })
    }

    /// Another machine. One that the reader has changed stays at hand.
    fn choose(&mut self, machine: Machine) {
        let is_kept = self.machine == self.original || self.own.contains(&self.machine);
        if !is_kept {
            self.own.push(self.machine.clone());
        }
        // One of those compared changes places with the one that it was compared with.
        if let Some(place) = self.compared.iter_mut().find(|other| **other == machine) {
            *place = self.machine.clone();
        }
        self.original = machine.original();
        self.machine = machine;
    }

    /// Another operation, which has algorithms of its own.
    fn choose_operation(&mut self, op: Operation) {
        if self.operation() != Some(op) {
            self.inputs.algorithm = None;
            self.inputs.beside.clear();
        }
        self.inputs.op = Some(op);
    }

    /// A machine of the reader's own: at hand from now on, in the place of one of its name.
    fn bring(&mut self, machine: Machine) {
        self.own.retain(|own| own.name != machine.name);
        self.own.push(machine.clone());
        self.problem = None;
        self.choose(machine);
    }

    fn set(&mut self, symbol: &'static str, value: &str) -> Result<(), Error> {
        let mut signature = (*self.machine).clone();
        let Inputs { tier, style, .. } = &self.inputs;
        let defaults = Defaults { tier: tier.as_deref(), style: style.as_deref() };
        signature.set_within(defaults, symbol, value)?;
        self.change(signature);
        Ok(())
    }

    fn reset(&mut self, symbol: Option<&'static str>) {
        let Some(symbol) = symbol else {
            self.machine = self.original.clone();
            return;
        };
        let mut signature = (*self.machine).clone();
        let Inputs { tier, style, .. } = &self.inputs;
        let defaults = Defaults { tier: tier.as_deref(), style: style.as_deref() };
        signature.reset_within(defaults, symbol, &self.original);
        self.change(signature);
    }

    /// The machine, changed; what it was before is no longer at hand if nobody knows it otherwise.
    fn change(&mut self, signature: Signature) {
        self.machine = match signature == *self.original {
            true => self.original.clone(),
            false => Machine::new(signature),
        };
    }

    /// Whether the reader has changed that parameter.
    pub(crate) fn is_changed(&self, symbol: &str) -> bool {
        let of = |machine: &Machine| {
            let route =
                Route::of(machine, self.inputs.tier.as_deref(), self.inputs.style.as_deref());
            let all = route.map(|route| route.editable(self.bytes())).unwrap_or_default();
            all.into_iter().find(|parameter| parameter.symbol == symbol)
        };
        self.machine != self.original && of(&self.machine) != of(&self.original)
    }

    /// A tier, style, model or operation of the machine before means nothing on this one.
    fn drop_what_is_not_here(&mut self) {
        let Page { machine, inputs, view, .. } = self;
        let view = *view;
        if machine.tier(inputs.tier.as_deref()).is_err() {
            inputs.tier = None;
        }
        if Route::of(machine, inputs.tier.as_deref(), inputs.style.as_deref()).is_err() {
            inputs.style = None;
        }
        let route = Route::of(machine, inputs.tier.as_deref(), inputs.style.as_deref()).ok();
        let is_possible =
            |model: Model| route.as_ref().is_some_and(|route| model.is_possible(route));
        inputs.model = inputs.model.filter(|model| is_possible(*model));
        // Where there is no form, algorithms answer if LogGP does; the simulator knows those of
        // every operation.
        let by_algorithm = is_possible(Model::LogGp) || view == View::Simulate;
        inputs.op = inputs.op.filter(|op| by_algorithm || machine.collective(*op).is_some());
    }

    /// The size asked for; without a word, the only one of which a machine without G has a time.
    pub(crate) fn bytes(&self) -> Bytes {
        let has_one_size =
            |route: Route| route.end_to_end_latency().is_some() && route.gap_per_byte().is_none();
        let first = || match self.route().is_ok_and(has_one_size) {
            true => MEASURED_WITH,
            false => FIRST_SIZE,
        };
        self.inputs.bytes.unwrap_or_else(first)
    }

    /// The communication need that is asked about.
    pub(crate) fn demand(&self) -> Demand {
        let Inputs { count, compute, depth, .. } = self.inputs;
        Demand {
            messages: count.unwrap_or(FIRST_COUNT),
            bytes: self.bytes(),
            compute: compute.unwrap_or(FIRST_COMPUTE),
            depth,
        }
    }

    /// Whether any answer here can change with the size.
    pub(crate) fn depends_on_size(&self) -> bool {
        let has_model = self.route().is_ok_and(|route| Model::richest(&route).is_some());
        has_model || self.route().is_err() || !self.machine.collectives.is_empty()
    }

    /// The way between two processes that is asked about.
    pub(crate) fn route(&self) -> Result<Route<'_>, Error> {
        Route::of(&self.machine, self.inputs.tier.as_deref(), self.inputs.style.as_deref())
    }

    /// The operation asked about; without a word, the one that costs most: a total exchange.
    pub(crate) fn operation(&self) -> Option<Operation> {
        let has = |op: &Operation| self.machine.collective(*op).is_some();
        let first = || self.machine.collectives.first().map(|form| form.op);
        self.inputs.op.or_else(|| Some(Operation::Alltoall).filter(has)).or_else(first)
    }

    /// The number of processes asked about, whether or not the operation has a form.
    pub(crate) fn procs_of(&self, op: Operation) -> Procs {
        let usual = self.inputs.procs.unwrap_or(FIRST_PROCS);
        self.machine.collective(op).map_or(usual, |form| self.procs(form))
    }

    /// The number of processes asked about; without a word, no more than the form was fitted to.
    pub(crate) fn procs(&self, form: &Collective) -> Procs {
        let usual = FIRST_PROCS.min(form.procs.high).max(form.procs.low);
        self.inputs.procs.unwrap_or(usual)
    }
}

/// The action that sets a slider's quantity.
pub(crate) fn set(axis: Axis, value: u64) -> Action {
    match axis {
        Axis::Bytes => Action::Bytes(Bytes(value)),
        Axis::Procs => Action::Procs(Axis::procs(value)),
        Axis::Count => Action::Ask("count", value.to_string()),
        Axis::Compute => Action::Ask("compute", format!("{value}ns")),
        Axis::Depth => Action::Ask("depth", value.to_string()),
    }
}

impl Action {
    /// What a key does, if anything. Digits open the views in their order.
    pub(crate) fn of_key(key: &Key, page: &Page, views: &[View]) -> Option<Action> {
        if key.in_field {
            return None;
        }
        if key.command {
            return match (key.name.to_ascii_lowercase().as_str(), key.shift) {
                ("z", false) => Some(Action::Undo),
                ("z", true) | ("y", false) => Some(Action::Redo),
                _ => None,
            };
        }
        match key.name.as_str() {
            "p" => Some(Action::Project),
            "h" => Some(Action::Ask(
                "hidden",
                if page.inputs.hidden { "no" } else { "yes" }.to_owned(),
            )),
            "r" => Some(Action::Reset(None)),
            digit => {
                let place: usize = digit.parse().ok()?;
                views.get(place.checked_sub(1)?).map(|view| Action::View(*view))
            }
        }
    }

    /// What it is about, where many of them in a row are one change.
    fn key(&self) -> Option<String> {
        match self {
            Action::Bytes(_) => Some("bytes".to_owned()),
            Action::Procs(_) => Some("procs".to_owned()),
            Action::Place(..) => Some("place".to_owned()),
            Action::Set(name, _) | Action::Ask(name, _) => Some((*name).to_owned()),
            _ => None,
        }
    }
}

impl Desk {
    /// The page that its address opens, without a past.
    pub(crate) fn new(opening: Option<Action>) -> Self {
        let first = Page::new(None);
        let page = opening.map_or_else(|| first.clone(), |action| first.after(action));
        let page = Page { changes: 0, last: None, ..page };
        Desk { page, past: Vec::new(), future: Vec::new() }
    }

    /// Whether there is something to take back, and to make again.
    pub(crate) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether something was taken back.
    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    fn after(&self, action: Action) -> Self {
        let Desk { page, mut past, mut future } = self.clone();
        let changes = page.changes + 1;
        let page = match action {
            Action::Undo => match past.pop() {
                None => page,
                Some(before) => {
                    future.push(page);
                    Page { changes, last: None, ..before }
                }
            },
            Action::Redo => match future.pop() {
                None => page,
                Some(again) => {
                    past.push(page);
                    Page { changes, last: None, ..again }
                }
            },
            action => {
                let now = page.after(action);
                let goes_on = now.last.is_some() && now.last == page.last;
                if now.changes > page.changes && !goes_on {
                    past.push(page);
                    if past.len() > MEMORY {
                        past.remove(0);
                    }
                }
                if now.changes > self.page.changes {
                    future.clear();
                }
                now
            }
        };
        Desk { page, past, future }
    }
}

impl yew::Reducible for Desk {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::{codec, library};

    fn machine(name: &str) -> Machine {
        published().iter().find(|machine| machine.name == name).unwrap().clone()
    }

    fn page(actions: impl IntoIterator<Item = Action>) -> Page {
        actions.into_iter().fold(Page::new(None), |page, action| page.after(action))
    }

    #[test]
    fn a_page_begins_with_the_t3d_and_a_kibibyte() {
        let page = Page::new(None);
        assert_eq!((page.machine.name.as_str(), page.bytes()), ("cray-t3d", Bytes(1024)));
        assert_eq!(page.operation(), Some(Operation::Alltoall));
        assert_eq!(page.changes, 0);
        assert!(page.machine.is_published() && page.own().is_empty());
    }

    #[test]
    fn what_is_asked_stays_with_another_machine_where_it_has_a_meaning() {
        let page = page([
            Action::Bytes(Bytes(77)),
            Action::Style("issend".to_owned()),
            Action::Model(Model::LogP),
            Action::Operation(Operation::Scan),
            Action::Choose(machine("now-sparc")),
        ]);
        assert_eq!(page.inputs.bytes, Some(Bytes(77)));
        assert_eq!(page.inputs.style.as_deref(), Some("issend"));
        assert_eq!(page.inputs.model, Some(Model::LogP));
        assert_eq!(page.inputs.op, Some(Operation::Scan), "algorithms answer on NOW");
        let gm = page.after(Action::Choose(machine("myrinet-gm")));
        assert_eq!(gm.inputs.op, None, "GM reports no G, and no collectives");
        let page = page.after(Action::Choose(machine("ap3000-mpi")));
        assert_eq!((page.inputs.style.clone(), page.inputs.model), (None, None));
        assert_eq!(page.changes, 6);
    }

    #[test]
    fn a_style_of_another_tier_is_dropped() {
        let page = page([
            Action::Choose(machine("convex-exemplar")),
            Action::Tier("intra-hypernode".to_owned()),
        ]);
        assert_eq!(page.route().unwrap().tier.name, "intra-hypernode");
        let page = page.after(Action::Choose(machine("cray-t3d")));
        assert_eq!(page.inputs.tier, None);
        assert!(page.route().is_ok());
    }

    #[test]
    fn no_more_processes_than_a_form_was_fitted_to_unless_asked() {
        let page = page([Action::Choose(machine("ap3000-mpi"))]);
        let form = page.machine.collective(Operation::Bcast).unwrap();
        assert_eq!(page.procs(form), Procs(12));
        assert_eq!(page.after(Action::Procs(Procs(500))).procs(form), Procs(500));
    }

    #[test]
    fn a_link_holds_the_page_and_opens_it() {
        let page = page([Action::Choose(machine("ap3000-mpi")), Action::Bytes(Bytes(9))]);
        let (link, _) = codec::encode(&page.state());
        let opened = Page::new(Some(codec::decode(&link)));
        assert_eq!((&opened.machine, &opened.inputs), (&page.machine, &page.inputs));
        assert_eq!(opened.changes, 0, "its address says what it shows already");
    }

    #[test]
    fn a_damaged_link_changes_nothing_but_says_so() {
        let before = page([Action::Bytes(Bytes(9))]);
        let problem = codec::decode("#1.AAAA").unwrap_err();
        let after = before.after(Action::Open(Err(problem.clone())));
        assert_eq!(after, Page { problem: Some(problem), ..before.clone() });
        assert_eq!(after.after(Action::Dismiss), before);
        let empty = State { signatures: Vec::new(), ..State::default() };
        let after = before.after(Action::Open(Ok(Box::new(empty))));
        assert_eq!(after.problem.unwrap().message, "this link holds no signature");
    }

    #[test]
    fn a_signature_from_a_link_stays_at_hand() {
        let mut state = State::of(library::load("cray-t3d").unwrap());
        state.set("L", "5us").unwrap();
        let page = Page::new(Some(Ok(state)));
        assert!(!page.machine.is_published());
        let page = page.after(Action::Choose(machine("ibm-sp2")));
        assert_eq!(page.own().len(), 1);
        assert_eq!(page.state().signatures.len(), 2);
        let back = page.after(Action::Choose(page.own()[0].clone()));
        assert_eq!(back.state().signatures.len(), 1);
    }

    #[test]
    fn compared_machines_are_in_the_link_and_change_places() {
        let page = Page::new(None);
        let names = |page: &Page| -> Vec<String> {
            page.compared().iter().map(|machine| machine.name.clone()).collect()
        };
        assert_eq!(names(&page).len(), 7, "all but those of overheads only: {:?}", names(&page));
        let sp2 = machine("ibm-sp2");
        let page = page.after(Action::Compare(vec![sp2.clone(), machine("now-sparc")]));
        let opened = Page::new(Some(Ok(page.state())));
        assert_eq!(names(&opened), ["ibm-sp2", "now-sparc"]);
        assert!(opened.own().is_empty());
        let swapped = opened.after(Action::Choose(sp2));
        assert_eq!(names(&swapped), ["cray-t3d", "now-sparc"]);
        assert!(names(&swapped.after(Action::Compare(Vec::new()))).len() > 2);
    }

    #[test]
    fn a_link_may_ask_what_the_machine_cannot_answer() {
        let mut state = State::default();
        state.inputs.style = Some("psend".to_owned());
        state.set("op", "allreduce").unwrap();
        let page = Page::new(Some(Ok(state)));
        assert!(page.route().unwrap_err().message.contains("unknown style"));
        assert_eq!(page.operation(), Some(Operation::Allreduce));
    }

    fn desk(actions: impl IntoIterator<Item = Action>) -> Desk {
        actions.into_iter().fold(Desk::new(None), |desk, action| desk.after(action))
    }

    fn latency(desk: &Desk) -> f64 {
        desk.page.route().unwrap().latency().unwrap().value.0
    }

    #[test]
    fn a_parameter_is_set_shown_as_changed_and_reset() {
        let before = Desk::new(None);
        let was = latency(&before);
        let set = before.after(Action::Set("L", "7us".to_owned()));
        assert_eq!(latency(&set), 7.0);
        assert!(set.page.is_changed("L") && !set.page.is_changed("G"));
        assert_eq!(set.page.machine.original(), before.page.machine);
        let both = set.after(Action::Set("o_s", "3".to_owned()));
        let one = both.after(Action::Reset(Some("L")));
        assert!(!one.page.is_changed("L") && one.page.is_changed("o_s"));
        assert_eq!(latency(&one), was);
        let none = one.after(Action::Reset(Some("o_s")));
        assert!(none.page.machine.is_published(), "nothing of it is left");
        assert!(both.after(Action::Reset(None)).page.machine.is_published());
    }

    #[test]
    fn another_signature_takes_its_place_and_is_taken_back() {
        let before = Desk::new(None);
        let mut other = (*before.page.machine).clone();
        other.set("L", "9us").unwrap();
        let after = before.after(Action::Replace(Box::new(other)));
        assert_eq!(latency(&after), 9.0);
        assert_eq!(after.page.original, before.page.machine);
        assert!(after.after(Action::Undo).page.machine.is_published());
    }

    #[test]
    fn an_impossible_parameter_changes_nothing_but_says_so() {
        let before = Desk::new(None);
        let after = before.after(Action::Set("L", "-3".to_owned()));
        assert_eq!(after.page.problem.as_ref().map(|e| e.place.as_str()), Some("L"));
        assert_eq!(after.page.machine, before.page.machine);
        assert!(!after.can_undo());
    }

    #[test]
    fn what_is_done_is_taken_back_and_done_again() {
        let set = |value: &str| Action::Set("L", value.to_owned());
        let done = desk([Action::Bytes(Bytes(9)), set("5"), set("6"), set("7"), set("8")]);
        assert_eq!(latency(&done), 8.0);
        let once = done.after(Action::Undo);
        assert!(once.page.machine.is_published(), "a drag is one change");
        assert_eq!(once.page.bytes(), Bytes(9));
        assert_eq!(latency(&once.after(Action::Redo)), 8.0);
        let twice = once.after(Action::Undo);
        assert_eq!(twice.page.bytes(), FIRST_SIZE);
        assert!(!twice.can_undo() && twice.can_redo());
        assert_eq!(twice.after(Action::Undo), twice.after(Action::Undo));
        let other = twice.after(Action::Bytes(Bytes(3)));
        assert!(!other.can_redo(), "another way was taken");
        assert!(other.page.changes > done.page.changes, "the address follows back, too");
    }

    #[test]
    fn a_changed_machine_stays_at_hand_when_another_is_chosen() {
        let done = desk([Action::Set("L", "7".to_owned()), Action::Choose(machine("ibm-sp2"))]);
        let [own] = done.page.own() else { panic!("{:?}", done.page.own()) };
        let back = done.after(Action::Choose(own.clone()));
        assert_eq!(latency(&back), 7.0);
        assert!(back.page.is_changed("L"));
    }
}
