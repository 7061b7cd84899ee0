//! The YAML between two lines of dashes at the top of a page.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_yaml_ng::Value as Yaml;

use crate::address::safe;
use crate::report::Report;
use crate::sanitize::clean_line;

/// What a page says about itself.
#[derive(Debug, Default)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    /// Everything else.
    pub(crate) metadata: BTreeMap<String, Value>,
}

/// Parts a page into front matter and body. Broken front matter is reported and left out, but for
/// a `title:` or `link:` that can be read from its line alone.
pub(crate) fn split<'a>(source: &'a str, report: &mut Report) -> (FrontMatter, &'a str) {
    let Some((yaml, body)) = fenced(source) else {
        return (FrontMatter::default(), source);
    };
    let Some(body) = body else {
        report.front_matter = Some((1, "it has no closing `---` line".to_owned()));
        return (FrontMatter::default(), source);
    };
    let front_matter = match serde_yaml_ng::from_str::<Yaml>(yaml) {
        Ok(Yaml::Mapping(mapping)) => fields(mapping, report),
        Ok(Yaml::Null) => FrontMatter::default(),
        Ok(_) => {
            report.front_matter = Some((2, "it is no list of `name: value` lines".to_owned()));
            FrontMatter::default()
        }
        Err(error) => {
            // The dashes above are line 1 of the file.
            let line = error.location().map_or(1, |location| location.line()) + 1;
            report.front_matter = Some((line, error.to_string()));
            salvaged(yaml, report)
        }
    };
    (front_matter, body)
}

/// The YAML and what follows it; no body if the closing line is missing.
fn fenced(source: &str) -> Option<(&str, Option<&str>)> {
    let (first, rest) = source.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((rest.get(..length)?, rest.get(length + line.len()..)));
        }
        length += line.len();
    }
    // A page may open with a rule: only what looks like a field was meant as front matter.
    let second = rest.lines().next().unwrap_or_default();
    let name = second.split_once(':').map(|(name, _)| name);
    let looks_like_field = name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    });
    looks_like_field.then_some((rest, None))
}

fn fields(mapping: serde_yaml_ng::Mapping, report: &mut Report) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    for (key, value) in mapping {
        let name = match json(key, report) {
            Value::String(name) => name,
            other => other.to_string(),
        };
        match (name.as_str(), json(value, report)) {
            ("title", value) => front_matter.title = line(&value),
            ("link", value) => front_matter.link = link(&value, report),
            (_, value) => {
                front_matter.metadata.insert(name, value);
            }
        }
    }
    front_matter
}

fn link(value: &Value, report: &mut Report) -> Option<String> {
    let link = line(value)?;
    let safe = safe(&link).map(str::to_owned);
    if safe.is_none() {
        report.dropped_links.push(link);
    }
    safe
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
        Yaml::Mapping(mapping) => {
            let entry = |(key, value)| {
                let name = match json(key, report) {
                    Value::String(name) => name,
                    other => other.to_string(),
                };
                (name, json(value, report))
            };
            Value::Object(mapping.into_iter().map(entry).collect())
        }
        Yaml::Tagged(tagged) => json(tagged.value, report),
    }
}

/// Title and link from lines that say no more than that. The commonest slip, `title: A: B`, is
/// clear to a reader if not to YAML.
fn salvaged(yaml: &str, report: &mut Report) -> FrontMatter {
    let mut value = |name: &str| {
        let text = yaml.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let text = text.trim().trim_matches(['"', '\'']);
        let is_plain = !text.is_empty() && !text.starts_with(['|', '>', '[', '{', '&', '*', '!']);
        is_plain.then(|| clean_line(text, report))
    };
    FrontMatter {
        title: value("title"),
        link: value("link").and_then(|link| safe(&link).map(str::to_owned)),
        metadata: BTreeMap::new(),
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
        assert_eq!(metadata["due"], json!("2024-05-01"));
        assert_eq!(metadata["7"], json!("yes"));
        assert!(report.front_matter.is_none());
    }

    /// Source, the line reported, the title kept.
    const BROKEN: &[(&str, usize, Option<&str>)] = &[
        ("---\nlayout: x\ntitle: Leave: paid\n---\nBody", 3, Some("Leave: paid")),
        ("---\ntitle: A\nlist: [1\n---\nBody", 4, Some("A")),
        ("---\ntitle: A\ntitle: B\n---\nBody", 2, Some("A")),
        ("---\n- a\n- b\n---\nBody", 2, None),
        ("---\ntitle: A\n\nBody", 1, None),
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
