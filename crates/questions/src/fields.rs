//! The fields of a question set: one table for reading, messages and the published JSON Schema.

use serde_json::{Map, Value, json};

use crate::question::{Category, QuestionKind};

/// Names farther than this from all known ones are no misspelling of one.
// Three edits hold a swap, a doubled letter and a missing plural at once; short names allow only half their length
// (`nearest_of`), or any three letters would be "did you mean `id`?".
const MOST_EDITS: usize = 3;

/// A field of one kind of object.
pub(super) struct Field {
    /// Its name, and other names that are read.
    pub(super) names: &'static [&'static str],
    pub(super) required: bool,
    /// The words for its content in a message: "… is expected".
    pub(super) expected: &'static str,
    pub(super) meaning: &'static str,
    pub(super) schema: fn() -> Value,
}

const fn optional(
    names: &'static [&'static str],
    expected: &'static str,
    meaning: &'static str,
    schema: fn() -> Value,
) -> Field {
    Field { names, required: false, expected, meaning, schema }
}

const fn required(
    names: &'static [&'static str],
    expected: &'static str,
    meaning: &'static str,
    schema: fn() -> Value,
) -> Field {
    Field { names, required: true, expected, meaning, schema }
}

/// A question's fields.
pub(super) static QUESTION: [Field; 10] = [
    required(
        &["id"],
        "a name that no other question of the set has, as in \"q1\",",
        "A name that is unique in its set.",
        filled,
    ),
    required(
        &["question"],
        "the question as a text",
        "The question, as a student would type it.",
        filled,
    ),
    required(
        &["category"],
        "\"answerable\", \"ambiguous\" or \"unanswerable\"",
        "Whether the documents answer it: they do; they do, in more than one way; they do not.",
        || json!({ "enum": Category::ALL.map(Category::name) }),
    ),
    optional(
        &["type"],
        "\"factual\", \"descriptive\", \"comparative\", \"inferential\" or \"multi-hop\"",
        "What it takes to answer it.",
        || {
            json!({ "enum": [
            QuestionKind::Factual.name(),
            QuestionKind::Descriptive.name(),
            QuestionKind::Comparative.name(),
            QuestionKind::Inferential.name(),
            QuestionKind::MultiHop.name(),
            null,
        ] })
        },
    ),
    optional(
        &["answers"],
        "a list of short answers, as in [\"5 euros\", \"5\"],",
        "Short gold answers; any of them will do. None for an unanswerable question.",
        || json!({ "type": "array", "items": { "type": "string" } }),
    ),
    optional(
        &["gold"],
        "a list of objects with `document` or `link`, and `passage` and `grade` if they are known,",
        "Where the answer stands. None for an unanswerable question.",
        || json!({ "type": "array", "items": { "$ref": "#/$defs/gold" } }),
    ),
    optional(
        &["reason"],
        "a text",
        "Why there is no one answer: of ambiguous and unanswerable questions.",
        text_or_null,
    ),
    optional(
        &["profile"],
        "an object with `programme`, `department`, `faculty`, `batch` and `courses`, each of them optional,",
        "Who asks. What is missing is not told.",
        || json!({ "$ref": "#/$defs/profile" }),
    ),
    optional(
        &["date"],
        "a day, as in \"2026-03-31\",",
        "The day on which the question is asked.",
        || json!({ "type": ["string", "null"], "format": "date" }),
    ),
    optional(
        &["reviewed"],
        "true or false",
        "Whether a person has looked at it; true where it is not said.",
        || json!({ "type": "boolean" }),
    ),
];

/// The fields of an entry of `gold`.
pub(super) static GOLD: [Field; 4] = [
    optional(
        &["document"],
        "the path of a document, as in \"rules/exams.md\",",
        "The document's path in the documents' folder.",
        text_or_null,
    ),
    optional(
        &["link"],
        "the public address of a document",
        "The document's public address, where no path is named.",
        text_or_null,
    ),
    optional(
        &["passage"],
        "a sentence of the document, or the cells of a table row with \" | \" between them,",
        "A sentence of the document's plain text, or a table row as its cells joined by \" | \". \
         Without one, the whole document is gold.",
        text_or_null,
    ),
    optional(
        &["grade"],
        "a whole number, as in 2,",
        "How well it answers: 0 not at all, 1 it does (so where it is not said), more where a set \
         grades.",
        || json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
    ),
];

/// The fields of `profile`.
pub(super) static PROFILE: [Field; 5] = [
    optional(
        &["programme", "program", "degree_programme", "degree_program"],
        "the name of a degree programme",
        "The degree programme.",
        text_or_null,
    ),
    optional(&["department"], "the name of a department", "The department.", text_or_null),
    optional(&["faculty"], "the name of a faculty", "The faculty.", text_or_null),
    optional(
        &["batch"],
        "a year, or the name of a batch,",
        "The year in which they began, or its name.",
        || json!({ "type": ["string", "integer", "null"], "minimum": 0 }),
    ),
    optional(
        &["courses", "course"],
        "a list of course codes, as in [\"CS101\", \"CS202\"],",
        "The courses that they take or have taken.",
        || json!({ "type": ["string", "array", "null"], "items": { "type": "string" } }),
    ),
];

/// The known name nearest to one that is not known, if it may be a misspelling of it.
pub(super) fn nearest(fields: &[Field], name: &str) -> Option<&'static str> {
    let known = fields.iter().flat_map(|field| field.names);
    nearest_of(known.copied(), name)
}

/// The same among any names.
pub fn nearest_of<'a>(known: impl IntoIterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    let name = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::osa_distance(&name, known), known))
        .min_by_key(|(edits, _)| *edits)
        .filter(|(edits, known)| *edits <= MOST_EDITS.min(known.len() / 2))
        .map(|(_, known)| known)
}

fn filled() -> Value {
    json!({ "type": "string", "pattern": "\\S" })
}

fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

/// The JSON Schema (draft 2020-12) of one line of a question set, made from the table of fields that
/// reading uses.
///
/// Faults that a schema of one line cannot state (an `id` that was used before) are found by reading alone.
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
