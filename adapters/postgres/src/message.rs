//! Notifications: who sent one, and its share of a message.

/// What one notification of the database carries at the most, in bytes.
const LONGEST_PAYLOAD: usize = 7_999;

/// The first word of a payload of this form.
const FORM: &str = "pm1";

/// Room for the words in front of a piece of a message.
const LONGEST_HEAD: usize = 80;

/// The name of one member, drawn at random.
pub(crate) type Member = String;

/// Cuts a message into payloads. `number` differs from message to message of one member: the database delivers what is
/// the same only once a transaction.
///
/// Payload: form, member, number, how many pieces follow, then the piece, each after one space.
pub(crate) fn payloads(member: &str, number: u64, message: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = message;
    loop {
        let cut = rest.floor_char_boundary(LONGEST_PAYLOAD - LONGEST_HEAD);
        let (piece, after) = rest.split_at(cut);
        pieces.push(piece);
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    let follow = (0..pieces.len()).rev();
    pieces
        .iter()
        .zip(follow)
        .map(|(piece, follow)| format!("{FORM} {member} {number} {follow} {piece}"))
        .collect()
}

/// One payload, taken apart.
struct Piece<'a> {
    member: &'a str,
    number: &'a str,
    follow: u32,
    text: &'a str,
}

impl<'a> Piece<'a> {
    fn parse(payload: &'a str) -> Option<Self> {
        let mut words = payload.splitn(5, ' ');
        let mut word = || words.next();
        let (form, member, number, follow, text) = (word()?, word()?, word()?, word()?, word()?);
        let follow = follow.parse().ok()?;
        (form == FORM).then_some(Self { member, number, follow, text })
    }
}

/// What a payload makes known.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Arrived {
    /// Nothing, or nothing yet.
    Nothing,
    /// A whole message of another member.
    Message(String),
    /// Something of another member that cannot be read or is incomplete.
    Unreadable,
}

/// Puts messages together again. The pieces of one come one after the other, as they are sent in one transaction.
#[derive(Debug)]
pub(crate) struct Assembly {
    own: Member,
    longest: usize,
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    member: Member,
    number: String,
    follow: u32,
    text: String,
}

impl Assembly {
    /// For everything that `own` has not sent itself, up to `longest` bytes a message.
    pub(crate) fn new(own: Member, longest: usize) -> Self {
        Self { own, longest, begun: None }
    }

    pub(crate) fn take(&mut self, payload: &str) -> Arrived {
        let Some(Piece { member, number, follow, text }) = Piece::parse(payload) else {
            self.begun = None;
            return Arrived::Unreadable;
        };
        if member == self.own {
            return Arrived::Nothing;
        }
        let whole = match self.begun.take() {
            Some(mut begun) => {
                let fits = begun.member == member
                    && begun.number == number
                    && begun.follow.checked_sub(1) == Some(follow);
                if !fits || begun.text.len() + text.len() > self.longest {
                    return Arrived::Unreadable;
                }
                begun.text.push_str(text);
                Begun { follow, ..begun }
            }
            None => {
                Begun { member: member.to_owned(), number: number.to_owned(), follow, text: text.to_owned() }
            }
        };
        if follow == 0 {
            return Arrived::Message(whole.text);
        }
        self.begun = Some(whole);
        Arrived::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = 100_000;

    fn assembly() -> Assembly {
        Assembly::new("me".to_owned(), LONGEST)
    }

    #[test]
    fn every_length_arrives_and_no_payload_is_too_long() {
        for length in [0, 1, 7_918, 7_919, 7_920, 15_838, 15_839, 50_000] {
            for letter in ["x", "ü", "😀"] {
                let message = letter.repeat(length / letter.len());
                let payloads = payloads(&"f".repeat(32), u64::MAX, &message);
                assert!(payloads.iter().all(|payload| payload.len() <= LONGEST_PAYLOAD));
                let mut assembly = assembly();
                let (last, first) = payloads.split_last().unwrap();
                assert!(first.iter().all(|payload| assembly.take(payload) == Arrived::Nothing));
                assert_eq!(assembly.take(last), Arrived::Message(message));
            }
        }
    }

    #[test]
    fn a_piece_that_is_missing_is_noticed() {
        let message = "x".repeat(30_000);
        let payloads = payloads("other", 7, &message);
        let mut assembly = assembly();
        assert_eq!(assembly.take(&payloads[0]), Arrived::Nothing);
        assert_eq!(assembly.take(&payloads[2]), Arrived::Unreadable);
        assert_eq!(assembly.take("pm1 other 8 0 next"), Arrived::Message("next".to_owned()));
    }

    #[test]
    fn what_others_send_without_end_is_not_kept() {
        let mut assembly = assembly();
        let piece = "x".repeat(7_000);
        let outcome = (0..100).rev().map(|follow| assembly.take(&format!("pm1 other 1 {follow} {piece}")));
        assert!(outcome.take(15).any(|arrived| arrived == Arrived::Unreadable));
    }

    #[test]
    fn own_messages_are_passed_over() {
        assert_eq!(assembly().take("pm1 me 1 0 text"), Arrived::Nothing);
        assert_eq!(assembly().take("hello"), Arrived::Unreadable);
        assert_eq!(assembly().take("pm2 other 1 0 text"), Arrived::Unreadable);
    }
}
