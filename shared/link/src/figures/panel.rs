//! A panel of a figure: the same quantity of several machines, as lines or as bars.

use loggia_model::Signature;
use loggia_model::model::Route;
use loggia_model::model::collective::{Cost, cost, form_of};
use loggia_model::model::metrics::of_collective;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Micros, Procs};
use serde::Serialize;

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
    /// None: a bar for each machine.
    Machines,
}

/// A quantity of a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// o_s of a style on a tier; the first tier where none is named.
    SendOverhead(Option<&'static str>, &'static str),
    /// o_r.
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
    /// R_inf(p).
    Aggregated(Operation),
}

/// A panel with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawn {
    pub title: &'static str,
    /// `bytes`, `procs` or `machines`.
    pub over: &'static str,
    /// `us`, or `bytes_per_us` where bandwidths are shown.
    pub unit: &'static str,
    /// One for each machine and quantity that it reports.
    pub lines: Vec<Line>,
    /// Bars of machines, if there is no axis.
    pub bars: Vec<Bar>,
}

/// A line: a value at each place, none where the form has no number or was not fitted.
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
    of: Source,
}

/// The machine and quantity of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Source {
    /// Index of the machine.
    machine: usize,
    what: Quantity,
    counted: Option<BytesAre>,
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
    /// The parameter's symbol; empty where a bar has but one part.
    pub symbol: &'static str,
    /// `None` if unknown.
    pub value: Option<f64>,
}

impl Bar {
    /// The whole bar, where all of its parts have a number.
    pub fn total(&self) -> Option<f64> {
        self.parts.iter().map(|part| part.value).sum()
    }
}

impl Panel {
    /// The panel's numbers for these machines; a machine that does not report a quantity has no
    /// line. Bytes of an operation are counted as the first of them counts them.
    /// `at` is the place on the axis whose values are wanted besides.
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
            over: self.over.name(),
            unit: self.what.first().map_or("us", Quantity::unit),
            lines: Vec::new(),
            bars: Vec::new(),
        };
        for (index, machine) in machines.iter().enumerate() {
            for what in self.what {
                let (name, counted) = (machine.name.clone(), what.counted(machines));
                let label = self.label(machine, what, machines.len());
                if self.over == Over::Machines {
                    let parts = what.parts(machine, counted);
                    drawn.bars.extend(parts.map(|parts| Bar { machine: name, label, parts }));
                    continue;
                }
                let there = self.places().into_iter();
                let there = there.filter(|x| what.is_measured(machine, self.over, *x));
                let points: Vec<_> = there.map(|x| (x, what.at(machine, x, counted))).collect();
                if points.iter().any(|(_, value)| value.is_some()) {
                    let of = Source { machine: index, what: *what, counted };
                    drawn.lines.push(Line { machine: name, label, points, value: None, of });
                }
            }
        }
        drawn
    }

    /// Label of a line: machine or quantity, without what all lines share.
    fn label(&self, machine: &Signature, what: &Quantity, machines: usize) -> String {
        match (machines, self.what.len()) {
            (_, 1) => machine.title.clone(),
            (1, _) => what.words(),
            _ => format!("{}, {}", machine.title, what.words()),
        }
    }

    /// The places along the axis.
    fn places(&self) -> Vec<f64> {
        const STEPS: u32 = 96;
        let mut places: Vec<f64> = match self.over {
            Over::Bytes(from, to) => {
                let ratio = to as f64 / from as f64;
                let share = |step: u32| f64::from(step) / f64::from(STEPS);
                (0..=STEPS).map(|i| (from as f64 * libm::pow(ratio, share(i))).round()).collect()
            }
            Over::Procs(from, to) => (from..=to).map(f64::from).collect(),
            Over::Machines => Vec::new(),
        };
        places.dedup();
        places
    }
}

impl Drawn {
    /// The lines' values at a place; the machines are those that the panel was drawn for.
    pub fn at(&self, machines: &[&Signature], place: f64) -> Vec<Option<f64>> {
        let value = |Line { of, .. }: &Line| {
            machines.get(of.machine).and_then(|machine| of.what.at(machine, place, of.counted))
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

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Over::Bytes(..) => "bytes",
            Over::Procs(..) => "procs",
            Over::Machines => "machines",
        }
    }
}

impl Quantity {
    /// Quantity bytes count for the first machine that reports the operation.
    fn counted(&self, machines: &[&Signature]) -> Option<BytesAre> {
        let op = self.op()?;
        machines.iter().find_map(|machine| Some(machine.collective(op)?.bytes_are))
    }

    fn unit(&self) -> &'static str {
        match self {
            Quantity::Bandwidth(_) | Quantity::Aggregated(_) => "bytes_per_us",
            _ => "us",
        }
    }

    /// Its difference to other lines of the panel.
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

    /// The operation, where it is about one.
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

    /// Whether the machine was measured there.
    fn is_measured(&self, machine: &Signature, over: Over, x: f64) -> bool {
        let form = self.op().and_then(|op| machine.collective(op));
        match (form, over) {
            (Some(form), Over::Procs(..)) => form.procs.contains(Procs(x as u32)),
            _ => true,
        }
    }

    /// Its value in µs or bytes per µs; `counted` is what bytes of an operation count.
    fn at(&self, machine: &Signature, x: f64, counted: Option<BytesAre>) -> Option<f64> {
        let (procs, bytes) = (Procs(x as u32), Bytes(x as u64));
        let route = |tier, style| Route::of(machine, tier, style).ok();
        let cost = |op, procs, bytes| cost_of(machine, op, procs, bytes, counted);
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

    /// Parts of a bar; `None` if the machine does not report them.
    fn parts(&self, machine: &Signature, counted: Option<BytesAre>) -> Option<Vec<Part>> {
        let Quantity::Breakdown(op, bytes, p) = *self else {
            return Some(vec![Part { symbol: "", value: Some(self.at(machine, 0.0, counted)?) }]);
        };
        let cost = cost_of(machine, op, Procs(p), Bytes(bytes), counted)?;
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
    counted: Option<BytesAre>,
) -> Option<Cost> {
    let form = form_of(machine, op).ok()?;
    let whole = counted.unwrap_or(form.bytes_are).to_whole(op, procs, bytes.count());
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
    fn a_line_ends_where_the_machine_was_measured() {
        let machines = load(&["ibm-sp2", "cray-t3d"]);
        let machines: Vec<&Signature> = machines.iter().collect();
        let what = &[Quantity::Startup(Operation::Bcast)];
        let drawn = Panel { title: "", over: Over::Procs(2, 128), what }.draw(&machines, 8.0);
        let last = |i: usize| drawn.lines[i].points.last().copied().unwrap();
        assert_eq!(last(0), (128.0, Some(55.0 * 7.0 + 30.0)));
        assert_eq!(last(1), (64.0, Some(23.0 * 6.0 + 12.0)));
        assert_eq!(drawn.lines[1].label, "Cray T3D");
    }

    /// Hwang, Wang & Wang 1997, Section 7: the parts of a bar; its samples say 3,857 and 2,918, its
    /// forms this.
    #[test]
    fn a_bar_has_the_parts_of_its_form() {
        let machines = load(&["intel-paragon"]);
        let what = &[Quantity::Breakdown(Operation::Alltoall, 1024, 32)];
        let drawn = Panel { title: "", over: Over::Machines, what }.draw(&[&machines[0]], 0.0);
        let values: Vec<Option<f64>> = drawn.bars[0].parts.iter().map(|part| part.value).collect();
        assert_eq!(values[0], Some(97.0 * 32.0 + 82.0));
        assert!((values[1].unwrap() - (0.073 * 32.0 - 0.1) * 1024.0).abs() < 1e-9);
    }

    /// A machine that counts the total bytes of a scatter is asked for p blocks.
    #[test]
    fn machines_that_count_otherwise_are_asked_for_the_same() {
        let machines = load(&["ibm-sp2", "ap3000-mpi"]);
        let machines: Vec<&Signature> = machines.iter().collect();
        let what = &[Quantity::TimeOfBytes(Operation::Scatter, 1024)];
        let drawn = Panel { title: "", over: Over::Procs(8, 8), what }.draw(&machines, 8.0);
        let form = machines[1].collective(Operation::Scatter).unwrap();
        let expected = cost(form, Procs(8), 8192.0).prediction.time().map(|t| t.0);
        assert_eq!(drawn.lines[1].points, [(8.0, expected)]);
    }
}
