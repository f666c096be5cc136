//! Every verb, its help and its examples. Completions and the man page come from here.
//!
//! The options of a verb are in the file of its name. The other files:
//!
//! | file | what it holds |
//! |---|---|
//! | `signature` | which signature, what is assumed of it, by which of its tiers and styles |
//! | `details` | what is asked of a run, and written of it: for `simulate` and `replay` |
//! | `page_state` | what the page is to show: for `link` and `page` |
//! | `ranks` | who exchanges messages, and over what: for `collect` and `validate` |
//! | `values` | the words that options take |
//! | `refusal` | what the parser refuses, in a line or two |

mod calls;
mod choose;
mod collect;
mod compare;
mod details;
mod export;
mod figure;
mod import;
mod link;
mod metrics;
mod page;
mod page_state;
mod plan;
mod predict;
mod ranks;
mod refusal;
mod replay;
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
pub(crate) use link::Link;
pub(crate) use metrics::Metrics;
pub(crate) use page::Page;
pub(crate) use page_state::PageState;
pub(crate) use plan::Plan;
pub(crate) use predict::{Collective, Messages, Overlap, P2p, Predict, Protocol};
pub(crate) use ranks::{Ranks, TransportKind};
pub(crate) use refusal::refused;
pub(crate) use replay::Replay;
pub(crate) use serve::Serve;
pub(crate) use signature::{RouteArgs, SignatureArgs};
pub(crate) use simulate::{Generated, Numbers, Simulate};
pub(crate) use trace::Trace;
pub(crate) use validate::Validate;
pub(crate) use values::OpOrComposition;

use clap::{Parser, Subcommand};

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
  loggia link cray-t3d --view message --set bytes=64KiB --set L=5us

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
    Show(SignatureArgs),
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
    /// Put machines side by side, or runs of one: what has changed, who is the fastest
    #[command(after_help = "Examples:
  loggia compare docs/runs/2026-06.json docs/runs/2026-07.json          (after an upgrade)
  loggia compare mine.json again.json --fail-on 'L>+10%,isend.o_s@8>3us,p2p@64KiB>+5%'
  loggia compare mine.json again.json --fail-on progress,any>+10% --at-least 2%
  loggia compare --history docs/runs/2026-05.json docs/runs/2026-06.json --columns L,G,o_s@8
  loggia compare cray-t3d now-sparc convex-exemplar
  loggia compare ibm-sp2 intel-paragon --op scatter --procs 8 --bytes 64KiB
  loggia compare cray-t3d ibm-sp2 intel-paragon --procs 64

Exit: 0 where nothing has changed against the first, 3 where something has, 2 where it cannot be
told. Changed is what differs by more than its intervals allow. They are widened so that all of a
comparison's hold together: two runs of an unchanged machine are \"the same\" in 95 of 100 cases,
however many numbers are compared. What is published or assumed counts as exact.

Conditions are [TIER.][STYLE.]SYMBOL[@SIZE], then >+N%, <-N%, > or < a number, or nothing: any
change. SYMBOL is a parameter's, a collective operation, p2p for a message, any for every time.
They fail only what is beyond the limit with its whole interval; then only they make it exit with 3.
A history exits with 3 where its last run has changed against its first.")]
    Compare(Compare),
    /// The papers' figures, drawn again from their tables, with what was concluded
    #[command(after_help = "Examples:
  loggia figure
  loggia figure hwang-3 --at 8
  loggia figure tourino-2 --json
  loggia figure hwang-5 mine.json        (your machine beside theirs)

--at is where on the figure's horizontal axis values are told: bytes or processes.")]
    Figure(Figure),
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
    /// Make a signature of what other benchmarks have printed: OSU, IMB, Netgauge, logp_mpi,
    /// ReproMPI, SKaMPI, NetPIPE, nccl-tests
    #[command(after_help = "Examples:
  loggia import osu_latency.txt osu_bw.txt -o cluster.json
  loggia import results/ -o cluster.json --ranks 4p=4 --ranks 16p=16 --tier network
  loggia import osu_allreduce.txt --ranks 64 --merge cluster.json -o more.json
  loggia import all_reduce_perf.log --op allreduce -o gpus.json
  srun -n 2 osu_latency | loggia import - -o cluster.json
  loggia import results.zip                                  (only the report)

The tool is known by what it prints. What a file does not say is asked for, and never guessed;
what its numbers cannot tell is left absent. FILE= is a part of a file's name, or file and line
as a question names them.")]
    Import(Box<Import>),
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
    /// Plan a program that is only an idea so far: a sketch of it on machines, over numbers of ranks
    #[command(after_help = "Examples:
  loggia plan docs/sketches/halo.toml cray-t3d --procs 2..1M
  loggia plan docs/sketches/halo.toml cray-t3d now-sparc --procs 4,16,64 --steps
  loggia plan docs/sketches/wavefront.toml mine.json --ranks-per-node 32
  loggia plan docs/sketches/halo.toml cray-t3d now-sparc --procs 16..4Ki --sweep scale-latency=0.25..4
  mpirun loggia plan idea.toml a.json b.json --sweep n=512,1024 --sweep L=1us..16us -o all.json

A sketch is a TOML file that says what an iteration does: docs/sketch.md tells it all, docs/sketches/ has some.
  iterations, ranks_per_node
  [grid]     cells = [4096, 4096] (divided) or block = [64, 64] (each rank's); periodic
  [let]      numbers with names: per_cell = \"2ns\"; ? for what is to be fitted
  [[step]]   one of compute, halo, exchange, shift, wavefront (with work and blocks), steps, or a
             collective operation; beside it during (computed meanwhile), times, every, algorithm
Formulas know p, nodes, cells, nx ny nz (the block), px py pz (the ranks), and face in halos.")]
    Plan(Plan),
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
    Page(Page),
    /// Write a signature for another program: SimGrid, LogGOPSim, a spreadsheet, Python
    #[command(after_help = "Examples:
  loggia export mine.json --as simgrid --nodes 16 -o platform.xml
  loggia export mine.json --as loggopsim --tier network --style isend
  loggia export cray-t3d --as csv -o cray-t3d.csv
  loggia export cray-t3d --set L=5us --as python -o t3d.py
  loggia export ibm-sp2 --as json

Messages go by --tier and --style; CSV holds them all. What is not reported is said in the
output, or refused where the format cannot do without it. Under SMPI of SimGrid 3.32 or later
a message takes what `loggia predict p2p` says.")]
    Export(Export),
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
