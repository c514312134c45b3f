//! The signatures that the RFCs print.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::compact::Compact;
use crate::jwk::parse_jwks;
use crate::refusal::TokenRefusal;

/// [RFC 7515 appendix A.2](https://www.rfc-editor.org/rfc/rfc7515#appendix-A.2).
const RS256: &str = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
const RSA_N: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";

/// [RFC 7515 appendix A.3](https://www.rfc-editor.org/rfc/rfc7515#appendix-A.3).
const ES256: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
const P256: &str = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;

/// [RFC 8037 appendix A.4](https://www.rfc-editor.org/rfc/rfc8037#appendix-A.4).
const EDDSA: &str = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
const OKP: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

fn rsa() -> String {
    format!(r#"{{"kty":"RSA","n":"{RSA_N}","e":"AQAB"}}"#)
}

/// Whether a token is signed by a key.
fn checks(token: &str, key: &str) -> bool {
    let set = parse_jwks(format!(r#"{{"keys":[{key}]}}"#).as_bytes()).unwrap();
    Compact::parse(token).unwrap().is_signed_by(&set.keys)
}

#[test]
fn printed_signatures_are_checked_by_their_keys_and_by_no_other() {
    let pairs = [(RS256, rsa()), (ES256, P256.to_owned()), (EDDSA, OKP.to_owned())];
    for (place, (token, _)) in pairs.iter().enumerate() {
        for (other, (_, key)) in pairs.iter().enumerate() {
            assert_eq!(checks(token, key), place == other, "{place} {other}");
        }
    }
    let claims = Compact::parse(RS256).unwrap();
    assert!(claims.claims().starts_with(br#"{"iss":"joe","#));
}

#[test]
fn printed_signatures_are_of_these_very_texts() {
    for (token, key) in [(RS256, rsa()), (ES256, P256.to_owned()), (EDDSA, OKP.to_owned())] {
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let (header, claims) = signed.split_once('.').unwrap();
        let mut bytes = URL_SAFE_NO_PAD.decode(claims).unwrap();
        bytes[0] ^= 1;
        assert!(!checks(&format!("{header}.{}.{signature}", URL_SAFE_NO_PAD.encode(bytes)), &key));
        let mut bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
        bytes[0] ^= 1;
        assert!(!checks(&format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode(bytes)), &key));
    }
}

/// [RFC 7515 appendix A.5](https://www.rfc-editor.org/rfc/rfc7515#appendix-A.5) and A.1, which need no private key.
#[test]
fn printed_tokens_without_a_signature_or_with_a_shared_secret_are_refused() {
    let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let refusal = |token: String| Compact::parse(&token).err();
    assert_eq!(refusal(format!("eyJhbGciOiJub25lIn0.{claims}.")), Some(TokenRefusal::Algorithm));
    assert_eq!(
        refusal(format!(
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.{claims}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        )),
        Some(TokenRefusal::Algorithm)
    );
}
