//! Unit tests of `[[ignore]]`.

use crate::config::{Config, ConfigError, parse};

const GOOD: &str = r#"
# accepted on purpose
[[ignore]]
rule = 'WRD-CAP-SHELL'
target = "tools/run_hook"
reason = "runs hooks; the server is confined"
expires = "2027-01-31"

[[ignore]]
rule = "WRD-SEC-ENTROPY"
target = "resources/file:///a*"
reason = "a published hash"
"#;

#[test]
fn a_good_file_is_read_with_its_lines() {
    let config = parse(GOOD.as_bytes()).unwrap();
    assert_eq!(config.ignores.len(), 2);
    let first = &config.ignores[0];
    assert_eq!((first.rule, first.target.as_str(), first.line), ("WRD-CAP-SHELL", "tools/run_hook", 3));
    assert_eq!(first.expires.as_deref(), Some("2027-01-31"));
    assert_eq!((config.ignores[1].line, config.ignores[1].expires.as_deref()), (9, None));
    assert_eq!(config.ignores[1].target, "resources/file:///a*");
    let windows = parse(GOOD.replace('\n', "\r\n").as_bytes()).unwrap();
    assert_eq!(windows, config);
    assert_eq!(parse(b"").unwrap(), Config::default());
    let inline = r#"ignore = [{rule = "WRD-CAP-SQL", target = "tools/q", reason = "r"}]"#;
    assert_eq!(parse(inline.as_bytes()).unwrap().ignores.len(), 1);
}

/// The good file with one piece replaced, and the error that this makes.
#[track_caller]
fn broken(from: &str, to: &str) -> ConfigError {
    assert!(GOOD.contains(from), "{from}");
    parse(GOOD.replacen(from, to, 1).as_bytes()).expect_err(to)
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (from, to, line, column, cause) in [
        ("reason = \"runs", "raeson = \"runs", 6, 1, "[[ignore]] has no member \"raeson\""),
        ("[[ignore]]", "[[ignores]]", 3, 3, "the file has no member \"ignores\""),
        ("[[ignore]]", "[ignore]", 9, 3, "not valid TOML"),
        ("WRD-CAP-SHELL", "wrd-cap-shell", 4, 8, "there is no rule \"wrd-cap-shell\""),
        ("WRD-CAP-SHELL", "WRD-DRIFT-TOOL-ADDED", 4, 8, "cannot be ignored: it is a class of drift"),
        ("WRD-CAP-SHELL", "WRD-LOCK-INCONSISTENT", 4, 8, "cannot be ignored: it says that the lock does not hold"),
        ("WRD-CAP-SHELL", "WRD-IGNORE-EXPIRED", 4, 8, "cannot be ignored: it is about entries of this file"),
        ("WRD-CAP-SHELL", "WRD-SERVER-NOT-CAPTURED", 4, 8, "cannot be ignored: it says that nothing was checked"),
        ("tools/run_hook", "run_hook", 5, 10, "\"run_hook\" is no target of a finding"),
        ("tools/run_hook", "tools/", 5, 10, "\"tools/\" is no target of a finding"),
        ("runs hooks; the server is confined", " \\t ", 6, 10, "`reason` is blank"),
        ("\"2027-01-31\"", "\"2027-02-30\"", 7, 11, "\"2027-02-30\" is no day"),
        ("\"2027-01-31\"", "\"+027-01-31\"", 7, 11, "is no day"),
        ("\"2027-01-31\"", "\"2027-1-31\"", 7, 11, "is no day"),
        ("\"2027-01-31\"", "2027-01-31", 7, 11, "`expires` is a text in quotes, and this is of type datetime"),
        ("'WRD-CAP-SHELL'", "7", 4, 8, "`rule` is a text in quotes, and this is of type integer"),
        ("rule = 'WRD-CAP-SHELL'\n", "", 3, 1, "this [[ignore]] has no `rule`"),
        ("expires = \"2027-01-31\"", "rule = \"x\"", 7, 1, "not valid TOML"),
        ("\"tools/run_hook\"", "\"tools/run_hook", 5, 25, "not valid TOML"),
        ("# accepted on purpose", "[server.notes]", 2, 2, "the file has no member \"server\""),
        ("reason = \"runs", "server = \" \"\nreason = \"runs", 6, 10, "`server` is blank"),
        ("reason = \"runs", "server = [\"a\"]\nreason = \"runs", 6, 10, "`server` is a text in quotes"),
    ] {
        let error = broken(from, to);
        assert!(error.cause.contains(cause), "{to}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{to}: {error}");
    }
}

#[test]
fn near_names_are_offered() {
    assert_eq!(broken("reason = \"runs", "raeson = \"runs").hint.as_deref(), Some("did you mean reason?"));
    assert!(broken("WRD-CAP-SHELL", "wrd-cap-shell").hint.unwrap().contains("WRD-CAP-SHELL"));
    assert_eq!(broken("WRD-CAP-SHELL", "something").hint, None);
}

#[test]
fn one_finding_is_accepted_once() {
    let again =
        format!("{GOOD}\n[[ignore]]\nrule = 'WRD-CAP-SHELL'\ntarget = \"tools/run_hook\"\nreason = \"again\"\n");
    let error = parse(again.as_bytes()).unwrap_err();
    assert_eq!((error.line, error.cause.as_str()), (14, "line 3 has the same rule and target already"));
}

#[test]
fn an_entry_may_be_for_one_server() {
    let entry =
        |server: &str| format!("[[ignore]]\nrule = 'WRD-CAP-SHELL'\ntarget = 'servers/a'\nreason = 'r'\n{server}\n");
    let of = |servers: &[&str]| parse(servers.iter().map(|server| entry(server)).collect::<String>().as_bytes());
    let config = of(&["server = 'no such'", "server = 'b'", ""]).unwrap();
    let servers: Vec<_> = config.ignores.iter().map(|ignore| ignore.server.as_deref()).collect();
    assert_eq!(servers, [Some("no such"), Some("b"), None], "a server may be one of a client's file");
    let error = of(&["server = 'b'", "server = \"\\u0062\""]).unwrap_err();
    assert_eq!((error.line, error.cause.as_str()), (6, "line 1 has the same server, rule and target already"));
    let bare = entry("").replace("servers/a", "servers/");
    assert!(parse(bare.as_bytes()).unwrap_err().cause.contains("is no target"));
    assert!(parse(b"ignore = 1").unwrap_err().cause.contains("a list of tables"));
}

#[test]
fn there_is_an_end_to_the_entries() {
    let entry = |n: usize| format!("[[ignore]]\nrule='WRD-CAP-SHELL'\ntarget='tools/{n}'\nreason='r'\n");
    let many: String = (0..10_000).map(entry).collect();
    assert_eq!(parse(many.as_bytes()).unwrap().ignores.last().unwrap().line, 39_997);
    let error = parse(format!("{many}{}", entry(10_000)).as_bytes()).unwrap_err();
    assert_eq!((error.line, error.cause.as_str()), (40_001, "more than 10000 entries"));
}
