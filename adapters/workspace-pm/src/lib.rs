//! The pm workspace format: TOON items, JSONL histories, settings and schema files.
