//! Pages that Word saved: lists are paragraphs with a bullet or a number in front, and the title is one too.
//!
//! Each becomes the element that it stands for. A number stays, for texts refer to it; a bullet is a letter of a font of signs
//! (`·`, `o`, `§`), and says no more than that an item begins.

use ego_tree::{NodeId, NodeRef};
use scraper::node::{Element, Text};
use scraper::{Html, Node};

/// Letters that Word's fonts of signs show as bullets.
const BULLETS: &[&str] =
    &["·", "o", "§", "Ø", "ü", "v", "•", "-", "–", "\u{f0b7}", "\u{f0a7}", "\u{f0d8}"];

/// What a paragraph of Word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Item,
    Title,
}

/// Gives the paragraphs that Word marks their elements.
pub(super) fn name_paragraphs(page: &mut Html) {
    let meaning = |node: NodeRef<'_, Node>| Some((node.id(), meaning(node.value().as_element()?)?));
    let found: Vec<(NodeId, Meaning)> =
        page.tree.root().descendants().filter_map(meaning).collect();
    if found.is_empty() {
        return;
    }
    let sample = Html::parse_fragment("<li></li><h1></h1>");
    let name = |wanted: &str| {
        let mut elements = sample.tree.nodes().filter_map(|node| node.value().as_element());
        elements.find(|element| element.name() == wanted).map(|element| element.name.clone())
    };
    let (Some(item), Some(title)) = (name("li"), name("h1")) else { return };
    for (id, meaning) in found {
        let bullet = page.tree.get(id).filter(|_| meaning == Meaning::Item).and_then(bullet);
        if let Some(mut bullet) = bullet.and_then(|bullet| page.tree.get_mut(bullet))
            && let Node::Text(text) = bullet.value()
        {
            *text = Text { text: "".into() };
        }
        if let Some(mut node) = page.tree.get_mut(id)
            && let Node::Element(element) = node.value()
        {
            element.name = if meaning == Meaning::Item { item.clone() } else { title.clone() };
        }
    }
}

fn meaning(element: &Element) -> Option<Meaning> {
    let is = |name: &str| element.classes().any(|class| class.starts_with(name));
    let is_item = || {
        let style = element.attr("style").unwrap_or_default();
        style.contains("mso-list:") && !style.contains("mso-list:none")
    };
    match element.name() {
        "p" if is("MsoTitle") => Some(Meaning::Title),
        "p" if is("MsoListParagraph")
            || is("MsoListBullet")
            || is("MsoListNumber")
            || is_item() =>
        {
            Some(Meaning::Item)
        }
        _ => None,
    }
}

/// The bullet that an item begins with.
fn bullet(item: NodeRef<'_, Node>) -> Option<NodeId> {
    let is_filled = |node: &NodeRef<'_, Node>| {
        node.value().as_text().is_some_and(|text| !text.trim().is_empty())
    };
    let first = item.descendants().find(is_filled)?;
    let text = first.value().as_text()?.trim();
    BULLETS.contains(&text).then(|| first.id())
}

#[cfg(test)]
mod tests {
    use crate::read_bytes;

    #[test]
    fn lists_and_titles_of_word_are_what_they_show() {
        let page = "<html xmlns:w=\"urn:schemas-microsoft-com:office:word\"><body><p class=MsoTitle>Exam rules</p>\
            <p class=MsoNormal>Bring</p>\
            <p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'>\
            <span style='mso-list:Ignore'>·<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp; </span></span></span><![endif]>a card</p>\
            <p class=MsoListParagraphCxSpLast><span style='font-family:\"Courier New\"'>o<span>&nbsp; </span></span>or a form</p>\
            <p class=MsoListParagraph><span>2.<span>&nbsp; </span></span>Be early.</p><p class=MsoNormal style='mso-list:none'>o dear</p>";
        let reading = read_bytes("rules.html", page.as_bytes(), &Default::default());
        let document = reading.ok().and_then(|reading| reading.documents.into_iter().next());
        let text = document.as_ref().map(|document| document.text.as_str());
        assert_eq!(text, Some("Exam rules\n\nBring\n\na card\nor a form\n2. Be early.\n\no dear"));
        assert_eq!(document.map(|document| document.title).as_deref(), Some("Exam rules"));
    }
}
