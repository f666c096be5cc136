//! The state after an action.

use super::{Action, Page};
use crate::machines::{self, Machine, published};
use loggia_link::figures::Figure;
use loggia_link::state::{Inputs, State, View};
use loggia_model::model::{Model, Route};
use loggia_model::signature::{Defaults, Operation};
use loggia_model::{Error, Signature};

impl Page {
    /// The page after an action.
    pub(crate) fn after(&self, action: Action) -> Self {
        let mut page = self.clone();
        let key = action.key();
        match action {
            Action::SelectMachine(machine) => page.choose(machine),
            Action::Bytes(bytes) => page.inputs.bytes = Some(bytes),
            Action::Procs(procs) => page.inputs.procs = Some(procs),
            Action::SizeAndProcs(bytes, procs) => {
                (page.inputs.bytes, page.inputs.procs) = (Some(bytes), Some(procs));
            }
            Action::Operation(op) => page.choose_operation(op),
            Action::Model(model) => page.inputs.model = model,
            Action::Tier(tier) => page.inputs.tier = Some(tier),
            Action::Style(style) => page.inputs.style = Some(style),
            // The tab leads to the list of all.
            Action::LeaveLesson | Action::View(View::Lessons) => {
                page.view = View::Lessons;
                let Inputs { lesson, at, answers, hidden, .. } = &mut page.inputs;
                (*lesson, *at, *answers, *hidden) = (None, None, None, false);
            }
            Action::View(view) => page.view = view,
            Action::Program(files) => {
                if page.view != View::Replay {
                    page.view = View::Simulate;
                }
                page.program = files;
                page.problem = None;
            }
            Action::Trace(files) => {
                page.view = View::Replay;
                page.program = Some(files);
                page.problem = None;
            }
            Action::Compare(machines) => page.compared = machines,
            Action::Sketch(_, text) => {
                if let Err(problem) = page.inputs.set("sketch", &text) {
                    return Page { problem: Some(problem), ..self.clone() };
                }
            }
            Action::OpenSketch(Ok(text)) => {
                page.view = View::Plan;
                page.inputs.sketch = Some(text);
                page.problem = None;
            }
            Action::OpenSketch(Err(problem)) => return Page { problem: Some(problem), ..page },
            Action::SetInput(name, value) => {
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
            Action::AddMachine(result) => match result {
                Ok(signature) => page.add_machine(Machine::new(*signature)),
                Err(problem) => return Page { problem: Some(problem), ..page },
            },
            Action::UpdateMachine(signature) => page.update_machine(Machine::new(*signature)),
            Action::RemoveMachine => page.remove_machine(),
            Action::Figures => {
                page.view = View::Figures;
                page.inputs.figure = None;
            }
            Action::Figure(figure) => match self.figure(figure) {
                Ok(opened) => page = opened,
                Err(problem) => return Page { problem: Some(problem), ..page },
            },
            // The session handles these.
            Action::Undo | Action::Redo => return page,
            Action::Library => return Page { library: published().len(), ..page },
            Action::ProjectorMode => return Page { projector: !page.projector, ..page },
            Action::Dismiss => return Page { problem: None, ..page },
            Action::OpenLink(opened) => {
                return match opened.and_then(|state| Page::of_state(*state)) {
                    Ok(opened) => {
                        let Page { changes, projector, program, .. } = page;
                        Page { changes, projector, program, ..opened }
                    }
                    Err(problem) => Page { problem: Some(problem), ..page },
                };
            }
        }
        page.drop_unavailable_inputs();
        page.changes += 1;
        page.last = key;
        page
    }

    /// The page that shows a paper's figure; the reader's own machines stay available.
    fn figure(&self, figure: &Figure) -> Result<Self, Error> {
        let open = Some((*self.machine).clone());
        let state = State::of_figure_with(figure, open, machines::signature)?;
        let opened = Page::of_state(state)?;
        let own = self.own.clone();
        Ok(Page { own, projector: self.projector, changes: self.changes, ..opened })
    }

    /// Selects another machine. A changed one stays available.
    fn choose(&mut self, machine: Machine) {
        let is_kept = self.machine == self.original || self.own.contains(&self.machine);
        if !is_kept {
            self.own.push(self.machine.clone());
        }
        // A compared machine is exchanged with the selected one.
        if let Some(place) = self.compared.iter_mut().find(|other| **other == machine) {
            *place = self.machine.clone();
        }
        self.original = machine.original();
        self.machine = machine;
    }

    /// Selects another operation, which has other algorithms.
    fn choose_operation(&mut self, op: Operation) {
        if self.operation() != Some(op) {
            self.inputs.algorithm = None;
            self.inputs.beside.clear();
        }
        self.inputs.op = Some(op);
    }

    /// Removes the selected machine; the last own one is selected, or the first built-in one.
    fn remove_machine(&mut self) {
        let original = Some(self.original.clone()).filter(|original| !original.is_published());
        let removed: Vec<Machine> = original.into_iter().chain([self.machine.clone()]).collect();
        for kept in [&mut self.own, &mut self.compared] {
            kept.retain(|machine| !removed.contains(machine));
        }
        let next = self.own.last().unwrap_or(&published()[0]).clone();
        self.compared.retain(|machine| *machine != next);
        (self.original, self.machine) = (next.original(), next);
    }

    /// Adds a machine, replacing an earlier version of the same run. In Compare, another run of the
    /// selected machine is added to the comparison.
    fn add_machine(&mut self, machine: Machine) {
        self.keep(machine.clone());
        self.problem = None;
        let is_run = machine.name == self.machine.name && machine.origin != self.machine.origin;
        match self.view == View::Compare && is_run {
            true if self.compared.is_empty() => {}
            true => self.compared.push(machine),
            false => self.choose(machine),
        }
    }

    /// Adds a machine, and selects it only in place of an earlier one of its name.
    fn update_machine(&mut self, machine: Machine) {
        match self.machine == self.original && self.machine.name == machine.name {
            true => self.add_machine(machine),
            false => self.keep(machine),
        }
    }

    /// Keeps a machine with the reader's own ones, in place of an earlier version of the same run.
    fn keep(&mut self, machine: Machine) {
        self.own.retain(|own| own.name != machine.name || own.origin != machine.origin);
        self.own.push(machine);
    }

    fn set(&mut self, symbol: &str, value: &str) -> Result<(), Error> {
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

    /// Changes the selected machine; its earlier version is dropped unless it is built in or the
    /// original.
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

    /// Drops tier, send mode, model and operation if this machine does not have them.
    fn drop_unavailable_inputs(&mut self) {
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
        // Without a closed form, algorithms need LogGP; the simulator has algorithms for every
        // operation.
        let by_algorithm = is_possible(Model::LogGp) || view == View::Simulate;
        inputs.op = inputs.op.filter(|op| by_algorithm || machine.collective(*op).is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::named as machine;
    use loggia_link::state::State;
    use loggia_model::compare::date;
    use loggia_model::library::{self, Group};
    use loggia_model::signature::Origin;
    use loggia_model::units::{Bytes, Procs};

    fn page(actions: impl IntoIterator<Item = Action>) -> Page {
        actions.into_iter().fold(on_the_t3d(), |page, action| page.after(action))
    }

    fn on_the_t3d() -> Page {
        Page::new(Some(Ok(State::of(library::load("cray-t3d").unwrap()))))
    }

    #[test]
    fn the_first_page_has_a_current_machine_and_1_kib() {
        let page = Page::new(None);
        assert_eq!((page.machine.name.as_str(), page.bytes()), (library::FIRST, Bytes(1024)));
        assert!(page.route().is_ok());
        assert_eq!(on_the_t3d().operation(), Some(Operation::Alltoall));
        assert_eq!(page.changes, 0);
        assert!(page.machine.is_published() && page.own().is_empty());
    }

    #[test]
    fn inputs_stay_with_another_machine_that_has_them() {
        let page = page([
            Action::Bytes(Bytes(77)),
            Action::Style("issend".to_owned()),
            Action::Model(Some(Model::LogP)),
            Action::Operation(Operation::Scan),
            Action::SelectMachine(machine("now-sparc")),
        ]);
        assert_eq!(page.inputs.bytes, Some(Bytes(77)));
        assert_eq!(page.inputs.style.as_deref(), Some("issend"));
        assert_eq!(page.inputs.model, Some(Model::LogP));
        assert_eq!(page.inputs.op, Some(Operation::Scan), "NOW has algorithms");
        let gm = page.after(Action::SelectMachine(machine("myrinet-gm")));
        assert_eq!(gm.inputs.op, None, "GM reports no G, and no collectives");
        let page = page.after(Action::SelectMachine(machine("ap3000-mpi")));
        assert_eq!((page.inputs.style.clone(), page.inputs.model), (None, None));
        assert_eq!(page.changes, 6);
    }

    #[test]
    fn a_removed_machine_is_in_no_list() {
        let own = |name: &str| {
            let mut signature = (*machine("now-sparc")).clone();
            signature.name = name.to_owned();
            Action::AddMachine(Ok(Box::new(signature)))
        };
        let page = page([own("first"), own("second"), Action::RemoveMachine]);
        assert_eq!(page.machine.name, "first");
        assert_eq!(page.own.len(), 1);
        let page = page.after(Action::RemoveMachine);
        assert_eq!((page.machine.clone(), page.own.len()), (published()[0].clone(), 0));
        assert!(page.route().is_ok());
    }

    #[test]
    fn a_send_mode_of_another_tier_is_dropped() {
        let page = page([
            Action::SelectMachine(machine("convex-exemplar")),
            Action::Tier("intra-hypernode".to_owned()),
        ]);
        assert_eq!(page.route().unwrap().tier.name, "intra-hypernode");
        let page = page.after(Action::SelectMachine(machine("cray-t3d")));
        assert_eq!(page.inputs.tier, None);
        assert!(page.route().is_ok());
    }

    #[test]
    fn default_processes_are_within_the_range_of_the_form() {
        let page = page([Action::SelectMachine(machine("ap3000-mpi"))]);
        let form = page.machine.collective(Operation::Bcast).unwrap();
        assert_eq!(page.procs(form), Procs(12));
        assert_eq!(page.after(Action::Procs(Procs(500))).procs(form), Procs(500));
    }

    #[test]
    fn a_link_holds_the_page_and_opens_it() {
        let page = page([Action::SelectMachine(machine("ap3000-mpi")), Action::Bytes(Bytes(9))]);
        let (link, _) = loggia_link::encode(&page.state());
        let opened = Page::new(Some(Ok(loggia_link::decode(&link).unwrap())));
        assert_eq!((&opened.machine, &opened.inputs), (&page.machine, &page.inputs));
        assert_eq!(opened.changes, 0, "its address has this state already");
    }

    #[test]
    fn a_damaged_link_only_shows_an_error() {
        let before = page([Action::Bytes(Bytes(9))]);
        let problem = Error::from(loggia_link::decode("#1.AAAA").unwrap_err());
        let after = before.after(Action::OpenLink(Err(problem.clone())));
        assert_eq!(after, Page { problem: Some(problem), ..before.clone() });
        assert_eq!(after.after(Action::Dismiss), before);
        let empty = State { signatures: Vec::new(), ..State::default() };
        let after = before.after(Action::OpenLink(Ok(Box::new(empty))));
        assert_eq!(after.problem.unwrap().message, "this link holds no signature");
    }

    #[test]
    fn a_signature_from_a_link_stays_available() {
        let mut state = State::of(library::load("cray-t3d").unwrap());
        state.set("L", "5us").unwrap();
        let page = Page::new(Some(Ok(state)));
        assert!(!page.machine.is_published());
        let page = page.after(Action::SelectMachine(machine("ibm-sp2")));
        assert_eq!(page.own().len(), 1);
        assert_eq!(page.state().signatures.len(), 2);
        let back = page.after(Action::SelectMachine(page.own()[0].clone()));
        assert_eq!(back.state().signatures.len(), 1);
    }

    /// A run of one machine, as the collector writes it.
    fn run(date: &str) -> Action {
        let mut signature = library::load("cray-t3d").unwrap();
        signature.name = "cluster".to_owned();
        signature.origin = Origin::Measurement {
            tool: String::new(),
            method: String::new(),
            host: String::new(),
            command: String::new(),
            date: date.to_owned(),
        };
        Action::AddMachine(Ok(Box::new(signature)))
    }

    #[test]
    fn runs_of_a_machine_stay_available_and_are_compared() {
        let dates = |machines: Vec<Machine>| -> Vec<String> {
            machines.iter().map(|machine| date(machine).unwrap().to_owned()).collect()
        };
        let page = page(["2026-05-02", "2026-05-01", "2026-05-02"].map(run));
        assert_eq!(dates(page.own().to_vec()), ["2026-05-01", "2026-05-02"]);
        assert_eq!(date(&page.machine), Some("2026-05-02"));
        assert_eq!(dates(page.compared()), ["2026-05-01"]);
        assert_eq!(dates(page.runs()), ["2026-05-01", "2026-05-02"]);
        // In Compare, the selected machine stays selected.
        let page = page.after(Action::View(View::Compare)).after(run("2026-05-03"));
        assert_eq!(date(&page.machine), Some("2026-05-02"));
        assert_eq!(dates(page.compared()), ["2026-05-01", "2026-05-03"]);
        let chosen = page.after(Action::Compare(page.compared()[..1].to_vec()));
        assert_eq!(dates(chosen.after(run("2026-05-04")).compared()), ["2026-05-01", "2026-05-04"]);
        let other = page.after(Action::SelectMachine(machine("ibm-sp2")));
        assert!(other.runs().len() == 1 && other.compared().len() > 3);
    }

    #[test]
    fn a_machine_of_the_reader_is_compared_with_current_clusters() {
        let page = page([run("2026-05-01")]);
        let groups: Vec<Option<Group>> = page.compared().iter().map(|m| m.group()).collect();
        assert!(groups.len() > 3 && groups.iter().all(|group| *group == Some(Group::Hpc)));
    }

    #[test]
    fn an_update_replaces_only_a_selected_machine_of_its_name() {
        let update = |date: &str| match run(date) {
            Action::AddMachine(Ok(signature)) => Action::UpdateMachine(signature),
            other => other,
        };
        let added = page([update("2026-05-01")]);
        assert_eq!((added.machine.name.as_str(), added.own().len()), ("cray-t3d", 1));
        let selected = added.after(Action::SelectMachine(added.own()[0].clone()));
        let updated = selected.after(update("2026-05-02"));
        assert_eq!((date(&updated.machine), updated.own().len()), (Some("2026-05-02"), 2));
        let changed = selected.after(Action::Set("L", "7".to_owned()));
        let kept = changed.after(update("2026-05-02"));
        assert_eq!((&kept.machine, kept.own().len()), (&changed.machine, 2));
    }

    #[test]
    fn compared_machines_are_in_the_link_and_change_places() {
        let page = on_the_t3d();
        let names = |page: &Page| -> Vec<String> {
            page.compared().iter().map(|machine| machine.name.clone()).collect()
        };
        assert_eq!(names(&page).len(), 7, "all but those of overheads only: {:?}", names(&page));
        let sp2 = machine("ibm-sp2");
        let page = page.after(Action::Compare(vec![sp2.clone(), machine("now-sparc")]));
        let opened = Page::new(Some(Ok(page.state())));
        assert_eq!(names(&opened), ["ibm-sp2", "now-sparc"]);
        assert!(opened.own().is_empty());
        let swapped = opened.after(Action::SelectMachine(sp2));
        assert_eq!(names(&swapped), ["cray-t3d", "now-sparc"]);
        assert!(names(&swapped.after(Action::Compare(Vec::new()))).len() > 2);
    }

    #[test]
    fn a_link_may_have_inputs_that_the_machine_lacks() {
        let mut state = State::of(library::load("cray-t3d").unwrap());
        state.inputs.style = Some("psend".to_owned());
        state.set("op", "allreduce").unwrap();
        let page = Page::new(Some(Ok(state)));
        assert!(page.route().unwrap_err().message.contains("unknown send mode"));
        assert_eq!(page.operation(), Some(Operation::Allreduce));
    }
}
