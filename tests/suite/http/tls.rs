//! TLS with a private authority, and proxies.

use super::{Ask, ordinary};
use crate::support::web::{Reply, Web};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use warden::capture::remote::Proxies;

/// Authorities of one name would differ in their keys only, and be told apart by nothing but a bad signature.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// A throw-away authority.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        let number = MADE.fetch_add(1, Ordering::SeqCst);
        params.distinguished_name.push(DnType::CommonName, format!("authority {number} of a test"));
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority"))
    }

    fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    fn server(&self, name: &str, expired: bool) -> rustls::ServerConfig {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        if expired {
            params.not_before = date_time_ymd(2000, 1, 1);
            params.not_after = date_time_ymd(2001, 1, 1);
        }
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a configuration")
    }
}

fn trusting(web: &Web, authority: &Authority) -> Ask {
    Ask::at(web).remote(|remote| remote.authorities.push(authority.pem()))
}

#[test]
fn an_authority_of_ones_own_is_believed_where_it_is_named() {
    let authority = Authority::new();
    let web = Web::start_tls(authority.server("127.0.0.1", false), ordinary);
    assert_eq!(trusting(&web, &authority).tools(), ["alpha"]);
    let place = format!("127.0.0.1:{}", web.port);
    // Nothing but the handshake is sent to a server that is not believed.
    let before = web.requests().len();
    for ask in [Ask::at(&web), trusting(&web, &Authority::new())] {
        let error = ask.header("Authorization", "Bearer sesame-sesame").failed();
        assert_eq!(error.code(), "E-TLS");
        let want = format!(
            "handshake: no secure connection to {place}: its certificate comes from an authority that is not trusted here"
        );
        assert_eq!(error.to_string(), want);
        assert!(error.hint().is_some_and(|hint| hint.contains("--cacert")));
    }
    assert_eq!(web.requests().len(), before);
}

#[test]
fn certificates_are_for_a_name_and_a_time() {
    let authority = Authority::new();
    for (name, expired, reason) in [
        ("other.test", false, "its certificate is for another name"),
        ("127.0.0.1", true, "its certificate has expired"),
    ] {
        let web = Web::start_tls(authority.server(name, expired), ordinary);
        let error = trusting(&web, &authority).failed();
        assert_eq!(error.code(), "E-TLS");
        assert!(error.to_string().ends_with(reason), "{error}");
    }
    let web = Web::start(ordinary);
    let error = Ask::new(format!("https://127.0.0.1:{}/mcp", web.port)).failed();
    assert_eq!(error.code(), "E-TLS");
    assert!(error.to_string().ends_with("the other side ended the handshake"), "{error}");
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        std::thread::sleep(std::time::Duration::from_secs(1));
    });
    let error = Ask::new(format!("https://127.0.0.1:{port}/mcp")).failed();
    assert!(error.to_string().ends_with("does not speak TLS"), "{error}");
}

#[test]
fn a_redirect_out_of_tls_is_not_followed() {
    let authority = Authority::new();
    let plain = Web::start(ordinary);
    let target = plain.url("/mcp");
    let web = Web::start_tls(authority.server("127.0.0.1", false), move |_| {
        Reply::status(307).header("Location", target.clone())
    });
    let error = trusting(&web, &authority).header("Authorization", "Bearer sesame-sesame").failed();
    assert_eq!(error.code(), "E-REDIRECT");
    assert!(plain.requests().is_empty());
}

#[test]
fn a_proxy_is_asked_for_other_machines_only() {
    // Answers in place of the server, as a proxy may over http.
    let proxy = Web::start(ordinary);
    let proxies = |text: String| Proxies { http: Some(text), ..Proxies::default() };
    let through = format!("http://user:pass%20word@127.0.0.1:{}", proxy.port);
    let ask = Ask::new("http://mcp.invalid/mcp".to_owned()).remote(|remote| remote.proxies = proxies(through.clone()));
    assert_eq!(ask.tools(), ["alpha"]);
    let first = proxy.requests().remove(0);
    assert_eq!(first.path, "http://mcp.invalid/mcp");
    assert_eq!(first.header("proxy-authorization"), Some("Basic dXNlcjpwYXNzIHdvcmQ="));
    // This machine is reached directly, and so is what NO_PROXY names.
    let web = Web::start(ordinary);
    let before = proxy.requests().len();
    Ask::at(&web).remote(|remote| remote.proxies = proxies(through.clone())).captured();
    let mut direct = proxies(through.clone());
    direct.direct = Some("example.test,.invalid".to_owned());
    let error = Ask::new("http://mcp.invalid/mcp".to_owned()).remote(|remote| remote.proxies = direct).failed();
    assert_eq!(error.code(), "E-CONNECT");
    assert_eq!(proxy.requests().len(), before);
}

#[test]
fn a_proxy_that_fails_is_named_without_its_password() {
    let dead = "http://user:sesame-sesame@127.0.0.1:9".to_owned();
    for (url, proxies) in [
        ("http://mcp.invalid/mcp", Proxies { http: Some(dead.clone()), ..Proxies::default() }),
        ("https://mcp.invalid/mcp", Proxies { https: Some(dead), ..Proxies::default() }),
        ("http://mcp.invalid/mcp", Proxies { http: Some("ftp://u:sesame-sesame@x".to_owned()), ..Proxies::default() }),
    ] {
        let error = Ask::new(url.to_owned()).remote(|remote| remote.proxies = proxies).failed();
        assert_eq!(error.code(), "E-CONNECT", "{error}");
        assert!(!format!("{error} {error:?}").contains("sesame"), "{error:?}");
    }
    let refusing = Web::start(|_| Reply::status(407));
    let proxies = Proxies { https: Some(refusing.url("")), ..Proxies::default() };
    let error = Ask::new("https://mcp.invalid/mcp".to_owned()).remote(|remote| remote.proxies = proxies).failed();
    assert_eq!(error.code(), "E-CONNECT", "{error}");
    assert_eq!(refusing.asked(), ["CONNECT mcp.invalid:443"; 3]);
}

#[test]
fn credentials_in_the_clear_are_told() {
    let proxy = Web::start(ordinary);
    let proxies = Proxies { http: Some(proxy.url("")), ..Proxies::default() };
    let ask = Ask::new("http://mcp.invalid/mcp".to_owned()).remote(|remote| remote.proxies = proxies);
    let captured = ask.header("Authorization", "Bearer sesame-sesame").captured();
    assert!(captured.warnings[0].contains("over http: everybody on the way can read them"), "{:?}", captured.warnings);
}

#[test]
fn socks_proxies_are_spoken_to() {
    use std::io::{Read, Write};
    let web = Web::start(ordinary);
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let through = format!("socks5h://127.0.0.1:{}", listener.local_addr().expect("an address").port());
    let port = web.port;
    std::thread::spawn(move || {
        while let Ok((mut client, _)) = listener.accept() {
            let mut greeting = [0; 3];
            client.read_exact(&mut greeting).expect("a greeting");
            client.write_all(&[5, 0]).expect("no password");
            let mut head = [0; 5];
            client.read_exact(&mut head).expect("a request");
            // A name, which the proxy looks up.
            let mut name = vec![0; usize::from(head[4]) + 2];
            client.read_exact(&mut name).expect("a name and a port");
            assert!(name.starts_with(b"mcp.invalid"));
            client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0]).expect("success");
            let mut server = std::net::TcpStream::connect(("127.0.0.1", port)).expect("the server");
            let (mut from, mut to) = (client.try_clone().expect("a clone"), server.try_clone().expect("a clone"));
            std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            std::thread::spawn(move || std::io::copy(&mut server, &mut client));
        }
    });
    let proxies = Proxies { http: Some(through), ..Proxies::default() };
    let ask = Ask::new("http://mcp.invalid/mcp".to_owned()).remote(|remote| remote.proxies = proxies);
    assert_eq!(ask.tools(), ["alpha"]);
}
