//! What the derive writes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, Ident, Path, Result, Type};

use crate::attributes::{Place, check, facade, member_type};

/// The implementations for a type, or why it can be no part of a form.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        let message =
            "a form has no type parameters or lifetimes: its schema must be known when it is compiled";
        return Err(Error::new(input.generics.span(), message));
    }
    let facade = facade(&input.attrs)?;
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => {
                check(&input.attrs, Place::Content)?;
                content(&facade, &input.ident, fields.named.iter())
            }
            Fields::Unnamed(fields) => match (fields.unnamed.first(), fields.unnamed.len()) {
                (Some(field), 1) => {
                    check(&input.attrs, Place::Newtype)?;
                    newtype(&facade, &input.ident, field)
                }
                _ => {
                    Err(Error::new(input.ident.span(), "the members of a form have names: name these fields"))
                }
            },
            Fields::Unit => Err(Error::new(
                input.ident.span(),
                "a form without members is written as a struct with empty braces",
            )),
        },
        Data::Enum(data) => {
            check(&input.attrs, Place::Choice)?;
            choice(&facade, &input.ident, data)
        }
        Data::Union(_) => Err(Error::new(input.ident.span(), "a union is no form")),
    }
}

fn content<'a>(facade: &Path, name: &Ident, fields: impl Iterator<Item = &'a Field>) -> Result<TokenStream> {
    let mut asserts = TokenStream::new();
    for field in fields {
        check(&field.attrs, Place::Member)?;
        if let Some(member) = member_type(field)? {
            asserts.extend(assert_member(&member));
        }
    }
    Ok(quote! {
        #[automatically_derived]
        impl #facade::__private::Derived for #name {}
        #[automatically_derived]
        impl #facade::FormContent for #name {}
        const _: fn() = || {
            fn member<T: #facade::FormMember>() {}
            #asserts
        };
    })
}

fn newtype(facade: &Path, name: &Ident, field: &Field) -> Result<TokenStream> {
    check(&field.attrs, Place::Member)?;
    let member: Type = member_type(field)?
        .ok_or_else(|| Error::new(field.span(), "the value of a form member cannot be skipped"))?;
    let assert = assert_member(&member);
    Ok(quote! {
        #[automatically_derived]
        impl #facade::__private::Derived for #name {}
        #[automatically_derived]
        impl #facade::FormMember for #name {}
        const _: fn() = || {
            fn member<T: #facade::FormMember>() {}
            #assert
        };
    })
}

fn choice(facade: &Path, name: &Ident, data: &DataEnum) -> Result<TokenStream> {
    if data.variants.is_empty() {
        return Err(Error::new(name.span(), "a choice needs something to choose"));
    }
    for variant in &data.variants {
        check(&variant.attrs, Place::Variant)?;
        if !matches!(variant.fields, Fields::Unit) {
            let message = "a choice of a form is a plain name: forms are flat, so it cannot carry data";
            return Err(Error::new(variant.fields.span(), message));
        }
    }
    Ok(quote! {
        #[automatically_derived]
        impl #facade::__private::Derived for #name {}
        #[automatically_derived]
        impl #facade::FormMember for #name {}
        #[automatically_derived]
        impl #facade::FormChoice for #name {}
    })
}

/// A bound that the compiler reports at the field.
fn assert_member(member: &impl ToTokens) -> TokenStream {
    quote_spanned!(member.span()=> member::<#member>();)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn refusal(input: DeriveInput) -> String {
        expand(&input).unwrap_err().to_string()
    }

    #[test]
    fn each_field_of_a_form_must_be_a_member() {
        let written = expand(&parse_quote!(
            struct Deploy {
                #[serde(rename = "goOn")]
                #[schemars(title = "Go on?")]
                go_on: bool,
                #[schemars(length(min = 1), with = "String")]
                name: Name,
                #[serde(skip)]
                seen: Nested,
            }
        ));
        let written = written.unwrap().to_string();
        assert!(written.contains("member :: < bool > ()"), "{written}");
        assert!(written.contains("member :: < String > ()"), "{written}");
        assert!(!written.contains("Nested"), "{written}");
        assert!(written.contains("impl :: pm_mcp :: FormContent for Deploy"), "{written}");
    }

    #[test]
    fn choices_and_values_with_a_name_are_members() {
        let choice = expand(&parse_quote!(
            #[serde(rename_all = "kebab-case")]
            enum Colour {
                /// Like a rose.
                Red,
                #[serde(alias = "azure")]
                Blue,
            }
        ));
        assert!(choice.unwrap().to_string().contains("FormChoice for Colour"));
        let newtype = expand(&parse_quote!(
            #[form(crate = "facade")]
            struct Email(#[schemars(email)] String);
        ));
        assert!(newtype.unwrap().to_string().contains("impl facade :: FormMember for Email"));
    }

    #[test]
    fn what_cannot_be_flat_is_refused_in_words() {
        let cases: [(DeriveInput, &str); 9] = [
            (
                parse_quote!(
                    struct Page<T> {
                        of: T,
                    }
                ),
                "no type parameters",
            ),
            (
                parse_quote!(
                    struct Point(u8, u8);
                ),
                "have names",
            ),
            (
                parse_quote!(
                    struct Nothing;
                ),
                "empty braces",
            ),
            (
                parse_quote!(
                    enum Never {}
                ),
                "something to choose",
            ),
            (
                parse_quote!(
                    enum Tree {
                        Leaf,
                        Node { of: u8 },
                    }
                ),
                "cannot carry data",
            ),
            (
                parse_quote!(
                    struct Deploy {
                        #[serde(flatten)]
                        rest: Rest,
                    }
                ),
                "`flatten`",
            ),
            (
                parse_quote!(
                    struct Deploy {
                        #[serde(with = "dates")]
                        on: Date,
                    }
                ),
                "`with`",
            ),
            (
                parse_quote!(
                    struct Deploy {
                        #[schemars(regex(pattern = "^a"))]
                        name: String,
                    }
                ),
                "`regex`",
            ),
            (
                parse_quote!(
                    #[serde(untagged)]
                    enum Kind {
                        One,
                    }
                ),
                "`untagged`",
            ),
        ];
        for (input, said) in cases {
            let refused = refusal(input.clone());
            assert!(refused.contains(said), "{said} is not in: {refused}");
        }
    }
}
