//! The measured gap per byte, compared with that of the wire.

use crate::judged::{Failure, check_repeatedly, collected, holds, near, number};
use crate::lab::file::{finished, tier};
use crate::lab::link::{Link, SLOW, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{alone, note};
use crate::shared::SHARED_WIRE;
use crate::sockets::{BULK, sockets};

/// Time of a message's byte on the slow wire, in µs: 100 Mbit/s are 0.08 µs a byte, and 1448 of 1500
/// bytes in a packet are the message's.
const SLOW_BYTE: f64 = 0.08 * 1500.0 / 1448.0;

#[test]
fn a_slow_wire_shows_in_the_gap_per_byte() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(SLOW) else { return };
    check_repeatedly(|| {
        let file = collected(&link, &mpirun, [1, 1], "", "--only flood --sizes 8,128KiB");
        let gap = &tier(&file, "network")["gap_per_byte"];
        match near("G at 100 Mbit/s, µs a byte", number(gap)?, SLOW_BYTE, 0.03) {
            Err(found) if holds(gap, SLOW_BYTE) => Err(Failure::Unsteady(found)),
            found => Ok(found?),
        }
    });
}

#[test]
fn the_gap_per_byte_is_that_of_a_bulk_transfer() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    check_repeatedly(|| {
        let before = sockets(&link, BULK);
        let file = collected(&link, &mpirun, [1, 1], "", "--only flood --sizes 8,512KiB");
        let after = sockets(&link, BULK);
        let gap = &tier(&file, "network")["gap_per_byte"];
        note(&format!("bulk transfers before and after: {before:.6} and {after:.6} µs a byte"));
        let truth = (before + after) / 2.0;
        let what = "G at 1 Gbit/s, µs a byte";
        let found = number(gap).and_then(|value| near(what, value, truth, 0.03));
        match (found, near("the link itself", before, after, 0.02)) {
            (Err(found), Err(link)) => Err(Failure::Unsteady(format!("{found}; {link}"))),
            (Err(found), _) if holds(gap, truth) => Err(Failure::Unsteady(found)),
            (found, _) => Ok(found?),
        }
    });
}

/// Four pairs share the wire. One pair fills it, so R_N and R_b are both its rate.
#[test]
fn four_pairs_share_the_wire() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    SHARED_WIRE.check(&mpirun, |_, sig| {
        let file = finished(sig);
        let network = tier(&file, "network");
        let mut words = Vec::new();
        for (what, parameter) in [("1/R_N", "node_gap_per_byte"), ("1/R_b", "gap_per_byte")] {
            let one = &network[parameter];
            let name = format!("{what} at 100 Mbit/s, µs a byte");
            match near(&name, number(one)?, SLOW_BYTE, 0.03) {
                Err(off) if holds(one, SLOW_BYTE) => return Err(Failure::Unsteady(off)),
                found => words.push(found?),
            }
        }
        match network["ranks_per_node"] == 4 {
            true => Ok(words.join("; ")),
            false => Err(Failure::Wrong(format!("not four pairs: {network}"))),
        }
    });
}
