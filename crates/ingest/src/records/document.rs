//! A record as a document.

use std::collections::BTreeMap;

use campanile_corpus::Document;
use serde_json::Value;

use super::template::{Template, lookup, text_of};
use super::{RecordRule, RuleError, TextField};
use crate::assemble::Assembler;
use crate::inline::InlineText;
use crate::json::{Json, add_text, facts_table};
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::table::{CellDraft, TableDraft};
use crate::tabular::one_line;

/// A rule with its templates read.
pub(super) struct Plan<'a> {
    pub(super) id: Option<Template>,
    pub(super) title: Template,
    link: Option<Template>,
    text: Vec<(Option<&'a str>, &'a str)>,
    facts: Vec<(&'a str, Template)>,
    tables: Vec<Listing<'a>>,
    metadata: Vec<(&'a str, Field<'a>)>,
}

/// A list of objects that becomes a table.
struct Listing<'a> {
    name: &'a str,
    rows: &'a str,
    columns: Vec<(&'a str, Template)>,
}

enum Field<'a> {
    Template(Template),
    Fixed(&'a Value),
}

impl<'a> Plan<'a> {
    pub(super) fn of(rule: &'a RecordRule) -> Result<Self, RuleError> {
        // Templates are read once for the rule, not for each of thousands of records.
        let read = |key: &str, source: &str| rule.template(key, source);
        let field = |key: &str, source: &str| match source.contains('{') {
            true => read(key, source),
            false => Ok(Template::of_field(source)),
        };
        let named = |key: &str, fields: &'a super::Fields| {
            let one = |(label, source): &'a (String, String)| {
                Ok((label.as_str(), field(&format!("{key}.{label}"), source)?))
            };
            fields.0.iter().map(one).collect::<Result<Vec<_>, RuleError>>()
        };
        let tables = rule.tables.iter().map(|(name, table)| {
            let columns = named(&format!("tables.{name}.columns"), &table.columns)?;
            Ok(Listing { name, rows: &table.rows, columns })
        });
        let metadata = rule.metadata.iter().map(|(name, value)| {
            let template = value.as_str().map(|source| read(&format!("metadata.{name}"), source));
            let value = template.transpose()?.map_or(Field::Fixed(value), Field::Template);
            Ok((name.as_str(), value))
        });
        Ok(Self {
            id: rule.id.as_deref().map(|source| field("id", source)).transpose()?,
            title: read("title", &rule.title)?,
            link: rule.link.as_deref().map(|source| read("link", source)).transpose()?,
            text: rule.text.iter().map(text_field).collect(),
            facts: named("facts", &rule.facts)?,
            tables: tables.collect::<Result<_, RuleError>>()?,
            metadata: metadata.collect::<Result<_, RuleError>>()?,
        })
    }

    /// The fields that the rule names besides those of title and id, with where it does.
    pub(super) fn fields(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut add = |field: &str| {
            if !found.iter().any(|known| known == field) {
                found.push(field.to_owned());
            }
        };
        self.text.iter().for_each(|(_, field)| add(field));
        self.facts.iter().flat_map(|(_, template)| template.fields()).for_each(&mut add);
        self.link.iter().flat_map(Template::fields).for_each(&mut add);
        for (_, value) in &self.metadata {
            if let Field::Template(template) = value {
                template.fields().for_each(&mut add);
            }
        }
        for Listing { rows, columns, .. } in &self.tables {
            add(rows);
            for field in columns.iter().flat_map(|(_, template)| template.fields()) {
                add(&format!("{rows}.{field}"));
            }
        }
        found
    }

    /// The document of a record.
    pub(super) fn document(&self, path: &str, title: String, record: &Json) -> (Document, Report) {
        let mut report = Report::default();
        let mut assembler = Assembler::default();
        assembler.heading(1, InlineText::plain(title.as_str()), None);
        for (label, field) in &self.text {
            add_field(&mut assembler, *label, &lookup(record, field));
        }
        let facts = self
            .facts
            .iter()
            .map(|(label, template)| ((*label).to_owned(), template.render(record)));
        assembler.table(facts_table(facts));
        for Listing { name, rows, columns } in &self.tables {
            add_table(&mut assembler, name, &lookup(record, rows), columns);
        }
        let title = clean_line(&title, &mut report);
        let link = self.link.as_ref().and_then(|link| link.complete(record));
        let link = link.and_then(|link| report.safe_link(&link.replace(' ', "%20")));
        let metadata = self.metadata(record, &mut report);
        let (document, found) = assembler.finish(path, title, link, metadata);
        report.absorb(found);
        (document, report)
    }

    fn metadata(&self, record: &Json, report: &mut Report) -> BTreeMap<String, Value> {
        let mut found = BTreeMap::new();
        for (name, field) in &self.metadata {
            let value = match field {
                Field::Fixed(value) => (*value).clone(),
                Field::Template(template) => match metadata_value(template, record, report) {
                    Some(value) => value,
                    None => continue,
                },
            };
            found.insert((*name).to_owned(), value);
        }
        found
    }
}

/// A list stays a list; what is empty is left out.
fn metadata_value(template: &Template, record: &Json, report: &mut Report) -> Option<Value> {
    let single = template.single_field().map(|field| lookup(record, field));
    if let Some([Json::List(values)]) = single.as_deref() {
        let texts: Vec<Value> = values
            .iter()
            .map(|value| clean_line(&value.to_text(), report))
            .filter(|text| !text.is_empty())
            .map(Value::String)
            .collect();
        // So that a course of two programmes is found for both of them.
        return (!texts.is_empty()).then_some(Value::Array(texts));
    }
    let text = clean_line(&template.render(record), report);
    (!text.is_empty()).then_some(Value::String(text))
}

fn text_field(field: &TextField) -> (Option<&str>, &str) {
    match field {
        TextField::Plain(field) => (None, field),
        TextField::Labelled { field, label } => (Some(label), field),
    }
}

fn add_field(assembler: &mut Assembler, label: Option<&str>, values: &[&Json]) {
    let text = match values {
        [Json::Text(text)] => text.trim().to_owned(),
        values => text_of(values),
    };
    match label {
        Some(_) if text.is_empty() => {}
        Some(label) => add_text(assembler, &format!("{label}: {text}")),
        None => add_text(assembler, &text),
    }
}

fn add_table(
    assembler: &mut Assembler,
    name: &str,
    values: &[&Json],
    columns: &[(&str, Template)],
) {
    let items = values.iter().flat_map(|value| match value {
        Json::List(values) => values.iter().collect::<Vec<_>>(),
        value => vec![*value],
    });
    let rows: Vec<Vec<CellDraft>> = items
        .map(|item| {
            let cell = |(_, template): &(&str, Template)| {
                CellDraft::plain(one_line(&template.render(item)))
            };
            columns.iter().map(cell).collect()
        })
        .filter(|row: &Vec<CellDraft>| row.iter().any(|cell| !cell.text.text.is_empty()))
        .collect();
    if rows.is_empty() {
        return;
    }
    assembler.heading(2, InlineText::plain(name), None);
    let head = columns.iter().map(|(label, _)| (*label).to_owned()).collect();
    assembler.table(TableDraft::of_rows(Some(head), rows.into_iter()));
}
