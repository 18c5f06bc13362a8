//! Which files of the repository a server is made of: what has to change for it to change without its configuration.
//! Rather too many than too few: what is named here decides what may be left out of a check.

use super::{Start, Target};
use crate::clients::{Part, Template};
use std::path::{Component, Path, PathBuf};

/// Files that say what a folder is a package of, or which versions it takes.
const MANIFESTS: [&str; 16] = [
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "pyproject.toml",
    "uv.lock",
    "requirements.txt",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "deno.json",
    "Makefile",
    "Dockerfile",
    "compose.yaml",
];

/// Programs that bring what they run along, named by a version in the arguments.
const FETCHING: [&str; 6] = ["npx", "bunx", "uvx", "pipx", "docker", "podman"];

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    File,
    Folder,
}

/// Absolute paths of files and folders. `root` is the project's folder, absolute; `kind` says what is on the disk.
pub(super) fn own_files(start: &Start, root: &Path, kind: &dyn Fn(&Path) -> Kind) -> Vec<PathBuf> {
    let exists = |path: &Path| kind(path) != Kind::Nothing;
    let Target::Command { program, args } = &start.target else { return Vec::new() };
    let folder = match &start.cwd {
        Some(cwd) => inside(root, root, &text_of(cwd)).unwrap_or_else(|| root.to_owned()),
        None => root.to_owned(),
    };
    let mut own: Vec<PathBuf> = Vec::new();
    for template in std::iter::once(program).chain(args) {
        let word = text_of(template);
        // `--directory=./server`
        let value = word.split_once('=').map(|(_, value)| value.to_owned());
        for word in [Some(word), value].into_iter().flatten() {
            own.extend(
                inside(root, &folder, &word).filter(|path| exists(path)).map(|path| package_of(&path, root, kind)),
            );
        }
    }
    let name = text_of(program);
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.trim_end_matches(".cmd").trim_end_matches(".exe");
    // `npm start`, `uv run serve`: a name in the package of the folder.
    if start.cwd.is_some() || (own.is_empty() && !FETCHING.contains(&name)) {
        own.push(folder.clone());
    }
    for place in [root, &folder] {
        own.extend(MANIFESTS.iter().map(|name| place.join(name)).filter(|path| exists(path)));
    }
    own.sort();
    own.dedup();
    own
}

/// The text without what is not known before the start; a folder of the project stands for the project's.
fn text_of(template: &Template) -> String {
    let text = |part: Part| match part {
        Part::Literal(text) => text,
        Part::Reference(_) => ".".to_owned(),
    };
    template.parts().into_iter().map(text).collect()
}

/// A word as a path in the project, if it may be one.
fn inside(root: &Path, folder: &Path, word: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    if word.is_empty() {
        return None;
    }
    if Path::new(word).is_absolute() {
        return Some(PathBuf::from(word)).filter(|path| path.starts_with(root));
    }
    for component in Path::new(word).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    path.starts_with(root).then_some(path)
}

/// The folder of the package that a file is in; without one, the file's folder, or the file itself in the project's.
fn package_of(path: &Path, root: &Path, kind: &dyn Fn(&Path) -> Kind) -> PathBuf {
    let has_manifest = |folder: &&Path| MANIFESTS.iter().any(|name| kind(&folder.join(name)) == Kind::File);
    let folders = path.ancestors().take_while(|folder| folder.starts_with(root));
    if let Some(folder) = folders.clone().find(has_manifest) {
        return folder.to_owned();
    }
    match path.parent() {
        Some(parent) if kind(path) == Kind::File && parent != root && parent.starts_with(root) => parent.to_owned(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(words: &[&str], cwd: Option<&str>, disk: &[&str]) -> Vec<String> {
        let mut words = words.iter().map(|word| Template::of_settings(word));
        let program = words.next().unwrap();
        let start = Start {
            cwd: cwd.map(Template::of_settings),
            ..Start::new(Target::Command { program, args: words.collect() })
        };
        let kind = |path: &Path| match disk.iter().find(|file| path == Path::new("/p").join(file)) {
            None => Kind::Nothing,
            Some(file) if file.contains('.') || file.contains("bin/") => Kind::File,
            Some(_) => Kind::Folder,
        };
        let relative = |path: PathBuf| path.strip_prefix("/p").unwrap().to_str().unwrap().to_owned();
        own_files(&start, Path::new("/p"), &kind).into_iter().map(relative).collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_server_is_the_package_of_the_files_it_names() {
        assert_eq!(own(&["node", "tools/x/dist/a.js"], None, &["tools/x/dist/a.js"]), ["tools/x/dist"]);
        let package = ["tools/x/dist/a.js", "tools/x/package.json"];
        assert_eq!(own(&["node", "./tools/x/dist/a.js"], None, &package), ["tools/x"]);
        assert_eq!(own(&["uv", "run", "--directory=tools/x", "serve"], None, &["tools/x"]), ["tools/x"]);
        assert_eq!(own(&["node", "a.js"], None, &["a.js"]), ["a.js"]);
        assert_eq!(own(&["node", "dist/a.js"], None, &["dist/a.js", "package.json"]), ["", "package.json"]);
        assert_eq!(own(&["/p/bin/serve"], None, &["bin/serve"]), ["bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_without_a_file_is_the_folder_it_is_started_in() {
        assert_eq!(own(&["npm", "start"], None, &[]), [""]);
        assert_eq!(own(&["npm", "start"], Some("tools/x"), &[]), ["tools/x"]);
        assert_eq!(own(&["npx", "-y", "acme@1.0.0"], None, &[]), [""; 0]);
        assert_eq!(own(&["npx", "acme"], None, &["package-lock.json"]), ["package-lock.json"]);
        assert_eq!(own(&["npx", "acme", "/etc", "../up", "${HOME}/x"], None, &[]), [""; 0]);
    }
}
