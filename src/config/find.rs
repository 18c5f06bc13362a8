//! Where `warden.toml` is. The one file of this room that looks at a disk.
//!
//! The search goes from the lock's folder upward to the root of the repository. A folder that somebody else can write to
//! must not decide what is accepted, so it ends where a folder belongs to another user or is open to all (`/tmp`).

use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE_NAME: &str = "warden.toml";

/// Folders that are looked at.
const MAX_FOLDERS: usize = 64;

/// The file for a lock in `folder`: there or in a folder above it, up to the one that has `.git`. The root of the file
/// system and `home` are searched only where the lock is in them. The path begins with `folder` as it was given where
/// the file stands beside the lock; otherwise it is absolute, without links.
///
/// What stands there may still be anything: a link, a folder, a file of any size.
pub fn find(folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let beside = folder.join(FILE_NAME);
    if exists(&beside) {
        return Some(beside);
    }
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let here = fs::canonicalize(here).ok()?;
    let home = home.and_then(|home| fs::canonicalize(home).ok());
    let owner = owner(&here);
    let mut current = here.as_path();
    for _ in 0..MAX_FOLDERS {
        if exists(&current.join(".git")) || Some(current) == home.as_deref() {
            return None;
        }
        current = current.parent()?;
        let is_end = current.parent().is_none() || Some(current) == home.as_deref();
        if is_end || self::owner(current) != owner || is_open_to_all(current) {
            return None;
        }
        let candidate = current.join(FILE_NAME);
        if exists(&candidate) {
            return Some(candidate).filter(|file| self::owner(file) == owner);
        }
    }
    None
}

/// Whether a file that was found is a link to a file outside of the repository that its folder is in; without a
/// repository, outside of that folder. Whoever clones a project gets the link, and not what stands behind it.
///
/// A link to nothing leads nowhere: reading it will say so.
pub fn leads_out(path: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Ok(folder), Ok(target)) = (fs::canonicalize(folder), fs::canonicalize(path)) else { return false };
    let repository = folder.ancestors().find(|above| exists(&above.join(".git"))).unwrap_or(&folder);
    !target.starts_with(repository)
}

/// Whether anything has this name, a broken link included.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(unix)]
fn owner(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(path).ok().map(|metadata| metadata.uid())
}

#[cfg(unix)]
fn is_open_to_all(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn owner(_: &Path) -> Option<u32> {
    None
}

#[cfg(not(unix))]
fn is_open_to_all(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary folder `outer/repo/deep/down`, with `.git` in `repo`.
    fn folders() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::TempDir::new().unwrap();
        let outer = folder.path().canonicalize().unwrap().join("outer");
        let deep = outer.join("repo/deep/down");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(outer.join("repo/.git")).unwrap();
        (folder, outer, deep)
    }

    #[test]
    fn the_nearest_file_up_to_the_repository_counts() {
        let (_folder, outer, deep) = folders();
        fs::write(outer.join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep, None), None, "beyond the repository");
        fs::write(outer.join("repo").join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep, None), Some(outer.join("repo").join(FILE_NAME)));
        fs::write(deep.join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep, None), Some(deep.join(FILE_NAME)));
        assert_eq!(find(&deep.join("missing"), None), None);
    }

    #[test]
    fn home_is_for_locks_in_it_only() {
        let (_folder, outer, deep) = folders();
        fs::remove_dir(outer.join("repo/.git")).unwrap();
        fs::write(outer.join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep, Some(&outer)), None);
        assert_eq!(find(&outer, Some(&outer)), Some(outer.join(FILE_NAME)));
        assert_eq!(find(&deep, None), Some(outer.join(FILE_NAME)));
        // A lock in the home itself does not look above it.
        assert_eq!(find(&deep, Some(&deep)), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_may_lead_to_a_file_of_the_same_repository_only() {
        use std::os::unix::fs::symlink;
        let (_folder, outer, deep) = folders();
        let repo = outer.join("repo");
        fs::write(outer.join("other.toml"), "").unwrap();
        fs::write(repo.join("common.toml"), "").unwrap();
        let link = deep.join(FILE_NAME);
        for (target, out) in [
            (repo.join("common.toml"), false),
            (PathBuf::from("../../common.toml"), false),
            (PathBuf::from("../../../other.toml"), true),
            (outer.join("other.toml"), true),
            (PathBuf::from("nowhere"), false),
        ] {
            symlink(&target, &link).unwrap();
            assert_eq!(leads_out(&link), out, "{target:?}");
            fs::remove_file(&link).unwrap();
        }
        // By way of a folder, too.
        symlink(&outer, repo.join("up")).unwrap();
        symlink("../../up/other.toml", &link).unwrap();
        assert!(leads_out(&link));
        fs::remove_file(&link).unwrap();
        fs::write(&link, "").unwrap();
        assert!(!leads_out(&link));
        // Without a repository, the folder is all there is.
        fs::remove_dir(repo.join(".git")).unwrap();
        fs::remove_file(&link).unwrap();
        symlink(repo.join("common.toml"), &link).unwrap();
        assert!(leads_out(&link));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_anybody_can_write_to_decides_nothing() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, outer, deep) = folders();
        fs::remove_dir(outer.join("repo/.git")).unwrap();
        fs::write(outer.join(FILE_NAME), "").unwrap();
        fs::set_permissions(&outer, fs::Permissions::from_mode(0o1777)).unwrap();
        assert_eq!(find(&deep, None), None);
        // A broken link is something that is there: reading it will say so.
        std::os::unix::fs::symlink("nowhere", outer.join("repo").join(FILE_NAME)).unwrap();
        assert_eq!(find(&deep, None), Some(outer.join("repo").join(FILE_NAME)));
    }
}
