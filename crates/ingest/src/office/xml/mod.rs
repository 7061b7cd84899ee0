//! One part of a package as a tree, within limits.
//!
//! A tree rather than a stream of events: what a paragraph means often stands behind its text (a
//! deleted paragraph mark, the end of a field), and notes and text boxes are read out of turn.
//! Entities are not expanded and document types are refused: office programs write neither.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Elements deeper than this are refused: each nested table takes three levels, and the readers
/// descend by recursion.
pub(super) const DEEPEST: usize = 256;
/// Elements of one part: a page has about 200 of them, and each takes a hundred bytes of memory.
pub(super) const MOST_ELEMENTS: usize = 3_000_000;

/// An element of a part. Names have the usual prefix of their namespace, whatever prefix the
/// document chose: `w:p`, `text:h`.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: Rc<str>,
    attributes: Vec<(Rc<str>, Box<str>)>,
    pub(super) children: Vec<Node>,
}

#[derive(Debug)]
pub(super) enum Node {
    Element(Element),
    Text(String),
}

/// The reason why a part is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is no XML, or a kind of XML that is not read.
    Broken(String),
    /// Elements lie deeper than [`DEEPEST`].
    TooDeep,
    /// There are more than [`MOST_ELEMENTS`].
    TooMany,
}

impl Element {
    pub(super) fn is(&self, name: &str) -> bool {
        *self.name == *name
    }

    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| **own == *name);
        found.map(|(_, value)| &**value)
    }

    /// The value of an attribute as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// The elements right below this one.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// The first element of a name right below this one.
    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.elements().find(|child| child.is(name))
    }

    /// The element at the end of a path of names.
    pub(super) fn descend(&self, path: &[&str]) -> Option<&Element> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// The one of several forms of a thing (`mc:AlternateContent`) that is read: the first, which is for
    /// today's programs.
    pub(super) fn chosen(&self) -> impl Iterator<Item = &Element> {
        self.child("mc:Choice").or_else(|| self.child("mc:Fallback")).into_iter()
    }

    /// All elements of a name below this one, in the order of the text.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.descendants().filter(move |element| element.is(name))
    }

    /// All elements below this one, in the order of the text.
    pub(crate) fn descendants(&self) -> impl Iterator<Item = &Element> {
        let mut waiting = vec![self.children.iter()];
        std::iter::from_fn(move || {
            while let Some(level) = waiting.last_mut() {
                match level.next() {
                    Some(Node::Element(element)) => {
                        waiting.push(element.children.iter());
                        return Some(element);
                    }
                    Some(Node::Text(_)) => {}
                    None => drop(waiting.pop()),
                }
            }
            None
        })
    }

    /// All text below this element.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.add_text(&mut text);
        text
    }

    fn add_text(&self, text: &mut String) {
        for child in &self.children {
            match child {
                Node::Element(element) => element.add_text(text),
                Node::Text(own) => text.push_str(own),
            }
        }
    }
}

/// Reads one part; its root element.
pub(super) fn parse(source: &str) -> Result<Element, Fault> {
    let mut reader = Reader::from_str(source);
    let mut tree = Tree::default();
    loop {
        let event = reader.read_event().map_err(|error| {
            Fault::Broken(format!("{error} at offset {}", reader.error_position()))
        })?;
        match event {
            Event::Start(tag) => tree.open(&tag)?,
            Event::Empty(tag) => {
                tree.open(&tag)?;
                tree.close();
            }
            Event::End(_) => tree.close(),
            Event::Text(text) => tree.text(&text.xml10_content()),
            Event::CData(text) => tree.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().map_err(broken)?;
                match character.map(String::from).or_else(|| predefined(&reference)) {
                    Some(text) => tree.text(&text),
                    None => {
                        let name = &*reference;
                        return Err(Fault::Broken(format!("an unknown entity `&{name};`")));
                    }
                }
            }
            Event::DocType(_) => {
                return Err(Fault::Broken("a document type, which such files never have".into()));
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => return tree.finish(),
        }
    }
}

fn predefined(name: &str) -> Option<String> {
    let text = match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    };
    Some(text.to_owned())
}

fn broken(error: impl std::fmt::Display) -> Fault {
    Fault::Broken(error.to_string())
}

#[derive(Default)]
struct Tree {
    names: Names,
    open: Vec<Element>,
    root: Option<Element>,
    count: usize,
}

impl Tree {
    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), Fault> {
        self.count += 1;
        if self.open.len() >= DEEPEST {
            return Err(Fault::TooDeep);
        }
        if self.count > MOST_ELEMENTS {
            return Err(Fault::TooMany);
        }
        // The check for attributes that stand twice takes the square of their number.
        let mut own = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(broken)?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(broken)?;
            let name = attribute.key.into_inner();
            match name.strip_prefix("xmlns") {
                Some("") => self.names.declare("", &value, self.open.len())?,
                Some(prefix) if prefix.starts_with(':') => {
                    self.names.declare(prefix.trim_start_matches(':'), &value, self.open.len())?;
                }
                _ => own.push((name, value)),
            }
        }
        let attributes = own
            .into_iter()
            .map(|(name, value)| (self.names.attribute(name), value.into()))
            .collect();
        let name = self.names.element(tag.name().into_inner());
        self.open.push(Element { name, attributes, children: Vec::new() });
        Ok(())
    }

    fn close(&mut self) {
        let Some(element) = self.open.pop() else {
            return;
        };
        self.names.leave(self.open.len());
        match self.open.last_mut() {
            Some(parent) => parent.children.push(Node::Element(element)),
            // What stands behind the first root is no part of the document.
            None => self.root = self.root.take().or(Some(element)),
        }
    }

    fn text(&mut self, text: &str) {
        let Some(parent) = self.open.last_mut() else {
            return;
        };
        match parent.children.last_mut() {
            // An entity parts a text into several events.
            Some(Node::Text(before)) => before.push_str(text),
            _ => parent.children.push(Node::Text(text.to_owned())),
        }
    }

    fn finish(self) -> Result<Element, Fault> {
        match self.open.last() {
            Some(element) => {
                Err(Fault::Broken(format!("it ends inside of the element `{}`", element.name)))
            }
            None => self.root.ok_or_else(|| Fault::Broken("it holds no element".to_owned())),
        }
    }
}

/// Namespaces that may be declared at once: Word declares about forty.
// A name is looked up from the innermost on, which takes time with their number.
const MOST_DECLARED: usize = 200;

const OPEN_DOCUMENT: &str = "urn:oasis:names:tc:opendocument:xmlns:";

/// Namespaces of Office Open XML (ECMA-376, transitional and strict) and what stands with them.
const USUAL: &[(&str, &str)] = &[
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
    ("http://schemas.microsoft.com/office/word/2010/wordml", "w14"),
    ("urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0", "field"),
    ("http://schemas.openxmlformats.org/presentationml/2006/main", "p"),
    ("http://purl.oclc.org/ooxml/presentationml/main", "p"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    ("http://schemas.openxmlformats.org/drawingml/2006/chart", "c"),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "c"),
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
    ("http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"),
    ("http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"),
    ("http://schemas.openxmlformats.org/drawingml/2006/picture", "pic"),
    ("http://purl.oclc.org/ooxml/drawingml/picture", "pic"),
    ("http://schemas.microsoft.com/office/drawing/2017/decorative", "adec"),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0", "loext"),
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
    fn declare(&mut self, prefix: &str, uri: &str, depth: usize) -> Result<(), Fault> {
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
