//! The one integration test binary: everything here goes through the public library or the built program.

mod capture;
mod checks;
mod surface_files;
mod support {
    pub mod replay;
    pub mod scripted;
}
mod vectors;
