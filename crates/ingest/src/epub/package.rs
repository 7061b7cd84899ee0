//! The package of a book: its files, their order, and what it says about itself.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::decode::decode_page;
use crate::office::{Element, Package, parse_xml, resolved};
use crate::report::Report;
use crate::sanitize::clean_line;
use crate::{IngestOptions, Trouble};

/// Files in the order of reading: the longest books have some hundred.
const MOST_FILES: usize = 10_000;
/// Ways to make a font unreadable to other programs; they are no protection of the text.
const OF_FONTS: &[&str] = &["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];
/// Statements of the package worth keeping, and what they are called here.
const KEPT: &[(&str, &str)] = &[
    ("creator", "author"),
    ("date", "date"),
    ("description", "description"),
    ("language", "language"),
    ("publisher", "publisher"),
    ("subject", "keywords"),
];

/// An opened book.
pub(super) struct Book<'a> {
    package: Package<'a>,
    /// The files in their order of reading, by their names in the archive.
    pub(super) spine: Vec<String>,
    /// The file of the navigation (EPUB 3), or of the older `toc.ncx`.
    pub(super) navigation: Option<String>,
    pub(super) older_navigation: Option<String>,
    /// The page that the guide calls the table of contents.
    pub(super) printed_contents: Option<String>,
    pub(super) title: Option<String>,
    pub(super) metadata: BTreeMap<String, Value>,
}

impl<'a> Book<'a> {
    pub(super) fn open(bytes: &'a [u8], options: &IngestOptions) -> Result<Self, Trouble> {
        let mut package = Package::open(bytes, options)?;
        refuse_locked(&mut package)?;
        let container = tree(&mut package, "META-INF/container.xml")?;
        let main = container.as_ref().and_then(|container| {
            container
                .descendants()
                .find(|element| local(element) == "rootfile")?
                .attribute("full-path")
        });
        let main = main.ok_or_else(|| {
            Trouble::malformed("EPUB", "`META-INF/container.xml` names no package")
        })?;
        let main = resolved("", main);
        let description = tree(&mut package, &main)?
            .ok_or_else(|| Trouble::malformed("EPUB", format!("part `{main}` is missing")))?;
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut book = Self {
            package,
            spine: Vec::new(),
            navigation: None,
            older_navigation: None,
            printed_contents: None,
            title: None,
            metadata: BTreeMap::new(),
        };
        book.find_files(&description, folder)?;
        book.describe(&description);
        Ok(book)
    }

    fn find_files(&mut self, description: &Element, folder: &str) -> Result<(), Trouble> {
        let mut items: BTreeMap<&str, (String, bool)> = BTreeMap::new();
        for element in description.descendants() {
            let (id, target) = (element.attribute("id"), element.attribute("href"));
            match (local(element), id, target) {
                ("item", Some(id), Some(target)) => {
                    let file = in_archive(folder, target);
                    let kind = element.attribute("media-type").unwrap_or_default();
                    let has = |name: &str| {
                        let properties = element.attribute("properties").unwrap_or_default();
                        properties.split_whitespace().any(|property| property == name)
                    };
                    if has("nav") {
                        self.navigation = Some(file.clone());
                    }
                    if kind == "application/x-dtbncx+xml" {
                        self.older_navigation = Some(file.clone());
                    }
                    let is_page = kind.contains("html") || kind == "text/x-oeb1-document";
                    items.insert(id, (file, is_page));
                }
                ("reference", _, Some(target)) if element.attribute("type") == Some("toc") => {
                    let target = target.split('#').next().unwrap_or_default();
                    self.printed_contents = Some(in_archive(folder, target));
                }
                _ => {}
            }
        }
        let is_reference = |element: &&Element| local(element) == "itemref";
        for reference in description.descendants().filter(is_reference) {
            let item = reference.attribute("idref").and_then(|id| items.get(id));
            // A picture may stand in the order of reading; it has no text.
            if let Some((file, true)) = item
                && !self.spine.contains(file)
            {
                self.spine.push(file.clone());
            }
            if self.spine.len() > MOST_FILES {
                return Err(Trouble::TooManyInside { what: "files", limit: MOST_FILES });
            }
        }
        if self.spine.is_empty() {
            return Err(Trouble::malformed("EPUB", "its package lists no pages to read"));
        }
        Ok(())
    }

    fn describe(&mut self, description: &Element) {
        let mut report = Report::default();
        for element in description.descendants() {
            let name = local(element);
            let is_change = element.attribute("property") == Some("dcterms:modified");
            let kept = KEPT.iter().find(|(own, _)| *own == name).map(|(_, field)| *field);
            let field = kept.or_else(|| (name == "meta" && is_change).then_some("modified"));
            if !matches!(name, "title" | "meta") && kept.is_none() {
                continue;
            }
            let text = clean_line(&element.text(), &mut report);
            if name == "title" && self.title.is_none() {
                self.title = Some(text).filter(|text| !text.is_empty());
            } else if let Some(field) = field.filter(|_| !text.is_empty()) {
                // The first of several: creators and languages stand in the order of their weight.
                self.metadata.entry(field.to_owned()).or_insert(Value::String(text));
            }
        }
    }

    /// A file's text; nothing where it is missing.
    pub(super) fn text(&mut self, file: &str) -> Result<String, Trouble> {
        match self.package.bytes(file)? {
            Some(bytes) => Ok(decode_page(&bytes)?.text),
            None => Ok(String::new()),
        }
    }

    /// A file as a tree; `None` where it is missing or no XML.
    pub(super) fn tree(&mut self, file: &str) -> Option<Element> {
        tree(&mut self.package, file).ok().flatten()
    }
}

/// Refuses a book whose text only its seller's programs show.
fn refuse_locked(package: &mut Package<'_>) -> Result<(), Trouble> {
    let locked = tree(package, "META-INF/encryption.xml")?.is_some_and(|list| {
        let methods = list.descendants().filter(|element| local(element) == "EncryptionMethod");
        let mut algorithms = methods.filter_map(|method| method.attribute("Algorithm"));
        algorithms.any(|algorithm| !OF_FONTS.contains(&algorithm) && !algorithm.ends_with("#sha1"))
    });
    if locked { Err(Trouble::Encrypted) } else { Ok(()) }
}

/// A part as a tree. Older books name a document type, which says nothing here and is refused in office files.
fn tree(package: &mut Package<'_>, part: &str) -> Result<Option<Element>, Trouble> {
    let Some(bytes) = package.bytes(part)? else { return Ok(None) };
    let text = decode_page(&bytes)?.text;
    let text = match text.find("<!DOCTYPE") {
        Some(start) => {
            let (before, rest) = text.split_at(start);
            // One with declarations of its own (`[`) stays, and is refused.
            let end =
                rest.find('>').filter(|end| !rest.get(..*end).is_some_and(|it| it.contains('[')));
            end.map_or(text.clone(), |end| format!("{before}{}", rest.get(end + 1..).unwrap_or("")))
        }
        None => text,
    };
    parse_xml(part, &text).map(Some)
}

/// A name without its namespace.
pub(super) fn local(element: &Element) -> &str {
    element.name.rsplit(':').next().unwrap_or_default()
}

/// The name in the archive of what a file in `folder` points to.
pub(super) fn in_archive(folder: &str, target: &str) -> String {
    resolved(folder, &unescaped(target))
}

/// `%20` as a blank.
fn unescaped(target: &str) -> String {
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| target.to_owned())
}
