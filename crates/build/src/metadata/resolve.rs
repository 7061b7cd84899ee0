//! All that is said about a document, put together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use campanile_corpus::Document;
use campanile_corpus::metadata::{
    Date, Field, FieldValue, Fields, Metadata, MetadataProblem, Names, Organisation,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use thiserror::Error;

use super::Origin;
use super::lint::lint;
use super::rules::{MetadataConfigError, Rules, json_fields, with_files};
use crate::config::Config;

/// Resolves the metadata of documents.
#[derive(Debug, Default)]
pub struct Resolver {
    /// The parts of the university.
    pub organisation: Organisation,
    /// `[[rules]]`.
    pub rules: Rules,
    /// The sidecar files beside the documents.
    pub sidecars: Sidecars,
    defaults: BTreeMap<String, Value>,
}

/// The metadata of one document, and where each value is from.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Put together.
    pub metadata: Metadata,
    /// Each value with its origin.
    pub values: BTreeMap<Field, (FieldValue, Origin)>,
    /// The document's own fields that are not known.
    pub unknown: BTreeMap<String, Value>,
    /// Values that could not be understood.
    pub problems: Vec<Located>,
    /// `true` if something that is said about the document keeps it private, as `draft: true` does.
    pub is_private: bool,
}

/// Fields that keep a page private in tools that publish Markdown. Such a page is left out when it is read; beside a file
/// that has no front matter of its own, a sidecar may say it.
const PRIVATE: [(&str, bool); 4] =
    [("draft", true), ("published", false), ("unlisted", true), ("private", true)];

/// A problem and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Where.
    pub origin: Origin,
    /// What.
    pub problem: MetadataProblem,
}

impl Resolver {
    /// From settings and sidecars.
    ///
    /// # Errors
    /// A rule that cannot be used.
    pub fn new(config: &Config, sidecars: Sidecars) -> Result<Self, MetadataConfigError> {
        Ok(Self {
            organisation: config.organisation.organisation(),
            rules: Rules::compile(&config.rules)?,
            sidecars,
            defaults: json_fields(&config.metadata),
        })
    }

    /// Puts one document's metadata together. `front_matter` is [`campanile_corpus::Document::metadata`].
    pub fn resolve(&self, path: &str, front_matter: &BTreeMap<String, Value>) -> Resolved {
        let mut resolved = Resolved::default();
        resolved.add(&self.defaults, &Origin::Defaults);
        for rule in self.rules.matching(path) {
            resolved.add(&rule.fields, &Origin::Rule(rule.place.clone()));
        }
        for (file, fields) in self.sidecars.about(path) {
            resolved.add(fields, &Origin::Sidecar { path: file.clone() });
        }
        resolved.unknown = resolved.add(front_matter, &Origin::FrontMatter);
        self.complete(&mut resolved);
        resolved
    }

    /// Proper names, and the faculty that follows from the department.
    fn complete(&self, resolved: &mut Resolved) {
        let mut values: BTreeMap<Field, FieldValue> =
            resolved.values.iter().map(|(field, (value, _))| (*field, value.clone())).collect();
        self.organisation.name_properly(&mut values);
        if let (Some(FieldValue::Names(departments)), None) =
            (values.get(&Field::Departments), values.get(&Field::Faculties))
        {
            let faculties = self.organisation.faculties_of(departments);
            if faculties != Names::EVERYBODY {
                values.insert(Field::Faculties, FieldValue::Names(faculties));
            }
        }
        resolved.metadata = Metadata::from_values(&values);
        for (field, value) in values {
            let origin = resolved.values.remove(&field).map(|(_, origin)| origin);
            resolved.values.insert(field, (value, origin.unwrap_or(Origin::Organisation)));
        }
    }
}

impl Resolved {
    /// Returns `true` if nothing that is said about the document keeps its original file from being published.
    pub fn may_be_published(&self) -> bool {
        let stated = self.values.get(&Field::Publish).map(|(value, _)| value);
        // A value that is not understood may have been meant to forbid it.
        let is_unclear =
            self.problems.iter().any(|it| Field::of(&it.problem.field) == Some(Field::Publish));
        !self.is_private && !is_unclear && stated != Some(&FieldValue::Truth(false))
    }

    /// Lets fields override what is there; gives back those that are not known.
    fn add(
        &mut self,
        fields: &BTreeMap<String, Value>,
        origin: &Origin,
    ) -> BTreeMap<String, Value> {
        let read = Fields::read(fields);
        for (field, value) in read.values {
            self.values.insert(field, (value, origin.clone()));
        }
        let located = |problem| Located { origin: origin.clone(), problem };
        self.problems.extend(read.problems.into_iter().map(located));
        let says = |(name, truth): &(&str, bool)| {
            read.unknown.get(*name).is_some_and(|value| *value == Value::Bool(*truth))
        };
        self.is_private |= PRIVATE.iter().any(says);
        read.unknown
    }
}

/// The name, without its extension, of a file that speaks for its folder and all below.
const FOLDER_STEM: &str = "_metadata";

/// Larger sidecars are not read.
const MOST_BYTES: u64 = 1_000_000;

/// The fields of all sidecar files, by folder and by document.
#[derive(Debug, Default)]
pub struct Sidecars {
    /// By folder (empty for the documents' folder): the file, and its fields.
    folders: BTreeMap<String, (String, BTreeMap<String, Value>)>,
    /// By document.
    documents: BTreeMap<String, (String, BTreeMap<String, Value>)>,
    /// The files that could not be used.
    pub errors: Vec<SidecarError>,
}

/// Why a sidecar was left out.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{path}` was left out: {reason}")]
pub struct SidecarError {
    /// The file.
    pub path: String,
    /// The fault, and what is expected instead.
    pub reason: String,
}

impl Sidecars {
    /// Reads the sidecars that were found in the documents' folder.
    pub fn read(docs: &Path, paths: &[PathBuf]) -> Self {
        let mut sidecars = Self::default();
        for path in paths {
            let name = path.to_string_lossy().replace('\\', "/");
            match fields(&docs.join(path), &name) {
                Ok(fields) => sidecars.add(&name, fields),
                Err(reason) => sidecars.errors.push(SidecarError { path: name, reason }),
            }
        }
        sidecars
    }

    /// Adds a sidecar by its path. The first of two about the same thing holds.
    pub fn add(&mut self, name: &str, fields: BTreeMap<String, Value>) {
        let Some((about, _)) = name.rsplit_once('.') else {
            return;
        };
        let (folder, stem) = about.rsplit_once('/').unwrap_or(("", about));
        let (kept, about) = if stem == FOLDER_STEM {
            (&mut self.folders, folder)
        } else {
            (&mut self.documents, about)
        };
        if let Some((first, _)) = kept.get(about) {
            let reason = format!("`{first}` speaks about the same: keep one of them");
            self.errors.push(SidecarError { path: name.to_owned(), reason });
            return;
        }
        kept.insert(about.to_owned(), (name.to_owned(), fields));
    }

    /// The sidecars that speak about a document, the weakest first: those of its folders from the
    /// top down, then its own. The sidecar of a file of records speaks about each of them.
    pub fn about<'a>(
        &'a self,
        document: &'a str,
    ) -> impl Iterator<Item = &'a (String, BTreeMap<String, Value>)> {
        let ends = document.match_indices('/').map(|(end, _)| end);
        let folders = std::iter::once("").chain(ends.filter_map(|end| document.get(..end)));
        let own = with_files(document).find_map(|path| self.documents.get(path));
        folders.filter_map(|folder| self.folders.get(folder)).chain(own)
    }

    /// The sidecars of documents that are not there.
    pub fn orphans<'a>(&'a self, documents: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let is_about = |about: &str, path: &str| with_files(path).any(|file| file == about);
        let is_orphan = move |about: &str| !documents.iter().any(|path| is_about(about, path));
        let orphans = self.documents.iter().filter(move |(about, _)| is_orphan(about));
        orphans.map(|(_, (path, _))| path.as_str())
    }

    /// The names of all fields that sidecars state, with the file.
    pub fn field_names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.folders.values().chain(self.documents.values()).flat_map(|(path, fields)| {
            fields.keys().map(move |name| (path.as_str(), name.as_str()))
        })
    }
}

fn fields(path: &Path, name: &str) -> Result<BTreeMap<String, Value>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err("it is larger than 1 MB; a sidecar has a few lines".to_owned());
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(name, &text)
}

/// Reads a sidecar's text by the end of its name.
pub fn parse(name: &str, text: &str) -> Result<BTreeMap<String, Value>, String> {
    let extension = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    match extension.as_deref() {
        Some("toml") => {
            toml::from_str(text).map(|table| json_fields(&table)).map_err(|error| error.to_string())
        }
        Some("json") => serde_json::from_str(text)
            .map_err(|error| format!("it must be one JSON object ({error})")),
        _ if text.trim().is_empty() => Ok(BTreeMap::new()),
        _ => serde_yaml_ng::from_str(text)
            .map_err(|error| format!("it must be `name: value` lines of YAML ({error})")),
    }
}

/// The metadata of each document, in the documents' order, and what is wrong with it.
pub struct Described {
    /// One for each document.
    pub metadata: Vec<Metadata>,
    /// Values that are not understood, each with its document and where it stands.
    pub problems: Vec<String>,
    /// Whether each document's original file may be published, in the documents' order.
    pub may_be_published: Vec<bool>,
    /// The number of things that look wrong about it, such values among them: what `campanile lint` names.
    pub mistakes: usize,
}

/// The day in UTC; `None` where the machine's clock is not set.
pub fn today() -> Option<Date> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Date::from_unix_days(i64::try_from(seconds / 86_400).ok()?)
}

/// Resolves the metadata of all documents. A stated title or address takes the place of the
/// document's own, and what tells editions apart is told to the step that looks for them.
///
/// # Errors
/// Where a rule in the settings is no rule.
pub fn describe(
    documents: &mut [Document],
    docs: &Path,
    sidecars: &[PathBuf],
    config: &Config,
) -> Result<Described, MetadataConfigError> {
    let resolver = Resolver::new(config, Sidecars::read(docs, sidecars))?;
    // What holds no longer is among them: where the machine knows no day, none is counted.
    let mistakes = today().map_or(0, |today| lint(documents, &resolver, None, today).warnings());
    let metadata = Vec::with_capacity(documents.len());
    let may_be_published = Vec::with_capacity(documents.len());
    let mut described = Described { metadata, problems: Vec::new(), may_be_published, mistakes };
    for document in documents {
        let resolved = resolver.resolve(&document.path, &document.metadata);
        described.problems.extend(resolved.problems.iter().map(|located| {
            format!("`{}`, {}: {}", document.path, located.origin, located.problem)
        }));
        described.may_be_published.push(resolved.may_be_published());
        let metadata = resolved.metadata;
        if let Some(title) = &metadata.title {
            document.title.clone_from(title);
        }
        if let Some(link) = &metadata.link {
            document.link = Some(address_of(link, &document.path));
        }
        tell_editions(document, &metadata);
        described.metadata.push(metadata);
    }
    Ok(described)
}

/// An address in which `{path}` stands for a document's path without its ending, as an address has it.
///
/// Where the address is a folder's, an index page has that of its own folder: so all generators publish it.
fn address_of(link: &str, path: &str) -> String {
    // A name may hold what means something else in an address; the folders' slashes stay.
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path[file..].rfind('.').filter(|&dot| dot > 0).map_or(path.len(), |dot| file + dot);
    let is_index = is_index_page(&path[file..end]);
    let folder = &path[..file];
    let encoded = |path: &str| utf8_percent_encode(path, KEPT).to_string();
    if is_index && link.contains("{path}/") {
        let address = link.replace("{path}/", &encoded(folder));
        return if address.is_empty() { "./".to_owned() } else { address };
    }
    if is_index && link.ends_with("{path}") {
        return link.replace("{path}", &encoded(folder.trim_end_matches('/')));
    }
    link.replace("{path}", &encoded(&path[..end]))
}

fn tell_editions(document: &mut Document, metadata: &Metadata) {
    let replaces = metadata.replaces.iter().cloned().map(Value::String).collect::<Vec<_>>();
    let told = [
        ("date", metadata.date.map(|date| Value::String(date.to_string()))),
        ("series", metadata.series.clone().map(Value::String)),
        ("version", metadata.version.clone().map(Value::String)),
        ("supersedes", (!replaces.is_empty()).then_some(Value::Array(replaces))),
    ];
    for (name, value) in told {
        if let Some(value) = value {
            document.metadata.insert(name.to_owned(), value);
        }
    }
}

/// Returns `true` of the name of a folder's own page, without its ending.
fn is_index_page(name: &str) -> bool {
    ["index", "_index", "readme"].iter().any(|index| name.eq_ignore_ascii_case(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_made_of_a_documents_path() {
        for (link, path, expected) in [
            ("../{path}.html", "guide/questions.md", "../guide/questions.html"),
            (
                "https://docs.example.edu/{path}/",
                "a.b/Prüfung 1?.md",
                "https://docs.example.edu/a.b/Pr%C3%BCfung%201%3F/",
            ),
            ("{path}", "a.b/.hidden", "a.b/.hidden"),
            ("../{path}/", "_index.md", "../"),
            ("../{path}/", "studies/index.mdx", "../studies/"),
            ("../{path}/", "README.md", "../"),
            ("{path}/", "index.md", "./"),
            ("/{path}", "a b/Readme.md", "/a%20b"),
            ("../{path}.html", "studies/index.md", "../studies/index.html"),
            ("../{path}/", "indexes/reindex.md", "../indexes/reindex/"),
            ("https://www.example.edu/rules", "rules.md", "https://www.example.edu/rules"),
        ] {
            assert_eq!(address_of(link, path), expected);
        }
    }
}
