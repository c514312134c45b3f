//! What is sent to a token endpoint.

use alloc::string::String;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::access::{Resource, Scopes};

use super::client::{ClientAuthentication, ClientRegistration};
use super::form;
use super::http_url::HttpUrl;
use super::pending::PendingAuthorization;
use super::secret::Secret;

/// A request to a token endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenRequest {
    /// Where to.
    pub endpoint: HttpUrl,
    /// The form, encoded.
    pub form: Secret,
    /// The value of `Authorization`, where the client authenticates by header.
    pub authorization: Option<Secret>,
}

impl TokenRequest {
    /// Redeems a code, with the verifier that it is bound to.
    pub fn redeem(pending: &PendingAuthorization, code: &Secret) -> Self {
        let mut form = String::new();
        form::append(&mut form, "grant_type", "authorization_code");
        form::append(&mut form, "code", code.expose());
        form::append(&mut form, "redirect_uri", pending.redirect_uri.as_str());
        form::append(&mut form, "code_verifier", pending.verifier.expose());
        Self::with_client(pending.token_endpoint.clone(), form, &pending.client, &pending.resource)
    }

    /// Spends a refresh token for the resource that it was given for.
    pub fn refresh(
        endpoint: &HttpUrl,
        client: &ClientRegistration,
        resource: &Resource,
        refresh_token: &Secret,
    ) -> Self {
        let mut form = String::new();
        form::append(&mut form, "grant_type", "refresh_token");
        form::append(&mut form, "refresh_token", refresh_token.expose());
        Self::with_client(endpoint.clone(), form, client, resource)
    }

    /// Asks for a token for the client itself, without a user (RFC 6749 section 4.4).
    pub fn client_credentials(
        endpoint: &HttpUrl,
        client: &ClientRegistration,
        resource: &Resource,
        scopes: Option<&Scopes>,
    ) -> Self {
        let mut form = String::new();
        form::append(&mut form, "grant_type", "client_credentials");
        append_scopes(&mut form, scopes);
        Self::with_client(endpoint.clone(), form, client, resource)
    }

    /// Redeems an assertion of another issuer, which vouches for a user or a workload (RFC 7523 section 2.1).
    pub fn assertion(
        endpoint: &HttpUrl,
        client: &ClientRegistration,
        resource: &Resource,
        scopes: Option<&Scopes>,
        assertion: &Secret,
    ) -> Self {
        let mut form = String::new();
        form::append(&mut form, "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer");
        form::append(&mut form, "assertion", assertion.expose());
        append_scopes(&mut form, scopes);
        Self::with_client(endpoint.clone(), form, client, resource)
    }

    fn with_client(
        endpoint: HttpUrl,
        mut form: String,
        client: &ClientRegistration,
        resource: &Resource,
    ) -> Self {
        form::append(&mut form, "resource", resource.as_str());
        let authorization = match &client.authentication {
            ClientAuthentication::None => {
                form::append(&mut form, "client_id", &client.client_id);
                None
            }
            ClientAuthentication::SecretPost(secret) => {
                form::append(&mut form, "client_id", &client.client_id);
                form::append(&mut form, "client_secret", secret.expose());
                None
            }
            ClientAuthentication::SecretBasic(secret) => Some(basic(&client.client_id, secret)),
        };
        Self { endpoint, form: Secret::new(&form), authorization }
    }
}

fn append_scopes(form: &mut String, scopes: Option<&Scopes>) {
    if let Some(scopes) = scopes {
        form::append(form, "scope", &alloc::format!("{scopes}"));
    }
}

/// Id and secret are encoded as a form before they are joined (RFC 6749 section 2.3.1).
fn basic(client_id: &str, secret: &Secret) -> Secret {
    let pair = alloc::format!("{}:{}", form::encode(client_id), form::encode(secret.expose()));
    Secret::new(&alloc::format!("Basic {}", STANDARD.encode(pair)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authorization::RegistrationOrigin;
    use std::format;

    fn refreshing(authentication: ClientAuthentication) -> TokenRequest {
        let client = ClientRegistration {
            client_id: "a:b".into(),
            authentication,
            origin: RegistrationOrigin::Dynamic,
        };
        let endpoint = HttpUrl::parse("https://as.example/token").unwrap();
        let resource = Resource::parse("https://h/mcp").unwrap();
        TokenRequest::refresh(&endpoint, &client, &resource, &Secret::new("r&t"))
    }

    #[test]
    fn tokens_are_asked_for_without_a_user() {
        let client = ClientRegistration {
            client_id: "c".into(),
            authentication: ClientAuthentication::None,
            origin: RegistrationOrigin::PreRegistered,
        };
        let endpoint = HttpUrl::parse("https://as.example/token").unwrap();
        let resource = Resource::parse("https://h/mcp").unwrap();
        let scopes = Scopes::parse("b a").unwrap();
        let request = TokenRequest::client_credentials(&endpoint, &client, &resource, Some(&scopes));
        let rest = "scope=a+b&resource=https%3A%2F%2Fh%2Fmcp&client_id=c";
        assert_eq!(request.form.expose(), format!("grant_type=client_credentials&{rest}"));
        let request =
            TokenRequest::assertion(&endpoint, &client, &resource, Some(&scopes), &Secret::new("a.b.c"));
        let kind = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c";
        assert_eq!(request.form.expose(), format!("{kind}&{rest}"));
    }

    #[test]
    fn clients_authenticate_in_one_way_only() {
        let common = "grant_type=refresh_token&refresh_token=r%26t&resource=https%3A%2F%2Fh%2Fmcp";
        let public = refreshing(ClientAuthentication::None);
        assert_eq!(
            (public.form.expose(), public.authorization),
            (&*format!("{common}&client_id=a%3Ab"), None)
        );
        let post = refreshing(ClientAuthentication::SecretPost(Secret::new("s/")));
        assert_eq!(post.form.expose(), format!("{common}&client_id=a%3Ab&client_secret=s%2F"));
        assert_eq!(post.authorization, None);
        let header = refreshing(ClientAuthentication::SecretBasic(Secret::new("s/")));
        assert_eq!(header.form.expose(), common);
        assert_eq!(header.authorization.unwrap().expose(), "Basic YSUzQWI6cyUyRg==");
    }
}
