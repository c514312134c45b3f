//! The end of a stream.

use std::collections::VecDeque;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// The last bytes of a stream, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    kept: VecDeque<u8>,
    most: usize,
}

impl Tail {
    pub(crate) fn of(most: usize) -> Self {
        Self { kept: VecDeque::new(), most }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.kept.extend(bytes);
        let surplus = self.kept.len().saturating_sub(self.most);
        self.kept.drain(..surplus);
    }

    /// As text; a character that the cut went through is left out.
    pub(crate) fn into_text(self) -> String {
        let is_inside = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let bytes: Vec<u8> = match self.kept.len() < self.most {
            true => self.kept.into(),
            false => self.kept.into_iter().skip_while(is_inside).collect(),
        };
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Reads a stream to its end and keeps its last bytes.
pub(crate) async fn read_tail(mut stream: impl AsyncRead + Unpin, tail: &mut Tail) {
    let mut piece = vec![0; 8192];
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        tail.add(piece.get(..count).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_stay_and_no_character_is_torn() {
        let mut tail = Tail::of(6);
        tail.add("abc".as_bytes());
        assert_eq!(Tail { kept: tail.kept.clone(), most: 6 }.into_text(), "abc");
        tail.add("äöü".as_bytes());
        assert_eq!(tail.into_text(), "äöü");
        let mut tail = Tail::of(5);
        tail.add("äöü".as_bytes());
        assert_eq!(tail.into_text(), "öü");
    }
}
