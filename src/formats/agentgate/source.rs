//! Where a server comes from, by the way it is started (§Fields: `source`, `transport`).

use crate::json::Object;
use crate::surface::Launch;

/// Programs that download a package and start it, with the words that make them do so.
const RUNNERS: [(&str, Kind); 10] = [
    ("npx", Kind::Npm),
    ("bunx", Kind::Npm),
    ("pnpx", Kind::Npm),
    ("npm exec", Kind::Npm),
    ("npm x", Kind::Npm),
    ("pnpm dlx", Kind::Npm),
    ("bun x", Kind::Npm),
    ("uvx", Kind::Pypi),
    ("uv tool run", Kind::Pypi),
    ("pipx run", Kind::Pypi),
];
/// Options before the package that take the next word.
const NPM: &str = "--registry --userconfig --cache --prefix -w --workspace --loglevel";
const UV: &str = "-p --python --index --default-index -i --index-url --extra-index-url -f --find-links --with -w \
    --with-requirements --with-editable --cache-dir --directory --project --pip-args -c --constraints --overrides \
    --exclude-newer --env-file --config-file";
/// Options that name the package.
const NPM_PACKAGE: &str = "-p --package";
const UV_PACKAGE: &str = "--from --spec";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Npm,
    Pypi,
}

/// The `source` of a server.
pub(super) fn source(launch: &Launch) -> Object {
    let of = |kind: &str| [("type", kind)].into_iter().collect::<Object>();
    match launch {
        Launch::Url(_) => of("remote"),
        Launch::Stdio { command, args } => match package(command, args) {
            Some((kind, name, version)) => {
                let mut source = of(if kind == Kind::Npm { "npm" } else { "pypi" });
                source.insert("package", name);
                if let Some(version) = version {
                    source.insert("version", version);
                }
                source
            }
            None => of("local"),
        },
    }
}

/// The `transport` of a server. Which of the two kinds a URL speaks cannot be seen in it, so what a file says stays.
pub(super) fn transport(launch: &Launch, old: Option<&str>) -> &'static str {
    match (launch, old) {
        (Launch::Stdio { .. }, _) => "stdio",
        (Launch::Url(_), Some("sse")) => "sse",
        (Launch::Url(_), _) => "http",
    }
}

fn package<'a>(command: &str, args: &'a [String]) -> Option<(Kind, &'a str, Option<&'a str>)> {
    let program = command.rsplit(['/', '\\']).next().unwrap_or(command).to_ascii_lowercase();
    let program = [".cmd", ".exe", ".ps1"].iter().find_map(|end| program.strip_suffix(end)).unwrap_or(&program);
    RUNNERS.iter().find_map(|(line, kind)| {
        let mut line = line.split(' ');
        let mut rest = args;
        if line.next() != Some(program) {
            return None;
        }
        for word in line {
            let (next, tail) = rest.split_first()?;
            rest = (next == word).then_some(tail)?;
        }
        let (name, version) = match kind {
            Kind::Npm => npm(specification(rest, NPM, NPM_PACKAGE)?)?,
            Kind::Pypi => pypi(specification(rest, UV, UV_PACKAGE)?)?,
        };
        Some((*kind, name, version))
    })
}

/// The word that names the package.
fn specification<'a>(args: &'a [String], takes: &str, names: &str) -> Option<&'a str> {
    let listed = |list: &str, option: &str| list.split_whitespace().any(|known| known == option);
    let mut at = 0;
    let mut first = None;
    while let Some(word) = args.get(at) {
        at += 1;
        if !word.starts_with('-') {
            first = Some(word.as_str());
            break;
        }
        let (option, value) =
            word.split_once('=').map_or((word.as_str(), None), |(option, value)| (option, Some(value)));
        if listed(names, option) {
            return value.or_else(|| args.get(at).map(String::as_str));
        }
        at += usize::from(value.is_none() && listed(takes, option));
    }
    first
}

/// `@scope/name@1.2.3`. Paths, addresses and aliases are no packages of the registry.
fn npm(spec: &str) -> Option<(&str, Option<&str>)> {
    let end = spec.get(1..)?.find('@').map_or(spec.len(), |at| at + 1);
    let name = &spec[..end];
    let plain = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_plain(scope) && is_plain(name)),
        None => is_plain(name),
    };
    let version = spec.get(end + 1..).filter(|version| is_release(version, 3));
    plain.then_some((name, version))
}

/// `name[extra]==1.2.3` or `name@1.2.3`.
fn pypi(spec: &str) -> Option<(&str, Option<&str>)> {
    let end = spec.find(['[', '=', '@', '<', '>', '~', '!', ';', ' ']).unwrap_or(spec.len());
    let name = &spec[..end];
    let rest = &spec[end..];
    let rest = rest.split_once(']').map_or(rest, |(_, rest)| rest);
    let version = rest.strip_prefix("==").or_else(|| rest.strip_prefix('@')).map(str::trim);
    let is_address = rest.contains("://") || rest.starts_with(" @");
    (is_plain(name) && !is_address).then_some((name, version.filter(|version| is_release(version, 1))))
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Whether a text is one release: at least so many numbers, then perhaps a word for a pre-release or a build.
fn is_release(text: &str, numbers: usize) -> bool {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (release, rest) = text.split_at(end);
    let parts: Vec<&str> = release.trim_end_matches('.').split('.').collect();
    parts.len() >= numbers
        && parts.iter().all(|part| !part.is_empty())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+.".contains(&byte))
        && !matches!(rest, "x" | "X")
        && !rest.starts_with(".x")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        let mut words = line.split(' ').map(str::to_owned);
        let launch = Launch::Stdio { command: words.next().unwrap_or_default(), args: words.collect() };
        let source = source(&launch);
        let text = |member: &str| source.get(member).and_then(crate::json::Value::as_str).unwrap_or("-").to_owned();
        format!("{} {} {}", text("type"), text("package"), text("version"))
    }

    #[test]
    fn the_launch_says_where_a_server_comes_from() {
        for (line, want) in [
            ("npx -y @acme/server@1.2.3 --root /data", "npm @acme/server 1.2.3"),
            ("npx.cmd -y server", "npm server -"),
            ("/usr/bin/npx --registry https://r.test server@latest", "npm server -"),
            ("npx server@^1.2.3", "npm server -"),
            ("npx server@1.2", "npm server -"),
            ("npx server@1.2.x", "npm server -"),
            ("npx -p a@1.0.0-beta.1 b", "npm a 1.0.0-beta.1"),
            ("bunx server@1.0.0", "npm server 1.0.0"),
            ("pnpm dlx server", "npm server -"),
            ("npm run start", "local - -"),
            ("npx ./server", "local - -"),
            ("npx git+https://u:p@h.test/x", "local - -"),
            ("npx", "local - -"),
            ("npx @", "local - -"),
            ("npx é@1.0.0", "local - -"),
            ("uvx mcp-server==2.0", "pypi mcp-server 2.0"),
            ("uvx --python 3.12 mcp-server@2.0.1 serve", "pypi mcp-server 2.0.1"),
            ("uvx --from mcp-server[cli]==1.0rc1 serve", "pypi mcp-server 1.0rc1"),
            ("uvx --from git+https://u:p@h.test/x serve", "local - -"),
            ("uvx mcp-server>=2", "pypi mcp-server -"),
            ("uvx mcp-server==2.*", "pypi mcp-server -"),
            ("pipx run mcp-server", "pypi mcp-server -"),
            ("uv tool run mcp-server", "pypi mcp-server -"),
            ("uv run server.py", "local - -"),
            ("node server.js", "local - -"),
        ] {
            assert_eq!(of(line), want, "{line}");
        }
        let url = Launch::Url("https://a.test/mcp".to_owned());
        assert_eq!(crate::json::compact(&source(&url).into()), "{\"type\":\"remote\"}");
        assert_eq!((transport(&url, None), transport(&url, Some("sse"))), ("http", "sse"));
    }
}
