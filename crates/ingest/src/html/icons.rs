//! Icons that are all that a cell says: a tick or a cross, drawn by a style sheet or a font of icons.
//!
//! Which icon it is stands in a class (`fa-check`, `bi-x-lg`), in the name of a drawing (`<use href="#icon-check">`), or in the
//! element as a word that the font draws as one sign (`<span class="material-icons">check</span>`).

use ego_tree::NodeRef;
use scraper::Node;
use scraper::node::Element;

use super::furniture::words_of_name;

/// Elements between an icon and its cell.
const DEPTH: usize = 4;
/// Elements and texts of a cell that says nothing but its icon.
const MOST_NODES: usize = 20;

const YES: &[&str] = &["check", "checkmark", "done", "ok", "tick", "yes"];
const NO: &[&str] = &["cancel", "clear", "close", "cross", "no", "remove", "times", "x", "xmark"];
/// Fonts whose icons are written as words.
const FONTS: &[&str] = &["material-icons", "material-symbols"];
/// Names that only icons have, in whole or in front.
const NAMES: &[&str] = &[
    "bi", "fa", "fab", "far", "fas", "feather", "glyphicon", "icon", "icons", "la", "lucide",
    "mdi", "octicon", "oi", "ph", "ri", "ti", "uil",
];

/// The sign of an icon that says yes or no, where its cell says nothing else.
pub(super) fn sign(node: NodeRef<'_, Node>, element: &Element) -> Option<&'static str> {
    let name = match element.name() {
        "i" | "span" | "em" => name_in_class(element).or_else(|| word_of_font(node, element)),
        "svg" => name_in_class(element).or_else(|| name_of_drawing(node)),
        "input" => return ticked(node, element),
        _ => None,
    }?;
    let words = words_of_name(&name);
    let is_one = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let sign = if is_one(YES) {
        "✔"
    } else if is_one(NO) {
        "✗"
    } else {
        return None;
    };
    says_nothing_else(node).then_some(sign)
}

/// A box that nobody can tick shows a state.
fn ticked(node: NodeRef<'_, Node>, element: &Element) -> Option<&'static str> {
    let is_box = element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox"))
        && (element.attr("disabled").is_some() || element.attr("readonly").is_some());
    let sign = if element.attr("checked").is_some() { "✔" } else { "✗" };
    (is_box && says_nothing_else(node)).then_some(sign)
}

fn name_in_class(element: &Element) -> Option<String> {
    let is_icon = |class: &str| {
        NAMES.iter().any(|name| {
            class.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    if element.attr("title").is_some() || element.attr("aria-label").is_some() {
        // It says itself what it means.
        return None;
    }
    element.classes().any(is_icon).then(|| element.classes().collect::<Vec<_>>().join("-"))
}

fn word_of_font(node: NodeRef<'_, Node>, element: &Element) -> Option<String> {
    let is_font = element.classes().any(|class| FONTS.iter().any(|font| class.starts_with(font)));
    let word = || node.first_child()?.value().as_text().map(|text| text.trim().to_owned());
    is_font.then(word).flatten()
}

fn name_of_drawing(node: NodeRef<'_, Node>) -> Option<String> {
    let mut drawings = node.children().filter_map(|child| child.value().as_element());
    let drawing = drawings.find(|child| child.name() == "use")?;
    let address = drawing.attr("href").or_else(|| drawing.attr("xlink:href"))?;
    address.rsplit_once('#').map(|(_, name)| name.to_owned())
}

/// Returns `true` in a cell without other text.
fn says_nothing_else(node: NodeRef<'_, Node>) -> bool {
    let is_cell = |above: &NodeRef<'_, Node>| {
        above.value().as_element().is_some_and(|element| matches!(element.name(), "td" | "th"))
    };
    let Some(cell) = node.ancestors().take(DEPTH).find(is_cell) else { return false };
    let is_other = |below: NodeRef<'_, Node>| {
        below.value().as_text().is_some_and(|text| !text.trim().is_empty())
            && !below.ancestors().any(|above| above.id() == node.id())
    };
    cell.descendants().nth(MOST_NODES).is_none() && !cell.descendants().any(is_other)
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    #[test]
    fn icons_in_cells_say_yes_or_no() {
        for (icon, expected) in [
            ("<i class='fa fa-check'></i>", "A: 1; B: ✔"),
            ("<i class='fas fa-times text-danger' aria-hidden=true></i>", "A: 1; B: ✗"),
            ("<i class='bi bi-check-lg'></i>", "A: 1; B: ✔"),
            ("<span class='glyphicon glyphicon-ok'></span>", "A: 1; B: ✔"),
            ("<p><span class=material-icons>close</span></p>", "A: 1; B: ✗"),
            ("<span class='material-symbols-outlined'> check_circle </span>", "A: 1; B: ✔"),
            ("<svg class='lucide lucide-check'><path/></svg>", "A: 1; B: ✔"),
            ("<svg><use href='icons.svg#icon-x'/></svg>", "A: 1; B: ✗"),
            ("<input type=checkbox checked disabled>", "A: 1; B: ✔"),
            ("<input type=checkbox disabled>", "A: 1; B: ✗"),
            ("<input type=checkbox>", "A: 1"),
            ("<i class='fa fa-star'></i>", "A: 1"),
            ("<span class='check'></span>", "A: 1"),
            ("<i class='fa fa-check' title=seldom></i>", "A: 1; B: seldom"),
            ("<i class='fa fa-times'></i><span class=sr-only>never</span>", "A: 1; B: never"),
            ("<i class='fa fa-check'></i> on Mondays", "A: 1; B: on Mondays"),
        ] {
            let page = format!(
                "<main><table><tr><th>A<th>B<tr><td>1<td>{icon}<tr><td>2<td>x</table></main>"
            );
            let reading = read_bytes("a.html", page.as_bytes(), &Default::default());
            let text = reading.ok().and_then(|mut it| it.documents.pop()).unwrap_or_default().text;
            assert_eq!(text.lines().next(), Some(expected), "{icon}");
        }
    }
}
