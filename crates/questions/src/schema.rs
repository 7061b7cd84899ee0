//! The JSON Schema of a question: what a line of a set may say.

use serde_json::{Map, Value, json};

use super::fields::{Field, GOLD, PROFILE, QUESTION};

/// The JSON Schema (draft 2020-12) of one line of a question set, made from the table of fields that
/// reading uses.
///
/// What a schema of one line cannot say (an `id` that was used before) only reading finds.
pub fn schema() -> Value {
    let mut schema = object(&QUESTION, "A question with what is known of its answer.");
    let none = json!({ "maxItems": 0 });
    let rest = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A question of a question set",
        "if": { "properties": { "category": { "const": "unanswerable" } } },
        "then": { "properties": { "answers": none, "gold": none } },
        "$defs": { "gold": gold(), "profile": object(&PROFILE, "Who asks.") },
    });
    if let (Value::Object(schema), Value::Object(rest)) = (&mut schema, rest) {
        schema.extend(rest);
    }
    schema
}

fn gold() -> Value {
    let mut gold = object(&GOLD, "Where an answer stands.");
    if let Value::Object(gold) = &mut gold {
        let stated = |name: &str| {
            json!({
                "required": [name],
                "properties": { name: { "type": "string", "pattern": "\\S" } },
            })
        };
        gold.insert("anyOf".to_owned(), json!([stated("document"), stated("link")]));
    }
    gold
}

fn object(fields: &[Field], description: &str) -> Value {
    let mut properties = Map::new();
    for field in fields {
        for (index, name) in field.names.iter().enumerate() {
            let mut schema = (field.schema)();
            let meaning = match (index, field.names) {
                (1.., [first, ..]) => format!("The same as {first}."),
                _ => field.meaning.to_owned(),
            };
            if let Value::Object(schema) = &mut schema {
                schema.insert("description".to_owned(), meaning.into());
            }
            properties.insert((*name).to_owned(), schema);
        }
    }
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.required)
        .filter_map(|field| field.names.first().copied())
        .collect();
    let mut object = json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": false,
    });
    if let (Value::Object(object), false) = (&mut object, required.is_empty()) {
        object.insert("required".to_owned(), required.into());
    }
    object
}
