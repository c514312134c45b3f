//! What a client may take a result for (field case C36).

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use pm_mcp_domain::request::Method;
use pm_mcp_domain::wire::{PeerRevision, ResultKind, ResultKindFault};
use serde_json::{Value, json};

fn read(result: &Value, method: Method, peer: PeerRevision) -> Result<ResultKind, ResultKindFault> {
    ResultKind::read(result.as_object().unwrap(), method, peer)
}

#[test]
fn a_result_that_does_not_say_what_it_is_is_complete_with_earlier_peers_only() {
    let silent = json!({"content": []});
    for method in [Method::CallTool, Method::ListTools, Method::GetPrompt, Method::ReadResource] {
        assert_eq!(read(&silent, method, PeerRevision::Earlier), Ok(ResultKind::Complete));
        assert_eq!(read(&silent, method, PeerRevision::Current), Err(ResultKindFault::Missing));
    }
}

#[test]
fn each_kind_of_result_ends_the_methods_that_it_may_end() {
    use Method::{CallTool, GetPrompt, GetTask, ListTools, ReadResource};
    use ResultKind::{Complete, InputRequired, Task};
    let cases: [(&str, ResultKind, &[Method], &[Method]); 3] = [
        ("complete", Complete, &[CallTool, GetPrompt, ReadResource, ListTools, GetTask], &[]),
        ("input_required", InputRequired, &[CallTool, GetPrompt, ReadResource], &[ListTools, GetTask]),
        ("task", Task, &[CallTool], &[GetPrompt, ReadResource, ListTools, GetTask]),
    ];
    for (said, kind, may, may_not) in cases {
        for result in [json!({"resultType": said}), json!({"resultType": said, "_meta": {}})] {
            for &method in may {
                assert_eq!(read(&result, method, PeerRevision::Current), Ok(kind), "{said} {method:?}");
            }
            for &method in may_not {
                let fault = Err(ResultKindFault::Misplaced { method, kind });
                assert_eq!(read(&result, method, PeerRevision::Current), fault, "{said} {method:?}");
            }
        }
        let earlier = read(&json!({"resultType": said}), CallTool, PeerRevision::Earlier);
        assert_eq!(earlier.is_ok(), kind == Complete, "an earlier peer cannot mean {said}");
    }
}

#[test]
fn a_kind_without_a_meaning_is_refused_whoever_says_it() {
    for said in [json!("zzz"), json!("Complete"), json!(""), json!(null), json!(1), json!(["complete"])] {
        for peer in [PeerRevision::Current, PeerRevision::Earlier] {
            let refused = read(&json!({"resultType": said}), Method::CallTool, peer);
            assert_eq!(refused, Err(ResultKindFault::Unknown(said.to_string())));
        }
    }
}
