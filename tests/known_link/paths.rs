//! The reported path of messages: network, shared memory or sockets.

use crate::judged::{Failure, check_repeatedly, collected, near, number};
use crate::lab::file::{finished, list, tier};
use crate::lab::link::{ADDRESSES, Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun};
use crate::lab::running::{PATIENCE, Running, alone, binary, note};
use serde_json::Value;

#[test]
fn two_ranks_in_each_host_are_two_tiers() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let end_to_end = |file: &Value, name: &str| number(&tier(file, name)["end_to_end_latency"]);
    let words = "--only ping-pong --sizes 8,1KiB";
    check_repeatedly(|| {
        let both = collected(&link, &mpirun, [2, 2], "", words);
        let hosts = list(&both["collection"]["hosts"]);
        let names: Vec<&str> = hosts.iter().filter_map(|host| host["name"].as_str()).collect();
        assert_eq!(names, link.hosts().each_ref());
        assert!(hosts.iter().all(|host| list(&host["ranks"]).len() == 2), "{hosts:?}");
        assert_eq!(tier(&both, "network")["path"], "interface lgt0");
        let path = tier(&both, "node")["path"].as_str().unwrap();
        assert!(path.starts_with("shared memory"), "{path}");

        let network = collected(&link, &mpirun, [1, 1], "", words);
        let [value, alone] = [end_to_end(&both, "network")?, end_to_end(&network, "network")?];
        let network = near("EEL across hosts, of four ranks and of two", value, alone, 0.1)?;
        let node = collected(&link, &mpirun, [2, 0], "", words);
        let node = match [end_to_end(&both, "node"), end_to_end(&node, "node")] {
            [Ok(value), Ok(alone)] => {
                let what = "EEL within a host, of four ranks and of two";
                // Once Open MPI has a TCP connection, each of its calls looks there, too.
                let looking = (0.0..LOOKING).contains(&(value - alone));
                near(what, value, alone, 0.1).or_else(|off| match looking {
                    true => Ok(format!("{off}: no more than what looking at TCP takes")),
                    false => Err(off),
                })?
            }
            // Below a microsecond every other program is noise. The collector says so itself.
            [Err(why), _] | [_, Err(why)] => return Err(Failure::Unsteady(why)),
        };
        Ok(format!("{network}\n{node}"))
    });
}

/// Time in µs that polling a TCP connection adds to a message inside a host: in a plain program, two
/// ranks of a host take 2.6 to 3.0 µs before their first message to another host, and 3.8 to 5.4 µs
/// after it.
const LOOKING: f64 = 3.0;

/// MPICH over UCX uses shared memory wherever it finds any, whatever the names of the hosts; it crosses
/// the link only if a setting asks for it.
#[test]
fn mpich_says_when_it_did_not_cross_the_network() {
    let Some(mpirun) = Mpirun::of(Library::Mpich) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let words = "--only ping-pong --sizes 8";
    let path = |settings: &str| {
        let file = collected(&link, &mpirun, [1, 1], settings, words);
        let network = tier(&file, "network");
        let eel = number(&network["end_to_end_latency"]).ok();
        note(&format!("MPICH {settings}: {}, EEL {eel:?} µs", network["path"]));
        (network["path"].as_str().unwrap().to_owned(), eel)
    };
    let (untold, _) = path("");
    assert!(untold.contains("shared memory"), "{untold}");
    let (told, eel) = path("-genv UCX_TLS tcp,self -genv UCX_NET_DEVICES lgt0");
    assert_eq!(told, "interface lgt0");
    assert!(eel.is_none_or(|eel| eel > 500.0), "{eel:?} µs are less than the link's delay");
}

/// The transport over sockets crosses the link, too, without MPI.
#[test]
fn sockets_cross_the_link() {
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let end = |host: usize, part: &str| {
        let words = format!(
            "collect --transport tcp {part} {}:7480 --only ping-pong --sizes 8 --max-time 3s -o {}",
            ADDRESSES[0], "sig.json"
        );
        let mut command = link.on(host, binary());
        Running::start(command.args(words.split_whitespace()))
    };
    let zero = end(0, "--listen");
    let one = end(1, "--connect");
    for end in [zero, one] {
        end.wait(PATIENCE).good();
    }
    let file = finished(&link.folder().join("sig.json"));
    let network = tier(&file, "network");
    let path = network["path"].as_str().unwrap();
    assert!(ADDRESSES.iter().all(|address| path.contains(address)), "{path}");
    let eel = number(&network["end_to_end_latency"]);
    note(&format!("sockets: {path}, EEL {eel:?} µs"));
    assert!(eel.is_err() || eel.is_ok_and(|eel| eel > 500.0));
}
