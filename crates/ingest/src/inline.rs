//! The text of one block while it grows.

use std::ops::Range;

/// A finished run of text with its links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InlineText {
    pub(crate) text: String,
    /// The linked bytes and where each points.
    pub(crate) links: Vec<(Range<usize>, String)>,
}

impl InlineText {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), links: Vec::new() }
    }

    /// Removes ranges, given in order and apart; links shrink with the text, and vanish with it.
    pub(crate) fn without(self, removed: &[Range<usize>]) -> Self {
        if removed.is_empty() {
            return self;
        }
        let mut text = String::with_capacity(self.text.len());
        let mut position = 0;
        for range in removed {
            text.push_str(&self.text[position..range.start]);
            position = range.end;
        }
        text.push_str(&self.text[position..]);
        // The last removed range that begins before `offset`, by halves: there may be many.
        let mut gone = Vec::with_capacity(removed.len());
        let mut total = 0;
        for range in removed {
            total += range.len();
            gone.push(total);
        }
        let moved = |offset: usize| {
            let count = removed.partition_point(|range| range.start < offset);
            let Some(index) = count.checked_sub(1) else {
                return offset;
            };
            let (last, before) = (&removed[index], gone[index]);
            if offset < last.end { last.start - (before - last.len()) } else { offset - before }
        };
        let links = self
            .links
            .into_iter()
            .map(|(range, target)| (moved(range.start)..moved(range.end), target))
            .filter(|(range, _)| !range.is_empty())
            .collect();
        Self { text, links }
    }

    /// This text with another right behind it.
    pub(crate) fn followed_by(mut self, other: Self) -> Self {
        let start = self.text.len();
        self.text.push_str(&other.text);
        let moved = |(range, target): (Range<usize>, String)| {
            (start + range.start..start + range.end, target)
        };
        self.links.extend(other.links.into_iter().map(moved));
        self
    }

    /// This text with words in front of it that belong to no link.
    pub(crate) fn after(mut self, words: &str) -> Self {
        self.text.insert_str(0, words);
        for (range, _) in &mut self.links {
            *range = range.start + words.len()..range.end + words.len();
        }
        self
    }

    /// This text without white space at either end.
    pub(crate) fn trimmed(self) -> Self {
        let leading = self.text.len() - self.text.trim_start().len();
        let end = leading + self.text.trim().len();
        let whole = self.text.len();
        self.without(&[0..leading, end..whole].map(|range| range.start..range.end.max(range.start)))
    }
}

/// Words with one space between them, whatever white space they have.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Raised digits as characters of their own, so that they are not taken for part of a number.
pub(crate) fn superscript(text: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |character: char| character.to_digit(10).map(|value| DIGITS[value as usize]);
    text.chars().map(|character| digit(character).unwrap_or(character)).collect()
}

/// The first `most` characters of a text on one line, and `…` where more follow.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let line = single_spaced(text);
    match line.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

/// The gap before the next word, which is not in the text yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    /// Between the parts of a table's cell, which share one line.
    Comma,
}

/// Collects text as a browser lays it out: runs of white space become one space.
#[derive(Debug, Default)]
pub(crate) struct Inline {
    text: String,
    links: Vec<(Range<usize>, String)>,
    open_link: Option<(usize, String)>,
    gap: Gap,
    /// `true` if white space is kept as it is.
    pub(crate) preformatted: bool,
}

impl Inline {
    pub(crate) fn push_text(&mut self, text: &str) {
        if self.preformatted {
            self.text.push_str(text);
            return;
        }
        for character in text.chars() {
            if character.is_whitespace() {
                self.gap = self.gap.max(Gap::Space);
            } else {
                self.close_gap();
                self.text.push(character);
            }
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        let Some(last) = self.text.chars().next_back() else {
            return;
        };
        if last.is_whitespace() {
            return;
        }
        match gap {
            Gap::None => {}
            Gap::Space => self.text.push(' '),
            // What ends a sentence or names what follows needs no comma behind it.
            Gap::Comma if matches!(last, ',' | ';' | ':' | '.' | '!' | '?') => self.text.push(' '),
            Gap::Comma => self.text.push_str(", "),
        }
    }

    /// Adds text right behind what is there, whatever white space was read since.
    pub(crate) fn glue(&mut self, text: &str) {
        self.gap = Gap::None;
        self.push_text(text);
    }

    /// A line break that the document asks for.
    pub(crate) fn break_line(&mut self) {
        self.gap = Gap::None;
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// The next text stands apart, on the same line.
    pub(crate) fn separate(&mut self, with_comma: bool) {
        self.gap = self.gap.max(if with_comma { Gap::Comma } else { Gap::Space });
    }

    /// The last character in the text, if no white space follows it.
    pub(crate) fn last_character(&self) -> Option<char> {
        self.text.chars().next_back().filter(|_| self.gap == Gap::None)
    }

    pub(crate) fn open_link(&mut self, target: String) {
        self.close_link();
        // White space before the link is not part of it.
        if self.gap != Gap::None {
            self.close_gap();
        }
        self.open_link = Some((self.text.len(), target));
    }

    pub(crate) fn close_link(&mut self) {
        if let Some((start, target)) = self.open_link.take() {
            self.end_link(start, target);
        }
    }

    fn end_link(&mut self, start: usize, target: String) {
        let linked = &self.text[start..];
        let leading = linked.len() - linked.trim_start().len();
        let length = linked.trim().len();
        if length > 0 {
            self.links.push((start + leading..start + leading + length, target));
        }
    }

    /// Returns `true` if the text so far ends in `character`, white space aside.
    pub(crate) fn ends_with(&self, character: char) -> bool {
        self.text.trim_end().ends_with(character)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The text so far, trimmed; a link that is open goes on in what follows.
    pub(crate) fn take(&mut self) -> InlineText {
        let open = self.open_link.take();
        if let Some((start, target)) = open.clone() {
            self.end_link(start, target);
        }
        self.gap = Gap::None;
        self.open_link = open.map(|(_, target)| (0, target));
        let taken = InlineText {
            text: std::mem::take(&mut self.text),
            links: std::mem::take(&mut self.links),
        };
        taken.trimmed()
    }
}

#[cfg(test)]
mod tests {
    use super::{Inline, InlineText};

    #[test]
    fn white_space_collapses_and_links_keep_their_words() {
        let mut inline = Inline::default();
        inline.push_text("  See\n the ");
        inline.open_link("a.md".into());
        inline.push_text(" exam\u{a0}rules ");
        inline.close_link();
        inline.glue(", please. ");
        let found = inline.take();
        assert_eq!(found.text, "See the exam rules, please.");
        assert_eq!(found.links, [(8..18, "a.md".to_owned())]);
    }

    #[test]
    fn a_link_over_two_blocks_is_two_links() {
        let mut inline = Inline::default();
        inline.open_link("x".into());
        inline.push_text("one");
        assert_eq!(inline.take().links, [(0..3, "x".to_owned())]);
        inline.push_text(" two");
        inline.close_link();
        assert_eq!(inline.take().links, [(0..3, "x".to_owned())]);
    }

    #[test]
    fn what_is_cut_moves_the_links_behind_it() {
        let text = InlineText {
            text: "ab<x>cd<y>ef".into(),
            links: vec![
                (0..2, "1".into()),
                (1..6, "2".into()),
                (2..5, "3".into()),
                (10..12, "4".into()),
            ],
        };
        let cut = text.without(&[2..5, 7..10]);
        assert_eq!(cut.text, "abcdef");
        let expected = [(0..2, "1"), (1..3, "2"), (4..6, "4")];
        assert_eq!(cut.links, expected.map(|(range, target)| (range, target.to_owned())));
    }

    #[test]
    fn parts_of_a_cell_are_told_apart() {
        let mut inline = Inline::default();
        for part in ["Mon 10–12", "Tue:", "14–16"] {
            inline.separate(true);
            inline.push_text(part);
        }
        assert_eq!(inline.take().text, "Mon 10–12, Tue: 14–16");
    }
}
