//! Which forge a project is on, from what lies in its folder. git is not asked.

use clap::ValueEnum;

/// Where the workflow runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Forge {
    Github,
    Gitlab,
    None,
}

/// What lies in the project's folder.
#[derive(Debug, Default)]
pub(super) struct Signs<'a> {
    /// The text of `.git/config`.
    pub git_config: Option<&'a str>,
    pub has_github_folder: bool,
    pub has_gitlab_file: bool,
}

impl Forge {
    /// The address of the repository says it best; where it says nothing, the files that a forge reads do.
    pub(super) fn recognise(signs: &Signs<'_>) -> Self {
        let host = signs.git_config.and_then(origin).and_then(|url| host(&url));
        match host.as_deref() {
            Some(host) if host == "github.com" || host.ends_with(".github.com") => Self::Github,
            Some(host) if host.split('.').any(|label| label == "gitlab") => Self::Gitlab,
            _ if signs.has_github_folder => Self::Github,
            _ if signs.has_gitlab_file => Self::Gitlab,
            _ => Self::None,
        }
    }
}

/// The URL of the remote `origin`.
fn origin(config: &str) -> Option<String> {
    let mut in_origin = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.split(']').next().unwrap_or_default().trim();
            let (kind, name) = section.split_once(char::is_whitespace).unwrap_or((section, ""));
            in_origin = kind.eq_ignore_ascii_case("remote") && name.trim() == "\"origin\"";
        } else if let Some((key, value)) = line.split_once('=')
            && in_origin
            && key.trim().eq_ignore_ascii_case("url")
            && found.is_none()
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

/// The host of `https://user@host:1/path`, `ssh://git@host/path` or `git@host:path`, in lower case.
fn host(url: &str) -> Option<String> {
    let authority = match url.split_once("://") {
        Some((_, rest)) => rest.split(['/', '?', '#']).next()?,
        None => url.split_once(':').map(|(before, _)| before).filter(|before| !before.contains('/'))?,
    };
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?.to_ascii_lowercase();
    Some(host).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Forge {
        let config = format!(
            "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = https://example.com/x\n[remote \"origin\"]\n\turl = {url}\n\tfetch = +refs\n"
        );
        Forge::recognise(&Signs { git_config: Some(&config), ..Signs::default() })
    }

    #[test]
    fn the_host_of_origin_says_it() {
        for url in [
            "https://github.com/o/r.git",
            "git@github.com:o/r.git",
            "ssh://git@ssh.github.com:443/o/r",
            "HTTPS://u:p@GitHub.com/o/r",
        ] {
            assert_eq!(of(url), Forge::Github, "{url}");
        }
        for url in ["https://gitlab.com/o/r.git", "git@gitlab.example.org:o/r.git", "https://git.gitlab.acme.example/o"]
        {
            assert_eq!(of(url), Forge::Gitlab, "{url}");
        }
        for url in [
            "https://example.com/github.com/r",
            "https://github.com.example.org/o/r",
            "https://notgithub.com/o/r",
            "https://github.com@example.com/o/r",
            "/srv/gitlab/r",
            "../gitlab:x",
            "",
        ] {
            assert_eq!(of(url), Forge::None, "{url}");
        }
    }

    #[test]
    fn files_say_it_where_the_host_does_not() {
        let config = "[remote \"origin\"]\nurl = https://git.example.com/o/r\n";
        let signs =
            |github, gitlab| Signs { git_config: Some(config), has_github_folder: github, has_gitlab_file: gitlab };
        assert_eq!(Forge::recognise(&signs(true, true)), Forge::Github);
        assert_eq!(Forge::recognise(&signs(false, true)), Forge::Gitlab);
        assert_eq!(Forge::recognise(&signs(false, false)), Forge::None);
        let gitlab = "[remote \"origin\"]\nurl = git@gitlab.com:o/r\n";
        let signs = Signs { git_config: Some(gitlab), has_github_folder: true, has_gitlab_file: false };
        assert_eq!(Forge::recognise(&signs), Forge::Gitlab);
        // A section of another name, and a key that only begins so.
        let other =
            "[remote \"origin2\"]\nurl = https://github.com/o/r\n[remote \"origin\"]\nurlx = https://github.com/o/r\n";
        assert_eq!(Forge::recognise(&Signs { git_config: Some(other), ..Signs::default() }), Forge::None);
    }
}
