//! The hint that a part of a large table will soon be needed.

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
