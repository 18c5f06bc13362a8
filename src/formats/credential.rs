//! What must never be written into a file: the small rule for words of a launch.
//!
//! It decides what is refused, not what is reported: the checks of this program know far more patterns, and a command
//! runs them as well.

/// Words that make a name the name of a secret.
const SECRET: [&str; 16] = [
    "key",
    "apikey",
    "token",
    "secret",
    "pass",
    "passwd",
    "password",
    "passphrase",
    "pwd",
    "auth",
    "authorization",
    "credential",
    "credentials",
    "bearer",
    "cookie",
    "pat",
];
/// Ends of run-together names.
const ENDS: [&str; 5] = ["apikey", "token", "secret", "password", "passwd"];
/// Last words of names that are about a secret and do not hold it.
const ABOUT: [&str; 12] =
    ["file", "path", "dir", "env", "mode", "type", "url", "limit", "name", "stdin", "scope", "format"];
/// Words before `key` or `token` that make it a place in a list.
const HARMLESS: [&str; 12] =
    ["sort", "primary", "partition", "public", "foreign", "index", "cache", "page", "max", "min", "num", "no"];
/// Beginnings of tokens that say what they are.
const TOKENS: [&str; 12] =
    ["ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk-ant-", "sk-proj-", "AKIA", "npm_"];

/// Why this URL must not be written; `None` where nothing speaks against it.
pub(super) fn in_url(url: &str) -> Option<&'static str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest).trim_start_matches(['/', '\\']);
    let authority = &rest[..rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())];
    if authority.rsplit_once('@').is_some_and(|(user, _)| !user.is_empty() && !is_reference(user)) {
        return Some("user and password stand in the URL");
    }
    let query = rest.find(['?', '#']).map_or("", |at| &rest[at + 1..]);
    let holds = |pair: &str| {
        pair.split_once('=').is_some_and(|(name, value)| is_secret_name(&decoded(name)) && is_value(value))
    };
    if query.split(['&', ';', '#', '?']).any(holds) {
        return Some("a parameter of the URL is a credential");
    }
    rest.split(['/', '?', '&', '=', '#', '@', ':']).any(is_token).then_some("a part of the URL is a token")
}

/// Why this argument vector must not be written.
pub(super) fn in_command(command: &[String]) -> Option<&'static str> {
    let mut before: Option<&str> = None;
    for word in command {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (Some(name), value),
            None => (before.filter(|before| before.starts_with('-')), word.as_str()),
        };
        let flag_value = word.contains('=') || !word.starts_with('-');
        if flag_value && name.is_some_and(is_secret_name) && is_value(value) {
            return Some("an argument is a credential");
        }
        if is_header(value) || is_header(word) {
            return Some("an argument is a header with a credential");
        }
        if word.split(['=', ':', ' ', '/', '@']).any(is_token) {
            return Some("an argument holds a token");
        }
        if let Some(at) = word.find("://") {
            let start = word[..at].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
            // What is no letter of a scheme may be several bytes long.
            if let Some(problem) = word.get(start..).and_then(in_url) {
                return Some(problem);
            }
        }
        before = if word.contains('=') { None } else { Some(word) };
    }
    None
}

/// `Authorization: Bearer abc`, and the like.
fn is_header(word: &str) -> bool {
    word.split_once(':').is_some_and(|(name, value)| {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        is_name && is_secret_name(name) && !value.starts_with("//") && is_value(value.trim())
    })
}

fn is_token(word: &str) -> bool {
    word.len() >= 16 && TOKENS.iter().any(|begin| word.starts_with(begin))
}

/// Whether a text is more than nothing and more than a reference.
fn is_value(text: &str) -> bool {
    let text = text.trim();
    let text =
        ["Bearer ", "bearer ", "Basic ", "basic "].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text);
    !text.is_empty() && !is_reference(text)
}

/// `$NAME`, `${NAME}`, `{{name}}`, `<your key>`.
fn is_reference(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}') && text.matches("${").count() == 1
        || text.starts_with("{{") && text.ends_with("}}")
        || text.starts_with('<') && text.ends_with('>')
        || text.strip_prefix('$').is_some_and(is_variable)
}

/// Whether a variable can have that name.
pub(super) fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn is_secret_name(name: &str) -> bool {
    let mut spaced = String::new();
    let mut before = ' ';
    for c in name.chars().take(128) {
        if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            spaced.push(' ');
        }
        spaced.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
        before = c;
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_secret = |(at, word): (usize, &&str)| {
        let harmless = at.checked_sub(1).is_some_and(|before| HARMLESS.contains(&words[before]));
        !harmless && (SECRET.contains(word) || ENDS.iter().any(|end| word.ends_with(end)))
    };
    words.last().is_some_and(|last| !ABOUT.contains(last)) && words.iter().enumerate().any(is_secret)
}

/// Percent escapes of ASCII undone, so that no name hides behind them.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let byte = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => out.push(char::from(byte)),
            None => out.push('%'),
        }
        let skip = if byte.is_some() { 3 } else { 1 };
        rest = rest.get(at + skip..).unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_urls_are_seen_and_ordinary_ones_pass() {
        for url in [
            "https://user:pw@a.test/mcp",
            "https://token@a.test",
            "https://a.test/mcp?api_key=abc",
            "https://a.test/?x=1&access%5Ftoken=abc",
            "https://a.test/?%74oken=abc",
            "https://a.test/#token=abc",
            "https://a.test/ghp_0123456789abcdef0123/mcp",
            "//u:p@a.test",
            "https://é:p@a.test",
        ] {
            assert!(in_url(url).is_some(), "{url}");
        }
        for url in [
            "https://a.test/mcp",
            "https://a.test:8443/@scope/x?page=2",
            "https://a.test/?api_key=${KEY}",
            "https://a.test/?api_key=",
            "https://${USER}@a.test",
            "https://a.test/?token_type=jwt",
            "%",
            "%é",
            "",
        ] {
            assert_eq!(in_url(url), None, "{url}");
        }
    }

    #[test]
    fn credentials_of_commands_are_seen_and_ordinary_ones_pass() {
        let words = |line: &str| line.split('|').map(str::to_owned).collect::<Vec<_>>();
        for line in [
            "srv|--api-key|abc",
            "srv|--token=abc",
            "env|API_KEY=abc|srv",
            "npx|mcp-remote|https://a.test|--header|Authorization: Bearer abc",
            "npx|mcp-remote|https://a.test|--header|Authorization:abc",
            "srv|--header=X-Api-Key: abc",
            "srv|ghp_0123456789abcdef0123",
            "srv|--db|postgres://u:p@h/db",
            "srv|é=https://u:p@h/db",
        ] {
            assert!(in_command(&words(line)).is_some(), "{line}");
        }
        for line in [
            "npx|-y|@acme/mcp-search@1.2.3",
            "srv|--token-file|/run/token",
            "srv|--token|${TOKEN}",
            "srv|--header|Authorization: Bearer ${TOKEN}",
            "srv|--url|https://a.test/mcp",
            "srv|--token|--verbose",
            "srv|--sort-key|name",
            "srv|--no-auth|x",
            "é|%é=%|\u{1f600}://@",
            "docker|run|-e|API_KEY|img",
            "",
        ] {
            assert_eq!(in_command(&words(line)), None, "{line}");
        }
    }
}
