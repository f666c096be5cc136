//! MPI functions by the format of their lines.

use loggia_trace::call::{Completion, Mode, OneSided, Operation};

/// When a send or a receive returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// When its buffer can be reused.
    Done,
    /// At once, with a request.
    Begun,
    /// At once, with an inactive persistent request.
    Prepared,
}

/// How a communicator is created from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CreationKind {
    /// With the same ranks in the same order.
    Same,
    /// By colour and key.
    Split,
    /// By a call whose line does not record the members.
    Unknown,
}

/// The meaning of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Init,
    Finalize,
    Send(Mode, Returns),
    Recv(Returns),
    Sendrecv,
    SendrecvReplace,
    Start,
    Startall,
    /// Of one request.
    CompleteOne(Completion),
    /// Of an array of requests.
    CompleteMany(Completion),
    Release,
    Cancel,
    Probe,
    Iprobe,
    /// The flag is true for blocking calls.
    Collective(Operation, bool),
    Make(CreationKind),
    CommFree,
    Phase,
    WindowNew,
    WindowFree,
    Fence,
    OneSided(OneSided),
    /// Queries the communicator in its first argument.
    CommQuery,
    /// No communication.
    Local,
    /// Communication that cannot be replayed.
    Other,
}

impl Function {
    /// The function with this name, without `MPI_`.
    pub(super) fn named(name: &[u8]) -> Function {
        let Some(function) = point_to_point(name).or_else(|| communicators(name)) else {
            return match collective(name) {
                Some((op, waits)) => Function::Collective(op, waits),
                None if is_local(name) => Function::Local,
                None => Function::Other,
            };
        };
        function
    }
}

fn point_to_point(name: &[u8]) -> Option<Function> {
    use Completion::{Test, Testall, Testany, Testsome, Wait, Waitall, Waitany, Waitsome};
    use Function::{CompleteMany, CompleteOne, Recv, Send};
    use Mode::{Buffered, Ready, Standard, Synchronous};
    use Returns::{Begun, Done, Prepared};
    Some(match name {
        b"Isend" => Send(Standard, Begun),
        b"Irecv" => Recv(Begun),
        b"Wait" => CompleteOne(Wait),
        b"Waitall" => CompleteMany(Waitall),
        b"Send" => Send(Standard, Done),
        b"Recv" => Recv(Done),
        b"Sendrecv" => Function::Sendrecv,
        b"Test" => CompleteOne(Test),
        b"Testall" => CompleteMany(Testall),
        b"Testany" => CompleteMany(Testany),
        b"Testsome" => CompleteMany(Testsome),
        b"Waitany" => CompleteMany(Waitany),
        b"Waitsome" => CompleteMany(Waitsome),
        b"Iprobe" => Function::Iprobe,
        b"Probe" => Function::Probe,
        b"Start" => Function::Start,
        b"Startall" => Function::Startall,
        b"Send_init" => Send(Standard, Prepared),
        b"Recv_init" => Recv(Prepared),
        b"Bsend" => Send(Buffered, Done),
        b"Ssend" => Send(Synchronous, Done),
        b"Rsend" => Send(Ready, Done),
        b"Ibsend" => Send(Buffered, Begun),
        b"Issend" => Send(Synchronous, Begun),
        b"Irsend" => Send(Ready, Begun),
        b"Bsend_init" => Send(Buffered, Prepared),
        b"Ssend_init" => Send(Synchronous, Prepared),
        b"Rsend_init" => Send(Ready, Prepared),
        b"Sendrecv_replace" => Function::SendrecvReplace,
        b"Request_free" => Function::Release,
        b"Cancel" => Function::Cancel,
        _ => return None,
    })
}

fn communicators(name: &[u8]) -> Option<Function> {
    use Function::Make;
    Some(match name {
        b"Comm_rank"
        | b"Comm_size"
        | b"Comm_group"
        | b"Comm_set_name"
        | b"Comm_get_name"
        | b"Cart_coords"
        | b"Cart_get"
        | b"Cart_map"
        | b"Cart_rank"
        | b"Cart_shift"
        | b"Cartdim_get"
        | b"Graph_get"
        | b"Graph_map"
        | b"Graph_neighbors"
        | b"Graph_neighbors_count"
        | b"Graphdims_get"
        | b"Topo_test" => Function::CommQuery,
        b"Comm_split" => Make(CreationKind::Split),
        b"Comm_dup" | b"Comm_dup_with_info" => Make(CreationKind::Same),
        b"Comm_create"
        | b"Comm_create_group"
        | b"Comm_split_type"
        | b"Cart_create"
        | b"Cart_sub"
        | b"Graph_create"
        | b"Dist_graph_create"
        | b"Dist_graph_create_adjacent" => Make(CreationKind::Unknown),
        b"Comm_free" => Function::CommFree,
        b"Init" | b"Init_thread" => Function::Init,
        b"Finalize" => Function::Finalize,
        b"Pcontrol" => Function::Phase,
        b"Win_create" => Function::WindowNew,
        b"Win_free" => Function::WindowFree,
        b"Win_fence" => Function::Fence,
        b"Put" => Function::OneSided(OneSided::Put),
        b"Get" => Function::OneSided(OneSided::Get),
        b"Accumulate" => Function::OneSided(OneSided::Accumulate),
        _ => return None,
    })
}

/// The operation, and whether the call is blocking.
fn collective(name: &[u8]) -> Option<(Operation, bool)> {
    let op = match name {
        b"Barrier" | b"Ibarrier" => Operation::Barrier,
        b"Bcast" | b"Ibcast" => Operation::Bcast,
        b"Gather" | b"Igather" => Operation::Gather,
        b"Gatherv" | b"Igatherv" => Operation::Gatherv,
        b"Scatter" | b"Iscatter" => Operation::Scatter,
        b"Scatterv" | b"Iscatterv" => Operation::Scatterv,
        b"Allgather" | b"Iallgather" => Operation::Allgather,
        b"Allgatherv" | b"Iallgatherv" => Operation::Allgatherv,
        b"Alltoall" | b"Ialltoall" => Operation::Alltoall,
        b"Alltoallv" | b"Ialltoallv" => Operation::Alltoallv,
        b"Reduce" | b"Ireduce" => Operation::Reduce,
        b"Allreduce" | b"Iallreduce" => Operation::Allreduce,
        b"Reduce_scatter" | b"Ireduce_scatter" => Operation::ReduceScatter,
        b"Reduce_scatter_block" | b"Ireduce_scatter_block" => Operation::ReduceScatterBlock,
        b"Scan" | b"Iscan" => Operation::Scan,
        b"Exscan" | b"Iexscan" => Operation::Exscan,
        _ => return None,
    };
    Some((op, name[0] != b'I'))
}

/// Whether a function does not communicate, so that its time counts as computation.
fn is_local(name: &[u8]) -> bool {
    const BEGINS: [&[u8]; 13] = [
        b"Type_",
        b"Group_",
        b"Info_",
        b"Get_",
        b"Attr_",
        b"Errhandler_",
        b"Error_",
        b"Op_",
        b"Keyval_",
        b"Add_error_",
        b"Status_",
        b"Pack",
        b"Unpack",
    ];
    const PARTS: [&[u8]; 6] =
        [b"_attr", b"_name", b"_errhandler", b"_keyval", b"_group", b"_compare"];
    const NAMES: [&[u8]; 22] = [
        b"Wtime",
        b"Wtick",
        b"Initialized",
        b"Finalized",
        b"Address",
        b"Aint_add",
        b"Aint_diff",
        b"Alloc_mem",
        b"Free_mem",
        b"Buffer_attach",
        b"Buffer_detach",
        b"Comm_test_inter",
        b"Comm_remote_size",
        b"Comm_get_parent",
        b"Comm_get_info",
        b"Comm_set_info",
        b"Comm_test_threads",
        b"Dims_create",
        b"Is_thread_main",
        b"Query_thread",
        b"Request_get_status",
        b"Test_cancelled",
    ];
    let is_comm_or_window = name.starts_with(b"Comm_") || name.starts_with(b"Win_");
    name != b"Get_accumulate" && BEGINS.iter().any(|begin| name.starts_with(begin))
        || NAMES.contains(&name)
        || is_comm_or_window
            && name != b"Comm_create_group"
            && PARTS.iter().any(|part| name.windows(part.len()).any(|window| window == *part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_classified_by_name() {
        for name in ["Comm_get_attr", "Win_set_name", "Type_commit", "Wtime", "Get_count"] {
            assert_eq!(Function::named(name.as_bytes()), Function::Local, "{name}");
        }
        for name in ["File_open", "Get_accumulate", "Win_lock", "Comm_spawn", "Alltoallw", "", "x"]
        {
            assert_eq!(Function::named(name.as_bytes()), Function::Other, "{name}");
        }
        let same = Function::named(b"Iallreduce");
        assert_eq!(same, Function::Collective(Operation::Allreduce, false));
        assert_eq!(Function::named(b"Comm_create_group"), Function::Make(CreationKind::Unknown));
    }
}
