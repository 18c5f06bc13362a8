//! The options, from the outside.

use super::{ALPHA, answering, ordinary};
use crate::support::web::{Reply, Web};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const TOKEN: &str = "sesame-0123456789abcdef";

struct Run {
    status: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warden"));
    command.args(args).current_dir(folder).env_clear().env("HOME", folder).envs(variables.iter().copied());
    let output = command.output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { status: output.status.code().expect("a status"), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_lock_of_a_url_is_checked_by_itself() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(|request| match request.header("authorization") {
        Some(value) if value == format!("Bearer {TOKEN}") => ordinary(request),
        _ => Reply::status(401),
    });
    let url = web.url("/mcp?tenant=a");
    let token = [("TOKEN", TOKEN)];
    let pinned = run(folder.path(), &["pin", "--url", &url, "--bearer-env", "TOKEN"], &token);
    assert_eq!((pinned.status, pinned.err.as_str()), (0, format!("asking     {url}\n").as_str()), "{}", pinned.out);
    assert!(pinned.out.contains("warden check --bearer-env TOKEN"), "{}", pinned.out);
    let lock = std::fs::read_to_string(folder.path().join("warden.lock")).expect("a lock");
    let lock_json: serde_json::Value = serde_json::from_str(&lock).expect("JSON");
    assert_eq!(lock_json["server"]["url"], url.as_str());
    let digest = warden::surface::Launch::Url(url.clone()).digest().expect("a digest").to_string();
    assert_eq!(lock_json["server"]["command_digest"], digest.as_str());

    let clean = run(folder.path(), &["check", "--bearer-env", "TOKEN"], &token);
    assert_eq!(clean.status, 0, "{}", clean.out);
    let refused = run(folder.path(), &["check"], &token);
    assert_eq!(refused.status, 3);
    assert!(refused.out.contains("E-LOGIN") && !refused.out.contains("stderr"), "{}", refused.out);
    let json = run(folder.path(), &["check", "--json", "--header-env", "Authorization=TOKEN"], &token);
    assert_eq!(json.status, 3);
    // Another URL is another server.
    let other = run(folder.path(), &["check", "--url", &web.url("/mcp"), "--bearer-env", "TOKEN"], &token);
    assert_eq!(other.status, 1, "{}", other.out);
    for run in [&pinned, &clean, &refused, &json, &other] {
        assert!(!run.out.contains(TOKEN) && !run.err.contains(TOKEN));
    }
    assert!(!lock.contains(TOKEN));
}

#[test]
fn a_surface_file_of_a_server_at_a_url_needs_no_login_later() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(|request| match request.header("authorization") {
        Some(value) if value == format!("Bearer {TOKEN}") => ordinary(request),
        _ => Reply::status(401),
    });
    let url = web.url("/mcp");
    let variables = [("TOKEN", TOKEN)];
    let captured = run(folder.path(), &["capture", "-o", "s.json", "--url", &url, "--bearer-env", "TOKEN"], &variables);
    assert_eq!(captured.status, 0, "{}{}", captured.out, captured.err);
    let file = std::fs::read_to_string(folder.path().join("s.json")).expect("a file");
    assert!(file.contains(&url) && !file.contains(TOKEN));
    let asked = web.requests().len();
    assert_eq!(run(folder.path(), &["pin", "--surface", "s.json"], &[]).status, 0);
    assert_eq!(run(folder.path(), &["check", "--surface", "s.json"], &[]).status, 0);
    assert_eq!(run(folder.path(), &["check", "--surface", "s.json", "--bearer-env", "TOKEN"], &variables).status, 2);
    assert_eq!(web.requests().len(), asked);
    // And the server itself still is what the file says, each time it is asked.
    let stable = run(folder.path(), &["check", "--bearer-env", "TOKEN", "--stability", "2"], &variables);
    assert_eq!(stable.status, 0, "{}", stable.out);
}

#[test]
fn drift_is_accepted_by_names_and_never_by_values() {
    let folder = TempDir::new().expect("a folder");
    let changed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let now = changed.clone();
    let web = Web::start(answering("tools/list", move |request| match now.load(std::sync::atomic::Ordering::SeqCst) {
        true => request.result(r#"{"tools":[{"name":"beta"}]}"#),
        false => request.result(ALPHA),
    }));
    let url = web.url("/mcp");
    let options =
        ["--header-env", "X-Key=TOKEN", "--header", "X-Tenant: acme-tenant", "--header", "X-Api-Key: inline-secret-1"];
    let args = |command: &'static str| [&[command], &options[..]].concat();
    let pinned = run(folder.path(), &[&args("pin")[..], &["--url", &url]].concat(), &[("TOKEN", TOKEN)]);
    assert_eq!(pinned.status, 0, "{}{}", pinned.out, pinned.err);
    assert!(pinned.out.contains("--header X-Api-Key gave a secret on the command line"), "{}", pinned.out);
    changed.store(true, std::sync::atomic::Ordering::SeqCst);
    let drift = run(folder.path(), &args("check"), &[("TOKEN", TOKEN)]);
    assert_eq!(drift.status, 1);
    let words = drift.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let want = "warden pin --header 'X-Tenant: VALUE' --header 'X-Api-Key: VALUE' --header-env X-Key=TOKEN";
    assert!(words.contains(want), "{words}");
    for secret in [TOKEN, "inline-secret-1", "acme-tenant"] {
        assert!(!drift.out.contains(secret) && !pinned.out.contains(secret), "{secret}");
    }
    assert!(web.requests().iter().all(|request| request.header("x-key") == Some(TOKEN)));
}

#[test]
fn what_cannot_be_used_is_a_usage_error() {
    let folder = TempDir::new().expect("a folder");
    let elsewhere = Web::start(ordinary);
    let url = elsewhere.url("/mcp");
    let pem = folder.path().join("no.pem");
    std::fs::write(&pem, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").expect("a file");
    let pem = pem.to_str().expect("UTF-8");
    let with = |options: &[&'static str]| [&["pin", "--url", url.as_str()][..], options].concat();
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["pin", "--url", "https://user:hunter2hunter2@a.test/"], "user name or password"),
        (vec!["pin", "--url", "https://a.test/?api_key=hunter2hunter2"], "api_key=<redacted>"),
        (vec!["pin", "--url", "https://a.test/#access_token=hunter2hunter2"], "fragment"),
        (vec!["pin", "--url", "ftp://a.test/"], "only http and https"),
        (vec!["pin", "--url", "a.test/mcp"], "not a complete URL"),
        (vec!["pin", "--url", &url, "--", "server"], "cannot be used with"),
        (with(&["--env", "TOKEN"]), "no environment variables"),
        (with(&["--header", "no-colon"]), "needs a name and a value"),
        (with(&["--header", "Mcp-Session-Id: hunter2hunter2"]), "sets the header Mcp-Session-Id"),
        (with(&["--header", "host: x"]), "sets the header host"),
        (with(&["--header", "X: hunter2\nhunter2"]), "cannot be sent in a header"),
        (with(&["--header", "a b: hunter2hunter2"]), "cannot be the name of a header"),
        (with(&["--header", "X: 1", "--header", "x: 2"]), "given twice"),
        (with(&["--header-env", "X"]), "a header and a variable"),
        (with(&["--header-env", "X=UNSET"]), "this variable is not set"),
        (with(&["--bearer-env", "EMPTY"]), "is empty"),
        (with(&["--bearer-env", "hunter2-as-a-value"]), "the name of a variable, not a value"),
        (with(&["--bearer-env", "TOKEN", "--header", "authorization: x"]), "given twice"),
        (with(&["--oauth-client-id-env", "TOKEN"]), "--oauth-client-secret-env"),
        (with(&["--oauth-scope", "x"]), "--oauth-client-id-env"),
        (with(&["--cacert", "missing.pem"]), "missing.pem could not be read"),
        (vec!["pin", "--url", &url, "--cacert", pem], "no file of certificate authorities"),
        (vec!["pin", "--bearer-env", "TOKEN", "--", "server"], "--bearer-env is for servers at a URL"),
        (vec!["pin"], "or its URL"),
    ];
    for (args, problem) in cases {
        let run = run(folder.path(), &args, &[("TOKEN", TOKEN), ("EMPTY", " \n")]);
        assert_eq!(run.status, 2, "{args:?}: {}", run.err);
        let text = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(problem), "{args:?}: {text}");
        assert!(!text.contains("hunter2hunter2"), "{args:?}: {text}");
    }
    assert!(elsewhere.requests().is_empty());
    assert!(!folder.path().join("warden.lock").exists());
}

#[test]
fn a_server_that_puts_a_credential_into_its_surface_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(answering("tools/list", |request| {
        let token = request.header("authorization").unwrap_or_default().trim_start_matches("Bearer ").to_owned();
        request.result(&format!(r#"{{"tools":[{{"name":"a","inputSchema":{{"properties":{{"{token}":{{}}}}}}}}]}}"#))
    }));
    let pin = |options: &[&str], token| {
        let url = web.url("/mcp");
        run(folder.path(), &[&["pin", "--url", &url], options].concat(), &[("TOKEN", token)])
    };
    let run = pin(&["--bearer-env", "TOKEN"], TOKEN);
    assert_eq!(run.status, 3);
    assert!(run.out.contains("E-SECRET") && !run.out.contains(TOKEN) && !run.out.contains("on stderr"), "{}", run.out);
    assert!(!folder.path().join("warden.lock").exists());
    // What a header's name does not make a secret may be there.
    let run = pin(
        &["--header", "Authorization-Realm: production", "--header-env", "Authorization=TOKEN"],
        "Bearer production",
    );
    assert_eq!(run.status, 3);
    let run = pin(&["--header", "X-Realm: properties"], "");
    assert_eq!(run.status, 0, "{}", run.out);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_waiting() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(answering("tools/list", |_| Reply::raw([crate::support::web::Piece::Hang])));
    let mut command = Command::new(env!("CARGO_BIN_EXE_warden"));
    command.args(["pin", "--url", &web.url("/mcp")]).current_dir(folder.path()).env_clear();
    let mut child =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().expect("it");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while !web.asked().contains(&"tools/list".to_owned()) {
        assert!(std::time::Instant::now() < until, "nothing was asked");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let begin = std::time::Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("a living program");
    assert_eq!(child.wait().expect("a status").code(), Some(130));
    assert!(begin.elapsed() < std::time::Duration::from_secs(3));
}

#[test]
fn a_server_that_says_no_gets_no_lock() {
    let folder = TempDir::new().expect("a folder");
    let web = Web::start(|_| Reply::new(200, "text/html", "<html>"));
    let run = run(folder.path(), &["pin", "--url", &web.url("/mcp")], &[]);
    assert_eq!(run.status, 3);
    assert!(run.out.contains("E-CONTENT-TYPE"), "{}", run.out);
    assert!(!folder.path().join("warden.lock").exists());
}
