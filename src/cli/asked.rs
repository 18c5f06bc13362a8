//! Which output was asked for, by a command line that cannot be parsed: its error is delivered like any other result.

use super::args::{Cli, OutputArgs, OutputFile};
use crate::report::Format;
use clap::{ColorChoice, CommandFactory as _};

/// What can be told from the words of a command line, the program's own name left out. Whatever may be the server's is
/// not looked at: its options are not ours.
pub(super) fn outputs_of(words: &[String]) -> OutputArgs {
    let mut found = OutputArgs {
        format: Format::Human,
        json: false,
        outputs: Vec::new(),
        quiet: false,
        verbose: false,
        color: ColorChoice::Auto,
    };
    let program = Cli::command();
    let mut command = &program;
    let mut words = words.iter().take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) else {
            // The command, its lock, or the first word of a server's command line.
            match program.find_subcommand(word).filter(|_| std::ptr::eq(command, &program)) {
                Some(subcommand) => command = subcommand,
                None if command.get_positionals().any(clap::Arg::is_trailing_var_arg_set) => break,
                None => {}
            }
            continue;
        };
        let (name, attached) = match option.strip_prefix('-') {
            Some(long) => long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))),
            None => option.split_at_checked(1).map_or((option, None), |(n, v)| (n, Some(v).filter(|v| !v.is_empty()))),
        };
        let known = command.get_arguments().chain(program.get_arguments()).find(|argument| {
            argument.get_long() == Some(name) || argument.get_short().is_some_and(|short| name.chars().eq([short]))
        });
        let wants_value = known.is_some_and(|argument| {
            argument.get_action().takes_values() && argument.get_num_args().is_none_or(|count| count.min_values() > 0)
        });
        let value = attached.or_else(|| words.next_if(|_| wants_value).map(String::as_str));
        match (name, value) {
            ("json", _) => found.json = true,
            ("format", Some(value)) => found.format = Format::from_name(value).unwrap_or(found.format),
            ("output", Some(value)) => found.outputs.extend(OutputFile::parse(value)),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> (Format, Vec<String>) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let found = outputs_of(&words);
        let format = if found.json { Format::Json } else { found.format };
        let outputs = found.outputs.iter();
        (format, outputs.map(|output| format!("{}={}", output.format.name(), output.path.display())).collect())
    }

    #[test]
    fn only_our_own_words_count() {
        let none: &[&str] = &[];
        let cases = [
            ("check --bogus --json", Format::Json, none),
            ("check --format sarif --bogus", Format::Sarif, none),
            ("--format=junit check --bogus", Format::Junit, none),
            ("check --output sarif=a --bogus --output=json=b c", Format::Human, &["sarif=a", "json=b"]),
            ("check --format nonsense", Format::Human, none),
            // The value of another option, however it looks.
            ("check --lock --json", Format::Human, none),
            ("capture -o --json", Format::Human, none),
            ("capture -o- --json", Format::Json, none),
            // The server's.
            ("check --bogus -- --json", Format::Human, none),
            ("check --bogus ./server --json --output sarif=a", Format::Human, none),
            ("pin check --json", Format::Human, none),
            // A lock is no server.
            ("show a.lock b.lock --format sarif", Format::Sarif, none),
            ("pin --save-surface --json --bogus", Format::Json, none),
            ("", Format::Human, none),
            ("- --json", Format::Json, none),
        ];
        for (line, format, outputs) in cases {
            let outputs: Vec<String> = outputs.iter().map(|output| (*output).to_owned()).collect();
            assert_eq!(asked(line), (format, outputs), "{line}");
        }
    }
}
