//! The bookmarks of a PDF: headings that their writer, or the program, named.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, MaybeRef, Object, ObjectIdentifier, String as PdfString};

use super::contents::folded;
use super::text_string::text_string;

const MOST_BOOKMARKS: usize = 5_000;
const DEEPEST: u8 = 12;

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

fn page_numbers(pdf: &Pdf) -> BTreeMap<(u32, i32), usize> {
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
            let page = self.destination(&item);
            self.found.push(Bookmark { title: folded(&title), depth, page });
            if depth < DEEPEST {
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
    if depth > DEEPEST {
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
