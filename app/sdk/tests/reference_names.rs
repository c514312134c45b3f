//! The page of reference names: each name is there, and each Rust path that it leads to exists.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

/// Lists names with their paths. A path that does not exist does not compile.
macro_rules! names {
    ($($name:literal => $path:path;)*) => {
        mod exist {
            $(
                #[allow(unused_imports, reason = "that it can be imported is what is tried")]
                use $path as _;
            )*
        }

        const NAMES: &[(&str, &str)] = &[$(($name, stringify!($path)),)*];
    };
}

names! {
    "PM_MCP_PROTOCOL_VERSION" => pm_mcp::PROTOCOL_VERSION;
    "PM_MCP_LEGACY_PROTOCOL_VERSIONS" => pm_mcp::Server;
    "resolveMcpRequestContext" => pm_mcp_domain::request::judge;
    "buildMcpCompleteResult" => pm_mcp_domain::wire::complete_result;
    "buildMcpDiscoverResult" => pm_mcp_domain::wire::DiscoverResult;
    "PmMcpInputRequiredError" => pm_mcp::HandlerFault;
    "sealMcpRequestState" => pm_mcp::StateSealer;
    "openMcpRequestState" => pm_mcp_domain::continuation::Claims;
    "digestMcpRequestParameters" => pm_mcp_domain::cursor::ParamsDigest;
    "PmMcpRequestStateReplayGuard" => pm_mcp::ReplayGuard;
    "parseMcpInputResponses" => pm_mcp_domain::continuation::parse_responses;
    "validateMcpJsonSchema" => pm_mcp::check_schema;
    "withMcpCachePolicy" => pm_mcp_domain::wire::with_cache_policy;
    "createMcpTaskStore" => pm_mcp_task_fs::FsTaskStore;
    "PmMcpSubscriptionRegistry" => pm_mcp_engine::Hub;
    "buildMcpHttpRequestHeaders" => pm_mcp_domain::header::build_request_headers;
    "validateMcpHttpRequestHeaders" => pm_mcp_domain::header::validate_standard_headers;
    "collectMcpHeaderAnnotations" => pm_mcp_domain::header::collect_header_annotations;
    "createPmMcpHttpServer" => pm_mcp::Http;
    "buildMcpProtectedResourceMetadata" => pm_mcp_domain::wire::ProtectedResource;
    "buildMcpAuthorizationDiscoveryUrls" => pm_mcp_domain::authorization::authorization_server_metadata_urls;
    "validateMcpAuthorizationServerMetadata" => pm_mcp_domain::authorization::read_server_metadata;
    "selectMcpClientRegistrationMode" => pm_mcp_domain::authorization::choose_registration;
    "PmMcpIssuerCredentialStore" => pm_mcp_ports::driven::CredentialStore;
    "authorizeMcpHttpRequest" => pm_mcp_domain::access::authorize;
    "extractMcpTraceContext" => pm_mcp::TraceContext;
    "runWithMcpTraceContext" => pm_mcp::trace::within;
}

/// Rows of the page: name and path.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"));
    rows.map(|(name, rest)| (name, rest.split('`').next().unwrap_or_default())).collect()
}

#[test]
fn each_reference_name_leads_to_a_path_that_exists() {
    assert_eq!(rows(include_str!("../../../docs/reference-names.md")), NAMES);
}

#[test]
fn no_reference_name_is_forgotten() {
    let asked = include_str!("../../../docs/requirements.json");
    let rows = asked.lines().filter(|row| !row.contains("\"state\": \"out_of_scope\""));
    let claims = rows.filter_map(|row| row.split_once("\"claim\": ")).map(|(_, claim)| claim);
    let words = claims.flat_map(|claim| claim.split(|next: char| !next.is_alphanumeric() && next != '_'));
    let is_name = |word: &&str| {
        word.starts_with("PM_MCP_") && word.contains("PROTOCOL_VERSION")
            || word.split_once("Mcp").is_some_and(|(before, after)| {
                !before.is_empty() && after.starts_with(|next: char| next.is_ascii_uppercase())
            })
    };
    for word in words.filter(is_name) {
        assert!(NAMES.iter().any(|(name, _)| *name == word), "{word} is missing");
    }
}
