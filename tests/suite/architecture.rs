//! The walls of the house: which room may use which, who touches the outside world, how long a file may be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 500;

/// The rooms that may know files, processes, the environment, time and threads.
fn may_touch_the_world(file: &str) -> bool {
    ["src/capture/", "src/cli/"].iter().any(|room| file.starts_with(room))
        || ["src/clients/find.rs", "src/project/find.rs", "src/lock/file.rs", "src/config/find.rs", "src/main.rs"]
            .contains(&file)
}

/// Files of these rooms that are pure nevertheless, as their module documents say.
const PURE: [&str; 9] = [
    "src/capture/environment.rs",
    "src/capture/error.rs",
    "src/capture/jsonrpc.rs",
    "src/capture/limits.rs",
    "src/capture/locate.rs",
    "src/capture/redact.rs",
    "src/capture/stage.rs",
    "src/cli/args.rs",
    "src/cli/examples.rs",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below some folders: its path from the root, and its text.
fn rust_files(folders: &[&str]) -> BTreeMap<String, String> {
    let mut pending: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut files = BTreeMap::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).expect("below the root").to_str().expect("UTF-8").to_owned();
            files.insert(name, std::fs::read_to_string(&path).expect("a text"));
        }
    }
    assert!(!files.is_empty(), "{folders:?}");
    files
}

/// The product's code: no tests, no comments, no texts.
fn code() -> BTreeMap<String, String> {
    let mut files = rust_files(&["src"]);
    files.retain(|name, _| !name.ends_with("_tests.rs"));
    files.into_iter().map(|(name, text)| (name, bare(&without_tests(&text)))).collect()
}

/// Test modules stand last in a file.
fn without_tests(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_test_module = |at: usize| {
        let attribute = lines[at].starts_with("#[cfg(test)]") || lines[at].starts_with("#[cfg(all(test");
        attribute
            && lines[at + 1..].iter().find(|line| !line.starts_with("#[")).is_some_and(|line| line.starts_with("mod "))
    };
    let end = (0..lines.len()).find(|&at| is_test_module(at)).unwrap_or(lines.len());
    lines[..end].join("\n")
}

/// Without comments and the content of string literals, line by line.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/', '\'', 'r']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let literal_end = |rest: &str| {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        };
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            raw.find('"').map_or(rest.len(), |end| end + 3)
        } else if rest.starts_with('"') {
            literal_end(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'/'") {
            3
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        // Line ends stay, so that places can be named.
        out.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
        rest = &rest[skipped..];
    }
    out + rest
}

/// The layers of the picture in `src/lib.rs`, lowest first.
fn layers() -> Vec<BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    let picture = text.lines().find(|line| line.contains(" <- ")).expect("a picture");
    let names = |layer: &str| layer.split(',').map(|room| room.trim().to_owned()).collect();
    picture.trim_start_matches("//! ").split("<-").map(names).collect()
}

/// The rooms that a line of code reaches into: `crate::room`, also in a list.
fn rooms_of(line: &str) -> Vec<&str> {
    let word = |text: &'static str| move |c: char| !(c.is_ascii_alphanumeric() || text.contains(c));
    let paths = line.match_indices("crate::").flat_map(|(at, found)| {
        let rest = &line[at + found.len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                list.split(',').map(|item| item.trim_start().split(word("_")).next().unwrap_or_default()).collect()
            }
            None => vec![rest.split(word("_")).next().unwrap_or_default()],
        }
    });
    paths.filter(|room| !room.is_empty()).collect()
}

/// Takes away rooms that use none of the rest until nothing is left; what stays is a cycle.
fn cycle(mut uses: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    while let Some(free) = uses.iter().find(|(_, used)| used.is_empty()).map(|(room, _)| room.clone()) {
        uses.remove(&free);
        uses.values_mut().for_each(|used| {
            used.remove(&free);
        });
    }
    uses.into_keys().collect()
}

#[test]
fn no_room_uses_one_above_it_and_none_use_each_other() {
    let layers = layers();
    let level: BTreeMap<&str, usize> = layers
        .iter()
        .enumerate()
        .flat_map(|(level, rooms)| rooms.iter().map(move |room| (room.as_str(), level)))
        .collect();
    let mut problems = Vec::new();
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut uses = 0;
    for (file, text) in code() {
        let parts: Vec<&str> = file.split('/').collect();
        let [_, room, .., name] = parts.as_slice() else { continue };
        let neighbours = rooms.entry((*room).to_owned()).or_default();
        let own = *level.get(room).unwrap_or_else(|| panic!("{room} is not in the picture of src/lib.rs"));
        // Modules above a file that are still in its room.
        let depth = parts.len() - if *name == "mod.rs" { 3 } else { 2 };
        for (at, line) in text.lines().enumerate() {
            for used in rooms_of(line) {
                uses += 1;
                if used != *room {
                    neighbours.insert(used.to_owned());
                }
                if level.get(used).is_none_or(|used| *used > own) {
                    problems.push(format!("{file}:{} uses {used}", at + 1));
                }
            }
            if line.contains(&"super::".repeat(depth + 1)) {
                problems.push(format!("{file}:{} climbs out of its room", at + 1));
            }
        }
    }
    assert!(uses > 100, "{uses} uses: the reader of this test reads nothing");
    let drawn: Vec<&String> = layers.iter().flatten().collect();
    assert_eq!(rooms.keys().collect::<BTreeSet<_>>(), drawn.into_iter().collect(), "rooms and picture");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(cycle(rooms), [""; 0], "these use each other");
}

#[test]
fn only_a_few_files_touch_the_world() {
    let outside = [
        "std::fs",
        "std::process",
        "std::env",
        "std::net",
        "std::thread",
        "std::time::Instant",
        "std::os",
        "tokio",
        "Instant",
        "SystemTime",
        "OffsetDateTime",
        "tempfile",
        "rustix",
        "current_dir",
        "stdout",
        "stdin",
    ];
    // `stderr` and `thread` are words of reports too.
    let mut problems = Vec::new();
    let mut touched = BTreeSet::new();
    for (file, text) in code() {
        for (at, line) in text.lines().enumerate() {
            for word in outside.iter().filter(|word| has_word(line, word)) {
                if may_touch_the_world(&file) && !PURE.contains(&file.as_str()) {
                    touched.insert(*word);
                } else {
                    problems.push(format!("{file}:{}: {word}", at + 1));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(["std::fs", "tokio", "Instant", "tempfile"].iter().all(|word| touched.contains(word)), "{touched:?}");
    assert!(PURE.iter().all(|file| root().join(file).exists()));
}

fn has_word(line: &str, word: &str) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word)
        .any(|(at, _)| !in_word(line[..at].chars().next_back()) && !in_word(line[at + word.len()..].chars().next()))
}

#[test]
fn nothing_prints_or_panics_by_itself() {
    let refused = [
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "dbg!",
        "panic!",
        "todo!",
        "unimplemented!",
        "unreachable!",
        ".unwrap()",
        ".expect(",
        ".unwrap_err()",
        "unsafe ",
        "#[allow(",
        "process::abort",
    ];
    let mut problems = Vec::new();
    for (file, text) in code() {
        for (at, line) in text.lines().enumerate() {
            problems.extend(
                refused.iter().filter(|word| line.contains(**word)).map(|word| format!("{file}:{}: {word}", at + 1)),
            );
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_is_short_and_says_what_it_is_for() {
    let mut problems = Vec::new();
    for (file, text) in rust_files(&["src", "tests", "examples", "benches"]) {
        let lines = text.lines().count();
        if lines > MAX_LINES {
            problems.push(format!("{file} has {lines} lines"));
        }
        // A data table may be included by a file that says so.
        if !text.starts_with("//! ") {
            problems.push(format!("{file} has no head comment"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn only_one_place_knows_exit_numbers() {
    let mut files = code();
    files.retain(|name, _| !["src/cli/exit.rs"].contains(&name.as_str()));
    let users: Vec<&String> =
        files.iter().filter(|(_, text)| text.contains("ExitCode::from(")).map(|(name, _)| name).collect();
    assert_eq!(users, [""; 0]);
    // Ending the process from within is for signals alone.
    let exits: Vec<&String> =
        files.iter().filter(|(_, text)| text.contains("process::exit(")).map(|(name, _)| name).collect();
    assert_eq!(exits, ["src/cli/mod.rs"]);
}

#[test]
fn the_readers_of_this_test_see_what_they_should() {
    let text = "use crate::json; // crate::cli\nlet x = \"crate::cli \\\" std::fs\"; r#\"tokio \"x\" \"#; '\"'; crate::text::escape()";
    let bare = bare(text);
    assert!(!bare.contains("cli") && !bare.contains("fs") && !bare.contains("tokio"), "{bare}");
    assert_eq!(bare.lines().map(rooms_of).collect::<Vec<_>>(), [vec!["json"], vec!["text"]]);
    assert_eq!(rooms_of("use crate::{json::Value, lock, text};"), ["json", "lock", "text"]);
    assert!(has_word("a tokio::b", "tokio") && !has_word("tokionic", "tokio"));
    assert_eq!(
        without_tests("a\n#[cfg(test)]\nuse b;\n#[cfg(test)]\n#[path = \"x\"]\nmod tests;\nc"),
        "a\n#[cfg(test)]\nuse b;"
    );
}
