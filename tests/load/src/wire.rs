//! One HTTP/1.1 connection, by hand.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// How long anything may take; far more than is ever needed, as machines are shared.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
#[derive(Debug)]
pub(crate) struct Wire(BufReader<TcpStream>);

/// A reply, or the head of one.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// In lower case, with its lines.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Wire {
    pub(crate) async fn open(to: SocketAddr) -> io::Result<Self> {
        Self::open_with(to, None).await
    }

    /// With room for about so many unread bytes, where it is told.
    pub(crate) async fn open_with(to: SocketAddr, room: Option<u32>) -> io::Result<Self> {
        let socket = if to.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        if let Some(room) = room {
            socket.set_recv_buffer_size(room)?;
        }
        let stream = patient(socket.connect(to)).await?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::with_capacity(2_048, stream)))
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        patient(self.0.get_mut().write_all(bytes)).await
    }

    /// Sends, however long the peer takes to make room.
    pub(crate) async fn send_for_good(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.get_mut().write_all(bytes).await
    }

    /// Sends a request and reads its reply.
    pub(crate) async fn exchange(&mut self, bytes: &[u8]) -> io::Result<Reply> {
        self.send(bytes).await?;
        self.reply().await
    }

    /// The next reply, whole.
    pub(crate) async fn reply(&mut self) -> io::Result<Reply> {
        let mut reply = self.reply_head().await?;
        if reply.head.contains("\r\ntransfer-encoding: chunked") {
            while let Some(chunk) = self.chunk().await? {
                reply.body.extend(chunk);
            }
        } else if let Some(length) = reply.header("content-length").and_then(|value| value.parse().ok()) {
            reply.body = vec![0; length];
            patient(self.0.read_exact(&mut reply.body)).await?;
        }
        Ok(reply)
    }

    /// The head of the next reply.
    pub(crate) async fn reply_head(&mut self) -> io::Result<Reply> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if patient(self.0.read_line(&mut head)).await? == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("a head broke off: {head:?}"),
                ));
            }
        }
        head.make_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status line: {head:?}")))?;
        Ok(Reply { status, head, body: Vec::new() })
    }

    /// The next chunk of a body, or nothing at its end. Waits for as long as it takes.
    pub(crate) async fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = String::new();
        if self.0.read_line(&mut line).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a stream broke off"));
        }
        let size = usize::from_str_radix(line.trim(), 16)
            .map_err(|_| io::Error::other(format!("no chunk size: {line:?}")))?;
        let mut chunk = vec![0; size + 2];
        patient(self.0.read_exact(&mut chunk)).await?;
        chunk.truncate(size);
        Ok((size > 0).then_some(chunk))
    }

    /// Waits until the peer closes and gives what it said until then.
    pub(crate) async fn until_closed(&mut self, within: Duration) -> io::Result<Vec<u8>> {
        let mut said = Vec::new();
        let read = async {
            match self.0.read_to_end(&mut said).await {
                // A reset is an end, too: bytes of ours were not wanted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(0),
                other => other,
            }
        };
        let ended = timeout(within, read).await;
        match ended {
            Ok(Ok(_)) => Ok(said),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, format!("still open after {within:?}"))),
        }
    }

    /// Half of the connection is closed: nothing more is sent.
    pub(crate) async fn finish(&mut self) -> io::Result<()> {
        self.0.get_mut().shutdown().await
    }

    /// The connection breaks off with a reset instead of an end.
    pub(crate) fn break_off(self) {
        // Where the option is refused, the connection ends the usual way.
        drop(SockRef::from(self.0.get_ref()).set_linger(Some(Duration::ZERO)));
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(':')?;
            (known == name).then(|| value.trim())
        })
    }
}

async fn patient<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    match timeout(PATIENCE, work).await {
        Ok(done) => done,
        Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, format!("nothing came for {PATIENCE:?}"))),
    }
}
