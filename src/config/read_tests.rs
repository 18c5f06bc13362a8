//! Unit tests of the reader of `warden.toml`: its top, and files that mean harm.

use super::*;

#[test]
fn the_top_says_where_locks_are_and_what_belongs_to_the_project() {
    let config = parse(b"locks = 'ci/locks'\ndiscover = false").unwrap();
    assert_eq!((config.locks.as_deref(), config.discover), (Some("ci/locks"), Discover::Off));
    assert_eq!(parse(b"discover = true").unwrap(), Config::default());
    for (text, column, cause) in [
        ("locks = 'a/../b'", 9, "`locks` cannot be \"a/../b\": `..` can lead out of the project"),
        ("locks = '/a'", 9, "it is absolute"),
        ("locks = ''", 9, "it is empty"),
        ("locks = '.git/x'", 9, "it is in git's own folder"),
        ("locks = ['a']", 9, "`locks` is a text in quotes, and this is of type array"),
        ("discover = 'no'", 12, "`discover` is true or false, and this is of type string"),
        ("discover = 0", 12, "`discover` is true or false, and this is of type integer"),
        ("lock = 'a'", 1, "the file has no member \"lock\""),
    ] {
        let error = parse(text.as_bytes()).expect_err(text);
        assert!(error.cause.contains(cause), "{text}: {error}");
        assert_eq!((error.line, error.column), (1, column), "{text}: {error}");
    }
    assert_eq!(parse(b"lock = 'a'").unwrap_err().hint.as_deref(), Some("did you mean locks?"));
}

#[test]
fn places_are_counted_in_lines_and_characters() {
    for (text, place) in [
        ("x = 1", (1, 1)),
        ("\n\nx = 1", (3, 1)),
        ("\r\n\r\n  x = 1", (3, 3)),
        ("locks = 'äöü'\nx = 1", (2, 1)),
        ("servers = { 'ä' = 1 }", (1, 13)),
        ("servers = { 'ä' = {}, b = 1 }", (1, 23)),
        ("# ä\nlocks = 'a", (2, 11)),
    ] {
        let error = parse(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), place, "{text}: {error}");
    }
}

#[test]
fn hostile_files_are_refused_in_bounded_visible_words() {
    let error = parse(b"[[ignore]]\nrule = \"\xff\"").unwrap_err();
    assert_eq!((error.line, error.column, error.cause.as_str()), (2, 9, "this is not UTF-8"));
    let long = format!("\"{}\u{1b}[2J\u{202e}\" = 1", "k".repeat(100_000));
    let hidden = "\"\\u001b[2Jk\u{202e}\" = 1".to_owned();
    let deep = format!("a = {}", "[".repeat(100_000));
    let dotted = format!("{}b = 1", "a.".repeat(100_000));
    let tables = format!("[{}b]", "a.".repeat(100_000));
    let server = format!("[servers.\"\\u001b[2{}\u{202e}\"]\nx = 1", "J".repeat(100_000));
    let path = format!("locks = \"/{}\\u001b\u{202e}\"", "p".repeat(100_000));
    let header = format!("[servers.a.header-env]\n\"\\u001b{}\" = \"A\"", "h".repeat(100_000));
    let nested = format!("[servers.a]\nskip = {}", "{reason = ".repeat(50_000));
    let below = format!("[servers.a.{}skip]\nreason = \"r\"", "skip.".repeat(70));
    for text in [long, hidden, deep, dotted, tables, server, path, header, nested, below] {
        let error = parse(text.as_bytes()).unwrap_err();
        assert!(error.cause.chars().count() < 400, "{}", error.cause.len());
        assert!(!error.cause.chars().any(crate::text::is_hidden), "{:?}", error.cause);
        assert!(error.hint.is_none_or(|hint| !hint.chars().any(crate::text::is_hidden)));
    }
}
