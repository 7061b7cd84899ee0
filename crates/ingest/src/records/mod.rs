//! Records: files that hold many small documents, one in each row or object.
//!
//! A course catalogue of five thousand courses is not one document: whoever asks for a course wants
//! that course, its title and its own address. What its fields mean only its keeper knows, so the
//! keeper says it in a [`RecordRule`].

mod document;
mod field;
mod rule;
mod source;
mod template;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use campanile_corpus::Document;

use crate::json::Json;
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::{Finding, IngestError, IngestOptions, Kind};
use document::Plan;
use field::{has, nearest};
pub use rule::{Fields, RecordRule, RecordTable, RuleError, TextField};
use source::source;

/// The documents of a file that a rule matches, one of each record; `None` if none does.
pub(crate) fn read(
    kind: Kind,
    path: &str,
    bytes: &[u8],
    options: &IngestOptions,
) -> Result<Option<Vec<(Document, Report)>>, IngestError> {
    let wrong = |source| IngestError::Rule { path: path.to_owned(), source: Box::new(source) };
    for rule in &options.records {
        if rule.matcher().map_err(wrong)?.is_match(path) {
            let plan = Plan::of(rule).map_err(wrong)?;
            let source = source(kind, path, bytes, rule, options)?;
            check(&plan, rule, &source.records).map_err(wrong)?;
            let mut notes = source.notes;
            notes.extend(missing(&plan, path, rule, &source.records));
            return Ok(Some(documents(&plan, path, &source.records, notes)));
        }
    }
    Ok(None)
}

fn documents(
    plan: &Plan<'_>,
    path: &str,
    records: &[Json],
    mut notes: Vec<Finding>,
) -> Vec<(Document, Report)> {
    let mut names = Names::default();
    let mut found = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let id = plan.id.as_ref().map(|id| id.render(record)).unwrap_or_default();
        let name = names.name(&id, index + 1);
        let title = clean_line(&plan.title.render(record), &mut Report::default());
        let title = if title.is_empty() { name.clone() } else { title };
        found.push(plan.document(&format!("{path}#{name}"), title, record));
    }
    notes.extend(names.repeated(path));
    if let Some((_, report)) = found.first_mut() {
        report.notes.extend(notes);
    }
    found
}

/// Without the fields of title and id there is nothing to call a document by.
fn check(plan: &Plan<'_>, rule: &RecordRule, records: &[Json]) -> Result<(), RuleError> {
    let title = plan.title.fields().map(|field| ("title", field));
    let id = plan.id.iter().flat_map(|id| id.fields()).map(|field| ("id", field));
    for (key, field) in title.chain(id) {
        if records.iter().any(|record| has(record, field)) {
            continue;
        }
        return Err(RuleError::UnknownField {
            rule: rule.files.clone(),
            key: key.to_owned(),
            field: field.to_owned(),
            nearest: nearest(records, field),
            of: records.len(),
        });
    }
    Ok(())
}

/// Fields that records lack.
fn missing(
    plan: &Plan<'_>,
    path: &str,
    rule: &RecordRule,
    records: &[Json],
) -> impl Iterator<Item = Finding> {
    plan.fields().into_iter().filter_map(move |field| {
        let count = records.iter().filter(|record| !has(record, &field)).count();
        (count > 0).then(|| Finding::FieldMissing {
            path: path.to_owned(),
            rule: rule.files.clone(),
            nearest: if count == records.len() { nearest(records, &field) } else { None },
            field,
            count,
            of: records.len(),
        })
    })
}

/// The names of a file's records, each given once.
#[derive(Debug, Default)]
struct Names {
    used: BTreeMap<String, usize>,
    repeated: usize,
    example: String,
}

impl Names {
    /// A name for the record: its id without white space, or its number; numbered if it is taken.
    fn name(&mut self, id: &str, number: usize) -> String {
        let plain: Vec<&str> = id
            .split(|character: char| character.is_whitespace() || character.is_control())
            .collect();
        let plain: Vec<&str> = plain.into_iter().filter(|word| !word.is_empty()).collect();
        let plain = if plain.is_empty() { number.to_string() } else { plain.join("-") };
        let mut count = self.used.get(&plain).copied().unwrap_or(0);
        let mut name = plain.clone();
        while self.used.contains_key(&name) {
            count += 1;
            name = format!("{plain}-{}", count + 1);
        }
        if name != plain {
            if self.repeated == 0 {
                self.example.clone_from(&plain);
            }
            self.repeated += 1;
        }
        self.used.insert(plain, count);
        self.used.entry(name.clone()).or_insert(0);
        name
    }

    fn repeated(self, path: &str) -> Option<Finding> {
        (self.repeated > 0).then(|| Finding::RepeatedIds {
            path: path.to_owned(),
            count: self.repeated,
            example: self.example,
        })
    }
}
