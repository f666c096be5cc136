//! `loggia predict`

use super::signature::{Assume, RouteArgs, SignatureArgs};
use super::values::{
    OpOrComposition, bytes_are, handshake, model, operation_or_composition, progress, protocol,
};
use clap::{Args, Subcommand};
use loggia_model::model::Model;
use loggia_model::signature::{BytesAre, ProgressKind, Transfer};
use loggia_model::units::{Bytes, Count, Micros, MicrosPerByte, Procs};

#[derive(Subcommand)]
pub(crate) enum Predict {
    /// Predict the time of one message
    #[command(after_help = "Examples:
  loggia predict p2p cray-t3d --bytes 10KB
  loggia predict p2p cray-t3d --bytes 64KiB --style issend --model logp
  loggia predict p2p convex-exemplar --bytes 1KiB --tier intra-hypernode
  loggia predict p2p ap3000-mpi --bytes 1M --style bsend
  loggia predict p2p cray-t3d --bytes 1M --set G=20ns     (with another G)
  loggia predict p2p cray-t3d --bytes 1M --pairs 16 --set R_N=100MB/s
                                                          (16 ranks share a network card)

Without --model, the answer is the measured time if there is one, otherwise that of the richest
model whose parameters are known.")]
    P2p(P2p),
    /// Predict when sender and receiver complete under protocol T, TA, RTA or RAT
    #[command(after_help = "Examples:
  loggia predict protocol cray-t3d --protocol rat --bytes 10KB
  loggia predict protocol now-sparc --protocol ta --bytes 16 --json   (with the timeline)")]
    Protocol(Protocol),
    /// Predict the time of a collective operation
    #[command(after_help = "Examples:
  loggia predict collective cray-t3d --op alltoall --procs 64 --bytes 512
  loggia predict collective ibm-sp2 --op barrier --procs 32
  loggia predict collective ap3000-mpi --op reduce_scatter --procs 2 --bytes 480000 \\
         --algorithm reduce+scatter
  loggia predict collective ap3000-mpi --op reduce+scatter --procs 2 --bytes 480000
  loggia predict collective cray-t3d --op allreduce --procs 64 --bytes 1KiB --algorithm ring
  loggia predict collective cray-t3d --op bcast --procs 48 --bytes 64KiB --algorithm best

What --bytes counts depends on the operation and its formula: the output names it, and --bytes-are
sets it.")]
    Collective(Collective),
    /// Predict the overheads of a message that overlaps with computation (LogGPO)
    #[command(after_help = "Examples:
  loggia predict overlap mine.json --bytes 1M --send-compute 2ms --recv-compute 2ms
  loggia predict overlap cray-t3d --bytes 64KiB --recv-at 500us \\
         --set S=4KiB --set O_control=2us --set O_i=5us --set O_c=5us \\
         --set progress=dependent --set transfer=rat")]
    Overlap(Overlap),
    /// Predict the time of many messages: one by one, overlapped, pipelined, packed
    #[command(after_help = "Examples:
  loggia predict messages myrinet-gm --count 1000 --bytes 8 --compute 5us
  loggia predict messages cray-t3d --count 100 --bytes 64 --set g=2us")]
    Messages(Messages),
}

#[derive(Args)]
pub(crate) struct P2p {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Set the message size
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Set the model [default: the measured time, otherwise the richest possible model]
    #[arg(long, value_parser = model())]
    pub(crate) model: Option<Model>,
    /// Set how many pairs of ranks on the same two nodes exchange at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub(crate) pairs: Option<u32>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}

#[derive(Args)]
pub(crate) struct Protocol {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Set the protocol
    #[arg(long, value_parser = protocol())]
    pub(crate) protocol: Transfer,
    /// Set the message size
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}

#[derive(Args)]
pub(crate) struct Collective {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Set the operation, or a composition such as reduce+scatter
    #[arg(long, value_parser = operation_or_composition())]
    pub(crate) op: OpOrComposition,
    /// Set the number of ranks
    #[arg(long, value_name = "P")]
    pub(crate) procs: Procs,
    /// Set the message size; not needed for a barrier
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Option<Bytes>,
    /// Set what --bytes counts [default: as in the closed form of the machine]
    #[arg(long, value_name = "WHAT", value_parser = bytes_are())]
    pub(crate) bytes_are: Option<BytesAre>,
    /// Set the method: closed-form, best, an algorithm such as binomial, or a composition such as
    /// gather+bcast [default: the measured time, otherwise closed-form, otherwise best]
    #[arg(long, value_name = "HOW")]
    pub(crate) algorithm: Option<String>,
    /// Place ranks on nodes, for algorithms: block:8 (8 per node), cyclic:4, or 0,0,1,1
    #[arg(long, value_name = "WHERE")]
    pub(crate) nodes: Option<String>,
    /// Set the reduction operator's time per byte (t_c), for algorithms [default: the signature's]
    #[arg(long, value_name = "TIME")]
    pub(crate) compute: Option<MicrosPerByte>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    #[command(flatten)]
    pub(crate) assume: Assume,
}

#[derive(Args)]
pub(crate) struct Overlap {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Set the message size
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Set when MPI_Isend is called (T_s)
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) send_at: Micros,
    /// Set when MPI_Irecv is called (T_r)
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) recv_at: Micros,
    /// Set the computation between MPI_Isend and its MPI_Wait
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) send_compute: Micros,
    /// Set the computation between MPI_Irecv and its MPI_Wait
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) recv_compute: Micros,
    /// Set the progress mode [default: the signature's]
    #[arg(long, value_parser = progress())]
    pub(crate) progress: Option<ProgressKind>,
    /// Set the protocol above the eager limit [default: the signature's]
    #[arg(long, value_parser = handshake())]
    pub(crate) transfer: Option<Transfer>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}

#[derive(Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Set the number of messages
    #[arg(long, value_name = "N")]
    pub(crate) count: Count,
    /// Set the size of each message
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Set the computation per message
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) compute: Micros,
    /// Set the number of messages in flight [default: the deepest known queue]
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}
