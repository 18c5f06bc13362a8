//! Programs that download a package and run it, and how their arguments name it.

use super::command::program;

/// Whose rules decide whether a specification names one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ecosystem {
    Npm,
    Python,
    Image,
    Deno,
    Go,
    Nix,
    DotNet,
}

/// A runner.
pub(super) struct Runner {
    program: &'static str,
    /// Words that must follow, options aside.
    subcommand: &'static [&'static str],
    pub ecosystem: Ecosystem,
    /// The published rule, where the program is called by its plain name.
    pub published: Option<&'static str>,
    /// Options that take the next word, and options whose value is a package, separated by spaces.
    takes: &'static str,
    packages: &'static str,
    /// Whether all words name packages, and not only the first.
    many: bool,
}

const NPM_OPTIONS: &str =
    "--registry --userconfig --globalconfig --cache --prefix -w --workspace --node-options --loglevel --script-shell";
const UV_OPTIONS: &str = "-p --python --index --default-index -i --index-url --extra-index-url -f --find-links --cache-dir \
    --directory --project --refresh-package -P --upgrade-package --env-file --config-file --resolution --prerelease \
    --index-strategy --keyring-provider --link-mode -c --constraints --overrides --exclude-newer --color --python-platform \
    --allow-insecure-host -w --with-requirements --with-editable --config-setting --torch-backend";
const PIP_OPTIONS: &str = "-r --requirement -c --constraint -e --editable -t --target -i --index-url --extra-index-url -f \
    --find-links --trusted-host --prefix --root --platform --python-version --implementation --abi --only-binary \
    --no-binary --proxy --timeout --retries --cert --client-cert --log --src --upgrade-strategy --progress-bar -C \
    --config-settings --report --cache-dir --python -p";

const fn runner(program: &'static str, subcommand: &'static [&'static str], ecosystem: Ecosystem) -> Runner {
    Runner { program, subcommand, ecosystem, published: None, takes: "", packages: "", many: false }
}

const fn npm(program: &'static str, subcommand: &'static [&'static str]) -> Runner {
    Runner { takes: NPM_OPTIONS, packages: "-p --package", ..runner(program, subcommand, Ecosystem::Npm) }
}

const RUNNERS: &[Runner] = &[
    Runner { published: Some("WRD-SUP-NPX-UNPINNED"), ..npm("npx", &[]) },
    npm("pnpx", &[]),
    npm("bunx", &[]),
    npm("npm", &["exec"]),
    npm("npm", &["x"]),
    npm("pnpm", &["dlx"]),
    npm("yarn", &["dlx"]),
    npm("bun", &["x"]),
    Runner {
        published: Some("WRD-SUP-UVX-UNPINNED"),
        takes: UV_OPTIONS,
        packages: "--from --with",
        ..runner("uvx", &[], Ecosystem::Python)
    },
    Runner { takes: UV_OPTIONS, packages: "--from --with", ..runner("uv", &["tool", "run"], Ecosystem::Python) },
    Runner { takes: UV_OPTIONS, packages: "--with", ..runner("uv", &["run"], Ecosystem::Python) },
    Runner {
        takes: "--python --index-url -i --pip-args --fetch-missing-python --backend",
        packages: "--spec",
        ..runner("pipx", &["run"], Ecosystem::Python)
    },
    Runner {
        published: Some("WRD-SUP-PIP-UNPINNED"),
        takes: PIP_OPTIONS,
        many: true,
        ..runner("pip", &["install"], Ecosystem::Python)
    },
    Runner {
        published: Some("WRD-SUP-PIP-UNPINNED"),
        takes: PIP_OPTIONS,
        many: true,
        ..runner("pip3", &["install"], Ecosystem::Python)
    },
    runner("docker", &["run"], Ecosystem::Image),
    runner("docker", &["container", "run"], Ecosystem::Image),
    runner("podman", &["run"], Ecosystem::Image),
    runner("podman", &["container", "run"], Ecosystem::Image),
    runner("nerdctl", &["run"], Ecosystem::Image),
    Runner { takes: "-c --config --import-map --cert --location --lock", ..runner("deno", &["run"], Ecosystem::Deno) },
    runner("go", &["run"], Ecosystem::Go),
    runner("nix", &["run"], Ecosystem::Nix),
    Runner { takes: "--version --source --add-source --configfile", ..runner("dnx", &[], Ecosystem::DotNet) },
];

/// Long options of container engines that take no value; all others do.
const IMAGE_SWITCHES: &str = "--detach --init --interactive --no-healthcheck --oom-kill-disable --privileged --publish-all \
    --quiet --read-only --rm --sig-proxy --tty --disable-content-trust --replace --rmi --no-hosts --tls-verify";

/// What a runner is asked to run.
pub(super) struct Call<'a> {
    pub runner: &'static Runner,
    /// Whether the program is called by its plain name, as the published rules want it.
    pub by_plain_name: bool,
    pub packages: Vec<&'a str>,
    /// What follows the first word that is no option: arguments of the started program.
    pub rest: &'a [String],
}

/// The package downloads of a command.
pub(super) fn calls(command: &[String]) -> Vec<Call<'_>> {
    let starts = [0].into_iter().chain(pip_module(command));
    starts.filter_map(|at| call(command.get(at..)?)).collect()
}

/// Where `pip` stands in `python -m pip install` and `uv pip install`.
fn pip_module(command: &[String]) -> Option<usize> {
    let at = command.iter().take(4).position(|word| matches!(word.as_str(), "pip" | "pip3"))?;
    let first = program(command.first()?);
    let module = first.starts_with("python") || first == "py";
    (at > 0 && ((module && command[at - 1] == "-m") || first == "uv")).then_some(at)
}

fn call(command: &[String]) -> Option<Call<'_>> {
    let first = command.first()?;
    let name = program(first);
    let (runner, arguments) = RUNNERS.iter().filter(|runner| runner.program == name).find_map(|runner| {
        let mut rest = &command[1..];
        for word in runner.subcommand {
            // Options of the program itself may come before its subcommand.
            while rest.first().is_some_and(|option| option.starts_with('-') && option.len() > 1) {
                rest = &rest[1..];
            }
            let (next, tail) = rest.split_first()?;
            rest = (next == word).then_some(tail)?;
        }
        Some((runner, rest))
    })?;
    let by_plain_name = first.eq_ignore_ascii_case(runner.program);
    let (packages, rest) = match runner.ecosystem {
        Ecosystem::Image => image(arguments),
        _ => runner.packages(arguments),
    };
    Some(Call { runner, by_plain_name, packages, rest })
}

impl Runner {
    fn packages<'a>(&self, arguments: &'a [String]) -> (Vec<&'a str>, &'a [String]) {
        let listed = |list: &str, name: &str| super::secret_context::listed(list, name);
        // Local programs and scripts are started by `uv run`; it downloads only what --with names.
        let starts_local = self.program == "uv" && self.subcommand == ["run"];
        let mut found = Vec::new();
        let mut named = false;
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            at += 1;
            if word == "--" {
                continue;
            }
            if word.starts_with('-') && word.len() > 1 {
                let (name, value) = match word.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (word.as_str(), None),
                };
                let is_package = listed(self.packages, name);
                if value.is_none() && (is_package || listed(self.takes, name)) {
                    at += 1;
                }
                if is_package {
                    // --with adds to the package that a word names; the others replace it.
                    named |= name != "--with";
                    found.extend(value.or_else(|| arguments.get(at - 1).map(String::as_str)));
                }
                continue;
            }
            if !named && !starts_local {
                found.push(word);
            }
            if !self.many {
                break;
            }
        }
        (found, arguments.get(at..).unwrap_or_default())
    }
}

/// The image of `docker run` and what the container is told to start.
fn image(arguments: &[String]) -> (Vec<&str>, &[String]) {
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        at += 1;
        if !word.starts_with('-') || word.len() == 1 {
            return (vec![word], arguments.get(at..).unwrap_or_default());
        }
        let takes = match word.strip_prefix("--") {
            Some(_) => !word.contains('=') && !super::secret_context::listed(IMAGE_SWITCHES, word),
            // -it, -d; but -e NAME, and -eNAME in one word.
            None => word.len() == 2 && !matches!(word.as_str(), "-i" | "-t" | "-d" | "-P" | "-q"),
        };
        at += usize::from(takes);
    }
    (Vec::new(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages(line: &str) -> Vec<String> {
        let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
        calls(&command).iter().flat_map(|call| call.packages.iter().map(|package| (*package).to_owned())).collect()
    }

    #[test]
    fn packages_are_told_from_options_and_program_arguments() {
        for (line, want) in [
            ("npx -y @acme/server@1.2.3 --root /data other", "@acme/server@1.2.3"),
            ("npx --yes --registry https://r.test pkg", "pkg"),
            ("npx -p a@1.0.0 --package=b c d", "a@1.0.0 b"),
            ("npx.cmd -y pkg", "pkg"),
            ("npm exec --yes -- pkg arg", "pkg"),
            ("npm run start", ""),
            ("pnpm dlx pkg", "pkg"),
            ("bun x pkg", "pkg"),
            ("uvx --python 3.12 pkg==1.0 serve", "pkg==1.0"),
            ("uvx --from git+https://git.test/x cmd arg", "git+https://git.test/x"),
            ("uvx --with extra pkg", "extra pkg"),
            ("uv --quiet tool run pkg", "pkg"),
            ("uv run --with extra server.py", "extra"),
            ("uv run server.py", ""),
            ("pipx run --spec pkg==1 cmd", "pkg==1"),
            ("pip install -r requirements.txt a b==1", "a b==1"),
            ("python3 -m pip install a", "a"),
            ("uv pip install a", "a"),
            ("pip list", ""),
            ("docker run -i --rm -e KEY --network host -v /a:/b acme/server:1 serve", "acme/server:1"),
            ("docker --context x run img", ""),
            ("docker run -it img npx pkg", "img"),
            ("deno run -A npm:pkg x", "npm:pkg"),
            ("go run acme.test/cmd@v1", "acme.test/cmd@v1"),
            ("node server.js npx pkg", ""),
        ] {
            assert_eq!(packages(line).join(" "), want, "{line}");
        }
    }
}
