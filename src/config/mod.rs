//! `warden.toml`: what a project says about its checks (docs/config.md).
//!
//! Pure but for [`find`], which looks for the file. Nothing in it can make drift, an inconsistent lock, a missing
//! approval or a failed capture pass: it speaks of findings, which fail nothing by themselves.

mod find;
mod ignores;
mod read;
mod servers;
mod values;

pub use find::{FILE_NAME, find, leads_out};
pub use ignores::IGNORE_KEYS;
pub use read::{ConfigError, Key, MAX_BYTES, TOP_KEYS, parse};
pub use servers::{MAX_SERVERS, SERVER_KEYS, SKIP_KEYS};

/// Whether `from` can name this file: relative, with `/`, and without `..`.
pub fn names_a_file(path: &str) -> bool {
    values::file_problem(path).is_none()
}

/// The content of a `warden.toml`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// In the order of the file; no two have the same server, rule and target.
    pub ignores: Vec<Ignore>,
    /// `[servers.NAME]`, in the order of the file; names are unique.
    pub servers: Vec<Server>,
    /// The folder that holds a folder for each lock, from the folder of this file; `None`: `.warden`. Relative, without
    /// `..`.
    pub locks: Option<String>,
    /// Whether servers of clients' configuration files in the same folder belong to the project, besides those that are
    /// named here. On unless the file says `discover = false`.
    pub discover: Discover,
}

/// See [`Config::discover`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discover {
    #[default]
    On,
    Off,
}

/// One `[servers.NAME]`. All texts are raw; `${VAR}` in them is a reference, which is only looked up to start the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// Not empty.
    pub name: String,
    /// Where it stands in the file, counted from 1.
    pub line: usize,
    pub column: usize,
    pub source: ServerSource,
    /// The folder it is started in, from the folder of this file.
    pub cwd: Option<String>,
    /// Seconds for its capture.
    pub timeout: Option<f64>,
    /// Variables that it gets from the environment, by name.
    pub env: Vec<String>,
    /// The variable with a bearer token, for a server at a URL.
    pub bearer_env: Option<String>,
    /// Headers, for a server at a URL: name, and the variable with the value.
    pub header_env: Vec<(String, String)>,
    /// Its inspection file, from the folder of this file.
    pub inspection: Option<String>,
    /// Its lock, from the folder of this file; relative, without `..`.
    pub lock: Option<String>,
    pub skip: Option<Skip>,
}

/// What starts a server, or where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerSource {
    /// Not empty.
    Command(Vec<String>),
    Url(String),
    /// An entry of a client's configuration file, from the folder of this file; `entry` where its name is another.
    From {
        file: String,
        entry: Option<String>,
    },
    /// The entry of that name, in whichever file of the project it is. The rest of the table is settings for it.
    Found,
}

/// Why a server is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Not blank; raw.
    pub reason: String,
    /// The last day on which it holds (UTC), as `YYYY-MM-DD`.
    pub until: Option<String>,
}

impl Skip {
    /// As [`Ignore::is_expired`].
    pub fn is_expired(&self, today: &str) -> bool {
        is_past(self.until.as_deref(), today)
    }
}

/// Whether a last day is past. Dates of this form sort as texts.
fn is_past(last: Option<&str>, today: &str) -> bool {
    last.is_some_and(|last| today.get(..last.len()).is_none_or(|today| today > last))
}

/// One `[[ignore]]`: a finding that somebody looked at and accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignore {
    /// The server of the project that it is for, by its name there; `None`: all. Raw.
    pub server: Option<String>,
    /// Id of a rule about findings.
    pub rule: &'static str,
    /// Where: compared character by character with the target of a finding. Raw.
    pub target: String,
    /// Why; not blank. Raw.
    pub reason: String,
    /// The last day on which it holds (UTC), as `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// Where it stands in the file, counted from 1.
    pub line: usize,
}

impl Ignore {
    /// Whether it is about how a server is configured, which `warden doctor` looks at and no check.
    pub fn is_about_settings(&self) -> bool {
        self.target.starts_with("servers/")
    }

    /// Whether its last day is past. `today` is a date, or a time that begins with one, in UTC: `2026-12-24T18:00:00Z`.
    pub fn is_expired(&self, today: &str) -> bool {
        is_past(self.expires.as_deref(), today)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(expires: Option<&str>) -> Ignore {
        Ignore {
            server: None,
            rule: "WRD-CAP-SHELL",
            target: "tools/run".into(),
            reason: "reviewed".into(),
            expires: expires.map(str::to_owned),
            line: 1,
        }
    }

    #[test]
    fn an_entry_holds_through_its_last_day() {
        let ignore = until(Some("2027-01-31"));
        for (now, expired) in [
            ("2026-12-31T23:59:59Z", false),
            ("2027-01-30T00:00:00Z", false),
            ("2027-01-31T00:00:00Z", false),
            ("2027-01-31T23:59:59Z", false),
            ("2027-02-01T00:00:00Z", true),
            ("2028-01-01T00:00:00Z", true),
            ("2027-01-31", false),
            ("2027-02-01", true),
            // No date at all never keeps an entry alive.
            ("", true),
        ] {
            assert_eq!(ignore.is_expired(now), expired, "{now}");
        }
        assert!(!until(None).is_expired("9999-12-31T00:00:00Z"));
    }

    #[test]
    fn a_skip_ends_as_an_ignore_does() {
        let skip = |until: Option<&str>| Skip { reason: "no display".into(), until: until.map(str::to_owned) };
        assert!(!skip(Some("2027-01-31")).is_expired("2027-01-31T23:59:59Z"));
        assert!(skip(Some("2027-01-31")).is_expired("2027-02-01T00:00:00Z"));
        assert!(!skip(None).is_expired("9999-12-31T00:00:00Z"));
    }

    #[test]
    fn rule_and_target_have_to_be_the_same() {
        let config = Config { ignores: vec![until(None)], ..Config::default() };
        assert!(config.ignore_for("WRD-CAP-SHELL", "tools/run", None).is_some());
        for (rule, target) in [
            ("WRD-CAP-HTTP", "tools/run"),
            ("WRD-CAP-SHELL", "tools/run2"),
            ("WRD-CAP-SHELL", "tools/Run"),
            ("WRD-CAP-SHELL", "tools/"),
        ] {
            assert!(config.ignore_for(rule, target, None).is_none(), "{rule} {target}");
        }
    }

    #[test]
    fn an_entry_for_the_server_goes_before_the_one_for_all() {
        let of = |server: Option<&str>, line| Ignore { server: server.map(str::to_owned), line, ..until(None) };
        let config = Config { ignores: vec![of(None, 1), of(Some("notes"), 2)], ..Config::default() };
        let line = |config: &Config, server: Option<&str>| {
            config.ignore_for("WRD-CAP-SHELL", "tools/run", server).map(|ignore| ignore.line)
        };
        assert_eq!(line(&config, Some("notes")), Some(2));
        assert_eq!(line(&config, Some("Notes")), Some(1), "names are compared character by character");
        assert_eq!(line(&config, None), Some(1));
        let only_notes = Config { ignores: vec![of(Some("notes"), 2)], ..Config::default() };
        assert_eq!(line(&only_notes, Some("notes")), Some(2));
        assert_eq!(line(&only_notes, Some("search")), None);
        assert_eq!(line(&only_notes, None), None, "nobody says which server it is");
    }
}
