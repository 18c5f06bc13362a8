//! Which files of the repository a server is made of: what has to change for it to change without its configuration.
//! Rather too many than too few: what is named here decides what may be left out of a check.

use super::{Start, Target};
use crate::clients::{Part, Reference, Template};
use std::path::{Component, Path, PathBuf};

/// Files that say what a folder is a package of, which versions it takes, or from where.
const MANIFESTS: [&str; 32] = [
    ".npmrc",
    ".yarnrc.yml",
    "Cargo.lock",
    "Cargo.toml",
    "Dockerfile",
    "Makefile",
    "Pipfile",
    "Pipfile.lock",
    "bun.lock",
    "bun.lockb",
    "compose.yaml",
    "compose.yml",
    "deno.json",
    "deno.jsonc",
    "deno.lock",
    "docker-compose.yaml",
    "docker-compose.yml",
    "go.mod",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "pip.conf",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "uv.lock",
    "uv.toml",
    "yarn.lock",
];

/// Folders that programs are looked up in before they are fetched.
const INSTALLED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// Programs that bring what they run along, named by a version in the arguments.
const FETCHING: [&str; 6] = ["npx", "bunx", "uvx", "pipx", "docker", "podman"];

/// What makes even those run code of the folder: a module, or images that are built from it.
const BUILDING: [&str; 6] = ["-m", "compose", "build", "buildx", "builder", "bake"];

/// How names of programs begin that run what their arguments name, by whatever path they are started.
const RUNNERS: [&str; 27] = [
    "bash",
    "bun",
    "cargo",
    "cmd",
    "deno",
    "docker",
    "dotnet",
    "env",
    "go",
    "java",
    "just",
    "lua",
    "make",
    "node",
    "npm",
    "perl",
    "php",
    "pnpm",
    "podman",
    "powershell",
    "pwsh",
    "pypy",
    "python",
    "ruby",
    "sh",
    "uv",
    "yarn",
];

/// Options without a value that may stand before what is run.
const FLAGS: [&str; 8] = ["-u", "-A", "-B", "-I", "-q", "--quiet", "-y", "--yes"];
/// How others of them begin.
const FLAG_FAMILIES: [&str; 3] = ["--no-", "--allow-", "--experimental-"];
/// Options whose value is the folder that the rest is about.
const FOLDER_OPTIONS: [&str; 5] = ["--directory", "--project", "--prefix", "--cwd", "-C"];

/// Stands for a value that is not known before the start. No path has it.
const UNKNOWN: char = '\0';

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    File,
    Folder,
}

/// What is asked about the disk. Paths are absolute.
pub(super) struct Disk<'a> {
    pub kind: &'a dyn Fn(&Path) -> Kind,
    /// The path as it is written, without `..`, and each that links on its way make of it.
    pub ways: &'a dyn Fn(&Path) -> Vec<PathBuf>,
}

/// Absolute paths of files and folders, also of some that do not exist: they may have been removed. `root` is the
/// project's folder, absolute and without links.
pub(super) fn own_files(start: &Start, root: &Path, disk: &Disk<'_>) -> Vec<PathBuf> {
    let Target::Command { program, args } = &start.target else { return Vec::new() };
    let program = text_of(program);
    let words: Vec<String> = args.iter().map(text_of).collect();
    let folder = start.cwd.as_ref().map_or_else(|| root.to_owned(), |cwd| at(root, &text_of(cwd)));
    let project = Around { root, folder: &folder, disk };

    let mut named: Vec<String> = std::iter::once(&program).chain(&words).flat_map(|word| pieces(word)).collect();
    // A value that is nothing but a variable is most often a secret, and no folder.
    let values = start.env.iter().flat_map(|(_, value)| pieces(&text_of(value)));
    named.extend(values.filter(|piece| piece.chars().any(|char| char != UNKNOWN)));
    // A program may look for a path from the folder it is started in, or be looked for from the project's.
    let places = if folder == root { vec![root] } else { vec![root, &folder] };
    let mut own: Vec<PathBuf> = Vec::new();
    for place in places {
        own.extend(named.iter().flat_map(|piece| project.parts_of(&at(place, piece))));
        own.extend(words.iter().flat_map(|word| project.linked_package(place, word)));
        let known = MANIFESTS.iter().chain(&INSTALLED).map(|name| place.join(name));
        own.extend(known.flat_map(|path| (disk.ways)(&path)));
    }
    if start.cwd.is_some() || !project.is_entry_known(&program, &words) {
        own.extend((disk.ways)(&folder));
    }
    own.sort();
    // What is in a folder that counts is sorted behind it.
    own.dedup_by(|path, folder| path.starts_with(folder));
    own
}

/// Where words are paths.
struct Around<'a> {
    root: &'a Path,
    folder: &'a Path,
    disk: &'a Disk<'a>,
}

impl Around<'_> {
    /// What changes with a path: the packages of the file, wherever links lead.
    fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        let mut parts = Vec::new();
        for path in (self.disk.ways)(path) {
            // What is not there may have been removed, or not be built yet.
            let is_above = |folder: &&Path| self.root.starts_with(folder) || self.folder.starts_with(folder);
            let there = path.ancestors().take_while(|folder| *folder == path || !is_above(folder));
            if let Some(there) = there.into_iter().find(|path| self.kind(path) != Kind::Nothing) {
                parts.push(self.package_of(there));
            }
            parts.push(path);
        }
        parts
    }

    /// The package of the repository that a name of an installed one leads to.
    fn linked_package(&self, place: &Path, word: &str) -> Vec<PathBuf> {
        let name = match word.rfind('@') {
            Some(at) if at > 0 => &word[..at],
            _ => word,
        };
        let is_installed = |path: &PathBuf| path.components().any(|part| part.as_os_str() == INSTALLED[0]);
        let links = ["node_modules", "node_modules/.bin"].map(|folder| at(&place.join(folder), name));
        let ways = links.iter().filter(|link| self.kind(link) != Kind::Nothing).flat_map(|link| (self.disk.ways)(link));
        ways.filter(|path| !is_installed(path)).map(|path| self.package_of(&path)).collect()
    }

    /// The folder of the package that a file is in; without one, the file's folder, or the file itself in the project's.
    fn package_of(&self, path: &Path) -> PathBuf {
        let is_above = |folder: &Path| folder != self.root && self.root.starts_with(folder);
        let has_manifest = |folder: &&Path| MANIFESTS.iter().any(|name| self.kind(&folder.join(name)) == Kind::File);
        if let Some(folder) = path.ancestors().take_while(|folder| !is_above(folder)).find(has_manifest) {
            return folder.to_owned();
        }
        match path.parent() {
            Some(parent) if self.kind(path) == Kind::File && !self.root.starts_with(parent) => parent.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// Whether the words say which file is run, or that it comes from elsewhere. `npm start`, `python3 -m tools.x data.json`
    /// and whatever is not understood may run anything in the folder.
    fn is_entry_known(&self, program: &str, words: &[String]) -> bool {
        let file = at(self.folder, program);
        let is_path = program.contains(['/', '\\']) && self.kind(&file) == Kind::File;
        if FETCHING.contains(&name_of(program).as_str()) {
            return !words.iter().any(|word| BUILDING.contains(&word.as_str()));
        }
        if is_path && (words.is_empty() || !(self.disk.ways)(&file).iter().any(|path| is_runner(path))) {
            return true;
        }
        let is_folder = |word: &str| self.kind(&at(self.folder, word)) == Kind::Folder;
        let mut words = words.iter().map(String::as_str).enumerate();
        while let Some((index, word)) = words.next() {
            let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            if FOLDER_OPTIONS.contains(&option) {
                return value.or_else(|| words.next().map(|(_, word)| word)).is_some_and(is_folder);
            }
            if word.starts_with('-') {
                let is_flag = FLAGS.contains(&word) || FLAG_FAMILIES.iter().any(|family| word.starts_with(family));
                if is_flag || (word.starts_with("--") && value.is_some()) {
                    continue;
                }
                return false;
            }
            if index == 0 && word == "run" {
                continue;
            }
            // `make build` is no folder, even where there is one.
            return match self.kind(&at(self.folder, word)) {
                Kind::Nothing => false,
                Kind::File => true,
                Kind::Folder => word.contains(['/', '\\']),
            };
        }
        false
    }

    fn kind(&self, path: &Path) -> Kind {
        (self.disk.kind)(path)
    }
}

/// The text, with a mark where something is not known before the start; a folder of the client stands for the project's.
fn text_of(template: &Template) -> String {
    let text = |part: Part| match part {
        Part::Literal(text) => text,
        Part::Reference(Reference::Folder { name }) if name == "/" || name == "pathSeparator" => "/".to_owned(),
        Part::Reference(Reference::Folder { .. }) => ".".to_owned(),
        Part::Reference(_) => UNKNOWN.to_string(),
    };
    template.parts().into_iter().map(text).collect()
}

/// A word and what it may be put together of: `--directory=./x`, `./vol:/srv`, `src=a,dst=b`, `node x.js`.
fn pieces(word: &str) -> Vec<String> {
    let is_between = |char: char| char.is_whitespace() || matches!(char, ':' | ';' | '=' | ',' | '"' | '\'');
    let parts = word.split(is_between).filter(|piece| *piece != word);
    let pieces = std::iter::once(word).chain(parts).chain(word.split_once('=').map(|(_, value)| value));
    pieces.filter(|piece| !piece.is_empty()).map(str::to_owned).collect()
}

/// A word as a path; what is not known is taken for the folder.
fn at(folder: &Path, word: &str) -> PathBuf {
    let mut word = word.to_owned();
    while let Some(mark) = word.find(UNKNOWN) {
        let end = word[mark..].find(|char| char != UNKNOWN).map_or(word.len(), |length| mark + length);
        word.replace_range(mark..end, ".");
    }
    without_dots(&folder.join(word))
}

/// The path without `.` and `..`, as it is written.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The name of a program without its folder and ending.
fn name_of(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    name.trim_end_matches(".cmd").trim_end_matches(".exe").to_owned()
}

/// Whether a program may be one that runs what its arguments name.
fn is_runner(program: &Path) -> bool {
    let name = name_of(&program.to_string_lossy());
    let folder = program.parent().and_then(Path::file_name);
    RUNNERS.iter().any(|runner| name.starts_with(runner))
        || folder.is_some_and(|folder| ["bin", ".bin", "Scripts"].iter().any(|bin| folder == *bin))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server is made of, as far as it is on this disk; `at -> to` is a link.
    fn own(words: &[&str], cwd: Option<&str>, disk: &[&str]) -> Vec<String> {
        let mut words = words.iter().map(|word| Template::of_settings(word));
        let program = words.next().unwrap();
        let start = Start {
            cwd: cwd.map(Template::of_settings),
            ..Start::new(Target::Command { program, args: words.collect() })
        };
        of(&start, disk)
    }

    fn of(start: &Start, disk: &[&str]) -> Vec<String> {
        let root = Path::new("/p");
        let links: Vec<(PathBuf, PathBuf)> = disk
            .iter()
            .filter_map(|file| file.split_once(" -> "))
            .map(|(link, target)| (root.join(link), root.join(target)))
            .collect();
        let files: Vec<PathBuf> = disk.iter().map(|file| root.join(file.split(" -> ").next().unwrap())).collect();
        let kind = |path: &Path| match files.iter().find(|file| path == *file) {
            None => Kind::Nothing,
            Some(file) if file.extension().is_some() || file.parent().unwrap().ends_with("bin") => Kind::File,
            Some(_) => Kind::Folder,
        };
        let ways = |path: &Path| {
            let ways = links.iter().filter_map(|(link, target)| Some(target.join(path.strip_prefix(link).ok()?)));
            let ways = ways.map(|path| path.components().collect::<PathBuf>());
            std::iter::once(without_dots(path)).chain(ways).collect()
        };
        let is_there = |path: &PathBuf| path == root || files.iter().any(|file| file.starts_with(path));
        let relative = |path: PathBuf| path.strip_prefix("/p").unwrap_or(&path).to_str().unwrap().to_owned();
        let own = own_files(start, root, &Disk { kind: &kind, ways: &ways });
        let mut own: Vec<String> = own.into_iter().filter(is_there).map(relative).collect();
        own.sort();
        own
    }

    #[cfg(unix)]
    #[test]
    fn a_server_is_the_package_of_the_files_it_names() {
        assert_eq!(own(&["node", "tools/x/dist/a.js"], None, &["tools/x/dist/a.js"]), ["tools/x/dist"]);
        let package = ["tools/x/dist/a.js", "tools/x/package.json"];
        assert_eq!(own(&["node", "./tools/x/dist/a.js"], None, &package), ["tools/x"]);
        assert_eq!(own(&["uv", "run", "--directory=tools/x", "serve"], None, &["tools/x"]), ["tools/x"]);
        assert_eq!(own(&["node", "a.js"], None, &["a.js"]), ["a.js"]);
        assert_eq!(own(&["node", "dist/a.js"], None, &["dist/a.js", "package.json"]), [""]);
        assert_eq!(own(&["/p/bin/serve"], None, &["bin/serve"]), ["bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_without_a_file_is_the_folder_it_is_started_in() {
        assert_eq!(own(&["npm", "start"], None, &[]), [""]);
        assert_eq!(own(&["npm", "start"], Some("tools/x"), &["tools/x"]), ["tools/x"]);
        assert_eq!(own(&["npx", "-y", "acme@1.0.0"], None, &[]), [""; 0]);
        assert_eq!(own(&["npx", "acme"], None, &["package-lock.json"]), ["package-lock.json"]);
        assert_eq!(own(&["npx", "acme", "/etc", "../up", "${HOME}/x"], None, &[]), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn what_may_run_anything_is_the_folder_it_is_started_in() {
        let disk = ["data/x.json", "tools/y.py", "build", "tools", ".env.local", "tools/bin/python3"];
        for words in [
            &["python3", "-m", "tools.y", "data/x.json"][..],
            &["/usr/bin/python3", "-mtools.y", "data/x.json"],
            &["tools/bin/python3", "-m", "tools.y", "data/x.json"],
            &["node", "--env-file", ".env.local", "-e", "code"],
            &["npm", "run", "build"],
            &["make", "build"],
            &["uv", "run", "serve", "data/x.json"],
            &["uvx", "x", "-m", "tools.y", "data/x.json"],
            &["docker", "compose", "run", "x", "data/x.json"],
        ] {
            assert_eq!(own(words, None, &disk), [""], "{words:?}");
        }
        for (words, expected) in [
            (&["python3", "-u", "tools/y.py", "--port", "1"][..], "tools"),
            (&["uv", "run", "tools/y.py"], "tools"),
            (&["sh", "tools/y.py", "build.json"], "tools"),
            (&["uv", "--directory", "tools", "run", "serve"], "tools"),
            (&["npx", "tsx", "tools/y.py"], "tools"),
        ] {
            assert_eq!(own(words, None, &disk), [expected], "{words:?}");
        }
        // A program from elsewhere that is no runner, and data that is not there yet.
        let program = ["/opt/x/serve.sh", "/opt/x/python3.12"];
        assert_eq!(own(&["/opt/x/serve.sh", "state.json"], None, &program), ["/opt/x"]);
        assert_eq!(own(&["/opt/x/python3.12", "state.json"], None, &program), ["", "/opt/x"]);
        assert_eq!(own(&["/opt/x/gone", "state.json"], None, &program), [""]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_installed_packages_are_followed() {
        let disk = ["tools/x.sh -> impl/x.sh", "impl/x.sh"];
        assert_eq!(own(&["sh", "tools/x.sh"], None, &disk), ["impl", "tools"]);
        let disk = ["node_modules/acme -> packages/acme", "packages/acme/package.json", "node_modules"];
        assert_eq!(own(&["npx", "-y", "acme@1.0.0"], None, &disk), ["node_modules", "packages/acme"]);
    }

    #[cfg(unix)]
    #[test]
    fn words_are_taken_apart_and_values_of_variables_are_looked_at() {
        let manifests = [".npmrc", "docker-compose.yml"];
        assert_eq!(own(&["docker", "run", "img"], None, &manifests), manifests);
        let disk = ["vol", "vol/a.js"];
        for word in ["./vol:/srv", "type=bind,src=vol,dst=/srv", "sh -c 'vol/a.js'"] {
            assert_eq!(own(&["docker", "run", "-v", word, "img"], None, &disk), ["vol"]);
        }
        let with = |value: &str| {
            let program = Template::of_settings("npx");
            let mut start = Start::new(Target::Command { program, args: vec![Template::of_settings("x")] });
            start.env.push(("PYTHONPATH".to_owned(), Template::of_settings(value)));
            of(&start, &["vol", "vol/a.js"])
        };
        assert_eq!(with("/usr/lib:./vol"), ["vol"]);
        assert_eq!(with("${ROOT}/vol;${REST}"), ["vol"]);
        assert_eq!(with("--require ./vol/a.js"), ["vol"]);
        assert_eq!(with("Bearer ${TOKEN}"), [""; 0]);
        assert_eq!(with("."), [""]);
    }

    #[cfg(unix)]
    #[test]
    fn what_was_removed_still_counts() {
        let start = Start::new(Target::Command {
            program: Template::of_settings("node"),
            args: ["tools/x/dist/a.js", "gone.js"].map(Template::of_settings).to_vec(),
        });
        let kind = |path: &Path| if path == Path::new("/p/tools/x") { Kind::Folder } else { Kind::Nothing };
        let ways = |path: &Path| vec![without_dots(path)];
        let own = own_files(&start, Path::new("/p"), &Disk { kind: &kind, ways: &ways });
        for path in ["/p/tools/x", "/p/gone.js"] {
            assert!(own.iter().any(|own| Path::new(path).starts_with(own)), "{path}: {own:?}");
        }
    }
}
