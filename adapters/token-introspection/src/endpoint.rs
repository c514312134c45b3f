//! Whom to ask, and as whom.

use std::fmt;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pm_mcp_domain::access::PresentedToken;
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_ports::driven::FetchRequest;
use zeroize::Zeroizing;

/// The largest answer, in bytes.
const LONGEST_ANSWER: usize = 64 << 10;

/// The introspection endpoint of an authorization server.
#[derive(Clone, Debug)]
pub struct Endpoint {
    url: HttpUrl,
    client: ClientAuthentication,
}

/// As whom this server asks ([RFC 6749 section 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever chooses knows all choices")]
pub enum ClientAuthentication {
    /// By the `Authorization` header, which every authorization server understands.
    Basic {
        /// The client's id.
        id: String,
        /// Its secret.
        secret: ClientSecret,
    },
    /// By the body of the request.
    Post {
        /// The client's id.
        id: String,
        /// Its secret.
        secret: ClientSecret,
    },
}

/// A secret that is never printed, and cleared from memory when it is dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(Zeroizing<String>);

impl ClientSecret {
    /// The secret of these characters.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(Zeroizing::new(secret.into()))
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(<redacted>)")
    }
}

impl Endpoint {
    /// The endpoint at `url`, asked as `client`.
    #[must_use]
    pub const fn new(url: HttpUrl, client: ClientAuthentication) -> Self {
        Self { url, client }
    }

    /// The question about a token.
    pub(crate) fn question(&self, token: &PresentedToken) -> FetchRequest {
        let mut form = "token=".to_owned();
        encode(&mut form, token.expose());
        form.push_str("&token_type_hint=access_token");
        match &self.client {
            ClientAuthentication::Basic { id, secret } => {
                let mut pair = Zeroizing::new(String::new());
                encode(&mut pair, id);
                pair.push(':');
                encode(&mut pair, &secret.0);
                let value = format!("Basic {}", STANDARD.encode(pair.as_bytes()));
                self.request(form).with_header("Authorization", value)
            }
            ClientAuthentication::Post { id, secret } => {
                form.push_str("&client_id=");
                encode(&mut form, id);
                form.push_str("&client_secret=");
                encode(&mut form, &secret.0);
                self.request(form)
            }
        }
    }

    fn request(&self, form: String) -> FetchRequest {
        FetchRequest::form(self.url.clone(), form, LONGEST_ANSWER)
    }
}

/// Adds `text` as forms have it.
fn encode(form: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            form.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _always_ok = write!(form, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pm_mcp_ports::driven::FetchMethod;

    fn question(client: ClientAuthentication) -> (String, Option<String>) {
        let endpoint = Endpoint::new(HttpUrl::parse("https://as/introspect").unwrap(), client);
        let request = endpoint.question(&PresentedToken::parse("a+b/c==").unwrap());
        let FetchMethod::Post { content_type, body } = request.method else { panic!("not posted") };
        assert_eq!(content_type, "application/x-www-form-urlencoded");
        let header = request.headers.iter().find(|(name, _)| name == "Authorization");
        (String::from_utf8(body).unwrap(), header.map(|(_, value)| value.clone()))
    }

    #[test]
    fn a_client_says_who_it_is_in_the_header_or_in_the_body() {
        let (id, secret) = ("pm:mcp".to_owned(), ClientSecret::new("p ss&w\u{f6}rd"));
        let basic = ClientAuthentication::Basic { id: id.clone(), secret: secret.clone() };
        let expected = format!("Basic {}", STANDARD.encode("pm%3Amcp:p%20ss%26w%C3%B6rd"));
        let form = "token=a%2Bb%2Fc%3D%3D&token_type_hint=access_token";
        assert_eq!(question(basic), (form.to_owned(), Some(expected)));
        let post = ClientAuthentication::Post { id, secret };
        let form = format!("{form}&client_id=pm%3Amcp&client_secret=p%20ss%26w%C3%B6rd");
        assert_eq!(question(post), (form, None));
    }

    #[test]
    fn a_secret_does_not_show() {
        let client = ClientAuthentication::Basic { id: "a".into(), secret: ClientSecret::new("s3cret") };
        let endpoint = Endpoint::new(HttpUrl::parse("https://as/introspect").unwrap(), client);
        assert!(!format!("{endpoint:?} {endpoint:#?}").contains("s3cret"));
    }
}
