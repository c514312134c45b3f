//! What a caller may know of.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pm_mcp::{CachePolicy, Caller, ListCaches, Offer, Visibility};
use serde_json::{Value, json};

use crate::support::Stage;

/// Shows `change`, `doc:closed`, `item:{id}` and `plan` to bob only, and counts how often it is asked.
#[derive(Clone, Default, Debug)]
struct ForBob(Arc<AtomicUsize>);

impl Visibility for ForBob {
    fn class(&self, caller: &Caller) -> Arc<str> {
        caller.access.as_ref().map_or("", |access| &access.subject).into()
    }

    fn shows(&self, class: &str, offer: Offer<'_>) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        let hidden = match offer {
            Offer::Tool(name) => name == "change",
            Offer::Resource(uri) => uri == "doc:closed" || uri == "item:7",
            Offer::Template(template) => template == "item:{id}",
            Offer::Prompt(name) => name == "plan",
        };
        class == "bob" || !hidden
    }
}

const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("resources/list", "resources", "uri"),
    ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ("prompts/list", "prompts", "name"),
];

#[tokio::test]
async fn what_is_hidden_is_not_there_in_any_way() {
    let stage = Stage::new(|builder| builder.visibility(ForBob::default()));
    let (ada, bob) = (stage.with("writer"), stage.with("bob"));
    for ((list, member, name), hidden) in LISTS.into_iter().zip(["change", "doc:closed", "item:{id}", "plan"])
    {
        let (seen, all) = (ada.ask(list, json!({})).await, bob.ask(list, json!({})).await);
        assert!(!seen.names(member, name).contains(&hidden), "{list}");
        assert!(all.names(member, name).contains(&hidden), "{list}");
        assert_eq!(seen.result()["cacheScope"], "private", "{list}");
    }
    let complete = |reference: Value, argument: &str| json!({"ref": reference, "argument": {"name": argument, "value": ""}});
    for (method, hidden, absent) in [
        ("tools/call", json!({"name": "change"}), json!({"name": "absent"})),
        ("resources/read", json!({"uri": "doc:closed"}), json!({"uri": "doc:absent"})),
        ("resources/read", json!({"uri": "item:7"}), json!({"uri": "doc:absent"})),
        ("prompts/get", json!({"name": "plan"}), json!({"name": "absent"})),
        (
            "completion/complete",
            complete(json!({"type": "ref/prompt", "name": "plan"}), "goal"),
            complete(json!({"type": "ref/prompt", "name": "absent"}), "goal"),
        ),
        (
            "completion/complete",
            complete(json!({"type": "ref/resource", "uri": "item:{id}"}), "id"),
            complete(json!({"type": "ref/resource", "uri": "absent:{id}"}), "id"),
        ),
    ] {
        // Neither with the scopes for it nor without them does it differ from what does not exist.
        for client in [&ada, &stage.with("reader")] {
            let (told, nothing) =
                (client.ask(method, hidden.clone()).await, client.ask(method, absent.clone()).await);
            assert_eq!((told.status, told.code()), (nothing.status, nothing.code()), "{method} {hidden}");
            assert_eq!(
                told.message().len() - hidden_name(&hidden).len(),
                nothing.message().len() - hidden_name(&absent).len(),
                "{told:?} {nothing:?}"
            );
        }
        assert_eq!(bob.ask(method, hidden.clone()).await.status, 200, "{method} {hidden}");
        assert!(bob.ask(method, hidden.clone()).await.body.get("result").is_some(), "{method} {hidden}");
        // Somebody unknown is not told which scopes it would need.
        let told = stage.client().ask(method, hidden.clone()).await;
        assert_eq!((told.status, told.scopes()), (401, "read"), "{method} {hidden}");
    }
}

/// The name that a refusal repeats, where it repeats one.
fn hidden_name(params: &Value) -> &str {
    let repeated = [&params["name"], &params["ref"]["name"], &params["ref"]["uri"]];
    repeated.into_iter().find_map(Value::as_str).unwrap_or_default()
}

#[tokio::test]
async fn what_consent_could_give_is_listed_and_answers_with_its_scopes() {
    let stage = Stage::new(|builder| builder);
    let reader = stage.with("reader");
    assert!(reader.ask("tools/list", json!({})).await.names("tools", "name").contains(&"change"));
    assert_eq!(reader.call("change").await.scopes(), "read write");
}

/// Shows `change` to everybody until that is taken back.
#[derive(Clone, Default, Debug)]
struct UntilTakenBack(Arc<AtomicBool>);

impl Visibility for UntilTakenBack {
    fn class(&self, _: &Caller) -> Arc<str> {
        if self.0.load(Ordering::Relaxed) { "less" } else { "all" }.into()
    }

    fn shows(&self, class: &str, offer: Offer<'_>) -> bool {
        class == "all" || !matches!(offer, Offer::Tool("change"))
    }
}

/// Field case C83.
#[tokio::test]
async fn a_cursor_shows_no_more_than_its_caller_may_see_now() {
    let policy = UntilTakenBack::default();
    let stage = Stage::new(|builder| builder.visibility(policy.clone()).page_size(1));
    let client = stage.with("writer");
    let walk = async || {
        let (mut names, mut cursors) = (Vec::new(), Vec::new());
        loop {
            let params = cursors.last().map_or_else(|| json!({}), |cursor: &Value| json!({"cursor": cursor}));
            let page = client.ask("tools/list", params).await;
            let found = page.names("tools", "name");
            assert_eq!(found.len(), 1, "what is hidden leaves no gap in a page");
            names.push(found[0].to_owned());
            match page.result().get("nextCursor") {
                Some(next) => cursors.push(next.clone()),
                None => return (names, cursors),
            }
        }
    };
    let (mut names, cursors) = walk().await;
    assert!(names.contains(&"change".to_owned()) && !cursors.is_empty());
    policy.0.store(true, Ordering::Relaxed);
    for cursor in cursors {
        let told = client.ask("tools/list", json!({"cursor": cursor})).await;
        match told.body.get("result") {
            Some(_) => assert!(!told.names("tools", "name").contains(&"change"), "{told:?}"),
            None => assert_eq!(told.code(), -32602),
        }
    }
    names.retain(|name| name != "change");
    assert_eq!(walk().await.0, names);
}

#[tokio::test]
async fn lists_can_be_of_what_is_usable_only() {
    let public = ListCaches { tools: CachePolicy::public(1000), ..ListCaches::default() };
    let stage = Stage::new(|builder| builder.list_usable_only().caches(public));
    for (list, member, name) in LISTS {
        let reader = stage.with("reader").ask(list, json!({})).await;
        let writer = stage.with("writer").ask(list, json!({})).await;
        let (few, all) = (reader.names(member, name), writer.names(member, name));
        assert!(
            few.len() < all.len() && few.iter().all(|entry| all.contains(entry)),
            "{list}: {few:?} {all:?}"
        );
        assert_eq!(reader.result()["cacheScope"], "private", "{list}");
    }
    let told = stage.with("reader").call("change").await;
    assert_eq!((told.status, told.scopes()), (403, "read write"), "it can be gained by consent all the same");
}

#[tokio::test]
async fn lists_are_made_once_for_a_class_and_again_when_the_server_changes() {
    let policy = ForBob::default();
    let stage = Stage::new(|builder| builder.visibility(policy.clone()));
    let asked = || policy.0.load(Ordering::Relaxed);
    let first = stage.with("writer").ask("tools/list", json!({})).await;
    let after_first = asked();
    let second = stage.with("reader").ask("tools/list", json!({})).await;
    assert_eq!((asked(), &second.body), (after_first, &first.body), "the same class is shown the same");
    stage
        .server
        .edit(|offer| {
            offer.remove_tool("look");
            Ok(())
        })
        .unwrap();
    let third = stage.with("writer").ask("tools/list", json!({})).await;
    assert!(!third.names("tools", "name").contains(&"look"));
    assert!(asked() > after_first);
}

#[tokio::test]
async fn a_cursor_is_of_no_use_to_another_caller() {
    let stage = Stage::new(|builder| builder.visibility(ForBob::default()).page_size(2));
    let page = stage.with("writer").ask("tools/list", json!({})).await;
    let cursor = page.result()["nextCursor"].as_str().unwrap();
    assert_eq!(stage.with("writer").ask("tools/list", json!({"cursor": cursor})).await.status, 200);
    let told = stage.with("bob").ask("tools/list", json!({"cursor": cursor})).await;
    assert_eq!(told.code(), -32602);
}

#[tokio::test]
async fn what_needs_scopes_is_never_for_shared_caches() {
    let stage = Stage::new(|builder| {
        builder.resource(
            pm_mcp::resource("doc:public", "public")
                .cache(CachePolicy::public(1000))
                .reader(|_, _| async { Ok::<_, pm_mcp::HandlerFault>(pm_mcp::Read::text("yes")) }),
        )
    });
    let told = stage.with("reader").ask("resources/read", json!({"uri": "doc:public"})).await;
    assert_eq!(told.result()["cacheScope"], "private");
}
