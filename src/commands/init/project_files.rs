//! Which files are written, which are left as they are, and what somebody has to add by hand. Looks at the disk through
//! what it is handed.

use super::ci_files::{self, GITHUB_PATH, GITLAB_PATH, HOOKS_PATH, PLACEHOLDER};
use super::draft::Draft;
use super::forge::{Forge, Signs};
use crate::commands::CommandError;
use crate::config::FILE_NAME;
use crate::project::{LOCKS, Project};
use crate::text::{Charset, escape};
use std::path::Path;

/// The disk, as far as it matters here. Paths are from the project's folder, with `/`.
pub struct Disk<'a> {
    /// What stands there; the first is the project's folder, absolute and without links.
    pub look: &'a dyn Fn(&Path, &str) -> Standing,
}

/// What stands at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Nothing, and a file can be made there.
    Free,
    /// Something; its text where it is a file that can be read.
    Taken(Option<String>),
    /// No file of the project can be made there, and why; escaped.
    Barred(String),
}

/// A file to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// From the project's folder, with `/`.
    pub path: &'static str,
    pub text: String,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    Done,
    /// Somebody was faster.
    Taken,
    /// Escaped.
    Failed(String),
}

/// Lines to add to a file that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    pub path: &'static str,
    pub text: String,
}

/// A file and what is to be done about it.
struct Wanted {
    path: &'static str,
    standing: Standing,
    /// The whole file.
    text: String,
    /// What to add to one that is there; empty: nothing.
    lines: String,
    /// What an existing file holds that has it already.
    sign: &'static str,
}

/// All of them, in the order in which they are written.
pub(super) struct Files {
    wanted: Vec<Wanted>,
    forge: Forge,
}

/// What was done.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub written: Vec<&'static str>,
    /// With words to end a sentence.
    pub left: Vec<(&'static str, &'static str)>,
    pub failed: Vec<(&'static str, String)>,
    pub additions: Vec<Addition>,
    pub notes: Vec<String>,
}

impl Files {
    /// Looks at every place before anything is started.
    ///
    /// # Errors
    /// A place that leads out of the project, or where no file can be made.
    pub fn plan(
        project: &Project,
        drafts: &[Draft],
        forge: Option<Forge>,
        disk: &Disk<'_>,
    ) -> Result<Self, CommandError> {
        let look = |path: &str| (disk.look)(&project.root, path);
        let locks = format!("{}/warden.lock", project.config.locks.as_deref().unwrap_or(LOCKS));
        if let (Standing::Barred(why), false) = (look(&locks), drafts.is_empty()) {
            return Err(barred(&locks, &why));
        }
        let forge = forge.unwrap_or_else(|| recognised(&look));
        let mut paths = vec![FILE_NAME];
        match forge {
            Forge::Github => paths.push(GITHUB_PATH),
            Forge::Gitlab => paths.push(GITLAB_PATH),
            Forge::None => {}
        }
        paths.push(HOOKS_PATH);
        let mut wanted = Vec::new();
        for path in paths {
            let standing = look(path);
            if let Standing::Barred(why) = &standing {
                return Err(barred(path, why));
            }
            wanted.push(Wanted { path, standing, text: String::new(), lines: String::new(), sign: "" });
        }
        Ok(Self { wanted, forge })
    }

    /// Names of the files that are going to be written.
    pub fn names(&self) -> Vec<&'static str> {
        self.wanted.iter().filter(|wanted| wanted.standing == Standing::Free).map(|wanted| wanted.path).collect()
    }

    /// Says what stands in them. `tables` are for a `warden.toml` that is there.
    pub fn with_texts(mut self, settings: String, tables: String, variables: &[String]) -> Self {
        for wanted in &mut self.wanted {
            (wanted.text, wanted.lines, wanted.sign) = match wanted.path {
                FILE_NAME => (settings.clone(), tables.clone(), "[servers."),
                GITHUB_PATH => (ci_files::github(variables), String::new(), ""),
                GITLAB_PATH => (ci_files::gitlab().to_owned(), ci_files::gitlab().to_owned(), "check --all"),
                _ => (ci_files::hooks(), ci_files::hook_lines().to_owned(), "warden"),
            };
        }
        self
    }

    /// Writes what can be written.
    pub fn write(self, write: &mut dyn FnMut(&NewFile) -> Written) -> Outcome {
        let mut outcome = Outcome::default();
        let mut has_placeholder = Vec::new();
        for wanted in self.wanted {
            let Wanted { path, standing, text, lines, sign } = wanted;
            let has_it = matches!(&standing, Standing::Taken(Some(there)) if !sign.is_empty() && there.contains(sign));
            if standing == Standing::Free && !text.is_empty() {
                let file = NewFile { path, text };
                match write(&file) {
                    Written::Done => {
                        outcome.written.push(path);
                        if file.text.contains(PLACEHOLDER) {
                            has_placeholder.push(path);
                        }
                        continue;
                    }
                    Written::Failed(why) => {
                        outcome.failed.push((path, why));
                        continue;
                    }
                    Written::Taken => {}
                }
            }
            if lines.is_empty() || has_it {
                outcome.left.push((path, ""));
            } else {
                outcome.left.push((path, added_by_hand(path)));
                outcome.additions.push(Addition { path, text: lines });
            }
        }
        for path in has_placeholder {
            let path = escape(path, Charset::Unicode);
            outcome
                .notes
                .push(format!("{path}: fill in where warden is, in the place of {PLACEHOLDER} and what is before it"));
        }
        if self.forge == Forge::None {
            let note =
                "no workflow was written: the forge is not one that is known; docs/ci.md has the commands for any";
            outcome.notes.push(note.to_owned());
        }
        outcome
    }
}

/// Where the lines to add are found by whoever does not see them printed.
fn added_by_hand(path: &str) -> &'static str {
    match path {
        FILE_NAME => ": add a table for each server, [servers.NAME] (docs/config.md)",
        GITLAB_PATH => ": add the job of docs/ci.md for all servers of a project",
        _ => ": add the hooks of docs/ci.md",
    }
}

fn recognised(look: &dyn Fn(&str) -> Standing) -> Forge {
    let git_config = match look(".git/config") {
        Standing::Taken(text) => text,
        Standing::Free | Standing::Barred(_) => None,
    };
    let is_there = |path: &str| matches!(look(path), Standing::Taken(_));
    Forge::recognise(&Signs {
        git_config: git_config.as_deref(),
        has_github_folder: is_there(".github"),
        has_gitlab_file: is_there(GITLAB_PATH),
    })
}

fn barred(path: &str, why: &str) -> CommandError {
    let path = escape(path, Charset::Unicode);
    CommandError::file(format!("{path} cannot be written, and nothing was started"), why)
}
