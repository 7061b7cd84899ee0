//! Paragraphs and what stands between them.

use super::runs::Fields;
use super::styles::{ListPlace, ParagraphStyle, format_of, is_mark_deleted, is_shaded, outline};
use super::{After, Reader, is_on};
use crate::office::bold_lines::{BoldLines, Census};
use crate::office::flow::Role;
use crate::office::words::{Format, Place, Words};
use crate::office::xml::Element;
use crate::office::{chart, pictures};

impl<'a> Reader<'a> {
    /// Reads all blocks below an element.
    pub(super) fn blocks(&mut self, parent: &'a Element) {
        let mut group: Vec<&'a Element> = Vec::new();
        for child in parent.elements() {
            if child.is("w:p") {
                group.push(child);
                if !is_mark_deleted(child.child("w:pPr")) {
                    self.paragraph(&std::mem::take(&mut group));
                }
                continue;
            }
            match &*child.name {
                "w:bookmarkStart" | "w:bookmarkEnd" | "w:proofErr" => continue,
                _ => self.paragraph(&std::mem::take(&mut group)),
            }
            match &*child.name {
                "w:tbl" => self.table(child),
                "w:sdt" if is_contents(child) => {}
                "w:sdt" if is_prompt(child) => self.report().prompt(&child.text()),
                "w:sdt" => self.blocks_below(child, "w:sdtContent"),
                "w:ins" | "w:moveTo" | "w:customXml" | "w:smartTag" => self.blocks(child),
                "mc:AlternateContent" => child.chosen().for_each(|chosen| self.blocks(chosen)),
                _ => {}
            }
        }
        self.paragraph(&group);
    }

    fn blocks_below(&mut self, parent: &'a Element, name: &str) {
        if let Some(content) = parent.child(name) {
            self.blocks(content);
        }
    }

    /// Reads one paragraph: more than one element where the marks between them are deleted.
    fn paragraph(&mut self, group: &[&'a Element]) {
        let Some(last) = group.last() else {
            return;
        };
        let style = self.style(last);
        let place = match style.role {
            Role::Title | Role::Heading(_) => Place::Line,
            _ => Place::Block,
        };
        let mut words = Words::new(place);
        let is_item = self.fill(&mut words, group, &style);
        let is_bold = words.is_bold();
        let text = words.finish(self.report());
        if style.is_contents {
            return self.after.clear();
        }
        let role = match style.role {
            Role::Body if is_bold && self.bold_lines.are_headings_like(&text.text) => {
                Role::Heading(if self.is_below_heading { 2 } else { 1 })
            }
            Role::Body if is_item => Role::Item,
            Role::Title if style.is_like_title && self.flow.title.is_some() => Role::Body,
            role => role,
        };
        self.is_below_heading |= matches!(style.role, Role::Heading(_) | Role::Title);
        if text.text.is_empty() && group.iter().any(|paragraph| has_picture(paragraph)) {
            self.flow.picture();
            for sentence in group.iter().flat_map(|paragraph| pictures::sentences(paragraph)) {
                self.flow.picture_sentence(sentence);
            }
        }
        self.flow.paragraph(role, text);
        self.read_after();
    }

    /// Adds the words of a paragraph, its number in front; whether it belongs to a list.
    pub(super) fn fill(
        &mut self,
        words: &mut Words,
        group: &[&'a Element],
        style: &ParagraphStyle,
    ) -> bool {
        let Some(last) = group.last() else {
            return false;
        };
        let marker = self.marker(last, style);
        words.marker(marker.as_deref().unwrap_or_default());
        let ground = last.child("w:pPr").and_then(|own| own.child("w:shd")).is_some_and(is_shaded);
        let before = self.is_shaded;
        self.is_shaded |= ground;
        for paragraph in group {
            self.inline(paragraph, words, style.format);
        }
        self.is_shaded = before;
        marker.is_some()
    }

    /// Returns what the style of a paragraph, and the paragraph itself, say about it.
    pub(super) fn style(&self, paragraph: &Element) -> ParagraphStyle {
        let own = paragraph.child("w:pPr");
        let id = own.and_then(|own| own.child("w:pStyle")).and_then(|id| id.attribute("w:val"));
        let mut style = self.styles.paragraph(id);
        let Some(own) = own else {
            return style;
        };
        match outline(own) {
            Some(level @ 0..9) if style.role != Role::Title => {
                style.role = Role::Heading(level + 1);
            }
            Some(9) if matches!(style.role, Role::Heading(_)) => style.role = Role::Body,
            _ => {}
        }
        let list = ListPlace::of(own);
        if let Some(list) = &list.list {
            // The level of the style's own list means nothing in another one.
            if style.list.list.as_ref() != Some(list) {
                style.list.level = None;
            }
            style.list.list = Some(list.clone());
        } else if let (Some(list), Some(id)) = (&style.list.list, id) {
            style.list.level = self.numbering.level_of_style(list, id).or(style.list.level);
        }
        style.list.level = list.level.or(style.list.level);
        style
    }

    /// Counts a paragraph of a list, and returns what stands in front of it; `None` if it belongs to none.
    fn marker(&mut self, paragraph: &Element, style: &ParagraphStyle) -> Option<String> {
        let mark = paragraph.child("w:pPr").and_then(|own| own.child("w:rPr"));
        // A hidden paragraph is not counted.
        if style.is_contents || format_of(mark).or(style.format).is_vanished() {
            return None;
        }
        let list = style.list.list.as_deref().filter(|list| *list != "0")?;
        self.counters.next(self.numbering, list, style.list.level.unwrap_or(0))
    }

    /// Reads what hangs on the paragraph or table that was just read.
    pub(super) fn read_after(&mut self) {
        let items = std::mem::take(&mut self.after);
        if items.is_empty() {
            return;
        }
        // What hangs on a paragraph is no place for a heading.
        let bold_lines = std::mem::take(&mut self.bold_lines);
        for item in items {
            match item {
                After::Chart(chart) => {
                    if let Some(table) = chart::table(chart) {
                        self.flow.table(table);
                    }
                }
                After::TextBox(content) => {
                    let fields = std::mem::replace(&mut self.fields, Fields::of(content));
                    // A box has a ground of its own.
                    let ground = std::mem::replace(&mut self.is_shaded, true);
                    self.blocks(content);
                    self.is_shaded = ground;
                    self.fields = fields;
                }
                After::Note(part, note) => {
                    let fields = std::mem::replace(&mut self.fields, Fields::of(note));
                    let links = self.links;
                    self.links = self.note_links.get(part).unwrap_or(links);
                    // A note that refers to a note would lead on without end.
                    let notes = std::mem::take(&mut self.notes);
                    self.blocks(note);
                    self.notes = notes;
                    self.links = links;
                    self.fields = fields;
                }
            }
        }
        self.bold_lines = bold_lines;
    }
}

/// Returns `true` if a control shows what to enter in it, which is not the document's: "Click here to enter text".
pub(super) fn is_prompt(control: &Element) -> bool {
    control.descend(&["w:sdtPr", "w:showingPlcHdr"]).is_some_and(is_on)
}

/// Returns `true` if a block of content is a table of contents that Word keeps.
fn is_contents(block: &Element) -> bool {
    let gallery = block.descend(&["w:sdtPr", "w:docPartObj", "w:docPartGallery"]);
    gallery.and_then(|gallery| gallery.attribute("w:val")) == Some("Table of Contents")
}

fn has_picture(paragraph: &Element) -> bool {
    paragraph.descendants().any(|element| matches!(&*element.name, "w:drawing" | "w:pict"))
}

impl Reader<'_> {
    /// Returns what bold lines of this body mean.
    pub(super) fn bold_lines_of(&self, body: &Element) -> BoldLines {
        let mut census = Census::default();
        for paragraph in body.elements().filter(|element| element.is("w:p")) {
            let style = self.style(paragraph);
            if matches!(style.role, Role::Heading(_)) && !style.is_contents {
                census.heading();
            } else if let Some(is_bold) = self.is_bold(paragraph, style.format) {
                let text: String = paragraph.all("w:t").map(Element::text).collect();
                census.paragraph(is_bold, text.trim_end().ends_with(':'));
            }
        }
        census.finish()
    }

    /// Tells if all text of a paragraph is bold; `None` if it has none.
    fn is_bold(&self, paragraph: &Element, format: Format) -> Option<bool> {
        let mut found = None;
        for run in paragraph.elements().filter(|element| element.is("w:r")) {
            if !run.elements().any(|piece| piece.is("w:t") && !piece.text().trim().is_empty()) {
                continue;
            }
            let look = self.format(run, format).look(true);
            found = Some(found.unwrap_or(true) && look.is_bold);
        }
        found
    }
}
