//! The order of a rank's operations: the dependency of the next operation.

use loggia_schedule::schedule::OpId;
use loggia_schedule::stream::OperationSink;

/// The dependency of a rank's next operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    Nothing,
    /// The start of this operation.
    Begun(OpId),
    /// The end of this operation.
    Done(OpId),
}

impl Before {
    /// Adds this dependency to an operation.
    #[inline]
    pub fn link(self, out: &mut (impl OperationSink + ?Sized), op: OpId) {
        match self {
            Before::Nothing => {}
            Before::Begun(earlier) => out.after_start(op, earlier),
            Before::Done(earlier) => out.after(op, earlier),
        }
    }
}
