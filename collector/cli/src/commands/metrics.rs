//! `loggia metrics`

use crate::cli::Metrics;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use crate::source::load_with;
use loggia_model::model::blocking::OverlapTime;
use loggia_model::model::metrics::{OfCollective, of_collective};
use loggia_model::model::{Model, Route, collective};
use loggia_model::signature::{BytesAre, Defaults, Operation, Signature};
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, Procs};
use loggia_report::metrics::MetricsReport;
use serde::Serialize;

#[derive(Serialize)]
struct OperationReport<'a> {
    signature: &'a str,
    op: &'a str,
    bytes_are: BytesAre,
    #[serde(flatten)]
    metrics: OfCollective,
}

pub(crate) fn run(args: &Metrics, output: &mut Output) -> Result<(), Failure> {
    let defaults = args.route.defaults();
    let signature = load_with(&args.of.sig, defaults, &args.of.assume.set)?;
    match args.op {
        Some(op) => of_operation(&signature, op, args.procs, output),
        None => of_message(&signature, defaults, args.model, output),
    }
}

fn of_message(
    signature: &Signature,
    defaults: Defaults,
    model: Option<Model>,
    output: &mut Output,
) -> Result<(), Failure> {
    let route = Route::of(signature, defaults.tier, defaults.style)?;
    let report = MetricsReport::of(&route, model)?;
    output.print(&report, || {
        let m = &report.metrics;
        let rows = [
            row("r_inf", "asymptotic bandwidth", m.asymptotic_bandwidth.map(bandwidth)),
            row("pi_s", "specific performance", m.specific_performance.map(performance)),
            row("n_1/2", "half-peak length", m.half_length.map(bytes)),
            row("g/G", "size from which a message is large", m.large_message.map(size)),
            row("EEL − o_s", "overlap potential", m.overlap_potential.map(time)),
            row(
                "EEL − (o_s+o_r)",
                "overlap potential of a sender that also receives",
                m.overlap_potential_both.map(time),
            ),
        ];
        let model = m.model.map_or("no model is possible", |model| model.title());
        format!(
            "{} · {}{} · {model}\n\n{}{}\n{}",
            signature.title,
            report.tier,
            report.style.map(|s| format!(" · {s}")).unwrap_or_default(),
            table(&["", "", ""], rows),
            savings(&report.overlap_chances),
            remarks(&m.warnings)
        )
    })
}

/// Overheads that non-blocking calls save.
fn savings(all: &[OverlapTime]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let rows = all.iter().map(|chance| {
        [
            chance.side.name().to_owned(),
            size(chance.bytes),
            format!("{} {}", chance.blocking, number(chance.blocking_us.0, 4)),
            format!("{} {}", chance.non_blocking, number(chance.non_blocking_us.0, 4)),
            number(chance.chance_us.0, 4),
        ]
    });
    let heads = ["overheads of the", "at>", "blocking, µs>", "non-blocking, µs>", "chance, µs>"];
    format!("\n{}", table(&heads, rows))
}

fn of_operation(
    signature: &Signature,
    op: Operation,
    procs: Option<Procs>,
    output: &mut Output,
) -> Result<(), Failure> {
    let form = collective::form_of(signature, op)?;
    let procs = procs.unwrap_or(form.procs.high);
    collective::check_procs(procs)?;
    let report = OperationReport {
        signature: &signature.name,
        op: op.name(),
        bytes_are: form.bytes_are,
        metrics: of_collective(form, procs),
    };
    output.print(&report, || {
        let m = &report.metrics;
        let at = |text: String, p: Option<Procs>| match p {
            Some(p) => format!("{text} at p = {}", p.0),
            None => text,
        };
        let rows = [
            row("r_inf(p)", "asymptotic bandwidth", m.asymptotic_bandwidth.map(bandwidth)),
            row("pi_s(p)", "specific performance", m.specific_performance.map(performance)),
            row("n_1/2(p)", "half-peak length", m.half_length.map(bytes)),
            row("R_inf(p)", "aggregated bandwidth", m.aggregated_bandwidth.map(bandwidth)),
            row(
                "pi_s^ag(p)",
                "aggregated specific performance",
                m.aggregated_specific_performance.map(performance),
            ),
            row(
                "r_cc(p)",
                "transfer to computation",
                m.ratio_transfer_compute.map(|r| number(r, 4)),
            ),
            row(
                "max R_inf",
                "peak aggregated bandwidth",
                m.peak_bandwidth.map(|b| at(bandwidth(b), m.peak_bandwidth_procs)),
            ),
            row(
                "max pi_s^ag",
                "peak aggregated specific performance",
                m.peak_specific_performance
                    .map(|b| at(performance(b), m.peak_specific_performance_procs)),
            ),
            row(
                "min n_1/2",
                "minimum half-peak length",
                m.min_half_length.map(|b| at(bytes(b), m.min_half_length_procs)),
            ),
        ];
        format!(
            "{} · {} · p = {} · {}\n\n{}\n{}{}",
            signature.title,
            op.name(),
            procs.0,
            form.source,
            table(&["", "", ""], rows),
            form.note.as_ref().map(|note| format!("* {note}\n")).unwrap_or_default(),
            remarks(&m.warnings)
        )
    })
}

fn row(symbol: &str, meaning: &str, value: Option<String>) -> [String; 3] {
    let value = value.unwrap_or_else(|| "—".to_owned());
    [symbol.to_owned(), meaning.to_owned(), value]
}

/// In the unit of Hwang, Wang & Wang 1997 and, in parentheses, of Touriño & Doallo 2001.
fn bandwidth(rate: BytesPerMicro) -> String {
    format!("{} MB/s ({:.2} MiB/s)", number(rate.0, 5), rate.mebibytes_per_second())
}

fn performance(rate: BytesPerMicro) -> String {
    let Micros(each) = Micros(1.0 / rate.0);
    format!(
        "{} bytes/µs ({:.2} KiB/s: 1/{})",
        number(rate.0, 5),
        rate.kibibytes_per_second(),
        time(Micros(each))
    )
}

fn bytes(length: Bytes) -> String {
    format!("{} bytes", length.0)
}
