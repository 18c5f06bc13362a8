//! Who we say we are, and in which era we speak first.

use crate::json::Object;
use crate::surface::Era;
use crate::text::is_hidden;

/// Characters of a client's name or version at most.
const MAX_CHARS: usize = 100;

/// Which of the two eras is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EraChoice {
    /// Begins in this era and turns to the other one on evidence that the server does not speak it.
    Auto { first: Era },
    /// This one or none.
    Only(Era),
}

impl EraChoice {
    /// The era that a conversation begins in.
    pub fn first(self) -> Era {
        match self {
            Self::Auto { first } => first,
            Self::Only(era) => era,
        }
    }

    /// The era that may be turned to.
    pub fn second(self) -> Option<Era> {
        match self {
            Self::Auto { first } => Some(first.other()),
            Self::Only(_) => None,
        }
    }
}

/// `initialize` first: it reaches nearly every server there is, while some do not survive another first request.
impl Default for EraChoice {
    fn default() -> Self {
        Self::Auto { first: Era::Legacy }
    }
}

/// The name and version that servers are told. Some declare different things to different clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    name: String,
    version: String,
}

/// A name or version that no server should be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 1 to {MAX_CHARS} visible characters")]
pub struct ClientError;

impl Client {
    /// Another name and version than our own.
    ///
    /// # Errors
    /// One of them is not what [`Client::check`] wants.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Result<Self, ClientError> {
        let client = Self { name: name.into(), version: version.into() };
        Self::check(&client.name)?;
        Self::check(&client.version)?;
        Ok(client)
    }

    /// Whether a text will do as a name or version.
    ///
    /// # Errors
    /// It is empty, too long, or holds characters that cannot be seen.
    pub fn check(text: &str) -> Result<(), ClientError> {
        let visible = !text.contains(is_hidden) && !text.trim().is_empty();
        if visible && text.chars().count() <= MAX_CHARS { Ok(()) } else { Err(ClientError) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// As messages carry it.
    pub(super) fn to_object(&self) -> Object {
        [("name", self.name.as_str()), ("version", self.version.as_str())].into_iter().collect()
    }
}

impl Default for Client {
    fn default() -> Self {
        Self { name: "warden".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_visible_texts_are_sent() {
        assert!(Client::new("Claude Desktop", "1.2.3+é").is_ok());
        assert!(Client::new("x".repeat(100), "1").is_ok());
        for bad in ["", "  ", "a\nb", "a\u{200b}", "\u{1b}[1m", &"x".repeat(101)] {
            assert_eq!(Client::new(bad, "1"), Err(ClientError), "{bad:?}");
            assert_eq!(Client::new("a", bad), Err(ClientError), "{bad:?}");
        }
    }
}
