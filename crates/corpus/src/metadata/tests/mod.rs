//! Cases as data for each rule, and what must hold for all input.
#![expect(clippy::expect_used)]

mod batches;
mod dates;
mod fields;
mod matching;
mod organisation;
mod profiles;
mod properties;
mod remarks;
mod schema;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Fields, Metadata};

/// Fields from a JSON object.
fn object(value: Value) -> BTreeMap<String, Value> {
    serde_json::from_value(value).expect("a JSON object")
}

/// Metadata from a JSON object without a mistake.
#[track_caller]
fn metadata(value: Value) -> Metadata {
    let (metadata, fields) = Metadata::from_fields(&object(value));
    assert_eq!(fields.problems, [], "no problems");
    metadata
}

fn read(value: Value) -> Fields {
    Fields::read(&object(value))
}
