//! The path of messages. A library may use shared memory instead of a network, so this counts the
//! bytes of each network interface while a known number of bytes is sent.

use super::Pair;
use crate::transport::Result;
use loggia_model::signature::Mode;
use std::collections::BTreeMap;
use std::fs;

/// Size of a message; all messages together are distinguishable from other traffic.
const MESSAGE: usize = 256 << 10;
const MESSAGES: usize = 64;

/// Bytes sent by each interface of this host.
fn bytes_sent() -> BTreeMap<String, u64> {
    let mut sent = BTreeMap::new();
    let lines = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    for line in lines.lines() {
        let Some((name, numbers)) = line.split_once(':') else { continue };
        if let Some(bytes) = numbers.split_whitespace().nth(8).and_then(|n| n.parse().ok()) {
            sent.insert(name.trim().to_owned(), bytes);
        }
    }
    // InfiniBand bypasses the kernel; its counters are in words of four bytes.
    for device in fs::read_dir("/sys/class/infiniband").into_iter().flatten().flatten() {
        for port in fs::read_dir(device.path().join("ports")).into_iter().flatten().flatten() {
            let counter = port.path().join("counters/port_xmit_data");
            let words = fs::read_to_string(counter).ok().and_then(|n| n.trim().parse::<u64>().ok());
            if let Some(words) = words {
                sent.insert(device.file_name().to_string_lossy().into_owned(), words * 4);
            }
        }
    }
    sent
}

/// The path between two ranks with its evidence, as text. Only the leader's result is used.
pub fn find(pair: &mut Pair, same_host: bool) -> Result<String> {
    if let Some(path) = pair.transport.path() {
        return Ok(path);
    }
    let peer = pair.peer;
    let before = bytes_sent();
    for _ in 0..MESSAGES {
        match pair.leads {
            true => pair.transport.send(Mode::Standard, peer, MESSAGE)?,
            false => pair.transport.recv(peer, MESSAGE)?,
        }
    }
    // All messages arrive before the counting.
    pair.barrier(true)?;
    let after = bytes_sent();
    let total = (MESSAGE * MESSAGES) as u64;
    let crossed = after.iter().filter_map(|(name, now)| {
        let sent = now - before.get(name).copied().unwrap_or(0).min(*now);
        (sent >= total / 10 * 9).then_some(name.as_str())
    });
    let crossed: Vec<&str> = crossed.collect();
    Ok(match (crossed.as_slice(), same_host) {
        ([], true) => "shared memory: no interface sent the bytes".to_owned(),
        ([], false) => "shared memory, or a network that bypasses the kernel: the host names \
                        differ, but no interface sent the bytes"
            .to_owned(),
        (["lo"], _) => "interface lo, within one host".to_owned(),
        (names, _) => format!("interface {}", names.join(" and ")),
    })
}
