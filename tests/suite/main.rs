//! One binary for all integration tests: command line, vectors, faults, properties, architecture.

mod checks;
