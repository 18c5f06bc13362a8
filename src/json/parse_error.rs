//! Where and why the strict parse refused a text.

/// Where and why a text was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at line {line}, column {column}{}", at_pointer(pointer))]
pub struct ParseError {
    pub kind: ParseErrorKind,
    /// JSON pointer (RFC 6901) of the value being read; empty for the document itself.
    pub pointer: String,
    /// From 1; lines end with a line feed.
    pub line: usize,
    /// From 1, in code points.
    pub column: usize,
}

/// Why a text was refused. The texts are fragments without punctuation; text of the document is not quoted, save
/// number tokens (ASCII by then) and member names, which callers escape before they show them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    #[error("the text is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the text is not valid UTF-8")]
    NotUtf8,
    #[error("the text begins with a byte order mark")]
    ByteOrderMark,
    #[error("nesting is deeper than {limit} levels")]
    TooDeep { limit: usize },
    #[error("it holds more than {limit} JSON values")]
    TooManyValues { limit: usize },
    #[error("the member name \"{0}\" is repeated in one object")]
    DuplicateMember(String),
    #[error("the integer {0} is outside ±(2^53-1) and cannot be hashed exactly")]
    IntegerOutOfRange(String),
    #[error("the number {0} overflows to infinity")]
    FloatOverflow(String),
    #[error("a \\u escape is an unpaired surrogate")]
    LoneSurrogate,
    #[error("expected {expected}, found {found}")]
    Syntax { expected: &'static str, found: String },
}

impl ParseErrorKind {
    /// Whether the text is JSON by its grammar and was refused only by a rule of the format: a server that sends
    /// such a line meant to send a message.
    pub fn is_well_formed_but_refused(&self) -> bool {
        !matches!(self, Self::NotUtf8 | Self::ByteOrderMark | Self::Syntax { .. })
    }
}

fn at_pointer(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" (in {pointer})") }
}
