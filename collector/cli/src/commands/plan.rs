//! `loggia plan SKETCH SIG…`

mod sweep;
mod tasks;
mod text;

use crate::cli::Plan as Args;
use crate::report::{Failure, Output, remark, with_options};
use crate::source::{load_with, text as text_of};
use loggia_collect::atomic_file::write_whole;
use loggia_model::error::Place;
use loggia_model::{Error, Signature};
use loggia_plan::fit::{self, FittedSketch, MeasuredRun};
use loggia_plan::plan::Plan;
use loggia_plan::sketch::{Sketch, schema};
use loggia_plan::study::{Case, Study};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Serialize)]
struct Report {
    sketch: String,
    /// The fitted constants of each machine, with --fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fitted: Vec<FittedSketch>,
    plans: Vec<PlannedOn>,
    #[serde(rename = "untold", skip_serializing_if = "Vec::is_empty")]
    failed: Vec<FailedPlan>,
    /// The names of the swept parameters, in the given order.
    #[serde(skip)]
    swept: Vec<String>,
}

#[derive(Serialize)]
struct PlannedOn {
    /// The index of the machine.
    #[serde(skip)]
    machine: usize,
    /// The values of the swept parameters.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    with: BTreeMap<String, String>,
    #[serde(flatten)]
    plan: Plan,
}

#[derive(Serialize)]
struct FailedPlan {
    machine: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    with: BTreeMap<String, String>,
    #[serde(serialize_with = "loggia_model::error::in_words")]
    error: Error,
}

struct PlanRequest {
    /// The file of the sketch.
    place: String,
    name: String,
    study: Study,
    fitted: Vec<FittedSketch>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if args.schema {
        return output.text(&schema::json());
    }
    // Only rank 0 reports.
    let Some((report, checkpoint)) = tasks::report(args, output.is_json())? else { return Ok(()) };
    match &args.sweeps.output {
        None if args.sweeps.csv => {
            output.writer().write_all(sweep::csv(&report).as_bytes())?;
            let remarks = sweep::remarks_of(&report);
            if !remarks.is_empty() {
                remark(remarks.trim_end());
            }
        }
        None => output.print(&report, || text(&report, args))?,
        Some(path) => {
            let is_csv = args.sweeps.csv || path.extension().is_some_and(|name| name == "csv");
            write_whole(path, |file| match is_csv {
                true => file.write_all(sweep::csv(&report).as_bytes()),
                false => {
                    serde_json::to_writer_pretty(&mut *file, &report)?;
                    writeln!(file)
                }
            })?;
            let (plans, file) = (report.plans.len(), path.display());
            let is_one = if plans == 1 { "plan is" } else { "plans are" };
            output.text(&format!("{plans} {is_one} in {file}\n{}", sweep::remarks_of(&report)))?;
        }
    }
    checkpoint.into_iter().for_each(crate::tasks::Checkpoint::remove);
    Ok(())
}

fn text(report: &Report, args: &Args) -> String {
    match report.swept.is_empty() {
        true => text::of(report, args.steps),
        false => sweep::text(report),
    }
}

impl PlanRequest {
    /// Reads all inputs and checks the request.
    fn of(args: &Args) -> Result<Self, Error> {
        refuse_swept_options(args)?;
        let file = args.sketch.as_deref().unwrap_or("-");
        let place = if file == "-" { "standard input" } else { file }.to_owned();
        let text = text_of(file)?;
        let sketch =
            Sketch::read_with(&text, &args.lets).map_err(|error| placed(error.into(), &place))?;
        let machine = |sig: &String| load_with(sig, args.route.defaults(), &args.assume.set);
        let machines: Vec<Signature> = args.sigs.iter().map(machine).collect::<Result<_, _>>()?;
        let mut study = Study {
            sketch: text,
            lets: args.lets.clone(),
            machines,
            procs: args.procs()?,
            tier: args.route.tier.clone(),
            style: args.route.style.clone(),
            rules: args.rules,
            ranks_per_node: args.ranks_per_node,
            simulated: args.simulate,
            what_if: args.changed.what_if(),
            sweeps: args.sweeps.sweep.clone(),
            open: Vec::new(),
        };
        study.check().map_err(|error| placed(error, &place))?;
        let mut fitted = Vec::new();
        if let Some(path) = &args.fit {
            let runs: Vec<MeasuredRun> =
                fit::read(&text_of(path)?).map_err(|error| Error::from(error).in_file(path))?;
            for machine in 0..study.machines.len() {
                let found = study.fit(machine, &runs).map_err(|error| placed(error, &place))?;
                study.open.push(found.open());
                fitted.push(found);
            }
        }
        Ok(PlanRequest { name: sketch.name.unwrap_or_else(|| place.clone()), place, study, fitted })
    }

    /// The report, from the plans of all tasks in order.
    fn report(
        self,
        answers: impl IntoIterator<Item = Result<Plan, Error>>,
    ) -> Result<Report, Error> {
        let PlanRequest { place, name, study, fitted } = self;
        let (mut plans, mut failed) = (Vec::new(), Vec::new());
        for (at, answer) in answers.into_iter().enumerate() {
            let Case { machine, with } = study.case(at);
            let with: BTreeMap<String, String> =
                with.iter().map(|(sweep, value)| (sweep.name.clone(), (*value).into())).collect();
            match answer {
                Ok(plan) => plans.push(PlannedOn { machine, with, plan }),
                Err(error) => failed.push(FailedPlan {
                    machine: study.machines[machine].name.clone(),
                    with,
                    error: with_options(&placed(error, &place)),
                }),
            }
        }
        if plans.is_empty() && !failed.is_empty() {
            return Err(failed.swap_remove(0).error);
        }
        let swept = study.sweeps.into_iter().map(|sweep| sweep.name).collect();
        Ok(Report { sketch: name, fitted, plans, failed, swept })
    }
}

/// Refuses a parameter that is both set by an option and swept.
fn refuse_swept_options(args: &Args) -> Result<(), Error> {
    let is_swept = |name: &&str| args.sweeps.sweep.iter().any(|sweep| sweep.name == *name);
    match args.changed.given().find(is_swept) {
        None => Ok(()),
        Some(name) => Err(Error::new(
            format!("{name} is both set and swept"),
            format!("--{name}"),
            format!("omit --{name}, or its --sweep"),
        )),
    }
}

/// Adds the sketch's file name to an error in the sketch, but not to one in an option.
fn placed(error: Error, sketch: &str) -> Error {
    match error.place {
        Place::Text(..) => error.in_file(sketch),
        _ => error,
    }
}
