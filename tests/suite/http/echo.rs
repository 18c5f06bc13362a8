//! Servers that repeat a credential: it is in no lock, no surface file and no report, however it was given and wherever
//! the server puts it.

use super::{HELLO, ordinary};
use crate::support::web::{Reply, Request, Web};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const SECRET: &str = "s3cret-0123456789-abcdef";

/// A way to give a credential: options, the variable's content, and what the server takes out of it and repeats.
struct Way {
    options: &'static [&'static str],
    variable: String,
    repeated: String,
}

fn ways() -> Vec<Way> {
    let way = |options, variable: &str, repeated: &str| Way {
        options,
        variable: variable.to_owned(),
        repeated: repeated.to_owned(),
    };
    vec![
        way(&["--bearer-env", "V"], SECRET, SECRET),
        way(&["--bearer-env", "V"], "Bearer s3cret-0123456789-abcdef\n", SECRET),
        way(&["--header-env", "X-Key=V"], SECRET, SECRET),
        way(&["--header-env", "Authorization=V"], "Token s3cret-0123456789-abcdef", SECRET),
        way(&["--header-env", "Cookie=V"], "theme=dark; sid=s3cret-0123456789-abcdef", SECRET),
        way(&["--header-env", "X-Sign=V"], "Sig key=\"me\", value=\"s3cret-0123456789-abcdef\"", SECRET),
        // "alice:s3cret-0123456789-abcdef"
        way(&["--header-env", "Authorization=V"], "Basic YWxpY2U6czNjcmV0LTAxMjM0NTY3ODktYWJjZGVm", SECRET),
        way(&["--header-env", "X-Pin=V"], "8412093377120", "8412093377120"),
        way(&["--header", "X-Api-Key: s3cret-0123456789-abcdef"], "", SECRET),
    ]
}

/// Answers that hold a text, each at another place.
const PLACES: [(&str, &str); 9] = [
    ("tools/list", r#"{"tools":[{"name":"$"}]}"#),
    ("tools/list", r#"{"tools":[{"name":"a","description":"for $ only"}]}"#),
    ("tools/list", r#"{"tools":[{"name":"a","inputSchema":{"properties":{"$":{}}}}]}"#),
    ("tools/list", r#"{"tools":[{"name":"a","inputSchema":{"properties":{"p":{"default":"\u0024$"}}}}]}"#),
    ("tools/list", r#"{"tools":[{"name":"a","_meta":{"k":["$"]}}],"extra":"$"}"#),
    ("resources/list", r#"{"resources":[{"uri":"x://$/","name":"r"}]}"#),
    ("prompts/list", r#"{"prompts":[{"name":"p","arguments":[{"name":"$"}]}]}"#),
    (
        "initialize",
        r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"$"}}"#,
    ),
    ("error", "$"),
];

fn serve(place: usize, text: String) -> Web {
    let (method, template) = PLACES[place];
    Web::start(move |request: &Request| {
        let answer = template.replace('$', &text);
        match request.rpc().as_str() {
            asked if asked == method => request.result(&answer),
            "prompts/list" if method == "error" => {
                let id = &request.json()["id"];
                let error = format!(r#"{{"code":-32601,"message":"{answer}"}}"#);
                Reply::json(200, &format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#))
            }
            "initialize" => request.result(HELLO),
            _ => ordinary(request),
        }
    })
}

fn run(folder: &Path, args: &[&str], variable: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warden"));
    command.args(args).current_dir(folder).env_clear().env("HOME", folder).env("V", variable);
    let output = command.output().expect("the program");
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_credential_that_comes_back_is_stored_nowhere() {
    for (number, way) in ways().into_iter().enumerate() {
        // Every place with one way, and every way with two places: what is looked for does not depend on the place.
        for place in (0..PLACES.len()).filter(|place| number == 0 || *place < 2) {
            let web = serve(place, way.repeated.clone());
            let url = web.url("/mcp");
            for (command, stores_texts) in [
                (&["capture", "-o", "s.json"][..], true),
                (&["capture", "-o", "-"], true),
                (&["pin", "--save-surface"], true),
                (&["pin"], false),
                (&["pin", "--json"], false),
            ] {
                let folder = TempDir::new().expect("a folder");
                let args = [command, way.options, &["--url", &url]].concat();
                let (status, out) = run(folder.path(), &args, &way.variable);
                let about = format!("{args:?}, {:?}: {out}", PLACES[place]);
                assert!(!out.contains(&way.repeated), "{about}");
                let files: Vec<_> = folder.path().read_dir().expect("a folder").flatten().collect();
                for file in &files {
                    let text = std::fs::read_to_string(file.path()).expect("a text");
                    assert!(!text.contains(&way.repeated), "{about}: {file:?}");
                }
                if stores_texts {
                    assert!(status == Some(3) && out.contains("E-SECRET") && files.is_empty(), "{about}");
                }
            }
        }
    }
}

#[test]
fn a_number_that_is_the_credential_is_found_too() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(|request| match request.rpc().as_str() {
        "tools/list" => request.result(r#"{"tools":[{"name":"a","inputSchema":{"enum":[8412093377120]}}]}"#),
        _ => ordinary(request),
    });
    let url = web.url("/mcp");
    for command in [&["pin"][..], &["capture", "-o", "s.json"]] {
        let args = [command, &["--url", &url, "--header-env", "X-Pin=V"]].concat();
        let (status, out) = run(folder.path(), &args, "8412093377120");
        assert!(status == Some(3) && out.contains("E-SECRET"), "{out}");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
    }
}

#[test]
fn a_header_whose_value_is_a_secret_is_one_whatever_its_name() {
    let folder = TempDir::new().expect("a folder");
    let value = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let web = serve(1, value.clone());
    let header = format!("X-Tenant: {value}");
    let (status, out) =
        run(folder.path(), &["capture", "-o", "s.json", "--url", &web.url("/mcp"), "--header", &header], "");
    assert!(status == Some(3) && out.contains("E-SECRET") && !out.contains(&value), "{out}");
}

#[test]
fn a_url_that_holds_a_secret_is_not_captured() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(ordinary);
    for tail in [
        "/mcp?api_key=s3cret-0123456789-abcdef",
        "/mcp?token=s3cret-0123456789-abcdef",
        "/mcp#s3cret-0123456789-abcdef",
    ] {
        for command in [&["capture", "-o", "s.json"][..], &["capture", "-o", "-"], &["pin", "--save-surface"]] {
            let (status, out) = run(folder.path(), &[command, &["--url", &web.url(tail)]].concat(), "");
            assert!(status == Some(2) && !out.contains(SECRET), "{out}");
        }
    }
    assert!(web.requests().is_empty());
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

#[test]
fn a_token_that_was_had_during_the_capture_is_found_too() {
    let folder = TempDir::new().expect("a folder");
    let issuer = super::oauth::authorization("");
    let guarded = super::oauth::resource(&issuer.url(""), 1);
    let web = Web::start(move |request| {
        let token = request.header("authorization").unwrap_or_default().trim_start_matches("Bearer ");
        match request.rpc().as_str() {
            "tools/list" => request.result(&format!(r#"{{"tools":[{{"name":"a","description":"{token}"}}]}}"#)),
            _ => guarded(request),
        }
    });
    let url = web.url("/mcp");
    let login = ["--url", &url, "--oauth-client-id-env", "HOME", "--oauth-client-secret-env", "V"];
    for command in [&["capture", "-o", "s.json"][..], &["pin", "--save-surface"]] {
        let (status, out) = run(folder.path(), &[command, &login].concat(), SECRET);
        assert!(status == Some(3) && out.contains("E-SECRET"), "{out}");
        assert!(!out.contains("-abcdef"), "{out}");
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
    }
    // A description is only hashed, and findings quote it without the token.
    let (status, out) = run(folder.path(), &[&["pin"][..], &login].concat(), SECRET);
    assert_eq!(status, Some(0), "{out}");
    assert!(!std::fs::read_to_string(folder.path().join("warden.lock")).expect("a lock").contains("-abcdef"));
}
