//! The measured latency at several delays of the link.

use crate::judged::{Failure, check_repeatedly, collected, near, number};
use crate::lab::file::tier;
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::alone;
use crate::sockets::{ROUND_TRIPS, sockets};

#[test]
fn latency_grows_by_as_much_as_the_delay() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    check_repeatedly(|| {
        let (mut points, mut bare) = (Vec::new(), Vec::new());
        // A slope is sharpest between points that are far apart.
        for delay in [200, 2000] {
            let Some(link) = Link::up(gigabit(delay)) else { return Ok(String::new()) };
            bare.push((f64::from(delay), sockets(&link, ROUND_TRIPS)));
            let words = "--only ping-pong,two-processor --sizes 8 --style isend";
            let file = collected(&link, &mpirun, [1, 1], "", words);
            let network = tier(&file, "network");
            assert_eq!(network["path"], "interface lgt0");
            points.push(number(&network["latency"]).map(|latency| (f64::from(delay), latency)));
        }
        let points: Result<Vec<(f64, f64)>, String> = points.into_iter().collect();
        let found = points.and_then(|points| {
            near(&format!("slope of L over the delay {points:?}"), slope(&points), 1.0, 0.02)
        });
        let link = near(&format!("slope of bare sockets {bare:?}"), slope(&bare), 1.0, 0.01);
        match (found, link) {
            (Err(found), Err(link)) => Err(Failure::Unsteady(format!("{found}; {link}"))),
            (found, _) => Ok(found?),
        }
    });
}

/// Slope of the line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let both: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    both / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}
