//! In which order a rank does things: what its next operation waits for.

use loggia_schedule::schedule::OpId;
use loggia_schedule::stream::Write;

/// What the next operation of a rank waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing.
    Nothing,
    /// That this has begun.
    Begun(OpId),
    /// That this is done.
    Done(OpId),
}

impl Before {
    /// Lets an operation wait for that.
    #[inline]
    pub fn link(self, out: &mut (impl Write + ?Sized), op: OpId) {
        match self {
            Before::Nothing => {}
            Before::Begun(earlier) => out.after_start(op, earlier),
            Before::Done(earlier) => out.after(op, earlier),
        }
    }
}
