//! Kind of a benchmark by its name: `Multi-PingPong`, `Iallreduce_pure`.

use crate::import::BenchmarkKind;
use loggia_model::signature::Operation;

/// Messages in flight in bandwidth tests: MAX_WIN_SIZE in IMB's sources.
const WINDOW: u32 = 64;

/// The kind of a benchmark, or why it cannot be used. The number of concurrent groups is printed
/// later in the output.
pub(super) fn kind_of(name: &str) -> Result<BenchmarkKind, String> {
    let stream = |directions| BenchmarkKind::Stream { window: Some(WINDOW), directions, pairs: 1 };
    let (is_multi, name) = match name.strip_prefix("Multi-") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let base = name.trim_end_matches("SpecificSource").trim_end_matches("AnySource");
    Ok(match base {
        "PingPong" if is_multi => BenchmarkKind::ConcurrentMessage { pairs: None },
        _ if is_multi => {
            return Err(format!("a signature cannot hold {name} of several concurrent groups"));
        }
        "PingPong" => BenchmarkKind::Message,
        "PingPing" | "Sendrecv" => BenchmarkKind::Exchange { neighbours: 1 },
        "Exchange" => BenchmarkKind::Exchange { neighbours: 2 },
        "Uniband" => stream(1),
        "Biband" => stream(2),
        other => return collective(other),
    })
}

fn collective(name: &str) -> Result<BenchmarkKind, String> {
    let (is_nonblocking, op) = match name.strip_prefix('I') {
        Some(rest) => (true, rest.strip_suffix("_pure").unwrap_or(rest)),
        None => (false, name),
    };
    let op = op.to_ascii_lowercase();
    let variants = ["gatherv", "allgatherv", "scatterv", "alltoallv", "exscan"];
    let is_known = Operation::named(&op).is_ok() || variants.contains(&op.as_str());
    if !(is_known || op.starts_with("reduce_")) {
        return Err(format!("a signature cannot hold IMB {name}"));
    }
    Ok(BenchmarkKind::collective(op, is_nonblocking, false))
}

/// Whether IMB uses its datatype for reductions.
pub(super) fn is_reduction(kind: &BenchmarkKind) -> bool {
    match kind {
        BenchmarkKind::Collective { op: Some(op), .. } => {
            op.contains("reduce") || op.contains("scan")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_the_kind() {
        assert_eq!(kind_of("PingPongAnySource"), Ok(BenchmarkKind::Message));
        assert_eq!(
            kind_of("PingPingSpecificSource"),
            Ok(BenchmarkKind::Exchange { neighbours: 1 })
        );
        assert_eq!(kind_of("Multi-PingPong"), Ok(BenchmarkKind::ConcurrentMessage { pairs: None }));
        let op_of = |name: &str| match kind_of(name) {
            Ok(BenchmarkKind::Collective { op, is_nonblocking, .. }) => (op, is_nonblocking),
            other => (Some(format!("{other:?}")), false),
        };
        assert_eq!(op_of("Iallreduce_pure"), (Some("allreduce".to_owned()), true));
        assert_eq!(op_of("Reduce_scatter"), (Some("reduce_scatter".to_owned()), false));
        for no in ["Multi-Allreduce", "Unidir_put", "Window", "S_Write_indv", "Stencil2D"] {
            assert!(kind_of(no).is_err(), "{no}");
        }
    }
}
