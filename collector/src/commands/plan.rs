//! `loggia plan SKETCH SIG…`

mod text;

use crate::cli::Plan as Args;
use crate::report::{Failure, Output};
use crate::source::{load, text as text_of};
use loggia_model::plan::answer::{Ask, Plan};
use loggia_model::plan::sketch::Sketch;
use loggia_model::{Error, Signature};
use serde::Serialize;

/// A sketch on one machine or several.
#[derive(Serialize)]
struct Said {
    sketch: String,
    plans: Vec<Plan>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let name = if args.sketch == "-" { "standard input" } else { &args.sketch };
    let sketch = Sketch::read(&text_of(&args.sketch)?).map_err(|error| error.in_file(name))?;
    let procs = args.procs()?;
    let machines: Vec<Signature> =
        args.sigs.iter().map(|sig| load(sig)).collect::<Result<_, _>>()?;
    let plan = |machine: &Signature| -> Result<Plan, Error> {
        let ask = Ask {
            sketch: &sketch,
            machine,
            tier: args.tier.as_deref(),
            style: args.style.as_deref(),
            rules: args.rules,
            ranks_per_node: args.ranks_per_node,
            open: &[],
            simulated: args.simulate,
        };
        // What is wrong with a formula stands in the sketch.
        ask.over(&procs).map_err(|error| match error.place.parse::<u32>() {
            Ok(_) => error.in_file(name),
            Err(_) => error,
        })
    };
    let plans = machines.iter().map(plan).collect::<Result<_, _>>()?;
    let said = Said { sketch: sketch.name.clone().unwrap_or_else(|| name.to_owned()), plans };
    output.answer(&said, || text::of(&said, args.steps))
}
