//! The tables of `docs/clients.md`, from the table of clients.

use super::table::{
    Base, Certainty, Client, Dialect, Layout, Location, Off, On, Platform, Scope, Typeless, VariableSyntax, clients,
};

const HEAD: &str = include_str!("head.md");

/// The whole page.
pub fn clients_markdown() -> String {
    let mut out = String::from(HEAD);
    out.push_str(
        "\n## Files of a project\n\nRelative to every folder from the current one up to the project's root.\n\n",
    );
    out.push_str("| client | file | syntax | servers under |\n|---|---|---|---|\n");
    rows(&mut out, |location| location.scope == Scope::Project, false);
    out.push_str("\n## Files of the user and the machine\n\n");
    out.push_str(
        "Where nothing is said, a path is the same on every platform. `*` stands for any characters of one name, ",
    );
    out.push_str("`**` for up to six folders.\n\n");
    out.push_str("| client | file | syntax | servers under |\n|---|---|---|---|\n");
    rows(&mut out, |location| location.scope != Scope::Project, true);
    out.push_str("\n## How each client reads an entry\n\n");
    out.push_str(
        "| client | known from | variables | switched off by | a URL without a type |\n|---|---|---|---|---|\n",
    );
    for client in clients() {
        out.push_str(&reading(client));
    }
    out
}

fn rows(out: &mut String, wanted: fn(&Location) -> bool, platforms: bool) {
    for client in clients() {
        for location in client.locations.iter().filter(|location| wanted(location)) {
            let files: Vec<String> =
                location.spots.iter().map(|(on, base, path)| file(*on, *base, path, platforms)).collect();
            let layouts: Vec<String> = location.layouts.iter().map(|layout| layout_name(*layout)).collect();
            let layouts = if layouts.is_empty() { "not readable".to_owned() } else { layouts.join(", ") };
            out.push_str(&format!(
                "| {} | {} | {} | {layouts} |\n",
                client.name,
                files.join("<br>"),
                location.syntax.name()
            ));
        }
    }
}

fn file(on: On, base: Base, path: &str, platforms: bool) -> String {
    let whole = match base {
        Base::Project => path.to_owned(),
        Base::Home => format!("~/{path}"),
        Base::Config => format!("~/.config/{path}"),
        Base::ApplicationSupport => format!("~/Library/Application Support/{path}"),
        Base::AppData => format!("%APPDATA%/{path}"),
        Base::LocalAppData => format!("%LOCALAPPDATA%/{path}"),
        Base::ProgramData => format!("%ProgramData%/{path}"),
        Base::ProgramFiles => format!("%ProgramFiles%/{path}"),
        Base::Root => format!("/{path}"),
        Base::Moved { folder: "", .. } => format!("~/{path}"),
        Base::Moved { folder, .. } => format!("~/{folder}/{path}"),
        Base::Code => format!("<Code>/{path}"),
    };
    let moved = match base {
        Base::Moved { variable, .. } => format!(" (or in `${variable}`)"),
        _ => String::new(),
    };
    let whole = match base {
        Base::AppData | Base::LocalAppData | Base::ProgramData | Base::ProgramFiles => whole.replace('/', "\\"),
        _ => whole,
    };
    let platform = match on {
        _ if !platforms => "",
        On::All => "",
        On::Unix => "Linux, macOS: ",
        On::Only(Platform::Linux) => "Linux: ",
        On::Only(Platform::MacOs) => "macOS: ",
        On::Only(Platform::Windows) => "Windows: ",
    };
    format!("{platform}`{whole}`{moved}")
}

fn layout_name(layout: Layout) -> String {
    match layout {
        // A name with a dot in it is one name.
        Layout::At(path) => {
            let names: Vec<String> = path
                .iter()
                .map(|name| if name.contains('.') { format!("\"{name}\"") } else { (*name).to_owned() })
                .collect();
            format!("`{}`", names.join("."))
        }
        Layout::Bare => "the file itself".to_owned(),
        Layout::Single => "the file is one entry".to_owned(),
    }
}

fn reading(client: &Client) -> String {
    let Some(dialect) = client.locations.first().map(|location| location.dialect) else { return String::new() };
    let known = match client.certainty {
        Certainty::Confirmed => "source or vendor",
        Certainty::Agreed => "second hand",
    };
    let off = match dialect.off {
        Off::Never => "-".to_owned(),
        Off::Set(name) => format!("`{name}: true`"),
        Off::Unset(name) => format!("`{name}: false`"),
    };
    let typeless = match dialect.typeless {
        _ if dialect.type_required => "refused",
        Typeless::Refused => "refused",
        Typeless::Is(kind) => kind.as_str(),
    };
    format!("| {} | {known} | {} | {off} | {typeless} |\n", client.name, variables(dialect))
}

fn variables(dialect: &Dialect) -> String {
    let name = |syntax: &VariableSyntax| match syntax {
        VariableSyntax::Braced => "`${NAME}`",
        VariableSyntax::Default => "`${NAME:-default}`",
        VariableSyntax::Bare => "`$NAME`",
        VariableSyntax::EnvColon => "`${env:NAME}`",
        VariableSyntax::CurlyEnv => "`{env:NAME}`, `{file:path}`",
        VariableSyntax::FileContents => "`${file:path}`",
        VariableSyntax::Folders => "`${workspaceFolder}` and the like",
        VariableSyntax::Editor => "`${input:id}`, `${config:key}`, `${command:id}`",
        VariableSyntax::Secrets => "`${{ secrets.NAME }}`, `${{ inputs.NAME }}`",
        VariableSyntax::Parameters => "`{{ name }}`",
        VariableSyntax::Shell => "as a shell, `$(command)` too",
        VariableSyntax::Command => "`${cmd: command}`",
        VariableSyntax::Tilde => "`~`",
    };
    let mut all = dialect.variables.to_vec();
    for syntax in dialect.command_variables.unwrap_or_default() {
        if !all.contains(syntax) {
            all.push(*syntax);
        }
    }
    if all.is_empty() { "none".to_owned() } else { all.iter().map(name).collect::<Vec<_>>().join(", ") }
}
