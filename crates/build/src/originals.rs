//! The documents as they were, published with the site where the settings say so.
//!
//! A source then opens the PDF at its page, or downloads the Office file. Only such files are published: a page of HTML would
//! run its scripts beside the site's own, and of text, tables and calendars the passage shows all there is, without what was
//! left out of it for a reason (front matter, private events).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use campanile_bundle::{Digest, ORIGINALS};
use campanile_corpus::Document;
use campanile_ingest::Kind;
use campanile_text::fold;

use crate::Plan;
use crate::metadata::with_files;

/// The most characters of a name, without its ending.
const NAME_CHARS: usize = 80;
/// So many hexadecimal digits of the path's hash tell two files of one name apart.
const DIGITS: usize = 8;

/// A file that is published as it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Original {
    /// The file.
    pub file: PathBuf,
    /// Its path in the documents' folder.
    pub source: String,
    /// Its path in the site.
    pub path: String,
}

/// Chooses the files that are published, and has the documents that come of them and have no address of their own lead there.
pub(crate) fn linked(
    documents: &mut [Document],
    may_be_published: &[bool],
    plan: &Plan<'_>,
) -> Vec<Original> {
    if !plan.config.documents.publish {
        return Vec::new();
    }
    // Of a workbook many documents may come: one that is private keeps all of it.
    let mut files: BTreeMap<String, (bool, Vec<usize>)> = BTreeMap::new();
    for (place, (document, may_be)) in documents.iter().zip(may_be_published).enumerate() {
        let Some(file) = with_files(&document.path).find(|path| is_published_kind(path)) else {
            continue;
        };
        let (may_all_be, places) = files.entry(file.to_owned()).or_insert((true, Vec::new()));
        *may_all_be &= may_be;
        if document.link.is_none() {
            places.push(place);
        }
    }
    files.retain(|_, (may_all_be, places)| *may_all_be && !places.is_empty());
    let mut inside = Vec::new();
    for (path, (_, places)) in files {
        match file_inside(plan.docs, &path) {
            Ok(Some(file)) => inside.push((path, file, places)),
            // A document that was handed in has no file here.
            Ok(None) => {}
            Err(Outside) => plan.observer.remark(&format!(
                "warning: `{path}` is a link that leads out of the documents' folder, so the original is not published: \
                 put a copy there"
            )),
        }
    }
    let names = names(inside.iter().map(|(path, ..)| path.as_str()));
    let mut originals = Vec::with_capacity(inside.len());
    for ((source, file, places), name) in inside.into_iter().zip(names) {
        let path = format!("{ORIGINALS}/{name}");
        for place in places {
            if let Some(document) = documents.get_mut(place) {
                document.link = Some(path.clone());
            }
        }
        originals.push(Original { file, source, path });
    }
    originals
}

/// Returns `true` if files of this name are opened by their readers, or by the browser in a room of their own.
fn is_published_kind(path: &str) -> bool {
    matches!(
        Kind::of(path),
        Some(
            Kind::Pdf
                | Kind::Docx
                | Kind::Pptx
                | Kind::Xlsx
                | Kind::Xls
                | Kind::Odt
                | Kind::Odp
                | Kind::Ods
        )
    )
}

/// A file that lies elsewhere than its name says.
struct Outside;

/// The file of a document; none where there is none.
fn file_inside(docs: &Path, path: &str) -> Result<Option<PathBuf>, Outside> {
    let (Ok(root), Ok(file)) = (docs.canonicalize(), docs.join(path).canonicalize()) else {
        return Ok(None);
    };
    if !file.starts_with(root) {
        return Err(Outside);
    }
    Ok(Some(file).filter(|file| file.is_file()))
}

/// The names of files in the site, in the files' order: what a visitor who downloads one finds it by, in characters that no
/// host, file system or address takes for something else.
fn names<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let named: Vec<(&str, String, String)> = paths
        .map(|path| {
            let (stem, ending) = name(path);
            (path, stem, ending)
        })
        .collect();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (_, stem, ending) in &named {
        *counts.entry((stem, ending)).or_default() += 1;
    }
    let with_ending = |(path, stem, ending): &(&str, String, String)| {
        if counts.get(&(stem.as_str(), ending.as_str())) == Some(&1) {
            return format!("{stem}.{ending}");
        }
        // All of one name get it, not all but the first: a new file changes no other's address but its namesake's.
        let mut digits = Digest::of(path.as_bytes()).to_string();
        digits.truncate(DIGITS);
        format!("{stem}-{digits}.{ending}")
    };
    named.iter().map(with_ending).collect()
}

/// A file's name and its ending: letters and digits without marks, in lower case, with single hyphens between.
fn name(path: &str) -> (String, String) {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, "bin"));
    let mut safe = String::new();
    for character in fold(stem).chars().take(NAME_CHARS) {
        if character.is_ascii_alphanumeric() {
            safe.push(character);
        } else if !safe.is_empty() && !safe.ends_with('-') {
            safe.push('-');
        }
    }
    let safe = safe.trim_end_matches('-');
    let safe = if safe.is_empty() { "document" } else { safe };
    (safe.to_owned(), ending.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used)]
    use campanile_bundle::check_path;

    use super::*;

    #[test]
    fn names_are_safe_in_every_address() {
        for (path, expected) in [
            ("rules/Exam Rules 2026.PDF", "exam-rules-2026.pdf"),
            ("Prüfungsordnung (neu).docx", "prufungsordnung-neu.docx"),
            ("a/_drafts & #1 50%.xlsx", "drafts-1-50.xlsx"),
            ("規則.pdf", "document.pdf"),
            ("..pdf", "document.pdf"),
            ("v1.2.final.pdf", "v1-2-final.pdf"),
        ] {
            let names = names([path].into_iter());
            assert_eq!(names, [expected], "{path}");
            assert!(check_path(&format!("{ORIGINALS}/{expected}")).is_ok(), "{path}");
        }
        let long = names([format!("{}.pdf", "a".repeat(300)).as_str()].into_iter());
        assert_eq!(long.first().unwrap().len(), NAME_CHARS + 4);
    }

    #[test]
    fn files_of_one_name_are_told_apart_by_their_folders() {
        let one = names(["a/Plan.pdf", "b/plan.pdf", "b/plan.docx"].into_iter());
        let again = names(["b/plan.docx", "b/plan.pdf", "a/Plan.pdf", "c/other.pdf"].into_iter());
        let [first, second, third] = one.as_slice() else { unreachable!("three names: {one:?}") };
        assert_ne!(first, second);
        assert!(first.starts_with("plan-") && first.ends_with(".pdf"), "{first}");
        assert_eq!(third, "plan.docx");
        assert_eq!(again, [third, second, first, &"other.pdf".to_owned()].map(String::clone));
    }
}
