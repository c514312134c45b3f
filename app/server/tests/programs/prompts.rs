//! Prompts and their completions.

use serde_json::{Value, json};

use crate::session::{Session, project};

fn messages(session: &mut Session, name: &str, arguments: Value) -> Vec<Value> {
    let result = session.ask("prompts/get", json!({"name": name, "arguments": arguments}));
    result["messages"].as_array().unwrap().clone()
}

fn embedded(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(|message| message["content"]["resource"]["uri"].as_str()).collect()
}

#[test]
fn prompts_embed_what_they_speak_of() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let all = messages(&mut session, "orient", json!({"request": "mend the network"}));
    assert_eq!(embedded(&all), ["pm://workspace/context", "pm://workspace/next"]);
    assert!(all[0]["content"]["text"].as_str().unwrap().contains("mend the network"));
    let below = messages(&mut session, "orient", json!({"request": "x", "scope": "return"}));
    assert!(below[0]["content"]["text"].as_str().unwrap().contains("the tag \"return\""));
    let below = messages(&mut session, "orient", json!({"request": "x", "scope": "demo-return"}));
    assert_eq!(embedded(&below).last(), Some(&"pm://items/demo-return"));
    let start = messages(&mut session, "claim-and-start", json!({"id": "#SCREEN"}));
    assert_eq!(embedded(&start), ["pm://items/demo-screen"]);
    let close = messages(
        &mut session,
        "record-evidence-and-close",
        json!({"id": "demo-retry1", "evidence": "42 passed"}),
    );
    assert_eq!(embedded(&close), ["pm://items/demo-retry1"]);
    assert!(close[0]["content"]["text"].as_str().unwrap().contains("42 passed"));
}

#[test]
fn without_an_id_the_ready_items_are_offered_in_order() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let choice = messages(&mut session, "claim-and-start", json!({}));
    let text = choice[0]["content"]["text"].as_str().unwrap();
    let at = |id: &str| text.find(id).unwrap_or_else(|| panic!("{id} is not in {text}"));
    assert!(at("demo-twice1") < at("demo-screen") && at("demo-screen") < at("demo-tyres1"));
    assert!(!text.contains("demo-outbox") && !text.contains("demo-refund"), "{text}");
    assert_eq!(embedded(&choice), ["pm://workspace/next"]);
}

#[test]
fn a_client_that_can_be_asked_lets_the_user_pick_what_to_begin() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let forms = json!({"elicitation": {"form": {}}});
    let asked = session.answer_with("prompts/get", json!({"name": "claim-and-start"}), forms.clone());
    let question = &asked["result"]["inputRequests"]["item"]["params"];
    let offered = question["requestedSchema"]["properties"]["item"]["oneOf"].as_array().unwrap();
    assert!(offered.len() <= 5 && offered[0]["const"] == "demo-twice1", "{asked}");
    let answered = |response: Value| {
        json!({
            "name": "claim-and-start", "requestState": asked["result"]["requestState"],
            "inputResponses": {"item": response},
        })
    };
    let picked = json!({"action": "accept", "content": {"item": "demo-screen"}});
    let begun = session.answer_with("prompts/get", answered(picked), forms.clone());
    assert_eq!(
        embedded(begun["result"]["messages"].as_array().unwrap()),
        ["pm://items/demo-screen"],
        "{begun}"
    );
    let asked = session.answer_with("prompts/get", json!({"name": "claim-and-start"}), forms.clone());
    let none = json!({
        "name": "claim-and-start", "requestState": asked["result"]["requestState"],
        "inputResponses": {"item": {"action": "decline"}},
    });
    let left = session.answer_with("prompts/get", none, forms);
    assert!(left.to_string().contains("chose none"), "{left}");
}

#[test]
fn a_skill_is_marked_as_guidance_without_authority() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let skill = messages(&mut session, "skill/close-with-evidence", json!({"topic": "the outbox"}));
    let (preface, text) =
        (skill[0]["content"]["text"].as_str().unwrap(), skill[1]["content"]["text"].as_str().unwrap());
    assert!(preface.contains("guidance without authority") && preface.contains("the outbox"), "{preface}");
    assert!(text.contains("# Close with evidence"));
}

#[test]
fn unusable_arguments_are_refused_with_what_would_be_right() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    for (name, arguments, part) in [
        ("claim-and-start", json!({"id": "demo-scren"}), "did you mean demo-screen?"),
        ("orient", json!({"request": "x", "scope": "zzz"}), "neither a tag in use nor the id of an item"),
        ("orient", json!({"request": " "}), "`request` is empty"),
        ("record-evidence-and-close", json!({"id": "demo-retry1", "evidence": ""}), "`evidence` is empty"),
    ] {
        let answer = session.answer("prompts/get", json!({"name": name, "arguments": arguments}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(part), "{answer}");
    }
}

#[test]
fn arguments_are_completed() {
    let folder = project();
    let mut session = Session::start(folder.path(), &[]);
    let of = |name: &str| json!({"type": "ref/prompt", "name": name});
    assert_eq!(session.complete(&of("orient"), "scope", "k"), ["kiosk", "demo-kiosk1"]);
    assert_eq!(session.complete(&of("claim-and-start"), "id", "")[..2], ["demo-twice1", "demo-screen"]);
    assert_eq!(session.complete(&of("record-evidence-and-close"), "id", ""), ["demo-retry1", "demo-kiosk1"]);
}
