//! The digest text of the format: `sha256:` and 64 lower-case hexadecimal digits (SPEC.md §4.2).

use sha2::{Digest as _, Sha256};
use std::fmt;

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is not a digest of this format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a digest: expected \"sha256:\" and 64 lower-case hexadecimal digits")]
pub struct DigestParseError;

impl Digest {
    const PREFIX: &'static str = "sha256:";

    /// The digest of these bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of what a hasher was fed.
    pub(super) fn of_hasher(hasher: Sha256) -> Self {
        Self(hasher.finalize().into())
    }

    /// The first eight hexadecimal digits, for people; never compare these.
    pub fn short(&self) -> String {
        hex::encode(&self.0[..4])
    }

    /// `sha256:`, the first eight digits, an ellipsis and the last four: recognisable at a glance.
    pub fn abbreviated(&self) -> String {
        format!("{}{}…{}", Self::PREFIX, self.short(), hex::encode(&self.0[30..]))
    }
}

impl std::str::FromStr for Digest {
    type Err = DigestParseError;

    fn from_str(text: &str) -> Result<Self, DigestParseError> {
        let digits = text.strip_prefix(Self::PREFIX).ok_or(DigestParseError)?;
        // The decoder takes upper case too, the format does not.
        if digits.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(DigestParseError);
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| DigestParseError)?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::PREFIX, hex::encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Digest> for super::Value {
    fn from(digest: Digest) -> Self {
        Self::String(digest.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_text_form_is_a_digest() {
        let text = "sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b";
        assert_eq!(text.parse::<Digest>().unwrap().to_string(), text);
        let upper = text.replace('e', "E");
        for bad in
            ["", "sha256:", &text[..70], &text[7..], &format!("{text}0"), &upper, "sha512:74", &text.replace('7', "g")]
        {
            assert_eq!(bad.parse::<Digest>(), Err(DigestParseError), "{bad}");
        }
    }
}
