//! Waiting by spinning.

use crate::transport::Result;
use std::sync::LazyLock;

/// Iterations before yielding the processor; 0 on a single processor, which the other rank needs.
static SPINS: LazyLock<u32> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 { 500 } else { 0 }
});

/// Spins until `poll` returns a value; fails if `check_peer` fails, as when the partner ended.
pub(in crate::transport) fn spin_until<T>(
    mut poll: impl FnMut() -> Result<Option<T>>,
    check_peer: impl Fn() -> Result<()>,
) -> Result<T> {
    let spins = *SPINS;
    for _ in 0..spins {
        if let Some(found) = poll()? {
            return Ok(found);
        }
        std::hint::spin_loop();
    }
    loop {
        // Poll after the check: a value that was sent before the partner ended is received.
        let peer_state = check_peer();
        if let Some(found) = poll()? {
            return Ok(found);
        }
        peer_state?;
        std::thread::yield_now();
    }
}
