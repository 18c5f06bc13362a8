//! Unit tests of `[servers.NAME]`.

use crate::config::{ConfigError, Server, ServerSource, parse};

/// The one server of a file.
#[track_caller]
fn one(text: &str) -> Server {
    let mut servers = parse(text.as_bytes()).expect(text).servers;
    assert_eq!(servers.len(), 1, "{text}");
    servers.remove(0)
}

#[track_caller]
fn refused(text: &str) -> ConfigError {
    parse(text.as_bytes()).expect_err(text)
}

#[test]
fn every_member_is_read() {
    let text = r#"
[servers.notes]
command = ["npx", "-y", "@acme/notes-mcp@1.4.0", "${HOME:-/x}", ""]
cwd = "tools/${X}"
timeout = 120
env = ["NOTES_TOKEN", "B"]
inspection = "notes.inspection.json"
lock = "locks/notes.lock"
skip = { reason = "needs a display", until = "2026-12-31" }

[servers.search]
url = "https://search.example.com/mcp"
bearer-env = "SEARCH_TOKEN"
header-env = { "X-Team" = "TEAM_ID", "Accept-Language" = "LANG" }

[servers."a b"]
from = ".mcp.json"
entry = "Browser Tools"

[servers.a]
from = "x/.mcp.json"
bearer-env = "T"
env = []

[servers.only-settings]
timeout = 0.5
"#;
    let servers = parse(text.as_bytes()).unwrap().servers;
    let names: Vec<_> = servers.iter().map(|server| (server.name.as_str(), server.line, server.column)).collect();
    let want = [("notes", 2, 10), ("search", 11, 10), ("a b", 16, 10), ("a", 20, 10), ("only-settings", 25, 10)];
    assert_eq!(names, want, "in the order of the file");
    let [notes, search, browser, a, found] = servers.as_slice() else { panic!("{servers:?}") };
    let words = ["npx", "-y", "@acme/notes-mcp@1.4.0", "${HOME:-/x}", ""].map(str::to_owned);
    assert_eq!(notes.source, ServerSource::Command(words.to_vec()), "references stay references");
    assert_eq!((notes.cwd.as_deref(), notes.timeout), (Some("tools/${X}"), Some(120.0)));
    assert_eq!(notes.env, ["NOTES_TOKEN", "B"]);
    assert_eq!(notes.inspection.as_deref(), Some("notes.inspection.json"));
    assert_eq!(notes.lock.as_deref(), Some("locks/notes.lock"));
    let skip = notes.skip.clone().unwrap();
    assert_eq!((skip.reason.as_str(), skip.until.as_deref()), ("needs a display", Some("2026-12-31")));
    assert_eq!(search.source, ServerSource::Url("https://search.example.com/mcp".into()));
    assert_eq!(search.bearer_env.as_deref(), Some("SEARCH_TOKEN"));
    let headers = [("X-Team", "TEAM_ID"), ("Accept-Language", "LANG")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(search.header_env, headers, "in the order of the file");
    let from = |file: &str, entry: Option<&str>| ServerSource::From { file: file.into(), entry: entry.map(Into::into) };
    assert_eq!(browser.source, from(".mcp.json", Some("Browser Tools")));
    assert_eq!(a.source, from("x/.mcp.json", None));
    assert_eq!((&found.source, found.timeout, &found.skip), (&ServerSource::Found, Some(0.5), &None));
}

#[test]
fn toml_has_many_ways_to_write_a_server() {
    let table = one("[servers.a]\nurl = 'https://h'\nskip = { reason = 'r' }");
    for text in [
        "servers.a.url = 'https://h'\nservers.a.skip.reason = 'r'",
        "servers = { a = { url = 'https://h', skip = { reason = 'r' } } }",
        "[servers]\na = { url = 'https://h', skip.reason = 'r' }",
        "[servers.a.skip]\nreason = 'r'\n[servers.a]\nurl = 'https://h'",
        "[\"servers\".'a']\n\"url\" = '''https://h'''\n\"sk\\u0069p\" = { reason = 'r' }",
    ] {
        let server = one(text);
        assert_eq!(Server { line: table.line, column: table.column, ..server }, table, "{text}");
    }
    // A name is any text but none.
    assert_eq!(one("[servers.\"\\u001b[2J\\u202e ../x\"]").name, "\u{1b}[2J\u{202e} ../x");
    assert!(parse(b"[servers]").unwrap().servers.is_empty());
    let all = parse(b"[servers.a]\n[servers.'a ']\n[servers.A]").unwrap();
    assert_eq!(all.servers.len(), 3, "names are compared character by character");
}

#[test]
fn times_are_seconds_up_to_a_day() {
    for (text, seconds) in
        [("1", 1.0), ("86400", 86_400.0), ("1_0", 10.0), ("0x10", 16.0), ("1.5", 1.5), ("1e2", 100.0), ("+3", 3.0)]
    {
        assert_eq!(one(&format!("[servers.a]\ntimeout = {text}")).timeout, Some(seconds), "{text}");
    }
    for text in ["0", "-1", "0.0", "-0.0", "86401", "86400.1", "inf", "nan", "-inf", "1e999", "99999999999999999999"] {
        let error = refused(&format!("[servers.a]\ntimeout = {text}"));
        assert_eq!((error.line, error.column), (2, 11), "{text}: {error}");
        assert!(error.cause.starts_with("`timeout` is a number of seconds above 0"), "{text}: {error}");
    }
}

/// What is wrong in the table of a server, with line, column, and parts of cause and hint.
const WRONG: &[(&str, usize, usize, &str, &str)] = &[
    ("comand = ['a']", 2, 1, "server \"a\" has no member \"comand\"", "did you mean command?"),
    ("bearer_env = 'A'", 2, 1, "no member \"bearer_env\"", "bearer-env"),
    ("command = ['a']\nargs = ['b']", 3, 1, "no member \"args\"", "same list"),
    ("url = 'https://h'\nheaders = {}", 3, 1, "no member \"headers\"", "header-env ="),
    ("disabled = true", 2, 1, "no member \"disabled\"", "skip ="),
    ("xx = 1\nargs = []", 2, 1, "no member \"xx\"", ""),
    ("command = 'npx -y x'", 2, 11, "`command` is a list of words, and this is of type string", "[\"npx\", \"-y\""),
    ("command = ['a', 1]", 2, 17, "`command` is a list of words in quotes, and this is of type integer", "each word"),
    ("command = []", 2, 11, "`command` is empty", "each word"),
    ("command = [' ']", 2, 12, "first word of `command` is the program, and it is blank", ""),
    ("command = ['a', \"b\\u0000\"]", 2, 17, "NUL", ""),
    ("command = ['a']\nurl = 'https://h'", 3, 1, "this one has `command` already", "leave `command` or `url` out"),
    ("from = 'f'\ncommand = ['a']", 3, 1, "this one has `from` already", "leave `from` or `command` out"),
    ("entry = 'b'", 2, 1, "`entry` goes with `from` only", "from ="),
    ("command = ['a']\nentry = 'b'", 3, 1, "`entry` goes with `from` only", "from ="),
    ("from = 'f'\nentry = ''", 3, 9, "`entry` is empty", ""),
    ("from = 'f'\nentry = 1", 3, 9, "`entry` is a text in quotes", ""),
    ("from = '../f'", 2, 8, "`from` cannot be \"../f\": `..` can lead out", "folder of this file"),
    ("from = '~/.cursor/mcp.json'", 2, 8, "~ stands for no folder", "folder of this file"),
    ("url = 'ftp://h'", 2, 7, "`url` cannot be used: it begins neither", ""),
    ("url = ['https://h']", 2, 7, "`url` is a text in quotes, and this is of type array", ""),
    ("url = 'https://h'\nenv = []", 3, 1, "`env` does not go with `url`", ""),
    ("cwd = 'a'\nurl = 'https://h'", 2, 1, "`cwd` does not go with `url`", ""),
    ("command = ['a']\nbearer-env = 'A'", 3, 1, "`bearer-env` does not go with `command`", ""),
    ("command = ['a']\nheader-env = {}", 3, 1, "`header-env` does not go with `command`", ""),
    ("cwd = '/a'", 2, 7, "`cwd` cannot be \"/a\": it is absolute", "folder of this file"),
    ("cwd = ''", 2, 7, "it is empty", ""),
    ("cwd = true", 2, 7, "`cwd` is a text in quotes, and this is of type boolean", ""),
    ("inspection = 'a/'", 2, 14, "it names a folder", ""),
    ("lock = 'C:/a'", 2, 8, "it is absolute", ""),
    ("lock = 'a\\b'", 2, 8, "it has a \\", "with /"),
    ("lock = '.git/config'", 2, 8, "git's own folder", ""),
    ("timeout = '5'", 2, 11, "`timeout` is a number of seconds, and this is of type string", "timeout = 120"),
    ("env = 'A'", 2, 7, "`env` is a list of names of variables, and this is of type string", "values do not belong"),
    ("env = { A = 'b' }", 2, 7, "and this is of type table", "values do not belong"),
    ("env = ['A', 'B=c']", 2, 13, "values do not belong in this file", "name the variable"),
    ("env = ['']", 2, 8, "the name of a variable is empty", ""),
    ("env = ['A', 'B', 'A']", 2, 18, "stands in `env` already", ""),
    ("bearer-env = 'Bearer x'", 2, 14, "values do not belong in this file", "name the variable"),
    ("bearer-env = '${A}'", 2, 14, "stands here alone, without ${ }", "name the variable"),
    ("header-env = ['A']", 2, 14, "`header-env` is a table of headers and variables", "header-env ="),
    ("header-env = { A = 1 }", 2, 20, "the name of a variable for each header, and this is of type integer", ""),
    ("header-env = { A = 'b c' }", 2, 20, "values do not belong in this file", ""),
    ("header-env = { 'A B' = 'C' }", 2, 16, "\"A B\" is not the name of a header", ""),
    ("header-env = { A = 'C', a = 'D' }", 2, 25, "line 2 has this header already", ""),
    ("bearer-env = 'A'\nheader-env.authorization = 'B'", 3, 12, "`bearer-env` sets this header", "one of both"),
    ("skip = true", 2, 8, "`skip` is a table with the reason, and this is of type boolean", "skip ="),
    ("skip = {}", 2, 8, "this `skip` has no `reason`", ""),
    ("skip = { reason = ' ' }", 2, 19, "`reason` is blank: say why this server is left out", ""),
    ("skip = { reason = 'r', expires = '2027-01-31' }", 2, 24, "`skip` has no member \"expires\"", ""),
    ("skip = { reason = 'r', until = '2027-02-30' }", 2, 32, "\"2027-02-30\" is no day", ""),
    ("skip = { reason = 'r', until = 2027-01-31 }", 2, 32, "`until` is a text in quotes", ""),
    ("[servers.a]", 2, 10, "not valid TOML", ""),
    ("[servers.\"\\u0061\"]", 2, 10, "not valid TOML", ""),
    ("cwd = 'a'\n\"c\\u0077d\" = 'b'", 3, 1, "not valid TOML", ""),
    ("[servers.\"\"]", 2, 10, "the name of a server is empty", ""),
    ("[servers.b.x]", 2, 12, "server \"b\" has no member \"x\"", ""),
    ("[[servers.b]]", 2, 11, "\"b\" is a server, and so a table", "[servers.NAME]"),
];

#[test]
fn what_is_wrong_with_a_server_is_named_with_its_place() {
    for (members, line, column, cause, hint) in WRONG {
        let error = refused(&format!("[servers.a]\n{members}\n"));
        assert!(error.cause.contains(cause), "{members}: {error}");
        assert_eq!((error.line, error.column), (*line, *column), "{members}: {error}");
        assert!(error.hint.as_deref().unwrap_or_default().contains(hint), "{members}: {:?}", error.hint);
    }
    for (text, column, cause) in [
        ("servers = []", 11, "`servers` is a table of servers by name: write [servers.NAME]"),
        ("[[servers]]", 1, "`servers` is a table of servers by name"),
        ("servers = { a = 'npx' }", 13, "\"a\" is a server, and so a table"),
        ("servers.command = ['npx']", 9, "\"command\" is a server, and so a table"),
    ] {
        let error = refused(text);
        assert!(error.cause.contains(cause), "{text}: {error}");
        assert_eq!((error.line, error.column), (1, column), "{text}: {error}");
    }
}

#[test]
fn two_servers_have_two_locks() {
    for same in ["l/a.lock", "./l//a.lock", "L/A.lock"] {
        let error = refused(&format!("[servers.b]\nlock = 'l/a.lock'\n[servers.a]\nlock = '{same}'"));
        let want = (4, 8, "line 2 gives the same lock to another server");
        assert_eq!((error.line, error.column, error.cause.as_str()), want, "{same}");
    }
    assert!(parse(b"[servers.b]\nlock = 'l/a.lock'\n[servers.a]\nlock = 'l/b.lock'").is_ok());
}

#[test]
fn there_is_an_end_to_the_servers() {
    let many: String = (0..1_000).map(|n| format!("[servers.s{n}]\nlock = 'l/{n}.lock'\n")).collect();
    assert_eq!(parse(many.as_bytes()).unwrap().servers.last().unwrap().line, 1_999);
    let error = refused(&format!("{many}[servers.s1000]"));
    assert_eq!((error.line, error.column, error.cause.as_str()), (2_001, 10, "more than 1000 servers"));
}

/// Whatever is wrong around a secret, it is not told.
#[test]
fn no_error_quotes_a_secret() {
    const SECRET: &str = "hunter2-secret";
    for members in [
        "command = 'npx --token X'",
        "command = ['npx', '--token=X', 1]",
        "command = ['', '--token=X']",
        "command = [\"X\\u0000\"]",
        "command = ['a', {X = 1}]",
        "command = ['a', 'X]",
        "command = ['a' 'X']",
        "command = \"X",
        "command = X",
        "url = 'https://me:X@h/ x'",
        "url = 'me:X@h'",
        "url = ['https://me:X@h']",
        "url = 'https://me:X@h'\ncommand = ['X']",
        "url = https://me:X@h",
        "env = ['A=X']",
        "env = ['X=']",
        "env = ['Bearer X']",
        "env = { A = 'X' }",
        "env = [['X']]",
        "bearer-env = 'Bearer X'",
        "bearer-env = ['X']",
        "header-env = { A = 'Bearer X' }",
        "header-env = { A = ['X'] }",
        "header-env = 'A: X'",
        "timeout = 'X'",
    ] {
        let error = refused(&format!("[servers.a]\n{}\n", members.replace('X', SECRET)));
        let told = format!("{error} {:?}", error.hint);
        assert!(!told.contains("hunter2"), "{members}: {told}");
    }
}
