//! The documents against the program: options, commands, rules, exit codes and links that they name are there.

use clap::CommandFactory as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use warden::cli::{Cli, EXIT_CODES};

/// Options of other programs that the documents show.
const FOREIGN_OPTIONS: [&str; 14] = [
    "--git",
    "--rev",
    "--require-hashes",
    "--release",
    "--locked",
    "--example",
    "--test",
    "--bench",
    "--stdio",
    "--workspace",
    "--all-targets",
    "--path",
    "--nocapture",
    "--answers",
];

/// Options of other programs in the recipes for CI: of gh, curl, apk, pre-commit, npx, uvx and of servers.
const FOREIGN_IN_RECIPES: [&str; 33] = [
    "--default-index",
    "--ignore-scripts",
    "--index",
    "--isolated",
    "--offline",
    "--prefer-offline",
    "--prefer-online",
    "--python",
    "--refresh",
    "--with",
    "--app",
    "--arg",
    "--body",
    "--data-urlencode",
    "--fail",
    "--from",
    "--hook-stage",
    "--hook-type",
    "--jq",
    "--method",
    "--no-cache",
    "--package",
    "--paginate",
    "--request",
    "--root",
    "--show-error",
    "--silent",
    "--state",
    "--title",
    "--limit",
    "--comment",
    "--body-file",
    "--data",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents, by path from the root.
fn documents() -> BTreeMap<String, String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["", "docs", "vectors", "tests/fixtures"] {
        let entries = root().join(folder).read_dir().expect("a folder");
        files.extend(
            entries
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.extension().is_some_and(|e| e == "md")),
        );
    }
    let name = |path: &Path| path.strip_prefix(root()).expect("below the root").to_str().expect("UTF-8").to_owned();
    files.iter().map(|path| (name(path), std::fs::read_to_string(path).expect("a text"))).collect()
}

/// The text of every source file.
fn sources() -> Vec<String> {
    let mut pending = vec![root().join("src")];
    let mut texts = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else {
            texts.push(std::fs::read_to_string(&path).expect("a text"));
        }
    }
    texts
}

/// Documents for users of the program. SPEC.md speaks of other implementations too.
fn manuals() -> BTreeMap<String, String> {
    let mut documents = documents();
    documents.retain(|name, _| name.starts_with("docs/") || name == "README.md");
    assert!(!documents.is_empty());
    documents
}

/// What stands in code: fenced blocks line by line, and spans.
fn code(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            out.push(line.to_owned());
        } else {
            out.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    out
}

fn commands() -> Vec<clap::Command> {
    let mut all = Cli::command();
    all.build();
    let commands: Vec<clap::Command> = all.get_subcommands().cloned().collect();
    [vec![all], commands].concat()
}

#[test]
fn every_option_that_a_document_names_exists() {
    let known: BTreeSet<String> = commands()
        .iter()
        .flat_map(|command| {
            command.get_arguments().flat_map(|argument| {
                let aliases = argument.get_visible_aliases().unwrap_or_default();
                argument.get_long().into_iter().chain(aliases).map(|long| format!("--{long}")).collect::<Vec<_>>()
            })
        })
        .chain(["--help".to_owned(), "--version".to_owned()])
        .collect();
    assert!(known.contains("--require-approval") && known.contains("--json"));
    let mut named = BTreeSet::new();
    let mut problems = Vec::new();
    for (document, text) in manuals() {
        for piece in code(&text) {
            for word in piece.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')) {
                if word.len() > 2 && word.starts_with("--") && word[2..].starts_with(|c: char| c.is_ascii_lowercase()) {
                    named.insert(word.to_owned());
                    let recipe = document == "docs/ci.md" && FOREIGN_IN_RECIPES.contains(&word);
                    if !known.contains(word) && !FOREIGN_OPTIONS.contains(&word) && !recipe {
                        problems.push(format!("{document}: {word} in {piece}"));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // And the other way round: no option is a secret.
    let missing: Vec<&String> = known.difference(&named).collect();
    assert!(missing.is_empty(), "no document names {missing:?}");
}

#[test]
fn every_command_that_a_document_shows_exists() {
    let known: BTreeSet<String> =
        commands().iter().map(|command| command.get_name().to_owned()).chain(["help".to_owned()]).collect();
    let mut problems = Vec::new();
    for (document, text) in manuals() {
        for piece in code(&text) {
            let words: Vec<&str> = piece.trim_start_matches("$ ").split_whitespace().collect();
            if let ["warden", next, ..] = words.as_slice()
                && next.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                && !next.starts_with('-')
                && !known.contains(*next)
            {
                problems.push(format!("{document}: {piece}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_rule_that_a_document_names_exists() {
    let mut problems = Vec::new();
    for (document, text) in documents() {
        for word in text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')) {
            if word.starts_with("WRD-") && !word.ends_with('-') && warden::finding::rule(word).is_none() {
                problems.push(format!("{document}: {word}"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_page_of_rules_is_the_catalogue() {
    let page = std::fs::read_to_string(root().join("docs/RULES.md")).expect("docs/RULES.md");
    assert!(page.contains(warden::finding::rules_markdown().trim()), "docs/RULES.md is out of date");
}

#[test]
fn the_exit_codes_are_the_same_everywhere() {
    // Rows of the help text: codes, and what they mean in however many lines.
    let mut rows: Vec<(String, String)> = Vec::new();
    for line in EXIT_CODES.lines().skip(1) {
        let text = line.trim();
        match (text.find(|c: char| !(c.is_ascii_digit() || ", ".contains(c))), rows.last_mut()) {
            (Some(0), Some((_, meaning))) => *meaning = format!("{meaning} {text}").trim().to_owned(),
            (end, _) => {
                let (codes, meaning) = text.split_at(end.unwrap_or(text.len()));
                rows.push((codes.trim().to_owned(), meaning.to_owned()));
            }
        }
    }
    let codes: Vec<&str> = rows.iter().map(|(codes, _)| codes.as_str()).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "130, 143, 129"]);
    let page = std::fs::read_to_string(root().join("docs/exit-codes.md")).expect("docs/exit-codes.md");
    for (codes, meaning) in rows {
        assert!(page.contains(&format!("\n| {codes} | {meaning} |\n")), "{codes}: {meaning}");
    }
    // Every verdict of a report has its row too.
    let verdicts = ["PINNED", "UNCHANGED", "REFUSED", "NOT PINNED", "CLEAN", "DRIFT", "INCONSISTENT", "NOT APPROVED"];
    let others = ["EXPIRED", "NOT CHECKED", "LOCK", "APPROVED", "SAME", "DIFFERENT"];
    for verdict in verdicts.into_iter().chain(others) {
        assert!(page.contains(&format!("`{verdict}`")), "{verdict}");
    }
}

#[test]
fn every_document_that_the_program_names_exists() {
    let mut named = BTreeSet::new();
    for text in sources() {
        for (at, _) in text.match_indices("docs/") {
            let name: String =
                text[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || "/-._".contains(*c)).collect();
            named.insert(name.trim_end_matches('.').to_owned());
        }
    }
    let missing: Vec<&String> = named.iter().filter(|name| !root().join(name).is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!named.is_empty());
}

#[test]
fn every_error_code_is_explained() {
    let page = std::fs::read_to_string(root().join("docs/troubleshooting.md")).expect("docs/troubleshooting.md");
    let explained: BTreeSet<&str> = page.lines().filter_map(|line| line.strip_prefix("## E-")).collect();
    let mut used = BTreeSet::new();
    for text in sources() {
        for (at, _) in text.match_indices("\"E-") {
            let code: String = text[at + 3..].chars().take_while(|c| c.is_ascii_uppercase() || *c == '-').collect();
            if !code.is_empty() && text[at + 3 + code.len()..].starts_with('"') {
                used.insert(code);
            }
        }
    }
    assert!(used.len() > 15, "{used:?}");
    assert_eq!(used.iter().map(String::as_str).collect::<BTreeSet<_>>(), explained);
}

/// The name that a heading is linked by.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#'))).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut problems = Vec::new();
    let mut links = 0;
    for (document, text) in documents() {
        let folder = Path::new(&document).parent().expect("a folder").to_owned();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let (path, fragment) =
                target.split_once('#').map_or((target, None), |(path, fragment)| (path, Some(fragment)));
            let file = if path.is_empty() { root().join(&document) } else { root().join(&folder).join(path) };
            if !file.exists() {
                problems.push(format!("{document}: {target}"));
            } else if let Some(fragment) = fragment
                && !anchors(&std::fs::read_to_string(&file).unwrap_or_default()).contains(fragment)
            {
                problems.push(format!("{document}: {target} (no such heading)"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(links > 20, "{links}");
}
