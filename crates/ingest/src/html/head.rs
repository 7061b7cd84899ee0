//! What a page says about itself in its head.

use std::collections::BTreeMap;

use scraper::{Html, Node};
use serde_json::Value;

use crate::address::safe;
use crate::report::Report;
use crate::sanitize::clean_line;

/// The names of `<meta>` elements worth keeping, with or without a prefix such as `dcterms.`.
const KEPT: &[&str] = &[
    "author",
    "category",
    "creator",
    "date",
    "department",
    "description",
    "issued",
    "keywords",
    "last-modified",
    "modified",
    "modified_time",
    "published_time",
    "revised",
    "robots",
    "subject",
];

#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) title: Option<String>,
    pub(super) link: Option<String>,
    pub(super) metadata: BTreeMap<String, Value>,
}

pub(super) fn read(page: &Html, report: &mut Report) -> Head {
    let mut head = Head::default();
    for node in page.tree.nodes() {
        let Node::Element(element) = node.value() else {
            continue;
        };
        match element.name() {
            "html" => {
                if let Some(language) = element.attr("lang").filter(|lang| !lang.is_empty()) {
                    let language = clean_line(language, report);
                    head.metadata.insert("language".to_owned(), Value::String(language));
                }
            }
            // An SVG drawing has titles too; the page's comes first.
            "title" if head.title.is_none() => {
                let text: String = node
                    .children()
                    .filter_map(|child| child.value().as_text().map(|text| text.to_string()))
                    .collect();
                head.title = Some(clean_line(&text, report)).filter(|title| !title.is_empty());
            }
            "link" if element.attr("rel") == Some("canonical") => {
                let address = element.attr("href").and_then(safe);
                let is_whole = |address: &&str| address.contains("://");
                head.link = address.filter(is_whole).map(str::to_owned).or(head.link);
            }
            "meta" => {
                let name = element.attr("name").or_else(|| element.attr("property"));
                if let (Some(name), Some(value)) = (name, element.attr("content")) {
                    let name = name.to_ascii_lowercase();
                    let bare = name.rsplit(['.', ':']).next().unwrap_or_default();
                    // Social networks' copies (`og:description`) say the same again.
                    if KEPT.contains(&bare) && !name.starts_with("og:") && !value.is_empty() {
                        let value = Value::String(clean_line(value, report));
                        head.metadata.insert(name, value);
                    }
                }
            }
            _ => {}
        }
    }
    head
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
