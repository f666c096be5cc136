//! Waiting without letting go of the processor, as long as there is hope.

use crate::transport::Result;
use std::sync::LazyLock;

/// Looks so often before it lets others have the processor in between. On a single processor
/// that is where the other rank must run.
static LOOKS: LazyLock<u32> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    if processors > 1 { 500 } else { 0 }
});

/// Looks until something is there; from time to time also whether it can still come.
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
        // What was there before the hope was lost is found after it.
        let hope = hope();
        if let Some(found) = there()? {
            return Ok(found);
        }
        hope?;
        std::thread::yield_now();
    }
}
