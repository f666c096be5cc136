//! The state with its undo history.

use super::{Action, Page};
use crate::machines;
use loggia_link::state::State;
use std::rc::Rc;

/// The page, with earlier and undone versions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Session {
    pub(crate) page: Page,
    past: Vec<Page>,
    future: Vec<Page>,
}

/// Maximum number of undo steps.
const MEMORY: usize = 200;

impl Session {
    /// The page of an address, without history.
    pub(crate) fn new(opening: Option<Action>) -> Self {
        let first = Page::new(None);
        // No machine was chosen yet: a figure of any machine shows the papers' first.
        let opening = opening.map(|action| match action {
            Action::Figure(figure) => {
                let state = State::of_figure_with(figure, None, machines::signature);
                Action::OpenLink(state.map(Box::new))
            }
            other => other,
        });
        let page = opening.map_or_else(|| first.clone(), |action| first.after(action));
        let page = Page { changes: 0, last: None, ..page };
        Session { page, past: Vec::new(), future: Vec::new() }
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    fn after(&self, action: Action) -> Self {
        let Session { page, mut past, mut future } = self.clone();
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
        Session { page, past, future }
    }
}

impl yew::Reducible for Session {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::named as machine;
    use loggia_link::state::FIRST_SIZE;
    use loggia_model::units::Bytes;

    fn session(actions: impl IntoIterator<Item = Action>) -> Session {
        actions.into_iter().fold(Session::new(None), |session, action| session.after(action))
    }

    fn latency(session: &Session) -> f64 {
        session.page.route().unwrap().latency().unwrap().value.0
    }

    #[test]
    fn a_parameter_is_set_shown_as_changed_and_reset() {
        let before = Session::new(None);
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
        assert!(none.page.machine.is_published(), "no change is left");
        assert!(both.after(Action::Reset(None)).page.machine.is_published());
    }

    #[test]
    fn a_replaced_signature_can_be_undone() {
        let before = Session::new(None);
        let mut other = (*before.page.machine).clone();
        other.set("L", "9us").unwrap();
        let after = before.after(Action::Replace(Box::new(other)));
        assert_eq!(latency(&after), 9.0);
        assert_eq!(after.page.original, before.page.machine);
        assert!(after.after(Action::Undo).page.machine.is_published());
    }

    #[test]
    fn an_impossible_parameter_only_shows_an_error() {
        let before = Session::new(None);
        let after = before.after(Action::Set("L", "-3".to_owned()));
        let place = after.page.problem.as_ref().map(|error| error.place.to_string());
        assert_eq!(place.as_deref(), Some("L"));
        assert_eq!(after.page.machine, before.page.machine);
        assert!(!after.can_undo());
    }

    #[test]
    fn changes_are_undone_and_redone() {
        let set = |value: &str| Action::Set("L", value.to_owned());
        let done = session([Action::Bytes(Bytes(9)), set("5"), set("6"), set("7"), set("8")]);
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
        assert!(!other.can_redo(), "a new change clears redo");
        assert!(other.page.changes > done.page.changes, "undo changes the address, too");
    }

    #[test]
    fn a_changed_machine_stays_available_when_another_is_chosen() {
        let done =
            session([Action::Set("L", "7".to_owned()), Action::SelectMachine(machine("ibm-sp2"))]);
        let [own] = done.page.own() else { panic!("{:?}", done.page.own()) };
        let back = done.after(Action::SelectMachine(own.clone()));
        assert_eq!(latency(&back), 7.0);
        assert!(back.page.is_changed("L"));
    }
}
