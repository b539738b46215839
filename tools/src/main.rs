//! Developers' tools: comparisons of the engine with reference engines.

fn main() {}
