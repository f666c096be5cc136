//! SimGrid: a platform file, version 4.1, for SMPI of SimGrid 3.32 or later.
//!
//! # Formula
//! A message of k bytes, with its receive posted, takes under SMPI
//! `os(k) + lat·lf(w) + w/(bw·bf(w)) + or(k)`, where w = k + 16 for SMPI's envelope:
//! - os, or: `smpi/os` (`smpi/ois` for a non-blocking send) and `smpi/or`, `size:fixed:per byte` in
//!   seconds; charged only below `smpi/send-is-detached-thresh`
//! - lat, bw: latency and bandwidth of the route, which in a cluster crosses two links; where R_N is
//!   known, that is the bandwidth of a link, which all messages of a node share
//! - lf, bf: `smpi/lat-factor` and `smpi/bw-factor`, `size:factor`
//!
//! A section counts from the size after the one that it names. So every piece of the signature's own
//! prediction that is a line over size is a section here, and the two are equal; see [`prediction`].
//! What an empty message pays where the first section names 0 differs between SimGrid's versions, so
//! all that a message of 0 or 1 bytes costs is the network's.

mod factors;
mod lines;
mod loopback;
mod network;
mod prediction;

use super::{heading, not_reported};
use crate::error::ExportError;
use factors::{Factors, Loopback};
use lines::Line;
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::{Need, Route};
use loggia_model::units::words::{number, rate, size, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, Procs};

use std::fmt::Write;

/// As many digits as a factor needs, whose section may reach to 2^31 bytes.
const DIGITS: usize = 12;

/// The platform, with its comments.
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
    let loopback = factors.loopback.as_ref().map(|inside| {
        format!(
            "\n             loopback_bw=\"{}\" loopback_lat=\"{}\"",
            bandwidth(inside.per_byte),
            latency(inside.latency)
        )
    });
    format!(
        "    <cluster id=\"{name}\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n\
         {:13}bw=\"{}\" lat=\"{}\" sharing_policy=\"SPLITDUPLEX\"{}/>\n",
        nodes.0 - 1,
        "",
        bandwidth(factors.per_byte),
        // A message crosses the link of its sender and that of its receiver.
        latency(factors.latency * 0.5),
        loopback.unwrap_or_default()
    )
}

fn config(factors: &Factors) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("network/model", "SMPI".to_owned()),
        // Neither a TCP window nor acknowledgements: no model here has them.
        ("network/TCP-gamma", "1e18".to_owned()),
        ("network/crosstraffic", "0".to_owned()),
        // Computation takes as long as where the simulation runs.
        ("smpi/host-speed", "1Gf".to_owned()),
    ];
    let section = |line: &Line| format!("{}:{}", line.after, number(line.per_byte, DIGITS));
    all.push(("smpi/bw-factor", joined(&factors.bandwidth_factors, section)));
    let section = |line: &Line| format!("{}:{}", line.after, number(line.fixed, DIGITS));
    all.push(("smpi/lat-factor", joined(&factors.latency_factors, section)));
    let section = |line: &Line| {
        let [fixed, each] = [line.fixed, line.per_byte].map(|us| number(us * 1e-6, DIGITS));
        format!("{}:{fixed}:{each}", line.after)
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
    lines.push(format!("{model}SMPI's times of messages are those that Loggia predicts"));
    let needs = [Need::SendOverhead, Need::RecvOverhead, Need::GapPerByte, Need::EagerLimit];
    lines.extend(not_reported(route, &needs));
    if !route.has(Need::EagerLimit) {
        lines.push("without S, every message is eager: no send waits for its receive".to_owned());
    }
    if route.has(Need::Gap) {
        lines.push("SMPI has no g: messages of one sender follow each other after its os".into());
    }
    lines.push("messages of 0 and 1 bytes: smpi/os and smpi/or are in smpi/lat-factor".to_owned());
    lines.push(
        "the speed of processors is not in a signature: 1Gf here and for the machine that \
         simulates, so computation takes as long as there"
            .to_owned(),
    );
    let card = route.node_gap_per_byte();
    lines.extend(card.map(|card| {
        format!(
            "the link of a node has the rate of its network card, R_N = {}, which its ranks share; \
             smpi/bw-factor gives one message the rate that it has alone",
            rate(BytesPerMicro(1.0 / card.value.0))
        )
    }));
    lines.extend(inside(factors.loopback.as_ref()));
    if factors.is_bent {
        lines.push(
            "where a line of the prediction has no factor, it is followed within 0.5%".into(),
        );
    }
    lines.into_iter().map(one_line).collect()
}

fn inside(loopback: Option<&Loopback>) -> Vec<String> {
    let Some(loopback) = loopback else {
        return vec![
            "nothing is known of messages inside a node: place one rank on each".to_owned(),
        ];
    };
    let off = |(bytes, theirs, ours): &(Bytes, Micros, Micros)| {
        let is_off = (theirs.0 - ours.0).abs() > 0.01 * ours.0;
        let [theirs, ours] = [theirs, ours].map(|us| time(*us));
        is_off.then(|| format!("inside, a message of {} takes {theirs}, not {ours}", size(*bytes)))
    };
    let what = format!(
        "loopback is {}; SMPI takes the same factors and overheads inside a node as outside",
        loopback.tier
    );
    std::iter::once(what).chain(loopback.times.iter().filter_map(off)).collect()
}

fn bandwidth(per_byte: f64) -> String {
    format!("{}Bps", number(1e6 / per_byte, DIGITS))
}

fn latency(time: Micros) -> String {
    format!("{}us", number(time.0, DIGITS))
}

/// Text where XML allows no two hyphens.
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
