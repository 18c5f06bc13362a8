//! The on-disk form of a lock (SPEC.md §12, §19).
//!
//! Change policy: what is hashed never changes within a level; a new level is a new integer, with a row in
//! [`super::Level`], a fixture, and a case that reads it. Members outside the digest may be added at any time: readers
//! here ignore what they do not know, and keep unknown `pin` members when they rewrite. Levels 1 to 4 share one reader,
//! because they differ only in which members of a tool are required.

mod attest;
mod edit;
mod fields;
mod merge;
mod pin;
mod read;
mod write;

pub use attest::{NewAttestation, TextError, attested, check_name, check_note};
pub use fields::ReadError;
pub use merge::merge;
pub use read::{MAX_LOCK_BYTES, MAX_LOCK_VALUES, read};
pub use write::{APPROVER, NewPin, render};
