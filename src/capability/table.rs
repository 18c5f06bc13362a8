//! The published derivation table: which words of a name earn which flag (SPEC.md §8.2).

use super::Capability;

/// The words for one flag and how they combine.
pub(super) struct Row {
    pub flag: Capability,
    pub rule: Rule,
    /// Words of the tool's name.
    pub name: &'static [&'static str],
    /// Words of a property's name.
    pub property: &'static [&'static str],
}

/// How the two word lists of a row combine.
pub(super) enum Rule {
    /// The name or a property.
    Either,
    /// The name and a property.
    Both,
    /// A property, and either the name or a property that carries content.
    PropertyWithNameOrContent,
}

/// Words of a property that carries what is to be written.
pub(super) const CONTENT: &[&str] = &["content", "data", "body", "text", "bytes", "payload"];

/// All rows, sorted by flag.
pub(super) const ROWS: &[Row] = &[
    Row {
        flag: Capability::FsRead,
        rule: Rule::Both,
        name: &["read", "cat", "open", "load", "get", "list"],
        property: &["path", "file", "filename", "src", "source"],
    },
    Row {
        flag: Capability::FsWrite,
        rule: Rule::PropertyWithNameOrContent,
        name: &["write", "save", "create", "delete", "rm", "unlink", "mkdir", "chmod", "mv", "rename"],
        property: &["path", "file", "filename", "dest", "target"],
    },
    Row {
        flag: Capability::HttpRequest,
        rule: Rule::Either,
        name: &["fetch", "http", "request", "curl", "download", "webhook"],
        property: &["url", "uri", "endpoint", "host", "hostname"],
    },
    Row {
        flag: Capability::ShellExec,
        rule: Rule::Either,
        name: &["shell", "exec", "spawn", "system", "subprocess", "sudo", "bash", "sh", "cmd", "powershell"],
        property: &["command", "cmd", "script", "shell"],
    },
    Row {
        flag: Capability::SqlQuery,
        rule: Rule::Either,
        name: &["sql", "query", "execute", "db"],
        property: &["query", "sql", "statement"],
    },
];
