//! SimGrid: SMPI's own formula gives the signature's predicted times.
//!
//! The formula is that of SMPI's sources (`Request::start`, `Request::finish_wait`, `FactorSet`,
//! `NetworkCm02Model`); SimGrid 3.32 gave the same times for these platforms.

use crate::machines::{SIZES, all, all_defaults, export, route};
use crate::platform::{Platform, bandwidth, latency};
use loggia_exchange::export::{Target, export as export_to};
use loggia_model::error::Input;
use loggia_model::library;
use loggia_model::model::{self, Route};
use loggia_model::signature::{Defaults, Signature};
use loggia_model::units::{Bytes, Procs};

/// `threshold:value[:value];…`, in increasing order of threshold.
struct Sections(Vec<(u64, Vec<f64>)>);

impl Sections {
    fn of(text: &str) -> Self {
        let section = |section: &str| {
            let mut parts = section.split(':');
            // SimGrid reads the threshold as a C `int`.
            let after: i32 = parts.next().unwrap().parse().unwrap();
            let values: Vec<f64> = parts.map(|value| value.parse().unwrap()).collect();
            assert!(values.iter().all(|value| value.is_finite()), "{text}");
            (u64::try_from(after).unwrap(), values)
        };
        let all: Vec<_> = text.split(';').map(section).collect();
        assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0), "{text}");
        assert_eq!(all[0].0, 0, "{text}");
        Sections(all)
    }

    /// Values of the last section with a smaller threshold. `None` at the first threshold, where
    /// SimGrid's versions differ.
    fn at(&self, size: u64) -> Option<&[f64]> {
        Some(&self.0.iter().rev().find(|(after, _)| *after < size)?.1)
    }
}

struct Smpi {
    platform: Platform,
    bandwidth_factor: Sections,
    latency_factor: Sections,
    overheads: [Sections; 3],
    threshold: u64,
}

impl Smpi {
    fn of(text: &str) -> Self {
        let platform = Platform::read(text);
        let sections = |name| Sections::of(platform.option(name));
        let threshold = platform.option("smpi/send-is-detached-thresh").parse().unwrap();
        let (bandwidth_factor, latency_factor) =
            (sections("smpi/bw-factor"), sections("smpi/lat-factor"));
        let overheads = ["smpi/os", "smpi/ois", "smpi/or"].map(sections);
        for (_, values) in bandwidth_factor.0.iter().chain(&latency_factor.0) {
            assert!(values.len() == 1 && values[0] >= 0.0, "{text}");
        }
        // SimGrid refuses a bandwidth factor of 0.
        assert!(bandwidth_factor.0.iter().all(|(_, values)| values[0] > 0.0), "{text}");
        assert!(overheads.iter().all(|s| s.0.iter().all(|(_, values)| values.len() == 2)));
        Smpi { platform, bandwidth_factor, latency_factor, overheads, threshold }
    }

    fn overhead(&self, which: usize, size: u64) -> f64 {
        let sections = &self.overheads[which];
        match sections.at(size) {
            Some(values) => {
                let time = values[0] + values[1] * size as f64;
                assert!(time > -1e-15, "{time} s at {size} bytes");
                time
            }
            // At the first threshold: 0, or the values of the first section.
            None => {
                assert_eq!(sections.0[0].1, [0.0, 0.0], "SimGrid's versions differ");
                0.0
            }
        }
    }

    /// In µs.
    fn time(&self, size: u64, non_blocking: bool, [latency, bandwidth]: [f64; 2]) -> f64 {
        let wire = size + 16;
        let lf = self.latency_factor.at(wire).unwrap()[0];
        let bf = self.bandwidth_factor.at(wire).unwrap()[0];
        let network = latency * lf + wire as f64 / (bandwidth * bf);
        let overheads = match size < self.threshold {
            true => self.overhead(usize::from(non_blocking), size) + self.overhead(2, size),
            false => 0.0,
        };
        (network + overheads) * 1e6
    }

    /// Between two nodes of the cluster: over the links of both nodes.
    fn between(&self, size: u64, non_blocking: bool) -> f64 {
        let attribute = |name| self.platform.cluster(name).unwrap();
        let links = [2.0 * latency(attribute("lat")), bandwidth(attribute("bw"))];
        self.time(size, non_blocking, links)
    }

    fn inside(&self, size: u64, non_blocking: bool) -> f64 {
        let attribute = |name| self.platform.cluster(name).unwrap();
        let link = [latency(attribute("loopback_lat")), bandwidth(attribute("loopback_bw"))];
        self.time(size, non_blocking, link)
    }
}

fn predicted(route: &Route, size: u64) -> f64 {
    model::predict(route, None, Bytes(size)).unwrap().time().unwrap().0
}

fn is_isend(route: &Route) -> bool {
    route.style.is_some_and(|style| style.name.0 == "isend")
}

#[test]
fn simulated_times_equal_predicted_times() {
    let (mut exact, mut bent) = (0, 0);
    for machine in all() {
        for defaults in all_defaults(&machine) {
            let Ok(text) = export(&machine, Target::SimGrid, &defaults) else { continue };
            let smpi = Smpi::of(&text);
            let route = route(&machine, &defaults);
            let is_bent = text.contains("within 0.5%");
            for size in SIZES {
                let (simulated, predicted_time) =
                    (smpi.between(size, is_isend(&route)), predicted(&route, size));
                let max_error = if is_bent { 0.006 } else { 1e-6 };
                assert!(
                    (simulated - predicted_time).abs() <= max_error * predicted_time + 1e-6,
                    "{} {defaults:?} {size} B: {simulated} not {predicted_time}\n{text}",
                    machine.name
                );
            }
            if is_bent { bent += 1 } else { exact += 1 }
        }
    }
    assert!(exact > 30 && bent >= 1, "{exact} and {bent}");
}

#[test]
fn isend_and_send_keep_their_own_overheads() {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.set("isend.o_s", "3us").unwrap();
    let mut blocking = machine.tiers[0].styles[0].clone();
    blocking.name.0 = "send".to_owned();
    machine.tiers[0].styles.push(blocking);
    machine.set("send.o_s", "9us").unwrap();
    for style in ["isend", "send"] {
        let defaults = Defaults { tier: None, style: Some(style) };
        let smpi = Smpi::of(&export(&machine, Target::SimGrid, &defaults).unwrap());
        for non_blocking in [false, true] {
            let name = if non_blocking { "isend" } else { "send" };
            let route = Route::of(&machine, None, Some(name)).unwrap();
            let (simulated, predicted_time) =
                (smpi.between(1000, non_blocking), predicted(&route, 1000));
            assert!(
                (simulated - predicted_time).abs() < 1e-6 * predicted_time,
                "{style}, {name}: {simulated} not {predicted_time}"
            );
        }
    }
}

/// Two tiers with the same overheads, since SMPI has one set of overheads for both.
#[test]
fn a_tier_inside_the_node_is_the_loopback() {
    let mut machine = library::load("convex-exemplar").unwrap();
    for key in ["inter-hypernode.o_s", "intra-hypernode.o_s"] {
        machine.set(key, "20us").unwrap();
    }
    for key in ["inter-hypernode.o_r", "intra-hypernode.o_r"] {
        machine.set(key, "20us").unwrap();
    }
    let defaults = Defaults::default();
    let text = export(&machine, Target::SimGrid, &defaults).unwrap();
    assert!(!text.contains("inside a node: SMPI"), "{text}");
    let smpi = Smpi::of(&text);
    let inside = Route::of(&machine, Some("intra-hypernode"), None).unwrap();
    for size in [8, 1 << 20] {
        let (simulated, predicted_time) = (smpi.inside(size, true), predicted(&inside, size));
        assert!(
            (simulated - predicted_time).abs() < 0.01 * predicted_time,
            "{size} B: {simulated} not {predicted_time}\n{text}"
        );
    }
    // The published overheads of the network exceed the time of a message inside a node.
    let published = library::load("convex-exemplar").unwrap();
    let text = export(&published, Target::SimGrid, &defaults).unwrap();
    assert!(text.contains("message of 8 B inside a node: SMPI"), "{text}");
}

#[test]
fn a_platform_has_the_requested_number_of_nodes() {
    let machine = library::load("cray-t3d").unwrap();
    let nodes = |n| export_to(&machine, Target::SimGrid, Defaults::default(), Procs(n));
    assert_eq!(Platform::read(&nodes(64).unwrap()).cluster("radical"), Some("0-63"));
    assert_eq!(Platform::read(&nodes(1).unwrap()).cluster("radical"), Some("0-0"));
    assert_eq!(nodes(0).unwrap_err().place, Input::Nodes.into());
}

#[test]
fn hostile_text_stays_in_comments_and_attributes() {
    let hostile = |machine: &mut Signature, text: &str| {
        machine.title = text.to_owned();
        machine.tiers[0].name = text.to_owned();
    };
    for text in ["a -- b --> <x/>", "---", "--", "-", "\u{1}\u{b}", "\"&<>'"] {
        let mut machine = library::load("cray-t3d").unwrap();
        hostile(&mut machine, text);
        Platform::read(&export(&machine, Target::SimGrid, &Defaults::default()).unwrap());
    }
}
