//! Starting a server as somebody else's machine would, to see what of its surface depends on the machine.
//!
//! Real surfaces hold the time zone, the install folder, the order of a set that a hash seed decides. What is pinned
//! of such a server differs at the next start, or on the next machine.

use super::Environment;
use crate::surface::Launch;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where it may not be known, the variable only costs nothing. All are far from what machines usually have.
const TIME_ZONES: [&str; 3] = ["Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu"];
const LOCALES: [&str; 3] = ["de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.UTF-8"];
/// Names under which real clients ask: what a server shows only to one of them, or hides, is found by being it.
const CLIENTS: [&str; 4] = ["claude-code", "Visual Studio Code", "cursor-vscode", "codex-mcp-client"];

/// Programs that look for a project in their working directory, whatever their arguments are.
const PROJECT_RUNNERS: [&str; 15] = [
    "bundle", "bun", "cargo", "composer", "deno", "go", "make", "npm", "pdm", "pipenv", "pixi", "pnpm", "poetry", "uv",
    "yarn",
];

/// The folders of every variation there is.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Surroundings that differ from the user's. The folders are removed with the value: end the server first.
#[derive(Debug)]
pub struct Variation {
    number: usize,
    folders: tempfile::TempDir,
    moves: bool,
}

impl Variation {
    /// The variation of this number, from 0; each differs from the others. Makes an empty home and, where nothing in
    /// the launch seems to depend on the working directory, an empty one of those too.
    ///
    /// # Errors
    /// The folders cannot be made.
    pub fn new(number: usize, launch: &Launch, environment: &Environment) -> io::Result<Self> {
        let folders = tempfile::Builder::new().prefix("warden-stability-").tempdir()?;
        std::fs::create_dir(folders.path().join("home"))?;
        std::fs::create_dir(folders.path().join("work"))?;
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folders.path().to_owned());
        Ok(Self { number, folders, moves: !depends_on_folder(launch, environment) })
    }

    /// Whether the working directory is another one too.
    pub fn moves(&self) -> bool {
        self.moves
    }

    /// The environment with everything changed that this variation changes. What the user handed over stays.
    #[must_use]
    pub fn apply(&self, environment: Environment) -> Environment {
        let home = self.folders.path().join("home");
        let locale = pick(&LOCALES, self.number);
        let changed = environment
            .with_override("HOME", home.as_os_str())
            .with_override("TZ", pick(&TIME_ZONES, self.number))
            .with_override("LANG", locale)
            .with_override("LC_ALL", locale)
            // Without one Python draws a seed of its own at each start.
            .with_override("PYTHONHASHSEED", (self.number + 1).to_string());
        #[cfg(windows)]
        let changed = changed.with_override("USERPROFILE", home.as_os_str());
        if self.moves { changed.in_folder(self.folders.path().join("work")) } else { changed }
    }

    /// Removes the folders of every variation there is: for whoever ends the process while some are in use.
    pub fn remove_all() {
        for folder in FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // Whether it worked changes nothing any more.
            let _ = std::fs::remove_dir_all(folder);
        }
    }

    /// The name that the server is told as the client's.
    pub fn client_name(&self) -> &'static str {
        pick(&CLIENTS, self.number)
    }
}

impl Drop for Variation {
    fn drop(&mut self) {
        let own = self.folders.path();
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).retain(|folder| folder != own);
    }
}

fn pick<'a>(values: &[&'a str], number: usize) -> &'a str {
    values.get(number % values.len().max(1)).copied().unwrap_or_default()
}

/// Whether a launch seems to name something in the working directory: then the server would not start elsewhere.
fn depends_on_folder(launch: &Launch, environment: &Environment) -> bool {
    let Launch::Stdio { command, .. } = launch else { return true };
    let program = Path::new(command).file_stem().unwrap_or_default();
    let values = environment.explicit_values().map(|value| value.to_string_lossy().into_owned());
    PROJECT_RUNNERS.iter().any(|runner| program == *runner)
        || launch.words().into_iter().any(names_a_place_here)
        || values.into_iter().any(|value| names_a_place_here(&value))
}

fn names_a_place_here(word: &str) -> bool {
    // An option's value counts by itself.
    let word = match word.split_once('=') {
        Some((option, value)) if option.starts_with('-') => value,
        _ => word,
    };
    let path = Path::new(word);
    if word.is_empty() || word.starts_with('-') || path.is_absolute() {
        return false;
    }
    if word.starts_with('.') {
        return true;
    }
    // A file, a module without its ending, a package that is installed here.
    let package = match word.rfind('@') {
        Some(at @ 1..) => &word[..at],
        _ => word,
    };
    let module = word.replace('.', "/");
    [word.to_owned(), format!("{word}.js"), format!("{module}.py"), module, format!("node_modules/{package}")]
        .iter()
        .chain([&format!("node_modules/.bin/{package}")])
        .any(|place| Path::new(place).exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    fn depends(words: &[&str]) -> bool {
        let mut words = words.iter().map(|word| (*word).to_owned());
        let launch = Launch::Stdio { command: words.next().unwrap_or_default(), args: words.collect() };
        depends_on_folder(&launch, &Environment::default())
    }

    #[test]
    fn a_launch_that_names_a_place_here_stays_here() {
        // Tests run in the package's folder.
        for words in [
            &["./server"][..],
            &["python3", "src/lib.rs"],
            &["node", "--config=src/lib.rs"],
            &["node", "."],
            &["node", "../x.js"],
            &["python3", "-m", "src.cli"],
            &["uv", "run", "x"],
            &["/usr/bin/cargo", "run"],
        ] {
            assert!(depends(words), "{words:?}");
        }
        for words in [
            &["npx", "-y", "@acme/server@1.2.3"][..],
            &["uvx", "some-server==2.0"],
            &["/opt/server", "--root=/src", "--name=src/nothing-there"],
            &["python3", "-m", "some.module"],
            &["docker", "run", "-i", "acme/image:1"],
        ] {
            assert!(!depends(words), "{words:?}");
        }
        let here = Environment::default().with("CONFIG", "src/lib.rs");
        let launch = Launch::Stdio { command: "server".into(), args: Vec::new() };
        assert!(depends_on_folder(&launch, &here));
    }

    #[test]
    fn every_variation_is_another_place() {
        let launch = Launch::Stdio { command: "server".into(), args: Vec::new() };
        let base = Environment::new([("HOME".into(), "/h".into())]);
        let variations: Vec<Variation> = (0..9).map(|n| Variation::new(n, &launch, &base).unwrap()).collect();
        let mut seen = std::collections::BTreeSet::new();
        for variation in &variations {
            let environment = variation.apply(base.clone());
            let variables = environment.variables();
            assert!(Path::new(variables[OsStr::new("HOME")]).is_dir());
            assert!(environment.folder().is_some_and(Path::is_dir));
            let shown: Vec<String> = variables.iter().map(|(name, value)| format!("{name:?}={value:?}")).collect();
            seen.insert(shown);
        }
        assert_eq!(seen.len(), 9);
        let home = variations[0].folders.path().to_owned();
        drop(variations);
        assert!(!home.exists());
    }
}
