//! Proxies from the environment.
//!
//! Built from data, not from this process's environment: what a capture does depends on what it is given.

use crate::capture::remote::Proxies;
use reqwest::{NoProxy, Proxy, Url};

/// Hosts that no proxy could reach for us: this very machine.
const HERE: &str = "localhost,127.0.0.0/8,::1";

/// The proxies as the client takes them; none for this very machine.
///
/// # Errors
/// A variable that names no proxy. The text quotes nothing, because a proxy's URL may hold a password.
pub(super) fn all(proxies: &Proxies) -> Result<Vec<Proxy>, String> {
    let direct = proxies.direct.as_deref().map_or_else(|| HERE.to_owned(), |direct| format!("{direct},{HERE}"));
    let direct = NoProxy::from_string(&direct);
    type Make = fn(Url) -> reqwest::Result<Proxy>;
    let kinds: [(Make, _, _); 2] =
        [(Proxy::http, "HTTP_PROXY", &proxies.http), (Proxy::https, "HTTPS_PROXY", &proxies.https)];
    let mut all = Vec::new();
    for (make, variable, text) in kinds {
        let Some(text) = text else { continue };
        let proxy = parse(text).and_then(|url| make(url).ok());
        let proxy = proxy.ok_or_else(|| format!("{variable} (or ALL_PROXY) names no proxy that can be used"))?;
        all.push(proxy.no_proxy(direct.clone()));
    }
    Ok(all)
}

/// `http://proxy:3128`, or `proxy:3128` as curl takes it.
fn parse(text: &str) -> Option<Url> {
    let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url = Url::parse(&text).ok()?;
    let known = matches!(url.scheme(), "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h");
    (known && url.host_str().is_some_and(|host| !host.is_empty())).then_some(url)
}

/// The passwords of the proxies, which no message may show.
pub(super) fn passwords(proxies: &Proxies) -> Vec<(&'static str, String)> {
    let of = |text: &Option<String>| text.as_deref().and_then(parse).and_then(|url| url.password().map(str::to_owned));
    let both = [("HTTP_PROXY", of(&proxies.http)), ("HTTPS_PROXY", of(&proxies.https))];
    both.into_iter()
        .filter_map(|(name, password)| Some((name, password?)))
        .flat_map(|(name, password)| [(name, decoded(&password)), (name, password)])
        .collect()
}

/// Percent escapes resolved, as user and password stand in a URL.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit =
        |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16)).and_then(|d| u8::try_from(d).ok());
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_read_as_curl_reads_them() {
        for text in ["http://proxy.test:3128", "proxy.test:3128", "socks5h://proxy.test:1080", "https://u:p@proxy.test"]
        {
            assert!(parse(text).is_some(), "{text}");
        }
        for text in ["", "ftp://proxy.test", "http://", "://"] {
            assert!(parse(text).is_none(), "{text}");
        }
        let proxies = Proxies { http: Some("http://u:a%2Fb%@p.test".into()), ..Proxies::default() };
        let passwords: Vec<String> = passwords(&proxies).into_iter().map(|(_, password)| password).collect();
        assert!(passwords.contains(&"a/b%".to_owned()), "{passwords:?}");
        assert!(
            all(&Proxies { https: Some("ftp://u:secret@x".into()), ..Proxies::default() })
                .is_err_and(|e| !e.contains("secret"))
        );
    }
}
