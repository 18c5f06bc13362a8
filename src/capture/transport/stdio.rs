//! MCP over the standard streams of a child process: one message a line.
//!
//! Reading, writing and watching the process happen in one place and in turns, so that a server that does not read
//! cannot stop us from reading, and one that is gone is noticed even while somebody else holds its pipes.

use super::framing::LineSplitter;
use super::process::{self, Ending, Pace, Server};
use super::stderr::{StderrLines, StderrTail};
use super::{Transport, TransportError};
use crate::capture::environment::Environment;
use crate::capture::error::ErrorKind;
use crate::capture::interrupt::Running;
use crate::capture::limits::{Limit, Limits};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::{Instant, sleep, timeout};

/// How often to look whether the process still lives while nothing comes.
const LOOK: Duration = Duration::from_millis(25);
/// How long the output may stay silent once the process is gone (a launcher may leave its server behind).
const SILENCE: Duration = Duration::from_secs(1);
/// How long to wait for the exit status once the output ended.
const STATUS: Duration = Duration::from_millis(500);
/// How long to wait for the last words on standard error.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A server on the other end of three pipes.
pub struct Stdio {
    server: Server,
    /// `None` once the server closed it.
    stdin: Option<ChildStdin>,
    outgoing: Vec<u8>,
    outgoing_limit: usize,
    stdout: ChildStdout,
    output_ended: bool,
    lines: LineSplitter,
    chunk: Vec<u8>,
    stderr: StderrTail,
    /// How it ended, and since when it has been silent.
    gone: Option<(Ending, Instant)>,
}

/// What happened on the pipes.
enum Event {
    Read(io::Result<usize>),
    Wrote(io::Result<usize>),
    Nothing,
}

impl Stdio {
    /// Starts a server; needs a runtime with I/O and time.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(crate) fn start(
        command: &str,
        args: &[String],
        environment: &Environment,
        limits: &Limits,
        stderr_lines: Option<StderrLines>,
        running: Running,
    ) -> Result<Self, ErrorKind> {
        let io = |error: io::Error| ErrorKind::Io(error.to_string());
        let (server, pipes) = process::spawn(command, args, environment, running)?;
        let stderr = tokio::process::ChildStderr::from_std(pipes.stderr).map_err(io)?;
        Ok(Self {
            server,
            stdin: Some(ChildStdin::from_std(pipes.stdin).map_err(io)?),
            outgoing: Vec::new(),
            outgoing_limit: limits.outgoing_bytes,
            stdout: ChildStdout::from_std(pipes.stdout).map_err(io)?,
            output_ended: false,
            lines: LineSplitter::new(limits.line_bytes),
            chunk: vec![0; 64 << 10],
            stderr: StderrTail::drain(stderr, limits.stderr_tail_bytes, stderr_lines),
            gone: None,
        })
    }

    /// The end of the server's standard error so far, and whether it was cut.
    pub(crate) async fn stderr_tail(&self) -> (Vec<u8>, bool) {
        // What was written before the failure may still be in the pipe.
        let _ = timeout(Duration::from_millis(10), self.stderr.ended()).await;
        self.stderr.bytes()
    }

    /// Closes the server's input and ends it with its whole process group.
    pub(crate) async fn close(mut self, pace: Pace) -> Option<Ending> {
        self.stdin = None;
        let mut stdout = self.stdout;
        // A server that cannot write would not see that its input ended.
        let drain = tokio::spawn(async move { tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await });
        let ending = self.server.end(pace).await;
        drain.abort();
        if self.stderr.is_watched() {
            let _ = timeout(LAST_WORDS, self.stderr.ended()).await;
        }
        ending
    }

    /// How the connection ended, after its output did.
    async fn ending(&mut self) -> TransportError {
        let ending = match self.server.wait(STATUS).await {
            Some(ending) => ending,
            None => self.gone.map_or(Ending::ClosedOutput, |(ending, _)| ending),
        };
        self.last_words().await;
        TransportError::Ended(ending)
    }

    async fn last_words(&self) {
        let _ = timeout(LAST_WORDS, self.stderr.ended()).await;
    }

    /// Notices that the process is gone though its output is open. A failed write alone is no such sign: the answer
    /// to an earlier message may be on its way.
    fn look_for_end(&mut self) -> Option<Ending> {
        if let Some(ending) = self.server.look() {
            let since = self.gone.map_or_else(Instant::now, |(_, since)| since);
            self.gone = Some((ending, since));
        }
        self.gone.filter(|(_, since)| since.elapsed() >= SILENCE).map(|(ending, _)| ending)
    }
}

impl Transport for Stdio {
    fn send(&mut self, message: &[u8]) -> Result<(), TransportError> {
        if self.stdin.is_none() {
            return Ok(());
        }
        if self.outgoing.len() + message.len() >= self.outgoing_limit {
            return Err(TransportError::Limit(Limit::OutgoingBytes));
        }
        self.outgoing.extend_from_slice(message);
        self.outgoing.push(b'\n');
        Ok(())
    }

    async fn receive(&mut self) -> Result<Vec<u8>, TransportError> {
        loop {
            let line = self.lines.next_line().map_err(|_| TransportError::Limit(Limit::LineBytes))?;
            if let Some(line) = line {
                return Ok(line);
            }
            if self.output_ended {
                return match self.lines.rest() {
                    Some(line) => Ok(line),
                    None => Err(self.ending().await),
                };
            }
            let Self { stdin, stdout, outgoing, chunk, .. } = self;
            let event = tokio::select! {
                read = stdout.read(chunk) => Event::Read(read),
                wrote = write_some(stdin.as_mut(), outgoing), if !outgoing.is_empty() => Event::Wrote(wrote),
                () = sleep(LOOK) => Event::Nothing,
            };
            match event {
                Event::Read(Ok(0) | Err(_)) => self.output_ended = true,
                Event::Read(Ok(count)) => {
                    self.lines.push(&self.chunk[..count]);
                    if let Some((_, since)) = &mut self.gone {
                        *since = Instant::now();
                    }
                }
                Event::Wrote(Ok(count @ 1..)) => {
                    self.outgoing.drain(..count);
                }
                Event::Wrote(_) => {
                    self.stdin = None;
                    self.outgoing.clear();
                    self.gone.get_or_insert((Ending::ClosedInput, Instant::now()));
                }
                Event::Nothing => {
                    if let Some(ending) = self.look_for_end() {
                        self.last_words().await;
                        return Err(TransportError::Ended(ending));
                    }
                }
            }
        }
    }
}

async fn write_some(stdin: Option<&mut ChildStdin>, bytes: &[u8]) -> io::Result<usize> {
    match stdin {
        Some(stdin) => stdin.write(bytes).await,
        None => Ok(0),
    }
}
