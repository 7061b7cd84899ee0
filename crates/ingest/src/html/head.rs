//! Statements of a page about itself in its head.

use std::collections::BTreeMap;

use campanile_corpus::metadata::Field;
use ego_tree::NodeRef;
use scraper::{Html, Node};
use serde_json::Value;

use crate::report::Report;
use crate::sanitize::{clean_line, safe_target};

/// The names of `<meta>` elements worth keeping, with or without a prefix such as `dcterms.`.
const KEPT: &[&str] = &[
    "author", "category", "creator", "date", "department", "description", "issued", "keywords",
    "last-modified", "modified", "modified_time", "published_time", "revised", "robots", "subject",
];

/// Fields of a page's description in JSON (schema.org) worth keeping.
const KEPT_IN_JSON: &[&str] = &["dateModified", "datePublished", "inLanguage"];

#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) title: Option<String>,
    pub(super) link: Option<String>,
    pub(super) metadata: BTreeMap<String, Value>,
}

pub(super) fn read(page: &Html, report: &mut Report) -> Head {
    let mut head = Head::default();
    let mut social_title = None;
    for node in page.tree.nodes() {
        let Node::Element(element) = node.value() else {
            continue;
        };
        match element.name() {
            "html" | "body" => {
                let stated = element.attr("lang").or_else(|| element.attr("xml:lang"));
                if let Some(language) = stated.filter(|lang| !lang.is_empty()) {
                    let language = Value::String(clean_line(language, report));
                    head.metadata.entry("language".to_owned()).or_insert(language);
                }
            }
            "script" if element.attr("type") == Some("application/ld+json") => {
                described(&text_of(node), &mut head.metadata, report);
            }
            // An SVG drawing has titles too; the page's comes first.
            "title" if head.title.is_none() => {
                let title = clean_line(&text_of(node), report);
                head.title = Some(title).filter(|title| !title.is_empty());
            }
            "link" if element.attr("rel") == Some("canonical") => {
                let address = element.attr("href").and_then(safe_target);
                let is_whole = |address: &&str| address.contains("://");
                head.link = address.filter(is_whole).map(str::to_owned).or(head.link);
            }
            "meta" => {
                let name = element.attr("name").or_else(|| element.attr("property"));
                if let (Some(name), Some(value)) = (name, element.attr("content")) {
                    let name = name.to_ascii_lowercase();
                    // Dublin Core and Open Graph write the same names behind prefixes of their own.
                    let bare = name.rsplit(['.', ':']).next().unwrap_or_default();
                    if name == "og:title" {
                        social_title = social_title.or_else(|| Some(clean_line(value, report)));
                    }
                    // Social networks' copies (`og:description`) say the same again.
                    let is_kept = KEPT.contains(&bare) || is_metadata(&name);
                    if is_kept && !name.starts_with("og:") && !value.is_empty() {
                        let value = Value::String(clean_line(value, report));
                        head.metadata.insert(name, value);
                    }
                }
            }
            _ => {}
        }
    }
    head.title = head.title.or(social_title.filter(|title| !title.is_empty()));
    head
}

fn text_of(node: NodeRef<'_, Node>) -> String {
    node.children()
        .filter_map(|child| child.value().as_text())
        .flat_map(|text| text.chars())
        .collect()
}

/// Keeps what a page's description says of it, at its top or in its list of things.
fn described(text: &str, metadata: &mut BTreeMap<String, Value>, report: &mut Report) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let list = value.get("@graph").and_then(Value::as_array).or(value.as_array());
    for thing in std::iter::once(&value).chain(list.into_iter().flatten()) {
        for name in KEPT_IN_JSON {
            if let Some(Value::String(stated)) = thing.get(*name) {
                let stated = Value::String(clean_line(stated, report));
                metadata.entry((*name).to_owned()).or_insert(stated);
            }
        }
    }
}

/// Returns `true` if a name is a field of the metadata. A page's title, address and language stand elsewhere
/// in it; a `<meta>` of that name is some tool's.
fn is_metadata(name: &str) -> bool {
    !matches!(Field::of(name), None | Some(Field::Title | Field::Link | Field::Language))
}

/// The page's title. `<title>` often ends in the site's name: where it begins with the page's own
/// heading, that is the title.
pub(super) fn title(title: Option<&str>, heading: Option<&str>) -> Option<String> {
    match (title, heading) {
        (Some(title), Some(heading)) if title.starts_with(heading) => Some(heading.to_owned()),
        (Some(title), _) => Some(title.to_owned()),
        (None, heading) => heading.map(str::to_owned),
    }
}
