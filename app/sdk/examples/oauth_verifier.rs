//! A verifier of a host's own, for tokens that a directory of the company knows. It says what is in a token; issuer,
//! audience, time and scopes are checked by the framework, which also words the challenges and serves the metadata.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use pm_mcp::{
    Grant, Http, NoArguments, Output, PresentedToken, Scopes, Server, Timestamp, TokenVerifier, ToolError,
    VerifyError, async_trait, tool,
};

const ISSUER: &str = "https://login.company.example";
const RESOURCE: &str = "http://127.0.0.1:3000/mcp";

/// Who holds which token, and what for: here a map, in a company a service.
#[derive(Default)]
pub struct Directory(RwLock<BTreeMap<String, Grant>>);

impl Directory {
    /// Hands out a token.
    pub fn add(&self, token: &str, subject: &str, scopes: Scopes) {
        let (issuer, subject, audiences) = (ISSUER.to_owned(), subject.to_owned(), vec![RESOURCE.to_owned()]);
        let grant =
            Grant { issuer, subject, audiences, scopes, client: None, expires: None, not_before: None };
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(token.to_owned(), grant);
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
        let found = holders.get(token.expose()).cloned();
        found.ok_or_else(|| VerifyError::invalid("the directory does not know it"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = Directory::default();
    directory.add("tok-ada", "ada", Scopes::parse("greet")?);
    let hello = |context: pm_mcp::Context, _: NoArguments| async move {
        Ok::<_, ToolError>(Output::text(format!("Hello, {}!", context.caller().principal)))
    };
    let greet = tool("greet", "Greets whoever calls.").scope("greet").handler(hello);
    let server = Server::builder("company", "1.0.0").tool(greet).token_verifier(directory);
    let server = server.resource_uri(RESOURCE).issuer(ISSUER).build()?;
    server.serve(Http::bind("127.0.0.1:3000")).await?;
    Ok(())
}
