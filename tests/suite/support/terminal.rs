//! A terminal with somebody at it: the program reads what is typed there and writes its standard error to it.

use super::cli::Run;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::process::{Command, Stdio};

/// Runs a command at a terminal. Each answer is typed once its question is shown, one to no question before the program
/// starts; U+0004 is the end of input, as
/// everywhere.
pub fn run_at_terminal(command: &mut Command, answers: &[(&str, &str)]) -> Run {
    run_and_then(command, &mut || {}, answers)
}

/// As [`run_at_terminal`], and does something before the first answer.
pub fn run_and_then(command: &mut Command, then: &mut dyn FnMut(), answers: &[(&str, &str)]) -> Run {
    let mut main = File::from(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal"));
    grantpt(&main).expect("a terminal");
    unlockpt(&main).expect("a terminal");
    let name = ptsname(&main, Vec::new()).expect("its name");
    let open = || {
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
        File::options().read(true).write(true).open(path).expect("its other side")
    };
    command.stdin(Stdio::from(open())).stderr(Stdio::from(open())).stdout(Stdio::piped());
    let mut answers = answers.iter();
    let mut next = answers.next();
    // Typed ahead, before there is anybody to read it.
    while let Some(("", answer)) = next {
        main.write_all(answer.as_bytes()).expect("typing");
        next = answers.next();
    }
    let mut child = command.spawn().expect("the program");
    // Our copies of the other side end here: once the program has ended, reading ends too.
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut shown = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some((question, answer)) = next
            && String::from_utf8_lossy(&shown).contains(question)
        {
            then();
            main.write_all(answer.as_bytes()).expect("typing");
            next = answers.next();
        }
        // A terminal whose other side is closed is an error on some systems.
        match main.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => shown.extend_from_slice(&buffer[..count]),
        }
    }
    let mut stdout = String::new();
    child.stdout.take().expect("its output").read_to_string(&mut stdout).expect("UTF-8 on standard output");
    let status = child.wait().expect("an end");
    let shown = String::from_utf8(shown).expect("UTF-8 on the terminal").replace("\r\n", "\n");
    Run::from_parts(status.code(), stdout, shown, format!("{command:?}"))
}
