//! The server's standard error: drained from the start to the end, its tail kept.
//!
//! A server that fills the pipe stops, so somebody always reads; what it says matters only when something fails.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

/// A handle on the tail; the reading goes on in a task of its own.
#[derive(Debug, Clone)]
pub struct StderrTail {
    tail: Arc<Mutex<Tail>>,
    ended: watch::Receiver<bool>,
}

#[derive(Debug, Default)]
struct Tail {
    bytes: VecDeque<u8>,
    /// Whether the beginning was dropped.
    cut: bool,
}

impl StderrTail {
    /// Starts to drain; needs a runtime. Keeps the last `keep` bytes.
    pub fn drain(mut stderr: impl AsyncRead + Unpin + Send + 'static, keep: usize) -> Self {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (ending, ended) = watch::channel(false);
        let filled = Arc::clone(&tail);
        tokio::spawn(async move {
            let mut chunk = vec![0; 16 << 10];
            while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
                lock(&filled).push(&chunk[..count], keep);
            }
            ending.send_replace(true);
        });
        Self { tail, ended }
    }

    /// Waits until the pipe is closed. Left-over children may hold it for ever: bound the waiting.
    pub async fn ended(&self) {
        // An error means that the task is gone, which is an end too.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
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

fn lock(tail: &Mutex<Tail>) -> std::sync::MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

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
