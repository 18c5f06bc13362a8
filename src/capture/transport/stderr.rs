//! The server's standard error: drained from the start to the end, its tail kept.
//!
//! A server that fills the pipe stops, so somebody always reads; what it says matters only when something fails, or to
//! somebody who asked for all of it.

use crate::capture::limits::Limits;
use crate::capture::redact::{Quoter, Redactor, SEARCHED};
use crate::capture::stage::Observer;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

/// A handle on the tail; the reading goes on in a task of its own.
#[derive(Debug, Clone)]
pub struct StderrTail {
    tail: Arc<Mutex<Tail>>,
    ended: watch::Receiver<bool>,
    /// Whether somebody is given every line.
    watched: bool,
}

#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
    /// Whether the beginning was dropped.
    cut: bool,
}

impl StderrTail {
    /// Starts to drain; needs a runtime. Keeps the last `keep` bytes, and hands every line on where somebody wants it.
    pub fn drain(
        mut stderr: impl AsyncRead + Unpin + Send + 'static,
        keep: usize,
        mut lines: Option<StderrLines>,
    ) -> Self {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (ending, ended) = watch::channel(false);
        let watched = lines.is_some();
        let filled = Arc::clone(&tail);
        tokio::spawn(async move {
            let mut chunk = vec![0; 16 << 10];
            while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
                lock(&filled).push(&chunk[..count], keep);
                if let Some(lines) = &mut lines {
                    lines.push(&chunk[..count]);
                }
            }
            if let Some(lines) = &mut lines {
                lines.end();
            }
            ending.send_replace(true);
        });
        Self { tail, ended, watched }
    }

    /// Waits until the pipe is closed. Left-over children may hold it for ever: bound the waiting.
    pub async fn ended(&self) {
        // An error means that the task is gone, which is an end too.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }

    /// Whether somebody is given every line, and so wants the last ones too.
    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// The last bytes, and whether something stood before them.
    pub fn bytes(&self) -> (Vec<u8>, bool) {
        let tail = lock(&self.tail);
        (tail.bytes.iter().copied().collect(), tail.cut)
    }
}

impl Tail {
    fn push(&mut self, bytes: &[u8], keep: usize) {
        let bytes = if bytes.len() > keep {
            self.cut = true;
            &bytes[bytes.len() - keep..]
        } else {
            bytes
        };
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(keep);
        if excess > 0 {
            self.bytes.drain(..excess);
            self.cut = true;
        }
        self.bytes.extend(bytes);
    }
}

/// Hands a stream on line by line, bounded in every direction.
pub struct StderrLines {
    observer: Arc<dyn Observer>,
    quoter: Quoter,
    /// How many lines may still be handed on.
    left: usize,
    unshown: usize,
    /// The line that is being read, up to a little more than what a quotation looks at.
    line: Vec<u8>,
}

impl StderrLines {
    /// For an observer that wants lines; `None` for any other.
    pub fn wanted(observer: &Arc<dyn Observer>, redactor: Redactor, limits: &Limits) -> Option<Self> {
        observer.wants_stderr().then(|| Self {
            observer: Arc::clone(observer),
            quoter: Quoter::new(redactor, limits.stderr_line_chars),
            left: limits.stderr_lines,
            unshown: 0,
            line: Vec::new(),
        })
    }

    fn push(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            // One byte more than is looked at, so that the quotation knows that something is missing.
            let room = (SEARCHED + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&text[..text.len().min(room)]);
            if text.len() < piece.len() {
                self.hand_on();
            }
        }
    }

    fn hand_on(&mut self) {
        let line = std::mem::take(&mut self.line);
        match self.left.checked_sub(1) {
            None => self.unshown += 1,
            Some(left) => {
                self.left = left;
                self.observer.on_stderr_line(&self.quoter.quote_bytes(line.strip_suffix(b"\r").unwrap_or(&line)));
            }
        }
    }

    fn end(&mut self) {
        if !self.line.is_empty() {
            self.hand_on();
        }
        if self.unshown > 0 {
            self.observer.on_stderr_line(&format!("({} more lines are not shown)", self.unshown));
        }
    }
}

fn lock(tail: &Mutex<Tail>) -> std::sync::MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Collector(Mutex<Vec<String>>);

    impl Observer for Collector {
        fn on_stage(&self, _: &crate::capture::Stage) {}

        fn wants_stderr(&self) -> bool {
            true
        }

        fn on_stderr_line(&self, line: &str) {
            self.0.lock().unwrap().push(line.to_owned());
        }
    }

    #[test]
    fn lines_are_handed_on_whole_escaped_and_bounded() {
        let collector = Arc::new(Collector::default());
        let observer: Arc<dyn Observer> = collector.clone();
        let limits = Limits { stderr_lines: 4, stderr_line_chars: 40, ..Limits::default() };
        let redactor = Redactor::new([("KEY", "s3cr3t-s3cr3t")]);
        let mut lines = StderrLines::wanted(&observer, redactor, &limits).unwrap();
        lines.push(b"one\r\ntwo s3cr3t-");
        lines.push(b"s3cr3t \x1b[1m\n\nlong ");
        lines.push(&[b'x'; 3 * SEARCHED]);
        assert!(lines.line.len() <= SEARCHED + 1);
        lines.push(b"\nfive\nsix");
        lines.end();
        let long = format!("long {}…", "x".repeat(35));
        let seen = collector.0.lock().unwrap().clone();
        assert_eq!(seen, ["one", "two [value of KEY] ⟨ESC⟩[1m", "", long.as_str(), "(2 more lines are not shown)"]);
        let nobody: Arc<dyn Observer> = Arc::new(crate::capture::Unobserved);
        assert!(StderrLines::wanted(&nobody, Redactor::default(), &limits).is_none());
    }

    #[test]
    fn the_tail_is_bounded_and_says_when_it_was_cut() {
        let mut tail = Tail::default();
        tail.push(b"abc", 5);
        assert_eq!((tail.bytes.len(), tail.cut), (3, false));
        tail.push(b"defg", 5);
        assert_eq!((tail.bytes.make_contiguous().to_vec(), tail.cut), (b"cdefg".to_vec(), true));
        tail.push(b"0123456789", 5);
        assert_eq!(tail.bytes.make_contiguous().to_vec(), b"56789".to_vec());
    }
}
