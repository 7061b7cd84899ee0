//! The JSON Schema of metadata: what a front matter, a sidecar or a rule may say.

use serde_json::{Map, Value, json};

use super::field::{ENTRIES, Shape};

/// The JSON Schema (draft 2020-12), made from the table of fields that reading uses.
///
/// It describes the names in small letters with `_`; reading takes them in any case and with
/// hyphens too. What a schema cannot say (a run of years that ends before it begins, two names of
/// one field that disagree) only reading finds.
pub fn schema() -> Value {
    let mut properties = Map::new();
    for entry in &ENTRIES {
        for (index, name) in entry.names.iter().enumerate() {
            let meaning = match (index, entry.names.first()) {
                (1.., Some(first)) => format!("The same as {first}."),
                _ => entry.meaning.to_owned(),
            };
            let property = json!({ "$ref": reference(entry.shape), "description": meaning });
            properties.insert((*name).to_owned(), property);
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Metadata of a document",
        "description": "What front matter, sidecar files and rules of campanile.toml may say about \
                        a document. Every field is optional; fields that are not listed are kept.",
        "type": "object",
        "properties": properties,
        "additionalProperties": true,
        "$defs": definitions(),
    })
}

fn reference(shape: Shape) -> &'static str {
    match shape {
        Shape::Text => "#/$defs/text",
        Shape::Address => "#/$defs/address",
        Shape::Kind => "#/$defs/type",
        Shape::Level => "#/$defs/level",
        Shape::Names => "#/$defs/names",
        Shape::Batches => "#/$defs/batches",
        Shape::Numbers => "#/$defs/numbers",
        Shape::Date => "#/$defs/date",
        Shape::Limit => "#/$defs/limit",
        Shape::Period => "#/$defs/period",
        Shape::Truth => "#/$defs/truth",
    }
}

fn definitions() -> Value {
    let day = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])";
    let end = format!(r"({day}|\.\.)?");
    let pair = format!(r"{end}\s*(/| to | until | - |–|—)\s*{end}");
    let every = r"\*|[aA][lL][lL]|[aA][nN][yY]";
    let period = format!(
        r"^\s*({every}|([Uu]ntil|up to)\s+{day}|([Ff]rom|[Ss]ince)\s+{day}|([Ff]rom )?{pair})\s*$"
    );
    let schemes = ["http", "https", "mailto"].map(any_case).join("|");
    json!({
        "address": {
            "description": "An address of the web or of a mailbox, or a relative one.",
            "type": ["string", "number", "boolean", "null"],
            "maxLength": 2000,
            "pattern": format!(r"^\s*(({schemes}):|[^:/?#]*([/?#]|$))"),
        },
        "text": { "type": ["string", "number", "boolean", "null"], "maxLength": 2000 },
        "type": one_of(&[any_case("academic"), format!("{}[-_ ]?{}", any_case("non"), any_case("academic"))]),
        "level": one_of(&["department", "faculty", "university"].map(any_case)),
        "names": {
            "description": "A name, several with commas between them, or a list of names; * for \
                            everybody.",
            "type": ["string", "number", "array", "null"],
            "items": { "type": ["string", "number"] },
        },
        "truth": {
            "description": "true or false.",
            "anyOf": [
                { "type": "boolean" },
                one_of(&["true", "false", "yes", "no"].map(any_case)),
            ],
        },
        "batches": batches(every),
        "numbers": numbers(every),
        "small_number": { "type": "integer", "minimum": 1, "maximum": 99 },
        "batch_year": { "type": "integer", "minimum": 1000, "maximum": 9999 },
        "date": {
            "description": "A day, as in 2026-03-31; a time after it is left out.",
            "type": ["string", "null"],
            "anyOf": [
                { "type": "null" },
                { "format": "date" },
                { "pattern": format!(r"^\s*{day}[Tt ].+$") },
                { "pattern": r"^\s*$" },
            ],
        },
        "limit": {
            "description": "A day, as in 2026-03-31, or * for no limit.",
            "anyOf": [
                { "$ref": "#/$defs/date" },
                { "type": "string", "pattern": format!(r"^\s*({every})\s*$") },
            ],
        },
        "period": {
            "description": "The first and the last day.",
            "type": ["string", "null"],
            "anyOf": [{ "type": "null" }, { "pattern": r"^\s*$" }, { "pattern": period }],
        },
    })
}

fn batches(every: &str) -> Value {
    let year = r"[1-9]\d{3}";
    let forms = [
        every.to_owned(),
        format!(r"{year}(\s?[+–-]| and later| onwards)?"),
        format!(r"(since |from |until |up to |-|–)\s?{year}"),
        format!(r"{year}\s?[–-]\s?({year}|\d{{2}})"),
        format!(r"{year} to {year}"),
        format!(r"{year}\s?/\s?({year}|\d{{2}})"),
        r"[^,]*[A-Za-z\u00C0-\uFFFF][^,]*".to_owned(),
    ];
    let description = "A year, a run of years (2019-2022, 2023+, until 2020), a name, several of \
                       these with commas between them, or a list; * for everybody.";
    listed(description, "#/$defs/batch_year", &forms)
}

fn numbers(every: &str) -> Value {
    let number = r"[1-9]\d?";
    let forms = [
        every.to_owned(),
        format!(r"{number}(\s?\+| and later)?"),
        format!("(from |until |up to ){number}"),
        format!(r"{number}\s?[–-]\s?{number}"),
        format!("{number} to {number}"),
    ];
    let description = "A number, a run of numbers (1-2, 5+, until 4), several of these with commas \
                       between them, or a list; * for everybody.";
    listed(description, "#/$defs/small_number", &forms)
}

/// A number, a text of one of the forms or of several between commas, or a list of such.
fn listed(description: &str, number: &str, forms: &[String]) -> Value {
    let one = forms.join("|");
    json!({
        "description": description,
        "anyOf": [
            { "type": "null" },
            { "$ref": number },
            { "type": "string", "pattern": format!(r"^\s*({one})?\s*(,\s*({one})?\s*)*$") },
            {
                "type": "array",
                "items": {
                    "anyOf": [
                        { "$ref": number },
                        { "type": "string", "pattern": format!(r"^\s*({one})?\s*$") },
                    ],
                },
            },
        ],
    })
}

/// A word in any case; schemas have no flag for that.
fn any_case(word: &str) -> String {
    word.chars().map(|c| format!("[{}{c}]", c.to_ascii_uppercase())).collect()
}

fn one_of(patterns: &[String]) -> Value {
    let pattern = format!(r"^\s*({})?\s*$", patterns.join("|"));
    json!({ "type": ["string", "null"], "pattern": pattern })
}
