//! The laws of the port `StateSealer`, and what attackers try.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use pm_mcp_ports::driven::{SealError, StateSealer};
use pm_mcp_seal_ring::{HmacCursorSigner, KeyTooShort, LONGEST_STATE, RingSealer, StateForm};

const FIRST: &[u8] = b"first key, 32 bytes or more of it";
const SECOND: &[u8] = b"second key, 32 bytes or more of it";
const THIRD: &[u8] = b"third key, 32 bytes or more of it!";
const CONTEXT: &[u8] = b"deployer 1.0";

fn both(key: &[u8]) -> [RingSealer; 2] {
    [RingSealer::new(key).unwrap(), RingSealer::new(key).unwrap().signed_only()]
}

/// SplitMix64: the same numbers on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }
}

#[test]
fn ss_01_what_is_sealed_opens_unchanged_in_its_context() {
    let long = vec![0xA5; 70_000];
    for sealer in both(FIRST) {
        for plain in [&b""[..], b"x", b"\0\xFF\x7F", &long] {
            for context in [&b""[..], b"\0", CONTEXT, &long] {
                let sealed = sealer.seal(plain, context).unwrap();
                assert!(sealed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
                assert_eq!(sealer.open(&sealed, context).as_deref(), Some(plain));
            }
        }
    }
}

#[test]
fn ss_01_instances_that_share_a_key_open_each_others_states_in_either_form() {
    let [encrypting, signing] = both(FIRST);
    let from_encrypting = encrypting.seal(b"plain", CONTEXT).unwrap();
    let from_signing = signing.seal(b"plain", CONTEXT).unwrap();
    for other in both(FIRST) {
        assert_eq!(other.open(&from_encrypting, CONTEXT).as_deref(), Some(&b"plain"[..]));
        assert_eq!(other.open(&from_signing, CONTEXT).as_deref(), Some(&b"plain"[..]));
    }
}

#[test]
fn ss_02_another_context_opens_nothing() {
    for sealer in both(FIRST) {
        let sealed = sealer.seal(b"bcd", b"a").unwrap();
        for context in [&b""[..], b"b", b"ab", b"a\0", b"A", b"abcd"] {
            assert_eq!(sealer.open(&sealed, context), None, "{context:?}");
        }
    }
}

#[test]
fn ss_02_none_of_100_000_corruptions_opens() {
    let mut numbers = Numbers(20_260_728);
    for sealer in both(FIRST) {
        let bytes = URL_SAFE_NO_PAD
            .decode(sealer.seal(b"a state of a few dozen bytes, as JSON", CONTEXT).unwrap())
            .unwrap();
        for round in 0..50_000 {
            let mut changed = bytes.clone();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(changed.len());
                match numbers.below(4) {
                    0 => changed[at] ^= 1 << numbers.below(8),
                    1 => changed[at] = u8::try_from(numbers.below(256)).unwrap(),
                    2 => changed.insert(at, u8::try_from(numbers.below(256)).unwrap()),
                    _ => drop(changed.remove(at)),
                }
            }
            if changed != bytes {
                assert_eq!(sealer.open(&URL_SAFE_NO_PAD.encode(&changed), CONTEXT), None, "round {round}");
            }
        }
    }
}

#[test]
fn ss_02_no_truncated_extended_or_rewritten_text_opens() {
    for sealer in both(FIRST) {
        let sealed = sealer.seal(b"a state", CONTEXT).unwrap();
        for end in 0..sealed.len() {
            assert_eq!(sealer.open(&sealed[..end], CONTEXT), None, "the first {end}");
            assert_eq!(sealer.open(&sealed[sealed.len() - end..], CONTEXT), None, "the last {end}");
        }
        for at in 0..sealed.len() {
            for other in ["A", "B", "-", "_", "=", "+", "", "é"] {
                let mut changed = sealed.clone();
                changed.replace_range(at..=at, other);
                if changed != sealed {
                    assert_eq!(sealer.open(&changed, CONTEXT), None, "{at} {other}");
                }
            }
        }
        for changed in [
            format!("{sealed}A"),
            format!("{sealed}="),
            format!("{sealed}=="),
            format!(" {sealed}"),
            format!("{sealed}\n"),
        ] {
            assert_eq!(sealer.open(&changed, CONTEXT), None, "{changed:?}");
        }
    }
}

#[test]
fn ss_02_the_form_cannot_be_swapped() {
    for sealer in both(FIRST) {
        let mut bytes = URL_SAFE_NO_PAD.decode(sealer.seal(&[7; 64], CONTEXT).unwrap()).unwrap();
        for form in (0..=u8::MAX).filter(|form| *form != bytes[0]).collect::<Vec<_>>() {
            bytes[0] = form;
            assert_eq!(sealer.open(&URL_SAFE_NO_PAD.encode(&bytes), CONTEXT), None, "form {form}");
        }
    }
}

#[test]
fn ss_02_what_another_part_of_the_server_signed_is_no_state() {
    use pm_mcp_ports::driven::CursorSigner;

    let cursors = HmacCursorSigner::new(FIRST).unwrap();
    for sealer in both(FIRST) {
        let state = sealer.seal(b"plain", CONTEXT).unwrap();
        assert_eq!(cursors.open(&state), None);
        let header = URL_SAFE_NO_PAD.decode(&state).unwrap()[..9].to_vec();
        for payload in [&b"plain"[..], &[&header[..], b"plain"].concat()] {
            assert_eq!(sealer.open(&cursors.sign(payload), CONTEXT), None);
        }
    }
}

#[test]
fn ss_02_a_state_of_another_server_opens_nothing() {
    for (ours, theirs) in both(FIRST).iter().zip(both(SECOND)) {
        assert_eq!(ours.open(&theirs.seal(b"plain", CONTEXT).unwrap(), CONTEXT), None);
    }
    let (first, second) = (RingSealer::random().unwrap(), RingSealer::random().unwrap());
    let sealed = first.seal(b"plain", CONTEXT).unwrap();
    assert_eq!(first.open(&sealed, CONTEXT).as_deref(), Some(&b"plain"[..]));
    assert_eq!(second.open(&sealed, CONTEXT), None, "a random key ends with its process");
}

#[test]
fn ss_03_nothing_of_an_encrypted_state_shows() {
    let sealer = RingSealer::new(FIRST).unwrap();
    let plain = b"0123456789 an answer of the user 0123456789";
    let one = URL_SAFE_NO_PAD.decode(sealer.seal(plain, CONTEXT).unwrap()).unwrap();
    let two = URL_SAFE_NO_PAD.decode(sealer.seal(plain, CONTEXT).unwrap()).unwrap();
    assert_eq!(one.len(), 1 + 8 + 12 + plain.len() + 16);
    assert_eq!(one[..9], two[..9], "the header names form and key");
    let alike = one[9..].iter().zip(&two[9..]).filter(|(one, two)| one == two).count();
    assert!(alike < 12, "{alike} bytes of two seals of one state are alike");
    for sealed in [&one, &two] {
        assert!(!sealed.windows(4).any(|window| plain.windows(4).any(|part| part == window)));
    }
}

#[test]
fn ss_03_a_signed_state_is_readable_by_choice_only() {
    let [encrypting, signing] = both(FIRST);
    assert_eq!((encrypting.form(), signing.form()), (StateForm::Encrypted, StateForm::Signed));
    let signed = URL_SAFE_NO_PAD.decode(signing.seal(b"readable", CONTEXT).unwrap()).unwrap();
    assert_eq!(&signed[9..17], b"readable");
}

#[test]
fn ss_04_keys_show_nowhere() {
    // No part of these keys is a word of some message.
    let (active, older) = (b"Qx7!Zk2#Wv9$Jm4%Hq8^Fb3&Rd6*Tn5@", b"zW1)Yp0(Lc7;Gs2:Xk9]Vj4[Bq8}Nf3{");
    for sealer in both(active) {
        let sealer = sealer.with_older(older).unwrap();
        let sealed = sealer.seal(b"plain", CONTEXT).unwrap();
        let shown = format!("{sealer:?} {sealer:#?} {sealed} {SealError:?} {SealError}").into_bytes();
        let raw = URL_SAFE_NO_PAD.decode(&sealed).unwrap();
        for key in [active, older] {
            let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
            let list = format!("{key:?}");
            for part in key.windows(4).chain(hex.as_bytes().windows(8)).chain(list.as_bytes().windows(12)) {
                assert!(!shown.windows(part.len()).any(|window| window == part));
                assert!(!raw.windows(part.len()).any(|window| window == part));
            }
        }
    }
    let key = b"a short secret";
    let refused = RingSealer::new(key).unwrap_err();
    assert!(!format!("{refused} {refused:?}").contains("secret"));
}

#[test]
fn ss_05_older_keys_open_and_the_active_one_seals() {
    let before = RingSealer::new(FIRST).unwrap();
    let of_first = before.seal(b"plain", CONTEXT).unwrap();

    // The next key is known everywhere before any process seals with it.
    let announced = RingSealer::new(FIRST).unwrap().with_older(SECOND).unwrap();
    let rotated = RingSealer::new(SECOND).unwrap().with_older(FIRST).unwrap();
    let of_second = rotated.seal(b"plain", CONTEXT).unwrap();
    for sealer in [&announced, &rotated] {
        assert_eq!(sealer.open(&of_first, CONTEXT).as_deref(), Some(&b"plain"[..]));
        assert_eq!(sealer.open(&of_second, CONTEXT).as_deref(), Some(&b"plain"[..]));
    }
    assert_eq!(before.open(&of_second, CONTEXT), None);

    let dropped = RingSealer::new(SECOND).unwrap();
    assert_eq!(dropped.open(&of_first, CONTEXT), None);
    assert_eq!(dropped.open(&of_second, CONTEXT).as_deref(), Some(&b"plain"[..]));

    let long_ring =
        RingSealer::new(THIRD).unwrap().with_older(SECOND).unwrap().with_older(FIRST).unwrap().signed_only();
    assert_eq!(long_ring.open(&of_first, CONTEXT).as_deref(), Some(&b"plain"[..]));
    assert_eq!(long_ring.open(&of_second, CONTEXT).as_deref(), Some(&b"plain"[..]));
}

#[test]
fn a_key_given_twice_is_held_once() {
    let sealer = RingSealer::new(FIRST).unwrap().with_older(FIRST).unwrap();
    assert_eq!(format!("{sealer:?}"), format!("{:?}", RingSealer::new(FIRST).unwrap()));
    assert!(format!("{sealer:?}").ends_with("older: [] }"));
}

#[test]
fn weak_keys_are_refused_with_words() {
    for length in [0, 1, 31] {
        let weak = vec![b'k'; length];
        let refused = RingSealer::new(&weak).unwrap_err();
        assert_eq!(refused, KeyTooShort { length });
        assert_eq!(RingSealer::new(FIRST).unwrap().with_older(&weak).unwrap_err(), refused);
        let text = refused.to_string();
        assert!(text.contains(&format!("{length} bytes")) && text.contains("at least 32"), "{text}");
    }
    assert!(RingSealer::new(&[b'k'; 32]).is_ok());
}

#[test]
fn states_are_bounded_when_sealed_and_when_opened() {
    for sealer in both(FIRST) {
        let at_limit = vec![b'x'; LONGEST_STATE];
        let sealed = sealer.seal(&at_limit, CONTEXT).unwrap();
        assert_eq!(sealer.open(&sealed, CONTEXT), Some(at_limit));
        assert_eq!(sealer.seal(&vec![b'x'; LONGEST_STATE + 1], CONTEXT), Err(SealError));
        assert_eq!(sealer.open(&"A".repeat(LONGEST_STATE * 2), CONTEXT), None);
    }
}

#[test]
fn the_forms_of_sealed_states_stay() {
    // Processes of different versions share keys; a change here ends all states. Both texts were
    // made by another implementation of HKDF, AES-GCM and HMAC.
    let sealer = RingSealer::new(b"0123456789abcdef0123456789abcdef").unwrap();
    for sealed in [ENCRYPTED, SIGNED] {
        assert_eq!(sealer.open(sealed, b"context").as_deref(), Some(&b"payload"[..]), "{sealed}");
    }
    assert_eq!(sealer.signed_only().seal(b"payload", b"context").unwrap(), SIGNED);
}

const ENCRYPTED: &str = "AQHqxqCP6xvbAAECAwQFBgcICQoLjL09qpBQMC2PvTyxv06oxzMIBnx677k";
const SIGNED: &str = "AgHqxqCP6xvbcGF5bG9hZGqEuWyR9Ok13C-xRhh4RA326nas1jJaliouTWmWOeek";
