//! Tokens that attackers make. None is accepted, none panics, and nothing of them is logged or repeated.

use std::error::Error;

use pm_mcp_domain::access::{PresentedToken, Scopes, authorize};
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};
use pm_mcp_token_jwt::{JwtVerifier, StaticKeys};
use ring::hmac;
use serde_json::{Value, json};

use crate::log::Log;
use crate::signer::{ISSUER, NOW, RESOURCE, Signer, at, b64, claims, issuer, jwks, policy, with, without};

/// The issuer's keys, and one of somebody else.
struct Scene {
    rsa: Signer,
    p256: Signer,
    p384: Signer,
    ed: Signer,
    stranger: Signer,
}

impl Scene {
    fn new() -> Self {
        Self {
            rsa: Signer::rsa("r", 0),
            p256: Signer::p256("p"),
            p384: Signer::p384("q"),
            ed: Signer::ed("e"),
            stranger: Signer::p256("p"),
        }
    }

    fn jwks(&self) -> String {
        jwks([&self.rsa, &self.p256, &self.p384, &self.ed])
    }

    /// A token that is good but for one claim.
    fn claim(&self, name: &str, value: Value) -> String {
        self.p256.token(&with(claims(), name, value))
    }

    /// A token that is good but for one member of the header.
    fn header(&self, name: &str, value: Value) -> String {
        self.p256.token_as(&with(self.p256.header(), name, value), &claims())
    }

    /// A stranger's token with one more member in the header.
    fn forged(&self, name: &str, value: Value) -> String {
        self.stranger.token_as(&with(self.stranger.header(), name, value), &claims())
    }
}

fn unsigned(header: &Value) -> String {
    format!("{}.{}.", b64(header.to_string()), b64(claims().to_string()))
}

/// A token with an HMAC, whose key is something that everybody knows.
fn shared(algorithm: &str, kid: &str, secret: &[u8]) -> String {
    let kind = match algorithm {
        "HS384" => hmac::HMAC_SHA384,
        "HS512" => hmac::HMAC_SHA512,
        _ => hmac::HMAC_SHA256,
    };
    let header = json!({"alg": algorithm, "typ": "at+jwt", "kid": kid});
    let signed = format!("{}.{}", b64(header.to_string()), b64(claims().to_string()));
    let tag = hmac::sign(&hmac::Key::new(kind, secret), signed.as_bytes());
    format!("{signed}.{}", b64(tag))
}

fn pem(der: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    format!("-----BEGIN PUBLIC KEY-----\n{text}\n-----END PUBLIC KEY-----\n").into_bytes()
}

/// The pair of numbers of an ECDSA signature in the ASN.1 that other formats use.
fn in_der(pair: &[u8]) -> Vec<u8> {
    let number = |half: &[u8]| {
        let zeros = half.iter().take_while(|byte| **byte == 0).count();
        let mut bytes = half[zeros..].to_vec();
        if bytes[0] >= 0x80 {
            bytes.insert(0, 0);
        }
        let mut made = vec![2, u8::try_from(bytes.len()).unwrap()];
        made.extend(bytes);
        made
    };
    let inside = [number(&pair[..32]), number(&pair[32..])].concat();
    [vec![0x30, u8::try_from(inside.len()).unwrap()], inside].concat()
}

fn algorithms(scene: &Scene, table: &mut Vec<(String, String)>) {
    let mut add = |name: String, token: String| table.push((name, token));
    for none in ["none", "None", "NONE", "nOnE", "none ", " none", "n\u{f6}ne", "\u{ff4e}one", "null", ""] {
        add(format!("alg {none:?}, no signature"), unsigned(&json!({"alg": none, "kid": "p"})));
        let header = with(scene.p256.header(), "alg", none.into());
        add(format!("alg {none:?}, a good signature"), scene.p256.token_as(&header, &claims()));
    }
    for alg in [json!(null), json!(0), json!(true), json!(["ES256"]), json!({"ES256": 1})] {
        add(format!("alg {alg}"), scene.header("alg", alg));
    }
    let bare = without(scene.p256.header(), "alg");
    add("no alg".into(), scene.p256.token_of(&bare.to_string(), &claims().to_string(), "ES256"));
    add("ES256 without a signature".into(), unsigned(&scene.p256.header()));
    for algorithm in ["HS256", "HS384", "HS512"] {
        for (what, kid, secret) in [
            ("the RSA key", "r", scene.rsa.public()),
            ("the RSA key in PEM", "r", pem(&scene.rsa.public())),
            ("the RSA modulus", "r", scene.rsa.jwk()["n"].as_str().unwrap().as_bytes().to_vec()),
            ("the P-256 key", "p", scene.p256.public()),
            ("the Ed25519 key", "e", scene.ed.public()),
            ("the key set", "p", scene.jwks().into_bytes()),
            ("nothing", "p", Vec::new()),
        ] {
            add(format!("{algorithm} with {what}"), shared(algorithm, kid, &secret));
        }
    }
    for alg in [
        "es256", "ES256K", "ES512", "ES256 ", "RS1", "RSA-OAEP", "dir", "A128KW", "HS256", "RS256", "ES384",
        "EdDSA",
    ] {
        add(format!("alg {alg} over an ES256 signature"), scene.header("alg", alg.into()));
    }
    for (alg, kid) in
        [("ES256", "r"), ("RS256", "p"), ("ES256", "q"), ("ES384", "p"), ("EdDSA", "p"), ("PS256", "e")]
    {
        let header = json!({"alg": alg, "kid": kid, "typ": "at+jwt"});
        add(
            format!("alg {alg} with the name of another key, {kid}"),
            scene.p256.token_as(&header, &claims()),
        );
    }
    let header = with(scene.rsa.header(), "alg", "PS256".into());
    let mixed = scene.rsa.token_of(&header.to_string(), &claims().to_string(), "RS256");
    add("a PKCS #1 signature that claims to be PSS".into(), mixed);
    add(
        "P-384 signature under ES256".into(),
        scene.p384.token_as(&with(scene.p384.header(), "alg", "ES256".into()), &claims()),
    );
}

fn headers(scene: &Scene, table: &mut Vec<(String, String)>) {
    let mut add = |name: &str, token: String| table.push((name.to_owned(), token));
    let stranger = scene.stranger.jwk();
    add("a stranger's key with a known name", scene.stranger.token(&claims()));
    add("an embedded jwk", scene.forged("jwk", stranger.clone()));
    add("an embedded jwk and no kid", {
        let header = without(with(scene.stranger.header(), "jwk", stranger), "kid");
        scene.stranger.token_as(&header, &claims())
    });
    add("jku of the attacker", scene.forged("jku", "https://evil.example/jwks".into()));
    add(
        "jku on a path of the issuer",
        scene.forged("jku", format!("{ISSUER}/redirect?to=//evil.example").into()),
    );
    add("jku of a local file", scene.forged("jku", "file:///etc/passwd".into()));
    add("jku of a cloud's metadata", scene.forged("jku", "http://169.254.169.254/latest".into()));
    add("x5u of the attacker", scene.forged("x5u", "https://evil.example/cert".into()));
    add("x5c of the attacker", scene.forged("x5c", json!(["MIIB"])));
    add("x5t of the attacker", scene.forged("x5t", "AAAA".into()));
    for (name, kid) in [
        ("kid with a path", "../../../../dev/null"),
        ("kid with SQL", "p' UNION SELECT 'key' --"),
        ("kid with a command", "p|/bin/true"),
        ("kid with a NUL", "p\0"),
        ("kid in another case", "P"),
        ("kid with a blank", "p "),
        ("kid that is empty", ""),
        ("kid that is a URL", "https://evil.example/p"),
    ] {
        add(name, scene.header("kid", kid.into()));
    }
    add("kid that is very long", scene.header("kid", "p".repeat(257).into()));
    for kid in [json!(null), json!(0), json!(["p"]), json!({"p": 1})] {
        add("kid of another type", scene.header("kid", kid));
    }
    for (name, value) in [
        ("crit", json!(["exp"])),
        ("crit", json!([])),
        ("crit", json!(null)),
        ("b64", json!(false)),
        ("b64", json!(true)),
        ("zip", json!("DEF")),
        ("enc", json!("A128GCM")),
        ("cty", json!("JWT")),
    ] {
        add(&format!("{name} {value}"), scene.header(name, value));
    }
    for typ in [
        json!("logout+jwt"),
        json!("dpop+jwt"),
        json!("secevent+jwt"),
        json!("JOSE"),
        json!(""),
        json!(1),
        json!(null),
    ] {
        add(&format!("typ {typ}"), scene.header("typ", typ));
    }
    add("a header of 9 KiB", scene.header("x", "x".repeat(9000).into()));
    add(
        "a header that is nested deeply",
        scene.header("x", (0..100).fold(json!(1), |inner, _| json!([inner]))),
    );
    let header = scene.p256.header().to_string();
    let text = claims().to_string();
    let mut raw = |name: &str, header: &str, claims: &str| {
        table.push((name.to_owned(), scene.p256.token_of(header, claims, "ES256")));
    };
    raw("alg twice", &header.replace('{', r#"{"alg":"none","#), &text);
    raw("alg twice, once in escapes", &header.replace('{', r#"{"\u0061lg":"none","#), &text);
    raw("kid twice", &header.replace('{', r#"{"kid":"x","#), &text);
    raw("a header that is no object", "[]", &text);
    raw("a header that is a text", "\"alg\"", &text);
    raw("a header with more behind it", &format!("{header}{{}}"), &text);
    raw("a header with a byte order mark", &format!("\u{feff}{header}"), &text);
    raw("iss twice", &header, &text.replace('{', r#"{"iss":"https://evil.example","#));
    raw("exp twice", &header, &text.replace('{', r#"{"exp":9999999999,"#));
    raw("scope twice, deep inside too", &header, &text.replace('{', r#"{"x":{"scope":"a","scope":"b"},"#));
    raw("claims that are no object", &header, "[]");
    raw("claims that are another token", &header, &scene.p256.token(&claims()));
    raw(
        "claims that are nested deeply",
        &header,
        &text.replace('{', &format!(r#"{{"x":{}{},"#, "[".repeat(64), "]".repeat(64))),
    );
    raw("claims with a lone surrogate", &header, &text.replace("ada", "\\ud800"));
    raw("exp beyond all numbers", &header, &text.replace('{', r#"{"exp":1e999,"#));
}

fn bodies(scene: &Scene, table: &mut Vec<(String, String)>) {
    let mut add = |name: &str, token: String| table.push((name.to_owned(), token));
    let good = scene.p256.token(&claims());
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (header, body) = signed.split_once('.').unwrap();
    add("two parts", signed.to_owned());
    add("one part", header.to_owned());
    add("four parts", format!("{good}."));
    add("five parts, as of an encrypted one", format!("{good}.{body}.{signature}"));
    add("nothing but dots", "..".to_owned());
    add("padding", format!("{good}="));
    add("padding in the middle", format!("{header}=.{body}.{signature}"));
    add(
        "base64 that is not for URLs",
        format!("{header}.{body}.{}", signature.replace(['-', '_'], "+") + "+"),
    );
    add("a truncated signature", good[..good.len() - 4].to_owned());
    add("a truncated body", format!("{header}.{}.{signature}", &body[..body.len() - 4]));
    add("bits that are left over", format!("{header}.{body}.{}B", &signature[..signature.len() - 1]));
    add("an empty body", format!("{header}..{signature}"));
    add("an empty header", format!(".{body}.{signature}"));
    add("a signature of zeros", format!("{signed}.{}", b64([0; 64])));
    add("a signature of another token", {
        let other = scene.p256.token(&with(claims(), "sub", "bob".into()));
        format!("{signed}.{}", other.rsplit_once('.').unwrap().1)
    });
    add("a signature in DER", format!("{signed}.{}", b64(in_der(&scene.p256.signature("ES256", signed)))));
    add(
        "a signature with more behind it",
        format!("{signed}.{}", b64([scene.p256.signature("ES256", signed), vec![0]].concat())),
    );
    add("a signature of 2 KiB", format!("{signed}.{}", "A".repeat(2048)));
    add("a compressed body", format!("{header}.{}.{signature}", b64([0x78, 0x9c, 0x03, 0x00])));
    add("a body with bytes that are no text", format!("{header}.{}.{signature}", b64([0xff, 0xfe])));
}

fn claims_of(scene: &Scene, table: &mut Vec<(String, String)>) {
    let mut add = |name: String, token: String| table.push((name, token));
    for iss in [
        json!("https://login.example/"),
        json!("https://LOGIN.example"),
        json!("HTTPS://login.example"),
        json!("http://login.example"),
        json!("https://login.example:443"),
        json!("https://login.example#"),
        json!("https://login.example?"),
        json!("https://l\u{43e}gin.example"),
        json!("https://login\u{2024}example"),
        json!("https://log\u{ed}n.example"),
        json!("https://login.example\u{200b}"),
        json!("https://login.example\0"),
        json!(" https://login.example"),
        json!("https://login.example.evil.example"),
        json!("https://evil.example"),
        json!("login.example"),
        json!(""),
        json!(null),
        json!(1),
        json!([ISSUER]),
        json!({"iss": ISSUER}),
    ] {
        add(format!("iss {iss}"), scene.claim("iss", iss));
    }
    for aud in [
        json!("https://tools.example/mcp/"),
        json!("https://tools.example"),
        json!("https://TOOLS.example/mcp"),
        json!("https://tools.example/%6dcp"),
        json!("https://tools.example/mcp https://tools.example/mcp"),
        json!("*"),
        json!(""),
        json!(null),
        json!(0),
        json!(true),
        json!([]),
        json!(["https://other.example"]),
        json!([RESOURCE, 1]),
        json!([[RESOURCE]]),
        json!({"aud": RESOURCE}),
    ] {
        add(format!("aud {aud}"), scene.claim("aud", aud));
    }
    for exp in [
        json!(NOW - 31),
        json!(0),
        json!(-1),
        json!(null),
        json!((NOW + 600).to_string()),
        json!([NOW + 600]),
        json!(u64::MAX),
        json!(1e300),
        json!(true),
    ] {
        add(format!("exp {exp}"), scene.claim("exp", exp));
    }
    for nbf in [json!(NOW + 31), json!("0"), json!(1e300), json!(null)] {
        add(format!("nbf {nbf}"), scene.claim("nbf", nbf));
    }
    for name in ["iss", "aud", "exp", "sub"] {
        add(format!("no {name}"), scene.p256.token(&without(claims(), name)));
    }
    for sub in [json!(null), json!(1), json!(""), json!(["ada"])] {
        add(format!("sub {sub}"), scene.claim("sub", sub));
    }
    for scope in [
        json!("pm:admin"),
        json!("PM:READ"),
        json!("pm:read\u{0}"),
        json!("pm:read,pm:write"),
        json!(null),
        json!(1),
        json!([["pm:read"]]),
        json!({"pm:read": true}),
        json!("*"),
    ] {
        add(format!("scope {scope}"), scene.claim("scope", scope));
    }
    add("bound to a key".into(), scene.claim("cnf", json!({"jkt": "x"})));
}

fn whole(error: &VerifyError) -> String {
    let mut text = format!("{error} {error:?}");
    let mut cause = error.source();
    while let Some(current) = cause {
        text.push_str(&format!(" {current} {current:?}"));
        cause = current.source();
    }
    text
}

/// Parts of a token that say something, such as a signature; the shortest ones are in every text.
fn leaks(text: &str, token: &str) -> bool {
    token
        .split('.')
        .filter(|part| part.len() > 8)
        .any(|part| text.contains(part.get(..part.len().min(24)).unwrap_or(part)))
}

#[test]
fn none_is_accepted_none_panics_and_none_is_logged() {
    let scene = Scene::new();
    let mut table = Vec::new();
    algorithms(&scene, &mut table);
    headers(&scene, &mut table);
    bodies(&scene, &mut table);
    claims_of(&scene, &mut table);
    assert!(table.len() >= 200, "{}", table.len());

    let log = Log::default();
    tracing::subscriber::with_default(log.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let keys = StaticKeys::from_jwks(scene.jwks().as_bytes()).unwrap();
            let verifier = JwtVerifier::new(&issuer(), keys);
            let needs = Scopes::parse("pm:read").unwrap();
            let good = PresentedToken::parse(&scene.p256.token(&claims())).unwrap();
            let grant = verifier.verify(&good, at(NOW)).await.unwrap();
            authorize(grant, &needs, &policy(), at(NOW)).expect("a token in which nothing is wrong is good");
            for (name, token) in &table {
                // What is no bearer token by its grammar never comes as far as a verifier.
                let Ok(presented) = PresentedToken::parse(token) else { continue };
                // Twice, so that one that was refused is not remembered as good.
                for _ in 0..2 {
                    match verifier.verify(&presented, at(NOW)).await {
                        Ok(grant) => {
                            authorize(grant, &needs, &policy(), at(NOW)).expect_err(name);
                        }
                        Err(error) => {
                            assert!(matches!(error, VerifyError::Invalid(_)), "{name}: {error:?}");
                            assert!(!leaks(&whole(&error), token), "{name}: {}", whole(&error));
                        }
                    }
                }
            }
        });
    });
    let logged = log.text();
    for (name, token) in &table {
        assert!(!leaks(&logged, token), "{name} is logged");
    }
}

/// A set may name a key that is none, such as a point that lies on no curve; then it checks nothing.
#[tokio::test]
async fn keys_off_their_curve_check_nothing() {
    let signer = Signer::p256("p");
    let set = json!({"keys": [with(signer.jwk(), "y", signer.jwk()["x"].clone())]}).to_string();
    let verifier = JwtVerifier::new(&issuer(), StaticKeys::from_jwks(set.as_bytes()).unwrap());
    let token = PresentedToken::parse(&signer.token(&claims())).unwrap();
    assert!(verifier.verify(&token, at(NOW)).await.is_err());
}
