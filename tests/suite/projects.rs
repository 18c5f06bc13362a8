//! All servers of a project in one run.

mod advice;
mod agreement;
mod consent;
mod interrupted;
mod several;
mod since;
mod sources;
