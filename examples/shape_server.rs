//! An MCP server that declares one of the surfaces of benches/shapes, for timing whole runs (scripts/bench-shapes).
//!
//! ```text
//! shape_server --list                    prints the names of the hostile shapes, one a line
//! shape_server --write WHAT FOLDER       writes a surface: a number of ordinary tools, or the name of a shape
//! shape_server FOLDER                    serves it, a page a file, copied as it is: the server itself costs little
//! ```
//!
//! Not a program for users.

#[path = "../benches/shapes/mod.rs"]
mod shapes;

use serde_json::Value;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

type Fallible = Result<(), Box<dyn Error>>;

/// Ordinary tools of one page.
const PAGE: usize = 1000;

fn main() -> Fallible {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => {
            let mut out = io::stdout().lock();
            shapes::HOSTILE.iter().try_for_each(|(name, _)| writeln!(out, "{name}"))?;
            Ok(())
        }
        ["--write", what, folder] => write_surface(what, Path::new(folder)),
        [folder] => serve(Path::new(folder)),
        _ => Err("usage: shape_server --list | --write WHAT FOLDER | FOLDER".into()),
    }
}

fn write_surface(what: &str, folder: &Path) -> Fallible {
    fs::create_dir_all(folder)?;
    let Ok(tools) = what.parse::<usize>() else {
        let (_, make) = shapes::HOSTILE.iter().find(|(name, _)| *name == what).ok_or("no such shape")?;
        let text = make();
        // It begins with the name of its only member.
        let section = text.split('"').nth(1).ok_or("no member")?;
        return Ok(fs::write(page(folder, section, 0), &text)?);
    };
    let pages = tools.div_ceil(PAGE);
    for i in 0..pages {
        let mut text = shapes::ordinary(i * PAGE..tools.min((i + 1) * PAGE), 0);
        if i + 1 < pages {
            text.pop();
            text.push_str(&format!(r#","nextCursor":"{}"}}"#, i + 1));
        }
        fs::write(page(folder, "tools", i), text)?;
    }
    Ok(())
}

fn page(folder: &Path, section: &str, number: usize) -> PathBuf {
    folder.join(format!("{section}.{number}.json"))
}

fn serve(folder: &Path) -> Fallible {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else { continue };
        write!(out, r#"{{"jsonrpc":"2.0","id":{id},"#)?;
        let number: usize = message["params"]["cursor"].as_str().map_or(Ok(0), str::parse)?;
        let file = method.strip_suffix("/list").map(|section| File::open(page(folder, section, number)));
        match file {
            _ if method == "initialize" => {
                let result = r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"shapes","version":"1"}}"#;
                write!(out, r#""result":{result}"#)?;
            }
            Some(Ok(mut file)) => {
                out.write_all(br#""result":"#)?;
                out.flush()?;
                io::copy(&mut file, &mut out)?;
            }
            _ => write!(out, r#""error":{{"code":-32601,"message":"method not found"}}"#)?,
        }
        out.write_all(b"}\n")?;
        out.flush()?;
    }
    Ok(())
}
