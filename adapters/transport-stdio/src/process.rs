//! The standard streams of the process.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
#[cfg(unix)]
use tokio::net::{UnixStream, unix::pipe};

use crate::error::StdioError;
use crate::thread_reader::ThreadReader;

/// The standard input of the process.
#[derive(Debug)]
pub struct StandardInput(Input);

#[derive(Debug)]
enum Input {
    #[cfg(unix)]
    Pipe(pipe::Receiver),
    #[cfg(unix)]
    Socket(UnixStream),
    Thread(ThreadReader),
}

/// The standard output of the process.
#[derive(Debug)]
pub struct StandardOutput(Output);

#[derive(Debug)]
enum Output {
    #[cfg(unix)]
    Pipe(pipe::Sender),
    #[cfg(unix)]
    Socket(UnixStream),
    Blocking(tokio::io::Stdout),
}

impl StandardInput {
    pub(crate) fn open() -> Result<Self, StdioError> {
        Self::input().map(Self).map_err(|source| StdioError::Open { stream: "input", source })
    }

    fn input() -> io::Result<Input> {
        #[cfg(unix)]
        match kind::of(io::stdin())? {
            kind::Stream::Pipe(fd) => return pipe::Receiver::from_owned_fd(fd).map(Input::Pipe),
            kind::Stream::Socket(socket) => return UnixStream::from_std(socket).map(Input::Socket),
            kind::Stream::Other => {}
        }
        ThreadReader::spawn(io::stdin()).map(Input::Thread)
    }
}

impl StandardOutput {
    pub(crate) fn open() -> Result<Self, StdioError> {
        Self::output().map(Self).map_err(|source| StdioError::Open { stream: "output", source })
    }

    fn output() -> io::Result<Output> {
        #[cfg(unix)]
        match kind::of(io::stdout())? {
            kind::Stream::Pipe(fd) => return pipe::Sender::from_owned_fd(fd).map(Output::Pipe),
            kind::Stream::Socket(socket) => return UnixStream::from_std(socket).map(Output::Socket),
            kind::Stream::Other => {}
        }
        Ok(Output::Blocking(tokio::io::stdout()))
    }
}

#[cfg(unix)]
mod kind {
    //! What a standard stream is: some clients make pipes for a server, others pairs of sockets.

    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::fs::FileTypeExt;
    use std::os::unix::net::UnixStream;

    pub(super) enum Stream {
        Pipe(OwnedFd),
        Socket(UnixStream),
        Other,
    }

    pub(super) fn of(stream: impl AsFd) -> io::Result<Stream> {
        let file = File::from(stream.as_fd().try_clone_to_owned()?);
        let file_type = file.metadata()?.file_type();
        if file_type.is_fifo() {
            return Ok(Stream::Pipe(file.into()));
        }
        if file_type.is_socket() {
            let socket = UnixStream::from(OwnedFd::from(file));
            socket.set_nonblocking(true)?;
            return Ok(Stream::Socket(socket));
        }
        Ok(Stream::Other)
    }
}

impl AsyncRead for StandardInput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        space: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.0 {
            #[cfg(unix)]
            Input::Pipe(pipe) => Pin::new(pipe).poll_read(cx, space),
            #[cfg(unix)]
            Input::Socket(socket) => Pin::new(socket).poll_read(cx, space),
            Input::Thread(reader) => Pin::new(reader).poll_read(cx, space),
        }
    }
}

impl AsyncWrite for StandardOutput {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.0 {
            #[cfg(unix)]
            Output::Pipe(pipe) => Pin::new(pipe).poll_write(cx, bytes),
            #[cfg(unix)]
            Output::Socket(socket) => Pin::new(socket).poll_write(cx, bytes),
            Output::Blocking(stdout) => Pin::new(stdout).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            #[cfg(unix)]
            Output::Pipe(pipe) => Pin::new(pipe).poll_flush(cx),
            #[cfg(unix)]
            Output::Socket(socket) => Pin::new(socket).poll_flush(cx),
            Output::Blocking(stdout) => Pin::new(stdout).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            #[cfg(unix)]
            Output::Pipe(pipe) => Pin::new(pipe).poll_shutdown(cx),
            #[cfg(unix)]
            Output::Socket(socket) => Pin::new(socket).poll_shutdown(cx),
            Output::Blocking(stdout) => Pin::new(stdout).poll_shutdown(cx),
        }
    }
}
