//! Names of elements and attributes, with the usual prefix of their namespace.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Fault;

/// Namespaces that may be declared at once: Word declares about forty.
const MOST_DECLARED: usize = 200;

const OPEN_DOCUMENT: &str = "urn:oasis:names:tc:opendocument:xmlns:";

/// Namespaces of Office Open XML (ECMA-376, transitional and strict) and what stands with them.
const USUAL: &[(&str, &str)] = &[
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
    ("http://schemas.openxmlformats.org/presentationml/2006/main", "p"),
    ("http://purl.oclc.org/ooxml/presentationml/main", "p"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"),
    ("http://purl.oclc.org/ooxml/officeDocument/relationships", "r"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/math", "m"),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/custom-properties", "custom"),
    ("http://purl.oclc.org/ooxml/officeDocument/customProperties", "custom"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes", "vt"),
    ("http://purl.oclc.org/ooxml/officeDocument/docPropsVTypes", "vt"),
    ("http://schemas.openxmlformats.org/package/2006/metadata/core-properties", "cp"),
    ("http://schemas.openxmlformats.org/package/2006/relationships", "rel"),
    ("http://schemas.openxmlformats.org/spreadsheetml/2006/main", "x"),
    ("http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "wps"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://purl.org/dc/terms/", "dcterms"),
    ("http://www.w3.org/1999/xlink", "xlink"),
    ("http://www.w3.org/1998/Math/MathML", "math"),
    ("http://www.w3.org/1999/xhtml", "html"),
];

#[derive(Default)]
pub(super) struct Names {
    /// The meaning of each prefix, with the depth from which on it holds; the innermost last.
    declared: Vec<(usize, String, String)>,
    /// The meaning of names as written, under the present declarations.
    known: BTreeMap<String, Rc<str>>,
    /// Each name once, so that a million elements share it.
    shared: BTreeMap<String, Rc<str>>,
}

impl Names {
    /// The namespace of a prefix, in an element at `depth` and all below it.
    pub(super) fn declare(&mut self, prefix: &str, uri: &str, depth: usize) -> Result<(), Fault> {
        if self.declared.len() >= MOST_DECLARED {
            return Err(Fault::Broken(format!("more than {MOST_DECLARED} namespaces at once")));
        }
        self.declared.push((depth, prefix.to_owned(), usual(uri, prefix)));
        self.known.clear();
        Ok(())
    }

    /// Ends what was declared in an element at `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.declared.last().is_some_and(|(declared, ..)| *declared >= depth) {
            self.declared.pop();
            self.known.clear();
        }
    }

    pub(super) fn element(&mut self, written: &str) -> Rc<str> {
        self.name(written, true)
    }

    /// An attribute without a prefix has no namespace.
    pub(super) fn attribute(&mut self, written: &str) -> Rc<str> {
        self.name(written, written.contains(':'))
    }

    fn name(&mut self, written: &str, has_namespace: bool) -> Rc<str> {
        if !has_namespace {
            return self.shared(written.to_owned());
        }
        if let Some(known) = self.known.get(written) {
            return Rc::clone(known);
        }
        let (prefix, local) = written.split_once(':').unwrap_or(("", written));
        let declared = self.declared.iter().rev().find(|(_, own, _)| own == prefix);
        // Some programs forget to declare what everybody knows.
        let prefix = declared.map_or(prefix, |(_, _, usual)| usual.as_str());
        let whole = if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") };
        let name = self.shared(whole);
        self.known.insert(written.to_owned(), Rc::clone(&name));
        name
    }

    fn shared(&mut self, name: String) -> Rc<str> {
        let rc: Rc<str> = Rc::from(name.as_str());
        Rc::clone(self.shared.entry(name).or_insert(rc))
    }
}

/// The prefix under which the readers know a namespace.
fn usual(uri: &str, written: &str) -> String {
    if let Some((_, usual)) = USUAL.iter().find(|(known, _)| *known == uri) {
        return (*usual).to_owned();
    }
    if let Some(rest) = uri.strip_prefix(OPEN_DOCUMENT) {
        let name = rest.split(':').next().unwrap_or_default();
        return match name {
            "drawing" => "draw".to_owned(),
            "svg-compatible" => "svg".to_owned(),
            "xsl-fo-compatible" => "fo".to_owned(),
            name => name.to_owned(),
        };
    }
    // Not to be taken for one of the names above.
    if uri.is_empty() { String::new() } else { format!("other-{written}") }
}
