//! Checks a lesson step by step, and reports the answers that the model computes.

use crate::error::{Finding, LessonError};
use crate::evaluation::Evaluator;
use crate::grading::{Attempt, option_text};
use crate::lesson::{AnswerKind, Lesson, QuestionKind, Step, Wrong, WrongAnswer};
use crate::solution::{RightAnswer, Solution};
use crate::text::{Text, shown, typed_results};
use loggia_model::Error;
use loggia_model::error::Place;
use serde::{Deserialize, Serialize};

/// The result of a check.
#[derive(Debug, Default)]
pub struct LessonReport {
    pub steps: Vec<StepReport>,
    /// Errors for which the lesson is refused.
    pub problems: Vec<Error>,
    /// Typed numbers that the model does not confirm; the lesson is still accepted.
    pub warnings: Vec<Error>,
}

/// A step with the model's answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    pub question: String,
    pub kind: AnswerKind,
    pub answer: String,
    pub reveal: String,
    pub quantities: Vec<(String, f64)>,
    pub wrong: Vec<WrongReport>,
}

/// A known wrong answer and its feedback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrongReport {
    pub answer: String,
    pub feedback: String,
}

/// Checks all steps.
pub fn check(lesson: &Lesson, evaluator: &mut Evaluator) -> LessonReport {
    let mut report = LessonReport::default();
    for step in &lesson.steps {
        check_step(lesson, step, evaluator, &mut report);
    }
    report
}

fn check_step(lesson: &Lesson, step: &Step, evaluator: &mut Evaluator, report: &mut LessonReport) {
    let variants = step.vary.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
    for seed in 0..variants {
        match step.solve(lesson, seed as u8, evaluator) {
            Err(error) => {
                let place =
                    if error.place.is_nowhere() { step.place.clone() } else { error.place.clone() };
                report.problems.push(error.at(place));
                return;
            }
            Ok(solution) => {
                let mut findings = Findings { step, solution: &solution, problems: Vec::new() };
                findings.texts();
                findings.wrong_answers();
                findings.changes(lesson, seed as u8);
                if let QuestionKind::Target { .. } = step.ask {
                    findings.target(lesson, seed as u8, evaluator);
                }
                report.problems.append(&mut findings.problems);
                if seed == 0 {
                    report.warnings.extend(warnings(step));
                    report.steps.push(step_report(step, &solution));
                }
            }
        }
    }
}

struct Findings<'a> {
    step: &'a Step,
    solution: &'a Solution,
    problems: Vec<Error>,
}

impl Findings<'_> {
    fn report(&mut self, finding: Finding, place: &Place) {
        self.problems.push(LessonError::from(finding).at(place.clone()));
    }

    /// Reports typed numbers that the model contradicts.
    fn texts(&mut self) {
        let names = &self.solution.names;
        for text in texts(self.step) {
            for wrong in text.contradictions(&|name| names.get(name)) {
                let finding = Finding::Contradiction {
                    typed: wrong.typed.to_string(),
                    formula: wrong.formula.to_string(),
                    computed: shown(wrong.computed),
                };
                self.report(finding, &self.step.place);
            }
        }
    }

    /// Reports known wrong answers that are right.
    fn wrong_answers(&mut self) {
        let names = &self.solution.names;
        for wrong in &self.step.wrong {
            let is_right = match (&wrong.is, &self.solution.right) {
                (WrongAnswer::Number(formula), RightAnswer::Number { low, high, .. }) => {
                    let value = formula.value(&|name| names.get(name));
                    if !value.is_finite() {
                        self.report(Finding::InfiniteWrongAnswer, &wrong.place);
                        continue;
                    }
                    (*low..=*high).contains(&value)
                }
                (WrongAnswer::Option(at), RightAnswer::Option(right)) => at == right,
                (WrongAnswer::First(at), RightAnswer::Order(right)) => right.first() == Some(at),
                (WrongAnswer::Last(at), RightAnswer::Order(right)) => right.last() == Some(at),
                _ => false,
            };
            if is_right {
                self.report(Finding::WrongAnswerIsRight, &wrong.place);
            }
        }
        if let RightAnswer::Order(right) = &self.solution.right
            && right.iter().copied().eq(0..right.len())
        {
            self.report(Finding::AlreadyInOrder, &self.step.place);
        }
    }

    /// Reports changes of the state (`show`) that the page does not accept.
    fn changes(&mut self, lesson: &Lesson, seed: u8) {
        let state = self.step.page_state(lesson, seed);
        let changed =
            state.and_then(|state| state.map(|s| s.with(lesson, &self.step.show)).transpose());
        self.problems.extend(changed.err());
    }

    /// Reports a target that is reached by the initial state, or missed by its solution.
    fn target(&mut self, lesson: &Lesson, seed: u8, evaluator: &mut Evaluator) {
        let QuestionKind::Target { solution, .. } = &self.step.ask else { return };
        let initial = match self.step.page_state(lesson, seed) {
            Ok(Some(initial)) => initial,
            Ok(None) => {
                return self.report(Finding::TargetWithoutState, &self.step.place);
            }
            Err(error) => return self.problems.push(error),
        };
        let mut grade = |state| {
            let attempt = Attempt::Target(Box::new(state));
            self.step.grade(lesson, seed, self.solution, &attempt, evaluator)
        };
        let initial_grade = grade(initial.state.clone());
        let solution_grade =
            initial.with(lesson, solution).and_then(|changed| grade(changed.state));
        match (initial_grade, solution_grade) {
            (Err(error), _) | (_, Err(error)) => {
                self.problems.push(error.at(self.step.place.clone()));
            }
            (Ok(first), _) if first.right => {
                self.report(Finding::TargetReachedAtFirst, &self.step.place);
            }
            (_, Ok(last)) if !last.right => {
                self.report(Finding::SolutionMisses, &self.step.place);
            }
            _ => {}
        }
    }
}

/// All texts of a step.
fn texts(step: &Step) -> impl Iterator<Item = &Text> {
    let options = step.ask.options().iter().map(|option| &option.say);
    let wrong = step.wrong.iter().map(|wrong| &wrong.say);
    let all = step.text.iter().chain([&step.question, &step.reveal]);
    all.chain(&step.hints).chain(options).chain(wrong)
}

/// Warnings for typed numbers that are neither in the state, nor cited, nor confirmed by a formula.
fn warnings(step: &Step) -> impl Iterator<Item = Error> {
    let is_given = |value: f64| {
        let is_near = |known: f64| (known - value).abs() <= 0.005 * known.abs();
        let is_in_state = step.state.iter().flat_map(|state| &state.0).any(|setting| {
            let digits: String =
                setting.value.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            digits.parse().is_ok_and(is_near)
        });
        is_in_state || step.cited.iter().copied().any(is_near)
    };
    texts(step).flat_map(Text::words).flat_map(move |words| {
        let unknown = typed_results(words).into_iter().filter(move |(_, value)| !is_given(*value));
        unknown.map(move |(at, _)| {
            let typed = Finding::TypedNumber(words[at.clone()].to_owned());
            LessonError::from(typed).at(step.place.clone())
        })
    })
}

fn step_report(step: &Step, solution: &Solution) -> StepReport {
    let get = |name: &str| solution.names.get(name);
    let wrong = |wrong: &Wrong| WrongReport {
        answer: wrong_text(step, wrong, solution),
        feedback: wrong.say.filled(&get),
    };
    StepReport {
        question: step.question.filled(&get),
        kind: step.ask.answer(),
        answer: answer_text(step, solution),
        reveal: step.reveal.filled(&get),
        quantities: step
            .lets
            .iter()
            .filter_map(|quantity| Some((quantity.name.clone(), get(&quantity.name)?)))
            .collect(),
        wrong: step.wrong.iter().map(wrong).collect(),
    }
}

/// The right answer as text.
pub fn answer_text(step: &Step, solution: &Solution) -> String {
    let names = &solution.names;
    let options = step.ask.options();
    match (&solution.right, &step.ask) {
        (RightAnswer::Number { value, .. }, QuestionKind::Number { unit, .. }) => {
            let unit = unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{}{unit}", shown(*value))
        }
        (RightAnswer::Option(at), _) => option_text(options, *at, names),
        (RightAnswer::Order(order), _) => {
            let item = |at: &usize| {
                let value = options[*at].value.as_ref();
                let value = value.map(|value| shown(value.value(&|name| names.get(name))));
                format!("{} ({})", option_text(options, *at, names), value.unwrap_or_default())
            };
            order.iter().map(item).collect::<Vec<_>>().join(" < ")
        }
        (RightAnswer::Target, QuestionKind::Target { solution, .. }) => {
            let item = |setting: &crate::state_spec::Setting| {
                format!("{} = {}", setting.key, setting.value)
            };
            solution.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

fn wrong_text(step: &Step, wrong: &Wrong, solution: &Solution) -> String {
    let options = step.ask.options();
    let option = |at: usize| option_text(options, at, &solution.names);
    match &wrong.is {
        WrongAnswer::Number(formula) => shown(formula.value(&|name| solution.names.get(name))),
        WrongAnswer::Option(at) => option(*at),
        WrongAnswer::First(at) => format!("{} first", option(*at)),
        WrongAnswer::Last(at) => format!("{} last", option(*at)),
        WrongAnswer::State(_) => "a state that misses the target".to_owned(),
    }
}
