//! Servers at a URL.

use super::super::document::{Member, Node};
use super::super::model::{Named, Remote, Setting};
use super::super::problem::{Problem, Reason, Shown};
use super::super::table::{Dialect, Tokens, TransportKind};
use super::super::template::Template;
use super::fields::{map, settings, text, written};

pub(super) fn read(
    node: &Node<'_>,
    url: &Node<'_>,
    kind: TransportKind,
    dialect: &'static Dialect,
    problems: &mut Vec<Problem>,
) -> Result<Remote, Reason> {
    let url = written(url, "url", dialect.variables)?;
    if url.value.written().is_some_and(|url| url.trim().is_empty()) {
        return Err(Reason::EmptyUrl);
    }
    let label = dialect.headers.join(".");
    let mut at = Some(node);
    for name in dialect.headers {
        at = at.and_then(|node| node.get(name));
    }
    let (mut headers, _) = settings(at, &label, dialect.variables)?;
    let mut forward = Vec::new();
    match dialect.tokens {
        Tokens::None => {}
        Tokens::Codex => codex(node, &mut headers, &mut forward, problems)?,
        Tokens::Vibe => vibe(node, &mut headers, &mut forward)?,
    }
    Ok(Remote { kind, url, headers, forward })
}

fn codex(
    node: &Node<'_>,
    headers: &mut Vec<Setting>,
    forward: &mut Vec<Named>,
    problems: &mut Vec<Problem>,
) -> Result<(), Reason> {
    if node.get("bearer_token").is_some() {
        problems.push(Problem::InlineToken);
    }
    if let Some(member) = node.all("bearer_token_env_var").last() {
        let variable = text(&member.node, "bearer_token_env_var")?;
        let value = Template::of_variable("Bearer ", &variable, "");
        headers.push(Setting { name: "Authorization".to_owned(), value, at: member.at });
        forward.push(Named { name: variable, at: member.node.at });
    }
    for Member { name, at, node } in map(node.get("env_http_headers"), "env_http_headers")? {
        let variable = text(node, &format!("env_http_headers.{name}"))?;
        let value = Template::of_variable("", &variable, "");
        headers.push(Setting { name: name.clone().into_owned(), value, at: *at });
        forward.push(Named { name: variable, at: node.at });
    }
    Ok(())
}

fn vibe(node: &Node<'_>, headers: &mut Vec<Setting>, forward: &mut Vec<Named>) -> Result<(), Reason> {
    let node = node.get("auth").filter(|auth| auth.is_map()).unwrap_or(node);
    let Some(member) = node.all("api_key_env").last() else { return Ok(()) };
    let variable = text(&member.node, "api_key_env")?;
    let optional = |name: &str| node.get(name).map(|node| text(node, name)).transpose();
    let header = optional("api_key_header")?.unwrap_or_else(|| "Authorization".to_owned());
    let format = optional("api_key_format")?.unwrap_or_else(|| "Bearer {token}".to_owned());
    let (before, after) = format.split_once("{token}").ok_or_else(|| Reason::NotText(Shown::new("api_key_format")))?;
    let value = Template::of_variable(before, &variable, after);
    headers.push(Setting { name: header, value, at: member.at });
    forward.push(Named { name: variable, at: member.node.at });
    Ok(())
}
