//! An MCP server that declares one of the surfaces of benches/shapes, for timing whole runs (scripts/bench-shapes).
//!
//! `shape_server --list` prints the names of the hostile shapes, one a line. `shape_server N [EDITION]` serves N ordinary
//! tools in pages of a thousand, `shape_server NAME` a hostile shape. Not a program for users.

#[path = "../benches/shapes/mod.rs"]
mod shapes;

use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, Write};

const PAGE: usize = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let what = args.next().ok_or("usage: shape_server --list | NAME | N [EDITION]")?;
    let mut out = std::io::stdout().lock();
    if what == "--list" {
        for shape in shapes::hostile() {
            writeln!(out, "{}", shape.name)?;
        }
        return Ok(());
    }
    let (section, pages) = match what.parse::<usize>() {
        Ok(tools) => {
            let edition = args.next().map_or(Ok(0), |text| text.parse())?;
            let page = |i| shapes::ordinary_page(i * PAGE..tools.min((i + 1) * PAGE), edition);
            ("tools".to_owned(), (0..tools.div_ceil(PAGE)).map(page).collect::<Vec<_>>())
        }
        Err(_) => {
            let shape = shapes::hostile().into_iter().find(|shape| shape.name == what).ok_or("no such shape")?;
            // The text begins with the name of its only member.
            (shape.text.split('"').nth(1).unwrap_or_default().to_owned(), vec![shape.text])
        }
    };
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else { continue };
        write!(out, r#"{{"jsonrpc":"2.0","id":{id},"#)?;
        match method.strip_suffix("/list") {
            _ if method == "initialize" => write!(
                out,
                r#""result":{{"protocolVersion":"2025-11-25","capabilities":{{"{section}":{{}}}},"serverInfo":{{"name":"shapes","version":"1"}}}}"#
            )?,
            Some(list) if list == section => {
                let at: usize = message["params"]["cursor"].as_str().map_or(Ok(0), str::parse)?;
                let page = pages.get(at).ok_or("no such page")?;
                match at + 1 < pages.len() {
                    true => {
                        let open = page.strip_suffix('}').ok_or("not an object")?;
                        write!(out, r#""result":{open},"nextCursor":"{}"}}"#, at + 1)?;
                    }
                    false => write!(out, r#""result":{page}"#)?,
                }
            }
            _ => write!(out, r#""error":{{"code":-32601,"message":"method not found"}}"#)?,
        }
        out.write_all(b"}\n")?;
        out.flush()?;
    }
    Ok(())
}
