//! The one integration test binary: everything here goes through the public library or the built program.

mod vectors;
