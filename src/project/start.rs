//! How a server of the project is started or reached, with everything that stands for something else kept as it is; and
//! what becomes of it when it is started.

use crate::checks::{argv_holds_secret, loads_code};
use crate::clients::{CannotExpand, Part, Reference, Template, expand};
use crate::json::Object;
use crate::surface::Launch;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// How a server is started or reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub target: Target,
    /// Variables that are set, in the order of the file.
    pub env: Vec<(String, Template)>,
    /// Variables that are handed on from the environment.
    pub hand_on: Vec<String>,
    /// Variables that are taken away.
    pub unset: Vec<String>,
    /// The folder it is started in, from the project's; `None`: that one.
    pub cwd: Option<Template>,
    /// Headers, for a server at a URL.
    pub headers: Vec<(String, Template)>,
    /// The variable with a bearer token, for a server at a URL.
    pub bearer_env: Option<String>,
}

/// What is started or asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Command { program: Template, args: Vec<Template> },
    Url(Template),
}

/// A server with every reference replaced. It holds secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct Startup {
    pub launch: Launch,
    /// Name and value.
    pub env: Vec<(String, String)>,
    pub unset: Vec<String>,
    /// Absolute, or from the current folder.
    pub folder: PathBuf,
    /// Name and value.
    pub headers: Vec<(String, String)>,
    /// What replaced references in the launch: name of the variable and value.
    pub inserted: Vec<(String, String)>,
}

/// Names only.
impl fmt::Debug for Startup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |pairs: &[(String, String)]| pairs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        f.debug_struct("Startup")
            .field("env", &names(&self.env))
            .field("headers", &names(&self.headers))
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// What a reference may stand for.
pub struct Surroundings<'a> {
    /// The project's folder, absolute.
    pub root: &'a Path,
    pub home: Option<&'a Path>,
    /// The value of an environment variable that is set.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

/// A value that cannot be known, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {cause}")]
pub struct NotKnown {
    /// `args[2]`, `env TOKEN`, `url`; raw.
    pub place: String,
    pub cause: CannotExpand,
}

impl Start {
    /// A command or a URL and nothing else.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            env: Vec::new(),
            hand_on: Vec::new(),
            unset: Vec::new(),
            cwd: None,
            headers: Vec::new(),
            bearer_env: None,
        }
    }

    /// The launch as a lock stores it: references stay references, in one spelling whatever client wrote them.
    pub fn launch(&self) -> Launch {
        match &self.target {
            Target::Command { program, args } => {
                Launch::Stdio { command: program.canonical(), args: args.iter().map(Template::canonical).collect() }
            }
            Target::Url(url) => Launch::Url(url.canonical()),
        }
    }

    /// The launch for showing: without what stands in for a variable that is not set, which may be a secret.
    pub fn shown(&self) -> Launch {
        match &self.target {
            Target::Command { program, args } => Launch::Stdio {
                command: program.without_defaults(),
                args: args.iter().map(Template::without_defaults).collect(),
            },
            Target::Url(url) => Launch::Url(url.without_defaults()),
        }
    }

    /// The references in the launch, as they are written there, each once.
    pub fn references(&self) -> Vec<String> {
        let parts: Vec<Part> = match &self.target {
            Target::Command { program, args } => {
                std::iter::once(program).chain(args).flat_map(Template::parts).collect()
            }
            Target::Url(url) => url.parts(),
        };
        let mut names = Vec::new();
        for part in parts {
            if let Part::Reference(reference) = part {
                let name = reference.canonical();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// The variables that decide what code is loaded, with their values: those are no secrets, and a change of one is
    /// another program. One that looks like a secret all the same is left out.
    pub fn loaders(&self) -> impl Iterator<Item = (String, String)> {
        let of_code = self.env.iter().filter(|(name, _)| loads_code(name));
        let values = of_code.map(|(name, value)| (name.clone(), value.canonical()));
        values.filter(|(_, value)| !argv_holds_secret(&[value.as_str()]))
    }

    /// What surrounds the launch, for the record of a lock: names, and of values only the references in them.
    /// Empty where there is nothing but the launch.
    pub fn record(&self) -> Object {
        let masked = |settings: &[(String, Template)]| -> BTreeMap<String, String> {
            settings.iter().map(|(name, value)| (name.clone(), value.masked())).collect()
        };
        let object = |map: BTreeMap<String, String>| map.into_iter().collect::<Object>();
        let mut record = Object::new();
        let mut env = masked(&self.env);
        env.extend(self.loaders());
        env.extend(self.hand_on.iter().map(|name| (name.clone(), format!("${{{name}}}"))));
        if !env.is_empty() {
            record.insert("env", object(env));
        }
        if !self.unset.is_empty() {
            let mut unset = self.unset.clone();
            unset.sort();
            record.insert("unset", unset);
        }
        if let Some(cwd) = &self.cwd {
            record.insert("cwd", cwd.canonical());
        }
        let mut headers = masked(&self.headers);
        if let Some(variable) = &self.bearer_env {
            headers.insert("Authorization".to_owned(), format!("*${{{variable}}}"));
        }
        if !headers.is_empty() {
            record.insert("headers", object(headers));
        }
        let references = self.references();
        if !references.is_empty() {
            record.insert("references", references);
        }
        record
    }

    /// Replaces every reference.
    ///
    /// # Errors
    /// The first value that cannot be known.
    pub fn startup(&self, around: &Surroundings<'_>) -> Result<Startup, NotKnown> {
        let mut inserted: Vec<(String, String)> = Vec::new();
        let value = |place: String, template: &Template| {
            expand(template, &|reference| around.value(reference)).map_err(|cause| NotKnown { place, cause })
        };
        let launch = match &self.target {
            Target::Command { program, args } => {
                let command = value("command".to_owned(), program)?;
                let words = args.iter().enumerate().map(|(at, word)| value(format!("args[{at}]"), word));
                Launch::Stdio { command, args: words.collect::<Result<_, _>>()? }
            }
            Target::Url(url) => Launch::Url(value("url".to_owned(), url)?),
        };
        let templates: Vec<&Template> = match &self.target {
            Target::Command { program, args } => std::iter::once(program).chain(args).collect(),
            Target::Url(url) => vec![url],
        };
        for reference in templates.into_iter().flat_map(Template::references) {
            // Folders are no secrets.
            if let Reference::Environment { name, .. } | Reference::Secret { name } = &reference
                && let Some(value) = around.value(&reference)
            {
                inserted.push((name.clone(), value));
            }
        }
        let mut env = Vec::new();
        for (name, template) in &self.env {
            if !self.hand_on.contains(name) {
                env.push((name.clone(), value(format!("env {name}"), template)?));
            }
        }
        for name in &self.hand_on {
            let unset = || NotKnown { place: format!("env {name}"), cause: CannotExpand::Unset { name: name.clone() } };
            env.push((name.clone(), (around.variable)(name).ok_or_else(unset)?));
        }
        let mut headers = Vec::new();
        for (name, template) in &self.headers {
            headers.push((name.clone(), value(format!("header {name}"), template)?));
        }
        if let Some(name) = &self.bearer_env {
            let unset = || NotKnown {
                place: "header Authorization".to_owned(),
                cause: CannotExpand::Unset { name: name.clone() },
            };
            let token = (around.variable)(name).ok_or_else(unset)?;
            // Some keep the whole header's value in the variable.
            let token = token.strip_prefix("Bearer ").unwrap_or(&token).trim().to_owned();
            headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
        }
        let folder = match &self.cwd {
            Some(cwd) => around.root.join(value("cwd".to_owned(), cwd)?),
            None => around.root.to_owned(),
        };
        Ok(Startup { launch, env, unset: self.unset.clone(), folder, headers, inserted })
    }
}

impl Startup {
    /// A launch as it is written, and nothing around it.
    pub fn plain(launch: Launch) -> Self {
        let (env, unset, folder, headers, inserted) = Default::default();
        Self { launch, env, unset, folder, headers, inserted }
    }
}

impl Surroundings<'_> {
    /// What a reference stands for, as far as anybody but the client can know.
    fn value(&self, reference: &Reference) -> Option<String> {
        let text = |path: &Path| path.to_str().map(str::to_owned);
        match reference {
            Reference::Environment { name, .. } => (self.variable)(name),
            Reference::Folder { name } => match name.as_str() {
                "workspaceFolder" | "workspaceRoot" | "cwd" => text(self.root),
                "workspaceFolderBasename" => self.root.file_name()?.to_str().map(str::to_owned),
                "userHome" => text(self.home?),
                "pathSeparator" | "/" => Some(std::path::MAIN_SEPARATOR_STR.to_owned()),
                _ => None,
            },
            _ => None,
        }
    }
}
