//! What clients see of typed forms, and what comes back from them. What is no form does not compile: the documentation of
//! `FormContent` shows that.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]
#![allow(dead_code, reason = "of some types only the schema counts")]

use std::collections::BTreeSet;

use pm_mcp::schemars::JsonSchema;
use pm_mcp::serde::Deserialize;
use pm_mcp::{Ask, Context, Form, FormContent, NoArguments, Output, Question, Server, ToolError, tool};
use pm_mcp_contract::client::Client;
use serde_json::{Value, json};

/// What to order.
#[derive(Deserialize, JsonSchema, Form, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    /// What is ordered.
    #[schemars(length(min = 1, max = 40))]
    item: String,
    #[schemars(title = "How many?", range(min = 1, max = 9))]
    how_many: u8,
    #[serde(default)]
    gift: bool,
    price: Option<f64>,
    mail: Option<Mail>,
    colour: Colour,
    second_colour: Option<Colour>,
    size: Size,
    second_size: Option<Size>,
    extras: Vec<Size>,
    colours: BTreeSet<Colour>,
    #[schemars(with = "String")]
    note: Note,
    #[serde(skip)]
    seen: Unseen,
}

#[derive(Debug, Default)]
struct Unseen;

/// Where to write to.
#[derive(Deserialize, JsonSchema, Form, Debug)]
struct Mail(#[schemars(email)] String);

#[derive(Deserialize, JsonSchema, Form, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum Colour {
    Red,
    DeepBlue,
}

#[derive(Deserialize, JsonSchema, Form, Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Size {
    /// Fits a child
    Small,
    #[schemars(title = "Large (XL)")]
    Large,
    Other,
}

#[derive(Deserialize, Debug)]
struct Note(String);

/// A form without anything to fill in: yes or no.
#[derive(Deserialize, JsonSchema, Form, Debug)]
struct Nothing {}

#[derive(Deserialize, JsonSchema, Form, Debug)]
enum One {
    Only,
}

#[derive(Deserialize, JsonSchema, Form, Debug)]
struct Choose {
    one: One,
}

fn schema<T: FormContent>() -> Value {
    match Form::<T>::new("Well?").question() {
        Ok(Question::Form { schema, .. }) => schema.as_value().clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_type_becomes_the_form_that_clients_know() {
    let sizes = json!([
        {"const": "other", "title": "other"},
        {"const": "small", "title": "Fits a child"},
        {"const": "large", "title": "Large (XL)"},
    ]);
    let members = json!({
        "item": {"type": "string", "description": "What is ordered.", "minLength": 1, "maxLength": 40},
        "howMany": {"type": "integer", "title": "How many?", "minimum": 1, "maximum": 9},
        "gift": {"type": "boolean", "default": false},
        "price": {"type": "number"},
        "mail": {"type": "string", "description": "Where to write to.", "format": "email"},
        "colour": {"type": "string", "enum": ["red", "deep-blue"]},
        "secondColour": {"type": "string", "enum": ["red", "deep-blue"]},
        "size": {"type": "string", "oneOf": sizes},
        "secondSize": {"type": "string", "oneOf": sizes},
        "extras": {"type": "array", "items": {"anyOf": sizes}},
        "colours": {"type": "array", "items": {"type": "string", "enum": ["red", "deep-blue"]}},
        "note": {"type": "string"},
    });
    let form = schema::<Order>();
    for (name, member) in members.as_object().unwrap() {
        assert_eq!(form["properties"][name], *member, "{name}");
    }
    assert_eq!(form["properties"].as_object().unwrap().len(), members.as_object().unwrap().len());
    assert_eq!(form["required"], json!(["item", "howMany", "colour", "size", "extras", "colours", "note"]));
    assert_eq!(schema::<Nothing>(), json!({"type": "object", "properties": {}}));
    assert_eq!(schema::<Choose>()["properties"]["one"], json!({"type": "string", "enum": ["Only"]}));
}

/// The client holds every message against the schema of the revision.
#[tokio::test]
async fn an_answer_comes_back_as_the_type() {
    let order = async |ctx: Context, _: NoArguments| -> Result<Output, ToolError> {
        let Order {
            item,
            how_many,
            gift,
            price,
            mail,
            colour,
            second_colour,
            size,
            extras,
            colours,
            note,
            ..
        } = ctx.ask("order", Form::new("What shall it be?")).await?;
        let told =
            format!("{how_many} {item} {gift} {price:?} {mail:?} {colour:?} {second_colour:?} {size:?}");
        Ok(Output::text(format!("{told} {extras:?} {colours:?} {note:?}")))
    };
    let server =
        Server::builder("shop", "1.0").tool(tool("order", "Orders.").handler(order)).build().unwrap();
    let content = json!({
        "item": "hat", "howMany": 2, "mail": "ann@example.com", "colour": "deep-blue", "size": "small",
        "extras": ["large"], "colours": ["red", "red"], "note": "soon",
    });
    let client = Client::memory(server.service()).on("order", content);
    let result = client.call_to_end("order", json!({})).await.unwrap();
    assert_eq!(
        result.text(),
        "2 hat false None Some(Mail(\"ann@example.com\")) DeepBlue None Small [Large] {Red} Note(\"soon\")"
    );
}
