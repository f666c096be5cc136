//! A panel of a figure: quantities of several machines, as lines or bars.

use loggia_model::Signature;
use loggia_model::model::Route;
use loggia_model::model::collective::{Cost, cost, form_of};
use loggia_model::model::metrics::of_collective;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Micros, Procs};
use serde::{Serialize, Serializer};

/// A panel.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    pub title: &'static str,
    /// Horizontal axis.
    pub over: Over,
    /// Quantities of each machine.
    pub what: &'static [Quantity],
}

/// The horizontal axis, from the first value to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Message sizes.
    Bytes(u64, u64),
    /// Numbers of processes.
    Procs(u32, u32),
    /// No axis: a bar for each machine.
    Machines,
}

/// A quantity of a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// o_s of a send mode on a tier (default: the first tier).
    SendOverhead(Option<&'static str>, &'static str),
    /// o_r of a send mode.
    RecvOverhead(&'static str),
    /// 1/G on a tier.
    Bandwidth(Option<&'static str>),
    /// T0(p) of an operation.
    Startup(Operation),
    /// T(m, p) at one m, over p.
    TimeOfBytes(Operation, u64),
    /// T(m, p) at one p, over m.
    TimeOfProcs(Operation, u32),
    /// T0(p) and the transmission of m bytes on p processes.
    Breakdown(Operation, u64, u32),
    /// Aggregated bandwidth, R_inf(p).
    Aggregated(Operation),
}

/// A panel with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawn {
    pub title: &'static str,
    pub over: Over,
    pub unit: PanelUnit,
    /// A line for each machine and known quantity.
    pub lines: Vec<Line>,
    /// Bars of machines, if there is no axis.
    pub bars: Vec<Bar>,
}

impl Serialize for Over {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The unit of a panel's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelUnit {
    Micros,
    /// Of bandwidths.
    BytesPerMicro,
}

impl PanelUnit {
    /// Name in JSON and in tables.
    pub fn name(self) -> &'static str {
        match self {
            PanelUnit::Micros => "us",
            PanelUnit::BytesPerMicro => "bytes_per_us",
        }
    }
}

impl Serialize for PanelUnit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A line; a point has no value if the form has none there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The machine's name.
    pub machine: String,
    /// Label: the machine, the quantity, or both.
    pub label: String,
    /// Values along both axes.
    pub points: Vec<(f64, Option<f64>)>,
    /// Value at the handle.
    pub value: Option<f64>,
    #[serde(skip)]
    source: Source,
}

/// The machine and quantity of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Source {
    /// Index of the machine.
    machine: usize,
    quantity: Quantity,
    /// Meaning of bytes for operations.
    bytes_are: Option<BytesAre>,
}

/// A bar and its parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// The machine's name.
    pub machine: String,
    pub label: String,
    pub parts: Vec<Part>,
}

/// A part of a bar.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Symbol of the parameter; empty if the bar has a single part.
    pub symbol: &'static str,
    /// `None` if unknown.
    pub value: Option<f64>,
}

impl Bar {
    /// The total, if all parts have a value.
    pub fn total(&self) -> Option<f64> {
        self.parts.iter().map(|part| part.value).sum()
    }
}

impl Panel {
    /// The numbers of the panel for these machines; a machine without a quantity has no line. The
    /// first machine defines the meaning of bytes. `at` is the position of the handle.
    pub fn draw(&self, machines: &[&Signature], at: f64) -> Drawn {
        let mut drawn = self.lines(machines);
        let values = drawn.at(machines, at);
        for (line, value) in drawn.lines.iter_mut().zip(values) {
            line.value = value;
        }
        drawn
    }

    /// The lines without a position of the handle.
    pub fn lines(&self, machines: &[&Signature]) -> Drawn {
        let mut drawn = Drawn {
            title: self.title,
            over: self.over,
            unit: self.what.first().map_or(PanelUnit::Micros, Quantity::unit),
            lines: Vec::new(),
            bars: Vec::new(),
        };
        for (index, machine) in machines.iter().enumerate() {
            for quantity in self.what {
                let (name, bytes_are) = (machine.name.clone(), quantity.bytes_are(machines));
                let label = self.label(machine, quantity, machines.len());
                if self.over == Over::Machines {
                    let parts = quantity.parts(machine, bytes_are);
                    drawn.bars.extend(parts.map(|parts| Bar { machine: name, label, parts }));
                    continue;
                }
                let positions = self.positions().into_iter();
                let positions = positions.filter(|x| quantity.is_measured(machine, self.over, *x));
                let points: Vec<_> =
                    positions.map(|x| (x, quantity.at(machine, x, bytes_are))).collect();
                if points.iter().any(|(_, value)| value.is_some()) {
                    let source = Source { machine: index, quantity: *quantity, bytes_are };
                    drawn.lines.push(Line { machine: name, label, points, value: None, source });
                }
            }
        }
        drawn
    }

    /// Label of a line: machine, quantity or both, whichever differs between lines.
    fn label(&self, machine: &Signature, quantity: &Quantity, machines: usize) -> String {
        match (machines, self.what.len()) {
            (_, 1) => machine.title.clone(),
            (1, _) => self.words(quantity),
            _ => format!("{}, {}", machine.title, self.words(quantity)),
        }
    }

    /// The words that distinguish a quantity from the others of the panel.
    fn words(&self, quantity: &Quantity) -> String {
        let is_one_operation = self.what.iter().all(|other| other.op() == quantity.op());
        match quantity {
            Quantity::TimeOfBytes(op, _) if !is_one_operation => op.name().to_owned(),
            _ => quantity.words(),
        }
    }

    /// Positions along the axis.
    fn positions(&self) -> Vec<f64> {
        const STEPS: u32 = 96;
        let mut positions: Vec<f64> = match self.over {
            Over::Bytes(from, to) => {
                let ratio = to as f64 / from as f64;
                let share = |step: u32| f64::from(step) / f64::from(STEPS);
                (0..=STEPS).map(|i| (from as f64 * libm::pow(ratio, share(i))).round()).collect()
            }
            Over::Procs(from, to) => (from..=to).map(f64::from).collect(),
            Over::Machines => Vec::new(),
        };
        positions.dedup();
        positions
    }
}

impl Drawn {
    /// The values of the lines at a position; `machines` are those of [`Panel::draw`].
    pub fn at(&self, machines: &[&Signature], position: f64) -> Vec<Option<f64>> {
        let value = |Line { source, .. }: &Line| {
            let machine = machines.get(source.machine)?;
            source.quantity.at(machine, position, source.bytes_are)
        };
        self.lines.iter().map(value).collect()
    }
}

impl Over {
    /// Default position of the handle: 1 KiB, 8 processes.
    pub fn usual(self) -> f64 {
        match self {
            Over::Bytes(..) => 1024.0,
            Over::Procs(..) => 8.0,
            Over::Machines => 0.0,
        }
    }

    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Over::Bytes(..) => "bytes",
            Over::Procs(..) => "procs",
            Over::Machines => "machines",
        }
    }
}

impl Quantity {
    /// The meaning of bytes for the first machine with the operation.
    fn bytes_are(&self, machines: &[&Signature]) -> Option<BytesAre> {
        let op = self.op()?;
        machines.iter().find_map(|machine| Some(machine.collective(op)?.bytes_are))
    }

    /// What a machine without a line lacks: "closed form", of "bcast".
    pub fn lacking(&self, machine: &Signature) -> (&'static str, String) {
        let on = |tier: &Option<&str>| tier.map_or(String::new(), |tier| format!(" on {tier}"));
        match (self, self.op()) {
            (_, Some(op)) if machine.collective(op).is_some() => {
                ("closed form for these numbers of ranks", op.name().to_owned())
            }
            (_, Some(op)) => ("closed form", op.name().to_owned()),
            (Quantity::SendOverhead(tier, style), None) => ("o_s", format!("{style}{}", on(tier))),
            (Quantity::RecvOverhead(style), None) => ("o_r", (*style).to_owned()),
            (Quantity::Bandwidth(tier), None) => ("G", format!("messages{}", on(tier))),
            (_, None) => ("value", self.words()),
        }
    }

    fn unit(&self) -> PanelUnit {
        match self {
            Quantity::Bandwidth(_) | Quantity::Aggregated(_) => PanelUnit::BytesPerMicro,
            _ => PanelUnit::Micros,
        }
    }

    /// A label that distinguishes the lines of a panel.
    fn words(&self) -> String {
        match self {
            Quantity::SendOverhead(tier, style) => tier.map_or(style.to_string(), str::to_owned),
            Quantity::RecvOverhead(style) => style.to_string(),
            Quantity::Bandwidth(tier) => tier.unwrap_or_default().to_owned(),
            Quantity::Startup(op)
            | Quantity::Aggregated(op)
            | Quantity::TimeOfProcs(op, _)
            | Quantity::Breakdown(op, ..) => op.name().to_owned(),
            Quantity::TimeOfBytes(_, bytes) => loggia_model::units::words::size(Bytes(*bytes)),
        }
    }

    /// The collective operation, if any.
    fn op(&self) -> Option<Operation> {
        match *self {
            Quantity::SendOverhead(..) | Quantity::RecvOverhead(_) | Quantity::Bandwidth(_) => None,
            Quantity::Startup(op)
            | Quantity::Aggregated(op)
            | Quantity::TimeOfBytes(op, _)
            | Quantity::TimeOfProcs(op, _)
            | Quantity::Breakdown(op, ..) => Some(op),
        }
    }

    /// Whether x is inside the measured range of the machine.
    fn is_measured(&self, machine: &Signature, over: Over, x: f64) -> bool {
        let form = self.op().and_then(|op| machine.collective(op));
        match (form, over) {
            (Some(form), Over::Procs(..)) => form.procs.contains(Procs(x as u32)),
            _ => true,
        }
    }

    /// The value in µs or bytes per µs; `bytes_are` is the meaning of an operation's bytes.
    fn at(&self, machine: &Signature, x: f64, bytes_are: Option<BytesAre>) -> Option<f64> {
        let (procs, bytes) = (Procs(x as u32), Bytes(x as u64));
        let route = |tier, style| Route::of(machine, tier, style).ok();
        let cost = |op, procs, bytes| cost_of(machine, op, procs, bytes, bytes_are);
        match *self {
            Quantity::SendOverhead(tier, style) => {
                Some(route(tier, Some(style))?.send_overhead(bytes)?.time.value.0)
            }
            Quantity::RecvOverhead(style) => {
                Some(route(None, Some(style))?.recv_overhead(bytes)?.time.value.0)
            }
            Quantity::Bandwidth(tier) => {
                let gap = route(tier, None)?.gap_per_byte()?.value.0;
                (gap > 0.0).then_some(1.0 / gap)
            }
            Quantity::Startup(op) => cost(op, procs, Bytes(0))?.startup.map(|t| t.0),
            Quantity::TimeOfBytes(op, bytes) => time(cost(op, procs, Bytes(bytes))?),
            Quantity::TimeOfProcs(op, p) => time(cost(op, Procs(p), bytes)?),
            Quantity::Breakdown(op, bytes, p) => time(cost(op, Procs(p), Bytes(bytes))?),
            Quantity::Aggregated(op) => {
                let form = form_of(machine, op).ok()?;
                of_collective(form, procs).aggregated_bandwidth.map(|rate| rate.0)
            }
        }
    }

    /// Parts of a bar; `None` if the machine lacks the quantity.
    fn parts(&self, machine: &Signature, bytes_are: Option<BytesAre>) -> Option<Vec<Part>> {
        let Quantity::Breakdown(op, bytes, p) = *self else {
            return Some(vec![Part { symbol: "", value: Some(self.at(machine, 0.0, bytes_are)?) }]);
        };
        let cost = cost_of(machine, op, Procs(p), Bytes(bytes), bytes_are)?;
        let part = |symbol, time: Option<Micros>| Part { symbol, value: time.map(|t| t.0) };
        Some(vec![part("T0", cost.startup), part("t_b", cost.transmission)])
    }
}

/// The time of an operation by its closed form.
fn cost_of(
    machine: &Signature,
    op: Operation,
    procs: Procs,
    bytes: Bytes,
    bytes_are: Option<BytesAre>,
) -> Option<Cost> {
    let form = form_of(machine, op).ok()?;
    let whole = bytes_are.unwrap_or(form.bytes_are).to_whole(op, procs, bytes.count());
    Some(cost(form, procs, form.bytes_are.of_whole(op, procs, whole)))
}

fn time(cost: Cost) -> Option<f64> {
    cost.prediction.time().map(|time| time.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    fn load(names: &[&str]) -> Vec<Signature> {
        names.iter().map(|name| library::load(name).unwrap()).collect()
    }

    #[test]
    fn a_line_ends_at_the_measured_range() {
        let machines = load(&["ibm-sp2", "cray-t3d"]);
        let machines: Vec<&Signature> = machines.iter().collect();
        let what: &[Quantity] = &[Quantity::Startup(Operation::Bcast)];
        let drawn = Panel { title: "", over: Over::Procs(2, 128), what }.draw(&machines, 8.0);
        let last = |i: usize| drawn.lines[i].points.last().copied().unwrap();
        assert_eq!(last(0), (128.0, Some(55.0 * 7.0 + 30.0)));
        assert_eq!(last(1), (64.0, Some(23.0 * 6.0 + 12.0)));
        assert_eq!(drawn.lines[1].label, "Cray T3D");
    }

    /// Hwang, Wang & Wang 1997, Section 7: values of the forms; the samples are 3,857 and 2,918 µs.
    #[test]
    fn a_bar_has_the_parts_of_its_form() {
        let machines = load(&["intel-paragon"]);
        let what: &[Quantity] = &[Quantity::Breakdown(Operation::Alltoall, 1024, 32)];
        let drawn = Panel { title: "", over: Over::Machines, what }.draw(&[&machines[0]], 0.0);
        let values: Vec<Option<f64>> = drawn.bars[0].parts.iter().map(|part| part.value).collect();
        assert_eq!(values[0], Some(97.0 * 32.0 + 82.0));
        assert!((values[1].unwrap() - (0.073 * 32.0 - 0.1) * 1024.0).abs() < 1e-9);
    }

    /// If a machine counts the total bytes of a scatter, p blocks are predicted.
    #[test]
    fn machines_with_another_meaning_of_bytes_show_the_same_operation() {
        let machines = load(&["ibm-sp2", "ap3000-mpi"]);
        let machines: Vec<&Signature> = machines.iter().collect();
        let what: &[Quantity] = &[Quantity::TimeOfBytes(Operation::Scatter, 1024)];
        let drawn = Panel { title: "", over: Over::Procs(8, 8), what }.draw(&machines, 8.0);
        let form = machines[1].collective(Operation::Scatter).unwrap();
        let expected = cost(form, Procs(8), 8192.0).prediction.time().map(|t| t.0);
        assert_eq!(drawn.lines[1].points, [(8.0, expected)]);
    }
}
