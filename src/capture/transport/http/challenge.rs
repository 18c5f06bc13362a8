//! `WWW-Authenticate`, pure: what a server asks for that answers 401 or 403 (RFC 9110, section 11).

/// Bytes of all challenges that are looked at.
const LONGEST: usize = 8 << 10;

/// One challenge; all texts as the server wrote them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    pub(super) scheme: String,
    parameters: Vec<(String, String)>,
}

impl Challenge {
    /// The challenge of these headers that tells most: `Bearer` before any other.
    pub(super) fn best<'a>(headers: impl IntoIterator<Item = &'a [u8]>) -> Option<Self> {
        let mut all = Vec::new();
        let mut left = LONGEST;
        for header in headers {
            let header = &header[..header.len().min(left)];
            left -= header.len();
            all.extend(parse(&String::from_utf8_lossy(header)));
        }
        let bearer = all.iter().position(|challenge| challenge.scheme.eq_ignore_ascii_case("bearer"));
        (!all.is_empty()).then(|| all.swap_remove(bearer.unwrap_or(0)))
    }

    /// A parameter that is there and not empty. Names know no case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

/// `Scheme name=value, name="va\"lue", Other x=y`. Whatever does not fit is skipped.
fn parse(text: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    for part in split_at_commas(text) {
        let part = part.trim();
        let is_token =
            |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && !b"=\",".contains(&b));
        // A new challenge begins with a scheme alone, or a scheme and a space.
        let (scheme, rest) = match part.split_once(char::is_whitespace) {
            Some((scheme, rest)) if is_token(scheme) && !rest.trim_start().starts_with('=') => {
                (Some(scheme), rest.trim())
            }
            _ if is_token(part) => (Some(part), ""),
            _ => (None, part),
        };
        if let Some(scheme) = scheme {
            challenges.push(Challenge { scheme: scheme.to_owned(), parameters: Vec::new() });
        }
        if let (Some(challenge), Some((name, value))) = (challenges.last_mut(), rest.split_once('=')) {
            challenge.parameters.push((name.trim().to_owned(), unquote(value.trim())));
        }
    }
    challenges
}

fn split_at_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn unquote(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else { return value.to_owned() };
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(headers: &[&str]) -> Option<Challenge> {
        Challenge::best(headers.iter().map(|header| header.as_bytes()))
    }

    #[test]
    fn the_bearer_challenge_is_found_among_others() {
        let challenge = best(&[
            r#"Basic realm="a, b", Negotiate"#,
            r#"Newauth x = "1", bearer realm="de\"mo", Scope="tools:read x", error=invalid_token,resource_metadata="https://a.test/x?y=1,2""#,
        ])
        .expect("a challenge");
        assert_eq!(challenge.scheme, "bearer");
        for (name, want) in [
            ("realm", Some("de\"mo")),
            ("scope", Some("tools:read x")),
            ("error", Some("invalid_token")),
            ("resource_metadata", Some("https://a.test/x?y=1,2")),
            ("error_description", None),
        ] {
            assert_eq!(challenge.get(name), want, "{name}");
        }
        assert_eq!(
            best(&["Basic realm=\"a, b\""]).and_then(|c| c.get("realm").map(str::to_owned)).as_deref(),
            Some("a, b")
        );
        assert_eq!(best(&["Bearer"]).map(|c| c.scheme).as_deref(), Some("Bearer"));
    }

    #[test]
    fn hostile_challenges_are_bounded_and_harmless() {
        assert_eq!(best(&[]), None);
        for text in ["", ",,,", "\"", "=", "a=\"", "\\", "Bearer \"x"] {
            let _ = best(&[text]);
        }
        let long = format!("Bearer realm=\"{}\"", "x".repeat(100_000));
        assert!(best(&[&long, &long]).expect("a challenge").get("realm").expect("a realm").len() <= LONGEST);
    }
}
