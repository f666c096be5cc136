//! A machine as a plan sees it: by which rules messages go, and what stands in for what it does not
//! report.

use super::cost::Parts;
use crate::Error;
use crate::collective::{Algorithm, Nodes, named};
use crate::model::Route;
use crate::model::composition::Question;
use crate::signature::{Curve, Operation, Parameter, ProgressKind, Reach, Signature, Style};
use crate::simulate::ask::{Answer, Ask, BEST};
use crate::simulate::{Rules, Setting, Simulation};
use crate::units::{Bytes, Micros, Procs};
use loggia_engine::explain::Part;
use loggia_engine::schedule::Schedule;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A signature with all that a plan asks of it.
#[derive(Debug)]
pub struct Machine {
    signature: Signature,
    /// As it is reported: what stands in is no better than what was measured.
    reported: Option<Signature>,
    tier: Option<String>,
    style: Option<String>,
    rules: Rules,
    /// What stands in for what is not reported, and what that changes.
    pub doubts: Vec<String>,
    /// What collective operations were asked already.
    known: RefCell<BTreeMap<Asked, Result<Answer, Error>>>,
}

type Asked = (Operation, Procs, Bytes, String, u32);

impl Machine {
    /// A signature's tier and style, by the richest rules that it allows.
    ///
    /// # Errors
    /// Where it tells nothing of messages.
    pub fn new(
        signature: &Signature,
        tier: Option<&str>,
        style: Option<&str>,
        rules: Option<Rules>,
    ) -> Result<Self, Error> {
        let reported = signature;
        let mut signature = signature.clone();
        let mut doubts = Vec::new();
        let name = signature.tier(tier)?.name.clone();
        let refused = Rules::richest(&Route::of(&signature, tier, style)?).err();
        if let Some(refused) = refused {
            doubts.push(stand_in(&mut signature, &name).ok_or(refused)?);
        }
        let route = Route::of(&signature, tier, style)?;
        let richest = Rules::richest(&route)?;
        let rules = rules.unwrap_or(richest);
        doubts.extend(rules.remark(&route));
        let (tier, style) = (tier.map(str::to_owned), style.map(str::to_owned));
        let reported = (signature != *reported).then(|| reported.clone());
        Ok(Machine { signature, reported, tier, style, rules, doubts, known: RefCell::default() })
    }

    /// The signature, with what stands in.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// By which rules messages go.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether messages move on while a rank computes.
    pub fn moves_on(&self) -> bool {
        let tier = self.signature.tier(self.tier.as_deref()).ok();
        let kind = tier.and_then(|tier| tier.progress.as_ref()?.kind);
        kind == Some(ProgressKind::Independent)
    }

    /// Which ranks share a node, where that matters.
    pub(super) fn nodes(&self, procs: Procs, each: Option<u32>) -> Option<Nodes> {
        let has = |reach| self.signature.tiers.iter().any(|tier| tier.reach == reach);
        let each = each.filter(|_| has(Reach::Inter) && has(Reach::Intra))?;
        Nodes::block(procs.0, each).ok()
    }

    /// Runs what ranks do: how long it takes, and what that is made of.
    pub(super) fn run(
        &self,
        schedule: &Schedule,
        nodes: Option<&Nodes>,
    ) -> Result<(Micros, Parts), Error> {
        let node_of = nodes.map(Nodes::of_all);
        let (tier, style) = (self.tier.as_deref(), self.style.as_deref());
        let setting = Setting::of(&self.signature, tier, style, node_of)?;
        let simulation = Simulation::new(schedule, self.rules, &setting)?;
        let made = simulation.made_of();
        let of = |part: Part| {
            let ticks = made.share(part).ticks;
            simulation.micros(ticks.unsigned_abs()).0 * if ticks < 0 { -1.0 } else { 1.0 }
        };
        let parts = Parts {
            compute: of(Part::Compute),
            overhead: of(Part::Overhead) + of(Part::Control) + of(Part::OverheadBytes),
            latency: of(Part::Latency),
            gap: of(Part::Gap),
            bytes: of(Part::Bytes),
            waiting: 0.0,
        };
        Ok((Micros(parts.total()), parts))
    }

    /// What a collective operation costs, by this algorithm or the best way.
    pub(super) fn collective(
        &self,
        op: Operation,
        procs: Procs,
        bytes: Bytes,
        algorithm: Option<&str>,
        each: Option<u32>,
    ) -> Result<Answer, Error> {
        let how = algorithm.unwrap_or(BEST);
        let key = (op, procs, bytes, how.to_owned(), each.unwrap_or_default());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let question = Question { op, procs, bytes, bytes_are: op.bytes_are() };
        let by = |signature| self.ask(signature, question, each).by(how);
        let reported = self.reported.as_ref().map(by).and_then(Result::ok);
        let answer = reported.map_or_else(|| by(&self.signature), Ok);
        self.known.borrow_mut().insert(key, answer.clone());
        answer
    }

    /// The fastest algorithm of an operation.
    pub(super) fn fastest(
        &self,
        op: Operation,
        procs: Procs,
        bytes: Bytes,
        each: Option<u32>,
    ) -> Result<&'static Algorithm, Error> {
        let question = Question { op, procs, bytes, bytes_are: op.bytes_are() };
        let ask = self.ask(&self.signature, question, each);
        let name = ask.field()?.fastest(&question, &|_| None);
        let none = || Error::new(format!("no algorithm of {} can be priced", op.name()), "", "");
        named(op, name.ok_or_else(none)?)
    }

    fn ask<'s>(
        &'s self,
        signature: &'s Signature,
        question: Question,
        each: Option<u32>,
    ) -> Ask<'s> {
        Ask {
            tier: self.tier.as_deref(),
            style: self.style.as_deref(),
            nodes: self.nodes(question.procs, each),
            ..Ask::of(signature, question)
        }
    }
}

/// Lets half a round trip stand in for L, where the calls' own times are not reported; says so. None
/// where nothing can.
fn stand_in(signature: &mut Signature, tier: &str) -> Option<String> {
    let tier = signature.tiers.iter_mut().find(|known| known.name == tier)?;
    let style = tier.styles.iter().position(|style| style.startup.is_some());
    let whole = tier.end_to_end_latency.as_ref().and_then(|eel| eel.value);
    let whole = whole.or_else(|| tier.styles[style?].startup.as_ref()?.value)?;
    let each = tier.gap_per_byte.as_ref().and_then(|each| each.value);
    let each = each.or_else(|| tier.styles[style?].per_byte.as_ref()?.value)?;
    let source = "stands in: half a round trip, with the overheads in it";
    let parameter =
        |value: Micros| Parameter { source: source.to_owned(), ..Parameter::assumed(value) };
    let known = |curve: Option<&Curve>| {
        curve.and_then(|curve| Some(curve.at(Bytes(8))?.time.value.0)).unwrap_or_default()
    };
    if tier.styles.is_empty() {
        tier.styles.push(Style::unknown("send"));
    }
    let style = &mut tier.styles[style.unwrap_or_default()];
    let overheads = known(style.send_overhead.as_ref()) + known(style.recv_overhead.as_ref());
    let nothing = || Some(Curve::assumed(Micros(0.0)));
    style.send_overhead = style.send_overhead.take().or_else(nothing);
    style.recv_overhead = style.recv_overhead.take().or_else(nothing);
    tier.latency = Some(parameter(Micros((whole.0 - overheads).max(0.0))));
    tier.gap_per_byte = Some(Parameter { source: source.to_owned(), ..Parameter::assumed(each) });
    Some(
        "o_s, o_r or L is not reported: half a round trip stands in for them, so what is sent one \
         after the other and what overlaps with computation comes out too well (Netgauge, logp_mpi \
         or loggia collect would tell)"
            .to_owned(),
    )
}
