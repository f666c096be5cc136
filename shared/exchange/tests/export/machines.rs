//! Machines with many or few known parameters.

use loggia_exchange::export::{NODES, Target};
use loggia_model::model::Route;
use loggia_model::signature::{Defaults, Signature};
use loggia_model::{Error, library};

fn with(name: &str, set: &[(&str, &str)]) -> Signature {
    let mut machine = library::load(name).unwrap();
    for (key, value) in set {
        machine.set(key, value).unwrap();
    }
    machine
}

/// The published machines, and some machines for the other models.
pub(super) fn all() -> Vec<Signature> {
    let loggpo = [
        ("S", "4KiB"),
        ("O'", "2"),
        ("O_i", "1:5us,4096:6us,4097:3us,64KiB:4us"),
        ("O_c", "1:7us,1KiB:5us,4096:9us"),
        ("L", "10"),
        ("g", "3.25"),
        ("G", "0.05"),
        ("progress", "dcp"),
    ];
    let loggpo = |transfer| with("cray-t3d", &[&loggpo[..], &[("transfer", transfer)]].concat());
    // Exports hold parameters only: without tables, predictions use the parameters, too.
    let published = library::names()
        .map(|name| Signature { tables: Vec::new(), ..library::load(name).unwrap() });
    published
        .chain([
            with("cray-t3d", &[("S", "10000")]),
            with("cray-t3d", &[("S", "1"), ("g", "2us")]),
            with("cray-t3d", &[("S", "0")]),
            // G is 0; the latency is less than that of the envelope.
            with("cray-t3d", &[("G", "0"), ("o_s", "2us"), ("o_r", "3us")]),
            with("cray-t3d", &[("L", "10ns"), ("o_s", "5us"), ("o_r", "5us")]),
            with("cray-t3d", &[("o_s", "0"), ("o_r", "0"), ("L", "0")]),
            // Neither increasing nor linear in the size.
            with(
                "cray-t3d",
                &[("G", "none"), ("g(m)", "1:5us,64:4us,1KiB:9us,4KiB:80us,8KiB:70us")],
            ),
            loggpo("rat"),
            loggpo("rta"),
        ])
        .collect()
}

/// Every tier and send mode of a machine.
pub(super) fn all_defaults(machine: &Signature) -> Vec<Defaults<'_>> {
    let mut all_defaults = vec![Defaults::default()];
    for tier in &machine.tiers {
        let named = Defaults { tier: Some(&tier.name), style: None };
        all_defaults.push(named);
        all_defaults
            .extend(tier.styles.iter().map(|s| Defaults { style: Some(&s.name.0), ..named }));
    }
    all_defaults
}

pub(super) fn route<'a>(machine: &'a Signature, defaults: &Defaults<'a>) -> Route<'a> {
    Route::of(machine, defaults.tier, defaults.style).unwrap()
}

pub(super) fn export(
    machine: &Signature,
    target: Target,
    defaults: &Defaults,
) -> Result<String, Error> {
    let defaults = Defaults { tier: defaults.tier, style: defaults.style };
    loggia_exchange::export::export(machine, target, defaults, NODES)
}

/// Sizes at and next to which a prediction may change.
pub(super) const SIZES: [u64; 26] = [
    0,
    1,
    2,
    3,
    8,
    15,
    16,
    17,
    64,
    100,
    101,
    1000,
    1024,
    2500,
    4095,
    4096,
    4097,
    8192,
    9999,
    10_000,
    10_001,
    30_000,
    65_536,
    100_000,
    1 << 20,
    1 << 30,
];
