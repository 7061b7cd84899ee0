//! Files that a generator lays beside its pages, told by their names and by what is around them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::Beside;
use super::addresses::{Addresses, address};
use crate::discover::{is_machinery, slashed};
use crate::kind::Kind;

/// The folder in which Sphinx keeps the source of each page: `_sources/fees.rst.txt`.
const SOURCES: &str = "_sources";
/// The folder of its style sheets and programs, in which a department's own files may lie as well.
const LOOKS: &str = "_static";
/// What else lies beside those two folders.
const BESIDE_SPHINX: &[&str] =
    &[".buildinfo", "genindex", "genindex.html", "objects.inv", "searchindex.js"];

/// Words in the names of search indexes and of the folders that hold them.
const SEARCH_WORDS: &[&str] = &["hashmap", "lunr", "pagefind", "search", "searchindex"];
/// Words that other lists have in their names as well.
const LIST_WORDS: &[&str] = &["feed", "index", "payload", "tags"];
/// Words in the names of licences.
const LICENCE_WORDS: &[&str] = &["copying", "licence", "license", "licenses", "notice", "ofl"];

/// The end of the name of a list of versions: `versions.json`, `guide_versions.json`.
const VERSIONS: &str = "versions";
/// Folders of templates, from Jekyll, Eleventy and Sphinx.
const TEMPLATES: &[&str] = &["_includes", "_layouts", "_templates", "layouts"];

/// So much of an index tells whether it names pages.
const MOST_BYTES: u64 = 256 * 1024;
/// An index that names fewer of a larger site's pages is something else, such as a list of people.
const FEWEST_PAGES: usize = 2;
/// A text in JSON with so many words is a sentence. The keys and names of an index are shorter.
const SENTENCE_WORDS: usize = 4;

/// The files of a folder that a generator laid beside its pages, in the order of their paths.
///
/// `files` are all of the folder, relative to it.
pub fn laid_beside(root: &Path, files: &[PathBuf]) -> Vec<(PathBuf, Beside)> {
    let paths: Vec<String> = files.iter().map(|path| slashed(path)).collect();
    let is_page = |path: &&String| Kind::of(path) == Some(Kind::Html);
    let pages = paths.iter().filter(is_page).map(String::as_str);
    let site = Site { root, pages: Addresses::of(pages.clone().enumerate()), count: pages.count() };
    let has_pages = site.count > 0;
    let sphinx = site.source_folders(&paths);
    let mut beside = Vec::new();
    let mut of_machinery = BTreeMap::new();
    for (file, path) in files.iter().zip(&paths) {
        let found = if is_version_list(root, path) {
            Some(Beside::Versions)
        } else if is_template(root, path) {
            Some(Beside::Looks)
        } else if !has_pages {
            None
        } else if sphinx.iter().any(|folder| is_copy(path, folder)) {
            Some(Beside::Source)
        } else if site.is_of_looks(path, &sphinx) {
            Some(Beside::Looks)
        } else if site.is_licence(path, &mut of_machinery) {
            Some(Beside::Licence)
        } else if site.is_for_robots(path) {
            Some(Beside::Robots)
        } else if site.is_search_index(path) {
            Some(Beside::SearchIndex)
        } else {
            None
        };
        beside.extend(found.map(|found| (file.clone(), found)));
    }
    beside
}

/// The pages of a folder.
struct Site<'a> {
    root: &'a Path,
    pages: Addresses,
    count: usize,
}

impl Site<'_> {
    /// The folders of sources that belong to pages which are there.
    fn source_folders(&self, paths: &[String]) -> BTreeSet<String> {
        let of_page = paths.iter().filter_map(|path| {
            let (above, below) = split_at_folder(path, SOURCES)?;
            let page = self.pages.at(address(&format!("{above}{}", stem(below))));
            page.map(|_| format!("{above}{SOURCES}/"))
        });
        of_page.collect()
    }

    /// Text in the folder of the pages' looks. What a department laid there for its readers, such as a PDF, is kept.
    fn is_of_looks(&self, path: &str, sphinx: &BTreeSet<String>) -> bool {
        let Some((above, _)) = split_at_folder(path, LOOKS) else { return false };
        let is_text =
            matches!(Kind::of(path), Some(Kind::Html | Kind::Json | Kind::Markdown | Kind::Text));
        let folder = self.root.join(above);
        let has_sources = sphinx.contains(&format!("{above}{SOURCES}/"));
        is_text && (has_sources || BESIDE_SPHINX.iter().any(|name| folder.join(name).exists()))
    }

    /// `bootstrap.js.LICENSE.txt`, and `fonts/OFL.txt` among nothing but fonts.
    fn is_licence(&self, path: &str, of_machinery: &mut BTreeMap<String, bool>) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_text = matches!(Kind::of(path), Some(Kind::Markdown | Kind::Text));
        if !is_text || !name_words(name).any(|word| LICENCE_WORDS.contains(&word.as_str())) {
            return false;
        }
        let before = name.to_lowercase();
        let before = before.split(".licen").next().filter(|before| before.len() < name.len());
        if before.is_some_and(|before| is_machinery(&ending(before))) {
            return true;
        }
        let looks_at = || self.holds_machinery(folder);
        !folder.is_empty() && *of_machinery.entry(folder.to_owned()).or_insert_with(looks_at)
    }

    /// Returns `true` for a folder of programs and fonts, with at most a licence for each beside them.
    fn holds_machinery(&self, folder: &str) -> bool {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return false };
        let names = entries.flatten().filter(|entry| entry.path().is_file());
        let names = names.map(|entry| entry.file_name().to_string_lossy().to_lowercase());
        let (machinery, others): (Vec<_>, Vec<_>) =
            names.partition(|name| is_machinery(&ending(name)));
        let is_licence =
            |name: &String| name_words(name).any(|word| LICENCE_WORDS.contains(&word.as_str()));
        !machinery.is_empty() && others.iter().all(is_licence)
    }

    /// `robots.txt` with its rules, and `sitemap.txt` with nothing but addresses, beside a page.
    fn is_for_robots(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_line: fn(&str) -> bool = match name {
            "robots.txt" => |line| line.contains(':') || line.starts_with('#'),
            "sitemap.txt" => |line| line.starts_with("https://") || line.starts_with("http://"),
            _ => return false,
        };
        let text = beginning(&self.root.join(path)).unwrap_or_default();
        let is_start = self.pages.at(folder).is_some();
        is_start && text.lines().map(str::trim).all(|line| line.is_empty() || is_line(line))
    }

    /// JSON that is named like the index of a search, and leads to the pages or holds no text of its own.
    fn is_search_index(&self, path: &str) -> bool {
        if Kind::of(path) != Some(Kind::Json) {
            return false;
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let around = folder.rsplit('/').next().unwrap_or_default();
        let words: Vec<String> = name_words(name).chain(name_words(around)).collect();
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let is_of_search = has(SEARCH_WORDS);
        if !is_of_search && !has(LIST_WORDS) {
            return false;
        }
        if holds_nothing(&self.root.join(path)) {
            return true;
        }
        let Some(strings) = strings(&self.root.join(path)) else { return false };
        let named: BTreeSet<usize> =
            strings.iter().filter_map(|text| self.named_page(path, text)).collect();
        let has_sentence =
            || strings.iter().any(|text| text.split_whitespace().count() >= SENTENCE_WORDS);
        named.len() >= FEWEST_PAGES.min(self.count) || (is_of_search && !has_sentence())
    }

    /// The page that a string in an index names: from the top of the site, or from the index's folder.
    fn named_page(&self, path: &str, text: &str) -> Option<usize> {
        // The empty address is the start page, and any empty string too.
        if text.is_empty() || text.contains(char::is_whitespace) {
            return None;
        }
        let from_top = format!("/{}", text.trim_start_matches(['.', '/']));
        self.pages.target(path, text).or_else(|| match text.contains("://") {
            true => None,
            false => self.pages.target(path, &from_top),
        })
    }
}

/// A list of versions whose folders lie beside it: `versions.json` of mike and Docusaurus.
fn is_version_list(root: &Path, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !name.strip_suffix(".json").is_some_and(|stem| stem.ends_with(VERSIONS)) {
        return false;
    }
    let folder = root.join(folder);
    let strings = strings(&root.join(path)).unwrap_or_default();
    let is_name = |text: &&String| {
        let mut parts = Path::new(text.as_str()).components();
        matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
    };
    let kept = name.replace(".json", "_versioned_docs").replace("versions_", "");
    let is_there = |version: &String| {
        folder.join(version).is_dir()
            || folder.join(&kept).join(format!("version-{version}")).is_dir()
    };
    let has_sentence = strings.iter().any(|text| text.split_whitespace().count() >= SENTENCE_WORDS);
    !has_sentence && strings.iter().filter(is_name).any(is_there)
}

/// A template in a folder of templates, with the marks that a generator fills in: `_layouts/page.html`.
fn is_template(root: &Path, path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    Kind::of(path) == Some(Kind::Html)
        && folders.split('/').any(|folder| TEMPLATES.contains(&folder))
        && beginning(&root.join(path))
            .is_some_and(|text| text.contains("{{") || text.contains("{%"))
}

/// JSON of nothing but empty lists and objects.
fn holds_nothing(path: &Path) -> bool {
    fn is_empty(value: &Value) -> bool {
        match value {
            Value::Array(values) => values.iter().all(is_empty),
            Value::Object(fields) => fields.values().all(is_empty),
            Value::Null => true,
            Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }
    let value = beginning(path).and_then(|text| serde_json::from_str(&text).ok());
    value.as_ref().is_some_and(is_empty)
}

/// A path in a folder of this name: what is above the folder, and what is in it.
fn split_at_folder<'a>(path: &'a str, folder: &str) -> Option<(&'a str, &'a str)> {
    let mut places = path.match_indices(folder).map(|(at, _)| at);
    let at = places.find(|at| {
        let is_start = *at == 0 || path[..*at].ends_with('/');
        is_start && path[at + folder.len()..].starts_with('/')
    })?;
    Some((&path[..at], &path[at + folder.len() + 1..]))
}

/// The name of a page in the name of its source: `fees` in `fees.rst.txt`.
fn stem(source: &str) -> &str {
    let stem = source.strip_suffix(".txt").unwrap_or(source);
    let file = stem.rfind('/').map_or(0, |slash| slash + 1);
    stem[file..].rfind('.').map_or(stem, |dot| &stem[..file + dot])
}

/// Returns `true` for the text of a page's source in such a folder.
fn is_copy(path: &str, folder: &str) -> bool {
    let is_text =
        matches!(Kind::of(path), Some(Kind::Text | Kind::Markdown | Kind::Rst | Kind::Notebook));
    is_text && path.starts_with(folder)
}

/// The ending of a name, with its dot.
fn ending(name: &str) -> String {
    name.rfind('.').map_or_else(String::new, |dot| name[dot..].to_owned())
}

/// The words of a file's name without its ending, in small letters.
fn name_words(name: &str) -> impl Iterator<Item = String> + '_ {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.split(|character: char| !character.is_alphabetic())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// The strings at the beginning of a file of JSON. What is cut off at the end does not matter here.
fn strings(path: &Path) -> Option<Vec<String>> {
    let text = beginning(path)?;
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((_, tail)) = rest.split_once('"') {
        let mut is_escaped = false;
        let end = tail.find(|character: char| {
            let ends = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end else { break };
        found.push(tail[..end].replace("\\/", "/"));
        rest = &tail[end + 1..];
    }
    Some(found)
}

/// The beginning of a file's text; `None` where it cannot be read.
fn beginning(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
