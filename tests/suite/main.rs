//! The integration tests, one binary: what the crate promises to those who use it from outside.

mod capture;

mod support {
    pub mod replay;
    pub mod scripted;
}
