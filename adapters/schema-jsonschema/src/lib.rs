//! JSON Schema 2020-12 validation for tool arguments and results, by the jsonschema crate.
