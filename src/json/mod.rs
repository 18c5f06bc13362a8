//! JSON text that may be trusted to hash.
//!
//! Everything that is hashed or read as a lock passes [`parse`] first, which decides what most parsers decide
//! silently: repeated member names, integers a double cannot hold, lone surrogates, nesting. The result is a
//! [`Value`] of our own, because two properties of the text must survive that common value types lose: the order
//! of members, and whether a number was spelled as an integer or as a float (SPEC.md §2).
//!
//! A leaf room: it uses nothing else of this crate and does no I/O.

mod canonical;
mod difference;
mod digest;
mod escape;
mod nonprintable;
mod parse;
mod parse_error;
mod python_text;
mod span;
mod value;
mod write;

pub use canonical::{CanonicalError, MAX_DEPTH, canonical_bytes, canonical_text, depth, hash, hash_members};
pub use difference::{Difference, Differences, differences};
pub use digest::{Digest, DigestParseError};
pub use nonprintable::is_nonprintable;
pub use parse::{ParseLimits, Rounded, parse, parse_rounding, parse_within, values_in};
pub use parse_error::{ParseError, ParseErrorKind};
pub use python_text::{enum_text, python_repr, python_str};
pub use span::{element_spans, member_spans};
pub use value::{MAX_SAFE_INTEGER, Object, Value};
pub use write::{PrettyObject, compact, pretty, spaced};
