//! `--transport tcp`: two processes without MPI.

use crate::lab::file::{finished, tier};
use crate::lab::running::{PATIENCE, Run, Running, beside_another, loggia, run, signal};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

/// An address of this host with a free port.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

const PLAN: &str = "--quick --only ping-pong,flood --sizes 8,4KiB --max-time 2s";

fn listening(folder: &Path, address: &str, arguments: &str) -> Running {
    let arguments = format!("collect --transport tcp --listen {address} {arguments} -o sig.json");
    Running::start(&mut loggia(folder, &arguments))
}

fn connecting(folder: &Path, address: &str, arguments: &str) -> Running {
    let arguments =
        format!("collect --transport tcp --connect {address} {arguments} -o other.json");
    Running::start(&mut loggia(folder, &arguments))
}

/// Runs both processes to their ends.
fn run_both(folder: &Path, arguments: &str) -> [Run; 2] {
    let address = free_address();
    let zero = listening(folder, &address, arguments);
    let one = connecting(folder, &address, arguments);
    [zero, one].map(|running| running.wait(PATIENCE))
}

#[test]
fn two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    let [zero, one] = run_both(folder.path(), PLAN).map(Run::good);
    zero.printed(&["2 ranks on 1 host over tcp", "sig.json"]);
    assert_eq!(one.out, "", "only rank 0 writes the file and the summary");
    assert!(!folder.path().join("other.json").exists());
    let file = finished(&folder.path().join("sig.json"));
    assert_eq!(file["collection"]["transport"], "tcp");
    let path = tier(&file, "node")["path"].as_str().unwrap();
    assert!(path.contains("TCP") && path.contains("one host"), "{path}");
}

/// Sockets have standard and synchronous sends only.
#[test]
fn send_modes_that_sockets_lack_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    let arguments = "--quick --only two-processor --sizes 8 --style isend,ssend,bsend";
    let _runs = run_both(folder.path(), arguments).map(Run::good);
    let file = finished(&folder.path().join("sig.json"));
    let styles = crate::lab::file::distinct(&file, "style");
    assert!(!styles.contains(&&"bsend".into()), "{styles:?}");
    assert!(styles.contains(&&"ssend".into()), "{styles:?}");
}

#[test]
fn a_killed_partner_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    let address = free_address();
    let plan = "--only ping-pong,flood --sizes 8,4KiB";
    let mut zero = listening(folder.path(), &address, plan);
    let one = connecting(folder.path(), &address, plan);
    let path = folder.path().join("sig.json");
    zero.until("its first save", |_| path.exists().then_some(()));
    signal(one.pid(), "KILL");
    zero.wait(Duration::from_secs(20)).exited(1, &["the other rank ended"]);
    crate::lab::file::valid(&path);
}

#[test]
fn invalid_addresses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, error) in [
        ("--listen nonsense", "nonsense"),
        ("--listen 192.0.2.77:7479", "192.0.2.77"),
        ("--connect nonsense", "nonsense"),
        ("--listen 127.0.0.1:1 --connect 127.0.0.1:1", "--connect"),
        ("", "--listen"),
    ] {
        let arguments = format!("collect --transport tcp {arguments} -o sig.json");
        let run = run(&mut loggia(folder.path(), &arguments));
        assert!(matches!(run.code, Some(1 | 2)), "{arguments}: {run:?}");
        run.printed(&[error]);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{arguments}");
    }
}

#[test]
fn an_address_without_listener_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let address = free_address();
    let run = connecting(folder.path(), &address, PLAN).wait(Duration::from_secs(40));
    assert!(matches!(run.code, Some(1 | 2)), "{run:?}");
    run.printed(&[&address]);
}
