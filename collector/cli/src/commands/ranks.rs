//! Starts the ranks of a run: rank 0 leads, the others follow.

use crate::cli::{Ranks, TransportKind};
use crate::report::{Failure, remark};
use crate::source;
use loggia_collect::run::{end_after_the_leader, follow};
#[cfg(feature = "mpi")]
use loggia_collect::transport::mpi::Mpi;
use loggia_collect::transport::synthetic::{Noise, Synthetic};
use loggia_collect::transport::tcp::Tcp;
use loggia_collect::transport::{Transport, threads};
use loggia_model::Error;

/// Runs `lead` on rank 0; `None` in the processes of other ranks.
pub(super) fn led_by<R>(
    args: &Ranks,
    json: bool,
    lead: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    let kind = match args.transport {
        Some(kind) => kind,
        None => default_transport()?,
    };
    match kind {
        TransportKind::Mpi => over_mpi(json, lead),
        TransportKind::Threads => in_threads(threads::pair().into(), lead),
        TransportKind::Synthetic => in_threads(synthetic(args)?, lead),
        TransportKind::Tcp => over_tcp(args, lead),
    }
}

/// Whether a launcher, `mpirun` or `srun`, started this process.
pub(super) fn under_a_launcher() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_PROCID"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

#[cfg(feature = "mpi")]
fn default_transport() -> Result<TransportKind, Failure> {
    Ok(if under_a_launcher() { TransportKind::Mpi } else { TransportKind::Threads })
}

#[cfg(not(feature = "mpi"))]
fn default_transport() -> Result<TransportKind, Failure> {
    refuse_several_processes()?;
    Ok(TransportKind::Threads)
}

/// An error if a launcher started several processes: without MPI, each would do the whole work and
/// write the same file.
#[cfg(not(feature = "mpi"))]
pub(super) fn refuse_several_processes() -> Result<(), Failure> {
    match launched() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Refused(no_mpi("mpirun"))),
    }
}

/// The number of processes that the launcher started, without MPI.
#[cfg(not(feature = "mpi"))]
fn launched() -> u32 {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
        .unwrap_or(1)
}

#[cfg(feature = "mpi")]
fn over_mpi<R>(
    json: bool,
    lead: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    in_program(json, |mpi| take_part(mpi, lead))
}

/// Runs this process's part of an MPI program; a failure ends all processes.
#[cfg(feature = "mpi")]
pub(super) fn in_program<R>(
    json: bool,
    body: impl FnOnce(&mut Mpi) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let mut mpi = Mpi::join()?;
    let result = body(&mut mpi);
    if let Err(Failure::Failed(error)) = &result {
        crate::report::fail(error, json);
        mpi.abandon();
    }
    mpi.leave_together();
    result
}

#[cfg(not(feature = "mpi"))]
fn over_mpi<R>(
    _: bool,
    _: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    Err(Failure::Refused(no_mpi("--transport mpi")))
}

#[cfg(not(feature = "mpi"))]
fn no_mpi(place: &str) -> Error {
    Error::new(
        "this build of loggia has no MPI",
        place,
        "install an MPI library with its headers and libclang, and build with --features mpi",
    )
}

fn take_part<R>(
    transport: &mut dyn Transport,
    lead: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    match transport.rank() {
        0 => lead(transport).map(Some),
        _ => {
            end_after_the_leader();
            follow(transport).map(|()| None).map_err(Failure::Failed)
        }
    }
}

/// Runs the ranks as threads of this process; rank 0 is the calling thread.
fn in_threads<T: Transport + Send, R>(
    ranks: Vec<T>,
    lead: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    let mut ranks = ranks.into_iter();
    let Some(mut first) = ranks.next() else { return Ok(None) };
    std::thread::scope(|scope| {
        for mut rank in ranks {
            scope.spawn(move || follow(&mut rank));
        }
        // Dropping rank 0 wakes the ranks that wait for it.
        let result = take_part(&mut first, lead);
        drop(first);
        result
    })
}

fn synthetic(args: &Ranks) -> Result<Vec<Synthetic>, Error> {
    let args = &args.synthetic;
    let Some(from) = &args.from else {
        return Err(Error::new(
            "a synthetic machine needs a signature",
            "--from",
            "name a signature, such as --from cray-t3d",
        ));
    };
    let signature = source::load(from)?;
    for tier in Synthetic::tiers_of_assumed_progress(&signature) {
        let key = if signature.tiers.len() > 1 { format!("{tier}.") } else { String::new() };
        remark(&format!(
            "! {from}, {tier}: progress is unknown, so messages above S progress while ranks \
             compute; for another kind, give --from the output of \
             `loggia show {from} --set {key}progress=dependent --json`"
        ));
    }
    let noise = Noise {
        relative: args.noise,
        outliers: args.outliers,
        seed: args.seed,
        ..Noise::default()
    };
    Synthetic::ranks(&signature, args.procs, noise)
}

/// Two processes: rank 0 listens, rank 1 connects.
fn over_tcp<R>(
    args: &Ranks,
    lead: impl FnOnce(&mut dyn Transport) -> Result<R, Failure>,
) -> Result<Option<R>, Failure> {
    match (&args.tcp.listen, &args.tcp.connect) {
        (Some(address), _) => {
            remark(&format!(
                "loggia: waiting on {address} for the other process (start it with --connect)"
            ));
            take_part(&mut Tcp::listen(address)?, lead)
        }
        (None, Some(address)) => take_part(&mut Tcp::connect(address)?, lead),
        (None, None) => Err(Failure::Refused(Error::new(
            "two processes are needed",
            "--transport tcp",
            "start one with --listen ADDRESS, then the other with --connect ADDRESS",
        ))),
    }
}
