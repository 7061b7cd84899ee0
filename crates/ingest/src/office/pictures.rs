//! The descriptions of pictures in office documents: what a tick in a cell means, what a scanned sign says.

use super::words::Words;
use super::xml::Element;
use crate::picture_words;

/// Adds what the pictures in a drawing say to a cell; elsewhere a sign within a line is an ornament.
pub(super) fn add_to_cell(drawing: &Element, words: &mut Words) {
    if !words.is_cell() {
        return;
    }
    for found in descriptions(drawing).into_iter().filter_map(picture_words::of_a_sign) {
        words.text(" ", Default::default());
        words.text(&found, Default::default());
        words.text(" ", Default::default());
    }
}

/// The sentences that the pictures of a paragraph without text are.
pub(super) fn sentences(paragraph: &Element) -> impl Iterator<Item = String> {
    descriptions(paragraph).into_iter().filter_map(picture_words::sentence)
}

/// Descriptions of one paragraph that are read: a row of icons has a handful.
const MOST: usize = 20;

/// The descriptions of the pictures below an element, each once. Boxes of text are read by themselves.
fn descriptions(parent: &Element) -> Vec<&str> {
    let mut found = Vec::new();
    gather(parent, &mut found);
    found
}

fn gather<'a>(element: &'a Element, found: &mut Vec<&'a str>) {
    // A picture may stand there a second time, in the form of older programs.
    found.extend(description(element).filter(|own| !found.contains(own) && found.len() < MOST));
    let is_box = |child: &&Element| child.is("w:txbxContent") || child.is("draw:text-box");
    element.elements().filter(|child| !is_box(child)).for_each(|child| gather(child, found));
}

/// The description of a picture by the element that holds it.
pub(super) fn description(element: &Element) -> Option<&str> {
    match &*element.name {
        // Word, in line with the text or anchored beside it.
        "wp:inline" | "wp:anchor" if holds_picture(element) => stated(element.child("wp:docPr")?),
        "p:pic" => stated(element.descend(&["p:nvPicPr", "p:cNvPr"])?),
        // Word's form of before 2010.
        "v:shape" | "v:rect" => {
            element.child("v:imagedata")?;
            element.attribute("alt")
        }
        "draw:frame" if element.child("draw:image").is_some() => {
            let is_ornament = element.attribute("loext:decorative") == Some("true");
            let child = |name: &str| match element.child(name)?.children.first()? {
                super::xml::Node::Text(text) => Some(text.as_str()),
                super::xml::Node::Element(_) => None,
            };
            child("svg:desc").or_else(|| child("svg:title")).filter(|_| !is_ornament)
        }
        _ => None,
    }
}

/// Returns `true` if a drawing is a picture, and no shape, box of text or chart.
fn holds_picture(drawing: &Element) -> bool {
    let data = drawing.descend(&["a:graphic", "a:graphicData"]);
    data.is_some_and(|data| data.child("pic:pic").is_some())
}

/// The description, or else the title, in the properties of a drawing; nothing for an ornament.
pub(super) fn stated(properties: &Element) -> Option<&str> {
    let is_ornament = properties
        .descendants()
        .any(|own| own.is("adec:decorative") && matches!(own.attribute("val"), Some("1" | "true")));
    let value = |name: &str| properties.attribute(name).filter(|value| !value.trim().is_empty());
    value("descr").or_else(|| value("title")).filter(|_| !is_ornament)
}
