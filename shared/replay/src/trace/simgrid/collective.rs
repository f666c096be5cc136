//! Lines of collective operations.

use super::action::{CollectiveAction, LineContext, Tokens};
use crate::trace::error::{LineError, LineMistake};
use loggia_trace::call::Operation;

impl Tokens<'_> {
    /// Parses the arguments of a collective operation.
    pub(super) fn collective(
        &mut self,
        op: Operation,
        of: LineContext,
    ) -> Result<CollectiveAction, LineError> {
        let (sends, receives) = (Vec::new(), Vec::new());
        let mut call = CollectiveAction { op, root: None, bytes: 0, sends, receives, compute: 0.0 };
        match op {
            Operation::Barrier => {}
            Operation::Bcast => {
                let count = self.amount("a count")?;
                call.root = Some(self.root(of)?);
                call.bytes = self.sized(count, of)?;
            }
            Operation::Reduce | Operation::Allreduce | Operation::Scan | Operation::Exscan => {
                let count = self.amount("a count")?;
                call.compute = self.compute()?;
                if op.has_root() {
                    call.root = Some(self.root(of)?);
                }
                call.bytes = self.sized(count, of)?;
            }
            Operation::ReduceScatter => {
                let counts = self.counts(of)?;
                call.compute = self.compute()?;
                let size = self.size(of.default)?;
                call.receives = self.parts(&counts, size)?;
            }
            Operation::Alltoallv => self.alltoallv(&mut call, of)?,
            Operation::Gatherv | Operation::Scatterv => self.rooted_parts(&mut call, of)?,
            Operation::Allgatherv => self.allgatherv(&mut call, of)?,
            _ => self.equal_parts(&mut call, of)?,
        }
        Ok(call)
    }

    /// Parts of the same size: sent count, received count, root, two datatypes.
    fn equal_parts(
        &mut self,
        call: &mut CollectiveAction,
        of: LineContext,
    ) -> Result<(), LineError> {
        let (sent, received) = (self.amount("a count")?, self.amount("a count")?);
        if call.op.has_root() {
            call.root = Some(self.root(of)?);
        }
        let (send_size, recv_size) = (self.size(of.default)?, self.size(of.default)?);
        call.bytes = match call.op {
            Operation::Scatter => self.bytes(received, recv_size)?,
            _ => self.bytes(sent, send_size)?,
        };
        Ok(())
    }

    fn rooted_parts(
        &mut self,
        call: &mut CollectiveAction,
        of: LineContext,
    ) -> Result<(), LineError> {
        let is_gather = call.op == Operation::Gatherv;
        let (own, counts) = match is_gather {
            true => (self.amount("a count")?, self.counts(of)?),
            false => {
                let counts = self.counts(of)?;
                (self.amount("a count")?, counts)
            }
        };
        let root = self.root(of)?;
        call.root = Some(root);
        let (send_size, recv_size) = (self.size(of.default)?, self.size(of.default)?);
        let (own_size, size) =
            if is_gather { (send_size, recv_size) } else { (recv_size, send_size) };
        call.bytes = self.bytes(own, own_size)?;
        if root == of.rank {
            let parts = self.parts(&counts, size)?;
            *(if is_gather { &mut call.receives } else { &mut call.sends }) = parts;
        }
        Ok(())
    }

    /// A datatype, displacements or both may follow; the number of fields decides.
    fn allgatherv(
        &mut self,
        call: &mut CollectiveAction,
        of: LineContext,
    ) -> Result<(), LineError> {
        let own = self.amount("a count")?;
        let counts = self.counts(of)?;
        let left = self.left();
        let is_typed = left > of.ranks as usize || matches!(left, 1 | 2);
        let size = if is_typed { self.size(of.default)? } else { of.default };
        call.bytes = self.bytes(own, size)?;
        call.receives = self.parts(&counts, size)?;
        Ok(())
    }

    fn alltoallv(&mut self, call: &mut CollectiveAction, of: LineContext) -> Result<(), LineError> {
        self.amount("the size of a buffer")?;
        let sends = self.counts(of)?;
        self.amount("the size of a buffer")?;
        let receives = self.counts(of)?;
        let (send_size, recv_size) = (self.size(of.default)?, self.size(of.default)?);
        call.sends = self.parts(&sends, send_size)?;
        call.receives = self.parts(&receives, recv_size)?;
        Ok(())
    }

    /// In ns at one operation per µs.
    fn compute(&mut self) -> Result<f64, LineError> {
        Ok(1e3 * self.amount("a number of operations")?)
    }

    /// Rank 0 by default.
    fn root(&mut self, of: LineContext) -> Result<u32, LineError> {
        if self.left() == 0 {
            return Ok(0);
        }
        let root = self.integer("a root")?;
        u32::try_from(root)
            .ok()
            .filter(|root| *root < of.ranks)
            .ok_or_else(|| self.wrong(LineMistake::RootOutside { root, ranks: of.ranks }))
    }

    fn sized(&mut self, count: f64, of: LineContext) -> Result<u64, LineError> {
        let size = self.size(of.default)?;
        self.bytes(count, size)
    }

    /// A count for each rank.
    fn counts(&mut self, of: LineContext) -> Result<Vec<f64>, LineError> {
        (0..of.ranks).map(|_| self.amount("a count for each rank")).collect()
    }

    fn parts(&self, counts: &[f64], size: u64) -> Result<Vec<u64>, LineError> {
        counts.iter().map(|count| self.bytes(*count, size)).collect()
    }
}
