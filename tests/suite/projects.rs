//! All servers of a project in one run.

mod agreement;
mod consent;
mod interrupted;
mod several;
mod since;
mod sources;
