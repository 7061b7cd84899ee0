//! The rules of a page's own style sheets, as far as what they say changes what is read.
//!
//! Style sheets in other files are not read, and of those in the page only plain rules: no states (`:hover`), which hold for
//! a moment, and no at-rules, which hold on paper or on some screens.

use ego_tree::NodeRef;
use scraper::{Html, Node, Selector};

// Each rule is held against elements, and a selector looks at all that is around one: a page is hostile that has more.
/// The longest selector, in bytes.
const SELECTOR_BYTES: usize = 80;
/// Bytes of style sheets that are read of one page.
const SHEET_BYTES: usize = 200_000;

/// The text of a page's style sheets, one behind the other.
pub(super) fn source(page: &Html) -> String {
    let is_sheet = |node: &NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| element.name() == "style")
    };
    let sheets = page.tree.root().descendants().filter(is_sheet);
    let texts = sheets.flat_map(|sheet| sheet.children());
    let mut source = String::new();
    for text in texts.filter_map(|node| node.value().as_text()) {
        if source.len() + text.len() > SHEET_BYTES {
            break;
        }
        source.push_str(text);
    }
    without_comments(&source)
}

/// The selector of a plain rule; `None` for one with states or functions (`:not(…)`), which may hold for some elements alone.
pub(super) fn selector(text: &str) -> Option<Selector> {
    let plain = text.trim();
    let is_plain =
        !plain.is_empty() && plain.len() <= SELECTOR_BYTES && !plain.contains([':', '[']);
    is_plain.then(|| Selector::parse(plain).ok()).flatten()
}

fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, behind)) = rest.split_once("/*") {
        out.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out
}

/// The rules of a style sheet: selectors and declarations. Those of an at-rule are left out, since they hold on paper
/// or on some screens.
pub(super) fn rules(source: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = source;
    std::iter::from_fn(move || {
        loop {
            let (head, behind) = rest.split_once('{')?;
            // `@import …;` has no block.
            let head = head.rsplit(';').next().unwrap_or(head).trim();
            let end = if head.starts_with('@') { nested_end(behind) } else { behind.find('}')? };
            let (body, after) = behind.split_at_checked(end)?;
            rest = after.get(1..).unwrap_or_default();
            if !head.starts_with('@') {
                return Some((head, body));
            }
        }
    })
}

/// The place of the brace that closes a block with blocks in it.
fn nested_end(source: &str) -> usize {
    let mut depth = 0_usize;
    for (place, byte) in source.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return place,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    source.len()
}
