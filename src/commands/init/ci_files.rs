//! The files for CI and for pre-commit: docs/ci.md explains what stands in them. Pure.

/// The workflow of GitHub.
pub(super) const GITHUB_PATH: &str = ".github/workflows/warden.yml";
/// The pipeline of GitLab.
pub(super) const GITLAB_PATH: &str = ".gitlab-ci.yml";
/// The hooks.
pub(super) const HOOKS_PATH: &str = ".pre-commit-config.yaml";

/// What stands in these files for things that only their reader knows.
pub(super) const PLACEHOLDER: &str = "COMMIT-YOU-REVIEWED";

/// Names that one file lists.
const MAX_VARIABLES: usize = 30;

/// The workflow, with the variables that servers need as a comment: a secret is nobody's to hand over but the owner's.
pub(super) fn github(variables: &[String]) -> String {
    let variables = named(variables);
    let mut env = String::new();
    if !variables.is_empty() {
        env.push_str("        # Servers need these variables. A server is a stranger: give it no secret that a stranger must not have.\n");
        env.push_str("        # env:\n");
        for name in variables {
            env.push_str(&format!("        #   {name}: ${{{{ secrets.{name} }}}}\n"));
        }
    }
    format!("{GITHUB_HEAD}{env}{GITHUB_TAIL}")
}

/// The job for GitLab, as a whole file or as lines to add to one.
pub(super) fn gitlab() -> &'static str {
    GITLAB_JOB
}

/// The file for the pre-commit framework.
pub(super) fn hooks() -> String {
    format!("# Hooks for pre-commit. They use the warden that is installed.\nrepos:\n{HOOKS}")
}

/// The same as lines to add to one that is there.
pub(super) fn hook_lines() -> &'static str {
    HOOKS
}

/// Those that a shell takes as names. Anything else could be more than a name where it is written.
fn named(variables: &[String]) -> Vec<&String> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_name = |name: &&String| name.bytes().all(is_letter) && name.starts_with(|c: char| !c.is_ascii_digit());
    variables.iter().filter(is_name).take(MAX_VARIABLES).collect()
}

const GITHUB_HEAD: &str = "\
# Checks the MCP servers of this project against their locks (warden.toml, .warden/).
name: warden
on:
  pull_request:
  push:
    branches: [main, master]
  schedule:
    - cron: '17 5 * * *'
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          persist-credentials: false
      # Fill in whose warden it is, and the commit of it that you reviewed.
      - uses: OWNER/warden@COMMIT-YOU-REVIEWED
";

const GITHUB_TAIL: &str = "        with:
          all: true
";

const GITLAB_JOB: &str = "\
# Checks the MCP servers of this project against their locks (warden.toml, .warden/).
warden:
  image: rust:1.88
  timeout: 30m
  # Without rules it would not run for merge requests. A schedule is made at GitLab: Build, Pipeline schedules.
  rules:
    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"
    - if: $CI_PIPELINE_SOURCE == \"schedule\"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    CARGO_HOME: $CI_PROJECT_DIR/.cargo-home
  cache:
    key: warden-COMMIT-YOU-REVIEWED
    paths: [.cargo-home/bin]
  script:
    # Add what your servers are started with: Node.js, uv, ... Fill in where warden is, and the commit that you reviewed.
    - test -x \"$CARGO_HOME/bin/warden\" || cargo install --locked --git URL-OF-WARDEN --rev COMMIT-YOU-REVIEWED
    - >-
      \"$CARGO_HOME/bin/warden\" check --all --timeout 180
      --output gitlab=gl-code-quality-report.json --output junit=warden-junit.xml --output markdown=warden.md
  artifacts:
    when: always
    paths: [warden.md]
    reports:
      codequality: gl-code-quality-report.json
      junit: warden-junit.xml
";

const HOOKS: &str = "  - repo: local
    hooks:
      - id: warden-lint
        name: the locks of MCP servers hold together
        language: system
        entry: warden show --verify
        args: ['--']
        files: (^|/)warden\\.lock$
        require_serial: true
      # Before a push, after: pre-commit install --hook-type pre-push
      - id: warden-check
        name: the MCP servers declare what their locks say
        language: system
        entry: warden check --all
        pass_filenames: false
        always_run: true
        stages: [pre-push, manual]
        require_serial: true
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_get_into_the_workflow() {
        let names = ["TOKEN", "_a1", "", "1A", "A B", "A:\n  run: x", "A}}", "é"].map(str::to_owned);
        let text = github(&names);
        assert_eq!(text.matches("secrets.").count(), 2, "{text}");
        assert!(text.contains("        #   TOKEN: ${{ secrets.TOKEN }}\n"), "{text}");
        assert!(!github(&[]).contains("secrets"));
    }
}
