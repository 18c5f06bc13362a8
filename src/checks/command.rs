//! Which commands a launch really starts, behind the programs that only start others.

/// How deep command strings may hold command strings.
const DEEPEST: usize = 4;

/// How many commands of one launch are looked at: each is a copy of the rest of the words.
const MOST: usize = 32;

/// Options whose value is a command of its own.
const COMMAND_OPTIONS: &[&str] = &["--stdio", "--command", "--cmd", "--exec", "--server-command", "--call", "-c"];

/// The commands of an argument vector: what `env`, `sudo`, `sh -c "…"` and the like would start, what follows `--`, and
/// command strings given to options. Each begins with its program; parts of one vector may appear in more than one.
pub(super) fn commands(words: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut open = vec![(words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>(), 0)];
    while let Some((words, depth)) = open.pop().filter(|_| found.len() < MOST) {
        let command = unwrap(&words);
        if command.is_empty() {
            continue;
        }
        if depth < DEEPEST {
            open.extend(strings(command).into_iter().map(|string| (string, depth + 1)));
            let marks = command
                .iter()
                .enumerate()
                .skip(1)
                .filter(|(_, word)| *word == "--" || COMMAND_OPTIONS.contains(&word.as_str()));
            for (at, _) in marks.take(MOST) {
                // A command string was cut above. What follows a mark is cut no further: that follows a mark too.
                if command.get(at + 1).is_some_and(|word| !word.contains(char::is_whitespace)) {
                    open.push((command[at + 1..].to_vec(), DEEPEST));
                }
            }
        }
        found.push(command.to_vec());
    }
    found
}

/// The name of a program without folders and without the endings of Windows, in small letters.
pub fn program(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let end = [".exe", ".cmd", ".bat", ".ps1"].iter().find(|end| name.ends_with(**end)).map_or(0, |end| end.len());
    name[..name.len() - end].to_owned()
}

/// Drops programs that start the rest of their arguments, with their options.
fn unwrap(words: &[String]) -> &[String] {
    let mut rest = words;
    loop {
        // Assignments before a command, as shells allow them.
        rest = &rest[rest.iter().take_while(|word| is_assignment(word)).count()..];
        let Some(first) = rest.first() else { return rest };
        // Options that take the next word.
        let takes: &[&str] = match program(first).as_str() {
            "env" => &["-u", "--unset", "-C", "--chdir"],
            "sudo" | "doas" => &["-u", "-g", "--user", "--group"],
            "nice" | "ionice" => &["-n", "-c"],
            "timeout" => &["-s", "-k", "--signal", "--kill-after"],
            "nohup" | "time" | "exec" | "command" | "setsid" | "stdbuf" | "caffeinate" | "then" | "do" => &[],
            _ => return rest,
        };
        let is_timeout = program(first) == "timeout";
        rest = &rest[1..];
        while let Some(option) = rest.first().filter(|word| word.starts_with('-')) {
            let skipped = if takes.contains(&option.as_str()) { 2 } else { 1 };
            rest = &rest[skipped.min(rest.len())..];
        }
        if is_timeout {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The commands inside the command strings of a command.
fn strings(command: &[String]) -> Vec<Vec<String>> {
    let shell = matches!(
        program(&command[0]).as_str(),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "cmd" | "powershell" | "pwsh"
    );
    let mut found = Vec::new();
    for (at, word) in command.iter().enumerate().skip(1) {
        let lower = word.to_ascii_lowercase();
        let introduces = match shell {
            // -c, -lc, -ec; /c, /k; -Command.
            true => {
                (lower.starts_with('-') && lower.ends_with('c') && lower.len() <= 5)
                    || matches!(lower.as_str(), "/c" | "/k" | "-command")
            }
            false => COMMAND_OPTIONS.contains(&word.as_str()),
        };
        if introduces && let Some(string) = command.get(at + 1) {
            if string.contains(char::is_whitespace) {
                found.extend(split(string));
            } else if shell {
                // `cmd /c npx …`: the words that follow are the command.
                found.push(command[at + 1..].to_vec());
            }
            break;
        }
        if shell && !word.starts_with(['-', '/']) {
            break;
        }
    }
    found
}

/// A command string, cut into commands and words as a shell would, near enough for looking.
fn split(string: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut chars = string.chars();
    let finish = |word: &mut String, commands: &mut Vec<Vec<String>>| {
        if !word.is_empty()
            && let Some(command) = commands.last_mut()
        {
            command.push(std::mem::take(word));
        }
    };
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.extend(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.push(c),
            ('"' | '\'', None) => quote = Some(c),
            ('&' | ';' | '|' | '\n' | '(' | ')', None) => {
                finish(&mut word, &mut commands);
                commands.push(Vec::new());
            }
            (c, None) if c.is_whitespace() => finish(&mut word, &mut commands),
            (c, None) => word.push(c),
        }
    }
    finish(&mut word, &mut commands);
    commands.retain(|command| !command.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str]) -> Vec<String> {
        commands(words).into_iter().map(|command| command.join(" ")).collect()
    }

    #[test]
    fn the_started_command_is_found_behind_its_starters() {
        for (words, want) in [
            (vec!["npx", "a"], "npx a"),
            (vec!["env", "-i", "-u", "X", "A=1", "npx", "a"], "npx a"),
            (vec!["sudo", "-u", "me", "env", "A=1", "B=2", "uvx", "a"], "uvx a"),
            (vec!["timeout", "-k", "5", "60", "npx", "a"], "npx a"),
            (vec!["bash", "-lc", "cd /x && A=1 npx -y 'a b' | tee log"], "npx -y a b"),
            (vec!["cmd", "/c", "npx", "-y", "a"], "npx -y a"),
            (vec!["powershell", "-NoProfile", "-Command", "npx -y a"], "npx -y a"),
            (vec!["mcp-proxy", "--port", "8000", "--", "uvx", "a"], "uvx a"),
            (vec!["npx", "gateway@1.0.0", "--stdio", "npx -y a"], "npx -y a"),
            (vec!["sh", "-c", "sh -c 'npx a'"], "npx a"),
        ] {
            assert!(found(&words).iter().any(|command| command == want), "{words:?} {:?}", found(&words));
        }
        assert_eq!(found(&["env"]), [] as [&str; 0]);
        assert_eq!(found(&[]), [] as [&str; 0]);
        assert_eq!(found(&["tool", "--use", "npx", "name"]), ["tool --use npx name"]);
    }

    #[test]
    fn programs_lose_folders_and_endings() {
        for word in ["npx", "/usr/bin/npx", r"C:\Program Files\nodejs\npx.cmd", "NPX.CMD", "npx.exe"] {
            assert_eq!(program(word), "npx", "{word}");
        }
    }
}
