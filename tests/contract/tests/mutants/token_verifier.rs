//! Verifiers that are wrong on purpose.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pm_mcp_contract::token_verifier::{FreshVerifier, LAWS};
use pm_mcp_contract::{HarnessError, SampleTokens, TokenVerifierHarness};
use pm_mcp_domain::access::{Grant, PresentedToken, Scopes};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};

use crate::caught::mutants;

const GOOD: &str = "good-token-of-the-first";
const OTHER: &str = "other-token-of-the-second";
const ENDED: &str = "ended-token-of-the-first";
const REVOKED: &str = "revoked-token-of-the-first";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    AddsAScope,
    ComparesTheBeginning,
    ForgetsRevocation,
    EndedIsInvalid,
    AnOutageIsInvalid,
    KeepsTheLastAnswer,
    RepeatsTheToken,
}

struct Mutant {
    fault: Fault,
    out: bool,
    asked: AtomicUsize,
}

impl std::fmt::Debug for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Mutant")
    }
}

fn now() -> Timestamp {
    Timestamp::from_unix_ms(1_000_000)
}

fn grant(subject: &str, scopes: &str, expires: i64) -> Grant {
    Grant {
        issuer: "https://login.example".to_owned(),
        subject: subject.to_owned(),
        audiences: vec!["https://tools.example/mcp".to_owned()],
        scopes: Scopes::parse(scopes).unwrap(),
        client: None,
        expires: Some(Timestamp::from_unix_ms(expires)),
        not_before: None,
    }
}

#[async_trait]
impl TokenVerifier for Mutant {
    async fn verify(&self, token: &PresentedToken, _: Timestamp) -> Result<Grant, VerifyError> {
        let text = token.expose();
        let same = |known: &str| match self.fault {
            Fault::ComparesTheBeginning => text.len() >= 8 && text.starts_with(&known[..8]),
            _ => text == known,
        };
        if self.out {
            return match self.fault {
                Fault::AnOutageIsInvalid => Err(VerifyError::invalid("nobody answers")),
                _ => Err(VerifyError::unavailable("nobody answers")),
            };
        }
        let turn = self.asked.fetch_add(1, Ordering::Relaxed);
        if self.fault == Fault::KeepsTheLastAnswer && turn % 3 == 2 {
            return Ok(grant("first", "read", 2_000_000));
        }
        let scopes = if self.fault == Fault::AddsAScope { "read write" } else { "read" };
        if same(GOOD) {
            Ok(grant("first", scopes, 2_000_000))
        } else if same(OTHER) {
            Ok(grant("second", scopes, 2_000_000))
        } else if same(ENDED) && self.fault != Fault::EndedIsInvalid {
            Err(VerifyError::Expired)
        } else if same(REVOKED) && self.fault == Fault::ForgetsRevocation {
            Ok(grant("first", scopes, 2_000_000))
        } else if self.fault == Fault::RepeatsTheToken {
            Err(VerifyError::invalid(format!("{text} is not known")))
        } else {
            Err(VerifyError::invalid("it is not known"))
        }
    }
}

struct Wrong(Fault);

impl Wrong {
    fn verifier(&self, out: bool) -> Arc<dyn TokenVerifier> {
        Arc::new(Mutant { fault: self.0, out, asked: AtomicUsize::default() })
    }
}

fn samples() -> SampleTokens {
    SampleTokens {
        now: now(),
        good: vec![
            (GOOD.to_owned(), grant("first", "read", 2_000_000)),
            (OTHER.to_owned(), grant("second", "read", 2_000_000)),
        ],
        invalid: vec![REVOKED.to_owned(), "made-up".to_owned()],
        expired: Some(ENDED.to_owned()),
        secrets: Vec::new(),
    }
}

#[async_trait]
impl TokenVerifierHarness for Wrong {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn TokenVerifier>, SampleTokens, ()), HarnessError> {
        Ok((self.verifier(false), samples(), ()))
    }

    async fn cut_off(&self) -> Result<Option<(Arc<dyn TokenVerifier>, SampleTokens, ())>, HarnessError> {
        Ok(Some((self.verifier(true), samples(), ())))
    }
}

async fn wrong(fault: Fault) -> FreshVerifier {
    FreshVerifier::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::token_verifier_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    tv_01_an_authentic_token_gives_its_grant tv_01_catches_a_scope_that_was_added Fault::AddsAScope;
    tv_02_a_changed_token_is_invalid tv_02_catches_a_look_at_the_beginning_only Fault::ComparesTheBeginning;
    tv_02_a_token_of_somebody_else_is_invalid tv_02_catches_a_token_that_was_taken_back Fault::ForgetsRevocation;
    tv_03_a_token_that_ended_is_told_as_such tv_03_catches_an_ended_token_called_invalid Fault::EndedIsInvalid;
    tv_04_an_outage_is_no_verdict tv_04_catches_an_outage_called_invalid Fault::AnOutageIsInvalid;
    tv_05_answers_depend_on_the_token_alone tv_05_catches_an_answer_that_was_kept Fault::KeepsTheLastAnswer;
    tv_06_nothing_of_a_token_shows tv_06_catches_a_token_in_an_error Fault::RepeatsTheToken;
}
