//! OAuth client credentials: how a token is had, and who never gets the secret.

use super::{Ask, ordinary};
use crate::support::web::{Reply, Request, Web};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use warden::capture::remote::{ClientCredentials, Secret};

const SECRET: &str = "s3cret&with:odd%chars";
const AS_METADATA: &str = "/.well-known/oauth-authorization-server";

fn ask(web: &Web, change: impl FnOnce(&mut ClientCredentials)) -> Ask {
    let mut credentials =
        ClientCredentials { id: Secret::new("client 1"), secret: Secret::new(SECRET), scope: None, issuer: None };
    change(&mut credentials);
    Ask::at(web).remote(|remote| {
        remote.secrets.learn([("SECRET", SECRET)]);
        remote.client_credentials = Some(credentials);
    })
}

/// A server that believes the authorization server at `issuer`, and takes the tokens `token-N-abcdef` from number
/// `first` on.
pub(super) fn resource(issuer: &str, first: usize) -> impl Fn(&Request) -> Reply + Send + Sync + 'static + use<> {
    let issuer = issuer.to_owned();
    move |request| {
        let host = request.header("host").unwrap_or_default();
        if request.path.starts_with("/.well-known/oauth-protected-resource") {
            return Reply::json(
                200,
                &format!(
                    r#"{{"resource":"http://{host}/mcp","authorization_servers":["{issuer}"],"scopes_supported":["a","b"]}}"#
                ),
            );
        }
        let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer token-"));
        let number = token.and_then(|rest| rest.split('-').next()?.parse::<usize>().ok());
        match number {
            Some(number) if number >= first => ordinary(request),
            _ => Reply::status(401).header("WWW-Authenticate", "Bearer error=\"invalid_token\""),
        }
    }
}

/// An authorization server that hands out `token-1-abcdef`, `token-2-abcdef` and so on.
pub(super) fn authorization(methods: &'static str) -> Web {
    let issued = Arc::new(AtomicUsize::new(0));
    Web::start(move |request| {
        let host = request.header("host").unwrap_or_default();
        match request.path.as_str() {
            AS_METADATA => Reply::json(
                200,
                &format!(r#"{{"issuer":"http://{host}","token_endpoint":"http://{host}/token"{methods}}}"#),
            ),
            "/token" => {
                let number = issued.fetch_add(1, Ordering::SeqCst) + 1;
                Reply::json(200, &format!(r#"{{"access_token":"token-{number}-abcdef","token_type":"bearer"}}"#))
            }
            _ => Reply::status(404),
        }
    })
}

#[test]
fn a_token_is_had_for_this_server_and_used_for_everything() {
    let issuer = authorization("");
    let web = Web::start(resource(&issuer.url(""), 1));
    let captured = ask(&web, |_| {}).captured();
    assert_eq!(captured.surface.tools.len(), 1);
    let note = format!("the client secret was sent to {}, which the server named", issuer.url(""));
    assert!(captured.warnings[0].starts_with(&note), "{:?}", captured.warnings);
    let asked: Vec<Request> = issuer.requests().into_iter().filter(|request| request.path == "/token").collect();
    let [token] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(token.header("content-type"), Some("application/x-www-form-urlencoded"));
    let port = web.port;
    assert_eq!(
        token.body,
        format!("grant_type=client_credentials&resource=http%3A%2F%2F127.0.0.1%3A{port}%2Fmcp&scope=a+b")
    );
    // Form-encoded before the Basic scheme: "client+1:s3cret%26with%3Aodd%25chars".
    assert_eq!(token.header("authorization"), Some("Basic Y2xpZW50KzE6czNjcmV0JTI2d2l0aCUzQW9kZCUyNWNoYXJz"));
    // The first request asks without; the secret never goes to the server itself.
    let seen = web.requests();
    assert_eq!((seen[0].rpc().as_str(), seen[0].header("authorization")), ("initialize", None));
    assert!(seen.iter().filter(|request| request.method == "POST").skip(1).all(|request| {
        request.header("authorization") == Some("Bearer token-1-abcdef") && !request.body.contains("s3cret")
    }));
}

#[test]
fn the_secret_stands_in_the_form_where_the_server_wants_it_there() {
    let issuer = authorization(r#","token_endpoint_auth_methods_supported":["client_secret_post","private_key_jwt"]"#);
    let web = Web::start(resource(&issuer.url(""), 1));
    ask(&web, |credentials| credentials.scope = Some("only this".to_owned())).captured();
    let token = issuer.requests().into_iter().find(|request| request.path == "/token").expect("a token request");
    assert_eq!(token.header("authorization"), None);
    assert!(token.body.ends_with("&scope=only+this&client_id=client+1&client_secret=s3cret%26with%3Aodd%25chars"));

    let issuer = authorization(r#","token_endpoint_auth_methods_supported":["private_key_jwt"]"#);
    let web = Web::start(resource(&issuer.url(""), 1));
    let error = ask(&web, |_| {}).failed();
    assert_eq!(error.code(), "E-OAUTH");
    assert!(error.to_string().contains("neither client_secret_basic nor client_secret_post"), "{error}");
    let issuer = authorization(r#","grant_types_supported":["authorization_code"]"#);
    let web = Web::start(resource(&issuer.url(""), 1));
    assert!(ask(&web, |_| {}).failed().to_string().contains("does not offer the grant type"));
}

#[test]
fn a_token_that_is_refused_is_renewed_once() {
    let issuer = authorization("");
    let web = Web::start(resource(&issuer.url(""), 2));
    // The first token is refused with the very request it was had for.
    let error = ask(&web, |_| {}).failed();
    assert_eq!(error.code(), "E-LOGIN");
    assert!(error.to_string().contains("refused the credentials"), "{error}");
    // One that expires in between is replaced.
    let issuer = authorization("");
    let (first, second) = (resource(&issuer.url(""), 1), resource(&issuer.url(""), 2));
    let web = Web::start(move |request| if request.rpc() == "tools/list" { second(request) } else { first(request) });
    assert_eq!(ask(&web, |_| {}).tools(), ["alpha"]);
}

#[test]
fn without_metadata_the_server_is_its_own_authorization_server() {
    let web = Web::start(|request| {
        let host = request.header("host").unwrap_or_default();
        match request.path.as_str() {
            AS_METADATA => {
                Reply::json(200, &format!(r#"{{"issuer":"http://{host}/","token_endpoint":"http://{host}/t"}}"#))
            }
            "/t" => Reply::json(200, r#"{"access_token":"token-1-abcdef"}"#),
            "/mcp" if request.header("authorization") == Some("Bearer token-1-abcdef") => ordinary(request),
            "/mcp" => Reply::status(401),
            _ => Reply::status(404),
        }
    });
    assert_eq!(ask(&web, |_| {}).tools(), ["alpha"]);
}

#[test]
fn the_secret_goes_nowhere_else() {
    let honest = authorization("");
    let hostile = authorization("");
    let claims = |issuer: String, name: &str| {
        let (issuer, name) = (issuer, name.to_owned());
        Web::start(move |request| match request.path.as_str() {
            "/mcp" => Reply::status(401),
            path if path.contains("protected-resource") => {
                let host = request.header("host").unwrap_or_default();
                let resource = if name.is_empty() { format!("http://{host}/mcp") } else { name.clone() };
                Reply::json(200, &format!(r#"{{"resource":"{resource}","authorization_servers":["{issuer}"]}}"#))
            }
            _ => Reply::status(404),
        })
    };
    // The user knows who may have it.
    let web = claims(hostile.url(""), "");
    let error = ask(&web, |credentials| credentials.issuer = Some(honest.url("/"))).failed();
    assert_eq!(error.code(), "E-OAUTH");
    assert!(error.to_string().contains("not the one of --oauth-issuer"), "{error}");
    // A token for another resource would end up with this server.
    let web = claims(honest.url(""), "https://bank.test/mcp");
    let error = ask(&web, |_| {}).failed();
    assert!(error.to_string().contains("another resource, https://bank.test/mcp"), "{error}");
    // Nobody can listen.
    let web = claims("http://auth.invalid".to_owned(), "");
    let error = ask(&web, |_| {}).failed();
    assert!(error.to_string().contains("only sent over https"), "{error}");
    // One authorization server passes for another.
    let impostor = Web::start(|request| match request.path.as_str() {
        AS_METADATA => Reply::json(200, r#"{"issuer":"https://honest.test","token_endpoint":"https://honest.test/t"}"#),
        _ => Reply::status(404),
    });
    let web = claims(impostor.url(""), "");
    assert!(ask(&web, |_| {}).failed().to_string().contains("no metadata"));
    // Its token endpoint is elsewhere in the clear, or redirects.
    for endpoint in ["http://elsewhere.invalid/token".to_owned(), "moved".to_owned()] {
        let target = hostile.url("/token");
        let issuer = Web::start(move |request| {
            let host = request.header("host").unwrap_or_default();
            let endpoint = if endpoint == "moved" { format!("http://{host}/token") } else { endpoint.clone() };
            match request.path.as_str() {
                AS_METADATA => {
                    Reply::json(200, &format!(r#"{{"issuer":"http://{host}","token_endpoint":"{endpoint}"}}"#))
                }
                _ => Reply::status(307).header("Location", target.clone()),
            }
        });
        let web = claims(issuer.url(""), "");
        let code = ask(&web, |_| {}).failed().code();
        assert!(matches!(code, "E-OAUTH" | "E-REDIRECT"), "{code}");
    }
    assert!(honest.requests().iter().chain(&hostile.requests()).all(|request| request.path != "/token"));
}

#[test]
fn what_a_token_endpoint_says_is_quoted_and_its_token_never() {
    for (status, body, told) in [
        (
            400,
            r#"{"error":"invalid_client","error_description":"no \u001b such s3cret&with:odd%chars"}"#,
            "invalid_client (no ⟨ESC⟩ such [value of SECRET])",
        ),
        (200, "{}", "HTTP 200 and no token"),
        (500, "<html>", "HTTP 500 and no token"),
        (200, r#"{"access_token":"a\r\nX: y"}"#, "no bearer token"),
        (200, r#"{"access_token":"abcdefgh","token_type":"mac"}"#, "no bearer token"),
    ] {
        let issuer = Web::start(move |request| {
            let host = request.header("host").unwrap_or_default();
            match request.path.as_str() {
                AS_METADATA => {
                    Reply::json(200, &format!(r#"{{"issuer":"http://{host}","token_endpoint":"http://{host}/token"}}"#))
                }
                "/token" => Reply::json(status, body),
                _ => Reply::status(404),
            }
        });
        let web = Web::start(resource(&issuer.url(""), 1));
        let error = ask(&web, |_| {}).failed();
        assert_eq!(error.code(), "E-OAUTH");
        assert!(error.to_string().contains(told), "{error}");
    }
    // A server that repeats its token.
    let issuer = authorization("");
    let inner = resource(&issuer.url(""), 1);
    let web = Web::start(move |request| match request.rpc().as_str() {
        "tools/list" => {
            let token = request.header("authorization").unwrap_or_default();
            Reply::json(400, &format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":1,"message":"no {token}"}}}}"#))
        }
        _ => inner(request),
    });
    let text = ask(&web, |_| {}).failed().to_string();
    assert!(text.ends_with("1: no Bearer [value of the access token]"), "{text}");
}
