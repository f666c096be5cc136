//! Which benchmark is that? `Multi-PingPong`, `Iallreduce_pure`.

use crate::import::BenchmarkKind;
use loggia_model::signature::Operation;

/// Messages in flight in its bandwidth tests: MAX_WIN_SIZE in its sources.
const WINDOW: u32 = 64;

/// What a benchmark measures, by its name; or why it is of no use. Of groups that run at the same
/// time, so many are said.
pub(super) fn what(name: &str) -> Result<BenchmarkKind, String> {
    let flood = |directions| BenchmarkKind::Stream { window: Some(WINDOW), directions, pairs: 1 };
    let (is_beside, name) = match name.strip_prefix("Multi-") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let kind = name.trim_end_matches("SpecificSource").trim_end_matches("AnySource");
    Ok(match kind {
        "PingPong" if is_beside => BenchmarkKind::ConcurrentMessage { pairs: None },
        _ if is_beside => {
            return Err(format!("a signature holds {name} of one group, not of several at a time"));
        }
        "PingPong" => BenchmarkKind::Message,
        "PingPing" | "Sendrecv" => BenchmarkKind::Exchange { neighbours: 1 },
        "Exchange" => BenchmarkKind::Exchange { neighbours: 2 },
        "Uniband" => flood(1),
        "Biband" => flood(2),
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
        return Err(format!("a signature has no place for IMB {name}"));
    }
    Ok(BenchmarkKind::collective(op, is_nonblocking, false))
}

/// Whether it reduces, for which it uses another data type than for sending.
pub(super) fn is_reduction(what: &BenchmarkKind) -> bool {
    match what {
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
    fn names_say_what_is_measured() {
        assert_eq!(what("PingPongAnySource"), Ok(BenchmarkKind::Message));
        assert_eq!(what("PingPingSpecificSource"), Ok(BenchmarkKind::Exchange { neighbours: 1 }));
        assert_eq!(what("Multi-PingPong"), Ok(BenchmarkKind::ConcurrentMessage { pairs: None }));
        let of = |name: &str| match what(name) {
            Ok(BenchmarkKind::Collective { op, is_nonblocking, .. }) => (op, is_nonblocking),
            other => (Some(format!("{other:?}")), false),
        };
        assert_eq!(of("Iallreduce_pure"), (Some("allreduce".to_owned()), true));
        assert_eq!(of("Reduce_scatter"), (Some("reduce_scatter".to_owned()), false));
        for no in ["Multi-Allreduce", "Unidir_put", "Window", "S_Write_indv", "Stencil2D"] {
            assert!(what(no).is_err(), "{no}");
        }
    }
}
