//! How much memory there is: asked before a large table is made, as the system itself may say yes and then end the program.

/// Bytes that can be used without swapping, as Linux tells it; elsewhere unknown.
pub(crate) fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
