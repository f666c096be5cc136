//! The plot of one message on several machines.

use crate::draw::figure::{Figure, Ink, Line, Unit, Weight};
use crate::draw::leads::Leads;
use crate::draw::steps::Axis;
use loggia_model::compare::{self, RankedTime};
use loggia_model::model::Route;
use loggia_model::units::Bytes;
use loggia_model::{Error, Signature};

/// A machine and its route.
pub(crate) type MachineRoute<'a> = (&'a Signature, Result<Route<'a>, Error>);

/// A line per machine with a time, the first one bold, and the fastest along the axis; `None`
/// without any time.
pub(crate) fn figure(routes: &[MachineRoute], names: &[String]) -> Option<(Figure, Leads)> {
    let sizes: Vec<Bytes> = Axis::Bytes.values().map(Bytes).collect();
    let all: Vec<Vec<RankedTime>> =
        sizes.iter().map(|size| compare::message(routes, *size)).collect();
    let line = |(i, name): (usize, &String)| {
        let time = |standings: &Vec<RankedTime>| Some(standings.get(i)?.time?.0);
        Line {
            ink: Ink::of_machine(i),
            weight: if i == 0 { Weight::Bold } else { Weight::Thin },
            label: name.clone(),
            points: sizes.iter().zip(&all).map(|(size, all)| (size.count(), time(all))).collect(),
        }
    };
    // The selected machine is drawn last.
    let lines: Vec<Line> =
        names.iter().enumerate().map(line).filter(|line| line.end().is_some()).rev().collect();
    let leads = Leads::of(&lines, Unit::Time, |ink, bytes| {
        let standings = compare::message(routes, Bytes(bytes));
        standings.iter().enumerate().find(|(i, _)| Ink::of_machine(*i) == ink)?.1.time
    });
    let figure = Figure::through(Axis::Bytes, lines)?;
    Some((Figure { marks: leads.marks(), ..figure }, leads))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;

    #[test]
    fn a_line_for_each_machine_that_has_a_time() {
        let names = ["cray-t3d", "ibm-sp2", "now-sparc"];
        let machines = names.map(|name| library::load(name).unwrap());
        let routes: Vec<MachineRoute> =
            machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let (figure, _) = figure(&routes, &names.map(str::to_owned)).unwrap();
        let lines: Vec<_> = figure.lines.iter().map(|l| (l.label.as_str(), l.ink)).collect();
        assert_eq!(lines, [("now-sparc", Ink::Series2), ("cray-t3d", Ink::Total)]);
        assert!(
            self::figure(
                &routes[1..2],
                &names[1..2].iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()
            )
            .is_none()
        );
    }
}
