//! Versions of a website that lie in folders of their own: `1.0/fees.html` beside `2.0/fees.html`.
//!
//! Generators keep each version of their pages in a folder that is called by it, beside a folder or
//! above it with the pages that hold now. A file is an older edition of the one that has the same
//! place in a newer folder. A folder's name alone is a weak sign, so the two also have one title, or
//! lie where only versions lie; and where the names may be those of chapters (`1.2`), most of the
//! words of the one are in the other.

use std::collections::{BTreeMap, BTreeSet};

use super::marks::marked;
use super::{Because, Supersession, neighbours};
use crate::Document;

/// The end of a folder's name that holds nothing but versions, as Docusaurus has it; what is before it names the
/// folder beside it with the pages that hold now: `docs` where nothing is, `guide` in `guide_versioned_docs`.
const VERSIONED: &str = "versioned_docs";
const NOW: &str = "docs";
/// The folder that Docusaurus has for translations, with the version of each in a folder as well.
const TRANSLATIONS: &str = "i18n";

/// Names of the folder with the newest version, later ones newer.
const NEWEST: &[&str] = &["latest", "current", "stable"];
/// Names of folders with what does not hold yet.
const COMING: &[&str] = &[
    "dev", "devel", "development", "edge", "head", "main", "master", "next", "nightly", "preview",
    "trunk", "unreleased",
];
/// Words before a version's number.
const WORDS: &[&str] = &["version", "release", "v"];

/// The share of its words that a version has in common with the next.
const ALIKE_PERCENT: usize = 60;

/// So many files, and so much of a folder, have a file of the same words above it.
// Pages come and go between versions; a folder of chapters shares no file's words with the one above it.
const FEWEST_COPIES: usize = 3;
const COPIED_PERCENT: usize = 60;

/// The version that a folder's name tells, from the oldest on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Version {
    /// It does not hold yet, so that any other goes before it.
    Coming,
    /// Its numbers, and whether it is released.
    Number(Vec<u32>, bool),
    /// The place of its name among [`NEWEST`].
    Newest(usize),
    /// The folder around or beside the versions, with what holds now.
    Now,
}

/// The place of a document below the folders of its versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    /// The folder that the versions lie in, with its `/`.
    parent: &'a str,
    /// The file, without its ending.
    rest: &'a str,
}

/// A document in a folder of a version.
struct Member {
    version: Version,
    /// The folder's name.
    name: String,
    document: usize,
    /// The name can hardly be a chapter's: `v2`, `latest`; and not `1.2`.
    is_sure: bool,
}

/// Each document that lies in the folder of a version and has a newer one, with the next.
pub(super) fn found(documents: &[Document]) -> Vec<Supersession> {
    let mut groups: BTreeMap<Place<'_>, Vec<Member>> = BTreeMap::new();
    for (number, document) in documents.iter().enumerate() {
        for (place, member) in members(&document.path, number) {
            groups.entry(place).or_default().push(member);
        }
    }
    let by_path: BTreeMap<&str, usize> = documents
        .iter()
        .enumerate()
        .map(|(number, document)| (without_ending(&document.path), number))
        .collect();
    let copies = copies(documents, &groups, &by_path);
    let mut found = Vec::new();
    for (place, mut members) in groups {
        // `current` and `next` beside each other are terms, and no versions.
        if !members.iter().any(|member| matches!(member.version, Version::Number(..))) {
            continue;
        }
        let now = now(&place);
        for member in &mut members {
            member.is_sure |= copies.contains(&(place.parent, member.name.clone()));
        }
        let is_sure = members.iter().any(|member| member.is_sure);
        // Years are found by another rule, and `3` is a week, a sheet or a chapter.
        let is_plain = |member: &Member| matches!(&member.version, Version::Number(numbers, _) if numbers.len() == 1);
        if !is_sure && members.iter().any(is_plain) {
            continue;
        }
        if let Some((document, name)) = now
            .and_then(|(path, name)| Some((*by_path.get(path.as_str())?, name)))
            .filter(|_| is_sure)
        {
            members.push(Member { version: Version::Now, name, document, is_sure: true });
        }
        found.extend(of_group(&place, &members, documents));
    }
    found
}

/// Folders of versions, with the folders that they lie in, whose files nearly all have a file of the same place, title and words
/// above: `docs/1.0/fees.html` beside `docs/fees.html`. Chapters have other words, and one file alone may be a copy.
fn copies<'a>(
    documents: &[Document],
    groups: &BTreeMap<Place<'a>, Vec<Member>>,
    by_path: &BTreeMap<&str, usize>,
) -> BTreeSet<(&'a str, String)> {
    let mut counts: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
    for (place, members) in groups {
        let above = by_path.get(format!("{}{}", place.parent, place.rest).as_str());
        let above = above.and_then(|above| documents.get(*above));
        for member in members {
            let Some(own) = documents.get(member.document) else { continue };
            let is_copy = above.is_some_and(|above| {
                marked(&above.title).words == marked(&own.title).words
                    && are_alike(&above.text, &own.text)
            });
            let (files, copied) = counts.entry((place.parent, member.name.clone())).or_default();
            *files += 1;
            *copied += usize::from(is_copy);
        }
    }
    let is_copy = |(files, copied): (usize, usize)| {
        copied >= FEWEST_COPIES && copied * 100 >= files * COPIED_PERCENT
    };
    counts.into_iter().filter(|(_, count)| is_copy(*count)).map(|(folder, _)| folder).collect()
}

/// The ways to read a path as one below a version's folder.
fn members(path: &str, document: usize) -> Vec<(Place<'_>, Member)> {
    let whole = without_ending(path);
    let mut found = Vec::new();
    let mut start = 0;
    for (slash, _) in whole.match_indices('/') {
        let name = &whole[start..slash];
        if let Some((version, is_sure)) = version(name) {
            let place = Place { parent: &whole[..start], rest: &whole[slash + 1..] };
            let name = name.to_owned();
            found.push((place, Member { version, name, document, is_sure }));
        }
        start = slash + 1;
    }
    found
}

/// The path of the file at this place that holds now, without its ending, and what its folder is called.
fn now(place: &Place<'_>) -> Option<(String, String)> {
    let folder = place.parent.trim_end_matches('/');
    let (above, name) = folder.rsplit_once('/').map_or(("", folder), |(above, name)| (above, name));
    let slash = if above.is_empty() { "" } else { "/" };
    if let Some(before) = name.strip_suffix(VERSIONED) {
        let beside = match before.trim_end_matches('_') {
            "" => NOW,
            named => named,
        };
        return Some((format!("{above}{slash}{beside}/{}", place.rest), beside.to_owned()));
    }
    Some((format!("{}{}", place.parent, place.rest), "what lies above".to_owned()))
}

/// The editions among files of one place.
fn of_group(place: &Place<'_>, members: &[Member], documents: &[Document]) -> Vec<Supersession> {
    let are_versions = place.parent.trim_end_matches('/').ends_with(VERSIONED)
        || place.parent.split('/').any(|folder| folder == TRANSLATIONS);
    let mut by_title: BTreeMap<Vec<String>, BTreeMap<Version, Vec<usize>>> = BTreeMap::new();
    for member in members {
        let Some(document) = documents.get(member.document) else { continue };
        let title = if are_versions { Vec::new() } else { marked(&document.title).words };
        let levels = by_title.entry(title).or_default();
        levels.entry(member.version.clone()).or_default().push(member.document);
    }
    let name = |document: usize| {
        let member = members.iter().find(|member| member.document == document);
        member.map(|member| member.name.clone()).unwrap_or_default()
    };
    let is_sure = members.iter().any(|member| member.is_sure);
    let is_edition = |(newer, older): &(usize, usize)| {
        let pair = documents.get(*newer).zip(documents.get(*older));
        is_sure || pair.is_some_and(|(newer, older)| are_alike(&newer.text, &older.text))
    };
    let pairs = by_title.values().flat_map(neighbours).filter(is_edition);
    let edition = |(newer, older)| Supersession {
        newer,
        older,
        because: Because::Edition { newer: name(newer), older: name(older) },
    };
    pairs.map(edition).collect()
}

/// Returns `true` if the words of one text are mostly in the other.
fn are_alike(left: &str, right: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (left, right) = (words(left), words(right));
    let shared = left.intersection(&right).count();
    // Exercises to two chapters share a fifth of their words, two versions of a page nearly all.
    shared * 100 >= left.len().min(right.len()) * ALIKE_PERCENT
}

/// The version in a folder's name, and whether the name can hardly mean anything else.
fn version(name: &str) -> Option<(Version, bool)> {
    let lower = name.to_lowercase();
    if let Some(place) = NEWEST.iter().position(|own| *own == lower) {
        return Some((Version::Newest(place), true));
    }
    if COMING.contains(&lower.as_str()) {
        return Some((Version::Coming, true));
    }
    let bare = WORDS.iter().find_map(|word| lower.strip_prefix(word));
    let number = bare.map_or(lower.as_str(), |bare| bare.trim_start_matches(['-', '_', ' ']));
    let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
    let (digits, after) = number.split_at(end);
    let parts = digits.trim_end_matches('.').split('.');
    let numbers: Vec<u32> = parts.map(str::parse).collect::<Result<_, _>>().ok()?;
    // `1.x`, `2.0-rc1`, `2.0b3`
    let is_branch = after == "x";
    let before_release = ["a", "alpha", "b", "beta", "pre", "rc"];
    let after = after.trim_start_matches(['-', '.', '_']);
    let letters = after.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let is_early = before_release.contains(&letters);
    if !after.is_empty() && !is_branch && !is_early {
        return None;
    }
    // `3` may be anything; `3` beside `latest` is a version, as its group tells.
    Some((Version::Number(numbers, !is_early), bare.is_some() || is_branch))
}

fn without_ending(path: &str) -> &str {
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    path[file..].rfind('.').filter(|dot| *dot > 0).map_or(path, |dot| &path[..file + dot])
}

#[cfg(test)]
mod tests {
    use super::found;
    use crate::Document;

    /// What a case shows, files with their titles after a `|`, pairs of an older and a newer one.
    type Case = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

    const CASES: &[Case] = &[
        (
            "versions beside the folder of what holds now",
            &[
                "docs/tariff.mdx|Tariff",
                "versioned_docs/version-2023/tariff.mdx|Old tariff",
                "versioned_docs/version-2024/tariff.md|Tariff",
                "versioned_docs/version-2024/gone.md|Gone",
                "i18n/de/content/current/tariff.mdx|Tarif",
                "i18n/de/content/version-2024/tariff.mdx|Preise",
                "guide/rooms.md|Rooms",
                "guide_versioned_docs/version-1.0/rooms.md|Rooms",
            ],
            &[
                ("versioned_docs/version-2023/tariff.mdx", "versioned_docs/version-2024/tariff.md"),
                ("versioned_docs/version-2024/tariff.md", "docs/tariff.mdx"),
                ("i18n/de/content/version-2024/tariff.mdx", "i18n/de/content/current/tariff.mdx"),
                ("guide_versioned_docs/version-1.0/rooms.md", "guide/rooms.md"),
            ],
        ),
        (
            "numbers and names of versions",
            &[
                "1.9/a.html|A", "1.10/a.html|A", "2.0-rc1/a.html|A", "2.0/a.html|A",
                "latest/a.html|A", "dev/a.html|A",
            ],
            &[
                ("1.9/a.html", "1.10/a.html"),
                ("1.10/a.html", "2.0-rc1/a.html"),
                ("2.0-rc1/a.html", "2.0/a.html"),
                ("2.0/a.html", "latest/a.html"),
                ("dev/a.html", "1.9/a.html"),
            ],
        ),
        (
            "below a component, the newest without a folder",
            &["handbook/a/b.html|B", "handbook/v1/a/b.html|B", "handbook/v2/a/b.html|B 2025"],
            &[
                ("handbook/v1/a/b.html", "handbook/v2/a/b.html"),
                ("handbook/v2/a/b.html", "handbook/a/b.html"),
            ],
        ),
        (
            "a version below the pages that hold now",
            &[
                "docs/index.html|Boats",
                "docs/a.html|Oars",
                "docs/b.html|Lockers",
                "docs/1.0/index.html|Boats",
                "docs/1.0/a.html|Oars",
                "docs/1.0/b.html|Lockers",
                "docs/1.0/gone.html|Sails",
            ],
            &[
                ("docs/1.0/index.html", "docs/index.html"),
                ("docs/1.0/a.html", "docs/a.html"),
                ("docs/1.0/b.html", "docs/b.html"),
            ],
        ),
        (
            "chapters, weeks and terms are no versions",
            &[
                "sheets/1/task.html|Task",
                "sheets/2/task.html|Task",
                "1.1/task.html|Task",
                "1.2/task.html|Task",
                "1.1/index.html|Boats",
                "1.2/index.html|Oars",
                "index.html|Boats",
                "term/current/dates.md|Dates",
                "term/next/dates.md|Dates",
                "version-control/a.md|A",
                "vocabulary/a.md|A",
            ],
            &[],
        ),
    ];

    #[test]
    fn folders_of_versions_are_editions() {
        for (shows, files, expected) in CASES {
            let document = |file: &&str| {
                let (path, title) = file.split_once('|').unwrap_or((file, ""));
                let text = match title {
                    "Task" => path.replace(['/', '.'], ""),
                    title => title.to_owned(),
                };
                Document {
                    path: path.to_owned(),
                    title: title.to_owned(),
                    text,
                    ..Document::default()
                }
            };
            let documents: Vec<Document> = files.iter().map(document).collect();
            let mut pairs: Vec<(&str, &str)> = found(&documents)
                .iter()
                .map(|pair| (&*documents[pair.older].path, &*documents[pair.newer].path))
                .collect();
            let mut expected = expected.to_vec();
            pairs.sort_unstable();
            expected.sort_unstable();
            assert_eq!(pairs, expected, "{shows}");
        }
    }
}
