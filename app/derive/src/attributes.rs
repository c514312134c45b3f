//! Which attributes leave a schema flat.
//!
//! `schemars` reads its own attributes, those of `serde` and those of two validators. A list of what is allowed, and not of
//! what is refused, so that an attribute that comes later is thought about before it changes a form.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, Field, Ident, Lit, LitStr, Meta, MetaNameValue, Path, Result, Token,
    Type, parse_quote,
};

/// The attributes that change schemas.
const READ: [&str; 4] = ["serde", "schemars", "validate", "garde"];

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// On a struct that is a form's content.
    Content,
    /// On a struct around one value.
    Newtype,
    /// On an enum.
    Choice,
    /// On a field.
    Member,
    /// On a variant.
    Variant,
}

impl Place {
    /// What may stand here.
    fn allowed(self) -> &'static [&'static str] {
        match self {
            Self::Content => &[
                "crate",
                "rename",
                "rename_all",
                "deny_unknown_fields",
                "default",
                "expecting",
                "title",
                "description",
            ],
            Self::Newtype => &["crate", "rename", "transparent", "expecting", "title", "description"],
            Self::Choice => &["crate", "rename", "rename_all", "expecting", "title", "description"],
            Self::Member => &[
                "rename",
                "alias",
                "default",
                "skip",
                "skip_serializing",
                "skip_serializing_if",
                "skip_deserializing",
                "title",
                "description",
                "length",
                "range",
                "email",
                "url",
                "required",
                "with",
            ],
            Self::Variant => {
                &["rename", "alias", "skip", "skip_deserializing", "other", "title", "description"]
            }
        }
    }
}

/// Refuses what could make a schema more than flat.
pub(crate) fn check(attributes: &[Attribute], place: Place) -> Result<()> {
    for (of, meta) in read(attributes)? {
        let name = name(&meta);
        // `schemars(with = "String")` says what the schema is of; `serde(with = …)` hides it.
        if place.allowed().contains(&name.as_str()) && (name != "with" || of == "schemars") {
            continue;
        }
        let advice = match name.as_str() {
            "flatten" => "name the members here",
            "with" | "schema_with" | "deserialize_with" | "from" | "try_from" => {
                "take a type that is a member itself, or name one with `#[schemars(with = \"…\")]`"
            }
            "regex" | "pattern" | "contains" => "check the answer in the handler",
            _ => "it has names, titles, descriptions, defaults, lengths and ranges only",
        };
        let message = format!("`{name}` has no place in a form, whose schema is flat; {advice}");
        return Err(Error::new(meta.span(), message));
    }
    Ok(())
}

/// The type that a field has in the schema; `None` for a field that is not there.
pub(crate) fn member_type(field: &Field) -> Result<Option<Type>> {
    let mut member = field.ty.clone();
    for (of, meta) in read(&field.attrs)? {
        match (of, meta) {
            ("serde" | "schemars", Meta::Path(path))
                if path.is_ident("skip") || path.is_ident("skip_deserializing") =>
            {
                return Ok(None);
            }
            ("schemars", Meta::NameValue(MetaNameValue { path, value, .. })) if path.is_ident("with") => {
                member = text(&value)?.parse()?;
            }
            _ => {}
        }
    }
    Ok(Some(member))
}

/// The path to `pm_mcp`.
pub(crate) fn facade(attributes: &[Attribute]) -> Result<Path> {
    let mut facade: Path = parse_quote!(::pm_mcp);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("form")) {
        for meta in metas(attribute)? {
            match meta {
                Meta::NameValue(pair) if pair.path.is_ident("crate") => {
                    facade = text(&pair.value)?.parse()?
                }
                meta => return Err(Error::new(meta.span(), "`#[form(…)]` knows `crate = \"…\"` only")),
            }
        }
    }
    Ok(facade)
}

/// What is said in attributes that change schemas, with the attribute it is said in.
fn read(attributes: &[Attribute]) -> Result<Vec<(&'static str, Meta)>> {
    let mut said = Vec::new();
    for attribute in attributes {
        if let Some(of) = READ.into_iter().find(|name| attribute.path().is_ident(name)) {
            said.extend(metas(attribute)?.into_iter().map(|meta| (of, meta)));
        }
    }
    Ok(said)
}

fn metas(attribute: &Attribute) -> Result<Punctuated<Meta, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated)
}

fn name(meta: &Meta) -> String {
    meta.path().get_ident().map_or_else(|| meta.path().to_token_stream().to_string(), Ident::to_string)
}

fn text(value: &Expr) -> Result<&LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
        other => Err(Error::new(other.span(), "this is written as text in quotes")),
    }
}
