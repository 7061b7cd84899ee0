//! The rules of the settings: which documents they match, and what they say about them.

use std::collections::BTreeMap;
use std::fmt;

use campanile_ingest::json_of_toml;
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use thiserror::Error;

/// The most that a pattern may take when compiled.
const PATTERN_BYTES: usize = 1 << 20;

/// One `[[rules]]`, as it is written.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RuleTable {
    /// A glob or a folder.
    #[serde(rename = "match")]
    matches: Option<String>,
    /// A regular expression over file names, whose named groups are fields.
    pattern: Option<String>,
    /// Where it begins in the settings' text, in bytes.
    #[serde(skip)]
    start: Option<usize>,
    /// Its line in the settings, from 1.
    #[serde(skip)]
    line: Option<usize>,
    /// The fields that the rule sets.
    #[serde(flatten)]
    fields: BTreeMap<String, toml::Value>,
}

/// Reads `[[rules]]`, keeping where each begins.
pub fn spanned<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RuleTable>, D::Error> {
    let tables = Vec::<toml::Spanned<RuleTable>>::deserialize(deserializer)?;
    let table = |spanned: toml::Spanned<RuleTable>| {
        let start = Some(spanned.span().start);
        RuleTable { start, ..spanned.into_inner() }
    };
    Ok(tables.into_iter().map(table).collect())
}

impl RuleTable {
    /// Tells the rule its line in the text that it was read from.
    pub fn find_line(&mut self, text: &str) {
        let before = self.start.and_then(|start| text.get(..start));
        self.line = before.map(|before| before.matches('\n').count() + 1);
    }
}

/// Which rule, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulePlace {
    /// Its place among the rules, from 1.
    pub number: usize,
    /// Its line in the settings, from 1, where that is known.
    pub line: Option<usize>,
    /// The pattern as it was written.
    pub matches: String,
}

impl fmt::Display for RulePlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line.map(|line| format!("line {line}, ")).unwrap_or_default();
        write!(formatter, "rule {} ({line}`{}`)", self.number, self.matches)
    }
}

/// The rules, ready to be matched.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    place: RulePlace,
    glob: Option<GlobMatcher>,
    pattern: Option<Regex>,
    fields: BTreeMap<String, Value>,
}

/// A rule that matches a document.
pub struct Match<'a> {
    /// Which rule.
    pub place: &'a RulePlace,
    /// The fields that it sets.
    pub fields: BTreeMap<String, Value>,
}

/// Why a rule cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{rule}{problem}")]
pub struct MetadataConfigError {
    /// The rule, by its number and line.
    pub rule: String,
    /// The fault, in words that follow the rule's name.
    pub problem: String,
}

impl Rules {
    /// Compiles the rules.
    ///
    /// # Errors
    /// A rule without `match` and `pattern`, and a glob or pattern that is not valid or too large.
    pub fn compile(tables: &[RuleTable]) -> Result<Self, MetadataConfigError> {
        let rule = |(index, table): (usize, &RuleTable)| compile(index + 1, table);
        Ok(Self { rules: tables.iter().enumerate().map(rule).collect::<Result<_, _>>()? })
    }

    /// The rules that match a document, in their order.
    pub fn matching<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Match<'a>> {
        self.rules.iter().filter_map(move |rule| {
            let fields = rule.on(path)?;
            Some(Match { place: &rule.place, fields })
        })
    }

    /// The rules that match none of the documents.
    pub fn idle(&self, paths: &[&str]) -> impl Iterator<Item = &RulePlace> {
        let is_idle = |rule: &&Rule| paths.iter().all(|path| rule.on(path).is_none());
        self.rules.iter().filter(is_idle).map(|rule| &rule.place)
    }

    /// The names of all fields that rules state.
    pub fn field_names(&self) -> impl Iterator<Item = (&RulePlace, &str)> {
        self.rules.iter().flat_map(|rule| {
            let captured = rule.pattern.iter().flat_map(Regex::capture_names).flatten();
            let stated = rule.fields.keys().map(String::as_str);
            stated.chain(captured).map(move |name| (&rule.place, name))
        })
    }
}

impl Rule {
    /// The fields that the rule sets for a document; `None` if it does not match. A rule about a file of
    /// records is about each of them.
    fn on(&self, path: &str) -> Option<BTreeMap<String, Value>> {
        let matches = |glob: &GlobMatcher| with_files(path).any(|path| glob.is_match(path));
        if self.glob.as_ref().is_some_and(|glob| !matches(glob)) {
            return None;
        }
        let mut fields = self.fields.clone();
        if let Some(pattern) = &self.pattern {
            let looks_at_path = pattern.as_str().contains('/');
            let name = path.rsplit('/').next().unwrap_or(path);
            let captures = pattern.captures(if looks_at_path { path } else { name })?;
            for field in pattern.capture_names().flatten() {
                if let Some(found) = captures.name(field) {
                    fields.insert(field.to_owned(), Value::String(found.as_str().to_owned()));
                }
            }
        }
        Some(fields)
    }
}

/// A document's path, and for a record (`rooms.csv#3`) the files that it may be of.
pub fn with_files(path: &str) -> impl Iterator<Item = &str> {
    let files = path.rmatch_indices('#').filter_map(|(end, _)| path.get(..end));
    std::iter::once(path).chain(files)
}

fn compile(number: usize, table: &RuleTable) -> Result<Rule, MetadataConfigError> {
    let line = table.line;
    let named = || match line {
        Some(line) => format!("rule {number} (line {line})"),
        None => format!("rule {number}"),
    };
    let wrong = |problem| MetadataConfigError { rule: named(), problem };
    let invalid = |reason: String| wrong(format!(": {reason}"));
    let glob = table.matches.as_deref().map(glob).transpose().map_err(invalid)?;
    let pattern = table.pattern.as_deref().map(pattern).transpose().map_err(invalid)?;
    if glob.is_none() && pattern.is_none() {
        let problem = " has neither `match` nor `pattern`: add `match = \"folder/\"`";
        return Err(wrong(problem.to_owned()));
    }
    let written = [table.matches.as_deref(), table.pattern.as_deref()];
    let matches = written.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    Ok(Rule {
        place: RulePlace { number, line, matches },
        glob,
        pattern,
        fields: json_fields(&table.fields),
    })
}

/// A folder (`cs/`) means all below it; a glob without `/` means files of that name anywhere, as in
/// `.gitignore`. Case does not count, since it does not on every system.
fn glob(written: &str) -> Result<GlobMatcher, String> {
    let path = written.trim_start_matches("./").trim_start_matches('/');
    let glob = match path.strip_suffix('/') {
        Some(folder) => format!("{folder}/**"),
        None if path.contains('/') => path.to_owned(),
        None => format!("**/{path}"),
    };
    GlobBuilder::new(&glob)
        .literal_separator(true)
        .case_insensitive(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| format!("`match = \"{written}\"` is no glob ({})", error.kind()))
}

fn pattern(written: &str) -> Result<Regex, String> {
    RegexBuilder::new(written).size_limit(PATTERN_BYTES).build().map_err(|error| {
        let reason = error.to_string();
        let last = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("`pattern = '{written}'` is no regular expression ({last})")
    })
}

/// TOML as JSON; dates become text.
pub fn json_fields(table: &BTreeMap<String, toml::Value>) -> BTreeMap<String, Value> {
    table.iter().map(|(name, value)| (name.clone(), json_of_toml(value.clone()))).collect()
}
