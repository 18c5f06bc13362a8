//! The one integration test binary: everything here goes through the public library or the built program.

mod capture;
mod checks;
#[cfg(feature = "http")]
mod http;
mod support {
    pub mod replay;
    pub mod scripted;
    #[cfg(feature = "http")]
    pub mod web;
}
mod vectors;
