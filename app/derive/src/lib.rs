//! The derive macro of typed forms; use it through `pm_mcp::Form`, which documents it.
//!
//! It decides from the text of a type whether its schema can be anything but flat, and leaves what only the compiler
//! knows, the types of the members, to bounds that it writes. It knows no schema and makes none.

mod attributes;
mod expand;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Lets a type be the content of a form, or a member of one; what is not flat does not compile.
///
/// | On | Makes |
/// |---|---|
/// | a struct with named fields | the content of a form; each field must be a member |
/// | an enum without data | a choice: a member on its own, or several in a `Vec` |
/// | a struct around one value | a member, with a name and rules of its own |
///
/// `#[form(crate = "…")]` names `pm_mcp` where it has another name.
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::expand(&input).unwrap_or_else(|fault| fault.to_compile_error()).into()
}
