//! What can be wrong with a file.

/// Why a file is no lock of its format, or none that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// It cannot be parsed, or breaks a rule of its format. In our words, with the place; what it quotes is escaped.
    #[error("{0}")]
    Invalid(String),
    /// Its digests do not come out of what it holds, or its counts are wrong.
    #[error("{0}")]
    Corrupt(String),
    /// A version or an algorithm that this program does not know.
    #[error("{0}")]
    Unknown(String),
}
