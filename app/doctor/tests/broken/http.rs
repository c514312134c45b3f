//! Over HTTP.

use pm_mcp_doctor::Level::{Doubtful, Wrong};
use serde_json::json;

use crate::server::{Answer, examined, examined_at, says, sound, told, tool, with_result};

#[tokio::test]
async fn a_sound_server_gets_no_complaint() {
    let report = examined(sound).await;
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.count(Doubtful), 0, "{report}");
    assert!(report.to_string().contains("2 listed on 2 pages"), "{report}");
}

#[tokio::test]
async fn members_that_the_revision_asks_for_are_missed() {
    let report = examined(|asked| {
        with_result(asked, "tools/list", |result| {
            result.as_object_mut().unwrap().retain(|name, _| name == "tools" || name == "nextCursor");
        })
    })
    .await;
    for words in ["no `resultType`", "no `ttlMs`", "no `cacheScope`"] {
        says(&report, Wrong, words);
    }
}

#[tokio::test]
async fn a_list_that_never_ends_is_noticed() {
    let report = examined(|asked| {
        let mut first = crate::server::Asked {
            body: asked.body.replace("\"cursor\"", "\"other\""),
            headers: asked.headers.clone(),
            verb: asked.verb.clone(),
            path: asked.path.clone(),
        };
        first.body = first.body.replace("made up by the doctor", "x");
        sound(&first)
    })
    .await;
    says(&report, Wrong, "gives a cursor again");
}

#[tokio::test]
async fn tools_that_models_cannot_use_are_named() {
    let report = examined(|asked| {
        with_result(asked, "tools/list", |result| {
            result["tools"] = json!([
                {"name": "bad name!", "inputSchema": {"type": "string"}},
                {"name": "far", "description": "x", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://a.invalid/b"}}}},
                {"name": "bare", "description": "x"},
                tool("twice"), tool("twice"),
            ]);
        })
    })
    .await;
    says(&report, Doubtful, "`bad name!` has no description");
    says(&report, Doubtful, "the name `bad name!`");
    says(&report, Wrong, "`inputSchema` of `bad name!`");
    says(&report, Wrong, "refers to https://a.invalid/b");
    says(&report, Wrong, "`bare` has no `inputSchema`");
    says(&report, Wrong, "`twice` is listed twice");
}

#[tokio::test]
async fn a_server_that_looks_at_no_header_is_told_so() {
    let report = examined(|asked| {
        let mut same = crate::server::Asked {
            body: asked.body.clone(),
            headers: Vec::new(),
            verb: asked.verb.clone(),
            path: asked.path.clone(),
        };
        let message: serde_json::Value = serde_json::from_str(&asked.body).unwrap_or_default();
        let version = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"]
            .as_str()
            .unwrap_or_default();
        same.headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("mcp-protocol-version".to_owned(), version.to_owned()),
            ("mcp-method".to_owned(), message["method"].as_str().unwrap_or_default().to_owned()),
        ];
        same.headers
            .extend(message["params"]["name"].as_str().map(|name| ("mcp-name".to_owned(), name.to_owned())));
        sound(&same)
    })
    .await;
    for words in [
        "without MCP-Protocol-Version is answered",
        "another method in Mcp-Method",
        "https://doctor.invalid may call",
        "doctor.invalid is answered",
    ] {
        says(&report, Wrong, words);
    }
}

#[tokio::test]
async fn answers_without_error_objects_and_ids_are_named() {
    let report = examined(|asked| {
        let (status, headers, body) = sound(asked);
        if body.contains("-32601") {
            return (404, vec![], "not found".to_owned());
        }
        (status, headers, body.replace("\"id\":20", "\"id\":null"))
    })
    .await;
    says(&report, Wrong, "an unknown method is refused without an error object (HTTP 404)");
    says(&report, Wrong, "does not carry the request's id");
}

#[tokio::test]
async fn a_page_instead_of_a_server_is_recognised() {
    let report =
        examined(|_| (200, vec![("content-type", "text/html".to_owned())], "<h1>Welcome</h1>".to_owned()))
            .await;
    says(&report, Wrong, "is no message: <h1>Welcome</h1>");
}

#[tokio::test]
async fn nobody_at_the_address_is_said() {
    let target = pm_mcp_doctor::Target::parse(["http://127.0.0.1:9/mcp".to_owned()]).unwrap();
    let report = pm_mcp_doctor::examine(&target, &pm_mcp_doctor::Settings::default()).await;
    says(&report, Wrong, "cannot be reached");
}

/// A server that wants a token, and publishes these metadata.
fn protected(base: &str, challenge: String, resource: String, s256: bool) -> Answer {
    let base = base.to_owned();
    Box::new(move |asked| match asked.path.as_str() {
        "/.well-known/oauth-protected-resource/mcp" => {
            told(200, &json!({"resource": resource, "authorization_servers": [base]}))
        }
        "/.well-known/oauth-authorization-server" => {
            let methods = if s256 { json!(["S256"]) } else { json!(["plain"]) };
            told(
                200,
                &json!({
                    "issuer": base, "authorization_endpoint": format!("{base}/a"), "token_endpoint": format!("{base}/t"),
                    "code_challenge_methods_supported": methods, "registration_endpoint": format!("{base}/r"),
                }),
            )
        }
        _ => match asked.header("authorization") {
            Some("Bearer right") => sound(asked),
            Some(_) => (
                401,
                vec![("www-authenticate", format!("{challenge}, error=\"invalid_token\""))],
                String::new(),
            ),
            None => (401, vec![("www-authenticate", challenge.clone())], String::new()),
        },
    })
}

fn pointing(base: &str) -> String {
    format!("Bearer resource_metadata=\"{base}/.well-known/oauth-protected-resource/mcp\"")
}

#[tokio::test]
async fn a_protected_server_is_followed_to_its_authorization_server() {
    let make = |base: &str| protected(base, pointing(base), format!("{base}/mcp"), true);
    let report = examined_at(make, None).await;
    assert!(report.is_sound() && report.count(Doubtful) == 0, "{report}");
    assert!(report.to_string().contains("MCP_DOCTOR_TOKEN"), "{report}");
    let report = examined_at(make, Some("right")).await;
    assert!(report.is_sound() && report.to_string().contains("2 listed"), "{report}");
}

#[tokio::test]
async fn what_keeps_clients_from_a_token_is_named() {
    let report = examined_at(
        |base| {
            protected(base, "Bearer realm=\"x\"".to_owned(), "https://another.invalid/mcp".to_owned(), false)
        },
        Some("wrong"),
    )
    .await;
    says(&report, Doubtful, "does not say where the metadata are");
    says(&report, Wrong, "the metadata are for https://another.invalid/mcp");
    says(&report, Wrong, "do not say that S256 is supported");
    says(&report, Wrong, "the given token is refused with HTTP 401");
}

#[tokio::test]
async fn a_server_that_takes_any_token_is_found_out() {
    let report = examined(|asked| match asked.header("authorization") {
        None => (401, vec![], String::new()),
        Some(_) => sound(asked),
    })
    .await;
    says(&report, Wrong, "refused without WWW-Authenticate");
    says(&report, Wrong, "a made-up token is accepted");
}
