//! Which paths may hold a configuration, on any platform, without looking at a disk.

use super::pattern::matches;
use super::read::{Reader, Source};
use super::table::{Base, Location, Platform, Scope, Spot, clients};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The folders that the paths of the table begin in. A folder that is not known has no candidates.
#[derive(Debug, Clone)]
pub struct Places {
    pub platform: Platform,
    /// The current folder and those above it that belong to the project, nearest first.
    pub project: Vec<PathBuf>,
    pub home: Option<PathBuf>,
    /// Folders that a variable names.
    named: BTreeMap<&'static str, PathBuf>,
}

/// A path, or a pattern, that a client may read.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The folder it begins in.
    pub base: PathBuf,
    /// The rest, with `/` between names and possibly with `*` or `**`.
    pub pattern: &'static str,
    pub reader: Reader,
}

impl Places {
    /// `variable` answers for environment variables; relative paths in them are no places.
    pub fn new(platform: Platform, project: Vec<PathBuf>, variable: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| is_absolute(platform, path));
        let home = folder(if platform == Platform::Windows { "USERPROFILE" } else { "HOME" });
        let mut names =
            vec!["VSCODE_PORTABLE", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles"];
        for (_, base, _) in clients().flat_map(|client| client.locations).flat_map(|location| location.spots) {
            if let Base::Moved { variable, .. } = base {
                names.push(variable);
            }
        }
        let named = names.into_iter().filter_map(|name| Some((name, folder(name)?))).collect();
        Self { platform, project, home, named }
    }

    /// The home folder, or one below it.
    fn below_home(&self, path: &str) -> Option<PathBuf> {
        Some(self.join(self.home.as_ref()?, path))
    }

    fn folder(&self, base: Base) -> Option<PathBuf> {
        let named = |name: &str| self.named.get(name).cloned();
        let windows = |name: &str, else_home: &str| {
            (self.platform == Platform::Windows).then(|| named(name).or_else(|| self.below_home(else_home))).flatten()
        };
        match base {
            Base::Project => None,
            Base::Home => self.home.clone(),
            Base::Config if self.platform == Platform::Linux => {
                named("XDG_CONFIG_HOME").or_else(|| self.below_home(".config"))
            }
            Base::Config => self.below_home(".config"),
            Base::ApplicationSupport => self.below_home("Library/Application Support"),
            Base::AppData => windows("APPDATA", "AppData/Roaming"),
            Base::LocalAppData => windows("LOCALAPPDATA", "AppData/Local"),
            Base::ProgramData => named("ProgramData").or_else(|| Some(PathBuf::from("C:\\ProgramData"))),
            Base::ProgramFiles => named("ProgramFiles").or_else(|| Some(PathBuf::from("C:\\Program Files"))),
            Base::Root => Some(PathBuf::from("/")),
            Base::Moved { variable, folder } => named(variable).or_else(|| self.below_home(folder)),
            Base::Code => None,
        }
    }

    /// Every folder that a base stands for.
    fn folders(&self, base: Base) -> Vec<PathBuf> {
        if base != Base::Code {
            return self.folder(base).into_iter().collect();
        }
        let above = match self.platform {
            Platform::Linux => Base::Config,
            Platform::MacOs => Base::ApplicationSupport,
            Platform::Windows => Base::AppData,
        };
        let below = |above: &PathBuf, path| self.join(above, path);
        let installed = self.folder(above);
        let portable = self.named.get("VSCODE_PORTABLE");
        let installed = ["Code/User", "Code - Insiders/User"].into_iter().zip(std::iter::repeat(installed.as_ref()));
        let all = installed.chain([("user-data/User", portable)]);
        all.filter_map(|(path, above)| Some(below(above?, path))).collect()
    }

    /// `path` has `/` between its names.
    fn join(&self, base: &Path, path: &str) -> PathBuf {
        let separator = if self.platform == Platform::Windows { "\\" } else { "/" };
        let mut whole = base.as_os_str().to_owned();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if !ends_with_separator(&whole) {
                whole.push(separator);
            }
            whole.push(name);
        }
        PathBuf::from(whole)
    }
}

fn ends_with_separator(path: &OsStr) -> bool {
    matches!(path.as_encoded_bytes().last(), Some(b'/' | b'\\'))
}

fn is_absolute(platform: Platform, path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    match platform {
        Platform::Windows => matches!(bytes, [_, b':', ..] | [b'\\', b'\\', ..]),
        Platform::Linux | Platform::MacOs => bytes.starts_with(b"/"),
    }
}

impl Candidate {
    /// The whole path, where it is no pattern.
    pub fn path(&self, places: &Places) -> PathBuf {
        places.join(&self.base, self.pattern)
    }
}

/// Everything that any client may read there: first the project's folders, nearest first, then the user's files, then
/// the machine's.
pub fn candidates(places: &Places) -> Vec<Candidate> {
    let spots = |scope: Scope| {
        clients().flat_map(move |client| {
            let locations = client.locations.iter().filter(move |location| location.scope == scope);
            locations.flat_map(move |location| {
                location.spots.iter().map(move |spot| (spot, Reader { client: client.id, location }))
            })
        })
    };
    let here = |spot: &Spot| spot.0.includes(places.platform);
    let mut out = Vec::new();
    for folder in &places.project {
        let in_folder = spots(Scope::Project).filter(|(spot, _)| here(spot));
        out.extend(in_folder.map(|(spot, reader)| Candidate { base: folder.clone(), pattern: spot.2, reader }));
    }
    for scope in [Scope::User, Scope::Machine] {
        out.extend(spots(scope).filter(|(spot, _)| here(spot)).flat_map(|(spot, reader)| {
            let candidate = move |base| Candidate { base, pattern: spot.2, reader };
            places.folders(spot.1).into_iter().map(candidate)
        }));
    }
    out
}

/// How to read a file that a user names: as the clients whose table holds such a path, or else as the best known client
/// of its extension. `None` where neither says anything.
pub fn source_for(path: &Path) -> Option<Source> {
    let names: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let best = readers_of(&names).or_else(|| {
        let file = match path.extension()?.to_str()? {
            "json" | "jsonc" => [".", ".mcp.json"],
            "toml" => [".codex", "config.toml"],
            "yaml" | "yml" => [".continue", "config.yaml"],
            _ => return None,
        };
        readers_of(&file.map(str::to_owned))
    })?;
    // Whatever folder it is in, it is not one of the user's own choosing as long as nobody looked.
    Some(Source { path: path.to_owned(), scope: Scope::Project, readers: best })
}

/// Whether some client's table holds such a path.
pub fn is_clients_file(path: &Path) -> bool {
    let names: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    readers_of(&names).is_some()
}

/// The readers of the longest spot that a path ends in.
fn readers_of(names: &[String]) -> Option<Vec<Reader>> {
    let mut best: (usize, Vec<Reader>) = (0, Vec::new());
    for client in clients() {
        for location in client.locations {
            let length = location.spots.iter().filter_map(|spot| tail(spot, names)).max().unwrap_or(0);
            if length > best.0 {
                best = (length, Vec::new());
            }
            if length > 0 && length == best.0 {
                best.1.push(Reader { client: client.id, location });
            }
        }
    }
    (best.0 > 0).then_some(best.1)
}

/// How many names of a path a spot stands for, if the path ends in it.
fn tail(spot: &Spot, names: &[String]) -> Option<usize> {
    match spot.1 {
        Base::Code => tail_in("User", spot.2, names),
        // Moved elsewhere, the folder may have any name.
        Base::Moved { folder, .. } => tail_in(folder, spot.2, names).or_else(|| tail_in("", spot.2, names)),
        _ => tail_in("", spot.2, names),
    }
}

fn tail_in(folder: &'static str, path: &'static str, names: &[String]) -> Option<usize> {
    let split = |path: &'static str| path.split('/').filter(|name| !name.is_empty());
    let patterns: Vec<&str> = split(folder).chain(split(path)).collect();
    let stars = patterns.iter().position(|name| *name == "**");
    // What stands before `**` may be any number of folders further up.
    let (above, end) = match stars {
        Some(at) => (&patterns[..at], &patterns[at + 1..]),
        None => (&[][..], &patterns[..]),
    };
    let fits =
        |patterns: &[&str], names: &[String]| patterns.iter().zip(names).all(|(pattern, name)| matches(pattern, name));
    let (before, last) = names.split_at(names.len().checked_sub(end.len())?);
    let has_above = above.is_empty() || before.windows(above.len()).any(|window| fits(above, window));
    (fits(end, last) && has_above).then_some(above.len() + end.len())
}

impl Location {
    /// How large such a file may be, in bytes. Files of a project are written by hand; Claude Code keeps its history
    /// beside the servers, and people have met files of 65 MB.
    pub fn max_bytes(&self) -> usize {
        match self.scope {
            Scope::Project => 1 << 20,
            Scope::User | Scope::Machine => 64 << 20,
        }
    }
}
