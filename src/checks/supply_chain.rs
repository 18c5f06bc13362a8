//! `WRD-SUP-*`: launches that fetch code which the pin does not cover.
//!
//! The published rules look for `npx`, `uvx` and `pip install` as plain words and suspect every later word
//! (SPEC.md §21.5). Here a command line is read as one: the program that is really started, its options, the package.
//! Findings on what the published rules mean keep their ids; what those do not see has ids of our own.

use super::Input;
use super::command::commands;
use super::launch_secrets::redact_argv;
use super::quote::redact;
use super::runners::{Call, Ecosystem, calls};
use super::secrets::{Scan, hits};
use super::sink::{Sink, Target};
use crate::surface::Launch;
use crate::text::{Charset, escape, shorten};
use regex::Regex;
use std::sync::LazyLock;

/// Code points of a command line in a snippet.
const SHOWN: usize = 120;

pub(super) fn check(input: &Input<'_>, sink: &mut Sink) {
    let Launch::Stdio { .. } = input.launch else { return };
    for unpinned in unpinned(&input.launch.words()) {
        let (message, snippet) = (unpinned.message, unpinned.snippet);
        sink.add(Target::Launch, unpinned.rule_id, snippet.clone(), || match unpinned.package.is_empty() {
            true => message.to_owned(),
            false => format!("{message}: {snippet}"),
        });
    }
}

/// Code that a launch fetches and that no version names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpinned {
    pub rule_id: &'static str,
    /// What is wrong, without a full stop.
    pub message: &'static str,
    /// The package as it stands in the launch; raw. Empty for a script that is piped into a program.
    pub package: String,
    /// The same, or the launch, fit to be shown: escaped, redacted and of bounded length.
    pub snippet: String,
    /// The package with a place for a version; raw. `None` where no version can be put in.
    pub with_version: Option<String>,
}

/// Everything that a command line fetches without naming a version of it.
pub fn unpinned(words: &[&str]) -> Vec<Unpinned> {
    let mut found = Vec::new();
    let mut open = commands(words);
    // Containers in containers: enough of them, for each is a copy of the rest of the words.
    let mut nested = 0;
    while let Some(command) = open.pop() {
        for call in calls(&command) {
            // With these nothing is downloaded that was not hashed, or installed, before.
            let settled: &[&str] = match call.runner.ecosystem {
                Ecosystem::Npm => &["--no-install", "--no"],
                Ecosystem::Python => &["--require-hashes"],
                _ => &[],
            };
            if !command.iter().any(|word| settled.contains(&word.as_str())) {
                packages(&call, &command, &mut found);
            }
            // What a container is told to start is a command too.
            if call.runner.ecosystem == Ecosystem::Image && !call.rest.is_empty() && nested < 32 {
                nested += 1;
                open.push(call.rest.to_vec());
            }
        }
    }
    found.extend(remote_code(words));
    found
}

fn packages(call: &Call<'_>, command: &[String], found: &mut Vec<Unpinned>) {
    let runner = call.runner;
    let unpinned = match runner.published {
        Some(rule_id) if call.by_plain_name => rule_id,
        _ => "WRD-SUP-RUNNER-UNPINNED",
    };
    for &package in &call.packages {
        if is_local(package) {
            continue;
        }
        let (rule_id, message) = match runner.ecosystem {
            Ecosystem::Image => match image_version(package) {
                ImageVersion::Digest => continue,
                ImageVersion::Tag => ("WRD-SUP-IMAGE-TAG", "The image is named by a tag, which can be moved"),
                ImageVersion::Nothing => ("WRD-SUP-IMAGE-UNPINNED", "The image is named without a version"),
            },
            _ if package.ends_with("@latest") || package.ends_with("==latest") => {
                ("WRD-SUP-LATEST-TAG", "The package is pinned to latest, which follows every release")
            }
            Ecosystem::Deno if package.starts_with("http") => {
                if has_version(package) {
                    continue;
                }
                ("WRD-SUP-REMOTE-SCRIPT", "A script is run straight from a URL without a version")
            }
            Ecosystem::DotNet if command.iter().any(|word| word.starts_with("--version")) => continue,
            ecosystem if is_pinned(ecosystem, package) => continue,
            _ => (unpinned, "The package is started without an exact version"),
        };
        found.push(Unpinned {
            rule_id,
            message,
            package: package.to_owned(),
            snippet: spec(package),
            with_version: with_version(runner.ecosystem, package),
        });
    }
}

/// A package with a place for the version that somebody reviewed.
fn with_version(ecosystem: Ecosystem, package: &str) -> Option<String> {
    // A scope begins with the sign that versions follow.
    let name = |marks: &[char]| match package.get(1..).and_then(|rest| rest.find(marks)) {
        Some(at) => &package[..=at],
        None => package,
    };
    Some(match ecosystem {
        _ if package.contains("://") || package.starts_with("github:") => match ecosystem {
            Ecosystem::Python => format!("{package}@COMMIT"),
            Ecosystem::Npm => format!("{}#COMMIT", package.split('#').next().unwrap_or_default()),
            _ => return None,
        },
        Ecosystem::Npm | Ecosystem::DotNet => format!("{}@VERSION", name(&['@'])),
        Ecosystem::Deno => match package.split_once(':') {
            Some((registry, name)) => format!("{registry}:{}", with_version(Ecosystem::Npm, name)?),
            None => return None,
        },
        Ecosystem::Python => format!("{}==VERSION", name(&['@', '=', '<', '>', '~', '!', ';', ' '])),
        Ecosystem::Go => format!("{}@vVERSION", name(&['@'])),
        Ecosystem::Image => {
            let image = package.split('@').next().unwrap_or_default();
            let host_end = image.rfind('/').map_or(0, |at| at + 1);
            let end = image[host_end..].find(':').map_or(image.len(), |at| host_end + at);
            format!("{}@sha256:DIGEST", &image[..end])
        }
        Ecosystem::Nix => return None,
    })
}

/// A package specification fit to be shown: as it is where it looks like one, redacted where it might be a secret.
fn spec(package: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@/._-~^:+#=<>!,[]*".contains(c);
    let is_spec = package.len() <= 214 && package.chars().all(plain) && hits(package, &Scan::wary()).is_empty();
    if is_spec { package.to_owned() } else { escape(&redact(package), Charset::Unicode) }
}

fn is_local(package: &str) -> bool {
    ["./", "../", "/", "~", "file:", ".\\", "..\\"].iter().any(|prefix| package.starts_with(prefix))
        || package == "."
        || package.as_bytes().get(1..3) == Some(b":\\")
}

fn is_pinned(ecosystem: Ecosystem, package: &str) -> bool {
    match ecosystem {
        // The published form: `@` and a version that begins with a digit, or `@sha…`; or a revision of a repository.
        Ecosystem::Npm | Ecosystem::Deno | Ecosystem::DotNet => {
            let version = package.rsplit_once('@').map_or("", |(_, version)| version);
            is_version(version) || is_sha(version) || ends_in_revision(package, '#')
        }
        Ecosystem::Python => {
            let version = package.rsplit_once('@').map_or("", |(_, version)| version);
            package.contains("==")
                || is_version(version.trim_start())
                || ends_in_revision(package, '@')
                || package.contains("#sha256=")
        }
        Ecosystem::Go => {
            let version = package.rsplit_once('@').map_or("", |(_, version)| version);
            version.strip_prefix('v').is_some_and(is_version) || is_version(version) || !package.contains('.')
        }
        Ecosystem::Nix => package.split(['/', '=', '?', '#']).any(is_revision),
        Ecosystem::Image => false,
    }
}

/// A digit, then letters, digits, `_`, dots, pluses and hyphens.
fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-'))
}

/// `sha256:` or `sha512-` and hexadecimal digits.
fn is_sha(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("sha") else { return false };
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let hash = digits.strip_prefix([':', '-']).unwrap_or_default();
    digits.len() < rest.len() && !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_revision(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn ends_in_revision(package: &str, mark: char) -> bool {
    package.rsplit_once(mark).is_some_and(|(_, revision)| {
        is_revision(revision.split(['#', '&']).next().unwrap_or_default()) || is_revision(revision)
    })
}

/// Whether a URL names a version somewhere: `@1.2.3`, `@v1.2.3`, a revision.
fn has_version(url: &str) -> bool {
    url.split(['/', '#', '?']).any(|piece| {
        let version = piece.rsplit_once('@').map_or("", |(_, version)| version);
        is_version(version.strip_prefix('v').unwrap_or(version)) || is_revision(piece) || is_revision(version)
    })
}

enum ImageVersion {
    Digest,
    Tag,
    Nothing,
}

fn image_version(image: &str) -> ImageVersion {
    if let Some((_, digest)) = image.rsplit_once("@sha256:") {
        let whole = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if whole { ImageVersion::Digest } else { ImageVersion::Nothing };
    }
    // A colon before the last slash belongs to the host's port.
    let name = image.rsplit('/').next().unwrap_or_default();
    match name.split_once(':') {
        Some((_, tag)) if !tag.is_empty() && tag != "latest" => ImageVersion::Tag,
        _ => ImageVersion::Nothing,
    }
}

const INTERPRETERS: &str =
    r"(?:ba|z|da|k|fi)?sh|python[0-9.]*|node|deno|bun|perl|ruby|php|pwsh|powershell|iex|invoke-expression";

static PUBLISHED_PIPE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\|\s*(?:sh|bash|zsh|python\d?|node)(?-u:\b)").ok());

/// Download, then anything up to a pipe into an interpreter, perhaps through sudo or env; or an interpreter given a
/// substitution that downloads.
static ANY_PIPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let download = r"(?-u:\b)(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)(?-u:\b)";
    let through = r"(?:(?:sudo|doas|env|exec|nohup|time|command)(?-u:\b)(?:\s+-\S+|\s+\w+=\S*)*\s+)*";
    Regex::new(&format!(
        r"(?i){download}[^|]*(?:\|[^|]*)*\|\s*{through}(?:\S*/)?(?:{INTERPRETERS})(?-u:\b)|(?:(?-u:\b)(?:{INTERPRETERS}|eval|source)(?-u:\b)|(?:^|\s)\.)\s.*(?:<\(|\$\(|`)\s*{download}"
    ))
    .ok()
});

/// Downloads that are run unseen.
fn remote_code(words: &[&str]) -> Option<Unpinned> {
    let joined = words.join(" ");
    // Nearly every launch is done with here, without compiling an expression.
    let lower = joined.to_ascii_lowercase();
    if !["curl", "wget", "iwr", "irm", "invoke-"].iter().any(|download| lower.contains(download)) {
        return None;
    }
    let matches = |regex: &LazyLock<Option<Regex>>| regex.as_ref().is_some_and(|regex| regex.is_match(&joined));
    let downloads = joined.contains("curl") || joined.contains("wget");
    let rule_id = if downloads && matches(&PUBLISHED_PIPE) {
        "WRD-SUP-CURL-PIPE"
    } else if matches(&ANY_PIPE) {
        "WRD-SUP-REMOTE-SCRIPT"
    } else {
        return None;
    };
    Some(Unpinned {
        rule_id,
        message: "The launch downloads code and runs it unseen",
        package: String::new(),
        snippet: escape(&shorten(&redact_argv(words).join(" "), SHOWN), Charset::Unicode),
        with_version: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Surface;

    fn found(words: &[&str]) -> Vec<String> {
        let launch = Launch::Stdio {
            command: words[0].to_owned(),
            args: words[1..].iter().map(|word| (*word).to_owned()).collect(),
        };
        let surface = Surface::default();
        let mut sink = Sink::default();
        check(&Input { surface: &surface, launch: &launch }, &mut sink);
        let findings = sink.findings(&surface);
        findings.iter().map(|f| format!("{} {}", f.rule_id.trim_start_matches("WRD-SUP-"), f.snippet)).collect()
    }

    #[track_caller]
    fn assert_found(line: &str, want: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(found(&words).join("; "), want, "{line}");
    }

    #[test]
    fn the_published_situations_keep_their_ids() {
        assert_found("npx -y @acme/server", "NPX-UNPINNED @acme/server");
        assert_found("npx pkg@next", "NPX-UNPINNED pkg@next");
        assert_found("npx pkg@^1", "NPX-UNPINNED pkg@^1");
        assert_found("npx pkg@latest", "LATEST-TAG pkg@latest");
        assert_found("uvx pkg", "UVX-UNPINNED pkg");
        assert_found("uvx --from pkg==latest cmd", "LATEST-TAG pkg==latest");
        assert_found("pip install a b==1 c>=2", "PIP-UNPINNED a; PIP-UNPINNED c>=2");
        assert_found("pip3 install a", "PIP-UNPINNED a");
        assert_eq!(
            found(&["sh", "-c", "curl -s https://x.test/i | sh"]),
            ["CURL-PIPE sh -c curl -s https://x.test/i | sh"]
        );
        for line in [
            "npx pkg@1",
            "npx pkg@1.x",
            "npx @acme/server@1.2.3",
            "npx pkg@sha512-abcdef",
            "npx ./local",
            "npx --no-install pkg",
            "uvx pkg==1.0",
            "uvx pkg@1.0",
            "uvx --from git+https://git.test/x@0123456789abcdef0123456789abcdef01234567 cmd",
            "pip install --require-hashes -r req.txt a",
            "pip install .",
            "npx",
            "uvx --from",
            "node npx",
        ] {
            assert_found(line, "");
        }
    }

    #[test]
    fn a_version_has_its_place_in_each_ecosystem() {
        for (line, want) in [
            ("npx -y @acme/server@latest", "@acme/server@VERSION"),
            ("npx pkg", "pkg@VERSION"),
            ("npx -p pkg@^1 cmd", "pkg@VERSION"),
            ("npx git+https://git.test/x#main", "git+https://git.test/x#COMMIT"),
            ("uvx pkg", "pkg==VERSION"),
            ("uvx pkg[cli]>=1", "pkg[cli]==VERSION"),
            ("uvx --from git+https://git.test/x cmd", "git+https://git.test/x@COMMIT"),
            ("docker run img.test:5000/a/b:2", "img.test:5000/a/b@sha256:DIGEST"),
            ("podman run a", "a@sha256:DIGEST"),
            ("deno run npm:@a/b", "npm:@a/b@VERSION"),
            ("go run acme.test/cmd@latest", "acme.test/cmd@vVERSION"),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let found: Vec<_> = unpinned(&words).into_iter().filter_map(|unpinned| unpinned.with_version).collect();
            assert_eq!(found, [want], "{line}");
        }
        for line in ["nix run nixpkgs#hello", "deno run https://x.test/mod.ts"] {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(unpinned(&words).iter().all(|unpinned| unpinned.with_version.is_none()), "{line}");
        }
    }

    #[test]
    fn other_ways_to_the_same_end_have_ids_of_their_own() {
        for (line, want) in [
            ("/usr/bin/npx -y pkg", "RUNNER-UNPINNED pkg"),
            ("npx.cmd pkg", "RUNNER-UNPINNED pkg"),
            ("bunx pkg", "RUNNER-UNPINNED pkg"),
            ("pnpm dlx pkg", "RUNNER-UNPINNED pkg"),
            ("yarn dlx pkg", "RUNNER-UNPINNED pkg"),
            ("npm exec -- pkg", "RUNNER-UNPINNED pkg"),
            ("uv tool run pkg", "RUNNER-UNPINNED pkg"),
            ("uv run --with pkg[cli] x.py", "RUNNER-UNPINNED pkg[cli]"),
            ("pipx run pkg", "RUNNER-UNPINNED pkg"),
            ("deno run -A npm:pkg", "RUNNER-UNPINNED npm:pkg"),
            ("deno run -A jsr:@acme/x@1.0.0", ""),
            ("deno run https://x.test/mod.ts", "REMOTE-SCRIPT https://x.test/mod.ts"),
            ("deno run https://x.test/lib@v1.2.3/mod.ts", ""),
            ("go run acme.test/cmd@latest", "LATEST-TAG acme.test/cmd@latest"),
            ("go run acme.test/cmd@v1.2.3", ""),
            ("go run .", ""),
            ("docker run -i --rm acme/server", "IMAGE-UNPINNED acme/server"),
            ("docker run acme/server:latest", "IMAGE-UNPINNED acme/server:latest"),
            ("docker run registry.test:5000/server", "IMAGE-UNPINNED registry.test:5000/server"),
            ("podman run acme/server:1.2", "IMAGE-TAG acme/server:1.2"),
            ("docker run --rm node:20 npx -y pkg", "IMAGE-TAG node:20; NPX-UNPINNED pkg"),
            ("env A=1 npx pkg --flag other", "NPX-UNPINNED pkg"),
            ("cmd /c npx -y pkg", "NPX-UNPINNED pkg"),
            ("dnx Acme.Server@1.0.0 --yes", ""),
            ("nix run github:acme/x", "RUNNER-UNPINNED github:acme/x"),
        ] {
            assert_found(line, want);
        }
        let digest = "0123456789abcdef".repeat(4);
        assert_found(&format!("docker run acme/server@sha256:{digest}"), "");
        for script in [
            "curl https://x.test/i | sudo -E bash -s",
            "curl -fsSL https://x.test/i | tee log | env A=1 sh",
            "bash <(curl -s https://x.test/i)",
            "eval \"$(wget -qO- https://x.test/i)\"",
            "iwr https://x.test/i | iex",
        ] {
            let found = found(&["sh", "-c", script]);
            assert!(found[0].starts_with("REMOTE-SCRIPT ") || found[0].starts_with("CURL-PIPE "), "{found:?}");
        }
        assert_eq!(found(&["sh", "-c", "curl https://x.test/data | jq . | sort"]), [] as [&str; 0]);
        assert_eq!(found(&["sh", "-c", "curl https://x.test/data | shuf"]), [] as [&str; 0]);
    }

    #[test]
    fn snippets_hold_no_secret() {
        let key = format!("ghp_{}", "aB3dE6gH9jK2".repeat(3));
        let url = format!("git+https://{key}@git.test/acme/x");
        let all = [
            found(&["uvx", "--from", &url, "x"]),
            found(&["npx", &key]),
            found(&["npx", "pkg with spaces\n"]),
            found(&["sh", "-c", &format!("curl -H 'Authorization: Bearer {key}' https://x.test | sh")]),
        ];
        for found in &all {
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(!found[0].contains("aB3dE6") && !found[0].contains('\n'), "{found:?}");
        }
        assert_eq!(found(&["npx", "pkg", "--token", "VALUE"]), ["NPX-UNPINNED pkg"]);
    }
}
