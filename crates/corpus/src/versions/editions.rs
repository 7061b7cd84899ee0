//! Documents whose names differ in a year or a version number only.

use std::collections::BTreeMap;

use super::marks::{Mark, Marked, marked};
use super::{Because, Supersession, neighbours};
use crate::Document;

/// Stands between a file and the name of a record in it.
const RECORD: char = '#';

/// The parts of a name that editions of one document have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    folder: Vec<String>,
    title: Vec<String>,
    /// The file's name, where the marks were found there.
    file: Vec<String>,
    /// The kinds of its marks: a year and a version are not compared.
    kinds: Vec<Kind>,
    /// The record's name in its file, where the document is one of several in a file: `ED 194` and
    /// `ED 211` of a catalogue stand beside each other, neither for the other.
    record: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Year,
    Version,
}

/// Each edition that has a next one.
pub(super) fn found(documents: &[Document]) -> Vec<Supersession> {
    let mut groups: BTreeMap<Name, Vec<(Vec<Mark>, usize)>> = BTreeMap::new();
    for (place, document) in documents.iter().enumerate() {
        if let Some((name, marks)) = name(document) {
            groups.entry(name).or_default().push((marks, place));
        }
    }
    let mut found = Vec::new();
    for members in groups.into_values().filter(|members| members.len() > 1) {
        let all = members.iter().flat_map(|(marks, _)| marks);
        // `2021` alone is ambiguous; beside `2122` and `2223` it is the year 2020-21.
        let is_compact = all.into_iter().any(|mark| matches!(mark, Mark::Compact(_)));
        let mut levels: BTreeMap<Vec<Vec<u32>>, Vec<usize>> = BTreeMap::new();
        let mut shown: BTreeMap<usize, String> = BTreeMap::new();
        for (marks, place) in members {
            let marks: Vec<_> = marks.into_iter().map(|mark| settled(mark, is_compact)).collect();
            levels.entry(marks.iter().map(order).collect()).or_default().push(place);
            let marks: Vec<_> = marks.iter().map(Mark::to_string).collect();
            shown.insert(place, marks.join(" "));
        }
        let mark = |place: &usize| shown[place].clone();
        for (newer, older) in neighbours(&levels) {
            let because = Because::Edition { newer: mark(&newer), older: mark(&older) };
            found.push(Supersession { newer, older, because });
        }
    }
    found
}

/// The name and the marks; `None` where there is no mark, or nothing else.
fn name(document: &Document) -> Option<(Name, Vec<Mark>)> {
    let (path, record) = match document.path.split_once(RECORD) {
        Some((path, record)) => (path, Some(record.to_owned())),
        None => (document.path.as_str(), None),
    };
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let (folder, file, title) = (marked(folder), marked(stem), marked(&document.title));
    let Marked { words: mut title_words, marks: title_marks } = title;
    if title_words.is_empty() {
        title_words.clone_from(&file.words);
    }
    let (marks, file_words) = if title_marks.is_empty() {
        ([folder.marks, file.marks].concat(), file.words)
    } else {
        (title_marks, Vec::new())
    };
    if title_words.is_empty() || marks.is_empty() {
        return None;
    }
    let kind = |mark: &Mark| match mark {
        Mark::Version(_) => Kind::Version,
        Mark::Year { .. } | Mark::Compact(_) | Mark::YearOrCompact => Kind::Year,
    };
    // A handbook 2024 and a handbook v2 are not two places of one order.
    let kinds = marks.iter().map(kind).collect();
    let name = Name { folder: folder.words, title: title_words, file: file_words, kinds, record };
    Some((name, marks))
}

/// The mark as its fellows are written.
fn settled(mark: Mark, is_compact: bool) -> Mark {
    match mark {
        Mark::YearOrCompact if is_compact => Mark::Compact(2020),
        Mark::YearOrCompact => Mark::Year { first: 2021, last: 2021 },
        mark => mark,
    }
}

fn order(mark: &Mark) -> Vec<u32> {
    match mark {
        Mark::Year { first, .. } | Mark::Compact(first) => vec![u32::from(*first)],
        Mark::YearOrCompact => vec![2021],
        Mark::Version(numbers) => numbers.clone(),
    }
}
