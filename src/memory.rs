//! How much memory there is: asked before a large table is made, as the system itself may say yes and then end the program.

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

/// The buckets of a table of so many MiB, at least one, all zero; `None` if the memory cannot be had. The system hands out zeroed
/// pages when they are first touched, by whichever thread that is.
pub(crate) fn zeroed_table<T: Zeroable>(mib: u64) -> Option<Box<[T]>> {
    let bytes = mib.checked_mul(1 << 20)?;
    if available_bytes().is_some_and(|available| bytes > available) {
        return None;
    }
    let count = usize::try_from(bytes).ok()? / size_of::<T>();
    try_zeroed_slice_box(count.max(1)).ok()
}

/// Bytes that can be used without swapping, as Linux tells it; elsewhere unknown.
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
