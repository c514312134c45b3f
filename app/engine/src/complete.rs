//! `completion/complete`.

use pm_mcp_domain::fault::{ArgumentFault, Refusal};
use pm_mcp_domain::request::CompletionReference;
use pm_mcp_domain::wire::{CompleteResult, Completion, ResultResponse};
use pm_mcp_ports::driving::Served;
use pm_mcp_ports::feature::Offer;
use serde_json::value::RawValue;

use crate::answer::answer;
use crate::exchange::Request;
use crate::failure::Failure;
use crate::prompt::texts;
use crate::unwind::guard;

impl Request<'_> {
    /// An argument that nobody completes has no suggestions; one that does not exist is an error.
    pub(crate) async fn complete(
        &self,
        reference: &CompletionReference<'_>,
        argument: &str,
        value: &str,
        known: Option<&RawValue>,
    ) -> Result<Served, Failure> {
        let (completers, declared) = match reference {
            CompletionReference::Prompt(name) => {
                let entry = self
                    .surface
                    .catalogue
                    .prompt_entries
                    .get(name.as_ref())
                    .filter(|_| self.shows(Offer::Prompt(name)))
                    .ok_or_else(|| Refusal::UnknownPrompt { name: name.clone().into_owned() })?;
                (&entry.completers, entry.prompt.arguments.iter().any(|known| known.name == argument))
            }
            CompletionReference::Template(template) => {
                let entry = self
                    .surface
                    .catalogue
                    .template_entries
                    .iter()
                    .find(|entry| entry.pattern.as_str() == template.as_ref())
                    .filter(|_| self.shows(Offer::Template(template)))
                    .ok_or_else(|| Refusal::UnknownTemplate { template: template.clone().into_owned() })?;
                (&entry.completers, entry.pattern.variables().any(|known| known == argument))
            }
        };
        if !declared {
            return Err(Refusal::InvalidArguments(vec![ArgumentFault {
                pointer: String::new(),
                message: format!("there is no argument {argument:?} to complete"),
            }])
            .into());
        }
        let completion = match completers.get(argument) {
            Some(completer) => {
                guard("the handler", completer.complete(self.plain_context(), value, texts(known)?)).await?
            }
            None => Completion::default(),
        };
        answer(&ResultResponse::of(self.id, &self.core.identity, &CompleteResult(completion)))
            .map(Served::Answered)
    }
}
