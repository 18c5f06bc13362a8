//! A server of a project, as the commands for one server take it.

use crate::capture::Environment;
use crate::json::Object;
use crate::lock::Lock;
use crate::project::{NotKnown, Start, Startup, Surroundings};
use crate::surface::Launch;
use std::ffi::OsString;
use std::path::Path;

/// A server that a configuration describes, ready to be started.
#[derive(Debug, Clone)]
pub struct Configured {
    /// Its name in the project; raw.
    pub name: String,
    /// As the lock stores it, references included.
    pub launch: Launch,
    /// What surrounds the launch: see [`Start::record`].
    pub record: Object,
    /// The same with every reference replaced.
    pub startup: Startup,
}

impl Configured {
    /// Looks up everything that the configuration refers to.
    ///
    /// # Errors
    /// The first value that cannot be known.
    pub fn new(name: &str, start: &Start, around: &Surroundings<'_>) -> Result<Self, NotKnown> {
        let startup = start.startup(around)?;
        Ok(Self { name: name.to_owned(), launch: start.launch(), record: start.record(), startup })
    }

    /// The same where nothing is known about what it refers to: good for a comparison with a lock, and never for a start.
    pub fn unstarted(name: &str, start: &Start) -> Self {
        Self {
            name: name.to_owned(),
            launch: start.launch(),
            record: start.record(),
            startup: Startup::plain(start.launch()),
        }
    }

    /// One that a lock file of another tool describes, which records nothing of what surrounds it.
    pub fn plain(name: &str, startup: Startup) -> Self {
        Self { name: name.to_owned(), launch: startup.launch.clone(), record: Object::new(), startup }
    }

    /// Whether a lock was made of this very launch, surrounded by this.
    pub fn is_of(&self, lock: &Lock) -> bool {
        lock.surface.launch == self.launch
            && lock.surface.launch.digest().ok() == Some(lock.surface.command_digest)
            && lock.pin.warden.started_with == self.record
            && (!lock.pin.approval.approved || lock.pin.warden.settings_hold())
    }

    /// The variables that the server gets; their values are secrets.
    pub(in crate::commands) fn variables(&self) -> impl Iterator<Item = (String, OsString)> {
        self.startup.env.iter().map(|(name, value)| (name.clone(), OsString::from(value)))
    }

    /// The folder, what is taken away, and what no message may show.
    pub(in crate::commands) fn surround(&self, mut environment: Environment) -> Environment {
        for name in &self.startup.unset {
            environment = environment.without(name);
        }
        for (name, value) in &self.startup.inserted {
            environment = environment.hiding(name, value);
        }
        match self.startup.folder.as_path() {
            folder if folder == Path::new("") => environment,
            folder => environment.in_folder(folder),
        }
    }
}
