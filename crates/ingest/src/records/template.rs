//! Fields of a record by their paths, and text with such fields in braces.

use std::collections::BTreeSet;

use crate::json::Json;

/// A template, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String),
}

impl Template {
    /// Reads a template; the error says what is wrong.
    pub(super) fn parse(source: &str) -> Result<Self, &'static str> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = source;
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(brace) {
                text.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return Err("a `}` without its `{`");
            }
            let (field, after) = rest.split_once('}').ok_or("a `{` without its `}`")?;
            if field.trim().is_empty() || field.contains('{') {
                return Err("braces without a field in them");
            }
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Field(field.trim().to_owned()));
            rest = after;
        }
        text.push_str(rest);
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Ok(Self { parts })
    }

    /// A template that is nothing but one field.
    pub(super) fn of_field(field: &str) -> Self {
        Self { parts: vec![Part::Field(field.to_owned())] }
    }

    /// The fields in it.
    pub(super) fn fields(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(field) => Some(field.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The field, if the template is nothing else.
    pub(super) fn single_field(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Field(field)] => Some(field),
            _ => None,
        }
    }

    /// The text for a record, `None` where a field is empty.
    pub(super) fn complete(&self, record: &Json) -> Option<String> {
        let is_filled = |field: &str| lookup(record, field).iter().any(|value| !value.is_empty());
        self.fields().all(is_filled).then(|| self.render(record))
    }

    /// The text for a record. Text between fields is left out with a field that is empty; where
    /// several fields lie in the objects of one list, the template is filled in for each object.
    pub(super) fn render(&self, record: &Json) -> String {
        let list = if self.parts.len() > 1 { self.list(record) } else { None };
        let Some((prefix, items)) = list else {
            return self.fill(|field| text_of(&lookup(record, field)));
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let text = self.fill(|field| {
                let own = field.strip_prefix(&prefix).and_then(|rest| rest.strip_prefix('.'));
                match own {
                    Some(own) => text_of(&lookup(item, own)),
                    None => text_of(&lookup(record, field)),
                }
            });
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.join("; ")
    }

    /// The first list that a field leads through, with the path to it.
    fn list<'a>(&self, record: &'a Json) -> Option<(String, &'a [Json])> {
        self.fields().find_map(|field| lists_on(record, field))
    }

    fn fill(&self, value: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        // Text that waits for the field behind it, and whether the field before it is filled.
        let mut waiting: Option<&str> = None;
        let mut is_filled = true;
        for part in &self.parts {
            match part {
                Part::Text(text) => waiting = Some(text),
                Part::Field(field) => {
                    let value = value(field);
                    is_filled = !value.is_empty();
                    if is_filled {
                        let is_first = out.is_empty();
                        let joint =
                            waiting.take().filter(|text| !is_first || self.begins_with(text));
                        out.push_str(joint.unwrap_or_default());
                        out.push_str(&value);
                    }
                }
            }
        }
        // The last text closes what the last field says.
        if let (Some(Part::Text(text)), true) = (self.parts.last(), is_filled) {
            out.push_str(text);
        }
        out
    }

    fn begins_with(&self, text: &str) -> bool {
        matches!(self.parts.first(), Some(Part::Text(first)) if first == text)
    }
}

/// Values as one text, lists parted by commas.
pub(super) fn text_of(values: &[&Json]) -> String {
    let texts: Vec<String> =
        values.iter().map(|value| value.to_text()).filter(|text| !text.is_empty()).collect();
    texts.join(", ")
}

/// Names listed when the nearest is looked for.
// Nested fields multiply, and all this makes is a message.
const MOST_NAMES: usize = 2_000;

/// The values that a path of names leads to: several where it leads through a list, none where
/// there is no such field. A name may itself hold dots.
pub(super) fn lookup<'a>(value: &'a Json, path: &str) -> Vec<&'a Json> {
    match value {
        Json::List(values) => values.iter().flat_map(|value| lookup(value, path)).collect(),
        Json::Object(fields) => {
            if let Some(value) = get(fields, path) {
                return vec![value];
            }
            let dots = path.match_indices('.').map(|(dot, _)| dot);
            dots.filter_map(|dot| Some((get(fields, path.get(..dot)?)?, path.get(dot + 1..)?)))
                .map(|(value, rest)| lookup(value, rest))
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        }
        Json::Null | Json::Text(_) => Vec::new(),
    }
}

/// Returns `true` if the record has the field, be it empty. Below a `null` or an empty list anything may be.
pub(super) fn has(value: &Json, path: &str) -> bool {
    match value {
        Json::Null => true,
        Json::Text(_) => false,
        Json::List(values) => values.is_empty() || values.iter().any(|value| has(value, path)),
        Json::Object(fields) => {
            let dots = path.match_indices('.').map(|(dot, _)| dot);
            let below =
                |dot: usize| Some(has(get(fields, path.get(..dot)?)?, path.get(dot + 1..)?));
            get(fields, path).is_some() || dots.filter_map(below).any(|found| found)
        }
    }
}

/// The first list that lies on the way to a field, with the path to it.
fn lists_on<'a>(value: &'a Json, path: &str) -> Option<(String, &'a [Json])> {
    let dots: Vec<usize> = path.match_indices('.').map(|(dot, _)| dot).collect();
    dots.into_iter().find_map(|dot| {
        let prefix = path.get(..dot)?;
        match lookup(value, prefix).as_slice() {
            [Json::List(values)] => Some((prefix.to_owned(), values.as_slice())),
            _ => None,
        }
    })
}

/// As in JSON elsewhere, the last of several fields of one name counts.
fn get<'a>(fields: &'a [(String, Json)], name: &str) -> Option<&'a Json> {
    fields.iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
}

/// The field of the records whose name is most like `wanted`, if one is like it.
pub(super) fn nearest(records: &[Json], wanted: &str) -> Option<String> {
    let mut names = BTreeSet::new();
    // Records of one file are alike; this only makes a message.
    for record in records.iter().take(50) {
        collect(record, "", &mut names);
    }
    let lower = wanted.to_lowercase();
    let likeness = |name: &String| {
        let whole = strsim::jaro_winkler(&lower, &name.to_lowercase());
        let last = name.rsplit('.').next().unwrap_or(name);
        // The last name alone says less than the whole path.
        whole.max(strsim::jaro_winkler(&lower, &last.to_lowercase()) - 0.05)
    };
    let best = names.into_iter().map(|name| (likeness(&name), name));
    let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))?;
    (best.0 > 0.75).then_some(best.1)
}

fn collect(value: &Json, prefix: &str, names: &mut BTreeSet<String>) {
    match value {
        Json::Object(fields) => {
            for (name, value) in fields {
                if names.len() >= MOST_NAMES {
                    return;
                }
                let path =
                    if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                collect(value, &path, names);
                names.insert(path);
            }
        }
        Json::List(values) => values.iter().take(3).for_each(|value| collect(value, prefix, names)),
        Json::Null | Json::Text(_) => {}
    }
}
