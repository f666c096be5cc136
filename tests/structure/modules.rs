//! Arrows between modules that close a cycle and are still to be cut.

/// By crate: the module that uses, the module that is used. Delete a line when its arrow is cut; add
/// none.
const STILL_USED: &[(&str, &str, &str)] = &[
    // figures → state → figures
    ("loggia-link", "state", "figures"),
    // schedule → stream → schedule
    ("loggia-schedule", "stream", "schedule"),
    // lib → costs → lib
    ("loggia-simulate", "costs", "lib"),
    // abi → library → abi
    ("loggia-tracer", "abi", "library"),
    // wrap → recorder → wrap
    ("loggia-tracer", "recorder", "wrap"),
    // lib → {prepared, workload} → lib
    ("loggia-worker", "prepared", "lib"),
    ("loggia-worker", "workload", "lib"),
];

/// The arrows of this crate that are still to be cut.
pub(crate) fn still_used(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_crate = STILL_USED.iter().filter(move |(of, ..)| *of == name);
    of_crate.map(|(_, from, to)| (*from, *to))
}
