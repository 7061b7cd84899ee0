//! The content of a line.

use super::super::words::Words;
use super::super::xml::{Element, Node};
use super::Reader;
use super::styles::Format;

impl<'a> Reader<'a> {
    /// Adds what an element holds, in the format of what is around it.
    pub(super) fn inline(&mut self, parent: &'a Element, words: &mut Words, format: Format) {
        for child in &parent.children {
            match child {
                Node::Text(text) => words.text(text, format.look(self.is_shaded)),
                Node::Element(element) => self.piece(element, words, format),
            }
        }
    }

    fn piece(&mut self, piece: &'a Element, words: &mut Words, format: Format) {
        let look = format.look(self.is_shaded);
        match &*piece.name {
            "text:span" => {
                let style = piece.attribute("text:style-name");
                let own = style.map(|name| self.styles.characters(name)).unwrap_or_default();
                self.inline(piece, words, own.or(format));
            }
            "text:s" | "text:tab" => words.text(" ", look),
            "text:line-break" if !look.is_hidden => words.break_line(),
            "text:a" => {
                // A place in the document itself is none that a reader could be sent to.
                let target = piece.attribute("xlink:href").unwrap_or_default().trim();
                if target.is_empty() || target.starts_with('#') {
                    return self.inline(piece, words, format);
                }
                words.open_link(target, self.report());
                self.inline(piece, words, format);
                words.close_link();
            }
            "text:note" => self.after.extend(piece.child("text:note-body")),
            "office:annotation" => self.report().comments += 1,
            "text:hidden-text" => {
                let is_hidden = piece.attribute("text:is-hidden") == Some("true");
                let text = piece.attribute("text:string-value").unwrap_or_default();
                if is_hidden && text.chars().any(char::is_alphanumeric) {
                    self.report().hidden(text);
                }
                self.inline(piece, words, format);
            }
            "text:ruby" => {
                if let Some(base) = piece.child("text:ruby-base") {
                    self.inline(base, words, format);
                }
            }
            "text:section" | "text:list" | "table:table" => {}
            // "Click here to enter a name" is not the document's.
            "text:placeholder" => {}
            name if name.starts_with("draw:") => self.boxes(piece),
            name if is_mark(name) => {}
            // Fields and whatever else: what they show.
            _ => self.inline(piece, words, format),
        }
    }

    /// Notes the boxes of text in a drawing.
    pub(super) fn boxes(&mut self, drawing: &'a Element) {
        let holds_text = |child: &Element| child.is("text:p") || child.is("text:list");
        match &*drawing.name {
            "draw:text-box" => self.after.push(drawing),
            "draw:custom-shape" | "draw:rect" | "draw:ellipse"
                if drawing.elements().any(holds_text) =>
            {
                self.after.push(drawing);
            }
            _ => {
                for child in drawing.elements().filter(|child| child.name.starts_with("draw:")) {
                    self.boxes(child);
                }
            }
        }
    }
}

/// Elements that mark a place and hold no text of the document.
fn is_mark(name: &str) -> bool {
    ["svg:", "form:", "office:", "math:"].iter().any(|family| name.starts_with(family))
        || matches!(
            name,
            "text:tracked-changes"
                | "text:change"
                | "text:change-start"
                | "text:change-end"
                | "text:soft-page-break"
                | "text:toc-mark"
                | "text:hidden-paragraph"
                | "text:script"
        )
}
