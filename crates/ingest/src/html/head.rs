//! Statements of a page about itself in its head.

use std::collections::BTreeMap;

use campanile_corpus::metadata::Field;
use ego_tree::NodeRef;
use scraper::{Html, Node};
use serde_json::Value;

use crate::office;
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
    /// `<title>`, unless a program wrote it.
    pub(super) title: Option<String>,
    /// What the site calls itself.
    pub(super) site_names: Vec<String>,
    /// It sends a browser on to another page at once.
    pub(super) leads_on: bool,
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
                head.title = Some(title).filter(|title| !title.is_empty() && !is_no_title(title));
            }
            "link" if element.attr("rel") == Some("canonical") => {
                let address = element.attr("href").and_then(safe_target);
                let is_whole = |address: &&str| address.contains("://");
                head.link = address.filter(is_whole).map(str::to_owned).or(head.link);
            }
            "meta" => {
                let is_refresh = element
                    .attr("http-equiv")
                    .is_some_and(|name| name.eq_ignore_ascii_case("refresh"));
                head.leads_on |= is_refresh && element.attr("content").is_some_and(is_leading_on);
                let name = element.attr("name").or_else(|| element.attr("property"));
                if let (Some(name), Some(value)) = (name, element.attr("content")) {
                    let name = name.to_ascii_lowercase();
                    // Dublin Core and Open Graph write the same names behind prefixes of their own.
                    let bare = name.rsplit(['.', ':']).next().unwrap_or_default();
                    match name.as_str() {
                        "og:title" if social_title.is_none() => {
                            social_title = Some(clean_line(value, report));
                        }
                        "og:site_name" | "application-name" => {
                            head.site_names.push(clean_line(value, report));
                        }
                        _ => {}
                    }
                    // Social networks' copies (`og:description`) say the same again.
                    let is_kept = KEPT.contains(&bare) || is_metadata(&name);
                    if is_kept && !name.starts_with("og:") && !value.is_empty() {
                        let value = Value::String(clean_line(value, report));
                        head.metadata.insert(name, value);
                    }
                }
            }
            // For those whose browser runs no scripts; the script beside it does the same.
            "noscript" => head.leads_on |= holds_refresh(&text_of(node)),
            _ => {}
        }
    }
    head.title =
        head.title.or(social_title.filter(|title| !title.is_empty() && !is_no_title(title)));
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

/// Returns `true` for a refresh that leads to an address, as in `0; url=../fees/`, and not to the page itself again.
fn is_leading_on(content: &str) -> bool {
    let (seconds, rest) = content.split_once([';', ',']).unwrap_or((content, ""));
    let is_soon = seconds.trim().parse::<u8>().is_ok_and(|seconds| seconds <= MOST_SECONDS);
    is_soon && rest.trim_start().get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"))
}

/// Returns `true` for HTML, kept as text by the parser, that sends a browser on to another page.
fn holds_refresh(source: &str) -> bool {
    if !source.contains("refresh") || source.len() > MOST_NOSCRIPT_BYTES {
        return false;
    }
    let fragment = Html::parse_fragment(source);
    fragment.tree.values().filter_map(Node::as_element).any(|element| {
        element.attr("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh"))
            && element.attr("content").is_some_and(is_leading_on)
    })
}

/// What leads on is one line; no more is parsed.
const MOST_NOSCRIPT_BYTES: usize = 2_000;

/// A page that stays longer is meant to be read.
const MOST_SECONDS: u8 = 5;

/// Titles of pages that programs give by themselves, in lower case.
const UNTITLED: &[&str] = &[
    "document sans titre", "documento sin título", "new page 1", "unbenanntes dokument",
    "untitled document", "untitled page",
];

/// Returns `true` if a title is a program's, a file's name or an address.
fn is_no_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    let is_one_word = !lower.contains(char::is_whitespace);
    let is_address = lower.starts_with("http://") || lower.starts_with("https://");
    let is_file = [".htm", ".html", ".pdf", ".php"].iter().any(|end| lower.ends_with(end));
    office::is_junk(title)
        || UNTITLED.contains(&&*lower)
        || is_one_word && (is_address || is_file || lower.starts_with('/'))
}
