//! Memory of large tables: how much there is, asked before one is made, as the system itself may say yes and then end the
//! program, and the hint that a part of one will soon be needed.

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

/// Tells the processor that a cache line will soon be read, so that it need not be waited for then. Changes no result; other
/// processors than x86-64 are not told.
#[inline(always)]
#[cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "the hint has no safe form; without it a tenth of a search waits"
    )
)]
pub(crate) fn prefetch<T>(line: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the address is that of a live reference, and the hint neither reads nor writes anything a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// Bytes that can be used without swapping, as Linux tells it; elsewhere unknown.
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
