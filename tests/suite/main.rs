//! The one integration test binary: everything here goes through the public library or the built program.

mod checks;
mod vectors;
