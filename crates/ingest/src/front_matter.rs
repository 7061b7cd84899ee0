//! Front matter, in which a page describes itself at its top: YAML between two lines of dashes, TOML between
//! two lines of plus signs (Hugo), or one JSON object. All three become fields with values as JSON knows them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use serde_yaml_ng::Value as Yaml;

use crate::head_lines;
use crate::report::Report;
use crate::sanitize::{clean_line, safe_target};

/// The front matter of a page.
#[derive(Debug, Default)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    /// Everything, as far as it can be used.
    pub(crate) metadata: BTreeMap<String, Value>,
}

impl FrontMatter {
    /// A value of one line that the page states under a name.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        if name == "title" {
            return self.title.clone();
        }
        self.metadata.get(name).and_then(line)
    }
}

/// Parts a page into front matter and body. Broken front matter is reported and left out, but for
/// a `title:` or `link:` that can be read from its line alone.
pub(crate) fn split<'a>(source: &'a str, report: &mut Report) -> (FrontMatter, &'a str) {
    if let Some((object, body)) = json_object(source) {
        return (fields(cleaned_fields(object, report), report), body);
    }
    let (text, body, is_toml) = match (fenced(source, "---"), fenced(source, "+++")) {
        (Some((text, body)), _) => (text, body, false),
        (None, Some((text, body))) => (text, body, true),
        (None, None) => return plain_lines(source, report),
    };
    let Some(body) = body else {
        let mark = if is_toml { "+++" } else { "---" };
        report.front_matter = Some((1, format!("it has no closing `{mark}` line")));
        return (FrontMatter::default(), source);
    };
    let front_matter = if is_toml { toml(text, report) } else { yaml(text, report) };
    (front_matter, body)
}

/// Fields in plain lines at the top of a page, as Pelican and Nikola have them.
fn plain_lines<'a>(source: &'a str, report: &mut Report) -> (FrontMatter, &'a str) {
    let Some((stated, body)) = head_lines::split(source) else {
        return (FrontMatter::default(), source);
    };
    let mut all: Vec<(String, Value)> = Vec::new();
    for (name, value) in stated.into_iter().filter(|(_, value)| !value.is_empty()) {
        if name == "status" {
            report.unpublished = unpublished_status(&value);
        }
        all.push((name, Value::String(clean_line(&value, report))));
    }
    let unpublished = report.unpublished.take();
    let front_matter = fields(all, report);
    report.unpublished = report.unpublished.take().or(unpublished);
    (front_matter, body)
}

/// What a page says that keeps it out of its site's lists (`hidden`) or off the site (`draft`, `private`).
pub(crate) fn unpublished_status(status: &str) -> Option<String> {
    let status = status.to_lowercase();
    matches!(status.as_str(), "draft" | "hidden" | "private").then(|| format!("status: {status}"))
}

fn yaml(text: &str, report: &mut Report) -> FrontMatter {
    match serde_yaml_ng::from_str::<Yaml>(text) {
        Ok(Yaml::Mapping(mapping)) => fields(yaml_fields(mapping, report), report),
        Ok(Yaml::Null) => FrontMatter::default(),
        Ok(_) => {
            report.front_matter = Some((2, "it is no list of `name: value` lines".to_owned()));
            FrontMatter::default()
        }
        Err(error) => {
            // The dashes above are line 1 of the file.
            let line = error.location().map_or(1, |location| location.line()) + 1;
            report.front_matter = Some((line, error.to_string()));
            salvaged(text, ':', report)
        }
    }
}

fn toml(text: &str, report: &mut Report) -> FrontMatter {
    match toml_table(text) {
        Ok(table) => fields(cleaned_fields(table, report), report),
        Err((line, reason)) => {
            report.front_matter = Some((line + 1, reason));
            salvaged(text, '=', report)
        }
    }
}

/// Returns what stands between two lines of marks, and what follows; no body if the second is missing.
fn fenced<'a>(source: &'a str, mark: &str) -> Option<(&'a str, Option<&'a str>)> {
    let (first, rest) = source.split_once('\n')?;
    if first.trim_end() != mark {
        return None;
    }
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        let end = line.trim_end();
        // YAML ends a document with `...` too.
        if end == mark || (mark == "---" && end == "...") {
            return Some((rest.get(..length)?, rest.get(length + line.len()..)));
        }
        length += line.len();
    }
    // A page may open with a rule: only what looks like a field was meant as front matter.
    let second = rest.lines().next().unwrap_or_default();
    let name = second.split_once([':', '=']).map(|(name, _)| name.trim_end());
    let looks_like_field = name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    });
    looks_like_field.then_some((rest, None))
}

fn fields(all: Vec<(String, Value)>, report: &mut Report) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    for (name, value) in all {
        match (name.as_str(), value) {
            ("title", value) => {
                front_matter.title = line(&value);
                // Stated here, it is stronger than what sidecars and settings say.
                front_matter
                    .metadata
                    .extend(front_matter.title.clone().map(|it| (name, it.into())));
            }
            ("link", value) => {
                front_matter.link = link(&value, report);
                front_matter.metadata.extend(front_matter.link.clone().map(|it| (name, it.into())));
            }
            (_, value) => {
                front_matter.metadata.insert(name, value);
            }
        }
    }
    let says =
        |name: &str, truth: bool| front_matter.metadata.get(name) == Some(&Value::Bool(truth));
    // As Hugo, Jekyll and Docusaurus call it, in this order.
    report.unpublished = [("draft", true), ("published", false), ("unlisted", true)]
        .into_iter()
        .find(|(name, truth)| says(name, *truth))
        .map(|(name, truth)| format!("{name}: {truth}"));
    permalink(&mut front_matter);
    front_matter
}

/// The address that Jekyll calls `permalink`, Hugo `url` and Docusaurus `slug`. It is a link of its
/// own only if it is whole: where the site lies is not known here.
fn permalink(front_matter: &mut FrontMatter) {
    let names = ["permalink", "url", "slug"];
    let Some(address) = names.iter().find_map(|name| front_matter.value(name)) else {
        return;
    };
    let is_whole = address.starts_with("https://") || address.starts_with("http://");
    if is_whole && front_matter.link.is_none() {
        front_matter.link = Some(address.clone());
    }
    front_matter.metadata.entry("permalink".to_owned()).or_insert(Value::String(address));
}

fn link(value: &Value, report: &mut Report) -> Option<String> {
    report.safe_link(&line(value)?)
}

/// A title may be written as a number or a date.
fn line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Title and link from lines that say no more than that. The commonest slip, `title: A: B`, is
/// clear to a reader if not to YAML.
fn salvaged(source: &str, sign: char, report: &mut Report) -> FrontMatter {
    let mut value = |name: &str| {
        let value = |line: &'_ str| -> Option<String> {
            Some(line.strip_prefix(name)?.trim_start().strip_prefix(sign)?.to_owned())
        };
        let text = source.lines().find_map(value)?;
        let text = text.trim().trim_matches(['"', '\'']);
        // YAML would read more than the line behind one of these signs.
        let is_plain = !text.is_empty() && !text.starts_with(['|', '>', '[', '{', '&', '*', '!']);
        is_plain.then(|| clean_line(text, report))
    };
    FrontMatter {
        title: value("title"),
        link: value("link").and_then(|link| safe_target(&link).map(str::to_owned)),
        metadata: BTreeMap::new(),
    }
}

fn yaml_fields(mapping: serde_yaml_ng::Mapping, report: &mut Report) -> Vec<(String, Value)> {
    let mut field = |(key, value)| {
        let name = match json(key, report) {
            Value::String(name) => name,
            other => other.to_string(),
        };
        (name, json(value, report))
    };
    mapping.into_iter().map(&mut field).collect()
}

/// YAML as JSON: names become strings, tags are dropped, what JSON cannot say becomes a string.
/// The YAML parser bounds the depth.
fn json(value: Yaml, report: &mut Report) -> Value {
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(truth) => Value::Bool(truth),
        Yaml::Number(number) => {
            serde_json::to_value(&number).unwrap_or_else(|_| Value::String(number.to_string()))
        }
        Yaml::String(text) => Value::String(clean_line(&text, report)),
        Yaml::Sequence(values) => {
            Value::Array(values.into_iter().map(|value| json(value, report)).collect())
        }
        Yaml::Mapping(mapping) => Value::Object(yaml_fields(mapping, report).into_iter().collect()),
        Yaml::Tagged(tagged) => json(tagged.value, report),
    }
}

/// A table of TOML; otherwise the line, from 1, and what is wrong with it.
fn toml_table(text: &str) -> Result<Map<String, Value>, (usize, String)> {
    match toml::from_str::<toml::Table>(text) {
        Ok(table) => {
            Ok(table.into_iter().map(|(name, value)| (name, json_of_toml(value))).collect())
        }
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start);
            let before = text.get(..start.min(text.len())).unwrap_or_default();
            Err((before.matches('\n').count() + 1, error.message().to_owned()))
        }
    }
}

/// TOML as JSON; dates become text.
// The parser bounds the depth.
pub fn json_of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(values) => values.into_iter().map(json_of_toml).collect(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(name, value)| (name, json_of_toml(value))).collect()
        }
    }
}

/// The object that a page begins with, and what follows it on the lines below.
fn json_object(source: &str) -> Option<(Map<String, Value>, &str)> {
    // Other braces at the top of a page are a template's.
    if !source.starts_with("{\n") && !source.starts_with("{\"") {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(source).into_iter::<Value>();
    let Some(Ok(Value::Object(object))) = values.next() else {
        return None;
    };
    let body = source.get(values.byte_offset()..)?;
    // What goes on in the line of the last brace is text that begins with an example.
    (body.is_empty() || body.starts_with('\n')).then_some((object, body))
}

fn cleaned_fields(fields: Map<String, Value>, report: &mut Report) -> Vec<(String, Value)> {
    let mut field =
        |(name, value): (String, Value)| (clean_line(&name, report), cleaned(value, report));
    fields.into_iter().map(&mut field).collect()
}

fn cleaned(value: Value, report: &mut Report) -> Value {
    match value {
        Value::String(text) => Value::String(clean_line(&text, report)),
        Value::Array(values) => values.into_iter().map(|value| cleaned(value, report)).collect(),
        Value::Object(fields) => cleaned_fields(fields, report).into_iter().collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::split;
    use crate::report::Report;

    #[test]
    fn fields_are_read_and_the_rest_kept() {
        let source = "---\ntitle: 2024\nlink: https://x.edu/a\ntags: [a, 1, 1.5, null]\n7: yes\n\
                      due: 2024-05-01\nat: !custom {x: .inf}\n---\n# Body\n";
        let mut report = Report::default();
        let (found, body) = split(source, &mut report);
        assert_eq!(body, "# Body\n");
        assert_eq!(found.title.as_deref(), Some("2024"));
        assert_eq!(found.link.as_deref(), Some("https://x.edu/a"));
        let metadata = json!(found.metadata);
        assert_eq!(metadata["tags"], json!(["a", 1, 1.5, null]));
        assert_eq!(metadata["title"], json!("2024"));
        assert_eq!(metadata["link"], json!("https://x.edu/a"));
        assert_eq!(metadata["due"], json!("2024-05-01"));
        assert_eq!(metadata["7"], json!("yes"));
        assert!(report.front_matter.is_none());
    }

    #[test]
    fn toml_and_json_say_the_same() {
        let pages = [
            "+++\ntitle = \"A\"\ndate = 2024-05-01\ntags = [\"x\", 1.5]\nurl = \"/a/\"\n[params]\nx = true\n+++\nBody",
            "{\n  \"title\": \"A\", \"date\": \"2024-05-01\", \"tags\": [\"x\", 1.5],\n  \"url\": \"/a/\", \"params\": {\"x\": true}\n}\nBody",
            "---\ntitle: A\ndate: 2024-05-01\ntags: [x, 1.5]\nurl: /a/\nparams: {x: true}\n---\nBody",
        ];
        for source in pages {
            let mut report = Report::default();
            let (found, body) = split(source, &mut report);
            assert_eq!(
                (found.title.as_deref(), body.trim_start()),
                (Some("A"), "Body"),
                "{source}"
            );
            let expected = json!({
                "title": "A", "date": "2024-05-01", "tags": ["x", 1.5], "url": "/a/", "permalink": "/a/", "params": {"x": true}
            });
            assert_eq!(json!(found.metadata), expected, "{source}");
            assert!(found.link.is_none() && report.front_matter.is_none());
        }
    }

    #[test]
    fn an_address_of_its_own_is_a_link_if_it_is_whole() {
        let link =
            |field: &str| split(&format!("---\n{field}\n---\n"), &mut Report::default()).0.link;
        assert_eq!(link("permalink: https://x.edu/a").as_deref(), Some("https://x.edu/a"));
        assert_eq!(link("permalink: /a/"), None);
        assert_eq!(link("url: javascript:x"), None);
    }

    #[test]
    fn a_page_may_say_that_it_is_not_published() {
        for (field, reason) in [
            ("draft: true", Some("draft: true")),
            ("published: false", Some("published: false")),
            ("unlisted: true", Some("unlisted: true")),
            ("draft: false", None),
            ("published: true", None),
            ("draft: \"true\"", None),
        ] {
            let mut report = Report::default();
            split(&format!("---\n{field}\n---\n"), &mut report);
            assert_eq!(report.unpublished.as_deref(), reason, "{field}");
        }
    }

    /// Source, the line reported, the title kept.
    const BROKEN: &[(&str, usize, Option<&str>)] = &[
        ("---\nlayout: x\ntitle: Leave: paid\n---\nBody", 3, Some("Leave: paid")),
        ("---\ntitle: A\nlist: [1\n---\nBody", 4, Some("A")),
        ("---\ntitle: A\ntitle: B\n---\nBody", 2, Some("A")),
        ("---\n- a\n- b\n---\nBody", 2, None),
        ("---\ntitle: A\n\nBody", 1, None),
        ("+++\ntitle = \"A\"\nx = = 1\n+++\nBody", 3, Some("A")),
        ("+++\ntitle = \"A\"\nBody", 1, None),
    ];

    #[test]
    fn broken_front_matter_is_reported_with_its_line() {
        for (source, line, title) in BROKEN {
            let mut report = Report::default();
            let (found, body) = split(source, &mut report);
            assert!(body.ends_with("Body"), "{source}");
            assert_eq!(report.front_matter.map(|(line, _)| line), Some(*line), "{source}");
            assert_eq!(found.title.as_deref(), *title, "{source}");
        }
    }

    #[test]
    fn what_is_no_front_matter_stays() {
        for source in
            ["---\n\nA rule above.\n", "----\na: b\n---\n", "No dashes", "", "---", "---\n---\n"]
        {
            let mut report = Report::default();
            let (found, body) = split(source, &mut report);
            assert!(found.title.is_none() && report.front_matter.is_none(), "{source}");
            assert!(body == source || source == "---\n---\n", "{source}");
        }
    }

    #[test]
    fn a_bomb_of_aliases_is_refused() {
        let mut source = "---\na0: &a0 [x, x]\n".to_owned();
        for level in 1..60 {
            let before = level - 1;
            source.push_str(&format!("a{level}: &a{level} [*a{before}, *a{before}, *a{before}]\n"));
        }
        source.push_str("---\nBody");
        let mut report = Report::default();
        let (_, body) = split(&source, &mut report);
        assert_eq!(body, "Body");
        assert!(report.front_matter.is_some());
    }
}
