//! Command lines: packages without a version, downloads that are run, secrets, shells.

use super::subject::{Subject, word_name};
use super::{Fault, Found, mend, shown};
use crate::checks::{is_secret_setting, program, secret_words, unpinned};

/// Shells, and how each takes a command as a text: options in small letters.
const SHELLS: &str = "sh bash zsh dash ksh fish cmd powershell pwsh";

pub(super) fn check(subject: &Subject<'_>, faults: &mut Vec<Fault>) {
    secrets(subject, faults);
    if subject.is_url {
        return;
    }
    let words = subject.texts();
    for unpinned in unpinned(&words) {
        let whole = words.iter().position(|word| *word == unpinned.package);
        let within = || words.iter().position(|word| word.contains(&unpinned.package));
        let word = whole.or_else(within).filter(|_| !unpinned.package.is_empty()).unwrap_or(0);
        let found = Found {
            rule_id: unpinned.rule_id,
            at: subject.place(word),
            message: match unpinned.package.is_empty() {
                true => unpinned.message.to_owned(),
                false => format!("{}: {}", unpinned.message, unpinned.snippet),
            },
            snippet: unpinned.snippet,
            fix: match &unpinned.with_version {
                Some(package) => mend::with_package(&words, &unpinned.package, package),
                None => "a copy that was reviewed, in a file of the repository".to_owned(),
            },
        };
        faults.push(found.of(subject));
    }
    shell(subject, &words, faults);
}

fn secrets(subject: &Subject<'_>, faults: &mut Vec<Fault>) {
    let rule_id = if subject.is_url { "WRD-LAUNCH-URL-SECRET" } else { "WRD-LAUNCH-SECRET" };
    let in_defaults = subject.words.iter().enumerate();
    // A default that is no key counts as one for trying out.
    let in_defaults =
        in_defaults.filter(|(_, word)| is_secret_setting("", &word.default, true)).map(|(at, _)| (at, None));
    for (word, name) in secret_words(&subject.texts()).into_iter().chain(in_defaults) {
        let place = word_name(subject, word);
        let given_to = name.as_ref().map(|name| format!(", as {}", shown(name))).unwrap_or_default();
        let found = Found {
            rule_id,
            at: subject.place(word),
            message: format!("A secret stands in clear in {place}{given_to}"),
            snippet: place,
            fix: match subject.is_url {
                true => mend::header_instead(subject.client()),
                false => mend::reference_instead(subject.client(), name.as_deref().unwrap_or("TOKEN")),
            },
        };
        faults.push(found.of(subject));
    }
}

/// A command that is a text for a shell.
fn shell(subject: &Subject<'_>, words: &[&str], faults: &mut Vec<Fault>) {
    let Some((first, rest)) = words.split_first() else { return };
    let name = program(first);
    if !SHELLS.split(' ').any(|shell| shell == name) {
        return;
    }
    let introduces = |word: &str| {
        let lower = word.to_ascii_lowercase();
        match name.as_str() {
            "cmd" => matches!(lower.as_str(), "/c" | "/k"),
            "powershell" | "pwsh" => {
                ["-command", "-c", "-encodedcommand", "-enc", "-ec", "-e"].contains(&lower.as_str())
            }
            _ => lower.starts_with('-') && !lower.starts_with("--") && lower.ends_with('c'),
        }
    };
    let Some(at) = rest.iter().position(|word| introduces(word)) else { return };
    let found = Found {
        rule_id: "WRD-CONF-SHELL",
        at: subject.place(0),
        message: format!("The server is started by {}, which reads its argument as a program", shown(&name)),
        snippet: shown(&format!("{name} {}", rest[at])),
        fix: mend::without_shell(&rest[at + 1..]),
    };
    faults.push(found.of(subject));
}
