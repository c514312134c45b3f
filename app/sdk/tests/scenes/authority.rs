//! What a carried state is no authority for, and where an answer that must stay private does not turn up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{
    Context, Form, HandlerFault, Interceptor, NoArguments, Operation, Output, Pass, Principal, Server,
    async_trait, tool,
};
use serde_json::{Value, json};

use crate::support::{Log, Peer, Yes, accepted, nothing, stage};

const PRIVATE: &str = "hunter2";

#[derive(Deserialize, JsonSchema, Form)]
#[serde(crate = "pm_mcp::serde")]
#[schemars(crate = "pm_mcp::schemars")]
struct Word {
    word: String,
}

/// A host's policy: bob may always, anybody else for as long as the host lets them.
#[derive(Debug)]
struct Policy(Arc<AtomicBool>);

#[async_trait]
impl Interceptor for Policy {
    async fn before(&self, operation: &Operation) -> Result<Pass, HandlerFault> {
        let may = self.0.load(Ordering::SeqCst) || operation.caller.principal == Principal::local("bob");
        if may { Ok(Pass::new()) } else { Err(HandlerFault::NotFound) }
    }
}

/// A tool that asks for a word and then for consent, behind a policy.
fn server(others: &Arc<AtomicBool>) -> Server {
    let (builder, _clock) = stage();
    builder
        .interceptor(Policy(Arc::clone(others)))
        .tool(tool("unlock", "Asks twice.").handler(|ctx: Context, _: NoArguments| async move {
            let Word { word } = ctx.ask("word", Form::new("The word?")).await?;
            let Yes { ok } = ctx.ask("confirm", Form::new("Go on?")).await?;
            Ok(Output::text(format!("{ok} with {} letters", word.len())))
        }))
        .build()
        .unwrap()
}

fn word() -> Value {
    json!({"word": accepted(json!({"word": PRIVATE}))})
}

fn consent() -> Value {
    json!({"confirm": accepted(json!({"ok": true}))})
}

#[tokio::test]
async fn each_round_needs_the_authority_of_its_own_request() {
    let others = Arc::new(AtomicBool::new(true));
    let server = server(&others);
    for peer in Peer::both(&server) {
        let (ann, bob) = (peer.acting_for("ann"), peer.acting_for("bob"));
        let first = ann.call("unlock", nothing()).await.state();
        let second = ann.retry("unlock", nothing(), &first, word()).await.state();

        others.store(false, Ordering::SeqCst);
        let taken = ann.retry("unlock", nothing(), &second, consent()).await;
        let never = ann.call("unlock", nothing()).await;
        assert_eq!(taken.error(), never.error(), "a state from better days opens nothing");
        let bobs = bob.call("unlock", nothing()).await.state();
        let borrowed = ann.retry("unlock", nothing(), &bobs, word()).await;
        assert_eq!(borrowed.error(), never.error(), "nor does one of somebody who may");
        let lent = bob.retry("unlock", nothing(), &second, consent()).await;
        assert_eq!(lent.code(), -32602, "whoever may more goes on with no state of another");

        others.store(true, Ordering::SeqCst);
        let heard = ann.retry("unlock", nothing(), &second, consent()).await;
        assert_eq!(heard.text(), "true with 7 letters", "a refused round has used nothing up");
    }
}

#[tokio::test]
async fn a_private_answer_turns_up_in_no_question_state_error_or_log() {
    let log = Log::start();
    let server = server(&Arc::new(AtomicBool::new(true)));
    for peer in Peer::both(&server) {
        let first = peer.call("unlock", nothing()).await.state();
        let asked = peer.retry("unlock", nothing(), &first, word()).await;
        let second = asked.state();
        let wrong = json!({"confirm": accepted(json!({"ok": PRIVATE}))});
        let again = peer.retry("unlock", nothing(), &second, wrong).await;
        let broken = json!({"confirm": PRIVATE});
        let refused = peer.retry("unlock", nothing(), &again.state(), broken).await;
        let replayed = peer.retry("unlock", nothing(), &first, word()).await;
        assert_eq!(replayed.code(), -32602);
        for heard in [&asked, &again, &refused, &replayed] {
            assert!(!heard.answer().to_string().contains(PRIVATE), "{}", heard.answer());
        }
        for state in [&second, &again.state()] {
            let bytes = URL_SAFE_NO_PAD.decode(state).unwrap();
            assert!(
                !bytes.windows(PRIVATE.len()).any(|part| part == PRIVATE.as_bytes()),
                "sealed, not written down"
            );
        }
    }
    let lines = log.take("");
    assert!(lines.iter().any(|line| line.contains("refused a continuation")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains(PRIVATE)), "{lines:?}");
}
