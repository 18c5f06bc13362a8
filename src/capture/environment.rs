//! Which environment variables a server gets, pure: the ambient ones are handed in as data.
//!
//! A server started with everything in our environment would see secrets that are none of its business, and its
//! surface would depend on the machine. So it gets a small fixed set and what the user names (SPEC.md §15).

use super::redact::Redactor;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a server gets without being asked: enough to find programs and a home.
#[cfg(not(windows))]
pub const DEFAULT_VARIABLES: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
/// What a server gets without being asked: enough to find programs and a home.
#[cfg(windows)]
pub const DEFAULT_VARIABLES: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
];

/// The environment of a server: its variables and its working directory.
#[derive(Clone, Default)]
pub struct Environment {
    ambient: Vec<(OsString, OsString)>,
    overrides: Vec<(OsString, OsString)>,
    explicit: Vec<(OsString, OsString)>,
    /// Values that stand in the launch, for messages only.
    inserted: Vec<(String, String)>,
    removed: Vec<OsString>,
    inherit: bool,
    folder: Option<PathBuf>,
}

impl Environment {
    /// The default policy over the variables of this process, as `std::env::vars_os` gives them.
    pub fn new(ambient: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self { ambient: ambient.into_iter().collect(), ..Self::default() }
    }

    /// Hands one more variable to the server. Its value is treated as a secret in every message.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.explicit.push((name.into(), value.into()));
        self
    }

    /// Sets a variable for reasons of our own. It wins over an ambient one and yields to one that the user handed over;
    /// the value is no secret.
    #[must_use]
    pub fn with_override(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.overrides.push((name.into(), value.into()));
        self
    }

    /// Takes an ambient variable away.
    #[must_use]
    pub fn without(mut self, name: impl Into<OsString>) -> Self {
        self.removed.push(name.into());
        self
    }

    /// Treats a value that stands in the launch as a secret in every message; `name` is the variable it came from.
    #[must_use]
    pub fn hiding(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.inserted.push((name.into(), value.into()));
        self
    }

    /// Starts the server in this folder instead of ours.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// The folder to start the server in, where it is not ours.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The values that were handed over with [`Environment::with`].
    pub(super) fn explicit_values(&self) -> impl Iterator<Item = &OsStr> {
        self.explicit.iter().map(|(_, value)| value.as_os_str())
    }

    /// Hands the whole ambient environment to the server.
    #[must_use]
    pub fn inherit_all(mut self) -> Self {
        self.inherit = true;
        self
    }

    /// Name and value of every variable that the server gets; an explicit one wins over an override, and that one over
    /// an ambient one.
    pub fn variables(&self) -> BTreeMap<&OsStr, &OsStr> {
        let passed = |name: &OsStr| self.inherit || DEFAULT_VARIABLES.iter().any(|default| same_name(name, default));
        let ambient = self.ambient.iter().filter(|(name, _)| passed(name) && !self.removed.contains(name));
        ambient
            .chain(&self.overrides)
            .chain(&self.explicit)
            .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
            .collect()
    }

    /// Replaces the explicit values in texts.
    pub fn redactor(&self) -> Redactor {
        let texts: Vec<_> = self
            .explicit
            .iter()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .collect();
        Redactor::new(texts.iter().chain(&self.inserted).map(|(name, value)| (name.as_str(), value.as_str())))
    }
}

/// Names only: the values are nobody's business, not even a debug print's.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Environment").field("names", &self.variables().keys()).field("inherit", &self.inherit).finish()
    }
}

#[cfg(not(windows))]
fn same_name(name: &OsStr, default: &str) -> bool {
    name == default
}

#[cfg(windows)]
fn same_name(name: &OsStr, default: &str) -> bool {
    name.eq_ignore_ascii_case(default)
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn only_the_fixed_set_and_what_was_named_is_passed_on() {
        let ambient = [("PATH", "/bin"), ("HOME", "/h"), ("AWS_SECRET_ACCESS_KEY", "k"), ("LANG", "de")];
        let environment =
            Environment::new(ambient.map(|(n, v)| (n.into(), v.into()))).with("HOME", "/x").with("K", "v");
        let names = |environment: &Environment| -> Vec<String> {
            let pair = |(n, v): (&OsStr, &OsStr)| format!("{}={}", n.to_string_lossy(), v.to_string_lossy());
            environment.variables().into_iter().map(pair).collect()
        };
        assert_eq!(names(&environment), ["HOME=/x", "K=v", "PATH=/bin"]);
        let all = environment.inherit_all();
        assert_eq!(names(&all), ["AWS_SECRET_ACCESS_KEY=k", "HOME=/x", "K=v", "LANG=de", "PATH=/bin"]);
        assert!(!format!("{all:?}").contains("/bin"));
    }

    #[test]
    fn an_override_is_no_secret_and_yields_to_what_the_user_says() {
        let environment = Environment::new([("HOME".into(), "/h".into())])
            .with("TZ", "Etc/Users-Own")
            .with_override("HOME", "/elsewhere")
            .with_override("TZ", "UTC");
        let variables = environment.variables();
        assert_eq!(variables[OsStr::new("HOME")], "/elsewhere");
        assert_eq!(variables[OsStr::new("TZ")], "Etc/Users-Own");
        assert_eq!(environment.redactor().redact("/elsewhere Etc/Users-Own"), "/elsewhere [value of TZ]");
    }
}
