use super::*;

const X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

fn read(key: &str) -> Result<VerificationKey, KeyFault> {
    match parse_jwks(format!(r#"{{"keys":[{key}]}}"#).as_bytes()) {
        Ok(read) => Ok(read.keys.keys()[0].clone()),
        Err(JwksError::NoneUsable(unused)) => Err(unused[0].1),
        Err(other) => panic!("{other}"),
    }
}

fn ec(more: &str) -> String {
    format!(r#"{{"kty":"EC","crv":"P-256","x":"{X}","y":"{Y}"{more}}}"#)
}

fn rsa(bytes: &[u8], e: &str) -> String {
    format!(r#"{{"kty":"RSA","n":"{}","e":"{e}"}}"#, base64::engine::general_purpose::URL_SAFE.encode(bytes))
}

/// A number of so many bits, after zeros.
fn modulus(bits: usize, zeros: usize) -> Vec<u8> {
    let mut bytes = vec![0; zeros];
    bytes.resize(zeros + bits.div_ceil(8), 0xff);
    bytes[zeros] >>= bits.div_ceil(8) * 8 - bits;
    bytes
}

#[test]
fn keys_are_used_for_signatures_of_their_kind() {
    for (more, fault) in [
        ("", None),
        (r#","use":"sig","key_ops":["verify"],"alg":"ES256""#, None),
        (r#","key_ops":["encrypt","verify"]"#, None),
        (r#","use":"enc""#, Some(KeyFault::Use)),
        (r#","key_ops":["sign"]"#, Some(KeyFault::Use)),
        (r#","key_ops":[]"#, Some(KeyFault::Use)),
        (r#","key_ops":"verify""#, Some(KeyFault::Member("key_ops"))),
        (r#","alg":"ES384""#, Some(KeyFault::Algorithm)),
        (r#","alg":"RS256""#, Some(KeyFault::Algorithm)),
        (r#","alg":"ECDH-ES""#, Some(KeyFault::Algorithm)),
        (r#","alg":"none""#, Some(KeyFault::Algorithm)),
        (r#","alg":1"#, Some(KeyFault::Member("alg"))),
        (r#","kid":7"#, Some(KeyFault::Member("kid"))),
        (r#","d":"AAAA""#, Some(KeyFault::Private)),
        (r#","k":"AAAA""#, Some(KeyFault::Symmetric)),
    ] {
        assert_eq!(read(&ec(more)).err(), fault, "{more}");
    }
}

#[test]
fn kinds_and_curves_that_are_not_supported_are_told() {
    for (key, fault) in [
        (r#"{"kty":"oct","k":"AAAA"}"#.to_owned(), KeyFault::Symmetric),
        (r#"{"kty":"EC","crv":"P-521","x":"AA","y":"AA"}"#.to_owned(), KeyFault::Kind),
        (format!(r#"{{"kty":"EC","crv":"secp256k1","x":"{X}","y":"{Y}"}}"#), KeyFault::Kind),
        (format!(r#"{{"kty":"OKP","crv":"X25519","x":"{X}"}}"#), KeyFault::Kind),
        (format!(r#"{{"kty":"EC","crv":"P-384","x":"{X}","y":"{Y}"}}"#), KeyFault::Coordinates),
        (format!(r#"{{"kty":"EC","crv":"P-256","x":"{X}"}}"#), KeyFault::Member("y")),
        (format!(r#"{{"kty":"EC","crv":"P-256","x":"{X}","y":"%"}}"#), KeyFault::Member("y")),
        (r#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#.to_owned(), KeyFault::Coordinates),
        (r#"{"crv":"Ed25519"}"#.to_owned(), KeyFault::Member("kty")),
        ("[]".to_owned(), KeyFault::Member("kty")),
    ] {
        assert_eq!(read(&key).err(), Some(fault), "{key}");
    }
}

#[test]
fn rsa_keys_are_taken_by_their_real_size() {
    for (bits, zeros, fault) in [
        (1024, 0, Some(KeyFault::RsaSize(1024))),
        (2047, 0, Some(KeyFault::RsaSize(2047))),
        (2048, 0, None),
        (2048, 1, None),
        (2048, 3, None),
        (1024, 128, Some(KeyFault::RsaSize(1024))),
        (8192, 0, None),
        (8193, 0, Some(KeyFault::RsaSize(8193))),
    ] {
        assert_eq!(read(&rsa(&modulus(bits, zeros), "AQAB")).err(), fault, "{bits} {zeros}");
    }
    let n = modulus(2048, 0);
    for e in ["AQ", "Ag", "", "AAAA", "AQAAAAE"] {
        assert_eq!(read(&rsa(&n, e)).err(), Some(KeyFault::RsaExponent), "{e}");
    }
    let padded = read(&rsa(&modulus(2048, 1), "AQAB")).unwrap();
    assert_eq!(padded.material, read(&rsa(&n, "AAEAAQ==")).unwrap().material);
}

#[test]
fn keys_that_cannot_be_used_do_not_hide_the_others() {
    let set = format!(r#"{{"keys":[{{"kty":"oct","k":"AA"}},{},null,{}]}}"#, ec(r#","use":"enc""#), ec(""));
    let read = parse_jwks(set.as_bytes()).unwrap();
    assert_eq!(read.keys.keys().len(), 1);
    assert_eq!(read.unused, [(0, KeyFault::Symmetric), (1, KeyFault::Use), (2, KeyFault::Member("kty"))]);
}

#[test]
fn documents_that_are_no_key_set_are_refused() {
    for document in
        ["", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[],"keys":[]}"#, "<html>", "{\"keys\":[[[[[[[]]]]]]]}"]
    {
        assert_eq!(parse_jwks(document.as_bytes()).unwrap_err(), JwksError::Form, "{document}");
    }
    assert_eq!(parse_jwks(br#"{"keys":[]}"#).unwrap_err(), JwksError::NoneUsable(Vec::new()));
    let many = format!(r#"{{"keys":[{}]}}"#, vec!["{}"; MOST_KEYS + 1].join(","));
    assert_eq!(parse_jwks(many.as_bytes()).unwrap_err(), JwksError::TooMany(MOST_KEYS + 1));
    let long = format!(r#"{{"keys":[{}],"x":"{}"}}"#, ec(""), "x".repeat(LONGEST_SET));
    assert_eq!(parse_jwks(long.as_bytes()).unwrap_err(), JwksError::Form);
}
