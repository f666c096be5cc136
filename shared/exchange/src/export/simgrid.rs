//! SimGrid: a platform file, version 4.1, for SMPI of SimGrid 3.32 or later.
//!
//! # Formula
//! A message of k bytes, with its receive posted, takes under SMPI
//! `os(k) + lat·lf(w) + w/(bw·bf(w)) + or(k)`, where w = k + 16 for SMPI's envelope:
//! - os, or: `smpi/os` (`smpi/ois` for a non-blocking send) and `smpi/or`, `size:fixed:per byte` in
//!   seconds; charged only below `smpi/send-is-detached-thresh`
//! - lat, bw: latency and bandwidth of the route, which crosses two links in a cluster; if R_N is
//!   known, bw is R_N, shared by all messages of a node
//! - lf, bf: `smpi/lat-factor` and `smpi/bw-factor`, `size:factor`
//!
//! A section starts at the size after its threshold. Each linear piece of the signature's prediction
//! becomes a section, so SMPI's times equal the prediction; see [`prediction`].
//! SimGrid's versions differ for an empty message if the first threshold is 0, so the network is
//! charged the whole time of messages of 0 or 1 bytes.

mod factors;
mod lines;
mod loopback;
mod network;
mod prediction;

use super::{heading, unknown_parameters};
use crate::error::ExportError;
use factors::{Factors, Loopback};
use lines::Line;
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::{Need, Route};
use loggia_model::units::words::{number, rate, size, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, Procs};

use std::fmt::Write;

/// Significant digits of a factor; a section may reach up to 2^31 bytes.
const DIGITS: usize = 12;

/// The platform file, with comments.
pub(super) fn platform(route: &Route, nodes: Procs) -> Result<String, Error> {
    if nodes.0 == 0 {
        return Err(ExportError::NoNodes.into());
    }
    let factors = Factors::of(route)?;
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n",
    );
    for line in comments(route, &factors) {
        let _ = writeln!(text, "<!-- {} -->", comment(&line));
    }
    text.push_str("<platform version=\"4.1\">\n  <config>\n");
    for (key, value) in config(&factors) {
        let _ = writeln!(text, "    <prop id=\"{key}\" value=\"{value}\"/>");
    }
    text.push_str("  </config>\n  <zone id=\"world\" routing=\"Full\">\n");
    text.push_str(&cluster(route, &factors, nodes));
    text.push_str("  </zone>\n</platform>\n");
    Ok(text)
}

fn cluster(route: &Route, factors: &Factors, nodes: Procs) -> String {
    let name = attribute(&route.signature.name);
    let loopback = factors.loopback.as_ref().map(|loopback| {
        format!(
            "\n             loopback_bw=\"{}\" loopback_lat=\"{}\"",
            bandwidth(loopback.per_byte),
            latency(loopback.latency)
        )
    });
    format!(
        "    <cluster id=\"{name}\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n\
         {:13}bw=\"{}\" lat=\"{}\" sharing_policy=\"SPLITDUPLEX\"{}/>\n",
        nodes.0 - 1,
        "",
        bandwidth(factors.per_byte),
        // A message crosses the links of its sender and its receiver.
        latency(factors.latency * 0.5),
        loopback.unwrap_or_default()
    )
}

fn config(factors: &Factors) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("network/model", "SMPI".to_owned()),
        // No TCP window and no acknowledgements: the models have neither.
        ("network/TCP-gamma", "1e18".to_owned()),
        ("network/crosstraffic", "0".to_owned()),
        // Computation is as fast as on the simulating machine.
        ("smpi/host-speed", "1Gf".to_owned()),
    ];
    let section = |line: &Line| format!("{}:{}", line.after, number(line.per_byte, DIGITS));
    all.push(("smpi/bw-factor", joined(&factors.bandwidth_factors, section)));
    let section = |line: &Line| format!("{}:{}", line.after, number(line.fixed, DIGITS));
    all.push(("smpi/lat-factor", joined(&factors.latency_factors, section)));
    let section = |line: &Line| {
        let [fixed, per_byte] = [line.fixed, line.per_byte].map(|us| number(us * 1e-6, DIGITS));
        format!("{}:{fixed}:{per_byte}", line.after)
    };
    all.push(("smpi/os", joined(&factors.send, section)));
    all.push(("smpi/ois", joined(&factors.isend, section)));
    all.push(("smpi/or", joined(&factors.recv, section)));
    let threshold = factors.threshold.to_string();
    all.push(("smpi/async-small-thresh", threshold.clone()));
    all.push(("smpi/send-is-detached-thresh", threshold));
    all
}

fn joined(lines: &[Line], section: impl Fn(&Line) -> String) -> String {
    lines.iter().map(section).collect::<Vec<_>>().join(";")
}

fn comments(route: &Route, factors: &Factors) -> Vec<String> {
    let mut lines = heading(route);
    let model = factors.model.map(|model| format!("{}: ", model.title())).unwrap_or_default();
    lines.push(format!("{model}SMPI's message times equal Loggia's predictions"));
    let needs = [Need::SendOverhead, Need::RecvOverhead, Need::GapPerByte, Need::EagerLimit];
    lines.extend(unknown_parameters(route, &needs));
    if !route.has(Need::EagerLimit) {
        lines.push(
            "S is unknown: every message is eager, and no send waits for its receive".to_owned(),
        );
    }
    if route.has(Need::Gap) {
        lines.push("SMPI has no g: a sender's messages follow each other after os".into());
    }
    lines
        .push("messages of 0 and 1 bytes: smpi/lat-factor includes smpi/os and smpi/or".to_owned());
    lines.push(
        "a signature has no CPU speed: 1Gf here and for the simulating machine, so computation \
         is as fast as on the simulating machine"
            .to_owned(),
    );
    let card = route.node_gap_per_byte();
    lines.extend(card.map(|card| {
        format!(
            "the bandwidth of a node's link is R_N = {}, shared by its ranks; \
             smpi/bw-factor gives a single message its own bandwidth",
            rate(BytesPerMicro(1.0 / card.value.0))
        )
    }));
    lines.extend(loopback_notes(factors.loopback.as_ref()));
    if factors.is_bent {
        lines.push(
            "pieces of the prediction without a valid factor are approximated within 0.5%".into(),
        );
    }
    lines.into_iter().map(one_line).collect()
}

fn loopback_notes(loopback: Option<&Loopback>) -> Vec<String> {
    let Some(loopback) = loopback else {
        return vec![
            "the signature has no tier inside a node: place one rank on each node".to_owned(),
        ];
    };
    let difference = |(bytes, simulated, predicted): &(Bytes, Micros, Micros)| {
        let differs = (simulated.0 - predicted.0).abs() > 0.01 * predicted.0;
        let [simulated, predicted] = [simulated, predicted].map(|us| time(*us));
        differs.then(|| {
            format!(
                "message of {} inside a node: SMPI {simulated}, Loggia {predicted}",
                size(*bytes)
            )
        })
    };
    let loopback_tier = format!(
        "loopback is tier {}; SMPI uses the same factors and overheads inside a node",
        loopback.tier
    );
    std::iter::once(loopback_tier).chain(loopback.times.iter().filter_map(difference)).collect()
}

fn bandwidth(per_byte: f64) -> String {
    format!("{}Bps", number(1e6 / per_byte, DIGITS))
}

fn latency(time: Micros) -> String {
    format!("{}us", number(time.0, DIGITS))
}

/// Text of an XML comment, which must not contain two hyphens.
fn comment(text: &str) -> String {
    let mut text = text.replace("--", "- -").replace("--", "- -");
    if text.ends_with('-') {
        text.push(' ');
    }
    text
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
