//! `prompts/get`.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

use pm_mcp_domain::fault::{ArgumentFault, Refusal};
use pm_mcp_domain::request::Retry;
use pm_mcp_domain::schema::nearest_name;
use pm_mcp_domain::wire::Prompt;
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{Context, Offer, ResultMut};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::exchange::Request;
use crate::failure::Failure;
use crate::tool::{Asked, unreadable};
use crate::unwind::Guarded;

impl Request<'_> {
    pub(crate) async fn get_prompt(
        &self,
        name: &str,
        arguments: Option<&RawValue>,
        retry: &Retry<'_>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let entry = self
            .surface
            .catalogue
            .prompt_entries
            .get(name)
            .filter(|_| self.shows(Offer::Prompt(name)))
            .ok_or_else(|| Refusal::UnknownPrompt { name: name.to_owned() })?;
        let asked = Asked { name, arguments };
        let arguments = check(&entry.prompt, texts(arguments)?)?;
        let exchange = self.exchange(retry, || asked.digest()).await?;
        let context = Context::new(Arc::clone(&exchange) as Arc<_>);
        let work = Guarded::begin("the handler", || entry.handler.get(context, arguments))?;
        let driven = self.drive(&exchange, pin!(work), outbox).await;
        self.settle(&exchange, driven, || asked.digest(), |result| self.alter(ResultMut::Prompt(result)))
    }
}

/// The members of an object that should all be strings.
pub(crate) fn texts(raw: Option<&RawValue>) -> Result<BTreeMap<String, String>, Refusal> {
    let values: BTreeMap<String, Value> = match raw {
        None => BTreeMap::new(),
        Some(raw) => serde_json::from_str(raw.get()).map_err(unreadable)?,
    };
    let (mut texts, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, value) in values {
        match value {
            Value::String(text) => {
                texts.insert(name, text);
            }
            _ => faults
                .push(ArgumentFault { pointer: format!("/{name}"), message: "must be a string".to_owned() }),
        }
    }
    if faults.is_empty() { Ok(texts) } else { Err(Refusal::InvalidArguments(faults)) }
}

/// Every required argument must be there and every given one declared; all faults are told together.
fn check(prompt: &Prompt, given: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Refusal> {
    let declared = || prompt.arguments.iter().map(|argument| argument.name.as_str());
    let missing = prompt
        .arguments
        .iter()
        .filter(|argument| argument.required && !given.contains_key(&argument.name))
        .map(|argument| ArgumentFault {
            pointer: String::new(),
            message: format!("argument `{}` is missing", argument.name),
        });
    let unknown = given.keys().filter(|name| !declared().any(|known| known == name.as_str())).map(|name| {
        let hint = match nearest_name(name, declared()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        ArgumentFault { pointer: format!("/{name}"), message: format!("unknown argument{hint}") }
    });
    let faults: Vec<ArgumentFault> = missing.chain(unknown).collect();
    if faults.is_empty() { Ok(given) } else { Err(Refusal::InvalidArguments(faults)) }
}
