//! Names that announce a secret: environment variables, options, query parameters, headers.

use super::secret_context::listed;
use crate::capability::tokens;

/// Words that make a name secret wherever they stand in it.
const SECRET: &str = "key keys apikey apikeys token tokens secret secrets pass passwd password passphrase pwd auth \
    authorization authtoken credential credentials creds pat bearer cookie";

/// Ends of run-together words: `PGPASSWORD`, `accesstoken`.
const SECRET_ENDS: &[&str] =
    &["apikey", "accesskey", "secretkey", "privatekey", "token", "secret", "password", "passwd"];

/// Last words of a name that is about a secret but does not hold it.
const ABOUT: &str = "file files filename path dir directory folder env stdin mode type method methods url uri endpoint \
    limit limits ttl provider scope scopes header cmd command helper count length size budget expiry expires timeout \
    issuer audience domain host port format algorithm required enabled disabled prefix name names sock socket store";

/// Words before "key" or "token" that make it a place in a list or a name.
const HARMLESS_OWNERS: &str = "sort primary partition foreign public idempotency cache project issue hot short row group \
    index page next continuation pagination cursor sync resume start max min num no without hash map dict object";

/// Whether a value under this name is probably a secret: a word of the name is KEY, TOKEN, SECRET, PASS, PASSWORD,
/// PWD, AUTH, CREDENTIAL, PAT, BEARER or COOKIE (or ends in one of them, run together), it is not qualified as
/// something else (`sort-key`, `max_tokens`), and the name is not about where the secret is (`token-file`).
///
/// Whole words, not parts of them: `PATH`, `AUTHOR`, `KEYWORDS` and `PASSTHROUGH` hold the same letters.
pub fn is_secret_name(name: &str) -> bool {
    if name.len() > 128 {
        return false;
    }
    let spaced: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let words = tokens(&spaced);
    if words.last().is_none_or(|last| listed(ABOUT, last)) {
        return false;
    }
    words.iter().enumerate().any(|(at, word)| {
        let owned = at.checked_sub(1).is_some_and(|before| listed(HARMLESS_OWNERS, &words[before]));
        let secret = listed(SECRET, word) || SECRET_ENDS.iter().any(|end| word.ends_with(end));
        secret && !owned
    })
}

/// Whether a value only says where the secret comes from: `$NAME`, `${NAME}`, `%NAME%`, `{{name}}`, `<your key>`,
/// `op://…`, `@file`.
pub(super) fn is_reference(value: &str) -> bool {
    let value = value.trim_matches(['"', '\'']);
    value.starts_with(['$', '<', '{', '@'])
        || (value.len() > 2 && value.starts_with('%') && value.ends_with('%'))
        || ["op://", "env:", "file:", "vault:", "keychain:", "secret://", "ref+"]
            .iter()
            .any(|prefix| value.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_make_a_name_secret() {
        for name in [
            "API_KEY",
            "OPENAI_API_KEY",
            "apiKey",
            "--api-key",
            "token",
            "GITHUB_PERSONAL_ACCESS_TOKEN",
            "PGPASSWORD",
            "X-Auth-Token",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_ACCESS_KEY_ID",
            "DB_PASS",
            "clientSecret",
            "Authorization",
            "JIRA_PAT",
            "access_token",
            "accesstoken",
            "key",
            "GOOGLE_CREDENTIALS",
            "DB_PWD",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in [
            "PATH",
            "AUTHOR",
            "KEYWORDS",
            "PASSTHROUGH",
            "MONKEY",
            "token-file",
            "TOKEN_LIMIT",
            "max_tokens",
            "sort-key",
            "AUTH_MODE",
            "SSH_AUTH_SOCK",
            "page_token",
            "KEYCLOAK_URL",
            "private-key-path",
            "NODE_ENV",
            "",
            "no-auth",
            "TOKENIZERS_PARALLELISM",
            "password-stdin",
            "publicKey",
            "compass",
        ] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn references_are_not_secrets() {
        for value in
            ["$TOKEN", "${input:key}", "%TOKEN%", "{{key}}", "<your key>", "op://vault/item", "@/run/key", "\"$X\""]
        {
            assert!(is_reference(value), "{value}");
        }
        for value in ["abc", "100%", "%", "a$b", ""] {
            assert!(!is_reference(value), "{value}");
        }
    }
}
