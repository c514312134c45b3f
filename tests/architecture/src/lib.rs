//! Tests of the house rules: dependency edges, purity, file sizes, documents in step.
