//! Lines of collective operations.

use super::{
    Collective, Comm, Fields, LineContent, LineError, LineMistake, Operation, Parts,
    ReductionOperator,
};

/// Reduction operators in the order of their numbers in a trace, from 1.
const COMBINES: [ReductionOperator; 12] = [
    ReductionOperator::Min,
    ReductionOperator::Max,
    ReductionOperator::Sum,
    ReductionOperator::Prod,
    ReductionOperator::Land,
    ReductionOperator::Band,
    ReductionOperator::Lor,
    ReductionOperator::Bor,
    ReductionOperator::Lxor,
    ReductionOperator::Bxor,
    ReductionOperator::Minloc,
    ReductionOperator::Maxloc,
];

/// Number of arguments of a call, and number of arrays with an element per rank among them.
fn arguments(op: Operation) -> (usize, usize) {
    match op {
        Operation::Gatherv | Operation::Scatterv => (9, 2),
        Operation::Allgatherv => (8, 2),
        Operation::Alltoallv => (9, 4),
        Operation::ReduceScatter => (6, 1),
        _ => (0, 0),
    }
}

/// Bytes of the send or the receive buffer of a call.
#[derive(Clone, Copy)]
struct BufferCount {
    bytes: u64,
    /// `MPI_IN_PLACE`: the other fields of this side are meaningless.
    in_place: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn collective(
        &mut self,
        op: Operation,
        waits: bool,
    ) -> Result<LineContent<'a>, LineError> {
        let has_lists = self.has_lists(op, waits);
        let mut call = self.arguments(op, has_lists)?;
        if op.reduces() {
            call.combine = Some(self.combine()?);
        }
        if op.has_root() {
            call.root = u32::try_from(self.integer("a root")?).ok();
        }
        call.comm = self.comm()?;
        if !waits {
            call.request = Some(self.request()?);
        }
        self.check(&call)?;
        let is_enough = has_lists || !matches!(op, Operation::Alltoallv | Operation::ReduceScatter);
        Ok(if is_enough { LineContent::Collective(call) } else { LineContent::Other })
    }

    /// Whether the line has the arrays' elements and not only their addresses.
    fn has_lists(&self, op: Operation, waits: bool) -> bool {
        let (arguments, lists) = arguments(op);
        let colons = self.line.bytes.iter().filter(|byte| **byte == b':').count();
        lists > 0 && colons >= 2 + arguments + lists + usize::from(!waits)
    }

    /// The arguments before the operator or the root.
    fn arguments(&mut self, op: Operation, has_lists: bool) -> Result<Collective<'a>, LineError> {
        let comm = Comm { handle: 0, rank: 0, size: 1 };
        let none = Parts::default();
        let mut call = Collective {
            op,
            comm,
            root: None,
            bytes: 0,
            sends: none,
            receives: none,
            combine: None,
            request: None,
        };
        match op {
            // liballprof records no neighbourhood collectives.
            Operation::Barrier
            | Operation::NeighborAllgather
            | Operation::NeighborAllgatherv
            | Operation::NeighborAlltoall
            | Operation::NeighborAlltoallv
            | Operation::NeighborAlltoallw => {}
            Operation::Bcast => {
                self.skip(1)?;
                call.bytes = self.bytes()?;
            }
            Operation::Gather | Operation::Allgather | Operation::Alltoall => {
                let (send, recv) = (self.side()?, self.side()?);
                call.bytes = if send.in_place { recv.bytes } else { send.bytes };
            }
            Operation::Scatter => {
                let (send, recv) = (self.side()?, self.side()?);
                call.bytes = if recv.in_place { send.bytes } else { recv.bytes };
            }
            Operation::Gatherv | Operation::Allgatherv => {
                let send = self.side()?;
                call.bytes = if send.in_place { 0 } else { send.bytes };
                call.receives = self.parts(true, has_lists)?.0;
            }
            Operation::Scatterv => {
                call.sends = self.parts(true, has_lists)?.0;
                let recv = self.side()?;
                call.bytes = if recv.in_place { 0 } else { recv.bytes };
            }
            Operation::Alltoallv | Operation::Alltoallw => {
                let (sends, in_place) = self.parts(true, has_lists)?;
                call.receives = self.parts(true, has_lists)?.0;
                call.sends = if in_place { call.receives } else { sends };
            }
            Operation::ReduceScatter => {
                self.skip(1)?;
                call.receives = self.parts(false, has_lists)?.0;
            }
            Operation::Reduce
            | Operation::Allreduce
            | Operation::ReduceScatterBlock
            | Operation::Scan
            | Operation::Exscan => {
                self.skip(2)?;
                call.bytes = self.bytes()?;
            }
        }
        Ok(call)
    }

    fn side(&mut self) -> Result<BufferCount, LineError> {
        let in_place = self.buffer()?;
        Ok(BufferCount { bytes: self.bytes()?, in_place })
    }

    /// Whether the buffer is `MPI_IN_PLACE`, which is 1 in Open MPI and −1 in MPICH.
    fn buffer(&mut self) -> Result<bool, LineError> {
        Ok(matches!(self.address("a buffer")?, 1 | u64::MAX))
    }

    /// A buffer of parts of different sizes, and whether it is `MPI_IN_PLACE`.
    fn parts(&mut self, has_places: bool, has_lists: bool) -> Result<(Parts<'a>, bool), LineError> {
        let in_place = self.buffer()?;
        let counts = self.list(has_lists)?;
        let places = if has_places { self.list(has_lists)? } else { &[] };
        Ok((Parts { counts, places, size: self.size()? }, in_place))
    }

    /// An array: its address, then its elements.
    fn list(&mut self, has_lists: bool) -> Result<&'a [u8], LineError> {
        self.skip(1)?;
        if !has_lists {
            return Ok(&[]);
        }
        let expected = "a number for each rank";
        let list = self.take(expected)?;
        match list.split(|byte| *byte == b',').all(|number| super::text::signed(number).is_some()) {
            true => Ok(list),
            false => Err(self.wrong(LineMistake::unexpected(list, expected))),
        }
    }

    fn combine(&mut self) -> Result<ReductionOperator, LineError> {
        let number = self.address("an operation")?;
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        Ok(place.and_then(|place| COMBINES.get(place)).copied().unwrap_or(ReductionOperator::Own))
    }

    /// Checks that root and lists fit the communicator.
    fn check(&self, call: &Collective) -> Result<(), LineError> {
        let size = call.comm.size;
        if let Some(root) = call.root.filter(|root| *root >= size) {
            return Err(self.wrong(LineMistake::RootOutsideComm { root, size }));
        }
        for parts in [call.sends, call.receives] {
            for list in [parts.counts, parts.places].into_iter().filter(|list| !list.is_empty()) {
                let numbers = 1 + list.iter().filter(|byte| **byte == b',').count();
                if numbers as u64 != u64::from(size) {
                    return Err(self.wrong(LineMistake::ListLength { numbers, size }));
                }
            }
        }
        Ok(())
    }
}
