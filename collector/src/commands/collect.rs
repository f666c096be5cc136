//! `loggia collect -o FILE`

use crate::cli::{Collect, TransportKind};
use crate::collect::{Level, Options, What, follow, lead, summary};
use crate::report::{self, Failure, Output, remark};
use crate::transport::{Result, Transport, threads};
use loggia_model::{Error, Signature, codec};

/// All of MPI's sends (`000`, Table 1); the first is the default of predictions.
const STYLES: [&str; 8] =
    ["isend", "send", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend"];

pub(crate) fn run(args: &Collect, output: &mut Output) -> std::result::Result<(), Failure> {
    let options = options(args)?;
    let Some(signature) = measured(args, &options, output.is_json())? else { return Ok(()) };
    if output.is_json() {
        return output.text(&codec::to_json(&signature));
    }
    output.text(&summary(&signature, &options))
}

fn options(args: &Collect) -> Result<Options> {
    let level = match (args.quick, args.thorough) {
        (true, _) => Level::Quick,
        (_, true) => Level::Thorough,
        _ => Level::Default,
    };
    for style in &args.styles {
        if !STYLES.contains(&style.as_str()) {
            return Err(Error::unknown("style", style, "--style", STYLES));
        }
    }
    let styles = match args.styles.as_slice() {
        [] => STYLES.map(str::to_owned).to_vec(),
        some => some.to_vec(),
    };
    let only = match args.only.as_slice() {
        [] => What::ALL.to_vec(),
        some => some.to_vec(),
    };
    let host = crate::transport::presence_here().host;
    let name = args.name.clone().unwrap_or_else(|| short_name(&host));
    Ok(Options {
        output: args.output.clone(),
        title: args.title.clone().unwrap_or_else(|| host.clone()),
        name,
        level,
        sizes: args.sizes()?,
        styles,
        only,
        max_seconds: args.max_time,
        resume: args.resume,
        overwrite: args.overwrite,
        command: std::env::args().collect::<Vec<_>>().join(" "),
        date: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
    })
}

/// A host's name as the short name of a signature.
fn short_name(host: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = host.chars().map(fit).take(100).collect();
    match name.trim_matches('-') {
        "" => "machine".to_owned(),
        name => name.to_owned(),
    }
}

/// Rank 0 comes back with the signature, others with nothing.
fn measured(
    args: &Collect,
    options: &Options,
    json: bool,
) -> std::result::Result<Option<Signature>, Failure> {
    let kind = args.transport.unwrap_or_else(|| match under_a_launcher() && HAS_MPI {
        true => TransportKind::Mpi,
        false => TransportKind::Threads,
    });
    match kind {
        TransportKind::Mpi => over_mpi(options, json),
        TransportKind::Threads => in_threads(threads::pair().into(), options),
        _ => Ok(None),
    }
}

/// Whether this process is one of several that `mpirun` or `srun` started.
fn under_a_launcher() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_PROCID"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

const HAS_MPI: bool = cfg!(feature = "mpi");

#[cfg(feature = "mpi")]
fn over_mpi(options: &Options, json: bool) -> std::result::Result<Option<Signature>, Failure> {
    let mut mpi = crate::transport::mpi::Mpi::join()?;
    let result = take_part(&mut mpi, options);
    if let Err(Failure::Failed(error)) = &result {
        report::fail(error, json);
        mpi.abandon();
    }
    result
}

#[cfg(not(feature = "mpi"))]
fn over_mpi(_: &Options, _: bool) -> std::result::Result<Option<Signature>, Failure> {
    Err(Failure::Refused(Error::new(
        "this build of loggia has no MPI: it has tcp, threads and synthetic",
        "--transport mpi",
        "install an MPI library with its headers and libclang, and build with --features mpi",
    )))
}

/// Leads as rank 0, follows as any other.
fn take_part(
    transport: &mut dyn Transport,
    options: &Options,
) -> std::result::Result<Option<Signature>, Failure> {
    match transport.rank() {
        0 => lead(transport, options).map(Some),
        _ => follow(transport).map(|()| None).map_err(Failure::Failed),
    }
}

/// Ranks as threads of this process; rank 0 is this one.
fn in_threads<T: Transport + Send + 'static>(
    ranks: Vec<T>,
    options: &Options,
) -> std::result::Result<Option<Signature>, Failure> {
    let mut ranks = ranks.into_iter();
    let Some(mut first) = ranks.next() else { return Ok(None) };
    std::thread::scope(|scope| {
        for mut rank in ranks {
            scope.spawn(move || follow(&mut rank));
        }
        take_part(&mut first, options)
    })
}
