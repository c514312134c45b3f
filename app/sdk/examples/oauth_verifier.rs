//! A server with a token verifier of its host's own: opaque tokens that a directory of the company knows.
//!
//! The verifier says what is in a token. Issuer, audience, time and scopes are then checked by the framework, which also
//! words the challenges and serves the metadata.

use std::collections::BTreeMap;
use std::sync::RwLock;

use pm_mcp::{
    Grant, Http, NoArguments, Output, PresentedToken, Scopes, Server, Timestamp, TokenVerifier, ToolError,
    VerifyError, async_trait, tool,
};

const ISSUER: &str = "https://login.company.example";
const RESOURCE: &str = "http://127.0.0.1:3000/mcp";

/// Who holds which token, and what for: here a map, in a company a service.
#[derive(Default)]
pub struct Directory(RwLock<BTreeMap<String, (String, Scopes)>>);

impl Directory {
    /// Hands out a token.
    pub fn add(&self, token: &str, subject: &str, scopes: Scopes) {
        if let Ok(mut holders) = self.0.write() {
            holders.insert(token.to_owned(), (subject.to_owned(), scopes));
        }
    }
}

impl std::fmt::Debug for Directory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Directory(..)") // Its keys are tokens.
    }
}

#[async_trait]
impl TokenVerifier for Directory {
    async fn verify(&self, token: &PresentedToken, _now: Timestamp) -> Result<Grant, VerifyError> {
        let holders = self.0.read().map_err(|_| VerifyError::unavailable("the directory is out of order"))?;
        let (subject, scopes) = holders
            .get(token.expose())
            .ok_or_else(|| VerifyError::invalid("the directory does not know it"))?;
        Ok(Grant {
            issuer: ISSUER.to_owned(),
            subject: subject.clone(),
            audiences: vec![RESOURCE.to_owned()],
            scopes: scopes.clone(),
            client: None,
            expires: None,
            not_before: None,
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = Directory::default();
    directory.add("tok-ada", "ada", Scopes::parse("greet")?);
    let greet =
        tool("greet", "Greets whoever calls.").scope("greet").handler(|context, _: NoArguments| async move {
            Ok::<_, ToolError>(Output::text(format!("Hello, {}!", context.caller().principal)))
        });
    let server = Server::builder("company", "1.0.0").tool(greet).token_verifier(directory);
    let server = server.resource_uri(RESOURCE).issuer(ISSUER).build()?;
    server.serve(Http::bind("127.0.0.1:3000")).await?;
    Ok(())
}
