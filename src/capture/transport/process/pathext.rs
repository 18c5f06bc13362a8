//! Where Windows would find a command, pure.
//!
//! `npx`, `npm` and `yarn` are `.cmd` files there, and starting a program looks for `.exe` alone; a shell looks through
//! the endings in `PATHEXT`. Batch files that are found here are started by the standard library, which quotes their
//! arguments for `cmd.exe` and refuses those that cannot be quoted.

use std::path::{Path, PathBuf};

/// The endings of programs that can be started without an interpreter of their own, in the order of a fresh Windows.
const STARTABLE: [&str; 4] = [".COM", ".EXE", ".BAT", ".CMD"];

/// The file that a command means: the first of its places, with the first of the endings in `pathext`, that `exists`.
/// `None` where the command is to be taken as it stands, because it names its ending or nothing was found. The current
/// folder is never looked at unless the command says so.
pub(super) fn resolve(
    command: &str,
    folders: &[PathBuf],
    pathext: Option<&str>,
    exists: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let path = Path::new(command);
    let has_ending = STARTABLE.iter().any(|ending| ends_with(command, ending));
    if command.is_empty() || has_ending {
        return None;
    }
    let startable = |ending: &str| STARTABLE.iter().any(|known| known.eq_ignore_ascii_case(ending));
    let endings: Vec<&str> = match pathext.filter(|list| !list.trim().is_empty()) {
        Some(list) => list.split(';').map(str::trim).filter(|ending| startable(ending)).collect(),
        None => STARTABLE.to_vec(),
    };
    let is_place = command.contains(['/', '\\', ':']);
    let places =
        if is_place { vec![path.to_owned()] } else { folders.iter().map(|folder| folder.join(path)).collect() };
    let with = |place: &Path, ending: &str| {
        let mut name = place.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let all = places.iter().flat_map(|place| endings.iter().map(|ending| with(place, ending)));
    all.into_iter().find(|candidate| exists(candidate))
}

fn ends_with(command: &str, ending: &str) -> bool {
    let begin = command.len().checked_sub(ending.len());
    begin.and_then(|begin| command.get(begin..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(command: &str, pathext: Option<&str>, files: &[&str]) -> Option<String> {
        let folders = [PathBuf::from("/a"), PathBuf::from("/b")];
        let path = resolve(command, &folders, pathext, |path| files.iter().any(|file| path == Path::new(file)))?;
        Some(path.to_str().unwrap().to_owned())
    }

    #[test]
    fn shims_are_found_in_the_order_of_folders_and_endings() {
        let npx = ["/b/npx.CMD", "/b/npx.EXE", "/a/npx.PS1", "/a/npx"];
        assert_eq!(found("npx", Some(".COM;.EXE;.BAT;.CMD;.PS1"), &npx).as_deref(), Some("/b/npx.EXE"));
        assert_eq!(found("npx", Some(" .CMD ;.EXE"), &npx).as_deref(), Some("/b/npx.CMD"));
        assert_eq!(found("npx", None, &["/b/npx.CMD", "/a/npx.BAT"]).as_deref(), Some("/a/npx.BAT"));
        assert_eq!(found("npx", Some(""), &["/a/npx.CMD"]).as_deref(), Some("/a/npx.CMD"));
        assert_eq!(found("node18.1", None, &["/a/node18.1.EXE"]).as_deref(), Some("/a/node18.1.EXE"));
        assert_eq!(found("./bin/npx", None, &["./bin/npx.CMD", "/a/./bin/npx.CMD"]).as_deref(), Some("./bin/npx.CMD"));
    }

    #[test]
    fn everything_else_is_taken_as_it_stands() {
        for command in ["", "npx.cmd", "node.exe", "x", "ä", "é.cmd"] {
            assert_eq!(found(command, None, &["/a/npx.cmd.CMD", "/a/node.exe.EXE", "/a/x.PS1"]), None, "{command}");
        }
        assert_eq!(found("x", Some(".PS1;.JS"), &["/a/x.PS1"]), None);
    }
}
