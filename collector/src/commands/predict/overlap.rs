//! `loggia predict overlap`

use super::{Asked, heading, load, route};
use crate::cli::Overlap;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_model::model::exchange::{self, Arrivals, Exchange, Printed, Way};
use loggia_model::model::{Model, Warning, loggpo};
use loggia_model::signature::{ProgressKind, Signature};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use serde::Serialize;

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    asked: Asked<'a>,
    model: Model,
    protocol: Way,
    progress: ProgressKind,
    arrivals: Arrivals,
    send_overhead_us: Micros,
    recv_overhead_us: Micros,
    send_wait_us: Micros,
    recv_wait_us: Micros,
    cost_us: Micros,
    delivery_us: Micros,
    sender_end_us: Micros,
    receiver_end_us: Micros,
    send_overlap_ratio: Option<f64>,
    recv_overlap_ratio: Option<f64>,
    as_printed: Option<Printed>,
    warnings: Vec<Warning>,
}

pub(crate) fn run(args: &Overlap, output: &mut Output) -> Result<(), Failure> {
    let mut signature = load(&args.of, &args.way)?;
    assume(&mut signature, args)?;
    let route = route(&signature, &args.way)?;
    let (costs, mut warnings) = loggpo::costs(&route, args.bytes)?;
    let missing = || route.missing(Model::LogGpo);
    let way = loggpo::way(&route, args.bytes).ok_or_else(missing)?;
    let reported = route.tier.progress.as_ref().and_then(|progress| progress.kind);
    let progress = reported.ok_or_else(missing)?;
    let at = Arrivals::around(
        way,
        &costs,
        [args.send_at, args.recv_at],
        [args.send_compute, args.recv_compute],
    );
    let exchanged = exchange::exchange(way, progress, &costs, &at);
    let printed = exchange::printed(way, progress, &costs, &at);
    if printed.is_none() {
        warnings.push(Warning::Remark(
            "002's page on this case is missing: these forms are ours, in its notation",
        ));
    }
    if printed.is_some_and(|printed| printed.send_wait.0 < 0.0) {
        warnings.push(Warning::Remark(
            "as printed, 002's forms hold only where the sender waits before the ACK arrives",
        ));
    }
    let answer = Answer {
        asked: Asked::of(&route, args.bytes),
        model: Model::LogGpo,
        protocol: way,
        progress,
        arrivals: at,
        send_overhead_us: exchanged.send,
        recv_overhead_us: exchanged.recv,
        send_wait_us: exchanged.send_wait,
        recv_wait_us: exchanged.recv_wait,
        cost_us: exchanged.cost,
        delivery_us: exchanged.delivered,
        sender_end_us: exchanged.sender_end,
        receiver_end_us: exchanged.receiver_end,
        send_overlap_ratio: exchange::overlap_ratio(args.send_compute, exchanged.send),
        recv_overlap_ratio: exchange::overlap_ratio(args.recv_compute, exchanged.recv),
        as_printed: printed,
        warnings,
    };
    output.answer(&answer, || {
        format!(
            "{}LogGPO: {}\ndelivered after {}; the sender's wait ends after {}, the receiver's \
             after {}\n\n{}\noverlap ratio: sender {}, receiver {}\n{}",
            heading(&route, args.bytes),
            protocol(way, progress),
            time(exchanged.delivered),
            time(exchanged.sender_end),
            time(exchanged.receiver_end),
            forms(&exchanged, printed.as_ref()),
            ratio(answer.send_overlap_ratio),
            ratio(answer.recv_overlap_ratio),
            remarks(&answer.warnings)
        )
    })
}

/// `--progress` and `--transfer` instead of what the signature reports, if it does.
fn assume(signature: &mut Signature, args: &Overlap) -> Result<(), Error> {
    let defaults = args.way.defaults();
    if let Some(progress) = args.progress {
        signature.set_within(defaults, "progress", progress.symbol())?;
    }
    if let Some(transfer) = args.transfer {
        signature.set_within(defaults, "transfer", transfer.symbol())?;
    }
    Ok(())
}

fn protocol(way: Way, progress: ProgressKind) -> String {
    match way {
        Way::Eager => "eager".to_owned(),
        Way::Rat => format!("rendezvous, RAT, {}", progress.symbol()),
        Way::Rta => format!("rendezvous, RTA, {}", progress.symbol()),
    }
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("—".to_owned(), |r| number(r, 3))
}

/// Ours beside the paper's, where it prints one.
fn forms(ours: &Exchange, printed: Option<&Printed>) -> String {
    let row = |symbol: &str, meaning: &str, ours: Micros, printed: Option<Micros>| {
        let printed = printed.map_or("—".to_owned(), |t| number(t.0, 6));
        [symbol.to_owned(), number(ours.0, 6), printed, meaning.to_owned()]
    };
    let rows = [
        row("O_s", "the sender's calls", ours.send, printed.map(|p| p.send)),
        row("O_sw", "of that in its wait", ours.send_wait, printed.map(|p| p.send_wait)),
        row("O_r", "the receiver's calls", ours.recv, printed.map(|p| p.recv)),
        row("O_rw", "of that in its wait", ours.recv_wait, printed.map(|p| p.recv_wait)),
        row("T_c", "the transmission's costs", ours.cost, printed.map(|p| p.cost)),
    ];
    table(&["", "µs>", "as 002 prints>", ""], rows)
}
