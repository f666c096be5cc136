//! Costs of messages, in integer ticks.
//!
//! In the model `loggops`, a tick is the coarsest of ns, ps and fs of which every parameter is a
//! multiple. In all other models it is 1 ps, and the cost of each message size is rounded to it
//! once.

use super::setting::{ParameterSource, RunSetting};
use super::ticks::Ticks;
use super::time_builder::TimeBuilder;
use crate::error::SimulationError;
use loggia_model::Error;
use loggia_model::model::loggpo as model;
use loggia_model::model::loggpo::costs as loggpo_costs;
use loggia_model::model::message::Message;
use loggia_model::model::pairs::NETWORK_CONTENTION;
use loggia_model::model::{CONTROL, Model, Route, Warning, exchange};
use loggia_model::numbers::Numbers;
use loggia_model::signature::{ProgressKind, Reach};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Interval, Micros, MicrosPerByte};
use loggia_schedule::explain::Part;
use loggia_schedule::loggops;
use loggia_schedule::loggpo::{Costs, Machine, MessageProtocol};
use loggia_schedule::schedule::{ANY, Schedule};
use loggia_schedule::time::Time;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Warning for an unknown g.
pub(super) const NO_GAP: Warning = Warning::Remark("g is unknown; assumed 0");

/// Warning for a simulation model without network cards.
const NO_CARD: Warning = Warning::Remark(
    "this simulation model has no network cards: R_N is ignored, and each rank has its own card",
);

/// Warning for an unknown tier inside a node.
const NO_INSIDE: Warning = Warning::Remark(
    "the tier inside a node is unknown: messages inside a node have the costs between nodes, but \
     pass no shared network card",
);

impl<'a> RunSetting<'a> {
    /// Time per byte of the network card, if it is known and ranks share a card.
    pub(super) fn shared_card(&self) -> Option<Interval<MicrosPerByte>> {
        let (_, nodes) = self.inside?;
        let ParameterSource::Route(route) = self.between else { return None };
        let card = route.node_gap_per_byte()?;
        let mut seen = FxHashSet::default();
        nodes.iter().any(|node| !seen.insert(*node)).then_some(card)
    }

    /// Warning for a card that is slower than one pair of ranks.
    fn slow_card(&self) -> Option<Warning> {
        let ParameterSource::Route(route) = self.between else { return None };
        route.slow_card()
    }

    /// Whether messages inside a node are assumed to have the costs between nodes.
    fn assumes_intra_node_costs(&self) -> bool {
        let reach = |line: &ParameterSource| match line {
            ParameterSource::Route(route) => Some(route.tier.reach),
            ParameterSource::Numbers(_) => None,
        };
        self.inside.is_some_and(|(line, _)| reach(&line) == Some(Reach::Inter))
    }
}

/// Parameter, count, and total time.
type Amount = (Part, u64, u64);

/// A message's costs by parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct MessageCost {
    protocol: MessageProtocol,
    request: Vec<Amount>,
    post: Vec<Amount>,
    answer: Vec<Amount>,
    answered: Vec<Amount>,
    initiation: Vec<Amount>,
    acknowledge: Vec<Amount>,
    acknowledged: Vec<Amount>,
    copy: Option<Vec<Amount>>,
    pub(super) latency: u64,
    bytes: u64,
    /// Measured times beyond L and G (k−1).
    rest: Rest,
    gap: u64,
    /// k/R_N, if that is known.
    card: u64,
}

/// The part of a measured time that a parameter does not explain, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    latency: i64,
    bytes: i64,
}

/// Parameters of `loggops`, in ticks.
#[derive(Clone, Copy, Debug, Default)]
struct SingleParameters {
    latency: u64,
    overhead: u64,
    gap: u64,
    gap_per_byte: u64,
    overhead_per_byte: u64,
    eager_limit: u64,
}

/// Costs of all messages.
#[derive(Debug)]
pub(super) struct CostTable<'a> {
    pub(super) rules: SimulationModel,
    /// Between nodes and inside.
    lines: [Option<ParameterSource<'a>>; 2],
    pub(super) ticks: Ticks,
    /// Ticks per unit of computation.
    pub(super) calc: u64,
    /// Between nodes and inside.
    single: [SingleParameters; 2],
    known: RefCell<PriceCache>,
    dependent: bool,
    /// Whether ranks share network cards of known rate.
    pub(super) has_cards: bool,
    card_factor: f64,
    /// Whether the same parameters apply between nodes and inside, so that they change together.
    is_one_tier: bool,
    /// Warnings about the setting.
    remarks: Vec<Warning>,
}

/// Known costs.
#[derive(Debug, Default)]
struct PriceCache {
    by_size: FxHashMap<(bool, u64), MessageCost>,
    warnings: Vec<Warning>,
    /// Why a cost could not be computed.
    failure: Option<Error>,
}

impl<'a> CostTable<'a> {
    /// Costs of all messages of a schedule.
    pub(super) fn new(
        schedule: &Schedule,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Self, Error> {
        let sizes = sizes(schedule);
        let mut cost_table = CostTable::none(rules, setting);
        if rules == SimulationModel::LogGops {
            let warnings = &mut cost_table.known.get_mut().warnings;
            let lines = cost_table.lines.into_iter().flatten();
            let numbers = lines.map(|line| numbers(&line, &sizes, warnings));
            let numbers: Vec<Numbers> = numbers.collect::<Result<_, _>>()?;
            cost_table.ticks = Ticks::ALL
                .into_iter()
                .skip_while(|ticks| *ticks != setting.longest_tick)
                .find(|ticks| {
                    ticks.in_calc(schedule.calc_unit()).is_some()
                        && numbers.iter().all(|numbers| are_whole(numbers, *ticks))
                })
                .unwrap_or(Ticks::Femtoseconds);
            for (single, numbers) in cost_table.single.iter_mut().zip(&numbers) {
                *single = SingleParameters::of(numbers, cost_table.ticks)?;
            }
        } else {
            cost_table.find(&sizes)?;
        }
        cost_table.calc = cost_table.ticks.in_calc(schedule.calc_unit()).unwrap_or(1);
        cost_table.check_length(schedule)?;
        Ok(cost_table)
    }

    /// Costs computed on demand, for a streamed schedule.
    pub(super) fn on_demand(
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Self, Error> {
        let mut cost_table = CostTable::none(rules, setting);
        cost_table.find(&[1])?;
        // This size was only a test.
        cost_table.known = RefCell::default();
        Ok(cost_table)
    }

    fn none(rules: SimulationModel, setting: &RunSetting<'a>) -> Self {
        let shared = setting.shared_card();
        let has_cards =
            shared.is_some() && !matches!(rules, SimulationModel::LogGops | SimulationModel::LogP);
        let mut remarks = Vec::new();
        if has_cards {
            remarks.push(NETWORK_CONTENTION);
            remarks.extend(setting.slow_card());
        } else if shared.is_some() {
            remarks.push(NO_CARD);
        }
        let is_one_tier = setting.assumes_intra_node_costs();
        if is_one_tier {
            remarks.push(NO_INSIDE);
        }
        CostTable {
            rules,
            lines: [Some(setting.between), setting.inside.map(|(line, _)| line)],
            ticks: Ticks::Picoseconds,
            calc: 1,
            single: [SingleParameters::default(); 2],
            known: RefCell::default(),
            dependent: false,
            has_cards,
            card_factor: setting.card_factor,
            is_one_tier,
            remarks,
        }
    }

    /// Computes the costs of messages of these sizes, in all models except LogGOPSim's.
    fn find(&mut self, sizes: &[u64]) -> Result<(), Error> {
        for (inside, line) in [false, true].into_iter().zip(self.lines) {
            let Some(line) = line else { continue };
            let ParameterSource::Route(route) = line else {
                return Err(SimulationError::SingleNumbers.into());
            };
            self.dependent |= self.rules == SimulationModel::LogGpo && is_dependent(&route);
            for bytes in sizes {
                self.cost(inside, *bytes, |_| ());
            }
        }
        self.check()
    }

    /// Cost of a message; 0, with a recorded failure, if it is unknown.
    fn cost<P: Default>(&self, inside: bool, bytes: u64, of: impl Fn(&MessageCost) -> P) -> P {
        let PriceCache { by_size, warnings, failure } = &mut *self.known.borrow_mut();
        if let Some(cost) = by_size.get(&(inside, bytes)) {
            return of(cost);
        }
        let Some(ParameterSource::Route(route)) = &self.lines[usize::from(inside)] else {
            return P::default();
        };
        match message_cost(route, self.rules, inside, Bytes(bytes), warnings) {
            Ok(mut cost) => {
                cost.card = (cost.card as f64 * self.card_factor) as u64;
                of(by_size.entry((inside, bytes)).or_insert(cost))
            }
            Err(error) => {
                failure.get_or_insert(error);
                P::default()
            }
        }
    }

    /// The least value of a parameter for which no measured time of a message is negative.
    pub(super) fn least(&self, part: Part) -> u64 {
        let known = self.known.borrow();
        let changes = |inside: &bool| !*inside || self.is_one_tier;
        let costs = known.by_size.iter().filter(|((inside, _), _)| changes(inside));
        costs.map(|((_, bytes), cost)| cost.least(part, *bytes)).max().unwrap_or(0)
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let known = self.known.borrow();
        known.warnings.iter().chain(&self.remarks).cloned().collect()
    }

    /// An error if the cost of a message was unknown.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.known.borrow().failure.clone().map_or(Ok(()), Err)
    }

    /// Checks that the sum of all times of a schedule is within the range.
    fn check_length(&self, schedule: &Schedule) -> Result<(), SimulationError> {
        let message = |bytes: u64, inside: bool| match self.rules {
            SimulationModel::LogGops => self.single[usize::from(inside)].longest(bytes),
            _ => self.cost(inside, bytes, MessageCost::longest),
        };
        let of_message = |bytes| message(bytes, false).saturating_add(message(bytes, true));
        let counts = schedule.counts();
        let computation = counts.computation.saturating_mul(self.calc);
        let longest = counts.messages().fold(computation, |sum, (bytes, number)| {
            sum.saturating_add(of_message(bytes).saturating_mul(number))
        });
        match longest > u64::MAX / 4 {
            true => Err(SimulationError::ScheduleTooLong { most: self.ticks.longest() }),
            false => Ok(()),
        }
    }

    pub(super) fn loggops<T: Time>(
        &self,
        builder: &impl TimeBuilder<T>,
        inside: bool,
    ) -> loggops::Costs<T> {
        let single = &self.single[usize::from(inside)];
        let apart = inside && !self.is_one_tier;
        let time = |part, ticks| builder.time(part, apart, 1, ticks);
        loggops::Costs {
            latency: time(Part::Latency, single.latency),
            overhead: time(Part::Overhead, single.overhead),
            gap: time(Part::Gap, single.gap),
            gap_per_byte: time(Part::Bytes, single.gap_per_byte),
            overhead_per_byte: time(Part::OverheadBytes, single.overhead_per_byte),
            eager_limit: single.eager_limit,
        }
    }

    pub(super) fn machine<'m, M>(
        &'m self,
        builder: &'m M,
        node_of: Option<&'m [u32]>,
    ) -> MachineCosts<'m, M> {
        let shared = node_of.filter(|_| self.has_cards);
        let nodes = shared.and_then(|nodes| nodes.iter().max()).map_or(0, |last| last + 1);
        MachineCosts { cost_table: self, builder, node_of, nodes: nodes as usize }
    }
}

/// Tier flag of a message of a rank to itself: only the calls cost time.
const SELF_MESSAGE: u8 = 2;

/// The costs of messages as times.
pub(super) struct MachineCosts<'m, M> {
    cost_table: &'m CostTable<'m>,
    builder: &'m M,
    node_of: Option<&'m [u32]>,
    /// Number of nodes with shared network cards.
    nodes: usize,
}

impl<T: Time, M: TimeBuilder<T>> Machine<T> for MachineCosts<'_, M> {
    fn tier(&self, from: u32, to: u32) -> u8 {
        let is_inside = |nodes: &[u32]| from != ANY && nodes[from as usize] == nodes[to as usize];
        let is_inside = self.node_of.is_some_and(is_inside);
        u8::from(is_inside) | if from == to { SELF_MESSAGE } else { 0 }
    }

    fn costs(&self, tier: u8, bytes: u64) -> Costs<T> {
        let inside = tier & !SELF_MESSAGE == 1;
        let apart = inside && !self.cost_table.is_one_tier;
        let costs: Costs<T> =
            self.cost_table.cost(inside, bytes, |cost| cost.in_times(self.builder, apart, bytes));
        if tier & SELF_MESSAGE == 0 {
            let card = costs.card.filter(|_| !inside && self.nodes > 0);
            return Costs { card, ..costs };
        }
        Costs { initiation: costs.initiation, copy: costs.copy, ..Costs::default() }
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn node(&self, rank: u32) -> u32 {
        self.node_of.map_or(0, |nodes| nodes[rank as usize])
    }

    fn progress_depends_on_calls(&self) -> bool {
        self.cost_table.dependent
    }
}

impl MessageCost {
    /// With these times for latency and bytes, such as measured ones.
    fn taking(self, latency: u64, bytes: u64) -> Self {
        let rest = Rest {
            latency: latency.wrapping_sub(self.latency).cast_signed(),
            bytes: bytes.wrapping_sub(self.bytes).cast_signed(),
        };
        MessageCost { latency, bytes, rest, ..self }
    }

    /// The least value of a parameter, in ticks, for which no measured time is negative.
    fn least(&self, part: Part, bytes: u64) -> u64 {
        let (count, rest) = match part {
            Part::Latency => (1, self.rest.latency),
            Part::Bytes => (bytes.saturating_sub(1), self.rest.bytes),
            _ => return 0,
        };
        if rest < 0 { rest.unsigned_abs().div_ceil(count.max(1)) } else { 0 }
    }

    /// At least the longest time of a message.
    fn longest(&self) -> u64 {
        let lists = [
            &self.request,
            &self.post,
            &self.answer,
            &self.answered,
            &self.initiation,
            &self.acknowledge,
            &self.acknowledged,
        ];
        let amounts = lists.into_iter().chain(&self.copy).flatten();
        let steps = amounts.map(|(_, _, ticks)| *ticks);
        let transfers = [self.latency; 3].into_iter().chain([self.bytes, self.gap]);
        steps.chain(transfers).chain([self.card; 2]).fold(0, u64::saturating_add)
    }

    fn in_times<T: Time>(
        &self,
        builder: &impl TimeBuilder<T>,
        inside: bool,
        bytes: u64,
    ) -> Costs<T> {
        let amount = |(part, count, ticks): &Amount| builder.time(*part, inside, *count, *ticks);
        let sum = |amounts: &Vec<Amount>| {
            amounts.iter().map(amount).reduce(Time::plus).unwrap_or_default()
        };
        let time = |part, count, ticks| builder.time(part, inside, count, ticks);
        let measured =
            |part, count, ticks, rest| builder.measured(part, inside, count, ticks, rest);
        Costs {
            protocol: self.protocol,
            request: sum(&self.request),
            post: sum(&self.post),
            answer: sum(&self.answer),
            answered: sum(&self.answered),
            initiation: sum(&self.initiation),
            acknowledge: sum(&self.acknowledge),
            acknowledged: sum(&self.acknowledged),
            copy: self.copy.as_ref().map(sum),
            latency: measured(Part::Latency, 1, self.latency, self.rest.latency),
            bytes: measured(Part::Bytes, bytes.saturating_sub(1), self.bytes, self.rest.bytes),
            gap: time(Part::Gap, 1, self.gap),
            card: Some(time(Part::Card, bytes, self.card)),
        }
    }
}

fn is_dependent(route: &Route) -> bool {
    route.tier.progress.as_ref().and_then(|progress| progress.kind) == Some(ProgressKind::Dependent)
}

/// Cost of a message in a simulation model.
pub(super) fn message_cost(
    route: &Route,
    rules: SimulationModel,
    inside: bool,
    bytes: Bytes,
    warnings: &mut Vec<Warning>,
) -> Result<MessageCost, Error> {
    let ticks = |time: Micros| Ticks::Picoseconds.of(time);
    let model = rules.model().unwrap_or(Model::LogGp);
    let missing = || route.missing(model);
    let latency = match route.latency() {
        Some(latency) => ticks(latency.value)?,
        // Neglected inside a node (Al-Tawil & Moritz 2001, Section 3.3).
        None if inside => 0,
        None => return Err(missing()),
    };
    let gap = match route.gap() {
        Some(gap) => ticks(gap.value)?,
        None => {
            add(warnings, NO_GAP);
            0
        }
    };
    let card = route.node_gap_per_byte().map_or(Micros(0.0), |card| card.value.of(bytes.count()));
    let card = ticks(card)?;
    let per_byte = route.gap_per_byte().map_or(MicrosPerByte(0.0), |gap| gap.value);
    let by_parameters = MessageCost {
        latency,
        bytes: ticks(per_byte.of(bytes.after_the_first()))?,
        gap,
        card,
        ..MessageCost::default()
    };
    if rules == SimulationModel::LogGpo {
        return loggpo_cost(route, bytes, by_parameters, warnings);
    }
    if rules != SimulationModel::LogP && route.gap_per_byte().is_none() {
        return Err(missing());
    }
    let is_eager = |limit: Interval<Bytes>| bytes <= limit.value;
    let has_handshake = rules == SimulationModel::LogGps
        && !route.eager_limit().map(is_eager).ok_or_else(missing)?;
    let known = route.latency().unwrap_or(Interval::exact(Micros(0.0)));
    let message = Message::new(route, bytes, known, has_handshake).ok_or_else(missing)?;
    for warning in message.warnings {
        add(warnings, warning);
    }
    let overhead = |time: Interval<Micros>| Ok::<_, Error>((Part::Overhead, 1, ticks(time.value)?));
    let (mut flight, mut per_byte) = (message.latency.value, message.bytes.value);
    if rules == SimulationModel::LogP {
        // The model has no term for bytes; their measured time counts as latency.
        flight = flight + if message.reading.is_some() { per_byte } else { Micros(0.0) };
        per_byte = Micros(0.0);
    }
    // An additional short message.
    let short = Message::new(route, CONTROL, known, false).ok_or_else(missing)?;
    let mut cost = MessageCost {
        initiation: vec![overhead(message.send)?],
        copy: Some(vec![overhead(message.recv)?]),
        acknowledge: vec![overhead(short.send)?],
        acknowledged: vec![overhead(short.recv)?],
        ..by_parameters.taking(ticks(flight)?, ticks(per_byte)?)
    };
    if let Some([send, recv]) = message.handshake {
        cost.protocol = MessageProtocol::Rat;
        cost.request = vec![overhead(send)?];
        cost.answer = vec![overhead(recv)?, overhead(send)?];
        cost.answered = vec![overhead(recv)?];
    }
    Ok(cost)
}

fn loggpo_cost(
    route: &Route,
    bytes: Bytes,
    cost: MessageCost,
    warnings: &mut Vec<Warning>,
) -> Result<MessageCost, Error> {
    let ticks = |time: Micros| Ticks::Picoseconds.of(time);
    let protocol = model::protocol(route, bytes).ok_or_else(|| route.missing(Model::LogGpo))?;
    let (costs, curve_warnings) = loggpo_costs(route, bytes)?;
    for warning in curve_warnings {
        add(warnings, warning);
    }
    let control = ticks(costs.control)?;
    let controls = |count: u64| vec![(Part::Control, count, count * control)];
    let initiation = vec![(Part::Overhead, 1, ticks(costs.initiation)?)];
    let cost = cost.taking(ticks(costs.latency)?, ticks(costs.bytes)?);
    let [acknowledge, acknowledged] = [1; 2].map(controls);
    let cost = MessageCost { initiation, acknowledge, acknowledged, ..cost };
    Ok(match protocol {
        exchange::MessageProtocol::Eager => {
            let copy = Some(vec![(Part::Overhead, 1, ticks(costs.copy)?)]);
            MessageCost { protocol: MessageProtocol::Eager, copy, ..cost }
        }
        exchange::MessageProtocol::Rat => {
            let (request, post, answer) = (controls(1), controls(1), controls(2));
            MessageCost { protocol: MessageProtocol::Rat, request, post, answer, ..cost }
        }
        exchange::MessageProtocol::Rta => {
            let [request, post, answer] = [1; 3].map(controls);
            MessageCost { protocol: MessageProtocol::Rta, request, post, answer, ..cost }
        }
    })
}

/// Adds a warning, once.
pub(super) fn add(warnings: &mut Vec<Warning>, warning: Warning) {
    // One warning for each end of a curve is enough.
    let same = |known: &Warning| match (known, &warning) {
        (
            Warning::ClampedFrom { symbol, from, .. },
            Warning::ClampedFrom { symbol: other, from: other_from, .. },
        ) => symbol == other && from == other_from,
        (known, new) => known == new,
    };
    if !warnings.iter().any(same) {
        warnings.push(warning);
    }
}

/// The sizes of all messages, ascending.
fn sizes(schedule: &Schedule) -> Vec<u64> {
    let mut sizes: Vec<u64> = schedule.counts().messages().map(|(bytes, _)| bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn are_whole(numbers: &Numbers, ticks: Ticks) -> bool {
    let times = [numbers.latency, numbers.overhead, numbers.gap].map(|time| time.0);
    let per_byte = [numbers.gap_per_byte, numbers.overhead_per_byte].map(|time| time.0);
    times.into_iter().chain(per_byte).all(|time| ticks.divide(time))
}

impl SingleParameters {
    fn of(numbers: &Numbers, ticks: Ticks) -> Result<Self, Error> {
        let per_byte = |each: MicrosPerByte| ticks.of(each.of(1.0));
        Ok(SingleParameters {
            latency: ticks.of(numbers.latency)?,
            overhead: ticks.of(numbers.overhead)?,
            gap: ticks.of(numbers.gap)?,
            gap_per_byte: per_byte(numbers.gap_per_byte)?,
            overhead_per_byte: per_byte(numbers.overhead_per_byte)?,
            eager_limit: numbers.eager_limit.map_or(u64::MAX, |bytes| bytes.0),
        })
    }

    /// At least the longest time of a message.
    fn longest(&self, bytes: u64) -> u64 {
        let fixed = [self.latency, self.overhead, self.overhead, self.gap];
        let per_byte = self.gap_per_byte.saturating_add(self.overhead_per_byte);
        fixed.into_iter().fold(per_byte.saturating_mul(bytes), u64::saturating_add)
    }
}

/// The single value of each parameter for the model `loggops`.
fn numbers(
    line: &ParameterSource,
    sizes: &[u64],
    warnings: &mut Vec<Warning>,
) -> Result<Numbers, Error> {
    let route = match line {
        ParameterSource::Numbers(numbers) => return Ok(*numbers),
        ParameterSource::Route(route) => route,
    };
    let missing = || route.missing(Model::LogGp);
    let mut overhead: Option<Micros> = None;
    for bytes in sizes.iter().copied().map(Bytes).chain([Bytes(1)]) {
        let send = route.send_overhead(bytes).ok_or_else(missing)?.time.value;
        let recv = route.recv_overhead(bytes).ok_or_else(missing)?.time.value;
        if send != recv || overhead.is_some_and(|overhead| overhead != send) {
            let signature = route.signature.title.clone();
            return Err(SimulationError::SeveralOverheads { signature, bytes, send, recv }.into());
        }
        overhead = Some(send);
    }
    if route.gap().is_none() {
        add(warnings, NO_GAP);
    }
    Ok(Numbers {
        latency: route.latency().ok_or_else(missing)?.value,
        overhead: overhead.unwrap_or(Micros(0.0)),
        gap: route.gap().map_or(Micros(0.0), |gap| gap.value),
        gap_per_byte: route.gap_per_byte().ok_or_else(missing)?.value,
        overhead_per_byte: MicrosPerByte(0.0),
        eager_limit: route.eager_limit().map(|limit| limit.value),
    })
}
