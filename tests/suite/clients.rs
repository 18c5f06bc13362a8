//! What configuration files of MCP clients say: samples of every client, hostile files, paths, and the search.

mod discovery;
mod hostile;
mod places;
mod samples;

use std::path::Path;
use warden::clients::{ConfigFile, FileError, ServerEntry, Shape, Source, read, source_for};

fn source(path: &str) -> Source {
    source_for(Path::new(path)).unwrap_or_else(|| panic!("nobody reads {path}"))
}

/// Reads a text as the file that the name says.
fn read_as(path: &str, text: impl AsRef<[u8]>) -> Result<ConfigFile, FileError> {
    read(text.as_ref(), &source(path))
}

/// The only entry of a file.
fn only(path: &str, text: &str) -> ServerEntry {
    let mut file = read_as(path, text).unwrap();
    assert_eq!(file.servers.len(), 1, "{:#?}", file.servers);
    file.servers.remove(0)
}

/// Why the only entry of a `.mcp.json` cannot be read, as a sentence.
fn reason(entry: &str) -> String {
    let text = format!("{{\"mcpServers\": {{\"tide\": {entry}}}}}");
    match only(".mcp.json", &text).shape {
        Shape::NotReadable(reason) => reason.to_string(),
        shape => panic!("{shape:?}"),
    }
}

#[test]
fn the_page_of_clients_is_generated_from_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/clients.md");
    let want = warden::clients::clients_markdown();
    if std::env::var_os("WARDEN_UPDATE_DOCS").is_some() {
        std::fs::write(path, &want).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    assert!(found == want, "docs/clients.md is stale: run the tests once with WARDEN_UPDATE_DOCS=1");
}
