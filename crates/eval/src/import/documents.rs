//! Documents of an imported set as files that a build reads, and the folder that holds them with the questions.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use campanile_questions::write_questions;

use super::{ImportError, ImportedSet};

/// A document of an imported set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedDocument {
    /// The path in the folder of documents, with `/` between the parts: what gold names.
    pub path: String,
    /// The content.
    pub content: DocumentContent,
}

/// The content of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentContent {
    /// A title and paragraphs. Written as HTML, the one format where no character of a text means
    /// anything but itself once `&`, `<` and `>` are escaped.
    Page {
        /// Its title.
        title: String,
        /// Its paragraphs.
        paragraphs: Vec<String>,
    },
    /// A file as it came.
    File(Vec<u8>),
}

impl ImportedDocument {
    /// The bytes of its file.
    pub fn bytes(&self) -> Vec<u8> {
        let (title, paragraphs) = match &self.content {
            DocumentContent::File(bytes) => return bytes.clone(),
            DocumentContent::Page { title, paragraphs } => (escaped(title), paragraphs),
        };
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <main>\n<h1>{title}</h1>\n"
        );
        for paragraph in paragraphs {
            html += &format!("<p>{}</p>\n", escaped(paragraph));
        }
        html += "</main>\n</html>\n";
        html.into_bytes()
    }
}

/// A text on one line: what a paragraph of a page says, and how gold passages are written. Characters
/// without a shape are left out, as they are where documents are read.
pub(super) fn on_one_line(text: &str) -> String {
    let shown: String = text.chars().filter(|c| !shows_nothing(*c)).collect();
    campanile_questions::on_one_line(&shown)
}

/// Marks of direction, breaks without a width, tags, variation selectors and control characters.
fn shows_nothing(character: char) -> bool {
    let is_invisible = matches!(
        character,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}'
    );
    is_invisible || (character.is_control() && !character.is_whitespace())
}

fn escaped(text: &str) -> String {
    on_one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Gives each document a path of its own that every file system can hold.
#[derive(Debug, Default)]
pub(super) struct Paths {
    taken: BTreeSet<String>,
}

impl Paths {
    /// A path without its ending, made of these names: `["1973 oil crisis", "1"]` becomes
    /// `1973_oil_crisis/1`. A path that is taken in any case gets a number.
    pub(super) fn take(&mut self, names: &[&str]) -> String {
        // Compared without case: two files that differ in case alone are one file on Windows and macOS.
        let wanted = names.iter().map(|name| plain(name)).collect::<Vec<_>>().join("/");
        let mut path = wanted.clone();
        let mut number = 2;
        while !self.taken.insert(path.to_lowercase()) {
            path = format!("{wanted}-{number}");
            number += 1;
        }
        path
    }
}

/// The longest name of a file or folder, without its ending.
// Far below the 255 bytes of common file systems, so that the whole path stays below the 260 letters of Windows.
const LONGEST_NAME: usize = 80;

fn plain(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let plain: String =
        name.chars().take(LONGEST_NAME).map(|c| if keep(c) { c } else { '_' }).collect();
    // A leading `_` or `-` hides a file from some tools, and an empty name is none.
    match plain.trim_matches(['_', '-']) {
        "" => "x".to_owned(),
        rest => rest.to_owned(),
    }
}

/// The folder of the documents, in the set's folder.
pub const DOCUMENTS_FOLDER: &str = "documents";
/// The file of the questions, in the set's folder.
pub const QUESTIONS_FILE: &str = "questions.jsonl";

/// A benchmark's documents are judged one by one, so each has to stay as it is.
const BENCHMARK_SETTINGS: &str = "\
# The documents of a benchmark are judged one by one: none is folded, replaced or cut.
[quality]
duplicates = false
editions = false

[quality.noise]
page_furniture = false
bibliographies = false
citations = false
symbols = false
repeated = false
contents = false
";

/// Writes a set into a folder that is new or empty: `documents/`, where the set has some, and
/// `questions.jsonl`. The folder appears whole or not at all, so an import that was interrupted does not
/// stand in the way of the next.
///
/// # Errors
/// Where the folder holds something, or cannot be written.
pub fn write_set(set: &ImportedSet, folder: &Path) -> Result<(), ImportError> {
    let failed = |source| ImportError::Write { path: folder.to_owned(), source };
    let not_empty = || ImportError::NotEmpty { path: folder.to_owned() };
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(not_empty());
    }
    let absolute = std::path::absolute(folder).map_err(failed)?;
    let name = absolute.file_name().ok_or_else(not_empty)?.to_string_lossy();
    // On the same disk, so that it moves in one step.
    let part = absolute.with_file_name(format!(".{name}.part"));
    if part.exists() {
        fs::remove_dir_all(&part)
            .map_err(|source| ImportError::Write { path: part.clone(), source })?;
    }
    write_parts(set, &part)?;
    // An empty folder gives way; where another is there, renaming fails.
    let _ = fs::remove_dir(&absolute);
    fs::rename(&part, &absolute).map_err(failed)
}

fn write_parts(set: &ImportedSet, folder: &Path) -> Result<(), ImportError> {
    create(folder)?;
    let documents = folder.join(DOCUMENTS_FOLDER);
    for document in &set.documents {
        let path = documents.join(&document.path);
        if let Some(parent) = path.parent() {
            create(parent)?;
        }
        write(&path, &document.bytes())?;
    }
    if set.is_benchmark && !set.documents.is_empty() {
        write(&documents.join("campanile.toml"), BENCHMARK_SETTINGS.as_bytes())?;
    }
    write(&folder.join(QUESTIONS_FILE), write_questions(&set.questions).as_bytes())
}

fn create(folder: &Path) -> Result<(), ImportError> {
    fs::create_dir_all(folder)
        .map_err(|source| ImportError::Write { path: folder.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ImportError> {
    fs::write(path, bytes).map_err(|source| ImportError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;

    #[test]
    fn pages_are_html_whose_words_are_the_texts() {
        let page = ImportedDocument {
            path: "a.html".to_owned(),
            content: DocumentContent::Page {
                title: "R&D".to_owned(),
                paragraphs: vec!["1 <\u{200b} 2\n & <b>3</b>".to_owned()],
            },
        };
        let html = String::from_utf8(page.bytes()).unwrap();
        assert!(html.contains("<h1>R&amp;D</h1>"), "{html}");
        assert!(html.contains("<p>1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;</p>"), "{html}");
    }

    #[test]
    fn paths_are_plain_and_differ_in_any_case() {
        let mut paths = Paths::default();
        let cases = [
            (vec!["Oil crisis (1973)", "1"], "Oil_crisis__1973/1"),
            (vec!["oil crisis (1973)", "1"], "oil_crisis__1973/1-2"),
            (vec!["../etc", "."], "etc/x"),
            (vec!["Zürich"], "Z_rich"),
        ];
        for (names, expected) in cases {
            assert_eq!(paths.take(&names), expected);
        }
    }
}
