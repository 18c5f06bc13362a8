//! `warden completions`: what a shell needs to complete our words, from the same definition that parses them.

use super::args::visible;
use clap::Args;
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
    clap_complete::generate(args.shell, &mut visible(), "warden", &mut script);
    // It is made of our own help texts.
    String::from_utf8_lossy(&script).into_owned()
}
