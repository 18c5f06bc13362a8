//! A transport without a server: a function answers each message. For tests, and for surfaces kept in files.

use super::process::Ending;
use super::{Transport, TransportError};
use std::collections::VecDeque;

/// What a [`Replay`] does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// One line, without its line end.
    Line(Vec<u8>),
    /// No more lines.
    End(Ending),
}

impl<T: AsRef<[u8]>> From<T> for Reply {
    fn from(line: T) -> Self {
        Self::Line(line.as_ref().to_vec())
    }
}

/// Answers by a function from a message to what the server writes then. Without replies left it is silent for ever,
/// as a server is that does not answer.
pub struct Replay<F> {
    answer: F,
    queue: VecDeque<Reply>,
}

impl<F: FnMut(&[u8]) -> Vec<Reply>> Replay<F> {
    pub fn new(answer: F) -> Self {
        Self { answer, queue: VecDeque::new() }
    }

    /// Also writes something before it is asked anything.
    #[must_use]
    pub fn opening(mut self, replies: impl IntoIterator<Item = Reply>) -> Self {
        self.queue.extend(replies);
        self
    }
}

impl<F: FnMut(&[u8]) -> Vec<Reply>> Transport for Replay<F> {
    fn send(&mut self, message: &[u8]) -> Result<(), TransportError> {
        self.queue.extend((self.answer)(message));
        Ok(())
    }

    async fn receive(&mut self) -> Result<Vec<u8>, TransportError> {
        match self.queue.pop_front() {
            Some(Reply::Line(line)) => Ok(line),
            Some(Reply::End(ending)) => {
                self.queue.clear();
                Err(TransportError::Ended(ending))
            }
            None => std::future::pending().await,
        }
    }
}
