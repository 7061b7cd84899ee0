//! Ticks of lists: `- [x] paid`, as Markdown becomes HTML.

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

/// Elements from a tick up to its item: a label, or a paragraph and a label.
const DEPTH: usize = 3;

/// The tick of an item in a list; `None` for a field of a form, whose answer would go somewhere by its name.
pub(super) fn tick(node: NodeRef<'_, Node>, element: &Element) -> Option<&'static str> {
    let is_field = ["name", "id", "onclick"].iter().any(|name| element.attr(name).is_some());
    let is_box = element.name() == "input"
        && element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"));
    if !is_box || is_field {
        return None;
    }
    let mut above = node.ancestors().take(DEPTH).filter_map(|above| above.value().as_element());
    let is_item = above.any(|above| above.name() == "li");
    is_item.then(|| if element.attr("checked").is_some() { "☑ " } else { "☐ " })
}
