//! Who stands for a client towards an authorization server.

/// How tokens are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GrantKind {
    /// A user consents in a browser: the code flow with PKCE.
    #[default]
    Consent,
    /// The client stands for itself, with the secret that an issuer gave it beforehand. There is no user.
    ClientCredentials,
    /// Another issuer vouches, with an assertion for this one: an identity provider for its user, or a platform for what
    /// runs on it. There is no page to visit.
    Assertion,
}
