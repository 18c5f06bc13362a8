//! What paths, names of variables and headers, and URLs of `warden.toml` have to be like. A committed file must mean the
//! same on every machine, and no value of a secret belongs in it.

/// Why a text cannot be a folder below the one of the file.
///
/// `${VAR}` counts as any other name: where a reference is looked up, its value is its author's choice.
pub(super) fn folder_problem(path: &str) -> Option<&'static str> {
    let is_drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if path.is_empty() {
        Some("it is empty")
    } else if path.contains('\0') {
        Some("it has a NUL character")
    } else if path.contains('\\') {
        Some("it has a \\, which is a part of a name on some systems and not on others")
    } else if path.starts_with('/') || is_drive {
        Some("it is absolute, and such a path is another one on every machine")
    } else if path.split('/').next() == Some("~") {
        Some("~ stands for no folder here")
    } else if path.split('/').any(is_up) {
        Some("`..` can lead out of the project")
    } else {
        None
    }
}

/// The same for a file.
pub(super) fn file_problem(path: &str) -> Option<&'static str> {
    let is_folder = matches!(path.rsplit('/').next(), Some("" | "."));
    folder_problem(path).or(is_folder.then_some("it names a folder, not a file"))
}

/// The same for a folder of locks, which are written.
pub(super) fn locks_problem(path: &str) -> Option<&'static str> {
    folder_problem(path).or_else(|| written_problem(path))
}

/// The same for a lock, which is written.
pub(super) fn lock_problem(path: &str) -> Option<&'static str> {
    let is_lock = path.ends_with(".lock");
    file_problem(path)
        .or_else(|| written_problem(path))
        .or((!is_lock).then_some("its name does not end in .lock, and no other file may be replaced by a lock"))
}

/// A cloned project must not make a command write hooks or settings of git, by whatever name a system knows its folder.
fn written_problem(path: &str) -> Option<&'static str> {
    // What follows a colon is a part of a folder on Windows, not of its name.
    let is_git = |name: &str| {
        let name = name.split(':').next().unwrap_or(name);
        name.trim_end_matches(['.', ' ']).eq_ignore_ascii_case(".git")
    };
    if path.split('/').any(is_git) {
        Some("it is in git's own folder")
    } else if path.contains('~') {
        Some("it has a ~, with which Windows writes short names of other files and folders")
    } else {
        None
    }
}

/// `..`, also as Windows reads it, which drops dots and spaces at the end of a name.
fn is_up(name: &str) -> bool {
    name.starts_with("..") && name.bytes().all(|byte| matches!(byte, b'.' | b' '))
}

/// A path for comparison: one form for all that name the same file, also where a file system takes upper and lower case
/// as equal. Only for paths without `..`.
pub(super) fn normalized(path: &str) -> String {
    let names: Vec<&str> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    names.join("/").to_lowercase()
}

/// Why a text is not the name of a variable, in words that do not quote it: it may be a value.
pub(super) fn variable_problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("the name of a variable is empty")
    } else if name.contains('=') {
        Some("this is a variable with its value, and values do not belong in this file")
    } else if name.contains(['$', '{', '}']) {
        Some("the name of a variable stands here alone, without ${ }")
    } else if name.contains(|c: char| c.is_whitespace() || c == '\0') {
        Some("this is not the name of a variable, and values do not belong in this file")
    } else {
        None
    }
}

/// Whether HTTP has such a header: a token of RFC 9110 §5.6.2.
pub(super) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    (1..=256).contains(&name.len()) && name.bytes().all(is_token)
}

/// Why a text is no URL of a server, in words that do not quote it: it may hold a password.
pub(super) fn url_problem(url: &str) -> Option<&'static str> {
    let after = ["https://", "http://"]
        .iter()
        .find_map(|scheme| url.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)))
        .map(|scheme| &url[scheme.len()..]);
    if url.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some("it has a space or a control character");
    }
    match after {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '?', '#']) => Some("it names no host"),
        None if !begins_with_reference(url) => Some("it begins neither with https:// or http:// nor with ${VARIABLE}"),
        _ => None,
    }
}

/// Whether a text begins with `${NAME}` or `${NAME:-default}`.
fn begins_with_reference(text: &str) -> bool {
    let Some((inside, _)) = text.strip_prefix("${").and_then(|rest| rest.split_once('}')) else { return false };
    let name = inside.split_once(":-").map_or(inside, |(name, _)| name);
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_letter) && name.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_file_on_every_system() {
        for good in ["a", "a/b", "./a", "a//b", ".warden", "a..b", "..a", "a/...b", "${ROOT}/x", "a b", "ü/~", "ab:c"]
        {
            assert_eq!(file_problem(good), None, "{good}");
        }
        for good in ["a.lock", "a/b.lock", "./.lock", "a..b.lock", "${ROOT}/x.lock", "a b.lock", ".github/x.lock"] {
            assert_eq!(lock_problem(good), None, "{good}");
        }
        for (bad, why) in [
            ("", "empty"),
            ("/a", "absolute"),
            ("//a", "absolute"),
            ("C:/a", "absolute"),
            ("c:a", "absolute"),
            ("a\\b", "has a \\"),
            ("\\\\host\\a", "has a \\"),
            ("~/a", "~"),
            ("~", "~"),
            ("..", "`..`"),
            ("a/..", "`..`"),
            ("a/../b", "`..`"),
            ("a/.. /b", "`..`"),
            ("a/.../b", "`..`"),
            ("a\0", "NUL"),
            ("a/", "folder, not a file"),
            ("a/.", "folder, not a file"),
            (".", "folder, not a file"),
            (".git/hooks/pre-commit", "git's own"),
            ("a/.GIT. /config", "git's own"),
            (".git::$INDEX_ALLOCATION/x.lock", "git's own"),
            ("git~1/x.lock", "short names"),
            ("GIT~1/hooks/x.lock", "short names"),
            ("a/x~1.lock", "short names"),
            (".github/workflows/x.yml", "end in .lock"),
            ("a.lock/x", "end in .lock"),
            ("a.LOCK", "end in .lock"),
        ] {
            assert!(lock_problem(bad).is_some_and(|problem| problem.contains(why)), "{bad:?}");
        }
        for good in [".", "a/", "a/."] {
            assert_eq!(locks_problem(good), None, "{good}");
        }
        for bad in [".git", "git~1", "a/GIT~2/b"] {
            assert!(locks_problem(bad).is_some() && folder_problem(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn one_file_has_one_normal_form() {
        for same in ["Locks/a.lock", "./locks/a.lock", "locks//A.lock", "locks/./a.lock"] {
            assert_eq!(normalized(same), "locks/a.lock", "{same}");
        }
    }

    #[test]
    fn names_and_urls_are_judged_without_their_text() {
        for good in ["TOKEN", "a", "npm_config_x", "ProgramFiles(x86)"] {
            assert_eq!(variable_problem(good), None, "{good}");
        }
        for bad in ["", "A=b", "=", "${A}", "$A", "A}${B", "A B", "A\n", "A\0", "\u{a0}"] {
            assert!(variable_problem(bad).is_some(), "{bad:?}");
        }
        for (name, good) in [("X-Team", true), ("", false), ("X Team", false), ("X:", false), ("Ü", false)] {
            assert_eq!(is_header_name(name), good, "{name}");
        }
        assert!(is_header_name(&"x".repeat(256)) && !is_header_name(&"x".repeat(257)));
        for good in ["https://a", "HTTP://a:1/b?c#d", "${BASE}", "${BASE}/mcp", "${_b1:-https://a}/x", "https://${H}"] {
            assert_eq!(url_problem(good), None, "{good}");
        }
        for bad in [
            "",
            "a",
            "ftp://a",
            "https:/a",
            "https://",
            "https:///a",
            "http://?a",
            "https://a b",
            "https://a\n",
            "${}",
            "${1A}",
            "${A B}",
            "${A",
            "$A",
            "x${A}",
            "${A-b}",
            "é",
            "file:///etc/passwd",
        ] {
            assert!(url_problem(bad).is_some(), "{bad:?}");
        }
    }
}
