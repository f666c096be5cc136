//! The solution of a step: named quantities, values of options, and the right answer.

use crate::error::LessonError;
use crate::evaluation::{Evaluator, number};
use crate::formula::Path;
use crate::lesson::{Choice, Lesson, Let, QuestionKind, Right, Step};
use crate::page_state::PageState;
use crate::read::moved;
use crate::state_spec::Setting;
use loggia_link::state::{Inputs, State};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::units::Bytes;

/// Named quantities of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names(Vec<(String, f64)>);

impl Names {
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }

    fn set(&mut self, name: impl Into<String>, value: f64) {
        self.0.push((name.into(), value));
    }
}

/// The named quantities and the right answer of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    pub names: Names,
    pub right: RightAnswer,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RightAnswer {
    /// A number with the accepted interval.
    Number {
        value: f64,
        low: f64,
        high: f64,
    },
    /// An option; the index after the last option is "about the same".
    Option(usize),
    /// The options in the right order.
    Order(Vec<usize>),
    Target,
    Free,
}

impl Step {
    /// The state for a student with this seed; `None` if the step shows only a table.
    ///
    /// # Errors
    /// If a name or a value is unknown.
    pub fn page_state(&self, lesson: &Lesson, seed: u8) -> Result<Option<PageState>, Error> {
        let varied = self.vary.iter().filter_map(|(key, values)| {
            let value = values.get(usize::from(seed) % values.len().max(1))?.clone();
            Some(Setting { key: key.clone(), value, place: self.place.clone() })
        });
        let varied: Vec<Setting> = varied.collect();
        self.state.as_ref().map(|state| state.with(&varied).page_state(lesson)).transpose()
    }

    /// Solves the step in its initial state.
    ///
    /// # Errors
    /// If the model has no answer, or not exactly one option is right.
    pub fn solve(
        &self,
        lesson: &Lesson,
        seed: u8,
        evaluator: &mut Evaluator,
    ) -> Result<Solution, Error> {
        let page = self.page_state(lesson, seed)?;
        let names = self.names(lesson, page.as_ref(), page.as_ref(), evaluator)?;
        let right = self.right_answer(lesson, page.as_ref(), &names, evaluator);
        Ok(Solution { right: right.map_err(|error| self.with_place(error))?, names })
    }

    /// The named quantities in the state `page`, which the student may have changed.
    ///
    /// # Errors
    /// If the model has no answer.
    pub fn names(
        &self,
        lesson: &Lesson,
        initial: Option<&PageState>,
        page: Option<&PageState>,
        evaluator: &mut Evaluator,
    ) -> Result<Names, Error> {
        let mut names = Names::default();
        if let (Some(initial), Some(page)) = (initial, page) {
            let Inputs { bytes, procs, .. } = page.state.inputs;
            names.0.extend(bytes.map(|bytes| ("bytes".to_owned(), bytes.0 as f64)));
            names.0.extend(procs.map(|procs| ("procs".to_owned(), f64::from(procs.0))));
            let mut count = 0.0;
            for key in &self.free {
                let is_moved = is_changed(&initial.state, &page.state, key);
                count += f64::from(u8::from(is_moved));
                names.set(moved(key), f64::from(u8::from(is_moved)));
            }
            names.set("moved", count);
        }
        for quantity in &self.lets {
            let value = match page {
                None => Err(LessonError::NoState.into()),
                Some(page) => quantity.value(lesson, page, &names, evaluator),
            };
            names.set(&quantity.name, value.map_err(|error| at(error, quantity))?);
        }
        Ok(names)
    }

    fn with_place(&self, error: Error) -> Error {
        if error.place.is_nowhere() { error.at(self.place.clone()) } else { error }
    }

    fn right_answer(
        &self,
        lesson: &Lesson,
        page: Option<&PageState>,
        names: &Names,
        evaluator: &mut Evaluator,
    ) -> Result<RightAnswer, Error> {
        let get = |name: &str| names.get(name);
        Ok(match &self.ask {
            QuestionKind::Number { answer, within, .. } => {
                let value = finite(answer.value(&get))?;
                let [low, high] = [value - within * value.abs(), value + within * value.abs()];
                let quantity = answer
                    .as_name()
                    .and_then(|name| self.lets.iter().find(|known| known.name == name));
                let bounds = match (quantity, page) {
                    (Some(quantity), Some(page)) => quantity.bounds(lesson, page, names, evaluator),
                    _ => None,
                };
                let [lower, upper] = bounds.unwrap_or([low, high]);
                RightAnswer::Number { value, low: low.min(lower), high: high.max(upper) }
            }
            QuestionKind::Choice { options, right, alike } => {
                RightAnswer::Option(right_option(options, *right, *alike, names)?)
            }
            QuestionKind::Order { options } => {
                let values = values(options, names)?;
                let mut order: Vec<usize> = (0..options.len()).collect();
                order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
                if order.windows(2).any(|pair| values[pair[0]] == values[pair[1]]) {
                    return Err(LessonError::EqualOptions.into());
                }
                RightAnswer::Order(order)
            }
            QuestionKind::Target { .. } => RightAnswer::Target,
            QuestionKind::Say => RightAnswer::Free,
        })
    }
}

fn at(error: Error, quantity: &Let) -> Error {
    let error = if error.place.is_nowhere() { error.at(quantity.place.clone()) } else { error };
    Error { message: format!("{}: {}", quantity.name, error.message), ..error }
}

fn finite(value: f64) -> Result<f64, Error> {
    match value.is_finite() {
        true => Ok(value),
        false => Err(LessonError::InfiniteAnswer.into()),
    }
}

fn values(options: &[Choice], names: &Names) -> Result<Vec<f64>, Error> {
    let get = |name: &str| names.get(name);
    options
        .iter()
        .map(|option| finite(option.value.as_ref().map_or(f64::NAN, |value| value.value(&get))))
        .collect()
}

fn right_option(
    options: &[Choice],
    right: Right,
    alike: Option<f64>,
    names: &Names,
) -> Result<usize, Error> {
    let get = |name: &str| names.get(name);
    match right {
        Right::Option(at) => Ok(at),
        Right::Condition => {
            let holds = |at: &usize| {
                options[*at].right.as_ref().is_some_and(|condition| condition.holds(&get))
            };
            let all: Vec<usize> = (0..options.len()).filter(holds).collect();
            match all[..] {
                [at] => Ok(at),
                [] => Err(LessonError::NoRightOption.into()),
                _ => Err(LessonError::SeveralRightOptions(all.len()).into()),
            }
        }
        Right::Most | Right::Least => {
            let sign = if right == Right::Most { -1.0 } else { 1.0 };
            let values = values(options, names)?;
            let mut order: Vec<usize> = (0..options.len()).collect();
            order.sort_by(|a, b| (sign * values[*a]).total_cmp(&(sign * values[*b])));
            let [first, second] = [values[order[0]], values[order[1]]];
            let difference = (first / second - 1.0).abs();
            match alike {
                Some(alike) if difference < alike => Ok(options.len()),
                None if first == second => Err(LessonError::EqualBest.into()),
                _ => Ok(order[0]),
            }
        }
    }
}

impl Let {
    fn value(
        &self,
        lesson: &Lesson,
        page: &PageState,
        names: &Names,
        evaluator: &mut Evaluator,
    ) -> Result<f64, Error> {
        let page = page.with(lesson, &self.set)?;
        let is_sensitivity = |path: &Path| path.to_string().starts_with("d_");
        let with_sensitivity = self.get.paths().iter().any(is_sensitivity);
        let report = evaluator.report(&page, self.report, with_sensitivity)?;
        let get = |name: &str| names.get(name);
        finite(self.get.value(&mut |path| number(&report, path, &get))?)
    }

    /// The bounds of a time, if the report has them.
    fn bounds(
        &self,
        lesson: &Lesson,
        page: &PageState,
        names: &Names,
        evaluator: &mut Evaluator,
    ) -> Option<[f64; 2]> {
        let path = self.get.as_path().filter(|path| path.last_key() == Some("time_us"))?;
        let page = page.with(lesson, &self.set).ok()?;
        let report = evaluator.report(&page, self.report, false).ok()?;
        let get = |name: &str| names.get(name);
        let bound = |key: &str| number(&report, &path.sibling(key), &get).ok();
        Some([bound("low_us")?, bound("high_us")?])
    }
}

/// The value of an input or a parameter of a state, in the unit of its file.
pub fn setting(state: &State, key: &str) -> Option<f64> {
    if State::is_input(key) {
        let inputs = serde_json::to_value(&state.inputs).ok()?;
        return inputs.get(key)?.as_f64();
    }
    let Inputs { tier, style, bytes, .. } = &state.inputs;
    let machine = state.signatures.first()?;
    let route = Route::of(machine, tier.as_deref(), style.as_deref()).ok()?;
    let all = route.editable(bytes.unwrap_or(Bytes(8)));
    let parameter = all.into_iter().find(|known| known.symbol == key)?;
    Some(parameter.value.value)
}

fn is_changed(initial: &State, state: &State, key: &str) -> bool {
    setting(initial, key) != setting(state, key)
}
