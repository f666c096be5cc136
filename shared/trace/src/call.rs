//! What a rank called.

use crate::varint;

/// The communicator of all ranks.
pub const WORLD: u32 = 0;
/// The communicator of the rank alone.
pub const ALONE: u32 = 1;
/// Any tag, as a receive's.
pub const ANY_TAG: u32 = u32::MAX;

/// Who is at the other end, counted in the call's communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Nobody: `MPI_PROC_NULL`.
    Nobody,
    /// Whoever comes first: `MPI_ANY_SOURCE`.
    Any,
    /// This rank.
    Rank(u32),
}

/// What is sent to whom, or received from whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The other rank.
    pub peer: Peer,
    /// Its tag; [`ANY_TAG`] in a receive that takes any.
    pub tag: u32,
    /// How many bytes; of a receive that has not ended, how many it has room for.
    pub bytes: u64,
    /// In which communicator.
    pub comm: u32,
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `MPI_Send`
    #[default]
    Standard,
    /// `MPI_Bsend`
    Buffered,
    /// `MPI_Ssend`
    Synchronous,
    /// `MPI_Rsend`
    Ready,
}

/// Which message a receive that took any has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// From whom, counted in the receive's communicator.
    pub source: u32,
    /// With which tag.
    pub tag: u32,
    /// How many bytes.
    pub bytes: u64,
}

/// A request that has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Which.
    pub request: u32,
    /// Of a receive that took any source or any tag: what it took.
    pub met: Option<Met>,
}

/// What completes requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are MPI's")]
pub enum Completion {
    Wait,
    Waitall,
    Waitany,
    Waitsome,
    Test,
    Testall,
    Testany,
    Testsome,
}

impl Completion {
    /// All of them, by number.
    pub const ALL: [Completion; 8] = [
        Completion::Wait,
        Completion::Waitall,
        Completion::Waitany,
        Completion::Waitsome,
        Completion::Test,
        Completion::Testall,
        Completion::Testany,
        Completion::Testsome,
    ];
}

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are MPI's")]
pub enum Operation {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
}

impl Operation {
    /// All of them, by number.
    pub const ALL: [Operation; 17] = [
        Operation::Barrier,
        Operation::Bcast,
        Operation::Gather,
        Operation::Gatherv,
        Operation::Scatter,
        Operation::Scatterv,
        Operation::Allgather,
        Operation::Allgatherv,
        Operation::Alltoall,
        Operation::Alltoallv,
        Operation::Alltoallw,
        Operation::Reduce,
        Operation::Allreduce,
        Operation::ReduceScatter,
        Operation::ReduceScatterBlock,
        Operation::Scan,
        Operation::Exscan,
    ];

    /// Whether it begins or ends at a root.
    pub fn has_root(self) -> bool {
        matches!(
            self,
            Operation::Bcast
                | Operation::Gather
                | Operation::Gatherv
                | Operation::Scatter
                | Operation::Scatterv
                | Operation::Reduce
        )
    }

    /// Whether it combines.
    pub fn reduces(self) -> bool {
        matches!(
            self,
            Operation::Reduce
                | Operation::Allreduce
                | Operation::ReduceScatter
                | Operation::ReduceScatterBlock
                | Operation::Scan
                | Operation::Exscan
        )
    }
}

/// By what a reduction combines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are MPI's")]
pub enum Combine {
    /// One that the program has made.
    #[default]
    Own,
    Max,
    Min,
    Sum,
    Prod,
    Land,
    Band,
    Lor,
    Bor,
    Lxor,
    Bxor,
    Minloc,
    Maxloc,
    Replace,
    NoOp,
}

impl Combine {
    /// All of them, by number.
    pub const ALL: [Combine; 15] = [
        Combine::Own,
        Combine::Max,
        Combine::Min,
        Combine::Sum,
        Combine::Prod,
        Combine::Land,
        Combine::Band,
        Combine::Lor,
        Combine::Bor,
        Combine::Lxor,
        Combine::Bxor,
        Combine::Minloc,
        Combine::Maxloc,
        Combine::Replace,
        Combine::NoOp,
    ];
}

/// Numbers, one after the other, still as they stand in the file.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct List<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) count: usize,
}

impl<'a> List<'a> {
    /// Numbers as they stand in a file; their bytes are kept in `bytes`.
    pub fn new(bytes: &'a mut Vec<u8>, numbers: impl IntoIterator<Item = u64>) -> Self {
        bytes.clear();
        let mut count = 0;
        for number in numbers {
            varint::put(bytes, number);
            count += 1;
        }
        List { bytes, count }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = u64> + use<'a> {
        let (bytes, mut at) = (self.bytes, 0);
        (0..self.count).map_while(move |_| varint::take(bytes, &mut at))
    }

    /// Their sum.
    pub fn sum(&self) -> u64 {
        self.iter().fold(0, u64::saturating_add)
    }
}

impl std::fmt::Debug for List<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// Requests that have come to their end, still as they stand in the file.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Dones<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) count: usize,
}

impl<'a> Dones<'a> {
    /// Requests as they stand in a file; their bytes are kept in `bytes`.
    pub fn new(bytes: &'a mut Vec<u8>, done: impl IntoIterator<Item = Done>) -> Self {
        bytes.clear();
        let mut count = 0;
        for done in done {
            done.put(bytes);
            count += 1;
        }
        Dones { bytes, count }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Done> + use<'a> {
        let (bytes, mut at) = (self.bytes, 0);
        (0..self.count).map_while(move |_| Done::take(bytes, &mut at))
    }
}

impl std::fmt::Debug for Dones<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl Done {
    /// The request, doubled, and one more where a receive took any; then what it took.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        varint::put(out, u64::from(self.request) << 1 | u64::from(self.met.is_some()));
        if let Some(Met { source, tag, bytes }) = self.met {
            varint::put(out, u64::from(source));
            varint::put(out, u64::from(tag));
            varint::put(out, bytes);
        }
    }

    #[inline]
    pub(crate) fn take(bytes: &[u8], at: &mut usize) -> Option<Self> {
        let number = varint::take(bytes, at)?;
        let request = u32::try_from(number >> 1).ok()?;
        let mut next = || varint::take(bytes, at);
        let met = match number & 1 {
            0 => None,
            _ => Some(Met {
                source: u32::try_from(next()?).ok()?,
                tag: u32::try_from(next()?).ok()?,
                bytes: next()?,
            }),
        };
        Some(Done { request, met })
    }
}

/// A collective call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective<'a> {
    /// What.
    pub op: Operation,
    /// Among whom.
    pub comm: u32,
    /// Where it begins or ends.
    pub root: Option<u32>,
    /// The vector, or one rank's part of it, or what one rank has for one other; where the parts
    /// differ, this rank's own.
    pub bytes: u64,
    /// Where the parts differ: bytes sent to each rank, if this rank knows them.
    pub sends: List<'a>,
    /// Where the parts differ: bytes received from each rank, if this rank knows them.
    pub receives: List<'a>,
    /// Where what is sent to each rank lies, as the call says; none if it lies end to end.
    pub send_places: List<'a>,
    /// Where what is received from each rank is put, as the call says; none if end to end.
    pub receive_places: List<'a>,
    /// By what it combines.
    pub combine: Option<Combine>,
    /// Its request, where the call does not wait.
    pub request: Option<u32>,
}

impl Collective<'_> {
    /// One in which all parts are as long.
    pub fn new(op: Operation, comm: u32, bytes: u64) -> Self {
        let none = List::default();
        Collective {
            op,
            comm,
            root: None,
            bytes,
            sends: none,
            receives: none,
            send_places: none,
            receive_places: none,
            combine: None,
            request: None,
        }
    }
}

/// A transfer into or out of another rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OneSided {
    /// `MPI_Put`
    Put,
    /// `MPI_Get`
    Get,
    /// `MPI_Accumulate`
    Accumulate,
}

impl OneSided {
    /// All of them, by number.
    pub const ALL: [OneSided; 3] = [OneSided::Put, OneSided::Get, OneSided::Accumulate];
}

/// What a rank called. Ranks are counted in the call's communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call<'a> {
    /// A send that waits until its buffer is free.
    Send(Mode, Envelope),
    /// A receive that waits; what it asked for stands beside what it got.
    Recv {
        /// What came.
        got: Envelope,
        /// Whether it would have taken any source.
        any_source: bool,
        /// Whether it would have taken any tag.
        any_tag: bool,
    },
    /// Both at once.
    Sendrecv {
        /// What is sent.
        send: Envelope,
        /// What came.
        got: Envelope,
        /// Whether the receive would have taken any source.
        any_source: bool,
        /// Whether the receive would have taken any tag.
        any_tag: bool,
    },
    /// A send that does not wait, and its request.
    Isend(Mode, Envelope, u32),
    /// A receive that does not wait, and its request.
    Irecv(Envelope, u32),
    /// A send that can be started many times, and its request.
    SendInit(Mode, Envelope, u32),
    /// A receive that can be started many times, and its request.
    RecvInit(Envelope, u32),
    /// Starts such requests.
    Start(List<'a>),
    /// Waits for requests, or asks for them.
    Complete {
        /// How.
        how: Completion,
        /// How many were asked for.
        asked: u32,
        /// Those that have come to their end.
        done: Dones<'a>,
    },
    /// Gives a request up: it comes to its end by itself.
    Release(u32),
    /// Takes a request back.
    Cancel(u32),
    /// Waits until a message can be received, or asks whether one can.
    Probe {
        /// What could.
        met: Envelope,
        /// Whether it would have taken any source.
        any_source: bool,
        /// Whether it would have taken any tag.
        any_tag: bool,
        /// Whether it waits for it.
        waits: bool,
    },
    /// So many calls, one directly after the other, that asked for something that was not there yet.
    Polls(u64),
    /// A collective operation.
    Collective(Collective<'a>),
    /// A communicator is made.
    CommNew {
        /// Its number on this rank.
        comm: u32,
        /// Out of which.
        parent: u32,
        /// What all its ranks call it.
        name: u64,
        /// This rank's number in it.
        rank: u32,
        /// How many ranks it has.
        size: u32,
    },
    /// A communicator is given up.
    CommFree(u32),
    /// Memory is opened to the ranks of a communicator.
    WindowNew {
        /// Its number on this rank.
        window: u32,
        /// To whom.
        comm: u32,
        /// How much.
        bytes: u64,
    },
    /// It is closed.
    WindowFree(u32),
    /// A transfer into or out of another rank's memory.
    OneSided {
        /// Which way.
        how: OneSided,
        /// In which window.
        window: u32,
        /// Whose memory.
        peer: Peer,
        /// How much.
        bytes: u64,
    },
    /// All transfers of a window come to their end.
    Fence(u32),
    /// A call that communicates and that Loggia cannot replay, by its number in the list of names.
    Other(u32),
    /// What the number of such a call means.
    Named {
        /// The number.
        other: u32,
        /// The name.
        name: &'a str,
    },
    /// The program marks a phase: `MPI_Pcontrol`.
    Phase(i64),
    /// The program has reached `MPI_Finalize`.
    Finalize,
}

/// Names of all kinds of calls, without `MPI_`, by [`Call::kind`].
pub const KINDS: [&str; 76] = [
    "Send",
    "Bsend",
    "Ssend",
    "Rsend",
    "Isend",
    "Ibsend",
    "Issend",
    "Irsend",
    "Send_init",
    "Bsend_init",
    "Ssend_init",
    "Rsend_init",
    "Recv",
    "Sendrecv",
    "Irecv",
    "Recv_init",
    "Start",
    "Startall",
    "Wait",
    "Waitall",
    "Waitany",
    "Waitsome",
    "Test",
    "Testall",
    "Testany",
    "Testsome",
    "Request_free",
    "Cancel",
    "Probe",
    "Iprobe",
    "tests in vain",
    "Barrier",
    "Bcast",
    "Gather",
    "Gatherv",
    "Scatter",
    "Scatterv",
    "Allgather",
    "Allgatherv",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Reduce",
    "Allreduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Exscan",
    "Ibarrier",
    "Ibcast",
    "Igather",
    "Igatherv",
    "Iscatter",
    "Iscatterv",
    "Iallgather",
    "Iallgatherv",
    "Ialltoall",
    "Ialltoallv",
    "Ialltoallw",
    "Ireduce",
    "Iallreduce",
    "Ireduce_scatter",
    "Ireduce_scatter_block",
    "Iscan",
    "Iexscan",
    "making a communicator",
    "Comm_free",
    "making a window",
    "Win_free",
    "Put",
    "Get",
    "Accumulate",
    "Win_fence",
    "calls not replayed",
    "Pcontrol",
    "Finalize",
];

impl Call<'_> {
    /// Which of [`KINDS`] it is.
    pub fn kind(&self) -> u8 {
        match self {
            Call::Send(mode, _) => *mode as u8,
            Call::Isend(mode, ..) => 4 + *mode as u8,
            Call::SendInit(mode, ..) => 8 + *mode as u8,
            Call::Recv { .. } => 12,
            Call::Sendrecv { .. } => 13,
            Call::Irecv(..) => 14,
            Call::RecvInit(..) => 15,
            Call::Start(list) => 16 + u8::from(list.len() != 1),
            Call::Complete { how, .. } => 18 + *how as u8,
            Call::Release(_) => 26,
            Call::Cancel(_) => 27,
            Call::Probe { waits, .. } => 29 - u8::from(*waits),
            Call::Polls(_) => 30,
            Call::Collective(Collective { op, request: None, .. }) => 31 + *op as u8,
            Call::Collective(Collective { op, .. }) => 48 + *op as u8,
            Call::CommNew { .. } => 65,
            Call::CommFree(_) => 66,
            Call::WindowNew { .. } => 67,
            Call::WindowFree(_) => 68,
            Call::OneSided { how, .. } => 69 + *how as u8,
            Call::Fence(_) => 72,
            Call::Other(_) | Call::Named { .. } => 73,
            Call::Phase(_) => 74,
            Call::Finalize => 75,
        }
    }

    /// MPI's name without `MPI_`.
    pub fn name(&self) -> &'static str {
        KINDS[usize::from(self.kind())]
    }
}

impl Mode {
    /// All of them, by number.
    pub const ALL: [Mode; 4] = [Mode::Standard, Mode::Buffered, Mode::Synchronous, Mode::Ready];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_names_of_their_calls() {
        let envelope = Envelope { peer: Peer::Any, tag: 0, bytes: 0, comm: WORLD };
        let collective =
            |op, request| Call::Collective(Collective { request, ..Collective::new(op, WORLD, 0) });
        let done = Dones::default();
        let named = [
            (Call::Send(Mode::Ready, envelope), "Rsend"),
            (Call::Isend(Mode::Buffered, envelope, 0), "Ibsend"),
            (Call::SendInit(Mode::Standard, envelope, 0), "Send_init"),
            (Call::Complete { how: Completion::Wait, asked: 1, done }, "Wait"),
            (Call::Complete { how: Completion::Testsome, asked: 1, done }, "Testsome"),
            (Call::Probe { met: envelope, any_source: true, any_tag: true, waits: true }, "Probe"),
            (collective(Operation::Barrier, None), "Barrier"),
            (collective(Operation::Exscan, None), "Exscan"),
            (collective(Operation::Barrier, Some(1)), "Ibarrier"),
            (collective(Operation::Exscan, Some(1)), "Iexscan"),
            (Call::Fence(0), "Win_fence"),
            (Call::Finalize, "Finalize"),
        ];
        for (call, name) in named {
            assert_eq!(call.name(), name);
        }
    }
}
