//! Cutting a tool or property name into the words that the table knows (SPEC.md §8.1).
//!
//! The rules are part of the digest: they cut where they cut, also where a better tokenizer would not. What they
//! miss (`/`, full-width letters, plurals) is the business of an advisory check, never of this file.

/// The lower-cased pieces of a name, in order; repeated pieces stay.
///
/// Cuts: at runs of `_`, `-`, `.` and white space, which disappear; before an ASCII capital that follows an ASCII
/// small letter or digit; and before the last capital of an ASCII run of capitals when a small letter follows it.
pub fn tokens(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut chars = name.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_separator(c) {
            push_lower(&mut found, &name[start..at]);
            start = at + c.len_utf8();
        } else if before.is_some_and(|before| is_cut(before, c, chars.peek().map(|next| next.1))) {
            push_lower(&mut found, &name[start..at]);
            start = at;
        }
        before = Some(c);
    }
    push_lower(&mut found, &name[start..]);
    found
}

fn push_lower(found: &mut Vec<String>, piece: &str) {
    if !piece.is_empty() {
        found.push(piece.to_lowercase());
    }
}

fn is_cut(before: char, c: char, after: Option<char>) -> bool {
    c.is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || (before.is_ascii_uppercase() && after.is_some_and(|after| after.is_ascii_lowercase())))
}

fn is_separator(c: char) -> bool {
    // The format's white space has the four information separators, which Rust's does not.
    matches!(c, '_' | '-' | '.' | '\u{1c}'..='\u{1f}') || c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_tokens(name: &str, want: &str) {
        let want: Vec<&str> = want.split(' ').filter(|word| !word.is_empty()).collect();
        assert_eq!(tokens(name), want, "{name:?}");
    }

    #[test]
    fn case_changes_cut_only_between_ascii_letters() {
        for (name, want) in [
            ("runShellCommand", "run shell command"),
            ("fs.write_file", "fs write file"),
            ("HTTPServer2Go", "http server2 go"),
            ("XMLHttpRequest", "xml http request"),
            ("v2API", "v2 api"),
            ("exec2", "exec2"),
            ("2exec", "2exec"),
            ("2Exec", "2 exec"),
            ("ÉcoleRead", "école read"),
            ("A1B", "a1 b"),
            ("getURLs", "get ur ls"),
            ("SQLite", "sq lite"),
            ("SQLExec", "sql exec"),
            ("dBquery", "d bquery"),
            ("DBQuery", "db query"),
            ("READ", "read"),
            ("rEAD", "r ead"),
            ("read/file", "read/file"),
            ("readÉcole", "readécole"),
            ("éRead", "éread"),
            ("", ""),
            ("__--..", ""),
            ("a__b", "a b"),
            ("X", "x"),
            ("aB", "a b"),
        ] {
            assert_tokens(name, want);
        }
    }

    #[test]
    fn white_space_is_the_formats_own_set() {
        let set = "\u{9}\u{a}\u{b}\u{c}\u{d}\u{1c}\u{1d}\u{1e}\u{1f}\u{20}\u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\
                   \u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";
        for c in set.chars() {
            assert_tokens(&format!("read{c}file"), "read file");
        }
        for c in ['\u{200b}', '\u{feff}', '\u{1b}', '\u{180e}', '/', ':', '('] {
            assert_eq!(tokens(&format!("read{c}file")).len(), 1, "{c:?}");
        }
    }

    #[test]
    fn only_the_kelvin_sign_becomes_a_word_of_the_table() {
        assert_tokens("webhoo\u{212a}", "webhook");
        assert_eq!(tokens("wr\u{130}te"), ["wri\u{307}te"]);
    }
}
