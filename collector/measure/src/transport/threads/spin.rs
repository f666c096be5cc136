//! Waiting by spinning.

use crate::transport::Result;
use std::sync::LazyLock;

/// Iterations before yielding the processor: 0 on a single processor, where the other rank must run.
static LOOKS: LazyLock<u32> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 { 500 } else { 0 }
});

/// Spins until `there` returns a value; fails if `hope` fails, as when the partner ended.
pub(in crate::transport) fn spin_until<T>(
    mut there: impl FnMut() -> Result<Option<T>>,
    hope: impl Fn() -> Result<()>,
) -> Result<T> {
    let looks = *LOOKS;
    for _ in 0..looks {
        if let Some(found) = there()? {
            return Ok(found);
        }
        std::hint::spin_loop();
    }
    loop {
        // A value that came before the partner ended is still found.
        let hope = hope();
        if let Some(found) = there()? {
            return Ok(found);
        }
        hope?;
        std::thread::yield_now();
    }
}
