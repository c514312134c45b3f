//! Reads what cannot be read without blocking.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// How much the thread reads at once.
const CHUNK: usize = 64 << 10;

/// A source that a thread of its own reads.
///
/// Nobody waits for the thread: a read that never returns does not keep the process, nor a Tokio runtime, from ending.
#[derive(Debug)]
pub(crate) struct ThreadReader {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    rest: Vec<u8>,
    start: usize,
}

impl ThreadReader {
    /// Reads `source` to its end, one chunk ahead.
    ///
    /// # Errors
    ///
    /// When the thread cannot be started.
    pub(crate) fn spawn(mut source: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, chunks) = mpsc::channel(1);
        thread::Builder::new().name("stdin".to_owned()).spawn(move || {
            let mut buffer = vec![0; CHUNK];
            loop {
                let read = match source.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = read.is_err();
                if sender.blocking_send(read).is_err() || failed {
                    return;
                }
            }
        })?;
        Ok(Self { chunks, rest: Vec::new(), start: 0 })
    }
}

impl AsyncRead for ThreadReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        space: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.start == self.rest.len() {
            match ready!(self.chunks.poll_recv(cx)) {
                Some(chunk) => self.rest = chunk?,
                None => return Poll::Ready(Ok(())),
            }
            self.start = 0;
        }
        let rest = self.rest.get(self.start..).unwrap_or_default();
        let count = rest.len().min(space.remaining());
        space.put_slice(rest.get(..count).unwrap_or_default());
        self.start += count;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[tokio::test]
    async fn everything_is_read_in_order_up_to_the_end() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
        let mut reader = ThreadReader::spawn(io::Cursor::new(bytes.clone())).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).await.unwrap();
        assert!(read == bytes);
    }

    #[tokio::test]
    async fn an_error_of_the_source_is_passed_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let mut reader = ThreadReader::spawn(Broken).unwrap();
        assert_eq!(reader.read_u8().await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    }
}
