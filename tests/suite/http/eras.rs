//! Both eras of the protocol over HTTP: what counts as evidence there, and what does not.

use super::{Ask, HELLO, ordinary};
use crate::support::web::{Reply, Request, Web};
use warden::capture::EraChoice;
use warden::surface::Era;

fn in_era(web: &Web, era: EraChoice) -> Ask {
    Ask::at(web).settings(|settings| settings.era = era)
}

const MODERN_FIRST: EraChoice = EraChoice::Auto { first: Era::Modern };

/// A server that only speaks 2026-07-28, and looks at the headers as the revision demands.
fn modern(request: &Request) -> Reply {
    let refuse = |code: i64, data: &str| {
        let id = &request.json()["id"];
        Reply::json(
            400,
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"no","data":{data}}}}}"#),
        )
    };
    if request.method != "POST" {
        return Reply::status(405);
    }
    let version = request.json()["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].clone();
    if version != "2026-07-28" {
        return refuse(-32022, r#"{"supported":["2026-07-28"],"requested":"x"}"#);
    }
    let headers = (request.header("mcp-protocol-version"), request.header("mcp-method"));
    if headers != (Some("2026-07-28"), Some(request.rpc().as_str())) || request.header("mcp-session-id").is_some() {
        return refuse(-32020, "null");
    }
    let meta = r#""resultType":"complete","ttlMs":0,"cacheScope":"private""#;
    match request.rpc().as_str() {
        "server/discover" => {
            request.result(&format!(r#"{{"supportedVersions":["2026-07-28"],"capabilities":{{"tools":{{}}}},{meta}}}"#))
        }
        "tools/list" => {
            let answer = request.answer(&format!(r#"{{"tools":[{{"name":"alpha"}}],{meta}}}"#));
            Reply::events(&format!("data: {answer}\n\n")).header("Mcp-Session-Id", "unwanted")
        }
        _ => request.error(404, -32601),
    }
}

#[test]
fn a_modern_server_is_found_out_and_asked_in_its_own_way() {
    for era in [EraChoice::default(), MODERN_FIRST, EraChoice::Only(Era::Modern)] {
        let web = Web::start(modern);
        let captured = in_era(&web, era).captured();
        assert_eq!(captured.surface.about.protocol_version, "2026-07-28");
        assert_eq!(captured.surface.tools.len(), 1);
        assert!(web.asked().iter().all(|word| !word.starts_with("GET") && !word.starts_with("DELETE")));
    }
}

#[test]
fn a_legacy_server_is_found_out_by_what_such_servers_answer() {
    // Seen with the SDKs of Python and TypeScript, with and without sessions, and with servers that know no more than
    // their framework.
    for refusal in [
        Reply::json(
            400,
            r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Missing session ID"}}"#,
        )
        .header("Mcp-Session-Id", "unwanted"),
        Reply::json(
            400,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}"#,
        ),
        Reply::json(200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#),
        Reply::new(400, "text/html", "<html>Bad Request</html>"),
        Reply::status(400),
        Reply::new(405, "text/plain", "Method Not Allowed"),
    ] {
        let web = Web::start(move |request| match request.rpc().as_str() {
            "server/discover" => refusal.clone(),
            "initialize" => {
                assert_eq!((request.header("mcp-method"), request.header("mcp-protocol-version")), (None, None));
                request.result(HELLO)
            }
            _ => ordinary(request),
        });
        let captured = in_era(&web, MODERN_FIRST).captured();
        assert_eq!(captured.surface.about.protocol_version, "2025-11-25");
        assert_eq!(web.asked()[..2], ["server/discover", "initialize"]);
    }
}

#[test]
fn logins_and_failures_turn_nobody_to_another_era() {
    for (reply, code) in [
        (Reply::status(401), "E-LOGIN"),
        (Reply::status(403), "E-LOGIN"),
        (Reply::status(500), "E-HTTP-STATUS"),
        (Reply::new(200, "text/html", "<html>"), "E-CONTENT-TYPE"),
        (Reply::status(302).header("Location", "/login"), "E-REDIRECT"),
    ] {
        for era in [EraChoice::default(), MODERN_FIRST] {
            let reply = reply.clone();
            let web = Web::start(move |request| match request.path.as_str() {
                "/mcp" => reply.clone(),
                _ => Reply::status(404),
            });
            assert_eq!(in_era(&web, era).failed().code(), code);
            let asked = web.asked().into_iter().filter(|word| !word.starts_with("GET /.well-known")).count();
            assert_eq!(asked, 1, "{:?}", web.asked());
        }
    }
}

#[test]
fn an_era_that_was_chosen_is_kept() {
    let web = Web::start(|request| match request.rpc().as_str() {
        "server/discover" => Reply::new(400, "text/plain", "no session"),
        _ => ordinary(request),
    });
    let error = in_era(&web, EraChoice::Only(Era::Modern)).failed();
    assert_eq!(error.to_string(), "handshake: the server answered server/discover with HTTP 400: no session");
    assert_eq!(web.asked(), ["server/discover"]);
    let web = Web::start(modern);
    assert!(in_era(&web, EraChoice::Only(Era::Legacy)).run().is_err());
    assert!(!web.asked().contains(&"server/discover".to_owned()));
}
