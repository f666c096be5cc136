//! The parameters that can be set, by their symbols.

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Latency,
    Gap,
    GapPerByte,
    NodeGapPerByte,
    EndToEndLatency,
    GapBySize,
    SendOverhead,
    RecvOverhead,
    Startup,
    PerByte,
    EagerLimit,
    ControlOverhead,
    Initiation,
    Copy,
    Progress,
    Transfer,
}

/// Keys with their symbols and descriptions.
pub(super) const KEYS: [(Key, &str, &str); 16] = [
    (Key::Latency, "L", "latency"),
    (Key::Gap, "g", "gap between messages"),
    (Key::GapPerByte, "G", "gap per byte"),
    (
        Key::NodeGapPerByte,
        "R_N",
        "rate of a node's network card, which its ranks share, such as 10GB/s",
    ),
    (Key::EndToEndLatency, "EEL", "end-to-end latency of 8 bytes"),
    (Key::GapBySize, "g(m)", "gap by size: size:time,size:time"),
    (Key::SendOverhead, "o_s", "send overhead: a time, or size:time,size:time"),
    (Key::RecvOverhead, "o_r", "receive overhead: a time, or size:time,size:time"),
    (Key::Startup, "t_s", "startup of Hockney's line"),
    (Key::PerByte, "t_b", "time per byte of Hockney's line"),
    (Key::EagerLimit, "S", "eager limit, in bytes"),
    (Key::ControlOverhead, "O'", "overhead of a control message (also written O_control)"),
    (Key::Initiation, "O_i", "initiation overhead: a time, or size:time,size:time"),
    (Key::Copy, "O_c", "copy overhead: a time, or size:time,size:time"),
    (Key::Progress, "progress", "dependent or independent"),
    (Key::Transfer, "transfer", "rat or rta, above the eager limit"),
];

impl Key {
    /// The key of `[tier.][style.]symbol`, and its symbol.
    pub(super) fn named(key: &str) -> Option<(Key, &'static str)> {
        let spelled = match key.rsplit('.').next().unwrap_or_default().trim() {
            "O_control" => "O'",
            "1/R_N" => "R_N",
            symbol => symbol,
        };
        let named = KEYS.iter().find(|(_, symbol, _)| *symbol == spelled);
        named.map(|(key, symbol, _)| (*key, *symbol))
    }
}
