//! The protocols as a user interface sees them: the program is started, spoken to and listened to.
//!
//! No test asserts a tight time. What must not happen is a hang, so every wait has a generous guard.

mod atsi;
mod engine;
mod fuzz;
mod robust;
mod search;
mod ucci;
mod uci;
mod usi;
