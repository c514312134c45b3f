//! Trace fields: what is read of them, what is dropped, and that a request never suffers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use pm_mcp_domain::header::HeaderSource;
use pm_mcp_domain::request::{Binding, Verdict, judge};
use pm_mcp_domain::trace::{
    Baggage, BaggageKeys, LONGEST_BAGGAGE, LONGEST_TRACESTATE, MOST_BAGGAGE_MEMBERS, TraceContext,
    TraceParent, TraceState,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OTHER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

type Headers = Vec<(&'static str, String)>;

fn keys(listed: &[&str]) -> BaggageKeys {
    BaggageKeys::new(listed.iter().copied()).unwrap()
}

fn headers(pairs: &[(&'static str, &str)]) -> Headers {
    pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// The context of a whole request whose `_meta` holds `fields` (JSON members, with a comma before each).
fn context_of(fields: &str, headers: &Headers, listed: &BaggageKeys) -> TraceContext {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}{fields}}}}}}}"#
    );
    let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else {
        panic!("trace fields made a request fail: {fields}")
    };
    TraceContext::extract(&request.meta.trace, Some(headers as &dyn HeaderSource), listed)
}

fn in_meta(fields: &Value, headers: &Headers, listed: &BaggageKeys) -> TraceContext {
    let members: Vec<String> =
        fields.as_object().unwrap().iter().map(|(name, value)| format!(r#","{name}":{value}"#)).collect();
    context_of(&members.concat(), headers, listed)
}

fn parent(text: &str) -> Option<TraceParent> {
    Some(TraceParent::parse(text).unwrap())
}

#[test]
fn the_parent_comes_from_meta_or_else_from_the_header() {
    let none = BaggageKeys::default();
    let header = headers(&[("traceparent", OTHER), ("tracestate", "of=header")]);
    let both = json!({"traceparent": PARENT, "tracestate": "of=meta"});

    let context = in_meta(&json!({}), &header, &none);
    assert_eq!((context.parent, context.link), (parent(OTHER), None));
    assert_eq!(context.state.unwrap().as_str(), "of=header");

    let context = in_meta(&both, &headers(&[]), &none);
    assert_eq!((context.parent, context.link), (parent(PARENT), None));
    assert_eq!(context.state.unwrap().as_str(), "of=meta");

    let context = in_meta(&both, &header, &none);
    assert_eq!((context.parent, context.link), (parent(PARENT), parent(OTHER)));
    assert_eq!(context.state.unwrap().as_str(), "of=meta");

    let context = in_meta(&both, &headers(&[("traceparent", PARENT)]), &none);
    assert_eq!((context.parent, context.link), (parent(PARENT), None), "the same span needs no link");

    assert_eq!(in_meta(&json!({}), &headers(&[]), &none), TraceContext::default());
}

#[test]
fn a_state_goes_with_the_parent_of_its_own_source() {
    let none = BaggageKeys::default();
    let header = headers(&[("traceparent", OTHER), ("tracestate", "of=header")]);
    let context = in_meta(&json!({"tracestate": "of=meta"}), &header, &none);
    assert_eq!(context.state.unwrap().as_str(), "of=header");
    let context = in_meta(&json!({"traceparent": PARENT}), &header, &none);
    assert_eq!((context.parent, context.state), (parent(PARENT), None));
    let alone = headers(&[("tracestate", "of=header")]);
    assert_eq!(in_meta(&json!({"tracestate": "of=meta"}), &alone, &none), TraceContext::default());
}

#[test]
fn a_bad_field_is_dropped_and_the_request_goes_on() {
    let listed = keys(&["tenant"]);
    let bad = [json!(null), json!(7), json!(true), json!([PARENT]), json!({"a": 1}), json!("")];
    for value in bad.into_iter().chain([json!("x".repeat(10_240)), json!("\u{0}"), json!("é")]) {
        for name in ["traceparent", "tracestate", "baggage"] {
            let mut fields = json!({"traceparent": PARENT, "tracestate": "a=1", "baggage": "tenant=acme"});
            fields[name] = value.clone();
            let context = in_meta(&fields, &headers(&[]), &listed);
            assert_eq!(context.parent.is_some(), name != "traceparent", "{name} {value}");
            assert_eq!(context.state.is_some(), name == "baggage", "{name} {value}");
            assert_eq!(context.baggage.is_empty(), name == "baggage", "{name} {value}");
            // What is dropped of `_meta` leaves the word to the headers; an empty baggage is a word.
            let context =
                in_meta(&fields, &headers(&[("traceparent", OTHER), ("baggage", "tenant=h")]), &listed);
            assert!(context.parent.is_some(), "{name} {value}");
            let says_empty = name == "baggage" && value.as_str().is_some_and(|text| text.len() < 100);
            assert_eq!(context.baggage.is_empty(), says_empty, "{name} {value}");
        }
    }
}

#[test]
fn fields_that_no_text_can_hold_or_that_come_twice_are_dropped() {
    let none = BaggageKeys::default();
    for fields in [
        r#","traceparent":"\ud800""#.to_owned(),
        format!(r#","traceparent":"{PARENT}","traceparent":"{PARENT}""#),
        format!(r#","traceparent":"{PARENT}","traceparent":"{OTHER}","traceparent":"{OTHER}""#),
    ] {
        assert_eq!(context_of(&fields, &headers(&[]), &none), TraceContext::default(), "{fields}");
    }
    let escaped = format!(r#","traceparent":"\u0030{}""#, &PARENT[1..]);
    assert_eq!(context_of(&escaped, &headers(&[]), &none).parent, parent(PARENT));
}

#[test]
fn a_repeated_or_unreadable_header_is_dropped() {
    let none = BaggageKeys::default();
    let twice = headers(&[("traceparent", PARENT), ("Traceparent", PARENT)]);
    assert_eq!(in_meta(&json!({}), &twice, &none), TraceContext::default());
    let padded = headers(&[("TraceParent", &format!(" {PARENT}\t"))]);
    assert_eq!(in_meta(&json!({}), &padded, &none).parent, parent(PARENT));
    let bytes: Vec<(&str, &[u8])> = vec![("traceparent", b"\xFF\xFE"), ("baggage", b"\xFF")];
    let context = TraceContext::extract(&Default::default(), Some(&bytes), &keys(&["a"]));
    assert_eq!(context, TraceContext::default());
    assert_eq!(TraceContext::extract(&Default::default(), None, &none), TraceContext::default());
}

#[test]
fn only_well_formed_parents_are_read() {
    let upper = PARENT.to_uppercase();
    let future = |end: &str| format!("cc{}{end}", &PARENT[2..]);
    for (text, valid) in [
        (PARENT, true),
        (OTHER, true),
        (&future(""), true),
        (&future("-"), true),
        (&future("-what-the-future-will-be"), true),
        (&future(".what"), false),
        (&future(&format!("-{}", "x".repeat(300))), false),
        (&upper, false),
        (&format!("ff{}", &PARENT[2..]), false),
        (&format!("FF{}", &PARENT[2..]), false),
        (&format!("0{}", &PARENT[2..]), false),
        (&format!("{PARENT}-"), false),
        (&format!("{PARENT}0"), false),
        (&format!(" {PARENT}"), false),
        (&PARENT[..54], false),
        (&PARENT.replace('-', "_"), false),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
        ("00-0af7651916cd43dd8448eb211c80319-bb7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x", false),
        ("00-0af7651916cd43dd8448eb211c8031-c-b7ad6b7169203331-01", false),
        ("", false),
        ("é", false),
    ] {
        assert_eq!(TraceParent::parse(text).is_some(), valid, "{text}");
    }
}

#[test]
fn a_parent_shows_its_parts_and_drops_flags_that_nobody_knows() {
    let read = TraceParent::parse(&format!("{}ff", &PARENT[..53])).unwrap();
    assert_eq!((read.flags(), read.is_sampled()), (3, true));
    assert_eq!(read.to_string(), format!("{}03", &PARENT[..53]));
    assert_eq!(read.trace_id()[..2], [0x0A, 0xF7]);
    assert_eq!(read.span_id()[6..], [0x33, 0x31]);
    assert!(!TraceParent::parse(OTHER).unwrap().is_sampled());
}

#[test]
fn only_well_formed_states_are_read() {
    let many = |count: usize| (0..count).map(|number| format!("k{number}=v")).collect::<Vec<_>>().join(",");
    let long = |length: usize| format!("k={}", "v".repeat(length));
    for (text, valid) in [
        ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true),
        ("a=1 ,\tb=2", true),
        ("a=1,,b=2,", true),
        ("tenant@system=1,0t@s=2", true),
        ("a_-*/9= x", true),
        (&many(32), true),
        (&long(256), true),
        ("", false),
        (" , ", false),
        ("a", false),
        ("a=", false),
        ("=1", false),
        ("A=1", false),
        ("9=1", false),
        ("a@9=1", false),
        ("a@b@c=1", false),
        ("a=1=2", false),
        ("a=\u{7f}", false),
        ("a=é", false),
        ("a =1", false),
        ("a=1,a=2", false),
        ("a@fifteen-letters=1", false),
        (&many(33), false),
        (&long(257), false),
        (&format!("{},{}", long(256), long(256).replace('k', "l")), false),
    ] {
        assert_eq!(TraceState::parse(text).is_some(), valid, "{text}");
    }
    let state = TraceState::parse(" rojo=1 , congo= 2").unwrap();
    assert_eq!(
        (state.as_str(), state.value("congo"), state.value("x")),
        ("rojo=1 , congo= 2", Some(" 2"), None)
    );
}

#[test]
fn baggage_keeps_listed_members_and_nothing_else() {
    let listed = keys(&["tenant", "region"]);
    let text = "secret=hunter2, tenant = acme%20corp ;ttl=1;p ,region=eu,region=us,Tenant=x";
    let baggage = Baggage::parse(text, &listed).unwrap();
    assert_eq!(baggage.iter().collect::<Vec<_>>(), [("tenant", "acme%20corp"), ("region", "eu")]);
    assert_eq!(baggage.encode(), "tenant=acme%20corp,region=eu");
    assert_eq!(baggage.value("secret"), None);
    assert!(
        Baggage::parse(text, &BaggageKeys::default()).unwrap().is_empty(),
        "nothing is listed by default"
    );
    for bad in [
        "tenant",
        "tenant=a b",
        "tenant=\"a\"",
        "tenant=a\\",
        "tenant=é",
        "tenant=%4",
        "tenant=%zz",
        "=x",
        "",
    ] {
        let baggage = Baggage::parse(&format!("{bad},region=eu"), &listed).unwrap();
        assert_eq!(baggage.encode(), "region=eu", "{bad}: only the bad member is dropped");
    }
}

#[test]
fn baggage_is_bounded() {
    let listed = keys(&["a"]);
    let padded = |length: usize| format!("a=1,b={}", "x".repeat(length - 6));
    assert!(!Baggage::parse(&padded(LONGEST_BAGGAGE), &listed).unwrap().is_empty());
    assert_eq!(Baggage::parse(&padded(LONGEST_BAGGAGE + 1), &listed), None);
    let many = |count: usize| format!("a=1{}", ",b=2".repeat(count - 1));
    assert!(Baggage::parse(&many(MOST_BAGGAGE_MEMBERS), &listed).is_some());
    assert_eq!(Baggage::parse(&many(MOST_BAGGAGE_MEMBERS + 1), &listed), None);
}

#[test]
fn listed_keys_must_be_keys_that_baggage_can_have() {
    assert!(BaggageKeys::new(["tenant.id", "x-1", "!#$%&'*+-.^_`|~"]).is_ok());
    for key in ["", "a b", "a=b", "a,b", "é", "a;b"] {
        let fault = BaggageKeys::new(["fine", key]).unwrap_err();
        assert_eq!(fault.key, key);
        assert!(fault.to_string().contains("HTTP token"));
    }
}

#[test]
fn what_others_put_into_trace_fields_is_not_printed() {
    let fields = json!({
        "traceparent": PARENT,
        "tracestate": "vendor=hunter2",
        "baggage": "tenant=hunter2,password=hunter2",
    });
    let context = in_meta(&fields, &headers(&[]), &keys(&["tenant"]));
    let shown = format!("{context:?} {context:#?}");
    assert!(shown.contains("0af7651916cd43dd8448eb211c80319c") && shown.contains("tenant"), "{shown}");
    assert!(!shown.contains("hunter2") && !shown.contains("password"), "{shown}");

    let text = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "baggage": "password=hunter2",
    }}})
    .to_string();
    let Verdict::Request(request) = judge(text.as_bytes(), Binding::Stdio) else { panic!("refused") };
    let shown = format!("{:?}", request.meta);
    assert!(shown.contains(r#"{"baggage"}"#) && !shown.contains("hunter2"), "{shown}");
    assert!(!request.meta.trace.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_dropped(text in "\\PC{0,120}", near in "[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.{0,3}") {
        let listed = keys(&["a", "b"]);
        for text in [&text, &near] {
            if let Some(read) = TraceParent::parse(text) {
                prop_assert_eq!(TraceParent::parse(&read.to_string()), Some(read));
                prop_assert!(*read.trace_id() != [0; 16] && *read.span_id() != [0; 8]);
                prop_assert_eq!(&read.to_string()[2..53], &text[2..53]);
            }
            if let Some(state) = TraceState::parse(text) {
                prop_assert_eq!(TraceState::parse(state.as_str()), Some(state));
            }
            if let Some(baggage) = Baggage::parse(text, &listed) {
                prop_assert_eq!(Baggage::parse(&baggage.encode(), &listed).unwrap(), baggage);
            }
            let fields = json!({"traceparent": text, "tracestate": text, "baggage": text});
            in_meta(&fields, &headers(&[("traceparent", text), ("tracestate", text), ("baggage", text)]), &listed);
        }
    }

    #[test]
    fn states_of_the_grammar_are_read_within_bounds(members in prop::collection::btree_map("[a-z][a-z0-9_*/-]{0,20}", "[!-+\\-->-~]{1,30}", 1..40)) {
        let text = members.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        let fits = text.len() <= LONGEST_TRACESTATE && members.len() <= 32 && !text.contains("==");
        let plain = members.values().all(|value| !value.contains('='));
        if let Some(state) = TraceState::parse(&text) {
            prop_assert!(fits && plain);
            for (key, value) in &members {
                prop_assert_eq!(state.value(key), Some(value.as_str()));
            }
        } else {
            prop_assert!(!fits || !plain, "{}", text);
        }
    }

    #[test]
    fn no_unlisted_key_passes(members in prop::collection::vec(("[a-d]", "[!#-+\\--:<-\\[\\]-~]{0,8}"), 0..20)) {
        let text = members.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        let baggage = Baggage::parse(&text, &keys(&["a", "b"])).unwrap();
        for (key, value) in baggage.iter() {
            let sent = members.iter().any(|member| (member.0.as_str(), member.1.as_str()) == (key, value));
            prop_assert!(sent && (key == "a" || key == "b"));
        }
    }
}
