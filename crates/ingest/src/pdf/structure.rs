//! The structure tree of a tagged PDF: which pieces of its pages are headings. ISO 32000-1, 14.7 and 14.8.
//!
//! The brackets in a page's content have names too, but today's programs write `Span` or `NonStruct`
//! there, and say in the tree alone what a piece is. The tree is walked from its root, since each of its
//! elements names its page: the numbers by which pages refer to the tree clash in files that were put
//! together from others.

use std::collections::BTreeMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, Name, Object};

use super::catalog::page_numbers;
use super::ink::Role;

/// Elements of a tree, at most: a book of a thousand pages has 100,000.
// For hostile files: elements may hold one another many times.
const MOST_ELEMENTS: usize = 300_000;
const DEEPEST: u8 = 60;
/// Names that are mapped to other names, at most.
const LONGEST_CHAIN: usize = 8;

/// What the tree says of one page: the role of each piece of marked content that it names.
pub(super) type PageTags = BTreeMap<i32, Role>;

/// What the tree says, page by page.
pub(super) fn tags(pdf: &Pdf, pages: usize) -> Vec<PageTags> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let root = catalog.and_then(|catalog| catalog.get::<Dict<'_>>(b"StructTreeRoot"));
    let Some(root) = root else {
        return vec![PageTags::new(); pages];
    };
    let mut walk = Walk {
        names: root.get::<Dict<'_>>(b"RoleMap"),
        pages: page_numbers(pdf),
        tags: vec![PageTags::new(); pages],
        elements: 0,
    };
    walk.kids(&root, Place { role: Role::Untold, page: None, sections: 0 }, 0);
    walk.tags
}

/// Where the walk is.
#[derive(Clone, Copy)]
struct Place {
    role: Role,
    /// The page of the element, from 0.
    page: Option<usize>,
    /// Sections around it: the level of a heading that does not state its own.
    sections: u8,
}

struct Walk<'a> {
    names: Option<Dict<'a>>,
    pages: BTreeMap<(u32, i32), usize>,
    tags: Vec<PageTags>,
    elements: usize,
}

impl<'a> Walk<'a> {
    fn kids(&mut self, parent: &Dict<'a>, place: Place, depth: u8) {
        if depth > DEEPEST {
            return;
        }
        match parent.get::<Object<'a>>(b"K") {
            Some(Object::Array(kids)) => {
                for kid in kids.iter::<Object<'a>>() {
                    self.kid(kid, place, depth);
                }
            }
            Some(kid) => self.kid(kid, place, depth),
            None => {}
        }
    }

    fn kid(&mut self, kid: Object<'a>, place: Place, depth: u8) {
        self.elements += 1;
        if self.elements > MOST_ELEMENTS {
            return;
        }
        match kid {
            Object::Number(id) => self.tag(i32::try_from(id.as_i64()).ok(), place),
            Object::Dict(dict) => self.dict(&dict, place, depth),
            _ => {}
        }
    }

    fn dict(&mut self, dict: &Dict<'a>, mut place: Place, depth: u8) {
        place.page = self.page(dict).or(place.page);
        let Some(name) = dict.get::<Name<'_>>(b"S") else {
            // The content of a form has numbers of its own.
            if !dict.contains_key(b"Stm") {
                self.tag(dict.get::<i32>(b"MCID"), place);
            }
            return;
        };
        let name = self.standard(name.to_vec(), dict.get::<Dict<'_>>(b"NS"));
        if matches!(name.as_slice(), b"Sect" | b"Part" | b"Art") {
            place.sections = place.sections.saturating_add(1);
        }
        place.role = match name.as_slice() {
            b"Title" => Role::Heading(1),
            b"H" => Role::Heading(place.sections.clamp(1, 6)),
            [b'H', level @ b'1'..=b'6'] => Role::Heading(level - b'0'),
            // The text of a note belongs to no heading, even where its mark is in one.
            b"Note" | b"FENote" => Role::Untold,
            _ => place.role,
        };
        self.kids(dict, place, depth + 1);
    }

    fn tag(&mut self, id: Option<i32>, place: Place) {
        let page = place.page.and_then(|page| self.tags.get_mut(page));
        if let (Some(id), Some(tags)) = (id, page) {
            tags.insert(id, place.role);
        }
    }

    fn page(&self, element: &Dict<'a>) -> Option<usize> {
        let page = element.get_ref(b"Pg")?;
        self.pages.get(&(page.obj_number, page.gen_number)).copied()
    }

    /// The standard name that a program's own name stands for: `Heading1`, or LaTeX's `section`.
    fn standard(&self, mut name: Vec<u8>, space: Option<Dict<'a>>) -> Vec<u8> {
        let mut maps =
            [space.and_then(|space| space.get::<Dict<'a>>(b"RoleMapNS")), self.names.clone()];
        for _ in 0..LONGEST_CHAIN {
            let next = maps.iter().flatten().find_map(|map| mapped(map, &name));
            match next {
                Some((next, map)) if next != name => {
                    name = next;
                    if map.is_some() {
                        maps[0] = map;
                    }
                }
                _ => break,
            }
        }
        name
    }
}

/// The name that a map has for another, and the map of its namespace where it has one.
fn mapped<'a>(map: &Dict<'a>, name: &[u8]) -> Option<(Vec<u8>, Option<Dict<'a>>)> {
    match map.get::<Object<'a>>(name)? {
        Object::Name(next) => Some((next.to_vec(), None)),
        Object::Array(pair) => in_namespace(&pair),
        _ => None,
    }
}

fn in_namespace<'a>(pair: &Array<'a>) -> Option<(Vec<u8>, Option<Dict<'a>>)> {
    let mut pair = pair.iter::<Object<'a>>();
    let name = pair.next()?.into_name()?;
    let space = pair.next().and_then(Object::into_dict);
    Some((name.to_vec(), space.and_then(|space| space.get::<Dict<'a>>(b"RoleMapNS"))))
}
