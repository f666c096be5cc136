//! Words of the dialog that makes a machine.

pub(super) const TITLE: &str = "New machine";
pub(super) const EXPLAINED: &str = "A machine of your own from a few numbers. Empty fields stay \
    unknown; a prediction that needs one names it.";
pub(super) const NAME: &str = "Name";
pub(super) const NAME_HINT: &str = "The next cluster";
pub(super) const SOURCE: &str = "Where the numbers come from";
pub(super) const SOURCE_HINT: &str = "the vendor's offer of May";
pub(super) const MAKE: &str = "Create machine";

/// Fields of parameters: symbol, meaning, example.
pub(super) const PARAMETERS: [(&str, &str, &str); 7] = [
    ("L", "latency", "2us"),
    ("o", "overhead of a send and of a receive", "0.3us"),
    ("g", "gap between messages", "0.4us"),
    ("G", "gap per byte", "0.08ns"),
    ("R_N", "rate of a node's network card, which its ranks share", "25GB/s"),
    ("S", "eager limit", "8KiB"),
    ("EEL", "end-to-end latency of 8 bytes", "2.6us"),
];
