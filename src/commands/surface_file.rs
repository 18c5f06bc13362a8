//! Surface files in commands: taking one instead of a server, writing one, and finding the one that holds a lock's
//! texts.

use super::args::{ServerArgs, SourceArgs};
use super::error::{CommandError, shown_path};
use super::server::{Material, Observed, Plan};
use crate::checks;
use crate::lock::Lock;
use crate::lock::file::{FileError, check_replaceable, read_bytes, replace};
use crate::report::{Failure, Report, attach_texts, attach_whole_texts};
use crate::surface::file::{
    DEFAULT_MAX_ENTRIES, MAX_SURFACE_BYTES, MAX_SURFACE_VALUES, SurfaceFile, SurfaceFileError, is_surface_file, read,
    write,
};
use crate::surface::{Launch, Section, Surface, SurfaceError};
use crate::text::{Charset, escape};
use std::path::{Path, PathBuf};

const FORM_HINT: &str = "warden capture writes such files; a saved tools/list answer will do too";

/// The file of texts beside `warden.lock`.
const DEFAULT_NAME: &str = "warden.surface.json";

/// A surface file that was named in place of a server.
pub(super) struct Given {
    path: PathBuf,
    content: Result<SurfaceFile, SurfaceError>,
}

impl Given {
    /// The file that the arguments name, if any.
    ///
    /// # Errors
    /// As [`Given::load`].
    pub fn of(source: &SourceArgs, server: &ServerArgs) -> Result<Option<Self>, CommandError> {
        source.surface.as_deref().map(|path| Self::load(path, server.limits.max_items)).transpose()
    }

    /// Reads the file; `max_items` as for a server.
    ///
    /// # Errors
    /// It cannot be read, or is no surface file. That its entries cannot be pinned shows later, as with a server.
    pub fn load(path: &Path, max_items: u32) -> Result<Self, CommandError> {
        let shown = shown_path(path);
        let bytes = read_bytes(path, MAX_SURFACE_BYTES)
            .map_err(|error| CommandError::file(format!("{shown} could not be read"), error.to_string()))?;
        let content = match read(&bytes, max_items as usize) {
            Ok(file) => Ok(file),
            Err(SurfaceFileError::Surface(error)) => Err(error),
            Err(error) => {
                let cause = escape(&error.to_string(), Charset::Unicode);
                let invalid = CommandError::file(format!("{shown} is not a surface that can be used"), cause);
                return Err(invalid.hint(FORM_HINT));
            }
        };
        Ok(Self { path: path.to_owned(), content })
    }

    /// The path as the user gave it; raw.
    pub fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The launch to go by: the one in the file, or the one that was given for a file that has none.
    ///
    /// # Errors
    /// Both are there, and they differ.
    pub fn launch(&self, given: Option<Launch>) -> Result<Option<Launch>, CommandError> {
        let own = self.content.as_ref().ok().and_then(|file| file.launch.clone());
        match (own, given) {
            (Some(own), Some(given)) if own != given => Err(CommandError::usage(format!(
                "{} was captured from another launch than the one that is given",
                shown_path(&self.path)
            ))
            .hint("leave the command out: the file says how the server was started")),
            (own, given) => Ok(own.or(given)),
        }
    }

    /// The surface, hashed and looked at as if it had just been captured.
    ///
    /// # Errors
    /// What a capture of it would have been refused for.
    pub fn observe(self, plan: &Plan) -> Result<Observed, Box<Failure>> {
        let file = self.content.map_err(|error| Box::new(surface_failure(&error)))?;
        if let Some(section) = file.missing.difference(&plan.allow_missing).next() {
            return Err(Box::new(missing_failure(*section)));
        }
        let unlisted: Vec<&str> = file.unlisted.iter().map(|section| section.key()).collect();
        let path = shown_path(&self.path);
        let note = match unlisted.as_slice() {
            [] => None,
            [one] => Some(format!("{path} says nothing about {one}: they count as empty")),
            more => Some(format!("{path} says nothing about {}: they count as empty", more.join(" and "))),
        };
        plan.take(Material {
            surface: file.surface,
            raw: file.raw,
            missing: file.missing,
            warnings: note.into_iter().collect(),
            closing: None,
        })
    }
}

fn surface_failure(error: &SurfaceError) -> Failure {
    Failure {
        code: "E-SURFACE".to_owned(),
        stage: "surface".to_owned(),
        message: format!("the surface cannot be pinned: {error}"),
        hint: Some("The server has to correct the entry.".to_owned()),
        ..Failure::default()
    }
}

fn missing_failure(section: Section) -> Failure {
    let key = section.key();
    Failure {
        code: "E-SERVER-ERROR".to_owned(),
        stage: format!("{key}/list page 1"),
        message: format!("the server declares {key} and answered {key}/list with \"method not found\""),
        hint: Some(format!("--allow-missing {key} lets that pass, on the record.")),
        ..Failure::default()
    }
}

/// A place where a surface file may be written, looked at before anything is started for it.
pub(super) struct Place {
    path: PathBuf,
    /// What stands there already.
    old: Option<Vec<u8>>,
}

impl Place {
    /// Looks at the place. With `force` a file that is no surface file may be replaced.
    ///
    /// # Errors
    /// A link, a folder, or a file that is something else stands there.
    pub fn look(path: &Path, force: bool) -> Result<Self, CommandError> {
        let unwritable = |error: &FileError| unwritable(path, error);
        check_replaceable(path).map_err(|error| unwritable(&error))?;
        let old = match read_bytes(path, MAX_SURFACE_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(FileError::NotFound) => None,
            Err(_) if force => None,
            Err(error) => return Err(unwritable(&error)),
        };
        if let Some(bytes) = &old
            && !force
            && !is_surface_file(bytes)
        {
            return Err(CommandError::file(
                format!("{} is there already, and it is no surface file", shown_path(path)),
                "it was left as it is",
            )
            .hint("name another file, or replace this one with --force"));
        }
        Ok(Self { path: path.to_owned(), old })
    }

    /// A place in a folder that is not there yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path, old: None }
    }

    /// The path as the user gave it; raw.
    pub fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The texts of the lock that was there, from this file or from beside the lock.
    pub fn old_texts(&self, lock_path: &Path, lock: &Lock) -> Option<Box<Surface>> {
        match OldTexts::look(&self.path, lock) {
            OldTexts::Known(texts) => Some(texts),
            _ => match OldTexts::find(lock_path, lock) {
                OldTexts::Known(texts) => Some(texts),
                _ => None,
            },
        }
    }

    /// Writes the file, whole or not at all. One that says the same already is left as it is.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, text: &str) -> Result<(), CommandError> {
        if self.old.as_deref() == Some(text.as_bytes()) {
            return Ok(());
        }
        let _held = crate::capture::interrupt::hold();
        replace(&self.path, text.as_bytes()).map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &FileError) -> CommandError {
    CommandError::file(format!("{} cannot be written", shown_path(path)), error.to_string())
}

/// The document that keeps what was observed.
///
/// # Errors
/// It would be larger than a reader accepts: a server may have been allowed to say more than usual.
pub(super) fn document(plan: &Plan, observed: &Observed) -> Result<String, CommandError> {
    let text = write(Some(&plan.launch), &observed.surface.about.protocol_version, &observed.raw);
    if text.len() > MAX_SURFACE_BYTES {
        let limit = MAX_SURFACE_BYTES >> 20;
        let problem = format!("what the server declares is larger than the {limit} MiB of a surface file");
        return Err(CommandError::usage(problem));
    }
    // Two bytes are the least that a value takes, so most need no look.
    let within = text.len() / 2 <= MAX_SURFACE_VALUES || is_surface_file(text.as_bytes());
    within.then_some(text).ok_or_else(|| {
        CommandError::usage(format!(
            "what the server declares has more than the {MAX_SURFACE_VALUES} JSON values of a surface file"
        ))
    })
}

/// Refuses to write a launch that holds a secret: the file has to have it word for word, because the identity of a
/// server is hashed over it.
///
/// # Errors
/// It holds one.
pub(super) fn refuse_secret_launch(launch: &Launch) -> Result<(), CommandError> {
    if !checks::argv_holds_secret(&launch.words()) {
        return Ok(());
    }
    Err(CommandError::usage("the launch holds a secret, which a surface file would store word for word")
        .hint("pass it through the environment instead: --env NAME"))
}

/// Where a lock's texts are kept: `warden.surface.json` beside `warden.lock`, `NAME.surface.json` beside `NAME.lock`.
pub(super) fn beside(lock_path: &Path) -> PathBuf {
    lock_path.with_extension("surface.json")
}

/// The texts of a lock.
pub(super) enum OldTexts {
    /// Nobody kept them.
    Unknown,
    /// There is a file, but it is of no use; why is escaped already.
    Unusable(String),
    Known(Box<Surface>),
}

impl OldTexts {
    /// Looks beside the lock. A file counts only if the lock's hashes come out of it.
    pub fn find(lock_path: &Path, lock: &Lock) -> Self {
        let own = beside(lock_path);
        match Self::look(&own, lock) {
            // Other locks may stand in the same folder, and that name belongs to one of them.
            Self::Unknown => match Self::look(&lock_path.with_file_name(DEFAULT_NAME), lock) {
                Self::Unusable(_) if own.file_name() != Some(DEFAULT_NAME.as_ref()) => Self::Unknown,
                found => found,
            },
            found => found,
        }
    }

    /// Looks at one file.
    pub fn look(place: &Path, lock: &Lock) -> Self {
        let shown = shown_path(place);
        // A lock of more entries than usual was pinned with a raised limit.
        let counts = Section::ALL.into_iter().map(|section| lock.surface.count(section));
        let most = counts.fold(DEFAULT_MAX_ENTRIES, usize::max);
        Self::Unusable(match read_bytes(place, MAX_SURFACE_BYTES).map(|bytes| read(&bytes, most)) {
            Err(FileError::NotFound) => return Self::Unknown,
            Ok(Ok(file)) if lock.is_reproduced_by(&file.surface) => return Self::Known(Box::new(file.surface)),
            Ok(Ok(_)) => format!("{shown} is of another surface: the hashes of the lock do not come out of it"),
            Ok(Err(error)) => {
                format!("{shown} is not a surface that can be used: {}", escape(&error.to_string(), Charset::Unicode))
            }
            Err(error) => format!("{shown} could not be read: {error}"),
        })
    }
}

/// Adds to a report what changed entries said before and say now, and says where the old texts could come from; of the
/// target `whole` with nothing shortened. Gives whether somebody keeps the texts of this lock in a file.
pub(super) fn tell_texts(
    report: &mut Report,
    lock_path: &Path,
    lock: &Lock,
    now: &Surface,
    whole: Option<&str>,
) -> bool {
    let is_told = |class: &str| class.ends_with("-added") || class.ends_with("-removed");
    let lacks_text = report.blocks.iter().any(|block| !block.fields.is_empty());
    if !lacks_text && !report.blocks.iter().any(|block| block.items.iter().any(|item| is_told(&item.class))) {
        return false;
    }
    let old = OldTexts::find(lock_path, lock);
    let is_kept = !matches!(old, OldTexts::Unknown);
    let before = match &old {
        OldTexts::Known(surface) => Some(&**surface),
        _ => None,
    };
    let level = lock.surface.level;
    let whole = report.blocks.iter().position(|block| Some(block.target.as_str()) == whole);
    let (others, rest) = report.blocks.split_at_mut(whole.unwrap_or(0));
    let (one, rest) = rest.split_at_mut(usize::from(whole.is_some()));
    attach_whole_texts(one, level, before, Some(now));
    attach_texts(others, level, before, Some(now));
    attach_texts(rest, level, before, Some(now));
    match old {
        OldTexts::Known(_) => {}
        OldTexts::Unusable(why) => {
            report.notes.push(format!("{why}. The old texts are unknown; warden pin --save-surface writes it anew"));
        }
        OldTexts::Unknown if lacks_text => report.notes.push(
            "the old texts are unknown, because a lock holds only their hashes: warden pin --save-surface keeps them \
             beside the lock from then on"
                .to_owned(),
        ),
        OldTexts::Unknown => {}
    }
    is_kept
}
