//! The state of the page for a step.

use crate::error::LessonError;
use crate::lesson::Lesson;
use crate::state_spec::{COMPARE, CURVE, MACHINE, PROGRAM, Setting, StateSpec, VIEW};
use loggia_link::state::{State, View};
use loggia_model::{Error, Signature};

/// A state of the page, with a program and a curve, which links do not contain.
#[derive(Clone, Debug, PartialEq)]
pub struct PageState {
    pub state: State,
    /// A GOAL program: its name and its text.
    pub program: Option<(String, String)>,
    pub curve: Option<String>,
}

impl StateSpec {
    /// The state of the page.
    ///
    /// # Errors
    /// If a name, an input or a value is unknown; with its place.
    pub fn page_state(&self, lesson: &Lesson) -> Result<PageState, Error> {
        let first = self.get(MACHINE).ok_or(LessonError::NoMachine)?;
        let mut signatures = vec![lesson.machine(first, &first.value)?];
        for name in self.names(COMPARE) {
            signatures.push(lesson.machine(first, name)?);
        }
        let mut state = State { signatures, ..State::default() };
        if let Some(view) = self.get(VIEW) {
            state.view = View::named(&view.value).map_err(|error| error.at(view.place.clone()))?;
        }
        let mut page = PageState { state, program: None, curve: None };
        // Inputs first: they set the tier and send mode of the parameters.
        let (inputs, parameters): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|setting| State::is_input(&setting.key));
        for setting in inputs.into_iter().chain(parameters) {
            page.set(lesson, setting)?;
        }
        Ok(page)
    }

    fn names(&self, key: &str) -> impl Iterator<Item = &str> {
        let list = self.get(key).map(|setting| setting.value.as_str()).unwrap_or_default();
        list.split(',').map(str::trim).filter(|name| !name.is_empty())
    }
}

impl PageState {
    /// Changes some values; a changed machine replaces the first machine.
    ///
    /// # Errors
    /// As [`StateSpec::page_state`].
    pub fn with(&self, lesson: &Lesson, changes: &[Setting]) -> Result<PageState, Error> {
        let mut page = self.clone();
        if let Some(machine) = changes.iter().find(|change| change.key == MACHINE) {
            page.state.signatures[..1]
                .clone_from_slice(&[lesson.machine(machine, &machine.value)?]);
        }
        for setting in changes {
            page.set(lesson, setting)?;
        }
        Ok(page)
    }

    fn set(&mut self, lesson: &Lesson, setting: &Setting) -> Result<(), Error> {
        let Setting { key, value, place } = setting;
        let result = match key.as_str() {
            MACHINE | COMPARE => Ok(()),
            VIEW => View::named(value).map(|view| self.state.view = view),
            CURVE => {
                self.curve = Some(value.clone());
                Ok(())
            }
            PROGRAM => named(&lesson.programs, "program", value).map(|text| {
                self.program = Some((format!("{value}.goal"), text.to_owned()));
            }),
            "sketch" => {
                let text = named(&lesson.sketches, "sketch", value)?;
                self.state.set("sketch", text)
            }
            key => self.state.set(key, value),
        };
        result.map_err(|error| error.at(place.clone()))
    }
}

fn named<'a>(all: &'a [(String, String)], kind: &str, name: &str) -> Result<&'a str, Error> {
    let entry = all.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str());
    entry.ok_or_else(|| Error::unknown(kind, name, "", all.iter().map(|(known, _)| known.as_str())))
}

impl Lesson {
    fn machine(&self, at: &Setting, name: &str) -> Result<Signature, Error> {
        let entry = self.machines.iter().find(|(known, _)| known == name);
        entry.map(|(_, signature)| signature.clone()).ok_or_else(|| {
            let known = self.machines.iter().map(|(known, _)| known.as_str());
            Error::unknown("machine of this lesson", name, at.place.clone(), known)
        })
    }
}
