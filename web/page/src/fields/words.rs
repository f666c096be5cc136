//! Texts of fields that several views have.

pub(crate) const RANKS_PER_NODE: &str = "Ranks per node";
pub(crate) const ASSUMPTIONS: &str = "Assumptions";

pub(crate) const ASSUME: &str = "Assume these values";

pub(crate) const ASSUMED: &str = "Assumed values are marked as such among the parameters, where you can \
    change or reset them.";

pub(crate) const WHAT_IF: &str = "What if";

pub(crate) const LATENCY: &str = "latency";

pub(crate) const BANDWIDTH: &str = "bandwidth";

pub(crate) const OVERHEAD: &str = "overheads";

pub(crate) const COMPUTE: &str = "computation";

pub(crate) const PROGRESS: &str = "Progress";

pub(crate) const AS_MEASURED: &str = "unchanged";

pub(crate) const AS_MEASURED_HINT: &str = "as in the machine's signature";

pub(crate) const DEPENDENT: &str = "messages progress only in library calls";

pub(crate) const INDEPENDENT: &str = "messages progress during computation";

pub(crate) const EAGER_LIMIT: &str = "eager limit, bytes";

pub(crate) const RESET: &str = "Reset";

/// A factor as text for an input, with three digits.
pub(crate) fn factor(times: f64) -> String {
    let digits = (2 - times.max(1e-9).log10().floor() as i32).clamp(0, 9) as usize;
    format!("{times:.digits$}")
}

/// A factor with its sign: "× 0.5".
pub(crate) fn times(times: f64) -> String {
    format!("× {}", factor(times).trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_short() {
        assert_eq!(
            [times(1.0), times(0.5), times(16.0), times(1.0717735)],
            ["× 1", "× 0.5", "× 16", "× 1.07"]
        );
    }
}
