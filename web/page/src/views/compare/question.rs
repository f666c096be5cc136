//! The question that all machines answer.

use loggia_model::model::composition::Question;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Procs};
use loggia_model::{Error, Signature};

/// A question of an operation; a barrier carries no bytes.
pub(super) fn collective_question(
    machines: &[&Signature],
    op: Operation,
    procs: Procs,
    bytes: Bytes,
) -> Result<Question, Error> {
    let bytes = if op == Operation::Barrier { Bytes(0) } else { bytes };
    Question::of(machines[0], op, procs, bytes, None)
}
