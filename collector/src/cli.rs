//! Every verb and option, its help and its examples. Completions and the man page come from here.

mod collect;
mod refusal;
mod replay;
mod words;

pub(crate) use collect::{Collect, Ranks, TransportKind, Validate};
pub(crate) use refusal::refused;
pub(crate) use replay::{Calls, Replay, Trace};
pub(crate) use words::OpOrComposition;

use clap::{Args, Parser, Subcommand};
use loggia_model::model::Model;
use loggia_model::signature::{BytesAre, Defaults, Operation, ProgressKind, Transfer};
use loggia_model::simulate::Rules;
use loggia_model::state::View;
use loggia_model::units::{Bytes, Count, Micros, MicrosPerByte, Procs};
use std::path::PathBuf;
use words::{
    assumption, bytes_are, handshake, model, operation, operation_or_composition, progress,
    protocol, rules, view,
};

/// What will this message pattern cost on that machine?
///
/// SIG is a built-in name (`loggia list`), a file, a Loggia link, or - for standard input.
#[derive(Parser)]
#[command(
    name = "loggia",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  loggia list
  loggia predict p2p cray-t3d --bytes 10KB
  loggia predict collective cray-t3d --op alltoall --procs 64 --bytes 512
  loggia choose ap3000-mpi --op allgather --procs 8 --bytes 64
  loggia metrics ap3000-mpi --op bcast
  loggia link cray-t3d --view p2p --set bytes=64KiB --set L=5us

Times are in µs; give them as 2500ns, 3.1us or 1ms (a bare number is µs).
Sizes are in bytes; give them as 512, 64KiB (binary) or 1M (SI, 10^6)."
)]
pub(crate) struct Cli {
    /// Print one JSON object instead of text; errors too
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// List the built-in signatures: the machines of the papers
    #[command(after_help = "Examples:\n  loggia list\n  loggia list --json")]
    List,
    /// Show a signature: what is known, how surely, and by whom
    #[command(after_help = "Examples:
  loggia show cray-t3d
  loggia show cray-t3d --json > mine.json    (a signature file: edit it, load it)
  loggia show mine.json --set L=5us --json")]
    Show(OfSignature),
    /// Predict a time
    #[command(subcommand, arg_required_else_help = true)]
    Predict(Predict),
    /// Sum up a machine: n_1/2, r_inf, pi_s, aggregated and peak forms, g/G, overlap potential
    #[command(after_help = "Examples:
  loggia metrics ap3000-mpi --style bsend
  loggia metrics ap3000-mpi --op bcast
  loggia metrics cray-t3d --op alltoall --procs 64
  loggia metrics myrinet-gm")]
    Metrics(Metrics),
    /// Rank everything that does an operation, with the sizes and process counts where it changes
    #[command(after_help = "Examples:
  loggia choose ap3000-mpi --op reduce_scatter --procs 8 --bytes 480000
  loggia choose ap3000-mpi --op allgather --procs 8 --bytes 64
  loggia choose ibm-sp2 --op allgather --procs 32 --bytes 1KiB --bytes-are per_rank")]
    Choose(Choose),
    /// Put machines side by side: who is the fastest, and where that changes
    #[command(after_help = "Examples:
  loggia compare cray-t3d now-sparc convex-exemplar
  loggia compare ibm-sp2 intel-paragon --op scatter --procs 8 --bytes 64KiB
  loggia compare cray-t3d ibm-sp2 intel-paragon --procs 64")]
    Compare(Compare),
    /// The papers' figures, drawn again from their tables, with what was concluded
    #[command(after_help = "Examples:
  loggia figure
  loggia figure hwang-3 --at 8
  loggia figure tourino-2 --json
  loggia figure hwang-5 mine.json        (your machine beside theirs)

--at is where on the figure's horizontal axis values are told: bytes or processes.")]
    Figure(OfFigure),
    /// Run a schedule of sends, receives and computation, by exact rules
    #[command(after_help = "Examples:
  loggia simulate --op bcast --algorithm binomial --procs 1024 --bytes 1 cray-t3d
  loggia simulate --op barrier --algorithm dissemination --procs 64 \\
         --L 2500ns --o 1500ns --g 1000ns --G 6ns --S 65535 --sensitivity
  loggia simulate --op allreduce --algorithm ring --procs 16 --bytes 1MiB cray-t3d \\
         --curve L=0..20us --critical-path
  loggia simulate program.goal cray-t3d --rules loggp --timeline program.json
  loggia simulate --op alltoall --algorithm pairwise --procs 8 --bytes 1KiB cray-t3d \\
         --write-goal alltoall.goal

SCHEDULE is a GOAL file, text or binary. The machine is a signature or single numbers.
--timeline writes the Chrome trace format: open it in Perfetto (ui.perfetto.dev).
Without --rules, the richest that the signature allows; with single numbers, loggops,
which are exactly LogGOPSim's.")]
    Simulate(Box<Simulate>),
    /// Measure this machine: a signature with intervals, verdicts and the samples behind them
    #[command(after_help = "Examples:
  mpirun -n 2 loggia collect -o sig.json
  mpirun -n 16 loggia collect -o sig.json --thorough
  srun -N 2 -n 2 loggia collect -o sig.json --max-time 5min
  loggia collect -o threads.json --transport threads --quick
  loggia collect -o link.json --transport tcp --listen 0.0.0.0:7479     (on one host)
  loggia collect -o - --transport tcp --connect host1:7479              (on the other)
  loggia collect -o t3d.json --transport synthetic --from cray-t3d --noise 5%

The file is saved after every measurement; SIGTERM ends a run without loss, and --resume
goes on with it. Ranks that are not measured sleep.")]
    Collect(Box<Collect>),
    /// Measure again what a signature was not fitted to, and print how far each model is off
    #[command(after_help = "Examples:
  mpirun -n 2 loggia validate sig.json
  loggia validate threads.json --transport threads --json")]
    Validate(Box<Validate>),
    /// Record what an MPI program calls, and when: it runs as it is, with a library preloaded
    #[command(after_help = "Examples:
  loggia trace -- mpirun -n 4 ./app
  loggia trace -o run-16 -- srun -n 16 ./app input.txt
  loggia trace -o again --overwrite -- mpirun -n 4 python3 app.py

The folder has a file a rank, and an index; what was recorded before a crash can be read.
Open MPI and MPICH, and what is compatible with them; C, Fortran, and what calls those.")]
    Trace(Trace),
    /// List the calls of a trace: rank, when (µs), how long (µs), what
    #[command(after_help = "Examples:
  loggia calls loggia-trace --rank 0
  loggia calls loggia-trace --json")]
    Calls(Calls),
    /// Predict what a traced program would take on a machine
    #[command(after_help = "Examples:
  loggia replay loggia-trace mine.json
  loggia replay loggia-trace cray-t3d --rules loggp --split --critical-path
  loggia replay loggia-trace mine.json --scale-latency 0.5 --scale-bandwidth 2
  loggia replay loggia-trace mine.json --progress icp --eager-limit 64KiB
  loggia replay loggia-trace mine.json --nodes block:2 --scale-compute 0.8
  loggia replay run-2 run-4 run-8 mine.json --compare loggp,loggpo

The computation between calls is taken from the trace, what the calls take from the machine.")]
    Replay(Box<Replay>),
    /// Make a link that holds a signature, a view and its inputs
    #[command(after_help = "Examples:
  loggia link cray-t3d
  loggia link cray-t3d --view collectives --set op=alltoall --set procs=64
  loggia link mine.json --set bytes=64KiB --set L=5us --page https://example.org/loggia/

--set takes the view's inputs (bytes, procs, op, model, tier, style, protocol)
and the signature's parameters (see `loggia help show`).")]
    Link(Link),
    /// Write the explorer page as one file, which opens from disk and holds signatures and view
    #[command(after_help = "Examples:
  loggia page cray-t3d -o t3d.html
  loggia page mine.json --view protocols --set bytes=64KiB -o mine.html

--set takes what `loggia link` takes. Unlike a link, the file keeps all that a signature holds, the
measured samples, too. It asks the network for nothing.")]
    Page(OneFile),
    /// Print what a link holds, as JSON
    #[command(after_help = "Example:\n  loggia open \"$(loggia link cray-t3d)\"")]
    Open {
        /// A Loggia link: a whole address, or the part from #2. on
        link: String,
    },
    /// Serve the explorer page on this machine only
    #[command(after_help = "Examples:\n  loggia serve --open\n  loggia serve cray-t3d --port 8000")]
    Serve(Serve),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  loggia completions bash > ~/.local/share/bash-completion/completions/loggia"
    )]
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    #[command(after_help = "Example:\n  loggia man > loggia.1 && man ./loggia.1")]
    Man,
}

#[derive(Subcommand)]
pub(crate) enum Predict {
    /// The time of one message
    #[command(after_help = "Examples:
  loggia predict p2p cray-t3d --bytes 10KB
  loggia predict p2p cray-t3d --bytes 64KiB --style issend --model logp
  loggia predict p2p convex-exemplar --bytes 1KiB --tier intra-hypernode
  loggia predict p2p ap3000-mpi --bytes 1M --style bsend
  loggia predict p2p cray-t3d --bytes 1M --set G=20ns     (what if?)

Without --model, the richest model whose parameters the signature reports.")]
    P2p(P2p),
    /// When sender and receiver are done under T, TA, RTA or RAT
    #[command(after_help = "Examples:
  loggia predict protocol cray-t3d --protocol rat --bytes 10KB
  loggia predict protocol now-sparc --protocol ta --bytes 16 --json   (with the timeline)")]
    Protocol(Protocol),
    /// The time of a collective operation
    #[command(after_help = "Examples:
  loggia predict collective cray-t3d --op alltoall --procs 64 --bytes 512
  loggia predict collective ibm-sp2 --op barrier --procs 32
  loggia predict collective ap3000-mpi --op reduce_scatter --procs 2 --bytes 480000 \\
         --algorithm reduce+scatter
  loggia predict collective ap3000-mpi --op reduce+scatter --procs 2 --bytes 480000
  loggia predict collective cray-t3d --op allreduce --procs 64 --bytes 1KiB --algorithm ring
  loggia predict collective cray-t3d --op bcast --procs 48 --bytes 64KiB --algorithm best

What --bytes counts depends on the operation and on who fitted it: the answer says it, and
--bytes-are sets it.")]
    Collective(Collective),
    /// What each side pays for one message that overlaps with computation (LogGPO)
    #[command(after_help = "Examples:
  loggia predict overlap mine.json --bytes 1M --send-compute 2ms --recv-compute 2ms
  loggia predict overlap cray-t3d --bytes 64KiB --recv-at 500us \\
         --set S=4KiB --set O_control=2us --set O_i=5us --set O_c=5us \\
         --set progress=dependent --set transfer=rat")]
    Overlap(Overlap),
    /// Many messages: one by one, overlapped, pipelined, packed
    #[command(after_help = "Examples:
  loggia predict messages myrinet-gm --count 1000 --bytes 8 --compute 5us
  loggia predict messages cray-t3d --count 100 --bytes 64 --set g=2us")]
    Messages(Messages),
}

/// A signature, with parameters set by hand.
#[derive(Args)]
pub(crate) struct OfSignature {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    #[command(flatten)]
    pub(crate) assume: Assume,
}

#[derive(Args)]
pub(crate) struct Assume {
    /// Assume a parameter: [tier.][style.]symbol=value, or =none
    ///
    /// Symbols: L, g, G, EEL, o_s, o_r, t_s, t_b, S, O_control (O'), O_i, O_c, progress, transfer.
    /// Overheads are a time, or points: o_s=16:30us,10KB:130us.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assumption)]
    pub(crate) set: Vec<(String, String)>,
}

#[derive(Args)]
pub(crate) struct Way {
    /// Tier, such as network or intra-hypernode [default: the signature's first]
    #[arg(long)]
    pub(crate) tier: Option<String>,
    /// Style of sending: send, isend, ssend, issend, … [default: the tier's first]
    #[arg(long)]
    pub(crate) style: Option<String>,
}

impl Way {
    /// Of which tier and style `--set` speaks.
    pub(crate) fn defaults(&self) -> Defaults<'_> {
        Defaults { tier: self.tier.as_deref(), style: self.style.as_deref() }
    }
}

#[derive(Args)]
pub(crate) struct P2p {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// Size of the message
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Model [default: the richest possible]
    #[arg(long, value_parser = model())]
    pub(crate) model: Option<Model>,
    #[command(flatten)]
    pub(crate) way: Way,
}

#[derive(Args)]
pub(crate) struct Protocol {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// Which protocol
    #[arg(long, value_parser = protocol())]
    pub(crate) protocol: Transfer,
    /// Size of the message
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    #[command(flatten)]
    pub(crate) way: Way,
}

#[derive(Args)]
pub(crate) struct Collective {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Operation, or a composition such as reduce+scatter
    #[arg(long, value_parser = operation_or_composition())]
    pub(crate) op: OpOrComposition,
    /// Number of processes
    #[arg(long, value_name = "P")]
    pub(crate) procs: Procs,
    /// Size of the message; a barrier needs none
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Option<Bytes>,
    /// What --bytes counts [default: as the signature's form does]
    #[arg(long, value_name = "WHAT", value_parser = bytes_are())]
    pub(crate) bytes_are: Option<BytesAre>,
    /// formula, best, an algorithm such as binomial, or a composition such as gather+bcast
    /// [default: formula]
    #[arg(long, value_name = "HOW")]
    pub(crate) algorithm: Option<String>,
    /// For algorithms, which ranks share a node: block:8 (8 to a node), cyclic:4, or 0,0,1,1
    #[arg(long, value_name = "WHERE")]
    pub(crate) nodes: Option<String>,
    /// For algorithms, the time to combine a byte (t_c) [default: as the signature reports]
    #[arg(long, value_name = "TIME")]
    pub(crate) compute: Option<MicrosPerByte>,
    #[command(flatten)]
    pub(crate) way: Way,
    #[command(flatten)]
    pub(crate) assume: Assume,
}

#[derive(Args)]
pub(crate) struct Overlap {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// Size of the message
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// When MPI_Isend is called (T_s)
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) send_at: Micros,
    /// When MPI_Irecv is called (T_r)
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) recv_at: Micros,
    /// Computation between MPI_Isend and its MPI_Wait
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) send_compute: Micros,
    /// Computation between MPI_Irecv and its MPI_Wait
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) recv_compute: Micros,
    /// Progress instead of the signature's
    #[arg(long, value_parser = progress())]
    pub(crate) progress: Option<ProgressKind>,
    /// Transfer above the eager limit instead of the signature's
    #[arg(long, value_parser = handshake())]
    pub(crate) transfer: Option<Transfer>,
    #[command(flatten)]
    pub(crate) way: Way,
}

#[derive(Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// How many messages
    #[arg(long, value_name = "N")]
    pub(crate) count: Count,
    /// Size of each
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Computation for each
    #[arg(long, value_name = "TIME", default_value = "0")]
    pub(crate) compute: Micros,
    /// Messages under way at once [default: the deepest queue reported]
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    #[command(flatten)]
    pub(crate) way: Way,
}

#[derive(Args)]
pub(crate) struct Metrics {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// A collective operation's metrics instead of one message's
    #[arg(long, value_parser = operation(), conflicts_with_all = ["tier", "style", "set"])]
    pub(crate) op: Option<Operation>,
    /// Number of processes [default: the most that the form was fitted to]
    #[arg(long, value_name = "P", requires = "op")]
    pub(crate) procs: Option<Procs>,
    /// Model of one message [default: the richest possible]
    #[arg(long, value_parser = model(), conflicts_with = "op")]
    pub(crate) model: Option<Model>,
    #[command(flatten)]
    pub(crate) way: Way,
}

#[derive(Args)]
pub(crate) struct Choose {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Operation
    #[arg(long, value_parser = operation())]
    pub(crate) op: Operation,
    /// Number of processes
    #[arg(long, value_name = "P")]
    pub(crate) procs: Procs,
    /// Size of the message
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// What --bytes counts [default: as the signature's form does]
    #[arg(long, value_name = "WHAT", value_parser = bytes_are())]
    pub(crate) bytes_are: Option<BytesAre>,
}

#[derive(Args)]
pub(crate) struct Compare {
    /// Built-in names, files, links, or - for standard input; ratios are to the first
    #[arg(value_name = "SIG", num_args = 2..=64, required = true)]
    pub(crate) sigs: Vec<String>,
    /// A collective operation [default: all that any of them reports]
    #[arg(long, value_parser = operation(), requires = "procs")]
    pub(crate) op: Option<Operation>,
    /// Number of processes; without it only messages are compared
    #[arg(long, value_name = "P")]
    pub(crate) procs: Option<Procs>,
    /// Size of the message
    #[arg(long, value_name = "SIZE", default_value = "1KiB")]
    pub(crate) bytes: Bytes,
}

#[derive(Args)]
pub(crate) struct OfFigure {
    /// Its name; without one, all are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Machines beside the paper's: built-in names, files, or links
    #[arg(value_name = "SIG", requires = "name")]
    pub(crate) sigs: Vec<String>,
    /// Where on the horizontal axis values are told [default: 1 KiB, or 8 processes]
    #[arg(long, value_name = "SIZE")]
    pub(crate) at: Option<Bytes>,
}

#[derive(Args)]
pub(crate) struct Simulate {
    /// A GOAL file, unless --op is given; then a built-in name, a file, or a link
    #[arg(value_name = "SCHEDULE SIG", num_args = 0..=2)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) generated: Generated,
    #[command(flatten)]
    pub(crate) numbers: Numbers,
    /// Rules [default: the richest possible; loggops with single numbers]
    #[arg(long, value_parser = rules())]
    pub(crate) rules: Option<Rules>,
    /// Which ranks share a node: block:8 (8 to a node), cyclic:4 (over 4 nodes), or 0,0,1,1
    #[arg(long, value_name = "WHERE")]
    pub(crate) nodes: Option<String>,
    #[command(flatten)]
    pub(crate) way: Way,
    #[command(flatten)]
    pub(crate) assume: Assume,
    /// How much later it ends for each bit that L, o, O', g or G grows
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// What leads to the end, and what it is made of
    #[arg(long)]
    pub(crate) critical_path: bool,
    /// Where the time of each rank goes
    #[arg(long)]
    pub(crate) split: bool,
    /// The exact end over a range of L or G, such as L=0..20us
    #[arg(long, value_name = "RANGE")]
    pub(crate) curve: Option<String>,
    /// Write what every processor does, when, in the Chrome trace format
    #[arg(long, value_name = "FILE")]
    pub(crate) timeline: Option<PathBuf>,
    /// Write the schedule as GOAL: binary if the name ends in .bin, else text
    #[arg(long, value_name = "FILE")]
    pub(crate) write_goal: Option<PathBuf>,
}

/// A schedule from an algorithm.
#[derive(Args)]
pub(crate) struct Generated {
    /// A collective operation instead of a file
    #[arg(long, value_parser = operation(), requires_all = ["procs", "algorithm"])]
    pub(crate) op: Option<Operation>,
    /// Its algorithm
    #[arg(long, value_name = "NAME", requires = "op")]
    pub(crate) algorithm: Option<String>,
    /// Number of processes
    #[arg(long, value_name = "P", requires = "op")]
    pub(crate) procs: Option<Procs>,
    /// Size: of each pair's block, of each rank's, or of the vector, as the answer says
    #[arg(long, value_name = "SIZE", requires = "op", default_value = "1")]
    pub(crate) bytes: Bytes,
    /// The root of a broadcast, gather, scatter or reduction
    #[arg(long, value_name = "RANK", requires = "op", default_value_t = 0)]
    pub(crate) root: u32,
    /// Size of a pipeline's segments
    #[arg(long, value_name = "SIZE", requires = "op")]
    pub(crate) segment: Option<Bytes>,
    /// Time to combine a byte in a reduction (t_c) [default: as the signature reports, or none]
    #[arg(long, value_name = "TIME", requires = "op")]
    pub(crate) compute: Option<MicrosPerByte>,
}

/// A machine by single numbers.
#[derive(Args)]
pub(crate) struct Numbers {
    /// Latency
    #[arg(long = "L", value_name = "TIME")]
    pub(crate) latency: Option<Micros>,
    /// Overhead of a send and of a receive
    #[arg(long = "o", value_name = "TIME")]
    pub(crate) overhead: Option<Micros>,
    /// Gap between messages
    #[arg(long = "g", value_name = "TIME")]
    pub(crate) gap: Option<Micros>,
    /// Gap a byte
    #[arg(long = "G", value_name = "TIME")]
    pub(crate) gap_per_byte: Option<MicrosPerByte>,
    /// Overhead a byte
    #[arg(long = "O", value_name = "TIME")]
    pub(crate) overhead_per_byte: Option<MicrosPerByte>,
    /// Eager limit [default: everything is eager]
    #[arg(long = "S", value_name = "SIZE")]
    pub(crate) eager_limit: Option<Bytes>,
}

/// What the page is to show.
#[derive(Args)]
pub(crate) struct Shown {
    /// Signatures: built-in names, files, links, or - for standard input
    #[arg(required = true)]
    pub(crate) sig: Vec<String>,
    /// The view to open
    #[arg(long, value_parser = view())]
    pub(crate) view: Option<View>,
    /// Set an input of the view or a parameter of the first signature
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assumption)]
    pub(crate) set: Vec<(String, String)>,
}

#[derive(Args)]
pub(crate) struct OneFile {
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// The file to write, such as t3d.html
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args)]
pub(crate) struct Link {
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// The address of a hosted page, to make a whole link
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
}

#[derive(Args)]
pub(crate) struct Serve {
    /// Signatures to load; without any, the page's own choice
    pub(crate) sig: Vec<String>,
    /// Port on 127.0.0.1 [default: 7478, or a free one]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Open it in the browser
    #[arg(long)]
    pub(crate) open: bool,
}

#[cfg(test)]
mod tests {
    use super::refusal::in_our_words;
    use super::*;
    use clap::CommandFactory;
    use loggia_model::Error;

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    fn refusal(words: &str) -> Error {
        match Cli::try_parse_from(words.split(' ')) {
            Ok(_) => Error::new("accepted", "", ""),
            Err(error) => in_our_words(&error),
        }
    }

    #[test]
    fn a_refusal_is_what_where_and_what_to_do() {
        let error = refusal("loggia predict p2p x --bytes lots");
        assert_eq!(error.message, "`lots` is not a size");
        assert_eq!(error.place, "--bytes");
        assert!(error.help.contains("64KiB"));

        let error = refusal("loggia predict p2p x --byte 1");
        assert!(error.message.contains("--byte"), "{error}");
        assert!(error.help.contains("--bytes"), "{error}");

        let error = refusal("loggia predict p2p x");
        assert!(error.message.contains("--bytes <SIZE>"), "{error}");
        assert_eq!(error.place, "--bytes");

        let error = refusal("loggia metrics x --op bcst");
        assert!(error.help.contains("bcast"), "{error}");
        for text in [&error.message, &error.help] {
            assert!(!text.contains('\n'), "{text:?}");
        }
    }

    #[test]
    fn the_papers_names_of_operations_are_accepted() {
        for op in ["broadcast", "total-exchange", "MPI_Alltoall", "Scan", "reduce+scatter"] {
            let words = ["loggia", "predict", "collective", "x", "--procs", "2", "--op", op];
            assert!(Cli::try_parse_from(words).is_ok(), "{op}");
        }
    }
}
