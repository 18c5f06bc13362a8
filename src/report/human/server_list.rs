//! `warden servers` for people: a table for each file.

use super::page::{Page, Style, Tone};
use crate::report::servers::{ListedFile, ListedServer, LockWord, ServerList};
use crate::text::{Charset, ascii, inert, visibly};
use unicode_width::UnicodeWidthStr as _;

/// The widest column of names.
const MAX_NAME: usize = 28;

/// The list, and at its end what it comes to.
pub fn server_list(list: &ServerList, style: &Style) -> String {
    let text = lines(list, style);
    // A name must be no command to the log that it is printed in.
    inert(&text, |c| match style.charset {
        Charset::Unicode => visibly(c),
        Charset::Ascii => ascii(&visibly(c)),
    })
}

fn lines(list: &ServerList, style: &Style) -> String {
    let mut page = Page::new(style);
    if !style.quiet {
        for file in &list.files {
            page.blank();
            table(&mut page, file);
        }
        if !list.strays.is_empty() {
            page.blank();
            page.line(0, "Locks that no server has", Tone::Strong);
            for (name, path) in &list.strays {
                let (name, path) = (page.text(name), page.text(path));
                page.line(2, &format!("{name}  {path}"), Tone::Plain);
            }
        }
        if !list.unread.is_empty() {
            page.blank();
        }
    }
    for unread in &list.unread {
        let place = unread.at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
        let path = page.text(&unread.path);
        page.line(0, &format!("could not be read: {path}{place}: {}", unread.cause), Tone::Bad);
    }
    page.blank();
    match style.quiet {
        // One line, whatever the width.
        true => page.raw(&sum(list)),
        false => page.line(0, &sum(list), Tone::Plain),
    }
    page.finish()
}

fn table(page: &mut Page<'_>, file: &ListedFile) {
    let path = page.text(&file.path);
    let head = page.toned(&path, Tone::Strong);
    let whose = match file.clients.is_empty() {
        true => file.scope.to_owned(),
        false => format!("{}: {}", file.scope, file.clients.join(", ")),
    };
    page.raw(&head);
    page.line(2, &whose, Tone::Dim);
    if file.servers.is_empty() {
        page.line(2, "no servers", Tone::Plain);
    }
    let names: Vec<String> = file.servers.iter().map(|server| page.text(&server.name)).collect();
    let column = names.iter().map(|name| name.width()).max().unwrap_or(0).min(MAX_NAME);
    let place = |server: &ListedServer| format!("{}:{}", server.line, server.column);
    let places = file.servers.iter().map(|server| place(server).len()).max().unwrap_or(0);
    for (server, name) in file.servers.iter().zip(&names) {
        let short = format!("{:>places$}  {:<10}", place(server), server.lock.word());
        let facts = facts(page, server);
        page.row(2, name, column, &short, &facts);
    }
}

/// How it is started, and what else is to be known, in one line.
fn facts(page: &Page<'_>, server: &ListedServer) -> String {
    let launch = server.launch.as_ref().map(|launch| page.text(launch));
    let mut more = Vec::new();
    if let Some(why) = &server.not_readable {
        more.push(format!("not readable statically: {why}"));
    }
    if !server.enabled {
        more.push("switched off".to_owned());
    }
    if let Some(reason) = &server.skipped {
        more.push(format!("skipped: {}", page.text(reason)));
    }
    if let Some(project) = &server.project {
        more.push(format!("for {}", page.text(project)));
    }
    for (what, names) in [("env", &server.env), ("headers", &server.headers)] {
        if !names.is_empty() {
            more.push(format!("{what} {}", page.text(&names.join(" "))));
        }
    }
    more.extend(server.same_name.clone());
    let more = more.join("; ");
    match launch {
        Some(launch) if more.is_empty() => launch,
        Some(launch) => format!("{launch}  ({more})"),
        None => more,
    }
}

fn sum(list: &ServerList) -> String {
    let count = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let words = [
        (LockWord::Locked, "locked"),
        (LockWord::Stale, "with the lock of another launch"),
        (LockWord::Unreadable, "with a lock that cannot be read"),
        (LockWord::Missing, "without a lock"),
        (LockWord::Unknown, "not readable statically"),
    ];
    let locks = words.into_iter().map(|(word, said)| (list.count(word), said)).filter(|(count, _)| *count > 0);
    let locks: Vec<String> = locks.map(|(count, said)| format!("{count} {said}")).collect();
    let mut said = format!("{} in {}", count(list.servers().count(), "server"), count(list.files.len(), "file"));
    if !locks.is_empty() {
        said.push_str(&format!(": {}", locks.join(", ")));
    }
    if !list.unread.is_empty() {
        said.push_str(&format!("; {} could not be read", count(list.unread.len(), "more file")));
    }
    said
}
