//! The words of a paragraph, a heading or a cell while they are read.

use super::signs::{SignFont, is_box, symbol_character};
use crate::inline::{Inline, InlineText, superscript};
use crate::report::Report;

/// The part of a text that the words become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    /// A block, whose line breaks are kept.
    Block,
    /// A heading, on one line.
    Line,
    /// A cell, on one line, its paragraphs set apart by commas.
    Cell,
}

/// The look of a run of text, so far as it matters to what is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    /// A reader of the page does not see it.
    pub(super) is_hidden: bool,
    pub(super) is_bold: bool,
    pub(super) is_raised: bool,
    /// It is struck out: it does not hold.
    pub(super) is_struck: bool,
    /// The font, where its letters are signs.
    pub(super) signs: Option<SignFont>,
}

/// The formatting that a style or a run states; `None` where it leaves it to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) is_vanished: Option<bool>,
    pub(super) is_bold: Option<bool>,
    pub(super) is_raised: Option<bool>,
    pub(super) is_white: Option<bool>,
    pub(super) is_shaded: Option<bool>,
    pub(super) is_tiny: Option<bool>,
    pub(super) is_struck: Option<bool>,
    /// The font: `Some(None)` for an ordinary one.
    pub(super) signs: Option<Option<SignFont>>,
}

impl Format {
    /// This formatting, with what `base` says where this says nothing.
    pub(super) fn or(self, base: Self) -> Self {
        Self {
            is_vanished: self.is_vanished.or(base.is_vanished),
            is_bold: self.is_bold.or(base.is_bold),
            is_raised: self.is_raised.or(base.is_raised),
            is_white: self.is_white.or(base.is_white),
            is_shaded: self.is_shaded.or(base.is_shaded),
            is_tiny: self.is_tiny.or(base.is_tiny),
            is_struck: self.is_struck.or(base.is_struck),
            signs: self.signs.or(base.signs),
        }
    }

    pub(super) fn is_vanished(self) -> bool {
        self.is_vanished == Some(true)
    }

    /// Returns the look of text of this format on a ground that is white or not.
    pub(super) fn look(self, is_shaded: bool) -> Look {
        let on = |switch: Option<bool>| switch == Some(true);
        let is_unseen = on(self.is_white) && !is_shaded && !on(self.is_shaded);
        Look {
            is_hidden: on(self.is_vanished) || is_unseen || on(self.is_tiny),
            is_bold: on(self.is_bold),
            is_raised: on(self.is_raised),
            is_struck: on(self.is_struck),
            signs: self.signs.flatten(),
        }
    }
}

/// Returns `true` for `FFFFFF`, and what is so near to it that nobody sees it on paper.
pub(super) fn is_white_hex(color: &str) -> bool {
    let bytes = color.as_bytes();
    bytes.len() == 6 && bytes.iter().step_by(2).all(|high| matches!(high, b'F' | b'f'))
}

#[derive(Debug, Default)]
pub(super) struct Words {
    inline: Inline,
    place: Place,
    hidden: String,
    struck: String,
    bold_letters: usize,
    letters: usize,
    has_link: bool,
    /// The text in front of the first word that is shown.
    marker: String,
}

impl Words {
    pub(super) fn new(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    pub(super) fn text(&mut self, text: &str, look: Look) {
        if look.is_hidden {
            self.hidden.push_str(text);
            return;
        }
        if look.is_struck {
            self.struck.push_str(text);
            // Words on both sides of it do not grow together.
            let has_space =
                text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
            self.inline.push_text(if has_space { " " } else { "" });
            return;
        }
        // Signs that one font only knows say nothing without it.
        let sign = |letter: char| look.signs.map_or(letter, |font| font.sign(letter));
        let text: String =
            text.chars().map(sign).filter(|character| !is_private(*character)).collect();
        let text = text.as_str();
        if !text.trim().is_empty() {
            let marker = std::mem::take(&mut self.marker);
            self.inline.push_text(&marker);
        }
        let letters = text.chars().filter(|character| character.is_alphanumeric()).count();
        self.letters += letters;
        self.bold_letters += if look.is_bold { letters } else { 0 };
        // 10 and a raised 6 is not 106.
        let is_power = look.is_raised
            && text.starts_with(|first: char| first.is_ascii_digit())
            && self.inline.last_character().is_some_and(|last| last.is_ascii_digit());
        // The mark of a note behind `EUR 55.` would make another number of it.
        let is_mark = look.is_raised
            && text.chars().all(|sign| sign.is_ascii_digit())
            && self.inline.last_character().is_some_and(|last| matches!(last, '.' | ','));
        if is_mark {
            self.inline.push_text(&superscript(text));
            return;
        }
        if is_power {
            self.inline.push_text("^");
        }
        self.inline.push_text(text);
    }

    /// The number of the list that the next words belong to; nothing where no words follow.
    pub(super) fn marker(&mut self, marker: &str) {
        self.marker.clear();
        if !marker.is_empty() {
            self.marker.push_str(marker);
            self.marker.push(' ');
        }
    }

    pub(super) fn break_line(&mut self) {
        match self.place {
            Place::Block => self.inline.break_line(),
            Place::Line => self.inline.separate(false),
            Place::Cell => self.inline.separate(true),
        }
    }

    /// Sets the next paragraph of a cell, or of a heading, apart from what is there.
    pub(super) fn next_paragraph(&mut self) {
        self.hidden.push(' ');
        self.struck.push(' ');
        self.break_line();
    }

    pub(super) fn open_link(&mut self, target: &str, report: &mut Report) {
        self.close_link();
        if let Some(target) = report.safe_link(target) {
            self.inline.open_link(target);
            self.has_link = true;
        }
    }

    pub(super) fn close_link(&mut self) {
        if std::mem::take(&mut self.has_link) {
            self.inline.close_link();
        }
    }

    /// Returns `true` for the words of a cell.
    pub(super) fn is_cell(&self) -> bool {
        self.place == Place::Cell
    }

    /// Returns `true` if all that is shown so far is bold.
    pub(super) fn is_bold(&self) -> bool {
        self.letters > 0 && self.bold_letters == self.letters
    }

    /// Returns what was read; hidden words are reported as one piece, and so are struck ones.
    pub(super) fn finish(mut self, report: &mut Report) -> InlineText {
        self.close_link();
        report.hidden_words(&self.hidden);
        report.struck(&self.struck);
        self.inline.take()
    }
}

/// The bullet of a list, where it says whether something is done or needed; `None` for one that only begins an item.
pub(super) fn bullet_sign(font: &str, text: &str) -> Option<char> {
    let mut characters = text.trim().chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    let sign = if font.to_lowercase().starts_with("wingdings") {
        symbol_character(font, &format!("{:X}", u32::from(character)))?
    } else {
        character
    };
    is_box(sign).then_some(sign)
}

pub(super) fn is_private(character: char) -> bool {
    ('\u{e000}'..='\u{f8ff}').contains(&character)
}
