//! The content of a line: runs of text, fields that Word works out, signs of fonts of their own.

use super::blocks::is_prompt;
use super::styles::format_of;
use super::{After, Reader};
use crate::office::signs::{is_box, symbol_character};
use crate::office::words::{Format, Look, Words};
use crate::office::xml::{Element, Node};
use crate::office::{formula, pictures};

// Places among the parts of notes.
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
                "w:sdt" => self.control(child, words, format),
                "mc:AlternateContent" => {
                    child.chosen().for_each(|chosen| self.inline(chosen, words, format))
                }
                "m:oMath" | "m:oMathPara" if self.fields.shows() => {
                    words.text(&formula::office(child), Default::default());
                }
                _ => {}
            }
        }
    }

    /// A field of a form: what was entered, or its box with a tick or without.
    fn control(&mut self, control: &'a Element, words: &mut Words, format: Format) {
        if is_prompt(control) {
            return self.report().prompt(&control.text());
        }
        let Some(content) = control.child("w:sdtContent") else { return };
        let state = control.descend(&["w:sdtPr", "w14:checkbox"]);
        // A box may look like anything: where it is no known sign, its state says what it shows.
        let is_sign = content.all("w:sym").next().is_some() || content.text().chars().any(is_box);
        match state.filter(|_| !is_sign && self.fields.shows()) {
            Some(state) => {
                let value = state.child("w14:checked").and_then(|own| own.attribute("w14:val"));
                let is_ticked = matches!(value, Some("1" | "true" | "on"));
                words.text(if is_ticked { "☒" } else { "☐" }, format.look(self.is_shaded));
            }
            None => self.inline(content, words, format),
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
        let style = run.descend(&["w:rPr", "w:rStyle"]).and_then(|id| id.attribute("w:val"));
        if style.is_some_and(|id| self.styles.is_prompt(id)) {
            return self.report().prompt(&run.text());
        }
        self.pieces(run, words, self.format(run, format));
    }

    /// The format of a run in a paragraph of this format.
    pub(super) fn format(&self, run: &Element, format: Format) -> Format {
        let own = run.child("w:rPr");
        let style = own.and_then(|own| own.child("w:rStyle")).and_then(|id| id.attribute("w:val"));
        let style = style.map(|id| self.styles.characters(id)).unwrap_or_default();
        format_of(own).or(style).or(format)
    }

    fn pieces(&mut self, run: &'a Element, words: &mut Words, format: Format) {
        let look = format.look(self.is_shaded);
        for piece in run.elements() {
            match &*piece.name {
                "w:fldChar" => self.field_mark(piece, words),
                "w:instrText" => self.fields.code(&piece.text()),
                "mc:AlternateContent" => {
                    piece.chosen().for_each(|chosen| self.pieces(chosen, words, format))
                }
                "w:commentReference" => self.report().comments += 1,
                // Below what begins and ends fields, or none that hides its content would ever end.
                _ if !self.fields.shows() => {}
                "w:t" => words.text(text_of(piece), look),
                "w:tab" | "w:ptab" => words.text(" ", look),
                "w:noBreakHyphen" => words.text("-", look),
                "w:br" | "w:cr" if !look.is_hidden => words.break_line(),
                "w:sym" => {
                    let value = |name| piece.attribute(name).unwrap_or_default();
                    let sign = symbol_character(value("w:font"), value("w:char"));
                    words.text(&sign.map(String::from).unwrap_or_default(), look);
                }
                "w:ruby" => {
                    if let Some(base) = piece.child("w:rubyBase") {
                        self.inline(base, words, format);
                    }
                }
                "w:footnoteReference" => self.note(FOOTNOTES, piece),
                "w:endnoteReference" => self.note(ENDNOTES, piece),
                "w:drawing" | "w:pict" | "w:object" => {
                    if !look.is_hidden {
                        pictures::add_to_cell(piece, words);
                    }
                    self.text_boxes(piece);
                }
                _ => {}
            }
        }
    }

    fn field_mark(&mut self, mark: &Element, words: &mut Words) {
        if let Some(chosen) =
            mark.child("w:ffData").and_then(chosen).filter(|_| self.fields.shows())
        {
            words.text(&chosen, Look::default());
        }
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
                "c:chart" => {
                    let part = child.attribute("r:id").and_then(|id| self.links.part(id));
                    self.after
                        .extend(part.and_then(|part| self.charts.remove(part)).map(After::Chart));
                }
                "mc:AlternateContent" => child.chosen().for_each(|chosen| self.text_boxes(chosen)),
                _ => self.text_boxes(child),
            }
        }
    }
}

/// What is chosen in a field of a form that shows no text of its own: a box, or an entry of a list.
fn chosen(form: &Element) -> Option<String> {
    let value = |parent: &Element, name: &str| {
        let own = parent.child(name)?;
        // A switch without a value is on.
        Some(own.attribute("w:val").unwrap_or("1").to_owned())
    };
    if let Some(field) = form.child("w:checkBox") {
        let state = value(field, "w:checked").or_else(|| value(field, "w:default"));
        let is_on = state.is_some_and(|state| !matches!(state.as_str(), "0" | "false" | "off"));
        return Some(if is_on { "☒" } else { "☐" }.to_owned());
    }
    let list = form.child("w:ddList")?;
    let place = value(list, "w:result").or_else(|| value(list, "w:default"));
    let place = place.and_then(|place| place.parse::<usize>().ok()).unwrap_or(0);
    let mut entries = list.elements().filter(|entry| entry.is("w:listEntry"));
    entries.nth(place)?.attribute("w:val").map(str::to_owned)
}

/// The text of a `w:t`: white space at its ends counts only if it says so.
fn text_of(piece: &Element) -> &str {
    let text = match piece.children.first() {
        Some(Node::Text(text)) => text.as_str(),
        _ => return "",
    };
    if piece.attribute("xml:space") == Some("preserve") { text } else { text.trim() }
}

/// The fields around the current position, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
    /// Each field that begins also ends. Where that does not hold, a table of contents would take
    /// the rest of the document with it: then codes are left out, and nothing else.
    is_sound: bool,
}

#[derive(Debug, Default)]
struct Field {
    code: String,
    /// The code is over.
    is_result: bool,
}

/// The effect of a mark of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The result begins, and leads to an address.
    Link(String),
    EndOfLink,
    Nothing,
}

impl Fields {
    pub(super) fn of(body: &Element) -> Self {
        let mut open = 0_i64;
        let mut is_sound = true;
        for mark in body.all("w:fldChar") {
            match mark.attribute("w:fldCharType") {
                Some("begin") => open += 1,
                Some("end") => open -= 1,
                _ => {}
            }
            is_sound &= open >= 0;
        }
        Self { open: Vec::new(), is_sound: is_sound && open == 0 }
    }

    /// Returns `true` if text is shown here: not in a code, nor in the result of an index.
    fn shows(&self) -> bool {
        !self.is_sound || self.open.iter().all(|field| field.is_result && !is_left_out(&field.code))
    }

    pub(super) fn code(&mut self, text: &str) {
        if let Some(field) = self.open.last_mut().filter(|field| !field.is_result) {
            field.code.push_str(text);
        }
    }

    pub(super) fn mark(&mut self, mark: &Element) -> Turn {
        match mark.attribute("w:fldCharType") {
            Some("begin") => self.open.push(Field::default()),
            Some("separate") => {
                if let Some(field) = self.open.last_mut() {
                    field.is_result = true;
                    if let Some(address) = address(&field.code) {
                        return Turn::Link(address);
                    }
                }
            }
            Some("end") => {
                let ended = self.open.pop();
                if ended.is_some_and(|field| address(&field.code).is_some()) {
                    return Turn::EndOfLink;
                }
            }
            _ => {}
        }
        Turn::Nothing
    }
}

/// Returns `true` if what a field shows only repeats the document: a table of contents, an index.
fn is_left_out(code: &str) -> bool {
    let name = code.split_whitespace().next().unwrap_or_default();
    ["TOC", "INDEX", "TOA"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns the address that a field leads to: `HYPERLINK "https://…"`. A place in the document itself is
/// none.
pub(super) fn address(code: &str) -> Option<String> {
    let (name, rest) = code.trim_start().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    if !name.eq_ignore_ascii_case("HYPERLINK") || rest.starts_with('\\') {
        return None;
    }
    let address = match rest.strip_prefix(['"', '\u{201c}', '\u{201d}']) {
        Some(quoted) => quoted.split(['"', '\u{201c}', '\u{201d}']).next(),
        None => rest.split_whitespace().next(),
    };
    address.filter(|address| !address.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{address, is_left_out};

    #[test]
    fn codes_say_where_they_lead() {
        let cases = [
            (" HYPERLINK \"https://x.edu/a\" ", Some("https://x.edu/a")),
            ("hyperlink https://x.edu \\o tip", Some("https://x.edu")),
            (" HYPERLINK \\l \"top\"", None),
            (" PAGEREF _Toc1 \\h ", None),
            ("HYPERLINKS x", None),
            ("", None),
        ];
        for (code, expected) in cases {
            assert_eq!(address(code).as_deref(), expected, "{code}");
        }
        assert!(is_left_out(" TOC \\o \"1-3\" \\h"));
        assert!(!is_left_out(" REF toc"));
    }
}
