//! The plot of a side's blocking and non-blocking overheads over size.

use crate::draw::figure::{Band, Figure, Ink, Line, Unit, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::{Axis, in_order};
use loggia_model::model::blocking::{OverlapTime, SendModePair};
use loggia_model::timeline::Lane;
use loggia_model::units::{Bytes, Micros};

/// Both overheads and the area between; `None` if either is unknown.
pub(crate) fn figure(pair: &SendModePair, side: Lane) -> Option<Figure> {
    let reported = pair.sizes(side);
    let (first, last) = (reported.first()?, reported.last()?);
    let sizes = in_order(Axis::Bytes.values().map(Bytes).chain(reported.iter().copied()));
    let overlap_times: Vec<OverlapTime> =
        sizes.iter().filter_map(|bytes| pair.overlap_time(side, *bytes)).collect();
    let ink = if side == Lane::Sender { Ink::Send } else { Ink::Recv };
    let line = |weight, label: &str, of: fn(&OverlapTime) -> Micros| Line {
        ink,
        weight,
        label: label.to_owned(),
        points: overlap_times.iter().map(|c| (c.bytes.count(), Some(of(c).0))).collect(),
    };
    let [blocking, non_blocking] = [&pair.blocking.name.0, &pair.non_blocking.name.0];
    let lines = vec![
        line(Weight::Thin, non_blocking, |chance| chance.non_blocking_us),
        line(Weight::Bold, blocking, |chance| chance.blocking_us),
    ];
    let times = lines.iter().flat_map(|line| line.points.iter().filter_map(|(_, y)| *y));
    let between = |c: &OverlapTime| {
        let low = c.non_blocking_us.0.min(c.blocking_us.0);
        (c.bytes.count(), low, c.blocking_us.0)
    };
    Some(Figure {
        axis: Axis::Bytes,
        x: Log { low: 1.0, high: Bytes(Axis::Bytes.high()).count() },
        y: Log::around(times)?,
        band: Some(Band { ink: Ink::Compute, points: overlap_times.iter().map(between).collect() }),
        known: (first < last).then(|| (first.count(), last.count())),
        unit: Unit::Time,
        dots: Vec::new(),
        milestones: Vec::new(),
        marks: if first < last {
            reported.iter().map(|size| size.count()).collect()
        } else {
            vec![]
        },
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::Route;
    use loggia_model::model::blocking::send_mode_pairs;

    #[test]
    fn the_band_is_the_time_left_to_compute() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("ssend.o_s", "16:70us,10000:50us").unwrap();
        let route = Route::of(&t3d, None, Some("issend")).unwrap();
        let pair = &send_mode_pairs(&route)[0];
        let drawn = figure(pair, Lane::Sender).unwrap();
        assert_eq!(drawn.known, Some((16.0, 10_000.0)));
        assert_eq!(drawn.lines.len(), 2);
        let points = &drawn.band.as_ref().unwrap().points;
        assert!(points.iter().all(|(_, low, high)| low <= high));
        assert!(points.contains(&(16.0, 24.0, 70.0)));
        // Here the blocking overhead is smaller.
        assert!(points.contains(&(10_000.0, 50.0, 50.0)));
        assert!(figure(pair, Lane::Receiver).is_none());
    }
}
