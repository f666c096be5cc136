//! The verbs, their help and their examples. Completions and the manual page are generated from them.
//!
//! The options of a verb are in the file of its name. Options that several verbs share:
//!
//! | file | contents |
//! |---|---|
//! | `signature` | a signature, parameters set by hand, tier and send mode |
//! | `details` | details of a run and files to write: `simulate` and `replay` |
//! | `page_state` | the state of the page: `link` and `page` |
//! | `ranks` | the ranks and their transport: `collect` and `validate` |
//! | `values` | parsers of option values |
//! | `refusal` | errors of the parser, in one or two lines |

mod calls;
mod choose;
mod collect;
mod compare;
mod details;
mod export;
mod figure;
mod import;
mod lesson;
mod link;
mod list;
mod metrics;
mod new;
mod overwrite;
mod page;
mod page_state;
mod plan;
mod predict;
mod ranks;
mod refusal;
mod replay;
mod results;
mod score;
mod serve;
mod signature;
mod simulate;
mod trace;
mod validate;
mod values;
mod what_if;

pub(crate) use calls::Calls;
pub(crate) use choose::Choose;
pub(crate) use collect::Collect;
pub(crate) use compare::Compare;
pub(crate) use details::Details;
pub(crate) use export::Export;
pub(crate) use figure::Figure;
pub(crate) use import::Import;
pub(crate) use lesson::{Lesson, LessonOutput};
pub(crate) use link::Link;
pub(crate) use list::List;
pub(crate) use metrics::Metrics;
pub(crate) use new::New;
pub(crate) use page::Page;
pub(crate) use page_state::PageState;
pub(crate) use plan::Plan;
pub(crate) use predict::{Collective, Messages, Overlap, P2p, Predict, Protocol};
pub(crate) use ranks::{Ranks, TransportKind};
pub(crate) use refusal::refused;
pub(crate) use replay::Replay;
pub(crate) use score::Score;
pub(crate) use serve::Serve;
pub(crate) use signature::{RouteArgs, SignatureArgs};
pub(crate) use simulate::{Generated, Numbers, Simulate};
pub(crate) use trace::Trace;
pub(crate) use validate::Validate;
pub(crate) use values::OpOrComposition;

use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// Predict the cost of message passing on a parallel machine
///
/// SIG is a built-in name (see `loggia list`), a file, a Loggia link, or - for standard input.
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
  loggia link cray-t3d --view message --set bytes=64KiB --set L=5us

Times: 2500ns, 3.1us or 1ms; a bare number is in µs.
Sizes: 512, 64KiB (binary) or 1M (SI, 10^6); a bare number is in bytes."
)]
pub(crate) struct Cli {
    /// Print one JSON object instead of text, also for errors
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// List the built-in signatures: current machines, and those of the papers
    #[command(after_help = "Examples:
  loggia list
  loggia list infiniband
  loggia list --json

WORD selects the machines whose name, title, group, network, year or kind of numbers contains it.
Numbers are measured, calibrated for a simulator, derived from OSU's output, or published in a paper.")]
    List(List),
    /// Write a signature from a few numbers
    #[command(after_help = "Examples:
  loggia new our-cluster --L 2us --o 0.3us --G 0.08ns
  loggia new our-cluster --L 2us --o 0.3us --G 0.08ns -o mine.json
  loggia new next --title 'Next' --source 'offer' --L 1us --o 200ns --g 400ns --G 0.04ns
  loggia new next --L 1us --set o_s=8:0.2us,4KiB:1us --set o_r=0.3us --json

Parameters that are not given stay unknown; an answer that needs one names it. --set takes every
other parameter of a signature (see `loggia help show`).")]
    New(New),
    /// Show the parameters of a signature with their sources and quality
    #[command(after_help = "Examples:
  loggia show cray-t3d
  loggia show cray-t3d --json > mine.json    (a signature file to edit and load)
  loggia show mine.json --set L=5us --json")]
    Show(SignatureArgs),
    /// Predict the time of a message or of a collective operation
    #[command(subcommand, arg_required_else_help = true)]
    Predict(Predict),
    /// Print metrics of a machine: n_1/2, r_inf, pi_s, aggregated and peak values, g/G, overlap
    /// potential
    #[command(after_help = "Examples:
  loggia metrics ap3000-mpi --style bsend
  loggia metrics ap3000-mpi --op bcast
  loggia metrics cray-t3d --op alltoall --procs 64
  loggia metrics myrinet-gm")]
    Metrics(Metrics),
    /// Rank all methods for a collective operation and find the crossovers in size and number of ranks
    #[command(after_help = "Examples:
  loggia choose ap3000-mpi --op reduce_scatter --procs 8 --bytes 480000
  loggia choose ap3000-mpi --op allgather --procs 8 --bytes 64
  loggia choose ibm-sp2 --op allgather --procs 32 --bytes 1KiB --bytes-are per_rank")]
    Choose(Choose),
    /// Compare machines, or runs on one machine: changes and the fastest machine
    #[command(after_help = "Examples:
  loggia compare docs/runs/2026-06.json docs/runs/2026-07.json          (after an upgrade)
  loggia compare mine.json again.json --fail-on 'L>+10%,isend.o_s@8>3us,p2p@64KiB>+5%'
  loggia compare mine.json again.json --fail-on progress,any>+10% --at-least 2%
  loggia compare --history docs/runs/2026-05.json docs/runs/2026-06.json --columns L,G,o_s@8
  loggia compare cray-t3d now-sparc convex-exemplar
  loggia compare ibm-sp2 intel-paragon --op scatter --procs 8 --bytes 64KiB
  loggia compare cray-t3d ibm-sp2 intel-paragon --procs 64

Exit status: 0 if nothing changed from the first signature, 3 if something changed, 2 if the
intervals cannot tell (or the input is wrong).
A number changed if it differs by more than the confidence intervals allow. The intervals hold
jointly: two runs of an unchanged machine are reported as \"the same\" in 95 of 100 cases, however
many numbers are compared. Published and assumed values are exact.

A condition of --fail-on is [TIER.][STYLE.]SYMBOL[@SIZE], followed by >+N%, <-N%, > or < and a
number, or nothing for any change. SYMBOL is a parameter, a collective operation, p2p for a message
or any for every time. A condition holds only if the whole interval is beyond the limit. With
--fail-on, the status is 3 only if a condition holds.
With --history, the status is 3 if the last run changed from the first.")]
    Compare(Compare),
    /// Print the numbers of a paper's figure, computed from its tables
    #[command(after_help = "Examples:
  loggia figure
  loggia figure hwang-3 --at 8
  loggia figure tourino-2 --json
  loggia figure hwang-5 mine.json        (with your machine)

--at selects a position on the horizontal axis: bytes or ranks.")]
    Figure(Figure),
    /// Simulate a schedule of sends, receives and computation
    #[command(after_help = "Examples:
  loggia simulate --op bcast --algorithm binomial --procs 1024 --bytes 1 cray-t3d
  loggia simulate --op barrier --algorithm dissemination --procs 64 \\
         --L 2500ns --o 1500ns --g 1000ns --G 6ns --S 65535 --sensitivity
  loggia simulate --op allreduce --algorithm ring --procs 16 --bytes 1MiB cray-t3d \\
         --curve L=0..20us --critical-path
  loggia simulate program.goal cray-t3d --rules loggp --timeline program.json
  loggia simulate --op alltoall --algorithm pairwise --procs 8 --bytes 1KiB cray-t3d \\
         --write-goal alltoall.goal

SCHEDULE is a GOAL file, text or binary. The machine is a signature or a set of numbers.
--timeline writes the Chrome trace format: open it in Perfetto (ui.perfetto.dev).
Without --rules, the simulation uses the richest model that the signature supports. With a set of
numbers it uses loggops, which equals LogGOPSim's model.
Exit status: 1 if the schedule cannot complete.")]
    Simulate(Box<Simulate>),
    /// Measure this machine: a signature with confidence intervals, quality and samples
    #[command(after_help = "Examples:
  mpirun -n 2 loggia collect -o sig.json
  mpirun -n 16 loggia collect -o sig.json --thorough
  srun -N 2 -n 2 loggia collect -o sig.json --max-time 5min
  loggia collect -o threads.json --transport threads --quick
  loggia collect -o link.json --transport tcp --listen 0.0.0.0:7479     (on the first host)
  loggia collect -o - --transport tcp --connect host1:7479              (on the second)
  loggia collect -o t3d.json --transport synthetic --from cray-t3d --noise 5%

The file is saved after every measurement. SIGTERM ends a run without losing data; --resume
continues it. Ranks that take no part in a measurement sleep.")]
    Collect(Box<Collect>),
    /// Import the output of other benchmarks: OSU, IMB, Netgauge, logp_mpi, ReproMPI, SKaMPI,
    /// NetPIPE, nccl-tests; or a plain table, CSV or TSV
    #[command(after_help = "Examples:
  loggia import osu_latency.txt osu_bw.txt -o cluster.json
  loggia import results/ -o cluster.json --ranks 4p=4 --ranks 16p=16 --tier network
  loggia import osu_allreduce.txt --ranks 64 --merge cluster.json -o more.json
  loggia import all_reduce_perf.log -o gpus.json
  loggia import results.csv                                  (op,ranks,per_node,pairs,bytes,time_us)
  srun -n 2 osu_latency | loggia import - -o cluster.json
  loggia import results.zip                                  (report only)

The tool is recognised by its output. Missing information is an error, never a guess. Parameters
that the numbers do not determine stay absent. FILE= is a part of a file name, or file and line as
printed in an error.")]
    Import(Box<Import>),
    /// Print the errors of predictions compared with measured results
    #[command(after_help = "Examples:
  loggia score cluster.json results/
  loggia score cluster.json osu_allreduce.64p.txt --ranks 64
  loggia score cluster.json results.csv --fail-on 'allreduce.median>20%,all.inside<85%'

The error of a prediction is a factor less 1: 20% is 1.2 times the measurement, or the measurement
divided by 1.2. Conditions are OP.STATISTIC>N% or <N%. OP is an operation, p2p or all; STATISTIC is
median, p95 (95th percentile), maximum, or inside (share of the measurements inside the interval of
their prediction). Exit status: 1 if a condition holds.")]
    Score(Score),
    /// Measure sizes that the signature was not fitted to, and print the error of each model
    #[command(after_help = "Examples:
  mpirun -n 2 loggia validate sig.json
  loggia validate threads.json --transport threads --json")]
    Validate(Box<Validate>),
    /// Record the MPI calls of an unmodified program with a preloaded library
    #[command(after_help = "Examples:
  loggia trace -- mpirun -n 4 ./app
  loggia trace -o run-16 -- srun -n 16 ./app input.txt
  loggia trace -o again --overwrite -- mpirun -n 4 python3 app.py

The folder holds one file per rank and an index. After a crash, the calls before it are readable.
Works with Open MPI, MPICH and compatible libraries, from C, Fortran and languages that call them.")]
    Trace(Trace),
    /// List the calls of a trace: rank, start (µs), duration (µs), call
    #[command(after_help = "Examples:
  loggia calls loggia-trace --rank 0
  loggia calls loggia-trace --json")]
    Calls(Calls),
    /// Predict the run time of a traced program on a machine
    #[command(after_help = "Examples:
  loggia replay loggia-trace mine.json
  loggia replay loggia-trace cray-t3d --rules loggp --split --critical-path
  loggia replay loggia-trace mine.json --scale-latency 0.5 --scale-bandwidth 2
  loggia replay loggia-trace mine.json --progress icp --eager-limit 64KiB
  loggia replay loggia-trace mine.json --nodes block:2 --scale-compute 0.8
  loggia replay run-2 run-4 run-8 mine.json --compare loggp,loggpo

Computation between calls takes as long as in the trace; the signature gives the cost of the calls.")]
    Replay(Box<Replay>),
    /// Predict the scaling of a planned program from a sketch, on machines and numbers of ranks
    #[command(after_help = "Examples:
  loggia plan docs/sketches/halo.toml cray-t3d --procs 2..1M
  loggia plan docs/sketches/halo.toml cray-t3d now-sparc --procs 4,16,64 --steps
  loggia plan docs/sketches/wavefront.toml mine.json --ranks-per-node 32
  loggia plan docs/sketches/halo.toml cray-t3d now-sparc --procs 16..4Ki --sweep scale-latency=0.25..4
  mpirun loggia plan idea.toml a.json b.json --sweep n=512,1024 --sweep L=1us..16us -o all.json

A sketch is a TOML file that describes one iteration: see docs/sketch.md and docs/sketches/.
  iterations, ranks_per_node
  [grid]     cells = [4096, 4096] (divided) or block = [64, 64] (per rank); periodic
  [let]      named constants: per_cell = \"2ns\"; ? for a constant to fit
  [[step]]   one of compute, halo, exchange, shift, wavefront (with work and blocks), steps, or a
             collective operation; also during (overlapped computation), times, every, algorithm
Formulas may use p, nodes, cells, nx ny nz (the block), px py pz (the ranks), and face in halos.")]
    Plan(Plan),
    /// Print a link that holds a signature, a view and its inputs
    #[command(after_help = "Examples:
  loggia link cray-t3d
  loggia link cray-t3d --view collectives --set op=alltoall --set procs=64
  loggia link mine.json --set bytes=64KiB --set L=5us --page https://example.org/loggia/

--set sets inputs of the view (bytes, procs, op, model, tier, style, protocol)
and parameters of the signature (see `loggia help show`).")]
    Link(Link),
    /// Write the page as a single file that holds signatures and view and needs no network
    #[command(after_help = "Examples:
  loggia page cray-t3d -o t3d.html
  loggia page mine.json --view protocols --set bytes=64KiB -o mine.html

--set works as in `loggia link`. Unlike a link, the file holds whole signatures with their samples.")]
    Page(Page),
    /// List, check and print lessons; read the codes of a class
    #[command(subcommand, arg_required_else_help = true)]
    Lesson(Lesson),
    /// Export a signature: SimGrid, LogGOPSim, CSV, Python
    #[command(after_help = "Examples:
  loggia export mine.json --as simgrid --nodes 16 -o platform.xml
  loggia export mine.json --as loggopsim --tier network --style isend
  loggia export cray-t3d --as csv -o cray-t3d.csv
  loggia export cray-t3d --set L=5us --as python -o t3d.py
  loggia export ibm-sp2 --as json

--tier and --style select the parameters; CSV holds all of them. The output names unknown
parameters; if the format requires one, the export is refused. With SMPI of SimGrid 3.32 or later,
a message takes as long as `loggia predict p2p` predicts.")]
    Export(Export),
    /// Print the contents of a link as JSON
    #[command(after_help = "Example:\n  loggia open \"$(loggia link cray-t3d)\"")]
    Open {
        /// A Loggia link: an address, or its part from #2. on
        link: String,
    },
    /// Serve the page on this machine (127.0.0.1) only
    #[command(after_help = "Examples:\n  loggia serve --open\n  loggia serve cray-t3d --port 8000")]
    Serve(Serve),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  loggia completions bash > ~/.local/share/bash-completion/completions/loggia"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    #[command(after_help = "Example:\n  loggia man > loggia.1 && man ./loggia.1")]
    Man,
}

/// Parses the command line. `loggia help --help` is `loggia help`; clap takes the option for a verb.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|verb| verb == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    Cli::try_parse_from(words)
}

#[cfg(test)]
mod tests {
    use super::refusal::from_clap;
    use super::*;
    use clap::CommandFactory;
    use loggia_model::Error;

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    fn refusal(line: &str) -> Error {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        match Cli::try_parse_from(&words) {
            Ok(_) => Error::new("accepted", "", ""),
            Err(error) => from_clap(&error, &words),
        }
    }

    #[test]
    fn an_error_has_message_place_and_help() {
        let error = refusal("loggia predict p2p x --bytes lots");
        assert_eq!(error.message, "`lots` is not a size");
        assert_eq!(error.place.to_string(), "--bytes");
        assert!(error.help.to_string().contains("64KiB"));

        let error = refusal("loggia predict p2p x --byte 1");
        assert!(error.message.contains("--byte"), "{error}");
        assert!(error.help.to_string().contains("--bytes"), "{error}");

        let error = refusal("loggia predict p2p x");
        assert!(error.message.contains("--bytes <SIZE>"), "{error}");
        assert_eq!(error.place.to_string(), "--bytes");

        let error = refusal("loggia metrics x --op bcst");
        assert!(error.help.to_string().contains("bcast"), "{error}");
        for text in [&error.message, &error.help.to_string()] {
            assert!(!text.contains('\n'), "{text:?}");
        }
    }

    #[test]
    fn the_papers_names_of_operations_are_accepted() {
        for op in ["broadcast", "total-exchange", "MPI_Alltoall", "Scan", "reduce+scatter"] {
            let args = ["loggia", "predict", "collective", "x", "--procs", "2", "--op", op];
            assert!(Cli::try_parse_from(args).is_ok(), "{op}");
        }
    }
}
