//! `traceparent`: the span that a request is part of.

use core::fmt;

/// The longest `traceparent` that is looked at, in bytes. That of version 00 has 55; a later version may add parts.
pub const LONGEST_TRACEPARENT: usize = 256;

/// Bytes of a `traceparent` of version 00.
const LENGTH: usize = 55;

/// The flags that are known: sampled, and that the trace id is random. Others are not passed on
/// ([Trace-flags](https://www.w3.org/TR/trace-context-2/#trace-flags)).
const KNOWN_FLAGS: u8 = 0b11;
const SAMPLED: u8 = 0b01;

/// A span in a trace ([`traceparent`](https://www.w3.org/TR/trace-context/#traceparent-header)).
///
/// It prints as `traceparent` of version 00.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceParent {
    trace_id: [u8; 16],
    span_id: [u8; 8],
    flags: u8,
}

impl TraceParent {
    /// Reads a `traceparent`; nothing if it has another form, upper-case digits, version ff, or an id of zeros only.
    ///
    /// Of a version after 00, the parts that version 00 has are read and the others left.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() > LONGEST_TRACEPARENT {
            return None;
        }
        let (known, rest) = bytes.split_at_checked(LENGTH)?;
        let mut parts = known.split(|byte| *byte == b'-');
        let [version] = hex::<1>(parts.next()?)?;
        let trace_id = hex::<16>(parts.next()?)?;
        let span_id = hex::<8>(parts.next()?)?;
        let [flags] = hex::<1>(parts.next()?)?;
        let ends_well = match version {
            0x00 => rest.is_empty(),
            0xFF => false,
            0x01..=0xFE => rest.is_empty() || rest.starts_with(b"-"),
        };
        let names_a_span = trace_id != [0; 16] && span_id != [0; 8];
        (ends_well && names_a_span && parts.next().is_none()).then_some(Self {
            trace_id,
            span_id,
            flags: flags & KNOWN_FLAGS,
        })
    }

    /// The trace's id, never all zeros.
    pub const fn trace_id(&self) -> &[u8; 16] {
        &self.trace_id
    }

    /// The span's id, never all zeros.
    pub const fn span_id(&self) -> &[u8; 8] {
        &self.span_id
    }

    /// The known flags: bit 0 sampled, bit 1 random trace id.
    pub const fn flags(&self) -> u8 {
        self.flags
    }

    /// Whether the caller may have recorded the span.
    pub const fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("00-")?;
        self.trace_id.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("-")?;
        self.span_id.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, "-{:02x}", self.flags)
    }
}

impl fmt::Debug for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceParent({self})")
    }
}

/// Exactly `COUNT` bytes in lower-case hexadecimal digits.
fn hex<const COUNT: usize>(digits: &[u8]) -> Option<[u8; COUNT]> {
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    if pairs.len() != COUNT {
        return None;
    }
    let mut bytes = [0; COUNT];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

const fn digit(character: u8) -> Option<u8> {
    match character {
        b'0'..=b'9' => Some(character - b'0'),
        b'a'..=b'f' => Some(character - b'a' + 10),
        _ => None,
    }
}
