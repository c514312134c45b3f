//! What may be asked, what fits as an answer, and what binds a state.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::borrow::Cow;

use pm_mcp_domain::continuation::{
    Answer, Claims, ContinuationRefusal, ElicitAction, FormSchema, InputKey, Nonce, Question, QuestionFault,
    Questions, State, StateFault, StateLimits,
};
use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::{ClientCapability, Method};
use pm_mcp_domain::time::Timestamp;
use serde_json::{Value, json};

fn form() -> Question {
    let schema = json!({"type": "object", "title": "Dropped", "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 4},
        "age": {"type": "integer", "format": "uint8", "minimum": 0, "maximum": 150},
        "share": {"type": "number"},
        "ok": {"type": "boolean", "default": false},
        "colour": {"type": "string", "enum": ["red", "blue"]},
        "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "maxItems": 1},
    }, "required": ["name"]});
    Question::Form { message: "Who?".into(), schema: FormSchema::new(schema).unwrap() }
}

#[test]
fn only_flat_forms_of_primitive_members_are_forms() {
    let member = |member: Value| FormSchema::new(json!({"type": "object", "properties": {"a": member}}));
    for good in [
        json!({"type": "string", "format": "email"}),
        json!({"type": "integer", "format": "int32"}),
        json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}),
    ] {
        assert!(member(good.clone()).is_ok(), "{good}");
    }
    for bad in [
        json!({"type": "object"}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": ["string", "null"]}),
        json!({"$ref": "#/$defs/a"}),
        json!({"type": "string", "pattern": "a"}),
        json!({"type": "string", "format": "uuid"}),
        json!(true),
    ] {
        assert!(member(bad.clone()).is_err(), "{bad}");
    }
    for bad in [
        json!(true),
        json!({"type": "object"}),
        json!({"type": "array", "properties": {}}),
        json!({"type": "object", "properties": {}, "$defs": {}}),
        json!({"type": "object", "properties": {}, "required": ["a"]}),
    ] {
        assert!(FormSchema::new(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn an_accepted_form_must_fit_what_was_asked() {
    let answer = |content: Value| Answer::parse(&form(), &json!({"action": "accept", "content": content}));
    for good in [
        json!({"name": "Ann"}),
        json!({"name": "Ann", "age": 30, "share": 0.5, "ok": true, "colour": "red", "size": "s", "tags": ["a"]}),
        json!({"name": "Ann", "unknown": 1}),
        json!({"name": "日本"}),
    ] {
        assert!(answer(good.clone()).is_ok(), "{good}");
    }
    for bad in [
        json!({}),
        json!({"name": 12345}),
        json!({"name": "A"}),
        json!({"name": "Annabel"}),
        json!({"name": "Ann", "age": 1.5}),
        json!({"name": "Ann", "age": 151}),
        json!({"name": "Ann", "share": "1"}),
        json!({"name": "Ann", "ok": "yes"}),
        json!({"name": "Ann", "colour": "green"}),
        json!({"name": "Ann", "size": "m"}),
        json!({"name": "Ann", "tags": ["c"]}),
        json!({"name": "Ann", "tags": ["a", "b"]}),
    ] {
        assert!(answer(bad.clone()).is_err(), "{bad}");
    }
    for bad in [json!(12345), json!({}), json!({"action": "yes"}), json!({"action": "accept", "content": []})]
    {
        assert!(Answer::parse(&form(), &bad).is_err(), "{bad}");
    }
    let declined = Answer::parse(&form(), &json!({"action": "decline", "content": {"name": 1}})).unwrap();
    assert_eq!(declined, Answer::Elicited { action: ElicitAction::Decline, content: serde_json::Map::new() });
}

#[test]
fn every_kind_of_question_is_asked_and_answered_in_its_own_form() {
    let sampling = json!({"messages": [], "maxTokens": 10});
    let sampling = Question::sampling(sampling.as_object().unwrap().clone()).unwrap();
    let url = Question::Url { message: "Sign in".into(), url: "https://example.com/login".into() };
    let table = [
        (form(), ClientCapability::ElicitationForm, "elicitation/create", json!({"action": "cancel"})),
        (url, ClientCapability::ElicitationUrl, "elicitation/create", json!({"action": "accept"})),
        (
            sampling,
            ClientCapability::Sampling,
            "sampling/createMessage",
            json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "Paris"}}),
        ),
        (Question::Roots, ClientCapability::Roots, "roots/list", json!({"roots": [{"uri": "file:///a"}]})),
    ];
    for (question, needs, method, answer) in table {
        assert_eq!(question.needs(), needs);
        let asked = serde_json::to_value(&question).unwrap();
        assert_eq!(asked.get("method"), Some(&json!(method)));
        assert_eq!(asked.get("params").is_none(), method == "roots/list");
        assert!(Answer::parse(&question, &answer).is_ok(), "{answer}");
        assert!(Answer::parse(&question, &json!({"other": 1})).is_err(), "{method}");
    }
    assert_eq!(Question::sampling(serde_json::Map::new()), Err(QuestionFault::Sampling));
}

#[test]
fn keys_are_unique_and_bounded() {
    let key = |text: &str| InputKey::parse(text).unwrap();
    let mut questions = Questions::default();
    questions.ask(key("a"), Question::Roots).unwrap();
    questions.ask(key("a"), Question::Roots).unwrap();
    assert_eq!(questions.ask(key("a"), form()), Err(QuestionFault::Twice(key("a"))));
    for number in 1..Questions::LIMIT {
        questions.ask(key(&format!("k{number}")), Question::Roots).unwrap();
    }
    assert_eq!(
        questions.ask(key("one-more"), Question::Roots),
        Err(QuestionFault::TooMany(Questions::LIMIT))
    );
    for bad in ["", "a b", "é", "a/b", &"k".repeat(65)] {
        assert!(InputKey::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_state_belongs_to_one_request_of_one_principal_for_a_time() {
    let digest = |value: Value| ParamsDigest::of_request(&value);
    let (ann, bob) = (Principal::local("ann"), Principal::local("bob"));
    let (now, later) = (Timestamp::from_unix_ms(1_000), Timestamp::from_unix_ms(2_000));
    let ours = digest(json!({"name": "deploy", "arguments": {"a": 1, "b": "é"}}));
    let claims = Claims::new(Method::CallTool, &ours, &ann, later, Nonce::from_random([7; 16]));
    let reordered = digest(
        json!({"_meta": {}, "arguments": {"b": "\u{e9}", "a": 1}, "name": "deploy", "requestState": "x"}),
    );
    assert_eq!(claims.check(Method::CallTool, &reordered, &ann, now), Ok(()));
    let changed = digest(json!({"name": "deploy", "arguments": {"a": 2, "b": "é"}}));
    for (result, wanted) in [
        (claims.check(Method::CallTool, &ours, &ann, later), ContinuationRefusal::Expired),
        (claims.check(Method::GetPrompt, &ours, &ann, now), ContinuationRefusal::OtherMethod),
        (claims.check(Method::CallTool, &changed, &ann, now), ContinuationRefusal::OtherParameters),
        (claims.check(Method::CallTool, &ours, &bob, now), ContinuationRefusal::OtherPrincipal),
        (claims.check(Method::GetPrompt, &changed, &bob, later), ContinuationRefusal::Expired),
        (claims.check(Method::GetPrompt, &changed, &bob, now), ContinuationRefusal::OtherMethod),
        (claims.check(Method::CallTool, &changed, &bob, now), ContinuationRefusal::OtherParameters),
    ] {
        assert_eq!(result, Err(wanted));
    }
}

#[test]
fn a_state_is_read_as_it_was_written_and_nothing_else_is() {
    let nobody = Principal::local("");
    for (principal, answers, memory) in [
        (&Principal::loopback(), json!({"name": {"action": "accept"}}), json!({"plan": "abc"})),
        (&Principal::local("Zoë \"Z\""), json!({"name": {"action": "decline"}}), json!({})),
        (&nobody, json!({}), json!({"plan": null})),
        (&nobody, json!({}), json!({})),
    ] {
        let claims = Claims::new(
            Method::CallTool,
            &ParamsDigest::of_request(&json!({})),
            principal,
            Timestamp::from_unix_ms(5),
            Nonce::from_random([1; 16]),
        );
        let members = |value: Value| Cow::Owned(serde_json::from_value(value).unwrap());
        let state = State { claims, answers: members(answers), memory: members(memory) };
        let limits = StateLimits::default();
        let bytes = state.encode(&limits).unwrap();
        assert_eq!(State::decode(&bytes), Ok(state.clone()));
        for length in 0..bytes.len() {
            assert_eq!(State::decode(&bytes[..length]), Err(ContinuationRefusal::Unreadable));
        }
        let small = StateLimits { bytes: bytes.len() - 1, ..limits };
        assert_eq!(state.encode(&small), Err(StateFault::TooLarge { limit: small.bytes }));
        assert!(state.encode(&StateLimits { bytes: bytes.len(), ..limits }).is_ok());
    }
}

#[test]
fn the_questions_of_one_request_are_bounded_in_bytes_and_depth() {
    let key = |name: &str| InputKey::parse(name).unwrap();
    let url = |bytes: usize| Question::Url { message: "x".repeat(bytes), url: "https://example.com".into() };
    let mut questions = Questions::default();
    questions.ask(key("a"), url(Questions::BYTES / 2)).unwrap();
    let before = questions.clone();
    assert_eq!(
        questions.ask(key("b"), url(Questions::BYTES / 2)),
        Err(QuestionFault::TooLong(Questions::BYTES))
    );
    assert_eq!(questions, before, "a question that is refused leaves nothing behind");
    questions.ask(key("c"), url(Questions::BYTES / 4)).unwrap();
    questions.ask(key("d"), Question::Roots).unwrap();

    let bytes = |questions: &Questions| serde_json::to_string(questions).unwrap().len();
    let mut with_empty = questions.clone();
    with_empty.ask(key("ee"), url(0)).unwrap();
    let left = Questions::BYTES - bytes(&with_empty);
    assert!(questions.ask(key("ee"), url(left + 1)).is_err());
    questions.ask(key("ee"), url(left)).unwrap();
    assert_eq!(bytes(&questions), Questions::BYTES);

    let nested = |levels: usize| {
        let inner = (0..levels).fold(json!("x"), |value, _| json!([value]));
        let params = json!({"messages": [], "maxTokens": 1, "metadata": inner});
        Question::sampling(params.as_object().unwrap().clone()).unwrap()
    };
    let mut questions = Questions::default();
    questions.ask(key("a"), nested(Questions::DEPTH - 1)).unwrap();
    assert_eq!(
        questions.ask(key("b"), nested(Questions::DEPTH)),
        Err(QuestionFault::TooDeep(Questions::DEPTH))
    );
}
