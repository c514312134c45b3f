//! Which types a form can ask for.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// What the derive has looked at; not to be implemented by hand.
pub trait Derived {}

/// A type that a [`Form`](struct@crate::Form) can ask for: a struct whose fields are all [`FormMember`]s, nothing nested.
///
/// Derive it with [`Form`](derive@crate::Form), beside `Deserialize` and `JsonSchema`. The schema that clients see is the
/// one that `schemars` derives: names, titles, descriptions, lengths and ranges can be set with its attributes and those of
/// `serde`. What is not flat does not compile:
///
/// ```compile_fail,E0277
/// use pm_mcp::{Form, schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Address {
///     street: String,
/// }
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// struct Order {
///     to: Address,
/// }
/// ```
///
/// Neither does a form of a type that does not derive it:
///
/// ```compile_fail,E0277
/// use pm_mcp::{Context, Form, Output, ToolError, schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Approval {
///     approved: bool,
/// }
///
/// async fn deploy(ctx: Context) -> Result<Output, ToolError> {
///     let answer: Approval = ctx.ask("confirm", Form::new("Deploy?")).await?;
///     Ok(Output::text(answer.approved.to_string()))
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no form",
    label = "not derived as a form",
    note = "add `#[derive(pm_mcp::Form)]` to `{Self}`: it makes sure that the form is flat, as clients need it"
)]
pub trait FormContent: Derived + DeserializeOwned + JsonSchema + 'static {}

/// A type that one member of a form can have: text, a number, true or false, a choice, several choices, or an `Option` of
/// these for what may be left out
/// ([Requested schema](https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema)).
///
/// Enums without data and structs around one value get it by the derive [`Form`](derive@crate::Form).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of a form",
    label = "neither text nor a number, a boolean or a choice",
    note = "forms are flat: a member is a string, a number, a boolean, an enum without data, a `Vec` of such an enum, or an \
            `Option` of these; enums and structs around one value of these derive `pm_mcp::Form`"
)]
pub trait FormMember: Derived {}

/// A [`FormMember`] of which several can be chosen, as `Vec<T>`: an enum without data.
#[diagnostic::on_unimplemented(
    message = "several of `{Self}` cannot be a member of a form",
    label = "not a choice",
    note = "the only lists in forms are lists of choices; a choice is an enum without data that derives `pm_mcp::Form`"
)]
pub trait FormChoice: FormMember {}

macro_rules! members {
    ($($type:ty),+ $(,)?) => {$(
        impl Derived for $type {}
        impl FormMember for $type {}
    )+};
}

members!(String, Box<str>, Cow<'static, str>, char, bool);
members!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);

macro_rules! members_of {
    ($($type:ty: $bound:ident),+ $(,)?) => {$(
        impl<T: $bound> Derived for $type {}
        impl<T: $bound> FormMember for $type {}
    )+};
}

members_of!(Option<T>: FormMember, Vec<T>: FormChoice, BTreeSet<T>: FormChoice);

impl<T: FormChoice, S> Derived for HashSet<T, S> {}
impl<T: FormChoice, S> FormMember for HashSet<T, S> {}
