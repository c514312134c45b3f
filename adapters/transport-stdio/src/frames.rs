//! Cuts a byte stream into frames. Works on bytes alone: what is in a frame, valid or not, is for others to judge.

use memchr::memchr;

/// How much is read at once; what a pipe holds on common systems.
const CHUNK: usize = 64 << 10;

/// A buffer that grew beyond this for one long frame is given back after it.
const KEEP: usize = 256 << 10;

/// What was found in the stream.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// One line, without its end.
    Line(Vec<u8>),
    /// The line is longer than allowed. Its bytes are dropped, also those that are still to come.
    TooLarge,
}

/// Holds what was read but not yet handed on: one chunk and one unfinished frame, no more.
#[derive(Debug)]
pub(crate) struct Frames {
    chunk: Box<[u8]>,
    start: usize,
    end: usize,
    unfinished: Vec<u8>,
    discarding: bool,
    limit: usize,
}

impl Frames {
    /// Frames of up to `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            chunk: vec![0; CHUNK].into_boxed_slice(),
            start: 0,
            end: 0,
            unfinished: Vec::new(),
            discarding: false,
            limit,
        }
    }

    /// Where the next bytes are to be read to. Only to be asked for once [`Self::next`] found nothing more.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        debug_assert_eq!(self.start, self.end, "bytes that wait would be overwritten");
        &mut self.chunk
    }

    /// Tells that the first `count` bytes of [`Self::space`] were read.
    pub(crate) fn filled(&mut self, count: usize) {
        self.start = 0;
        self.end = count.min(self.chunk.len());
    }

    /// The next whole frame among the bytes read so far. Blank lines are no frames.
    pub(crate) fn next(&mut self) -> Option<Frame> {
        while let Some(rest) = self.chunk.get(self.start..self.end).filter(|rest| !rest.is_empty()) {
            if self.discarding {
                self.start += skip_line(rest);
                self.discarding = self.start == self.end && rest.last() != Some(&b'\n');
                continue;
            }
            self.start += take_line(rest, &mut self.unfinished);
            let whole = self.unfinished.pop_if(|last| *last == b'\n').is_some();
            if whole {
                self.unfinished.pop_if(|last| *last == b'\r');
            }
            // The CR of a line end may be here before its LF.
            if self.unfinished.len() > self.limit.saturating_add(usize::from(!whole)) {
                self.discarding = !whole;
                self.unfinished = Vec::new();
                return Some(Frame::TooLarge);
            }
            if whole && let Some(frame) = self.hand_over() {
                return Some(frame);
            }
        }
        None
    }

    /// The last frame, when the stream ended without a line end.
    pub(crate) fn last(&mut self) -> Option<Frame> {
        self.unfinished.pop_if(|last| *last == b'\r');
        if self.unfinished.len() > self.limit {
            self.unfinished = Vec::new();
            return Some(Frame::TooLarge);
        }
        self.hand_over()
    }

    /// Takes back the memory of a frame that is done with, for the frames to come.
    pub(crate) fn recycle(&mut self, mut frame: Vec<u8>) {
        if self.unfinished.capacity() == 0 && frame.capacity() <= KEEP {
            frame.clear();
            self.unfinished = frame;
        }
    }

    fn hand_over(&mut self) -> Option<Frame> {
        if self.unfinished.iter().all(u8::is_ascii_whitespace) {
            self.unfinished.clear();
            return None;
        }
        Some(Frame::Line(std::mem::take(&mut self.unfinished)))
    }
}

/// How many bytes belong to the line at the start of `bytes`, its end included.
fn skip_line(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
}

/// Appends the line at the start of `bytes`, its end included, and says how long it is.
fn take_line(bytes: &[u8], line: &mut Vec<u8>) -> usize {
    let length = skip_line(bytes);
    line.extend_from_slice(bytes.get(..length).unwrap_or(bytes));
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(limit: usize, pieces: &[&[u8]]) -> Vec<Frame> {
        let mut frames = Frames::new(limit);
        let mut found = Vec::new();
        for piece in pieces {
            frames.space()[..piece.len()].copy_from_slice(piece);
            frames.filled(piece.len());
            found.extend(std::iter::from_fn(|| frames.next()));
        }
        found.extend(frames.last());
        found
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_at_lf_and_lose_one_cr() {
        assert_eq!(cut(9, &[b"a\r\nb\n\nc\r\r\n \t\r\nd"]), [line("a"), line("b"), line("c\r"), line("d")]);
    }

    #[test]
    fn a_frame_may_come_in_any_number_of_pieces() {
        assert_eq!(cut(9, &[b"{\"a\"", b":", b"1}\r", b"\nnext\n"]), [line("{\"a\":1}"), line("next")]);
    }

    #[test]
    fn other_separators_and_bad_bytes_stay_in_the_frame() {
        let frames = cut(20, &["a\u{2028}b\u{85}c\n".as_bytes(), b"\xFF\xFE\n"]);
        assert_eq!(frames, [line("a\u{2028}b\u{85}c"), Frame::Line(vec![0xFF, 0xFE])]);
    }

    #[test]
    fn the_limit_is_exact_and_does_not_count_the_line_end() {
        assert_eq!(
            cut(4, &[b"1234\r\n1234\n12345\n12\n"]),
            [line("1234"), line("1234"), Frame::TooLarge, line("12")]
        );
        assert_eq!(cut(4, &[b"1234\r", b"\n"]), [line("1234")]);
        assert_eq!(cut(4, &[b"12345", b"\n1\n"]), [Frame::TooLarge, line("1")]);
    }

    #[test]
    fn the_limit_holds_for_a_last_line_without_an_end() {
        assert_eq!(cut(4, &[b"1234"]), [line("1234")]);
        assert_eq!(cut(4, &[b"1234\r"]), [line("1234")]);
        assert_eq!(cut(4, &[b"12345"]), [Frame::TooLarge]);
        assert_eq!(cut(4, &[b"123456"]), [Frame::TooLarge]);
    }

    #[test]
    fn an_endless_line_is_told_once_and_keeps_no_memory() {
        let mut frames = Frames::new(1 << 20);
        let mut found = Vec::new();
        for _ in 0..(100 << 20) / CHUNK {
            frames.space().fill(b'x');
            frames.filled(CHUNK);
            found.extend(std::iter::from_fn(|| frames.next()));
            assert!(frames.unfinished.capacity() <= 4 << 20);
        }
        frames.space()[..7].copy_from_slice(b"x\nnext\n");
        frames.filled(7);
        found.extend(std::iter::from_fn(|| frames.next()));
        assert_eq!(found, [Frame::TooLarge, line("next")]);
    }
}
