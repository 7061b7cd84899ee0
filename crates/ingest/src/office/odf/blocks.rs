//! Paragraphs, headings and lists, and the content of their lines.

use super::lists::{self, Counted, ListStyle};
use super::styles::ParagraphStyle;
use super::{Reader, controls};
use crate::inline::InlineText;
use crate::office::flow::Role;
use crate::office::words::{Format, Place, Words};
use crate::office::xml::{Element, Node};
use crate::office::{formula, pictures};

/// Parts that only repeat the document.
const LEFT_OUT: &[&str] = &[
    "text:alphabetical-index",
    "text:illustration-index",
    "text:index-title",
    "text:object-index",
    "text:table-index",
    "text:table-of-content",
    "text:user-index",
];

/// A list that is being read.
struct List<'a> {
    style: Option<&'a ListStyle>,
    counted: Counted,
}

impl<'a> Reader<'a> {
    /// Reads all blocks below an element.
    pub(super) fn blocks(&mut self, parent: &'a Element) {
        for child in parent.elements() {
            self.block(child, None);
        }
    }

    /// Reads one block; the first of a list's item has its number as `marker`.
    fn block(&mut self, block: &'a Element, marker: Option<&str>) {
        match &*block.name {
            "text:h" => self.heading(block, marker),
            "text:p" => {
                let style = self.styles.paragraph(block.attribute("text:style-name"));
                let role = match style.role {
                    Role::Body if marker.is_some() => Role::Item,
                    role => role,
                };
                self.paragraph(block, role, &style, marker.unwrap_or_default());
            }
            "text:list" => self.list(block),
            "table:table" => self.table(block),
            "text:section" => {
                let is_hidden = block.attribute("text:display") == Some("none")
                    || block.attribute("text:is-hidden") == Some("true");
                if is_hidden { self.hide(block) } else { self.blocks(block) }
            }
            "text:tracked-changes" => {
                let changes = block.all("text:changed-region").count();
                self.report().tracked_changes += changes;
            }
            name if LEFT_OUT.contains(&name) => {}
            "text:bibliography" => {
                if let Some(body) = block.child("text:index-body") {
                    self.blocks(body);
                }
            }
            "text:numbered-paragraph" | "draw:text-box" | "draw:g" | "text:note-body" => {
                self.blocks(block);
            }
            "draw:object" => match self.object(block) {
                Some(object) if is_formula(object) => {
                    let text = InlineText::plain(formula::mathml(object).trim());
                    self.write(Role::Body, text);
                }
                Some(object) => drawn(object).for_each(|part| self.blocks(part)),
                None => {}
            },
            "draw:control" => {
                let text = InlineText::plain(self.control(block));
                self.write(Role::Body, text);
            }
            "draw:frame" | "draw:custom-shape" | "draw:rect" => {
                if block.child("draw:image").is_some() {
                    self.pictures(block);
                }
                self.boxes(block);
                self.read_after();
            }
            _ => {}
        }
    }

    fn heading(&mut self, heading: &'a Element, marker: Option<&str>) {
        let level: u8 = heading.number("text:outline-level").unwrap_or(1);
        let style = self.styles.paragraph(heading.attribute("text:style-name"));
        let own = match marker {
            Some(marker) => marker.to_owned(),
            None if heading.attribute("text:is-list-header") == Some("true")
                || style.list.as_deref() == Some("") =>
            {
                String::new()
            }
            None => {
                let stated = heading.number("text:start-value");
                let outline = Some(&self.lists.outline);
                lists::next(&mut self.counters.headings, outline, usize::from(level), stated)
            }
        };
        let role = if style.role == Role::Title { Role::Title } else { Role::Heading(level) };
        self.paragraph(heading, role, &style, &own);
    }

    fn paragraph(
        &mut self,
        paragraph: &'a Element,
        role: Role,
        style: &ParagraphStyle,
        marker: &str,
    ) {
        if let Some(mut words) = self.cell.take() {
            words.marker(marker);
            self.fill(paragraph, &mut words, style);
            words.next_paragraph();
            self.cell_stands_out |= style.is_table_heading;
            self.cell = Some(words);
            return;
        }
        let place = match role {
            Role::Title | Role::Heading(_) => Place::Line,
            _ => Place::Block,
        };
        let mut words = Words::new(place);
        words.marker(marker);
        self.fill(paragraph, &mut words, style);
        let is_bold = words.is_bold();
        let text = words.finish(self.report());
        let is_heading = is_bold && self.pieces.is_none() && role == Role::Body;
        let role = if is_heading && self.bold_lines.are_headings_like(&text.text) {
            Role::Heading(if self.is_below_heading { 2 } else { 1 })
        } else {
            self.is_below_heading |= matches!(role, Role::Heading(_) | Role::Title);
            role
        };
        if text.text.is_empty() && paragraph.all("draw:image").next().is_some() {
            self.flow.picture();
            self.pictures(paragraph);
        }
        self.write(role, text);
        self.read_after();
    }

    /// Writes what pictures that stand by themselves say.
    pub(super) fn pictures(&mut self, parent: &Element) {
        for sentence in pictures::sentences(parent) {
            match &self.pieces {
                Some(_) => self.write(Role::Body, InlineText::plain(sentence)),
                None => self.flow.picture_sentence(sentence),
            }
        }
    }

    fn fill(&mut self, paragraph: &'a Element, words: &mut Words, style: &ParagraphStyle) {
        let is_hidden = paragraph
            .all("text:hidden-paragraph")
            .any(|mark| mark.attribute("text:is-hidden") == Some("true"));
        if is_hidden || style.format.is_vanished() {
            return self.hide(paragraph);
        }
        self.inline(paragraph, words, style.format);
    }

    /// Reads what hangs on the paragraph or table that was just read.
    pub(super) fn read_after(&mut self) {
        if self.cell.is_some() {
            return;
        }
        // What hangs on a paragraph is no place for a heading.
        let bold_lines = std::mem::take(&mut self.bold_lines);
        for item in std::mem::take(&mut self.after) {
            // A box has a ground of its own.
            let ground = self.is_shaded;
            self.is_shaded |= !item.is("text:note-body");
            self.blocks(item);
            self.is_shaded = ground;
        }
        self.bold_lines = bold_lines;
    }

    fn list(&mut self, list: &'a Element) {
        let name = list.attribute("text:style-name");
        let before = match list.attribute("text:continue-list") {
            Some(id) => self.counters.by_id.get(id),
            None if list.attribute("text:continue-numbering") == Some("true") => {
                self.counters.by_style.get(name.unwrap_or_default())
            }
            None => None,
        };
        let counted = before.copied().unwrap_or_default();
        let style = name.and_then(|name| self.lists.style(name));
        let mut own = List { style, counted };
        self.items(list, &mut own, 1);
        if let Some(id) = list.attribute("xml:id") {
            self.counters.by_id.insert(id.to_owned(), own.counted);
        }
        self.counters.by_style.insert(name.unwrap_or_default().to_owned(), own.counted);
    }

    fn items(&mut self, list: &'a Element, own: &mut List<'a>, level: usize) {
        for item in list.elements() {
            let is_item = item.is("text:list-item");
            if !is_item && !item.is("text:list-header") {
                continue;
            }
            let begins = |block: &&Element| block.is("text:p") || block.is("text:h");
            let opens = item.elements().next().is_some_and(|first| begins(&first));
            let mut marker = if is_item && opens {
                let stated = item.number("text:start-value");
                Some(lists::next(&mut own.counted, own.style, level, stated))
            } else {
                None
            };
            for block in item.elements() {
                if block.is("text:list") {
                    let style = block.attribute("text:style-name");
                    let style = style.and_then(|name| self.lists.style(name)).or(own.style);
                    let outer = std::mem::replace(&mut own.style, style);
                    self.items(block, own, level + 1);
                    own.style = outer;
                } else {
                    // What follows in the item has no number, but belongs to the list.
                    let first = marker.replace(String::new());
                    self.block(block, Some(&first.unwrap_or_default()));
                }
            }
        }
    }
}

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
                if is_hidden {
                    let text = if text.is_empty() { piece.text() } else { text.into() };
                    self.report().hidden_words(&text);
                } else {
                    self.inline(piece, words, format);
                }
            }
            "text:ruby" => {
                if let Some(base) = piece.child("text:ruby-base") {
                    self.inline(base, words, format);
                }
            }
            "text:section" | "text:list" | "table:table" => {}
            "draw:control" => words.text(self.control(piece), look),
            "loext:content-control"
                if piece.attribute("loext:showing-place-holder") == Some("true") =>
            {
                self.report().prompt(&piece.text());
            }
            "loext:content-control" => match controls::own_box(piece) {
                Some(state) => words.text(state, look),
                None => self.inline(piece, words, format),
            },
            "field:fieldmark" => {
                if let Some(chosen) = controls::chosen(piece) {
                    words.text(&chosen, look);
                }
                self.inline(piece, words, format);
            }
            // "Click here to enter a name" is not the document's.
            "text:placeholder" => self.report().prompt(&piece.text()),
            name if name.starts_with("draw:") => {
                let object = piece.all("draw:object").next().and_then(|own| self.object(own));
                match object.filter(|object| is_formula(object)) {
                    Some(formula) => words.text(formula::mathml(formula).trim(), look),
                    None => {
                        if !look.is_hidden {
                            pictures::add_to_cell(piece, words);
                        }
                        self.boxes(piece);
                    }
                }
            }
            name if is_mark(name) => {}
            // Fields and whatever else: what they show.
            _ => self.inline(piece, words, format),
        }
    }

    /// What a field of a form shows.
    fn control(&self, place: &Element) -> &'a str {
        let id = place.attribute("draw:control");
        id.and_then(|id| self.controls.get(id)).map_or("", String::as_str)
    }

    /// The object of another program that an element stands for.
    fn object(&self, element: &'a Element) -> Option<&'a Element> {
        // A document in one file holds its objects where they are shown.
        let own = element.elements().find(|own| own.is("office:document") || is_formula(own));
        own.or_else(|| self.objects.get(element.attribute("xlink:href")?))
    }

    /// Notes the boxes of text in a drawing.
    pub(super) fn boxes(&mut self, drawing: &'a Element) {
        let holds_text = |child: &Element| child.is("text:p") || child.is("text:list");
        match &*drawing.name {
            "draw:text-box" => self.after.push(drawing),
            "draw:object" => {
                let object = self.object(drawing).filter(|object| !is_formula(object));
                self.after.extend(object.into_iter().flat_map(drawn));
            }
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

/// Returns `true` if an object is a formula.
fn is_formula(object: &Element) -> bool {
    object.is("math:math") || object.is("math")
}

/// What an object draws: the title of a chart, and what holds the table of its values; or a sheet.
fn drawn(object: &Element) -> impl Iterator<Item = &Element> {
    let is_shown = |part: &&Element| part.is("chart:title") || part.child("table:table").is_some();
    object.descendants().filter(is_shown)
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
