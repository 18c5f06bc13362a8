//! Configuration files of clients in every syntax: no panic, and messages that are safe to print.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use warden::clients::{Shape, expand, read, source_for};

const FILES: [&str; 8] = [
    ".mcp.json",
    ".vscode/mcp.json",
    "mcphub/servers.json",
    ".codex/config.toml",
    ".continue/config.yaml",
    "goose/config.yaml",
    ".claude/agents/a.md",
    ".crush.json",
];

fuzz_target!(|input: &[u8]| {
    let Some((first, text)) = input.split_first() else { return };
    let path = FILES[usize::from(*first) % FILES.len()];
    let source = source_for(Path::new(path)).expect("a path of the table");
    match read(text, &source) {
        Err(error) => assert!(!error.to_string().chars().any(char::is_control), "{error:?}"),
        Ok(file) => {
            for entry in file.servers {
                assert!(entry.at.line >= 1 && entry.at.column >= 1);
                match entry.shape {
                    Shape::Stdio(stdio) => {
                        for word in stdio.args.iter().chain([&stdio.command]) {
                            let _ = expand(&word.value, &|_| Some("x".to_owned()));
                        }
                    }
                    Shape::Remote(remote) => {
                        let _ = expand(&remote.url.value, &|_| None);
                    }
                    Shape::NotReadable(reason) => assert!(!reason.to_string().chars().any(char::is_control)),
                }
            }
        }
    }
});
