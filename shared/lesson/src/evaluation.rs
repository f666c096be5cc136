//! The report of a state, as the command prints it, and its quantities.

use crate::error::LessonError;
use crate::formula::{Part, Path};
use crate::lesson::Report;
use crate::page_state::PageState;
use loggia_link::state::{Inputs, State, View};
use loggia_model::compare::Comparison;
use loggia_model::error::Input;
use loggia_model::model::Route;
use loggia_model::model::composition::Question;
use loggia_model::model::messages::Demand;
use loggia_model::model::overlap::Programs;
use loggia_model::placement::Nodes;
use loggia_model::ranks::{USUAL, ranks};
use loggia_model::signature::Signature;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::{Error, Signature as Machine, json};
use loggia_plan::cache::Cache;
use loggia_plan::request::Request;
use loggia_plan::sketch::{EXAMPLES, Sketch};
use loggia_report::collective::CollectiveReport;
use loggia_report::message::MessageReport;
use loggia_report::messages::MessagesReport;
use loggia_report::metrics::MetricsReport;
use loggia_report::overlap::OverlapReport;
use loggia_report::run::{ParameterRange, RunDetails, RunReport};
use loggia_simulate::program::{CollectiveSchedule, Program};
use loggia_simulate::request::{BEST, CollectivePrediction, CollectiveRequest};
use loggia_simulate::{MAX_EVENTS, RunSetting, Simulation, Ticks, collective};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// Computes and caches reports.
#[derive(Debug, Default)]
pub struct Evaluator {
    reports: HashMap<String, Rc<Value>>,
    plans: Rc<Cache>,
}

/// Maximum number of cached reports.
const MAX_REPORTS: usize = 4096;

impl Evaluator {
    /// The report of a state.
    ///
    /// # Errors
    /// If the model has no prediction for the state.
    pub fn report(
        &mut self,
        page: &PageState,
        report: Option<Report>,
        with_sensitivity: bool,
    ) -> Result<Rc<Value>, Error> {
        let state = serde_json::to_string(&page.state).unwrap_or_default();
        let key =
            format!("{report:?} {with_sensitivity} {:?} {:?} {state}", page.program, page.curve);
        if let Some(known) = self.reports.get(&key) {
            return Ok(Rc::clone(known));
        }
        let value = Rc::new(self.computed(page, report, with_sensitivity)?);
        if self.reports.len() >= MAX_REPORTS {
            self.reports.clear();
        }
        self.reports.insert(key, Rc::clone(&value));
        Ok(value)
    }

    fn computed(
        &self,
        page: &PageState,
        report: Option<Report>,
        with_sensitivity: bool,
    ) -> Result<Value, Error> {
        let State { signatures, view, inputs } = &page.state;
        let [machine, ..] = &signatures[..] else {
            return Err(LessonError::NoMachine.into());
        };
        match (report, view) {
            (Some(Report::Signature), _) => {
                serde_json::from_str(&json::to_json(machine)).map_err(|e| unreadable(&e))
            }
            (Some(Report::Comparison), _) | (None, View::Compare) => {
                let all: Vec<&Machine> = signatures.iter().collect();
                value(&Comparison::of(&all, 0.0))
            }
            (None, View::Message) => message(machine, inputs),
            (None, View::Overlap) if inputs.has_message_inputs() => messages(machine, inputs),
            (None, View::Overlap) => overlap(machine, inputs),
            (None, View::Collectives) => of_collective(machine, inputs),
            (None, View::Simulate) => run(machine, page, with_sensitivity),
            (None, View::Signature) => {
                value(&MetricsReport::of(&route(machine, inputs)?, inputs.model)?)
            }
            (None, View::Plan) => self.plan(machine, inputs),
            (None, view) => Err(LessonError::NoReport(*view).into()),
        }
    }

    fn plan(&self, machine: &Signature, inputs: &Inputs) -> Result<Value, Error> {
        let sketch = Sketch::read(inputs.sketch.as_deref().unwrap_or(EXAMPLES[0].1))?;
        let request = Request {
            tier: inputs.tier.as_deref(),
            style: inputs.style.as_deref(),
            rules: inputs.rules,
            what_if: inputs.what_if(),
            cache: Rc::clone(&self.plans),
            ..Request::of(&sketch, machine)
        };
        value(&request.over(&ranks(inputs.ranks.as_deref().unwrap_or(USUAL))?)?)
    }
}

fn value(report: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(report).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Error {
    LessonError::UnreadableReport(error.to_string()).into()
}

fn route<'a>(machine: &'a Signature, inputs: &Inputs) -> Result<Route<'a>, Error> {
    Route::of(machine, inputs.tier.as_deref(), inputs.style.as_deref())
}

/// A required input.
fn required<T>(given: Option<T>, input: Input) -> Result<T, Error> {
    given.ok_or_else(|| LessonError::MissingInput(input).into())
}

fn bytes(inputs: &Inputs) -> Result<Bytes, Error> {
    required(inputs.bytes, Input::Bytes)
}

fn message(machine: &Signature, inputs: &Inputs) -> Result<Value, Error> {
    value(&MessageReport::of(&route(machine, inputs)?, inputs.model, bytes(inputs)?, None)?)
}

fn messages(machine: &Signature, inputs: &Inputs) -> Result<Value, Error> {
    let demand = Demand {
        messages: inputs.count.unwrap_or(1),
        bytes: bytes(inputs)?,
        compute: inputs.compute.unwrap_or_default(),
        depth: inputs.depth,
    };
    value(&MessagesReport::of(&route(machine, inputs)?, &demand)?)
}

fn overlap(machine: &Signature, inputs: &Inputs) -> Result<Value, Error> {
    let time = |given: Option<Micros>| given.unwrap_or_default();
    let programs = Programs {
        send_at: time(inputs.send_at),
        recv_at: time(inputs.recv_at),
        send_compute: time(inputs.send_compute),
        recv_compute: time(inputs.recv_compute),
    };
    value(&OverlapReport::of(&route(machine, inputs)?, bytes(inputs)?, &programs)?)
}

fn procs(inputs: &Inputs) -> Result<Procs, Error> {
    required(inputs.procs, Input::Procs)
}

fn of_collective(machine: &Signature, inputs: &Inputs) -> Result<Value, Error> {
    let op = required(inputs.op, Input::Operation)?;
    let size = inputs.bytes.unwrap_or(Bytes(0));
    let question = Question::of(machine, op, procs(inputs)?, size, None)?;
    let nodes = inputs.nodes.as_deref().map(|text| Nodes::parse(text, question.procs.0));
    let request = CollectiveRequest {
        tier: inputs.tier.as_deref(),
        style: inputs.style.as_deref(),
        ..CollectiveRequest::of(machine, question).on(nodes.transpose()?.map(Rc::new))
    };
    let (prediction, best) = match inputs.algorithm.as_deref() {
        Some(BEST) => request.best().map(|(prediction, best)| (prediction, Some(best)))?,
        Some(name) => (request.by(name)?, None),
        None => (request.by_best_basis()?, None),
    };
    match &prediction {
        CollectivePrediction::Forms(forms) => {
            value(&CollectiveReport::by_forms(machine, &question, forms, (best, None)))
        }
        CollectivePrediction::Algorithm(algorithm) => {
            value(&CollectiveReport::by_algorithm(machine, &question, algorithm, (best, None)))
        }
    }
}

fn program(machine: &Signature, page: &PageState) -> Result<Program, Error> {
    let inputs = &page.state.inputs;
    if let Some((name, text)) = &page.program {
        return Program::from_goal(name, text.as_bytes());
    }
    let op = required(inputs.op, Input::Operation)?;
    let algorithm =
        collective::named(op, required(inputs.algorithm.as_deref(), Input::Algorithm)?)?;
    let procs = procs(inputs)?;
    let nodes = inputs.nodes.as_deref().map(|text| Nodes::parse(text, procs.0)).transpose()?;
    let schedule = CollectiveSchedule::new(algorithm, procs, inputs.bytes.unwrap_or(Bytes(0)))?;
    schedule.with_operator_time(None, Some(machine)).program(nodes)
}

fn run(machine: &Signature, page: &PageState, with_sensitivity: bool) -> Result<Value, Error> {
    let inputs = &page.state.inputs;
    let machine = inputs.what_if().applied(machine);
    let program = program(&machine, page)?;
    let route = route(&machine, inputs)?;
    let (tier, style) = (inputs.tier.as_deref(), inputs.style.as_deref());
    let node_of = program.nodes.as_ref().map(Nodes::of_all).filter(|_| machine.tiers.len() > 1);
    let mut setting = RunSetting::of(&machine, tier, style, node_of)?;
    let range = page.curve.as_deref().map(ParameterRange::parse).transpose()?;
    if range.is_some() {
        setting.longest_tick = Ticks::Picoseconds;
    }
    let rules = inputs.rules.map_or_else(|| SimulationModel::richest(&route), Ok)?;
    let simulation = Simulation::new(&program.schedule, rules, &setting)?;
    let answer = simulation.answer(&simulation.run());
    let sensitivity = with_sensitivity.then(|| simulation.sensitivity());
    value(&RunReport {
        machine: &machine.name,
        schedule: &program.name,
        answer,
        details: RunDetails { sensitivity, ..RunDetails::default() },
        curve: range.map(|range| range.trace(&simulation, MAX_EVENTS)).transpose()?,
        closed_form: program.closed_form(rules, &setting),
        warnings: Vec::new(),
    })
}

/// The number at a path of a report.
///
/// # Errors
/// If the report has no number at the path.
pub fn number(
    report: &Value,
    path: &Path,
    names: &dyn Fn(&str) -> Option<f64>,
) -> Result<f64, Error> {
    let mut at = report;
    for (index, part) in path.0.iter().enumerate() {
        if let (Part::Element(name), [Part::Key(key)]) = (part, &path.0[index + 1..])
            && SUMMED.contains(&key.as_str())
            && let Some(total) = sum_of_elements(at, name, key)
        {
            return Ok(total);
        }
        let child = match part {
            Part::Key(key) => at.get(key),
            Part::Element(name) => element(at, name),
            Part::Computed(formula) => element(at, &formula.value(names).to_string()),
        };
        at = child.ok_or_else(|| unknown(at, path, part))?;
    }
    let number = match at {
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        other => other.as_f64(),
    };
    number.ok_or_else(|| {
        let path = path.to_string();
        match at {
            Value::Null => LessonError::NoNumber { path }.into(),
            _ => LessonError::NotNumeric { path }.into(),
        }
    })
}

/// Keys whose values are summed over elements of the same name: a formula may contain L repeatedly.
const SUMMED: [&str; 2] = ["total_us", "count"];

fn sum_of_elements(list: &Value, name: &str, key: &str) -> Option<f64> {
    let named = list.as_array()?.iter().filter(|element| element["symbol"] == name);
    let values: Vec<f64> = named.map(|element| element[key].as_f64()).collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum())
}

/// Keys whose values identify an element of a list.
const NAMES: [&str; 7] = ["symbol", "strategy", "name", "parameter", "procs", "bytes", "op"];

/// The element with this name, such as `L` or `O_i@8192`, or with this index.
fn element<'a>(list: &'a Value, name: &str) -> Option<&'a Value> {
    let list = list.as_array()?;
    let (name, bytes) = name.split_once('@').map_or((name, None), |(name, at)| (name, Some(at)));
    let equals = |value: Option<&Value>, name: &str| match value {
        Some(Value::String(text)) => text == name || text.split(' ').next() == Some(name),
        Some(Value::Number(number)) => number.to_string() == name,
        _ => false,
    };
    let is_named = |element: &&Value| {
        NAMES.iter().any(|key| equals(element.get(key), name))
            && bytes.is_none_or(|bytes| equals(element.get("bytes"), bytes))
    };
    list.iter().find(is_named).or_else(|| list.get(name.parse::<usize>().ok()?))
}

fn unknown(at: &Value, path: &Path, part: &Part) -> Error {
    let known: Vec<&str> = match at {
        Value::Object(fields) => fields.keys().map(String::as_str).collect(),
        Value::Array(all) => all
            .iter()
            .filter_map(|element| NAMES.iter().find_map(|key| element.get(key)?.as_str()))
            .collect(),
        _ => Vec::new(),
    };
    let word = match part {
        Part::Key(word) | Part::Element(word) => word.clone(),
        Part::Computed(formula) => formula.to_string(),
    };
    let mut error = Error::unknown("quantity", &word, "", known);
    error.message = format!("{} in {path}", error.message);
    error
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::formula::Quantity;
    use serde_json::json;

    #[test]
    fn elements_are_found_by_name_ranks_size_and_index() {
        let report = json!({
            "terms": [{"symbol": "o_s", "total_us": 30.0}, {"symbol": "L", "total_us": 3.1}],
            "points": [{"procs": 8, "efficiency": 0.5}],
            "rows": [{"symbol": "O_i", "bytes": 8, "value": 1}, {"symbol": "O_i", "bytes": 16, "value": 2}],
            "nothing": null,
        });
        let value = |text: &str| {
            let names = |name: &str| (name == "procs").then_some(4.0);
            let quantity = Quantity::parse(text, &|name| names(name).is_some()).unwrap();
            quantity.value(&mut |path| number(&report, path, &names))
        };
        assert_eq!(value("terms[L].total_us + terms[0].total_us"), Ok(33.1));
        let two_elements = json!({ "terms": [report["terms"][1], report["terms"][1]] });
        let sum = Quantity::parse("terms[L].total_us", &|_| false).unwrap();
        assert_eq!(sum.value(&mut |path| number(&two_elements, path, &|_| None)), Ok(6.2));
        assert_eq!(value("points[8].efficiency"), Ok(0.5));
        assert_eq!(value("points[{2 * procs}].efficiency"), Ok(0.5));
        assert_eq!(value("rows[O_i@16].value"), Ok(2.0));
        let error = value("terms[o_t].total_us").unwrap_err();
        assert!(error.help.to_string().contains("o_s"), "{error}");
        assert!(value("nothing").unwrap_err().message.contains("no number"));
        assert!(value("term").is_err());
    }
}
