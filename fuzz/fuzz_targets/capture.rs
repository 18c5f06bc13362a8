//! A server that answers every message with the next line of the input, and its line splitter.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use warden::capture::transport::{Ending, LineSplitter, Replay, Reply};
use warden::capture::{Deadline, Redactor, Settings, over};

/// The lines of a stream that comes in pieces of this size.
fn lines(text: &[u8], piece: usize) -> Vec<Vec<u8>> {
    let mut splitter = LineSplitter::new(1 << 16);
    let mut lines = Vec::new();
    for piece in text.chunks(piece) {
        splitter.push(piece);
        while let Some(line) = splitter.next_line().expect("no line is that long") {
            lines.push(line);
        }
    }
    lines.extend(splitter.rest());
    lines
}

fuzz_target!(|text: &[u8]| {
    if text.len() > 1 << 16 {
        return;
    }
    let all = lines(text, 1 << 16);
    assert_eq!(all, lines(text, 1 + text.len() % 7));
    let mut all = all.into_iter();
    let mut server = Replay::new(move |_: &[u8]| {
        // A blank line ends a burst: the server waits for the next message.
        let burst: Vec<Reply> = all.by_ref().take_while(|line| !line.is_empty()).map(Reply::Line).collect();
        if burst.is_empty() { vec![Reply::End(Ending::Exited(0))] } else { burst }
    });
    // A server that says nothing more is waited for: briefly, or little else would happen.
    let mut settings = Settings::new(Deadline::after(Duration::from_millis(30)));
    settings.limits.pages = 8;
    let outcome = over(&mut server, &settings, Redactor::new([]));
    if let Err(error) = outcome {
        let _ = (error.to_string(), error.code(), error.hint());
    }
});
