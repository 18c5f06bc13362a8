//! `warden completions`: what a shell needs to complete our words, from the same definition that parses them.

use super::args::visible;
use clap::{Arg, Args, ValueHint};
use clap_complete::Shell;

/// Arguments of `warden completions`.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell that is to complete
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// The script.
pub(super) fn script(args: &CompletionsArgs) -> String {
    let mut script = Vec::new();
    let mut all = visible().mut_args(hinted).mut_subcommands(|command| command.mut_args(hinted));
    clap_complete::generate(args.shell, &mut all, "warden", &mut script);
    // It is made of our own help texts.
    String::from_utf8_lossy(&script).into_owned()
}

/// A shell offers file names for whatever is not said to be something else, and most values are names, numbers or words.
/// Only the command of a server, whose words may be anything, is left to the shell.
fn hinted(argument: Arg) -> Arg {
    let is_open = argument.get_value_hint() == ValueHint::Unknown && !argument.is_trailing_var_arg_set();
    match is_open && argument.get_action().takes_values() {
        true => argument.value_hint(ValueHint::Other),
        false => argument,
    }
}
