//! How far a capture has come: for errors and for progress lines.

use crate::surface::Section;
use std::fmt;

/// A step of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Starting the server's process.
    Start,
    /// `initialize` and `notifications/initialized`, or `server/discover`.
    Handshake,
    /// A page of one of the pinned lists, from 1.
    List { section: Section, page: usize },
    /// A page of `resources/templates/list`, from 1.
    Templates { page: usize },
    /// Reading the entries of the lists.
    Surface,
    /// Ending the server.
    Shutdown,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Handshake => f.write_str("handshake"),
            Self::List { section, page } => write!(f, "{}/list page {page}", section.key()),
            Self::Templates { page } => write!(f, "resources/templates/list page {page}"),
            Self::Surface => f.write_str("surface"),
            Self::Shutdown => f.write_str("shutdown"),
        }
    }
}

/// Somebody who wants to know how far a capture is. Called from the thread that talks to the server: return at once.
pub trait Observer: Send + Sync {
    fn on_stage(&self, stage: &Stage);

    /// Whether [`Observer::on_stderr_line`] is of any use. Asked once for each process.
    fn wants_stderr(&self) -> bool {
        false
    }

    /// A line of the server's standard error, redacted, shortened and escaped, without its line end. The last one may
    /// be a count of those that are not handed on.
    fn on_stderr_line(&self, _line: &str) {}
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn on_stage(&self, _: &Stage) {}
}

impl<F: Fn(&Stage) + Send + Sync> Observer for F {
    fn on_stage(&self, stage: &Stage) {
        self(stage);
    }
}
