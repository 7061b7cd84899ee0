//! The content of a line.

use super::super::formula::formula;
use super::super::words::Words;
use super::super::xml::{Element, Node};
use super::blocks::chosen;
use super::fields::{Turn, address, is_left_out};
use super::looks::Format;
use super::{After, Reader, symbols};

const FOOTNOTES: usize = 0;
const ENDNOTES: usize = 1;

impl<'a> Reader<'a> {
    /// Adds what an element holds, in the format of the paragraph around it.
    pub(super) fn inline(&mut self, parent: &'a Element, words: &mut Words, format: Format) {
        for child in parent.elements() {
            match &*child.name {
                "w:r" => self.run(child, words, format),
                "w:hyperlink" => self.hyperlink(child, words, format),
                "w:fldSimple" => self.simple_field(child, words, format),
                "w:ins" | "w:moveTo" => {
                    self.report().tracked_changes += 1;
                    self.inline(child, words, format);
                }
                "w:del" | "w:moveFrom" => self.report().tracked_changes += 1,
                "w:smartTag" | "w:customXml" | "w:dir" | "w:bdo" => {
                    self.inline(child, words, format);
                }
                "w:sdt" => {
                    // "Click here to enter text" is not the document's.
                    let is_prompt = child.descend(&["w:sdtPr", "w:showingPlcHdr"]).is_some();
                    if let Some(content) = child.child("w:sdtContent").filter(|_| !is_prompt) {
                        self.inline(content, words, format);
                    }
                }
                "mc:AlternateContent" => {
                    if let Some(chosen) = chosen(child) {
                        self.inline(chosen, words, format);
                    }
                }
                "m:oMath" | "m:oMathPara" if self.fields.shows() => {
                    words.text(&formula(child), Default::default());
                }
                _ => {}
            }
        }
    }

    fn hyperlink(&mut self, link: &'a Element, words: &mut Words, format: Format) {
        let address = link.attribute("r:id").and_then(|id| self.links.address(id));
        let place = link.attribute("w:anchor").filter(|place| !place.is_empty());
        let target = address.map(|address| match place {
            Some(place) if !address.contains('#') => format!("{address}#{place}"),
            _ => address.to_owned(),
        });
        self.linked(target.as_deref(), link, words, format);
    }

    fn simple_field(&mut self, field: &'a Element, words: &mut Words, format: Format) {
        let code = field.attribute("w:instr").unwrap_or_default();
        if !is_left_out(code) {
            self.linked(address(code).as_deref(), field, words, format);
        }
    }

    fn linked(
        &mut self,
        target: Option<&str>,
        content: &'a Element,
        words: &mut Words,
        format: Format,
    ) {
        let Some(target) = target.filter(|_| self.fields.shows()) else {
            return self.inline(content, words, format);
        };
        words.open_link(target, self.report());
        self.inline(content, words, format);
        words.close_link();
    }

    fn run(&mut self, run: &'a Element, words: &mut Words, format: Format) {
        self.pieces(run, words, self.format(run, format));
    }

    /// The format of a run in a paragraph of this format.
    pub(super) fn format(&self, run: &Element, format: Format) -> Format {
        let own = run.child("w:rPr");
        let style = own.and_then(|own| own.child("w:rStyle")).and_then(|id| id.attribute("w:val"));
        let style = style.map(|id| self.styles.characters(id)).unwrap_or_default();
        Format::of(own).or(style).or(format)
    }

    fn pieces(&mut self, run: &'a Element, words: &mut Words, format: Format) {
        let look = format.look(self.is_shaded);
        for piece in run.elements() {
            match &*piece.name {
                "w:fldChar" => self.field_mark(piece, words),
                "w:instrText" => self.fields.code(&piece.text()),
                "mc:AlternateContent" => {
                    if let Some(chosen) = chosen(piece) {
                        self.pieces(chosen, words, format);
                    }
                }
                "w:commentReference" => self.report().comments += 1,
                _ if !self.fields.shows() => {}
                "w:t" => words.text(text_of(piece), look),
                "w:tab" | "w:ptab" => words.text(" ", look),
                "w:noBreakHyphen" => words.text("-", look),
                "w:br" | "w:cr" if !look.is_hidden => words.break_line(),
                "w:sym" => {
                    let value = |name| piece.attribute(name).unwrap_or_default();
                    let sign = symbols::character(value("w:font"), value("w:char"));
                    words.text(&sign.map(String::from).unwrap_or_default(), look);
                }
                "w:ruby" => {
                    if let Some(base) = piece.child("w:rubyBase") {
                        self.inline(base, words, format);
                    }
                }
                "w:footnoteReference" => self.note(FOOTNOTES, piece),
                "w:endnoteReference" => self.note(ENDNOTES, piece),
                "w:drawing" | "w:pict" | "w:object" => self.text_boxes(piece),
                _ => {}
            }
        }
    }

    fn field_mark(&mut self, mark: &Element, words: &mut Words) {
        match self.fields.mark(mark) {
            Turn::Link(target) if self.fields.shows() => {
                words.open_link(&target, self.report());
            }
            Turn::EndOfLink => words.close_link(),
            Turn::Link(_) | Turn::Nothing => {}
        }
    }

    /// A note stands behind the first paragraph that refers to it.
    fn note(&mut self, part: usize, reference: &'a Element) {
        let id = reference.attribute("w:id");
        if let Some(note) = id.and_then(|id| self.notes.remove(&(part, id))) {
            self.after.push(After::Note(part, note));
        }
    }

    /// Notes the boxes of text in a drawing, each once.
    fn text_boxes(&mut self, drawing: &'a Element) {
        for child in drawing.elements() {
            match &*child.name {
                "w:txbxContent" => self.after.push(After::TextBox(child)),
                "mc:AlternateContent" => {
                    if let Some(chosen) = chosen(child) {
                        self.text_boxes(chosen);
                    }
                }
                _ => self.text_boxes(child),
            }
        }
    }
}

/// The text of a `w:t`: white space at its ends counts only if it says so.
fn text_of(piece: &Element) -> &str {
    let text = match piece.children.first() {
        Some(Node::Text(text)) => text.as_str(),
        _ => return "",
    };
    if piece.attribute("xml:space") == Some("preserve") { text } else { text.trim() }
}
