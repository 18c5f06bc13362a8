//! From arguments to what a server at a URL needs: headers, trust, proxies, credentials.

use super::args::{HttpArgs, ServerArgs};
use super::context::Context;
use super::error::{CommandError, shown_path};
use crate::capture::remote::{
    ClientCredentials, Header, Proxies, Remote, Secret, is_header_name, is_header_value, own_header,
};
use crate::checks;
use crate::lock::file::read_bytes;
use crate::surface::Launch;
use crate::text::{Charset, escape};
use std::path::Path;

/// The largest file of certificate authorities; the whole trust store of an operating system is a quarter of it.
const MAX_CA_BYTES: usize = 1 << 20;

/// What the arguments say about a server at a URL.
#[derive(Clone, Default)]
pub(super) struct RemotePlan {
    pub remote: Remote,
    /// For the report, escaped already.
    pub notes: Vec<String>,
    /// Headers whose values are no secrets by their names: a surface may repeat them.
    pub plain: Vec<String>,
}

/// Reads the arguments for a server at a URL.
///
/// # Errors
/// An argument that is for the other kind of server, a URL that no lock may hold, a variable that is not set, a header
/// that cannot be sent, a file that cannot be used.
pub(super) fn remote(launch: &Launch, args: &ServerArgs, context: &Context<'_>) -> Result<RemotePlan, CommandError> {
    let http = &args.http;
    let Launch::Url(url) = launch else {
        return match first_word(http) {
            Some(option) => {
                Err(CommandError::usage(format!("{option} is for servers at a URL, and this one is started"))
                    .hint("give a started server its secrets by --env"))
            }
            None => Ok(RemotePlan::default()),
        };
    };
    match &args.configured {
        // What is asked may hold a secret, and the lock only its reference.
        Some(configured) => check_configured_url(url, &configured.startup.launch)?,
        None => check_url(url)?,
    }
    if !args.env.is_empty() || args.inherit_env {
        return Err(CommandError::usage("a server at a URL gets no environment variables")
            .hint("send what it needs in a header: --header-env NAME=VARIABLE, or --bearer-env VARIABLE"));
    }
    let mut remote = Remote { proxies: proxies(context), ..Remote::default() };
    let (mut notes, mut plain) = (Vec::new(), Vec::new());
    for text in &http.header {
        let (name, value) = text
            .split_once(':')
            .ok_or_else(|| CommandError::usage("--header needs a name and a value: --header 'Name: value'"))?;
        let secret = checks::is_secret_name(name) || checks::argv_holds_secret(&[value.trim()]);
        if secret {
            notes.push(format!(
                "--header {0} gave a secret on the command line, where history and process lists show it: \
                 --header-env {0}=VARIABLE does not",
                escape(name, Charset::Unicode)
            ));
        }
        let name = add_header(&mut remote, "--header", name, value.trim())?;
        learn(&remote, &name, value.trim());
        if !secret {
            plain.push(name);
        }
    }
    for text in &http.header_env {
        let (name, variable) = text.split_once('=').ok_or_else(|| {
            CommandError::usage("--header-env needs a header and a variable: --header-env Name=VARIABLE")
        })?;
        let value = secret("--header-env", variable, context)?;
        add_header(&mut remote, "--header-env", name, &value)?;
        learn(&remote, variable, &value);
    }
    if let Some(variable) = &http.bearer_env {
        let token = secret("--bearer-env", variable, context)?;
        // Some keep the whole header's value in the variable.
        let token = token.strip_prefix("Bearer ").unwrap_or(&token).trim();
        add_header(&mut remote, "--bearer-env", "Authorization", &format!("Bearer {token}"))?;
        learn(&remote, variable, token);
    }
    if let Some(configured) = &args.configured {
        for (name, value) in &configured.startup.headers {
            if own_header(name) {
                notes.push(format!("warden sets the header {} itself", escape(name, Charset::Unicode)));
                continue;
            }
            let secret = checks::is_secret_name(name) || checks::argv_holds_secret(&[value]);
            let name = add_header(&mut remote, "headers", name, value)?;
            learn(&remote, &name, value);
            if !secret {
                plain.push(name);
            }
        }
        let inserted = configured.startup.inserted.iter();
        remote.secrets.learn(inserted.map(|(name, value)| (name.as_str(), value.as_str())));
    }
    remote.client_credentials = client_credentials(&remote, http, context)?;
    for path in &http.cacert {
        remote.authorities.push(authorities(path)?);
    }
    Ok(RemotePlan { remote, notes, plain })
}

/// Refuses a URL that cannot be asked, or that would put a secret into the lock.
pub(super) fn check_url(url: &str) -> Result<(), CommandError> {
    if !cfg!(feature = "http") {
        return Err(CommandError::usage("this warden cannot ask a server at a URL")
            .hint("it was built without the feature \"http\"; build it with the default features"));
    }
    // Not shown when the parser refuses it: no rule of ours knows where its secret stands then.
    if let Err(problem) = parse_url(url) {
        return Err(CommandError::usage(format!("the URL cannot be used: {problem}"))
            .hint("a lock stores the URL word for word; send secrets by --bearer-env or --header-env"));
    }
    if checks::argv_holds_secret(&[url]) {
        let shown = escape(&checks::redact_argv(&[url]).concat(), Charset::Unicode);
        return Err(CommandError::usage(format!("the URL holds a secret, which the lock would store: {shown}"))
            .hint("send it in a header: --header-env NAME=VARIABLE, or --bearer-env VARIABLE"));
    }
    Ok(())
}

/// The same for a URL with references, and what they stand for.
fn check_configured_url(written: &str, asked: &Launch) -> Result<(), CommandError> {
    if let Launch::Url(asked) = asked
        && asked != written
    {
        parse_url(asked).map_err(|problem| CommandError::usage(format!("the URL cannot be used: {problem}")))?;
        if checks::argv_holds_secret(&[written]) {
            return Err(CommandError::usage("the URL holds a secret, which the lock would store"));
        }
        return Ok(());
    }
    check_url(written)
}

#[cfg(feature = "http")]
fn parse_url(url: &str) -> Result<(), &'static str> {
    crate::capture::transport::parse_url(url).map(|_| ())
}

#[cfg(not(feature = "http"))]
fn parse_url(_: &str) -> Result<(), &'static str> {
    Ok(())
}

#[cfg(feature = "http")]
fn certificates(pem: &[u8]) -> Result<(), &'static str> {
    crate::capture::transport::certificates(pem).map(|_| ())
}

#[cfg(not(feature = "http"))]
fn certificates(_: &[u8]) -> Result<(), &'static str> {
    Ok(())
}

/// The options that say how a server at a URL is asked, for a command that asks it again: names of variables and
/// headers, never values.
pub(super) fn option_words(http: &HttpArgs) -> Vec<String> {
    let mut words = Vec::new();
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for header in &http.header {
        let name = header.split(':').next().unwrap_or_default();
        option("--header", format!("{name}: VALUE"));
    }
    http.header_env.iter().for_each(|text| option("--header-env", text.clone()));
    for (name, value) in [
        ("--bearer-env", &http.bearer_env),
        ("--oauth-client-id-env", &http.oauth_client_id_env),
        ("--oauth-client-secret-env", &http.oauth_client_secret_env),
        ("--oauth-scope", &http.oauth_scope),
        ("--oauth-issuer", &http.oauth_issuer),
    ] {
        value.iter().for_each(|value| option(name, value.clone()));
    }
    http.cacert.iter().for_each(|path| option("--cacert", path.to_string_lossy().into_owned()));
    words
}

/// One of these options, if any was given.
fn first_word(http: &HttpArgs) -> Option<String> {
    option_words(http).into_iter().next()
}

fn proxies(context: &Context<'_>) -> Proxies {
    Proxies::from_variables(|name| {
        let (_, value) = context.environment.iter().find(|(key, _)| key == name)?;
        value.to_str()
    })
}

/// Adds a header after a look at it, and gives its name. Nothing of the value is quoted.
fn add_header(remote: &mut Remote, option: &str, name: &str, value: &str) -> Result<String, CommandError> {
    let name = name.trim();
    let shown = escape(name, Charset::Unicode);
    if !is_header_name(name) {
        return Err(CommandError::usage(format!("{option}: \"{shown}\" cannot be the name of a header")));
    }
    if own_header(name) {
        return Err(CommandError::usage(format!("{option}: warden, or HTTP itself, sets the header {shown}")));
    }
    if value.is_empty() || !is_header_value(value) {
        return Err(CommandError::usage(format!("{option}: the value for {shown} cannot be sent in a header"))
            .hint("a value is not empty, and holds nothing but visible ASCII characters and spaces"));
    }
    if remote.headers.iter().any(|header| header.name.eq_ignore_ascii_case(name)) {
        return Err(CommandError::usage(format!("the header {shown} is given twice")));
    }
    remote.headers.push(Header { name: name.to_owned(), value: Secret::new(value) });
    Ok(name.to_owned())
}

/// Keeps a value out of every message, and what a server may repeat of it alone: what follows an authentication scheme,
/// the user and password in it, the values of cookies and parameters.
fn learn(remote: &Remote, name: &str, value: &str) {
    let mut parts = vec![value.to_owned()];
    if let Some((scheme, rest)) = value.split_once(' ') {
        parts.push(rest.trim().to_owned());
        if scheme.eq_ignore_ascii_case("basic")
            && let Some(pair) = checks::decode_base64(rest.trim())
        {
            parts.extend(pair.split_once(':').map(|(_, password)| password.to_owned()));
            parts.push(pair);
        }
    }
    let parameters = value.split([';', ',', ' ']).filter_map(|piece| piece.split_once('='));
    let values = parameters.map(|(_, value)| value.trim().trim_matches('"'));
    // Not every parameter is a secret, and words would be found everywhere.
    let telling = values.filter(|value| value.len() >= 8 && value.contains(|c: char| c.is_ascii_digit()));
    parts.extend(telling.map(str::to_owned));
    remote.secrets.learn(parts.iter().map(|part| (name, part.as_str())));
}

fn client_credentials(
    remote: &Remote,
    http: &HttpArgs,
    context: &Context<'_>,
) -> Result<Option<ClientCredentials>, CommandError> {
    let (Some(id), Some(secret_variable)) = (&http.oauth_client_id_env, &http.oauth_client_secret_env) else {
        return Ok(None);
    };
    if remote.headers.iter().any(|header| header.name.eq_ignore_ascii_case("authorization")) {
        return Err(CommandError::usage("an OAuth client gets its own Authorization header, and one is given already"));
    }
    if let Some(issuer) = &http.oauth_issuer {
        parse_url(issuer).map_err(|problem| CommandError::usage(format!("--oauth-issuer: {problem}")))?;
    }
    let id_value = secret("--oauth-client-id-env", id, context)?;
    let secret_value = secret("--oauth-client-secret-env", secret_variable, context)?;
    learn(remote, secret_variable, &secret_value);
    Ok(Some(ClientCredentials {
        id: Secret::new(id_value),
        secret: Secret::new(secret_value),
        scope: http.oauth_scope.clone(),
        issuer: http.oauth_issuer.clone(),
    }))
}

/// A value from the environment, without the line end that files and commands leave behind.
fn secret(option: &str, variable: &str, context: &Context<'_>) -> Result<String, CommandError> {
    let shown = escape(variable, Charset::Unicode);
    let found = context.environment.iter().find(|(key, _)| key.to_str() == Some(variable));
    let Some((_, value)) = found else {
        return Err(CommandError::usage(format!("{option} {shown}: this variable is not set"))
            .hint("the option takes the name of a variable, not a value; export the variable first"));
    };
    match value.to_str().map(str::trim) {
        Some("") | None => Err(CommandError::usage(format!("{option} {shown}: this variable is empty or not UTF-8"))),
        Some(value) => Ok(value.to_owned()),
    }
}

fn authorities(path: &Path) -> Result<Vec<u8>, CommandError> {
    let shown = shown_path(path);
    let pem = read_bytes(path, MAX_CA_BYTES)
        .map_err(|error| CommandError::file(format!("{shown} could not be read"), error.to_string()))?;
    certificates(&pem).map_err(|problem| {
        CommandError::file(format!("{shown} is no file of certificate authorities"), problem)
            .hint("--cacert takes PEM: -----BEGIN CERTIFICATE-----")
    })?;
    Ok(pem)
}
