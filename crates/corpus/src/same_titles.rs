//! Documents with one title: what tells their paths apart is made part of it.
//!
//! `biology/rules.md` and `physics/rules.md` are both called "Laboratory rules", and only their folders
//! say whose rules they are. In the titles, "Laboratory rules (biology)", the folders are found,
//! embedded and shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::Document;
use crate::table::is_year;

/// Stands between a file and the name of a record in it.
const RECORD: char = '#';
/// Names of files that say nothing besides their folders.
const INDEXES: &[&str] = &["_index", "default", "index", "readme"];
/// So many parts of a path tell it apart from others; more would drown the title.
const MOST_PARTS: usize = 3;

/// What counts of a document here.
#[derive(Clone, Copy, Debug)]
pub struct Titled<'a> {
    /// Its path.
    pub path: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> From<&'a Document> for Titled<'a> {
    fn from(document: &'a Document) -> Self {
        Self { path: &document.path, title: &document.title, text: &document.text }
    }
}

/// Documents that have one title and different texts, by their places, a group for each title.
///
/// Records of one file are told apart by their fields, and copies of one text need not be. Of
/// the editions of one document the `older` ones stay out.
pub fn same_titles(documents: &[Titled<'_>], older: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, document) in documents.iter().enumerate() {
        if !older.contains(&place) && !document.path.contains(RECORD) {
            groups.entry(document.title.trim().to_lowercase()).or_default().push(place);
        }
    }
    let differ = |group: &Vec<usize>| {
        let texts: BTreeSet<&str> = group.iter().map(|place| documents[*place].text).collect();
        texts.len() > 1
    };
    groups.into_values().filter(differ).collect()
}

/// Adds to each title that several documents have what tells their paths apart. Gives back the titles as they were, by the
/// documents' places.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use campanile_corpus::{Document, tell_apart};
///
/// let rules = |path: &str| Document {
///     path: path.into(),
///     title: "Rules".into(),
///     text: path.into(),
///     ..Document::default()
/// };
/// let mut documents = [rules("biology/rules.md"), rules("bsc-physics/rules.md")];
/// tell_apart(&mut documents, &BTreeSet::new());
/// assert_eq!(documents[0].title, "Rules (biology)");
/// assert_eq!(documents[1].title, "Rules (bsc physics)");
/// ```
pub fn tell_apart(documents: &mut [Document], older: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let mut plain = BTreeMap::new();
    let titled: Vec<Titled<'_>> = documents.iter().map(Titled::from).collect();
    for group in same_titles(&titled, older) {
        let paths: Vec<&str> = group.iter().map(|place| documents[*place].path.as_str()).collect();
        let labels = labels(&paths);
        for (place, label) in group.into_iter().zip(labels) {
            if let Some(document) = documents.get_mut(place).filter(|_| !label.is_empty()) {
                let titled = format!("{} ({label})", document.title.trim());
                plain.insert(place, std::mem::replace(&mut document.title, titled));
            }
        }
    }
    plain
}

/// What tells each path from the others, in words: the folders that not all of them have, and the file's name where
/// folders do not.
fn labels(paths: &[&str]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = paths.iter().map(|path| parts(path)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for own in &parts {
        let distinct: BTreeSet<&str> = own.iter().copied().collect();
        distinct.into_iter().for_each(|part| *counts.entry(part).or_default() += 1);
    }
    let is_own = |part: &&&str| counts.get(**part).is_some_and(|count| *count < paths.len());
    let label = |parts: &[&str]| {
        let own = parts.iter().filter(is_own).filter(|part| !is_code(part));
        let own: Vec<String> = own.map(|part| words(part)).collect();
        own[own.len().saturating_sub(MOST_PARTS)..].join(", ")
    };
    let folders: Vec<String> =
        parts.iter().map(|own| label(&own[..own.len().saturating_sub(1)])).collect();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    folders.iter().for_each(|label| *known.entry(label).or_default() += 1);
    let whole = |(own, folders): (&Vec<&str>, &String)| match known.get(folders.as_str()) {
        Some(1) => folders.clone(),
        _ => label(own),
    };
    parts.iter().zip(&folders).map(whole).collect()
}

/// The folders of a path, and last the file's name without its ending; empty for an index page.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(file) = parts.last_mut() {
        let stem = file.rsplit_once('.').map_or(*file, |(stem, _)| stem);
        let is_index = INDEXES.iter().any(|name| name.eq_ignore_ascii_case(stem));
        *file = if is_index { "" } else { stem };
    }
    parts
}

/// `p001` and `14178995`, which tell a reader nothing; `2024-25` and `ws24` do.
fn is_code(name: &str) -> bool {
    let has_year = name.split(|c: char| !c.is_ascii_digit()).any(is_year);
    let has_word =
        name.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(1).is_some());
    name.contains(|c: char| c.is_ascii_digit()) && !has_year && !has_word
}

/// A name of a folder or a file in words.
fn words(name: &str) -> String {
    let words = name.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '+'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::tell_apart;
    use crate::Document;

    /// Cases: what each shows, documents as `path|title|text`, their titles afterwards.
    type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

    const CASES: &[Case] = &[
        (
            "folders, nested and unlike",
            &[
                "a/bio_lab/x/rules.md|Rules|1",
                "a/Prüfungsamt/x/rules.md|rules|2",
                "a/fees.md|Fees|3",
            ],
            &["Rules (bio lab)", "rules (Prüfungsamt)", "Fees"],
        ),
        (
            "index pages, one above the others",
            &["index.html|Home|1", "de/index.html|Home|2", "fr/start/README.md|Home|3"],
            &["Home", "Home (de)", "Home (fr, start)"],
        ),
        (
            "files in one folder, and one elsewhere",
            &["x/exam-a.pdf|Exam|1", "x/exam-b.pdf|Exam|2", "y/exam.pdf|Exam|3"],
            &["Exam (x, exam a)", "Exam (x, exam b)", "Exam (y)"],
        ),
        (
            "records of one file",
            &["courses.csv#1|Physics|1", "courses.csv#2|Physics|2"],
            &["Physics", "Physics"],
        ),
        (
            "names of files that are codes, beside years and terms",
            &[
                "energy/p001.html|Oil crisis|1",
                "energy/p02b.html|Oil crisis|2",
                "14178995/oil.html|Oil crisis|3",
                "2024-25/oil.html|Oil crisis|4",
                "ws24/oil.html|Oil crisis|5",
            ],
            &[
                "Oil crisis (energy)", "Oil crisis (energy)", "Oil crisis", "Oil crisis (2024 25)",
                "Oil crisis (ws24)",
            ],
        ),
        ("copies of one text", &["a/x.md|X|1", "b/x.md|X|1"], &["X", "X"]),
    ];

    #[test]
    fn documents_with_one_title_are_told_apart() {
        for (shows, documents, expected) in CASES {
            let mut documents: Vec<Document> = documents
                .iter()
                .map(|document| {
                    let mut parts = document.split('|').map(str::to_owned);
                    let mut next = || parts.next().unwrap_or_default();
                    Document { path: next(), title: next(), text: next(), ..Document::default() }
                })
                .collect();
            tell_apart(&mut documents, &BTreeSet::new());
            let titles: Vec<&str> =
                documents.iter().map(|document| document.title.as_str()).collect();
            assert_eq!(titles, *expected, "{shows}");
        }
    }

    #[test]
    fn older_editions_stay_out() {
        let fees = |path: &str| Document {
            path: path.to_owned(),
            title: "Fees".to_owned(),
            text: path.to_owned(),
            ..Document::default()
        };
        let mut documents = [fees("2024/fees.md"), fees("2025/fees.md")];
        assert!(tell_apart(&mut documents, &BTreeSet::from([0])).is_empty());
    }
}
