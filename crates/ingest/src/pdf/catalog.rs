//! Statements of a PDF beside its pages: properties, labels of pages, bookmarks.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::metadata::Metadata;
use hayro_syntax::object::{
    Array, DateTime, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString,
};
use serde_json::Value;

use super::furniture::folded;
use crate::numbers::{letters, roman};
use crate::report::Report;
use crate::sanitize::clean_line;

/// The title, unless it is what a program wrote there by itself.
pub(super) fn title(info: &Metadata, report: &mut Report) -> Option<String> {
    let title = clean_line(&text_string(info.title.as_deref()?), report);
    (!is_junk(&title)).then_some(title)
}

/// Names of files, of programs and of nothing.
fn is_junk(title: &str) -> bool {
    const PROGRAMS: [&str; 9] = [
        "microsoft word", "microsoft powerpoint", "microsoft excel", "powerpoint-pr",
        "powerpoint p", "untitled", "unbenannt", "(anonymous)", "slide 1",
    ];
    const KINDS: [&str; 16] = [
        ".doc", ".docx", ".pdf", ".odt", ".rtf", ".tex", ".dvi", ".txt", ".xls", ".xlsx", ".ppt",
        ".pptx", ".indd", ".qxd", ".cdr", ".pub",
    ];
    let lower = title.to_lowercase();
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let is_one_word = !title.contains(char::is_whitespace);
    letters < 3
        || PROGRAMS.iter().any(|program| lower.starts_with(program))
        || KINDS.iter().any(|kind| lower.ends_with(kind))
        || matches!(lower.as_str(), "document" | "dokument" | "title" | "titel" | "layout 1")
        || (is_one_word && title.contains(|c: char| c.is_ascii_digit() || c == '_'))
}

/// Author, subject, keywords and dates, as far as they are stated.
pub(super) fn metadata(
    info: &Metadata,
    pages: usize,
    report: &mut Report,
) -> BTreeMap<String, Value> {
    let mut metadata = BTreeMap::new();
    let texts =
        [("author", &info.author), ("subject", &info.subject), ("keywords", &info.keywords)];
    for (name, text) in texts {
        let text = text.as_deref().map(|text| clean_line(&text_string(text), report));
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            metadata.insert(name.to_owned(), Value::from(text));
        }
    }
    let dates = [("created", info.creation_date), ("modified", info.modification_date)];
    for (name, date) in dates {
        if let Some(date) = date {
            metadata.insert(name.to_owned(), Value::from(iso(date)));
        }
    }
    metadata.insert("pages".to_owned(), Value::from(pages));
    metadata
}

/// The day, as it was where the file was made.
fn iso(date: DateTime) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

/// Ranges of pages counted alike, at most.
// For hostile files: trees may hold one node many times, and so grow without bounds.
const MOST_RANGES: usize = 2_000;
const DEEPEST_LABELS: usize = 20;

/// A range of pages that are counted in one way.
#[derive(Debug)]
struct Range {
    /// The first page, from 0.
    from: usize,
    style: Option<Vec<u8>>,
    prefix: String,
    first: i64,
}

/// The label of each of the first `count` pages, where it says more than the page's number.
/// ISO 32000-1, 12.4.2.
pub(super) fn labels(pdf: &Pdf, count: usize) -> Vec<Option<String>> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let tree = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"PageLabels"));
    let mut ranges = Vec::new();
    if let Some(tree) = tree {
        gather(&tree, 0, &mut ranges);
    }
    ranges.sort_by_key(|range| range.from);
    (0..count).map(|page| label(&ranges, page)).collect()
}

fn gather(node: &Dict<'_>, depth: usize, ranges: &mut Vec<Range>) {
    if depth > DEEPEST_LABELS || ranges.len() > MOST_RANGES {
        return;
    }
    for kid in node.get::<Array<'_>>(b"Kids").iter().flat_map(|kids| kids.iter::<Dict<'_>>()) {
        gather(&kid, depth + 1, ranges);
    }
    let Some(numbers) = node.get::<Array<'_>>(b"Nums") else {
        return;
    };
    let mut entries = numbers.iter::<Object<'_>>();
    while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
        let (Object::Number(key), Some(value)) = (key, value.into_dict()) else {
            continue;
        };
        let Ok(from) = usize::try_from(key.as_i64()) else {
            continue;
        };
        if ranges.len() > MOST_RANGES {
            return;
        }
        ranges.push(Range {
            from,
            style: value.get::<Name<'_>>(b"S").map(|style| style.to_vec()),
            prefix: value
                .get::<PdfString<'_>>(b"P")
                .map(|prefix| text_string(prefix.as_bytes()))
                .unwrap_or_default(),
            first: value.get::<i32>(b"St").map_or(1, i64::from),
        });
    }
}

fn label(ranges: &[Range], page: usize) -> Option<String> {
    let range = ranges.iter().rev().find(|range| range.from <= page)?;
    let number = range.first.saturating_add(i64::try_from(page - range.from).ok()?);
    let within = |least: i64, most: i64| u32::try_from(number.clamp(least, most)).unwrap_or(1);
    // Without bounds a hostile file could ask for a label of gigabytes.
    let counted = match range.style.as_deref() {
        Some(b"D") => number.to_string(),
        Some(b"r") => roman(within(0, 9_999)).to_lowercase(),
        Some(b"R") => roman(within(0, 9_999)),
        Some(b"a") => letters(within(1, 2_600)).to_lowercase(),
        Some(b"A") => letters(within(1, 2_600)),
        _ => String::new(),
    };
    let label = format!("{}{counted}", range.prefix);
    let label = label.trim();
    (!label.is_empty() && label != (page + 1).to_string()).then(|| label.to_owned())
}

const MOST_BOOKMARKS: usize = 5_000;
const DEEPEST_OUTLINE: u8 = 12;

/// One bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bookmark {
    /// Its words, folded to be compared.
    pub(super) title: String,
    /// 1 at the top.
    pub(super) depth: u8,
    /// The page it leads to, from 0, if that can be told.
    pub(super) page: Option<usize>,
}

/// The bookmarks, in their order. ISO 32000-1, 12.3.3.
pub(super) fn bookmarks(pdf: &Pdf) -> Vec<Bookmark> {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else {
        return Vec::new();
    };
    let Some(root) = catalog.get::<Dict<'_>>(b"Outlines") else {
        return Vec::new();
    };
    let mut walk = Walk { catalog, pages: page_numbers(pdf), found: Vec::new() };
    walk.children(&root, 1);
    walk.found
}

/// The page, from 0, of each page's object.
pub(super) fn page_numbers(pdf: &Pdf) -> BTreeMap<(u32, i32), usize> {
    let id = |id: ObjectIdentifier| (id.obj_number, id.gen_number);
    let pages = pdf.pages().iter().enumerate();
    pages.filter_map(|(index, page)| Some((id(page.raw().obj_id()?), index))).collect()
}

struct Walk<'a> {
    catalog: Dict<'a>,
    pages: BTreeMap<(u32, i32), usize>,
    found: Vec<Bookmark>,
}

impl<'a> Walk<'a> {
    fn children(&mut self, parent: &Dict<'a>, depth: u8) {
        let mut next = parent.get::<Dict<'a>>(b"First");
        while let Some(item) = next {
            // A chain may lead back into itself: the count ends it.
            if self.found.len() >= MOST_BOOKMARKS {
                return;
            }
            let title = item.get::<PdfString<'_>>(b"Title");
            let title = title.map(|title| text_string(title.as_bytes())).unwrap_or_default();
            // Two headings of one name are told apart by it.
            let page = self.destination(&item);
            self.found.push(Bookmark { title: folded(&title), depth, page });
            if depth < DEEPEST_OUTLINE {
                self.children(&item, depth + 1);
            }
            next = item.get::<Dict<'a>>(b"Next");
        }
    }

    fn destination(&self, item: &Dict<'a>) -> Option<usize> {
        let own = item.get::<Object<'a>>(b"Dest");
        let target = own.or_else(|| item.get::<Dict<'a>>(b"A")?.get::<Object<'a>>(b"D"))?;
        let array = match target {
            Object::Array(array) => array,
            Object::Name(name) => self.named(&name)?,
            Object::String(name) => self.named(name.as_bytes())?,
            _ => return None,
        };
        match array.raw_iter().next()? {
            MaybeRef::Ref(page) => self.pages.get(&(page.obj_number, page.gen_number)).copied(),
            MaybeRef::NotRef(Object::Number(page)) => usize::try_from(page.as_i64()).ok(),
            MaybeRef::NotRef(_) => None,
        }
    }

    fn named(&self, name: &[u8]) -> Option<Array<'a>> {
        let old = self.catalog.get::<Dict<'a>>(b"Dests");
        let found = old.and_then(|old| old.get::<Object<'a>>(name)).or_else(|| {
            let tree = self.catalog.get::<Dict<'a>>(b"Names")?.get::<Dict<'a>>(b"Dests")?;
            in_tree(&tree, name, 0)
        })?;
        match found {
            Object::Array(array) => Some(array),
            Object::Dict(dict) => dict.get::<Array<'a>>(b"D"),
            _ => None,
        }
    }
}

/// Looks a name up in a tree of names.
fn in_tree<'a>(node: &Dict<'a>, name: &[u8], depth: u8) -> Option<Object<'a>> {
    if depth > DEEPEST_OUTLINE {
        return None;
    }
    if let Some(limits) = node.get::<Array<'a>>(b"Limits") {
        let mut limits = limits.iter::<PdfString<'_>>();
        let (least, most) = (limits.next()?, limits.next()?);
        if name < least.as_bytes() || name > most.as_bytes() {
            return None;
        }
    }
    if let Some(names) = node.get::<Array<'a>>(b"Names") {
        let mut entries = names.iter::<Object<'a>>();
        while let (Some(Object::String(key)), Some(value)) = (entries.next(), entries.next()) {
            if key.as_bytes() == name {
                return Some(value);
            }
        }
    }
    let kids = node.get::<Array<'a>>(b"Kids")?;
    kids.iter::<Dict<'a>>().find_map(|kid| in_tree(&kid, name, depth + 1))
}

/// ISO 32000-1, D.2: the codes of PDFDocEncoding that differ from Latin-1.
const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
const HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Reads UTF-16 or UTF-8 with a byte order mark, or PDFDocEncoding.
pub(super) fn text_string(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|byte| pdf_doc(*byte)).collect(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16_lossy(&units)
}

fn pdf_doc(byte: u8) -> char {
    let special = match byte {
        0x18..=0x1F => LOW.get(usize::from(byte - 0x18)),
        0x80..=0xA0 => HIGH.get(usize::from(byte - 0x80)),
        _ => None,
    };
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_programs_write_are_none() {
        let cases = [
            ("Microsoft Word - 4-AES-TeilzeitOrdnung.docx", true),
            ("handbook_final_v2", true),
            ("Ordnung.pdf", true),
            ("PowerPoint-Präsentation", true),
            ("", true),
            ("12.3", true),
            ("Untitled-1", true),
            ("Modulhandbuch", false),
            ("Ordnung für das Teilzeitstudium", false),
            ("Handbook 2024", false),
        ];
        for (title, expected) in cases {
            assert_eq!(is_junk(title), expected, "{title}");
        }
    }

    #[test]
    fn what_is_stated_is_kept() {
        let info = Metadata {
            author: Some(b"\xFE\xFF\0\xC4\0n\0n\0e".to_vec().into()),
            creation_date: Some(DateTime {
                year: 2025,
                month: 3,
                day: 31,
                hour: 23,
                minute: 59,
                second: 0,
                utc_offset_hour: 2,
                utc_offset_minute: 0,
            }),
            ..Metadata::default()
        };
        let found = metadata(&info, 3, &mut Report::default());
        let found: Vec<String> =
            found.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(found, ["author=\"Änne\"", "created=\"2025-03-31\"", "pages=3"]);
    }

    #[test]
    fn pages_are_counted_from_where_a_range_begins() {
        let range = |from, style: &[u8], prefix: &str, first| Range {
            from,
            style: Some(style.to_vec()),
            prefix: prefix.to_owned(),
            first,
        };
        let ranges = [range(0, b"r", "", 1), range(3, b"D", "", 1), range(5, b"A", "X-", 2)];
        let found: Vec<Option<String>> = (0..7).map(|page| label(&ranges, page)).collect();
        let found: Vec<&str> = found.iter().map(|label| label.as_deref().unwrap_or("?")).collect();
        assert_eq!(found, ["i", "ii", "iii", "1", "2", "X-B", "X-C"]);
        assert_eq!(label(&ranges[1..], 0), None);
        // A label that is the number says nothing.
        assert_eq!(label(&[range(0, b"D", "", 1)], 4), None);
    }

    #[test]
    fn every_encoding_is_read() {
        let cases: [(&[u8], &str); 5] = [
            (b"Satzung", "Satzung"),
            (b"\xFE\xFF\0\xC4\0n", "Än"),
            (b"\xFF\xFE\xC4\0n\0", "Än"),
            (b"\xEF\xBB\xBF\xC3\x84n", "Än"),
            (b"\xC4nderung \x84 \x8D", "Änderung — “"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(text_string(bytes), expected);
        }
    }
}
