//! Ctrl-C and termination: the first one asks a command to finish, the second one ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Failure;

/// A flag that becomes true when the user wants the command to end. To be called once in a process.
///
/// # Errors
/// The system refused the handler, or there is one already.
pub fn watch() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Failure::Interrupted.exit_code()));
        }
    })
    .map_err(|error| Failure::Io(format!("no handler for Ctrl-C: {error}")))?;
    Ok(flag)
}
