//! `completions SHELL`: prints what lets a shell complete this program's commands and options.

use clap_complete::Shell;

use super::Failure;
use super::output::print;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALLING)]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const INSTALLING: &str = "Keep them where the shell looks for them, for example:
  cranecuber completions bash > ~/.local/share/bash-completion/completions/cranecuber
  cranecuber completions zsh > ~/.zfunc/_cranecuber      (a folder of your fpath)
  cranecuber completions fish > ~/.config/fish/completions/cranecuber.fish
  cranecuber completions elvish >> ~/.config/elvish/rc.elv
  cranecuber completions powershell >> $PROFILE";

/// Prints them for all that `command` takes.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "cranecuber", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}
