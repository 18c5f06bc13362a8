//! Surface files: the form, plain dumps, hostile texts, and the commands that read and write them.

#[cfg(unix)]
mod commands;
mod dumps;
mod form;
mod hostile;
#[cfg(unix)]
mod texts;

use warden::json::{Object, Value};
use warden::surface::file::{DEFAULT_MAX_ENTRIES, SurfaceFile, read};

fn file(text: &str) -> SurfaceFile {
    read(text.as_bytes(), DEFAULT_MAX_ENTRIES).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn refused(text: impl AsRef<[u8]>) -> String {
    match read(text.as_ref(), DEFAULT_MAX_ENTRIES) {
        Ok(file) => panic!("read as {file:?}"),
        Err(error) => error.to_string(),
    }
}

fn names(file: &SurfaceFile) -> Vec<&str> {
    file.surface.tools.iter().map(|tool| tool.name()).collect()
}

/// A member of the first tool.
fn member<'f>(file: &'f SurfaceFile, name: &str) -> Option<&'f Value> {
    let raw: &Object = file.surface.tools[0].raw();
    raw.get(name)
}
