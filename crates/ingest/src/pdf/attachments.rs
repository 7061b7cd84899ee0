//! The files that a PDF holds: those of a portfolio, and attachments. They are named, not read.

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};

use super::catalog::text_string;

/// Files that are named, at most, and nodes of the tree that are looked at for them.
// For hostile files: a tree may hold itself.
const MOST_FILES: usize = 200;
const MOST_NODES: usize = 2_000;

/// The names of the files that a PDF holds, in the order of their tree, then of its pages.
pub(super) fn names(pdf: &Pdf, pages: usize) -> Vec<String> {
    let mut found = Vec::new();
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let tree = catalog
        .and_then(|catalog| catalog.get::<Dict<'_>>(b"Names"))
        .and_then(|names| names.get::<Dict<'_>>(b"EmbeddedFiles"));
    let mut open: Vec<Dict<'_>> = tree.into_iter().collect();
    for _ in 0..MOST_NODES {
        let Some(node) = open.pop() else {
            break;
        };
        for entry in values(&node, b"Names") {
            add(&mut found, &entry);
        }
        // The last is taken first.
        let kids: Vec<Dict<'_>> = values(&node, b"Kids").collect();
        open.extend(kids.into_iter().rev().take(MOST_NODES));
    }
    for page in pdf.pages().iter().take(pages) {
        let is_file = |note: &Dict<'_>| {
            note.get::<Name<'_>>(b"Subtype").is_some_and(|kind| &*kind == b"FileAttachment")
        };
        for note in values(page.raw(), b"Annots").filter(is_file) {
            if let Some(file) = note.get::<Dict<'_>>(b"FS") {
                add(&mut found, &file);
            }
        }
    }
    found
}

/// The dictionaries of an array of names and values, or of values alone.
fn values<'a>(node: &Dict<'a>, key: &[u8]) -> impl Iterator<Item = Dict<'a>> {
    let array = node.get::<Array<'a>>(key);
    array.into_iter().flat_map(|array| array.iter::<Object<'a>>()).filter_map(Object::into_dict)
}

/// Notes the name of a file, once.
fn add(found: &mut Vec<String>, file: &Dict<'_>) {
    let name = |key: &[u8]| file.get::<PdfString<'_>>(key).map(|name| text_string(name.as_bytes()));
    let is_held = file.contains_key(b"EF");
    let Some(name) = name(b"UF").or_else(|| name(b"F")).filter(|_| is_held) else {
        return;
    };
    let name = name.trim();
    if !name.is_empty() && found.len() < MOST_FILES && !found.iter().any(|other| other == name) {
        found.push(name.to_owned());
    }
}
