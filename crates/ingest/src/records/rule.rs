//! Rules of the settings for files of records.

use std::collections::BTreeMap;
use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::template::Template;

/// A rule by which the records of some files become documents: one `[[records]]` table of the settings.
///
/// A *field* is a name in a record, or a path of names with dots between them
/// (`relationships.prereqs`); through a list it leads to each item. A *template* is text with fields
/// in braces (`{course_id}: {name}`); `{{` is a brace. Text between two fields is left out with a
/// field that is empty.
///
/// ```
/// use campanile_ingest::{IngestOptions, RecordRule, read_bytes};
///
/// let rule: RecordRule = serde_json::from_value(serde_json::json!({
///     "match": "courses/*.json",
///     "id": "code",
///     "title": "{code}: {name}",
///     "text": ["description"],
///     "facts": { "Credits": "credits" },
/// }))?;
/// let options = IngestOptions { records: vec![rule], ..IngestOptions::default() };
/// let file = br#"[{"code": "CS 101", "name": "Logic", "credits": 6, "description": "Proofs."}]"#;
/// let reading = read_bytes("courses/winter.json", file, &options)?;
/// let document = &reading.documents[0];
/// assert_eq!(document.path, "courses/winter.json#CS-101");
/// assert_eq!(document.text, "CS 101: Logic\n\nProofs.\n\nCredits: 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordRule {
    /// The files, by their path: `courses/*.json`. `*` stands for anything within a folder, `**/`
    /// for any folders, `{a,b}` for either.
    #[serde(rename = "match")]
    pub files: String,
    /// The place of the records in a JSON file, as a JSON Pointer (RFC 6901): `/courses`; in a workbook, the
    /// sheet: `/Sheet1`. By default the file itself is the list, or every sheet.
    #[serde(default)]
    pub rows: Option<String>,
    /// A field or template that names a record: the document's path becomes `FILE#NAME`. By default
    /// records are numbered from 1.
    #[serde(default)]
    pub id: Option<String>,
    /// The template of a document's title.
    pub title: String,
    /// Fields that become paragraphs.
    #[serde(default)]
    pub text: Vec<TextField>,
    /// Fields or templates that become `Label: value`, by their labels.
    #[serde(default)]
    pub facts: Fields,
    /// Lists of objects that become tables, by their headings.
    #[serde(default)]
    pub tables: BTreeMap<String, RecordTable>,
    /// The template of a document's public address. A record that lacks one of its fields has none.
    #[serde(default)]
    pub link: Option<String>,
    /// Metadata by name: texts are templates, and one that is a single field keeps lists as lists.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
}

/// A field that becomes a paragraph, or several where it has blank lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a field, or `{ field = \"…\", label = \"…\" }`")]
pub enum TextField {
    /// As it stands.
    Plain(String),
    /// The field with `Label: ` in front.
    Labelled {
        /// The field.
        field: String,
        /// The words in front of it.
        label: String,
    },
}

/// A list of objects within a record, as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordTable {
    /// The field that holds the list.
    pub rows: String,
    /// Fields or templates of its objects, by the headers of their columns.
    pub columns: Fields,
}

/// Fields or templates by name, in the order of the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(String, String)>);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, field) in &self.0 {
            map.serialize_entry(name, field)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a table of labels and fields, such as `Credits = \"credits\"`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// The reason why a rule for records cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rule for records `{rule}` {problem}")]
pub struct RuleError {
    /// The rule's pattern.
    pub rule: String,
    /// The problem with it and the way out, in words that follow the rule.
    pub problem: String,
}

impl RecordRule {
    /// Checks what can be checked without a file: the pattern and the templates.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), RuleError> {
        self.matcher()?;
        for (key, template) in self.templates() {
            self.template(&key, template)?;
        }
        Ok(())
    }

    /// Tells which files the rule is about.
    pub(super) fn matcher(&self) -> Result<GlobMatcher, RuleError> {
        // `*` stays within its folder, as in the other patterns of the settings.
        let glob = GlobBuilder::new(&self.files).literal_separator(true).build();
        glob.map(|glob| glob.compile_matcher()).map_err(|error| {
            self.wrong(format!("has a `match` that is no pattern ({})", error.kind()))
        })
    }

    pub(super) fn template(&self, key: &str, source: &str) -> Result<Template, RuleError> {
        Template::parse(source).map_err(|reason| {
            self.wrong(format!(
                "has a `{key}` that is no template ({reason}): write fields as `{{field}}`, and \
                 `{{{{` for a brace"
            ))
        })
    }

    /// The error that tells what is wrong with this rule.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> RuleError {
        RuleError { rule: self.files.clone(), problem: problem.into() }
    }

    /// All templates of the rule that are read as such, with where they stand.
    fn templates(&self) -> impl Iterator<Item = (String, &str)> {
        // Without a brace it is the name of a field, which may hold anything.
        let facts = self.facts.0.iter().filter(|(_, field)| field.contains('{'));
        let columns = self.tables.iter().flat_map(|(name, table)| {
            table.columns.0.iter().map(move |(column, field)| {
                (format!("tables.{name}.columns.{column}"), field.as_str())
            })
        });
        let metadata = self
            .metadata
            .iter()
            .filter_map(|(name, value)| Some((format!("metadata.{name}"), value.as_str()?)));
        [("title".to_owned(), self.title.as_str())]
            .into_iter()
            .chain(self.id.iter().map(|id| ("id".to_owned(), id.as_str())))
            .chain(self.link.iter().map(|link| ("link".to_owned(), link.as_str())))
            .chain(facts.map(|(label, field)| (format!("facts.{label}"), field.as_str())))
            .chain(columns)
            .chain(metadata)
    }
}
