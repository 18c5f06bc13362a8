//! Commands that a reader can copy into a POSIX shell.

use super::untrusted::is_hidden;

/// One word quoted for a POSIX shell; hidden characters go through `$'…'`, so that what is copied is what is seen.
pub fn shell_quote(word: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./_-".contains(c);
    if !word.is_empty() && word.chars().all(safe) {
        return word.to_owned();
    }
    if !word.chars().any(is_hidden) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            c if is_hidden(c) => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\x{byte:02x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// A whole command line, quoted word by word.
pub fn quote_argv<S: AsRef<str>>(argv: impl IntoIterator<Item = S>) -> String {
    argv.into_iter().map(|word| shell_quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        let argv = ["npx", "-y", "@acme/x@1.0", "", "it's", "a b", "$(id)", "x\ny", "\u{202e}'"];
        let want = r"npx -y @acme/x@1.0 '' 'it'\''s' 'a b' '$(id)' $'x\x0ay' $'\xe2\x80\xae\''";
        assert_eq!(quote_argv(argv), want);
    }
}
