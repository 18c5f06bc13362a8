//! Whom to believe: the operating system's trust store, and authorities that the user adds.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use std::error::Error;
use std::io;
use std::sync::Arc;

/// The certificates of a PEM text.
///
/// # Errors
/// It holds none, or something broken.
pub fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, &'static str> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let all = all.map_err(|_| "it is not valid PEM")?;
    // What cannot be read as a certificate would only be noticed by the first connection.
    match RootCertStore::empty().add_parsable_certificates(all.iter().cloned()) {
        (0, _) if all.is_empty() => Err("it holds no certificate (-----BEGIN CERTIFICATE-----)"),
        (_, 0) => Ok(all),
        _ => Err("one of its certificates cannot be read"),
    }
}

/// How to talk to servers behind `https`.
pub(super) fn trusting(authorities: &[Vec<u8>]) -> Result<ClientConfig, String> {
    let mut extra = Vec::new();
    for pem in authorities {
        extra.extend(certificates(pem).map_err(str::to_owned)?);
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(extra, provider.clone());
    let verifier = verifier.map_err(|error| format!("the operating system's trust store is of no use: {error}"))?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| error.to_string())?;
    Ok(config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

/// For connections without TLS: nobody is believed, and reading the trust store is saved.
pub(super) fn trusting_nobody() -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| error.to_string())?;
    Ok(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

/// The reason why no secure connection came about, if that is what an error is about.
pub(super) fn reason(error: &(dyn Error + 'static)) -> Option<String> {
    let causes = causes(error);
    // What tokio-rustls says where the connection ends within the handshake.
    if causes.iter().any(|cause| cause.to_string() == "tls handshake eof") {
        return Some("the other side ended the handshake".to_owned());
    }
    causes.into_iter().find_map(|cause| cause.downcast_ref::<rustls::Error>()).map(|error| match error {
        rustls::Error::InvalidCertificate(problem) => match problem {
            CertificateError::UnknownIssuer => {
                "its certificate comes from an authority that is not trusted here".into()
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired".into(),
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "its certificate is not valid yet".into()
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "its certificate is for another name".into()
            }
            CertificateError::Revoked => "its certificate was revoked".into(),
            other => format!("its certificate is refused: {other}"),
        },
        rustls::Error::InvalidMessage(_) => "what answers there does not speak TLS".into(),
        other => other.to_string(),
    })
}

/// An error and everything below it. `io::Error` hides what it wraps from its own `source`.
pub(super) fn causes<'e>(error: &'e (dyn Error + 'static)) -> Vec<&'e (dyn Error + 'static)> {
    let mut all = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        all.push(error);
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
        if all.len() >= 16 {
            break;
        }
    }
    all
}
