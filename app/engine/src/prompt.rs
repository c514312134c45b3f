//! `prompts/get`.

use std::collections::BTreeMap;

use pm_mcp_domain::fault::{ArgumentFault, Refusal};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::schema::nearest_name;
use pm_mcp_domain::wire::{Prompt, ResultResponse};
use pm_mcp_ports::driving::Answer;
use pm_mcp_ports::feature::Context;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::answer::answer;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::tool::unreadable;
use crate::unwind::guard;

impl Engine {
    pub(crate) async fn get_prompt(
        &self,
        id: RequestId<'_>,
        name: &str,
        arguments: Option<&RawValue>,
        context: impl FnOnce() -> Context,
    ) -> Result<Answer, Failure> {
        let entry = self
            .catalogue
            .prompt_entries
            .get(name)
            .ok_or_else(|| Refusal::UnknownPrompt { name: name.to_owned() })?;
        let arguments = check(&entry.prompt, texts(arguments)?)?;
        let result = guard(entry.handler.get(context(), arguments)).await?;
        answer(&ResultResponse::complete(id, &self.identity, &result))
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
