//! `loggia plan SKETCH SIG…`

mod text;

use crate::cli::Plan as Args;
use crate::report::{Failure, Output};
use crate::source::{load_with, text as text_of};
use loggia_model::plan::answer::{Ask, Plan};
use loggia_model::plan::fit::{self, Fitted};
use loggia_model::plan::sketch::Sketch;
use loggia_model::{Error, Signature};
use serde::Serialize;

/// A sketch on one machine or several.
#[derive(Serialize)]
struct Said {
    sketch: String,
    /// What was fitted on each machine, if that was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fitted: Vec<Fitted>,
    plans: Vec<Plan>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let name = if args.sketch == "-" { "standard input" } else { &args.sketch };
    let sketch = read(args, name)?;
    let procs = args.procs()?;
    let machine = |sig: &String| load_with(sig, args.way.defaults(), &args.assume.set);
    let machines: Vec<Signature> = args.sigs.iter().map(machine).collect::<Result<_, _>>()?;
    let runs = match &args.fit {
        Some(path) => Some(fit::read(&text_of(path)?).map_err(|error| error.in_file(path))?),
        None => None,
    };
    // What is wrong with a formula stands in the sketch.
    let placed = |error: Error| match error.place.starts_with(|c: char| c.is_ascii_digit()) {
        true => error.in_file(name),
        false => error,
    };
    let (mut fitted, mut plans) = (Vec::new(), Vec::new());
    for machine in &machines {
        let ask = Ask {
            tier: args.way.tier.as_deref(),
            style: args.way.style.as_deref(),
            rules: args.rules,
            ranks_per_node: args.ranks_per_node,
            simulated: args.simulate,
            what_if: args.changed.what_if(),
            ..Ask::of(&sketch, machine)
        };
        let found = runs.as_ref().map(|runs| ask.fit(runs)).transpose().map_err(placed)?;
        let open = found.as_ref().map(Fitted::open).unwrap_or_default();
        plans.push(Ask { open: &open, ..ask }.over(&procs).map_err(placed)?);
        fitted.extend(found);
    }
    let sketch = sketch.name.clone().unwrap_or_else(|| name.to_owned());
    let said = Said { sketch, fitted, plans };
    output.answer(&said, || text::of(&said, args.steps))
}

/// The sketch, with the constants that the command line says. What it says wrongly is not in the file.
fn read(args: &Args, name: &str) -> Result<Sketch, Error> {
    Sketch::read_with(&text_of(&args.sketch)?, &args.lets).map_err(|error| {
        match error.place.starts_with("--") {
            true => error,
            false => error.in_file(name),
        }
    })
}
