//! `[servers.NAME]`: the servers of a project, and settings for those of its clients' configuration files.

use super::read::{ConfigError, Key, Reader, Table, Value, optional, quoted, required};
use super::values::{
    file_problem, folder_problem, is_header_name, lock_problem, normalized, url_problem, variable_problem,
};
use super::{Server, ServerSource, Skip};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use toml::de::DeValue;

/// Servers that one file may have.
pub const MAX_SERVERS: usize = 1_000;

/// The longest time for a capture, in seconds: a day, as on the command line.
const MAX_TIMEOUT: f64 = 86_400.0;

/// What may stand in a `[servers.NAME]`.
pub const SERVER_KEYS: [Key; 12] = [
    optional("command"),
    optional("url"),
    optional("from"),
    optional("entry"),
    optional("cwd"),
    optional("timeout"),
    optional("env"),
    optional("bearer-env"),
    optional("header-env"),
    optional("inspection"),
    optional("lock"),
    optional("skip"),
];

/// What may stand in its `skip`.
pub const SKIP_KEYS: [Key; 2] = [required("reason"), optional("until")];

/// Members that clients' files have, and what is written here instead.
const OTHER_WORDS: [(&str, &str); 5] = [
    ("args", "the arguments belong to the same list as the program: command = [\"PROGRAM\", \"ARGUMENT\"]"),
    ("headers", "name the variable that holds the value: header-env = { \"X-Name\" = \"VARIABLE\" }"),
    ("disabled", "to leave a server out, say why: skip = { reason = \"...\" }"),
    ("enabled", "to leave a server out, say why: skip = { reason = \"...\" }"),
    ("type", "a `command` or a `url` says it all: leave `type` out"),
];

impl Reader<'_> {
    pub(super) fn servers(&self, table: &Table<'_>) -> Result<Vec<Server>, ConfigError> {
        let Some(value) = table.get("servers") else { return Ok(Vec::new()) };
        let DeValue::Table(named) = value.get_ref() else {
            return Err(self.error(value.span(), "`servers` is a table of servers by name: write [servers.NAME]"));
        };
        // The parser sorts by name; errors and reports follow the file.
        let mut entries: Vec<_> = named.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        if let Some((name, _)) = entries.get(MAX_SERVERS) {
            return Err(self.error(name.span(), format!("more than {MAX_SERVERS} servers")));
        }
        let (mut servers, mut locks) = (Vec::new(), HashMap::new());
        for (name, value) in entries {
            let DeValue::Table(members) = value.get_ref() else {
                let error = self.error(name.span(), format!("{} is a server, and so a table", quoted(name.get_ref())));
                return Err(error.hint("a server has a name: write [servers.NAME] above its members"));
            };
            let server = self.server(name.get_ref(), name.span(), members)?;
            if let (Some(lock), Some(value)) = (&server.lock, members.get("lock")) {
                let line = self.line(value.span().start);
                if let Some(first) = locks.insert(normalized(lock), line) {
                    let cause = format!("line {first} gives the same lock to another server");
                    return Err(self.error(value.span(), cause));
                }
            }
            servers.push(server);
        }
        Ok(servers)
    }

    fn server(&self, name: &str, at: Range<usize>, table: &Table<'_>) -> Result<Server, ConfigError> {
        if name.is_empty() {
            return Err(self.error(at, "the name of a server is empty"));
        }
        self.known(table, &SERVER_KEYS, &format!("server {}", quoted(name)), &OTHER_WORDS)?;
        let source = self.source(table)?;
        match source {
            ServerSource::Command(_) => {
                self.none_of(table, &["bearer-env", "header-env"], "`command`: a program gets no headers")?;
            }
            ServerSource::Url(_) => {
                self.none_of(table, &["env", "cwd"], "`url`: such a server is not started here")?;
            }
            ServerSource::From { .. } | ServerSource::Found => {}
        }
        let (line, column) = self.place(at.start);
        let path = |name, problem| self.path(table, name, problem).map(|path| path.map(|(path, _)| path.to_owned()));
        let bearer_env = match self.maybe_text(table, "bearer-env")? {
            Some((variable, at)) => Some(self.variable(variable, at)?),
            None => None,
        };
        Ok(Server {
            name: name.to_owned(),
            line,
            column,
            cwd: path("cwd", folder_problem)?,
            timeout: self.timeout(table)?,
            env: self.env(table)?,
            header_env: self.header_env(table, bearer_env.is_some())?,
            bearer_env,
            inspection: path("inspection", file_problem)?,
            lock: path("lock", lock_problem)?,
            skip: self.skip(table)?,
            source,
        })
    }

    fn source(&self, table: &Table<'_>) -> Result<ServerSource, ConfigError> {
        let mut given: Vec<(&str, Range<usize>)> = ["command", "url", "from"]
            .into_iter()
            .filter_map(|name| table.get_key_value(name).map(|(key, _)| (name, key.span())))
            .collect();
        given.sort_by_key(|(_, at)| at.start);
        if let [(first, _), (second, at), ..] = given.as_slice() {
            let cause = format!("a server has one of `command`, `url` and `from`, and this one has `{first}` already");
            return Err(self.error(at.clone(), cause).hint(format!("leave `{first}` or `{second}` out")));
        }
        let entry = self.maybe_text(table, "entry")?;
        if let Some((key, _)) = table.get_key_value("entry").filter(|_| !table.contains_key("from")) {
            let error = self.error(key.span(), "`entry` goes with `from` only: it is a name in that file");
            return Err(error.hint("name the file: from = \".mcp.json\""));
        }
        if let Some((_, at)) = entry.clone().filter(|(name, _)| name.is_empty()) {
            return Err(self.error(at, "`entry` is empty"));
        }
        if let Some(value) = table.get("command") {
            return self.command(value).map(ServerSource::Command);
        }
        if let Some((url, at)) = self.maybe_text(table, "url")? {
            return match url_problem(url) {
                None => Ok(ServerSource::Url(url.to_owned())),
                Some(problem) => Err(self.error(at, format!("`url` cannot be used: {problem}"))),
            };
        }
        Ok(match self.path(table, "from", file_problem)? {
            Some((file, _)) => {
                ServerSource::From { file: file.to_owned(), entry: entry.map(|(name, _)| name.to_owned()) }
            }
            None => ServerSource::Found,
        })
    }

    /// A list of words. They are not shown: any of them may be a secret.
    fn command(&self, value: &Value<'_>) -> Result<Vec<String>, ConfigError> {
        let split = "write each word as a text of its own: command = [\"npx\", \"-y\", \"PACKAGE@VERSION\"]";
        let words = self.texts("command", "a list of words", value).map_err(|error| error.hint(split))?;
        let Some((program, program_at)) = words.first() else {
            return Err(self.error(value.span(), "`command` is empty: its first word is the program").hint(split));
        };
        if program.trim().is_empty() {
            return Err(self.error(program_at.clone(), "the first word of `command` is the program, and it is blank"));
        }
        if let Some((_, at)) = words.iter().find(|(word, _)| word.contains('\0')) {
            return Err(self.error(at.clone(), "a word of `command` has a NUL character"));
        }
        Ok(words.into_iter().map(|(word, _)| word.to_owned()).collect())
    }

    fn env(&self, table: &Table<'_>) -> Result<Vec<String>, ConfigError> {
        let Some(value) = table.get("env") else { return Ok(Vec::new()) };
        let shape = "values do not belong in this file: name the variables, env = [\"NAME\"]";
        let names = self.texts("env", "a list of names of variables", value).map_err(|error| error.hint(shape))?;
        let mut env: Vec<String> = Vec::with_capacity(names.len());
        let mut seen = HashSet::new();
        for (name, at) in names {
            if !seen.insert(name) {
                return Err(self.error(at, "this variable stands in `env` already"));
            }
            env.push(self.variable(name, at)?);
        }
        Ok(env)
    }

    /// The name of a variable. What is none is not shown: it may be the value.
    fn variable(&self, name: &str, at: Range<usize>) -> Result<String, ConfigError> {
        match variable_problem(name) {
            None => Ok(name.to_owned()),
            Some(problem) => Err(self.error(at, problem).hint("name the variable, and set it where warden runs")),
        }
    }

    /// `has_bearer`: there is a token, which is sent in a header too.
    fn header_env(&self, table: &Table<'_>, has_bearer: bool) -> Result<Vec<(String, String)>, ConfigError> {
        let Some(value) = table.get("header-env") else { return Ok(Vec::new()) };
        let shape = "write header-env = { \"X-Name\" = \"VARIABLE\" }";
        let DeValue::Table(headers) = value.get_ref() else {
            return Err(self.wrong_type("header-env", "a table of headers and variables", value).hint(shape));
        };
        let mut headers: Vec<_> = headers.iter().collect();
        headers.sort_by_key(|(name, _)| name.span().start);
        let (mut read, mut lines) = (Vec::with_capacity(headers.len()), HashMap::new());
        for (key, value) in headers {
            let name = key.get_ref().as_ref();
            if !is_header_name(name) {
                return Err(self.error(key.span(), format!("{} is not the name of a header", quoted(name))));
            }
            if has_bearer && name.eq_ignore_ascii_case("authorization") {
                return Err(self.error(key.span(), "`bearer-env` sets this header already").hint("keep one of both"));
            }
            if let Some(first) = lines.insert(name.to_ascii_lowercase(), self.line(key.span().start)) {
                return Err(self.error(key.span(), format!("line {first} has this header already")));
            }
            let DeValue::String(variable) = value.get_ref() else {
                return Err(self.wrong_type("header-env", "the name of a variable for each header", value).hint(shape));
            };
            read.push((name.to_owned(), self.variable(variable, value.span())?));
        }
        Ok(read)
    }

    fn timeout(&self, table: &Table<'_>) -> Result<Option<f64>, ConfigError> {
        let Some(value) = table.get("timeout") else { return Ok(None) };
        let seconds = match value.get_ref() {
            // What does not fit into this is far beyond a day.
            DeValue::Integer(whole) => u32::from_str_radix(whole.as_str(), whole.radix()).ok().map(f64::from),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => return Err(self.wrong_type("timeout", "a number of seconds", value).hint("write timeout = 120")),
        };
        match seconds.filter(|seconds| *seconds > 0.0 && *seconds <= MAX_TIMEOUT) {
            Some(seconds) => Ok(Some(seconds)),
            None => Err(self.error(value.span(), "`timeout` is a number of seconds above 0 and at most 86400")),
        }
    }

    fn skip(&self, table: &Table<'_>) -> Result<Option<Skip>, ConfigError> {
        let Some(value) = table.get("skip") else { return Ok(None) };
        let DeValue::Table(skip) = value.get_ref() else {
            let error = self.wrong_type("skip", "a table with the reason", value);
            return Err(error.hint("write skip = { reason = \"needs a display\", until = \"2027-01-31\" }"));
        };
        self.members(skip, value.span(), &SKIP_KEYS, "`skip`")?;
        let reason = self.reason(skip, "server is left out")?;
        Ok(Some(Skip { reason, until: self.date(skip, "until")? }))
    }

    /// A list of texts, each with its place.
    fn texts<'v>(
        &self,
        name: &str,
        wanted: &str,
        value: &'v Value<'_>,
    ) -> Result<Vec<(&'v str, Range<usize>)>, ConfigError> {
        let items = value.get_ref().as_array().ok_or_else(|| self.wrong_type(name, wanted, value))?;
        let text = |item: &'v Value<'_>| match item.get_ref() {
            DeValue::String(text) => Ok((text.as_ref(), item.span())),
            _ => Err(self.wrong_type(name, &format!("{wanted} in quotes"), item)),
        };
        items.iter().map(text).collect()
    }

    /// Refuses members that mean nothing beside another one; `why` ends the sentence.
    fn none_of(&self, table: &Table<'_>, names: &[&str], why: &str) -> Result<(), ConfigError> {
        let given = names.iter().filter_map(|name| table.get_key_value(*name).map(|(key, _)| (name, key.span())));
        match given.min_by_key(|(_, at)| at.start) {
            Some((name, at)) => Err(self.error(at, format!("`{name}` does not go with {why}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
