//! Access tokens by the grant type `client_credentials` (RFC 6749, section 4.4), for machines that have no user.
//!
//! The server says which authorization server it believes, so a hostile one could ask for the secret to be sent
//! somewhere else. Therefore the secret only goes to `https` (or to this very machine), to an authorization server whose
//! own metadata names it, and, where the user said which one that is (`--oauth-issuer`), to no other. The token is asked
//! for this server alone (RFC 8707) and lives in memory only.

use super::address::{may_hold_secrets, same_origin};
use super::challenge::Challenge;
use super::client::{Call, Client};
use super::discovery::{self, Issuer, Resource};
use crate::capture::redact::{Quoter, Redactor};
use crate::capture::remote::{ClientCredentials, HttpError, is_header_value};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, Url};
use serde::Deserialize;

/// Bytes of an answer of a token endpoint.
const LARGEST: usize = 64 << 10;
/// How often one capture asks for a token: tokens may expire, but not all the time.
const MOST_TOKENS: usize = 3;

/// The token that is used now, and how it is renewed.
pub(super) struct Tokens {
    credentials: ClientCredentials,
    state: tokio::sync::Mutex<State>,
}

#[derive(Default)]
struct State {
    token: Option<HeaderValue>,
    /// How many tokens there were.
    generation: usize,
}

/// A token as a header, and which one it is.
#[derive(Clone)]
pub(super) struct Token {
    pub(super) header: Option<HeaderValue>,
    pub(super) generation: usize,
}

/// What getting a token needs from its surroundings.
pub(super) struct Surroundings<'a> {
    pub(super) client: &'a Client,
    pub(super) server: &'a Url,
    pub(super) quoter: &'a Quoter,
    pub(super) secrets: &'a Redactor,
}

#[derive(Deserialize)]
struct Answer {
    access_token: Option<String>,
    token_type: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
}

impl Tokens {
    pub(super) fn new(credentials: ClientCredentials) -> Self {
        Self { credentials, state: tokio::sync::Mutex::default() }
    }

    pub(super) async fn current(&self) -> Token {
        let state = self.state.lock().await;
        Token { header: state.token.clone(), generation: state.generation }
    }

    /// A newer token than the given generation. Says, the first time, who got the secret.
    ///
    /// # Errors
    /// None could be had, or there were too many already.
    pub(super) async fn renew(
        &self,
        refused: usize,
        challenge: Option<&Challenge>,
        at: &Surroundings<'_>,
    ) -> Result<Option<String>, HttpError> {
        // Whoever comes second waits, and finds it done.
        let mut state = self.state.lock().await;
        if state.generation > refused {
            return Ok(None);
        }
        if state.generation >= MOST_TOKENS {
            return Err(failed("the server", format!("it refused {MOST_TOKENS} tokens, each fresh")));
        }
        let (issuer, resource, scopes) = self.issuer(challenge, at).await?;
        let endpoint = self.endpoint(&issuer, at)?;
        let token = self.ask(&issuer, &endpoint, &resource, scopes.as_deref(), at).await?;
        at.secrets.learn([("the access token", token.as_str())]);
        let mut header = HeaderValue::from_str(&format!("Bearer {token}"))
            .map_err(|_| failed("the token endpoint", "its token cannot be sent in a header".into()))?;
        header.set_sensitive(true);
        state.token = Some(header);
        state.generation += 1;
        let unasked = self.credentials.issuer.is_none() && state.generation == 1;
        Ok(unasked.then(|| {
            let issuer = at.quoter.quote(&issuer.issuer);
            format!(
                "the client secret was sent to {issuer}, which the server named as its authorization server; \
                 --oauth-issuer {issuer} makes sure that nobody else ever gets it"
            )
        }))
    }

    /// The authorization server, what the token is for, and the scopes to ask for.
    async fn issuer(
        &self,
        challenge: Option<&Challenge>,
        at: &Surroundings<'_>,
    ) -> Result<(Issuer, String, Option<String>), HttpError> {
        let resource = discovery::resource(at.client, at.server, challenge).await.map(|(_, resource)| resource);
        // Before RFC 9728 the server was its own authorization server.
        let resource = resource.unwrap_or_else(|| Resource {
            authorization_servers: vec![at.server.origin().ascii_serialization()],
            ..Resource::default()
        });
        let identifier = identifier(at.server, resource.resource.as_deref()).ok_or_else(|| {
            let claimed = at.quoter.quote(resource.resource.as_deref().unwrap_or_default());
            failed("the server's metadata", format!("it is about another resource, {claimed}"))
        })?;
        let named = self.choose(&resource.authorization_servers, at)?;
        let shown = at.quoter.quote(named.as_str());
        if !may_hold_secrets(&named, at.server) {
            return Err(failed(&shown, "a secret is only sent over https".into()));
        }
        let issuer = discovery::issuer(at.client, at.server, &named).await;
        let issuer = issuer.ok_or_else(|| failed(&shown, "no metadata (RFC 8414) of it was found".into()))?;
        let challenged = challenge.and_then(|challenge| challenge.get("scope")).map(str::to_owned);
        let scopes = self.credentials.scope.clone().or(challenged);
        let scopes = scopes.or_else(|| resource.scopes_supported.map(|scopes| scopes.join(" ")));
        Ok((issuer, identifier, scopes.filter(|scopes| !scopes.is_empty())))
    }

    /// The one that the user named, if the server names it too; else the server's first.
    fn choose(&self, named: &[String], at: &Surroundings<'_>) -> Result<Url, HttpError> {
        let trimmed = |text: &str| text.trim_end_matches('/').to_owned();
        let chosen = match &self.credentials.issuer {
            Some(wanted) => named.iter().find(|name| trimmed(name) == trimmed(wanted)),
            None => named.first(),
        };
        let Some(chosen) = chosen else {
            let named: Vec<String> = named.iter().take(3).map(|name| at.quoter.quote(name)).collect();
            let problem = match named.is_empty() {
                true => "it names no authorization server".to_owned(),
                false => format!("it names {}, not the one of --oauth-issuer", named.join(", ")),
            };
            return Err(failed("the server's metadata", problem));
        };
        Url::parse(chosen).map_err(|_| failed(&at.quoter.quote(chosen), "it is no URL".into()))
    }

    fn endpoint(&self, issuer: &Issuer, at: &Surroundings<'_>) -> Result<Url, HttpError> {
        let shown = at.quoter.quote(&issuer.issuer);
        if let Some(grants) = &issuer.grant_types_supported
            && !grants.iter().any(|grant| grant == "client_credentials")
        {
            return Err(failed(&shown, "it does not offer the grant type client_credentials".into()));
        }
        let endpoint = issuer.token_endpoint.as_deref().and_then(|endpoint| Url::parse(endpoint).ok());
        let endpoint = endpoint.ok_or_else(|| failed(&shown, "its metadata names no token endpoint".into()))?;
        match may_hold_secrets(&endpoint, at.server) {
            true => Ok(endpoint),
            false => Err(failed(&shown, "its token endpoint is not behind https".into())),
        }
    }

    async fn ask(
        &self,
        issuer: &Issuer,
        endpoint: &Url,
        resource: &str,
        scopes: Option<&str>,
        at: &Surroundings<'_>,
    ) -> Result<String, HttpError> {
        let shown = at.quoter.quote(endpoint.as_str());
        let (id, secret) = (self.credentials.id.reveal(), self.credentials.secret.reveal());
        let mut form = vec![("grant_type", "client_credentials"), ("resource", resource)];
        form.extend(scopes.map(|scopes| ("scope", scopes)));
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        let mut basic = None;
        match way_to_prove(issuer) {
            Some(Proof::Basic) => basic = Some((encoded_value(id), encoded_value(secret))),
            Some(Proof::Post) => form.extend([("client_id", id), ("client_secret", secret)]),
            None => return Err(failed(&shown, "it takes neither client_secret_basic nor client_secret_post".into())),
        }
        let body = Some(encoded(&form).into_bytes());
        let call =
            Call { what: "the token request", method: Method::POST, url: endpoint.clone(), headers, basic, body };
        // A redirect is only followed within the authorization server itself.
        let (response, _) = at.client.send(&call).await?;
        let status = response.status().as_u16();
        let body = discovery::read(at.client, call.what, response, LARGEST).await?;
        let answer: Option<Answer> = serde_json::from_slice(&body).ok();
        if let Some(error) = answer.as_ref().and_then(|answer| answer.error.as_deref()) {
            let description = answer.as_ref().and_then(|answer| answer.error_description.as_deref());
            let described = description.map_or_else(String::new, |text| format!(" ({})", at.quoter.quote(text)));
            return Err(failed(&shown, format!("{}{described}", at.quoter.quote(error))));
        }
        match answer {
            Some(Answer { access_token: Some(token), token_type, .. }) if status == 200 => {
                let bearer = token_type.as_deref().is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
                match bearer && is_header_value(&token) && !token.trim().is_empty() {
                    true => Ok(token),
                    false => Err(failed(&shown, "its token is no bearer token".into())),
                }
            }
            _ => Err(failed(&shown, format!("it answered with HTTP {status} and no token"))),
        }
    }
}

enum Proof {
    Basic,
    Post,
}

/// How the client proves itself: as the standard prefers, and by default (RFC 8414, section 2).
fn way_to_prove(issuer: &Issuer) -> Option<Proof> {
    let Some(methods) = &issuer.token_endpoint_auth_methods_supported else { return Some(Proof::Basic) };
    let offers = |wanted: &str| methods.iter().any(|method| method == wanted);
    match (offers("client_secret_basic"), offers("client_secret_post")) {
        (true, _) => Some(Proof::Basic),
        (false, true) => Some(Proof::Post),
        (false, false) => None,
    }
}

/// What the token is asked for: the URL of the server, or the part of it that its metadata names. `None` where the
/// metadata is about something else: a token for another server must not end up with this one.
fn identifier(server: &Url, claimed: Option<&str>) -> Option<String> {
    let Some(claimed) = claimed else {
        let mut own = server.clone();
        own.set_query(None);
        return Some(own.into());
    };
    let url = Url::parse(claimed).ok()?;
    let (part, whole) = (url.path().trim_end_matches('/'), server.path());
    let within = whole.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    (same_origin(&url, server) && within).then(|| claimed.to_owned())
}

/// `application/x-www-form-urlencoded`.
fn encoded(form: &[(&str, &str)]) -> String {
    // The URL type has the only encoder at hand; the rest of this URL is not used.
    let url = Url::parse_with_params("http://form.invalid/", form);
    url.ok().and_then(|url| url.query().map(str::to_owned)).unwrap_or_default()
}

/// One value as it stands in such a form, and in the Basic scheme of a client (RFC 6749, section 2.3.1).
fn encoded_value(text: &str) -> String {
    encoded(&[("", text)]).trim_start_matches('=').to_owned()
}

fn failed(step: &str, problem: String) -> HttpError {
    HttpError::OAuth { step: step.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_encoded() {
        assert_eq!(encoded(&[("a", "x y"), ("b", "ä&")]), "a=x+y&b=%C3%A4%26");
        assert_eq!(encoded_value("s:e&c=%"), "s%3Ae%26c%3D%25");
    }

    #[test]
    fn a_token_is_only_asked_for_this_server() {
        let server = Url::parse("https://a.test/x/mcp?tenant=1").expect("a URL");
        for (claimed, want) in [
            (None, Some("https://a.test/x/mcp")),
            (Some("https://a.test/x/mcp"), Some("https://a.test/x/mcp")),
            (Some("https://a.test/x"), Some("https://a.test/x")),
            (Some("https://a.test"), Some("https://a.test")),
            (Some("https://a.test/x/m"), None),
            (Some("https://b.test/x/mcp"), None),
            (Some("nothing"), None),
        ] {
            assert_eq!(identifier(&server, claimed).as_deref(), want, "{claimed:?}");
        }
    }
}
