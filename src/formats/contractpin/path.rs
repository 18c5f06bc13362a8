//! Which paths of dumps are followed: those that stay in the folder of the lock file.
//!
//! The text decides, on every system alike, so that a file that was reviewed on one is no trick on another. Whether a
//! symbolic link leads out is for who opens the file.

/// Checks a path as a file writes it.
///
/// # Errors
/// Why it is not followed.
pub(super) fn check(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("it is empty");
    }
    if path.chars().any(char::is_control) {
        return Err("it holds a control character");
    }
    if path.contains('\\') {
        return Err("it holds a backslash; parts of a path are separated by /");
    }
    if path.starts_with('/') {
        return Err("it is absolute; only files in the folder of the lock file are read");
    }
    if path.contains(':') {
        return Err("it holds a colon, as drive letters and streams do");
    }
    if path.split('/').any(|part| part == ".." || part.trim_end_matches([' ', '.']).is_empty() && part.len() > 2) {
        return Err("it leaves the folder of the lock file");
    }
    if path.ends_with('/') || path.split('/').next_back().is_some_and(|part| part == ".") {
        return Err("it names a folder");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn paths_stay_in_the_folder() {
        for path in ["tools.json", "dumps/tools.json", "./tools.json", "a..b/c", "..a", ".hidden", "a b"] {
            assert_eq!(check(path), Ok(()), "{path}");
        }
        let refused = [
            "",
            "/etc/passwd",
            "..",
            "../x",
            "a/../../x",
            "a/..",
            "C:x",
            "c:/x",
            "C:\\x",
            "a\\b",
            "\\\\host\\x",
            "//h/x",
            "x\0",
            "x\n",
            "a:stream",
            "file:x",
            "... /x",
            ".. ",
            "...",
            "a/",
            ".",
            "a/.",
        ];
        for path in refused {
            assert!(check(path).is_err(), "{path:?}");
        }
    }
}
