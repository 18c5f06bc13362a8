//! How a server is reached: the identity that a lock pins (SPEC.md §6).

use crate::json::{CanonicalError, Digest, Object, Value, hash};

/// A launch invocation or an endpoint, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    /// An argument vector, started without a shell.
    Stdio { command: String, args: Vec<String> },
    /// A non-empty URL text.
    Url(String),
}

impl Launch {
    /// From the three members of a lock's `server` block; an empty URL counts as none.
    pub fn from_parts(command: String, args: Vec<String>, url: Option<String>) -> Self {
        match url {
            Some(url) if !url.is_empty() => Self::Url(url),
            _ => Self::Stdio { command, args },
        }
    }

    /// `command_digest`: over command and args, or over the URL alone.
    ///
    /// # Errors
    /// None in practice: texts always have a canonical form.
    pub fn digest(&self) -> Result<Digest, CanonicalError> {
        let identity: Object = match self {
            Self::Stdio { command, args } => {
                [("command", Value::from(command.as_str())), ("args", args.clone().into())].into_iter().collect()
            }
            Self::Url(url) => [("url", url.as_str())].into_iter().collect(),
        };
        hash(&identity.into())
    }

    /// The words of the launch: command and arguments, or the URL alone.
    pub fn words(&self) -> Vec<&str> {
        match self {
            Self::Stdio { command, args } => {
                std::iter::once(command.as_str()).chain(args.iter().map(String::as_str)).collect()
            }
            Self::Url(url) => vec![url],
        }
    }
}
