//! `loggia predict overlap`

use super::{heading, load, route};
use crate::cli::Overlap;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_model::model::exchange::{Exchange, Printed};
use loggia_model::model::overlap::Programs;
use loggia_model::signature::Signature;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use loggia_report::overlap::OverlapReport;

pub(crate) fn run(args: &Overlap, output: &mut Output) -> Result<(), Failure> {
    let mut signature = load(&args.of, &args.route)?;
    assume(&mut signature, args)?;
    let route = route(&signature, &args.route)?;
    let programs = Programs {
        send_at: args.send_at,
        recv_at: args.recv_at,
        send_compute: args.send_compute,
        recv_compute: args.recv_compute,
    };
    let report = OverlapReport::of(&route, args.bytes, &programs)?;
    let exchange = &report.exchange;
    output.print(&report, || {
        format!(
            "{}LogGPO: {}\ndelivered after {}; sender completes after {}, receiver after {}\n\n{}\noverlap ratio: sender {}, receiver {}\n{}",
            heading(&route, args.bytes),
            report.protocol.words(report.progress),
            time(exchange.delivered),
            time(exchange.sender_end),
            time(exchange.receiver_end),
            forms(exchange, report.as_printed.as_ref(), report.by_loggp.as_ref()),
            ratio(report.send_overlap_ratio),
            ratio(report.recv_overlap_ratio),
            remarks(&report.warnings)
        )
    })
}

/// Applies `--progress` and `--transfer`.
fn assume(signature: &mut Signature, args: &Overlap) -> Result<(), Error> {
    let defaults = args.route.defaults();
    if let Some(progress) = args.progress {
        signature.set_within(defaults, "progress", progress.symbol())?;
    }
    if let Some(transfer) = args.transfer {
        signature.set_within(defaults, "transfer", transfer.symbol())?;
    }
    Ok(())
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("—".to_owned(), |r| number(r, 3))
}

/// Loggia's values, the values as printed in Chen et al. 2009, and LogGP's.
fn forms(own: &Exchange, printed: Option<&Printed>, loggp: Option<&Exchange>) -> String {
    let cell = |time: Option<Micros>| time.map_or("—".to_owned(), |t| number(t.0, 6));
    let row =
        |symbol: &str, meaning: &str, of: fn(&Exchange) -> Micros, printed: Option<Micros>| {
            let [own, printed, loggp] = [Some(of(own)), printed, loggp.map(of)].map(cell);
            [symbol.to_owned(), own, printed, loggp, meaning.to_owned()]
        };
    let rows = [
        row("O_s", "sender's overhead", |e| e.send, printed.map(|p| p.send)),
        row("O_sw", "part of O_s in the wait", |e| e.send_wait, printed.map(|p| p.send_wait)),
        row("O_r", "receiver's overhead", |e| e.recv, printed.map(|p| p.recv)),
        row("O_rw", "part of O_r in the wait", |e| e.recv_wait, printed.map(|p| p.recv_wait)),
        row("T_c", "cost of the transmission", |e| e.cost, printed.map(|p| p.cost)),
    ];
    table(&["", "µs>", "as printed>", "LogGP>", ""], rows)
}
