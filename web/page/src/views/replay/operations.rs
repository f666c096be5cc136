//! Time by call, measured and predicted; algorithms of collective operations.

use super::words as text;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time, whole};
use loggia_replay::AlgorithmUse;
use loggia_replay::report::CallTime;
use loggia_worker::Comparison;
use yew::{Html, html};

pub(super) fn operations(replayed: &Comparison) -> Html {
    let longest = replayed
        .operations
        .iter()
        .flat_map(|op| [Some(op.predicted_us), op.measured_us])
        .flatten()
        .fold(0.0, |longest: f64, time| longest.max(time.0));
    let row = |(index, op): (usize, &CallTime)| -> Vec<Html> {
        let path = |name: &str| format!("replay.operations.{index}.{name}");
        let calls = (op.calls > 0).then(|| whole(op.calls as f64));
        let measured = op
            .measured_us
            .map(|time| quantity::micros(&path("measured_us"), Some(time), number(time.0, 4)));
        let predicted = quantity::micros(
            &path("predicted_us"),
            Some(op.predicted_us),
            number(op.predicted_us.0, 4),
        );
        vec![
            html! { { name(op) } },
            html! { { calls.unwrap_or_default() } },
            measured.unwrap_or_default(),
            predicted,
            bars(op, longest),
        ]
    };
    let rows = replayed.operations.iter().enumerate().map(row).collect();
    html! {
        <section class="panel" id="operations" aria-labelledby="operations-title">
            <h2 id="operations-title">{ text::OPERATIONS }</h2>
            <p class="aside">{ text::OPERATIONS_MEAN }</p>
            <Scroll>{ table::table(text::OPERATIONS, &text::OPERATION_COLUMNS, rows) }</Scroll>
            { algorithms(&replayed.algorithms) }
        </section>
    }
}

/// Names of MPI functions.
fn name(op: &CallTime) -> String {
    let is_mpi = op.call.starts_with(|first: char| first.is_ascii_uppercase());
    if is_mpi { format!("MPI_{}", op.call) } else { op.call.to_string() }
}

/// Measured time above predicted time.
fn bars(op: &CallTime, longest: f64) -> Html {
    let width = |time: Micros| format!("{:.2}%", 100.0 * time.0 / longest.max(f64::MIN_POSITIVE));
    let measured = op.measured_us.map(|time| {
        html! { <rect class="ink-idle" width={width(time)} y="0" height="45%" /> }
    });
    let measured_time = op.measured_us.map(time).unwrap_or_default();
    html! {
        <svg class="pair" role="img" aria-label={text::pair(&measured_time, &time(op.predicted_us))}>
            { measured }
            <rect class="ink-send" width={width(op.predicted_us)} y="50%" height="45%" />
        </svg>
    }
}

fn algorithms(chosen: &[AlgorithmUse]) -> Html {
    if chosen.is_empty() {
        return html! {};
    }
    let row = |chosen: &AlgorithmUse| -> Vec<Html> {
        vec![
            html! { { crate::text::operation(chosen.op) } },
            html! { { chosen.procs.to_string() } },
            html! { { chosen.sizes() } },
            html! { { chosen.algorithm.to_string() } },
            html! { { text::chooser(&chosen.chooser) } },
            html! { { chosen.basis.name() } },
        ]
    };
    html! {
        <details class="data">
            <summary>{ text::ALGORITHMS }</summary>
            <Scroll>
                { table::table(text::ALGORITHMS, &text::ALGORITHM_COLUMNS, chosen.iter().map(row).collect()) }
            </Scroll>
        </details>
    }
}
