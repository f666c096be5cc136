//! What is run: a GOAL file, or an algorithm's schedule.

use crate::cli::{Generated, Simulate};
use crate::source;
use loggia_model::{Error, Signature};
use loggia_simulate::collective;
use loggia_simulate::program::{Made, Program};

/// From a GOAL file.
pub(super) fn from_file(path: &str, args: &Simulate) -> Result<Program, Error> {
    let bytes = source::schedule(path)?;
    let mut program = Program::from_goal(path, &bytes)?;
    drop(bytes);
    let ranks = program.schedule.ranks();
    program.nodes = args.placement.nodes(ranks)?;
    Ok(program)
}

/// From an algorithm. Combining costs what the option says, or else the signature.
pub(super) fn generated(
    args: &Simulate,
    signature: Option<&Signature>,
) -> Result<Option<Program>, Error> {
    let Generated { op: Some(op), algorithm: Some(name), procs: Some(procs), .. } = &args.generated
    else {
        return Ok(None);
    };
    let algorithm = collective::named(*op, name)?;
    let Generated { bytes, root, segment, compute, .. } = args.generated;
    let made = Made::new(algorithm, *procs, bytes)?.from(root, segment);
    let made = made.combining(compute, signature);
    let nodes = args.placement.nodes(procs.0)?;
    made.program(nodes).map(Some)
}
