//! Documents that say where a login is to be had: protected resource metadata (RFC 9728) and authorization server
//! metadata (RFC 8414, or OpenID Connect).
//!
//! They are written by whoever runs the server, and fetched without any credential of the user.

use super::address::may_fetch;
use super::challenge::Challenge;
use super::client::{Call, Client};
use crate::capture::remote::HttpError;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Method, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// Bytes of one document.
const LARGEST: usize = 256 << 10;
/// Time for one document.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a server says about itself as a protected resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Resource {
    pub(super) resource: Option<String>,
    #[serde(default)]
    pub(super) authorization_servers: Vec<String>,
    pub(super) scopes_supported: Option<Vec<String>>,
}

/// What an authorization server says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Issuer {
    pub(super) issuer: String,
    pub(super) token_endpoint: Option<String>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    pub(super) grant_types_supported: Option<Vec<String>>,
}

/// Where the metadata of a resource may stand: where the challenge says, then the places that the standard names.
pub(super) fn resource_addresses(server: &Url, challenge: Option<&Challenge>) -> Vec<Url> {
    let named = challenge.and_then(|challenge| challenge.get("resource_metadata")).and_then(|url| Url::parse(url).ok());
    let path = server.path().trim_end_matches('/');
    let mut all: Vec<Url> = named.into_iter().collect();
    for suffix in [path, ""] {
        all.extend(well_known(server, "oauth-protected-resource", suffix));
    }
    all.dedup();
    all
}

/// The first of the addresses that has the document.
pub(super) async fn resource(client: &Client, server: &Url, challenge: Option<&Challenge>) -> Option<(Url, Resource)> {
    for address in resource_addresses(server, challenge) {
        if let Some(found) = fetch::<Resource>(client, server, &address).await {
            return Some((address, found));
        }
    }
    None
}

/// The metadata of an authorization server: both standards, path first and last.
pub(super) async fn issuer(client: &Client, server: &Url, issuer: &Url) -> Option<Issuer> {
    let path = issuer.path().trim_end_matches('/');
    let mut addresses: Vec<Url> = Vec::new();
    addresses.extend(well_known(issuer, "oauth-authorization-server", path));
    addresses.extend(well_known(issuer, "openid-configuration", path));
    addresses.extend(issuer.join(&format!("{path}/.well-known/openid-configuration")).ok());
    addresses.dedup();
    for address in addresses {
        if let Some(found) = fetch::<Issuer>(client, server, &address).await {
            // Otherwise one server could pass for another (RFC 8414, section 3.3).
            if found.issuer.trim_end_matches('/') == issuer.as_str().trim_end_matches('/') {
                return Some(found);
            }
        }
    }
    None
}

fn well_known(base: &Url, name: &str, path: &str) -> Option<Url> {
    base.join(&format!("/.well-known/{name}{path}")).ok()
}

/// A small JSON document, or `None` whatever the reason: there are other places to look.
async fn fetch<T: DeserializeOwned>(client: &Client, server: &Url, address: &Url) -> Option<T> {
    if !may_fetch(address, server) {
        return None;
    }
    let fetching = async {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let what = "metadata";
        let call = Call { what, method: Method::GET, url: address.clone(), headers, basic: None, body: None };
        let (response, _) = client.send(&call).await?;
        if response.status().as_u16() != 200 {
            return Ok(None);
        }
        let body = read(client, what, response, LARGEST).await?;
        Ok::<_, HttpError>(serde_json::from_slice(&body).ok())
    };
    tokio::time::timeout(PATIENCE, fetching).await.ok()?.ok()?
}

/// The body of a response, as far as the limit goes.
pub(super) async fn read(
    client: &Client,
    what: &str,
    mut response: reqwest::Response,
    limit: usize,
) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| client.broken(what, &error))? {
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            break;
        }
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_looked_for_where_the_challenge_and_the_standard_say() {
        let server = Url::parse("https://a.test/x/mcp?tenant=1").expect("a URL");
        let addresses = |challenge: Option<&Challenge>| -> Vec<String> {
            resource_addresses(&server, challenge).into_iter().map(String::from).collect()
        };
        let standard = [
            "https://a.test/.well-known/oauth-protected-resource/x/mcp",
            "https://a.test/.well-known/oauth-protected-resource",
        ];
        assert_eq!(addresses(None), standard);
        let header: &[u8] = br#"Bearer resource_metadata="https://b.test/m""#;
        let challenge = Challenge::best([header]);
        assert_eq!(addresses(challenge.as_ref()), [&["https://b.test/m"], &standard[..]].concat());
        let root = Url::parse("https://a.test/").expect("a URL");
        assert_eq!(resource_addresses(&root, None).len(), 1);
    }
}
