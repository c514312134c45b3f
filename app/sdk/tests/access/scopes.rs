//! What a caller may do.

use serde_json::json;

use crate::support::Stage;

#[tokio::test]
async fn a_missing_scope_is_told_with_all_that_the_operation_needs() {
    let stage = Stage::new(|builder| builder);
    for token in ["reader", "only-writer", "powerless"] {
        let client = stage.with(token);
        for (method, params) in [
            ("tools/call", json!({"name": "change"})),
            ("tools/call", json!({"name": "mend", "arguments": {"fix": true}})),
            ("resources/read", json!({"uri": "doc:closed"})),
            ("resources/read", json!({"uri": "item:7"})),
            ("prompts/get", json!({"name": "plan"})),
            (
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "plan"}, "argument": {"name": "goal", "value": ""}}),
            ),
            (
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": "item:{id}"}, "argument": {"name": "id", "value": ""}}),
            ),
            (
                "subscriptions/listen",
                json!({"notifications": {"resourceSubscriptions": ["doc:open", "item:7"]}}),
            ),
        ] {
            let told = client.ask(method, params.clone()).await;
            assert_eq!((told.status, told.code()), (403, -32600), "{token} {method} {params}: {told:?}");
            assert_eq!(told.scopes(), "read write", "{token} {method} {params}");
            assert!(told.challenge().contains("error=\"insufficient_scope\""));
            assert_eq!(told.message(), "the operation needs the scopes: read write");
        }
    }
}

#[tokio::test]
async fn scopes_by_arguments_are_asked_for_only_where_they_apply() {
    let stage = Stage::new(|builder| builder);
    let reader = stage.with("reader");
    for arguments in [json!({}), json!({"fix": false})] {
        let told = reader.ask("tools/call", json!({"name": "mend", "arguments": arguments})).await;
        assert_eq!(told.status, 200, "{told:?}");
    }
    let fix = json!({"name": "mend", "arguments": {"fix": true}});
    assert_eq!(stage.with("writer").ask("tools/call", fix).await.status, 200);
}

#[tokio::test]
async fn a_broader_scope_is_enough_where_the_host_says_so() {
    let stage = Stage::new(|builder| builder.scope_implies("admin", "write").scope_implies("write", "read"));
    assert_eq!(stage.with("admin").call("change").await.status, 200);
    assert_eq!(stage.with("only-writer").call("look").await.status, 200);
    let alone = Stage::new(|builder| builder);
    assert_eq!(alone.with("admin").call("change").await.status, 403);
    assert_eq!(
        alone.with("only-writer").call("look").await.status,
        403,
        "write does not imply read by itself"
    );
}

#[tokio::test]
async fn discovery_needs_a_token_and_no_scope() {
    let stage = Stage::new(|builder| builder);
    assert_eq!(stage.with("powerless").ask("server/discover", json!({})).await.status, 200);
    for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
        let told = stage.with("powerless").ask(method, json!({})).await;
        assert_eq!((told.status, told.scopes()), (403, "read"), "{method}");
        assert_eq!(stage.with("reader").ask(method, json!({})).await.status, 200, "{method}");
    }
}

#[tokio::test]
async fn one_method_can_need_more_than_the_others() {
    let stage = Stage::new(|builder| builder.require_scope_for(pm_mcp::Method::ListTools, "census"));
    let told = stage.with("reader").ask("tools/list", json!({})).await;
    assert_eq!((told.status, told.scopes()), (403, "census read"));
    assert_eq!(stage.with("reader").call("look").await.status, 200);
}
