//! What holds for every input: proptest looks for one for which it does not, and keeps what it found beside the suite.

pub mod generators;
mod json;
mod lock;
mod robust;
