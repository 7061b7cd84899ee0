//! Attributes: names for words that stand in the page, such as `{deadline}`.

use std::collections::BTreeMap;

use campanile_corpus::metadata::Field;

/// Bytes that attributes put into one page, all together.
// Each may hold others that were defined before it, so that a few lines could make a text without end.
const MOST_EXPANDED: usize = 1_000_000;
/// The longest name of an attribute.
const NAME_BYTES: usize = 80;

/// Characters that have a name because they are marks elsewhere.
const CHARACTERS: &[(&str, &str)] = &[
    ("amp", "&"),
    ("apos", "'"),
    ("asterisk", "*"),
    ("backslash", "\\"),
    ("backtick", "`"),
    ("blank", ""),
    ("brvbar", "¦"),
    ("caret", "^"),
    ("cpp", "C++"),
    ("deg", "°"),
    ("empty", ""),
    ("endsb", "]"),
    ("gt", ">"),
    ("ldquo", "“"),
    ("lsquo", "‘"),
    ("lt", "<"),
    ("nbsp", "\u{a0}"),
    ("plus", "+"),
    ("quot", "\""),
    ("rdquo", "”"),
    ("rsquo", "’"),
    ("sp", " "),
    ("startsb", "["),
    ("tilde", "~"),
    ("two-colons", "::"),
    ("two-semicolons", ";;"),
    ("vbar", "|"),
    ("wj", ""),
    ("zwsp", ""),
];

#[derive(Debug, Default)]
pub(super) struct Attributes {
    values: BTreeMap<String, String>,
    expanded: usize,
}

/// The name and the value of `:name: value`; a name that is taken back has a `!`.
pub(super) fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(':')?;
    let plain = name.trim_matches('!');
    let is_name = !plain.is_empty()
        && plain.len() <= NAME_BYTES
        && plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    (is_name && (value.is_empty() || value.starts_with(' '))).then(|| (name, value.trim()))
}

impl Attributes {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_lowercase(), value.to_owned());
    }

    /// Takes what [`entry`] found.
    pub(super) fn define(&mut self, name: &str, value: &str) {
        if name.starts_with('!') || name.ends_with('!') {
            self.values.remove(&name.trim_matches('!').to_lowercase());
            return;
        }
        if name == "leveloffset" && value.starts_with(['+', '-']) {
            let offset = self.offset() + value.trim_start_matches('+').parse::<i32>().unwrap_or(0);
            return self.set(name, &offset.to_string());
        }
        let value = self.filled(value);
        self.set(name, &value);
    }

    pub(super) fn value(&self, name: &str) -> Option<String> {
        self.values.get(name).filter(|value| !value.is_empty()).cloned()
    }

    pub(super) fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Levels that are added to sections.
    pub(super) fn offset(&self) -> i32 {
        self.values.get("leveloffset").and_then(|offset| offset.parse().ok()).unwrap_or(0)
    }

    /// The attributes that are fields of a document's metadata.
    pub(super) fn of_metadata(&self) -> Vec<(String, String)> {
        let field = |(name, value): (&String, &String)| {
            let name = name.trim_start_matches("page-").replace('-', "_");
            let field = Field::of(&name)?;
            (!matches!(field, Field::Title | Field::Language)).then(|| (name, value.clone()))
        };
        self.values.iter().filter_map(field).collect()
    }

    /// A text with the values of the attributes that it names.
    pub(super) fn filled(&mut self, text: &str) -> String {
        if !text.contains('{') {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let near = behind.get(..behind.floor_char_boundary(NAME_BYTES)).unwrap_or_default();
            let name = near.split_once('}').map(|(name, _)| name);
            let is_escaped = before.ends_with('\\');
            let value = name.filter(|_| !is_escaped).and_then(|name| self.named(name));
            match (name, value) {
                (Some(name), Some(value)) => {
                    self.expanded += value.len();
                    out.push_str(before);
                    out.push_str(&value);
                    rest = behind.get(name.len() + 1..).unwrap_or_default();
                }
                _ => {
                    out.push_str(if is_escaped {
                        before.strip_suffix('\\').unwrap_or(before)
                    } else {
                        before
                    });
                    out.push('{');
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn named(&self, name: &str) -> Option<String> {
        if self.expanded > MOST_EXPANDED {
            return None;
        }
        // `{set:name:value}` and counters show nothing that others refer to.
        if name.starts_with("set:") || name.starts_with("counter2:") {
            return Some(String::new());
        }
        let name = name.to_lowercase();
        let own = self.values.get(&name).cloned();
        let character = || CHARACTERS.iter().find(|(own, _)| *own == name).map(|(_, text)| *text);
        own.or_else(|| character().map(str::to_owned))
    }
}
