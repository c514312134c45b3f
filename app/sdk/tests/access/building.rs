//! What a server is not built with.

use std::error::Error as _;
use std::sync::Arc;

use pm_mcp::{Admission, NoArguments, Output, Server, ServerBuilder, ToolError, tool};
use pm_mcp_memory::MemoryTokenVerifier;

use crate::support::{ISSUER, METADATA, RESOURCE};

fn builder() -> ServerBuilder {
    Server::builder("half", "1.0.0")
}

fn verifier() -> Arc<MemoryTokenVerifier> {
    Arc::default()
}

fn fault(builder: ServerBuilder) -> String {
    let error = builder.build().unwrap_err();
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

#[test]
fn half_of_what_authorization_needs_stops_the_build() {
    for (half, given, missing) in [
        (builder().token_verifier(verifier()), "token_verifier", "resource_uri"),
        (builder().token_verifier(verifier()).resource_uri(RESOURCE), "token_verifier", "issuer"),
        (builder().token_verifier(verifier()).issuer(ISSUER), "token_verifier", "resource_uri"),
        (builder().resource_uri(RESOURCE), "resource_uri", "token_verifier"),
        (builder().issuer(ISSUER), "issuer", "token_verifier"),
        (builder().issuer(ISSUER).resource_uri(RESOURCE), "resource_uri", "token_verifier"),
    ] {
        let text = fault(half);
        assert!(text.starts_with(&format!("{given} is set and {missing} is not")), "{text}");
    }
    let both = builder().token_verifier(verifier()).resource_uri(RESOURCE).issuer(ISSUER).allow_anonymous();
    assert!(fault(both).contains("allow_anonymous and token_verifier"));
}

#[test]
fn unsafe_addresses_and_scopes_stop_the_build() {
    let whole = || builder().token_verifier(verifier());
    for (unsafe_one, words) in [
        (whole().issuer(ISSUER).resource_uri("https://tools.example/mcp#x"), "must not have a fragment"),
        (whole().issuer(ISSUER).resource_uri("http://tools.example/mcp"), "must begin with https://"),
        (whole().issuer("http://login.example").resource_uri(RESOURCE), "must begin with https://"),
        (whole().issuer("https://me:secret@login.example").resource_uri(RESOURCE), "user name or password"),
        (whole().issuer(ISSUER).resource_uri(RESOURCE).require_scope("a \"b\""), "is not usable"),
    ] {
        let text = fault(unsafe_one);
        assert!(text.contains(words) && !text.contains("secret"), "{text}");
    }
    let entry = tool("t", "Answers.")
        .scope("a\\b")
        .handler(|_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("yes")) });
    assert!(fault(builder().tool(entry)).contains("is not usable"));
}

#[test]
fn a_server_says_whom_it_lets_in() {
    assert_eq!(builder().build().unwrap().admission(), Admission::Local);
    assert_eq!(builder().allow_anonymous().build().unwrap().admission(), Admission::Anyone);
    let whole =
        builder().token_verifier(verifier()).resource_uri(RESOURCE).issuer(ISSUER).consent_scopes("b a");
    let admission = whole.build().unwrap().admission();
    let metadata = admission.metadata().unwrap();
    assert_eq!(metadata.url(), METADATA);
    assert!(metadata.as_json().contains(r#""scopes_supported":["a","b"]"#));
}

#[test]
fn issuers_and_resources_of_the_loopback_interface_need_no_https() {
    let local = builder()
        .token_verifier(verifier())
        .resource_uri("http://127.0.0.1:3000/mcp")
        .issuer("http://localhost:4000");
    assert!(local.build().is_ok());
}
