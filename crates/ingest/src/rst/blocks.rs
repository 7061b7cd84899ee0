//! From lines to titles, paragraphs, lists and the blocks inside one another.

use campanile_corpus::BlockKind;

use super::marks::{
    adornment, bullet, dedented, enumerator, field, indent, indented, is_blank, is_grid_border,
    is_simple_border, is_transition, option, title,
};
use super::numbers::ItemNumber;
use super::references::anchor;
use super::{Place, Reader};
use crate::inline::InlineText;

/// Deeper than this, what is set in is read as paragraphs.
const DEEPEST: usize = 40;
/// Titles have six levels in a document, however many a page draws.
const LEVELS: usize = 6;

impl Reader {
    /// Reads lines of which the first begins in the first column.
    pub(super) fn blocks(&mut self, lines: &[&str], place: Place) {
        // Blocks are read by recursion; a page of forty quotes within quotes is hostile, or a drawing.
        if place.depth > DEEPEST {
            return self.flat(lines, place);
        }
        let mut at = 0;
        while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
            at += self.block(rest, place).max(1);
        }
    }

    /// Reads the block that the lines begin with, and says how many of them it took.
    fn block(&mut self, lines: &[&str], place: Place) -> usize {
        let [first, rest @ ..] = lines else {
            return 0;
        };
        let next = rest.first().copied();
        if is_blank(first) {
            return 1;
        }
        // Only what stands right behind an item goes on counting.
        let last = self.last_number.take();
        if first.starts_with(' ') {
            return self.quote(lines, place);
        }
        // Titles before transitions and borders, which look like their lines.
        if let Some(title) = title(lines).filter(|_| place.has_titles) {
            self.title(title.text, title.style);
            return title.lines;
        }
        if is_transition(first) {
            return 1;
        }
        if *first == ".." || first.starts_with(".. ") || first.starts_with("__ ") {
            return self.explicit(lines, place);
        }
        if is_grid_border(first) {
            return self.grid_table(lines, place);
        }
        if is_simple_border(first) {
            return self.simple_table(lines, place);
        }
        if let Some(mark) = bullet(first) {
            return self.item(lines, mark, place);
        }
        if let Some(mark) = enumerator(first, next) {
            return self.numbered_item(lines, mark, last, place);
        }
        if let Some((name, body)) = field(first) {
            return self.field_item(lines, name, body, place);
        }
        if let Some((options, description)) = option(first, next) {
            return self.described(lines, options, description, place);
        }
        if first.starts_with(">>> ") {
            return self.doctest(lines);
        }
        if *first == "|" || first.starts_with("| ") {
            return self.line_block(lines, place);
        }
        self.paragraph(lines, place)
    }

    fn title(&mut self, text: &str, style: (char, bool)) {
        let known = self.styles.iter().position(|other| *other == style);
        let position = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        let level = u8::try_from(position.min(LEVELS - 1) + 1).unwrap_or(1);
        // A label in front of it is the anchor that Sphinx gives it.
        let id = anchor(self.label.take().as_deref().unwrap_or(text));
        let heading = self.line(text);
        self.emit_prefix(BlockKind::Paragraph);
        self.assembler.heading(level, heading, Some(id));
    }

    fn quote(&mut self, lines: &[&str], place: Place) -> usize {
        let count = indented(lines);
        let inner = dedented(&lines[..count], usize::MAX);
        let kind = match place.kind {
            // An item's own text may be set in further than its mark is wide.
            BlockKind::ListItem => BlockKind::ListItem,
            _ => BlockKind::Quote,
        };
        self.blocks(&inner, place.inside(kind));
        count
    }

    fn paragraph(&mut self, lines: &[&str], place: Place) -> usize {
        let ends = |line: &&str| is_blank(line) || line.starts_with(' ');
        let count = lines.iter().position(ends).unwrap_or(lines.len()).max(1);
        let (own, below) = lines.split_at(count.min(lines.len()));
        let text = own.join("\n");
        if below.first().is_some_and(|line| !is_blank(line)) && !text.ends_with("::") {
            return count + self.definition(own, below, place);
        }
        let Some(before) = text.strip_suffix("::") else {
            self.words(place.kind, &text);
            return count;
        };
        let has_space = before.is_empty() || before.ends_with([' ', '\n']);
        self.words(
            place.kind,
            &format!("{}{}", before.trim_end(), if has_space { "" } else { ":" }),
        );
        count + self.literal(below)
    }

    /// A term, or terms on lines of their own, with what they mean below.
    fn definition(&mut self, terms: &[&str], below: &[&str], place: Place) -> usize {
        let count = indented(below);
        let name = |term: &&str| match term.split_once(" : ") {
            Some((term, class)) => format!("{term} ({})", class.replace(" : ", ", ")),
            None => (*term).to_owned(),
        };
        let terms: Vec<String> = terms.iter().map(name).collect();
        self.described_by(&terms.join(", "), &below[..count], place);
        count
    }

    /// Reads an indented block with `name: ` in front of it.
    fn described_by(&mut self, name: &str, body: &[&str], place: Place) {
        let name = self.line(name);
        let name = self.outer_number().followed_by(name);
        self.emit_prefix(place.kind);
        self.prefix = Some(name.followed_by(InlineText::plain(": ")));
        self.blocks(&dedented(body, usize::MAX), place.inside(BlockKind::ListItem));
        self.emit_prefix(BlockKind::ListItem);
    }

    /// Reads what stands behind `::`: lines set in, or lines that begin with the same sign; returns how many
    /// lines that is.
    fn literal(&mut self, lines: &[&str]) -> usize {
        let blank = lines.iter().take_while(|line| is_blank(line)).count();
        let rest = &lines[blank..];
        let count = match rest.first().and_then(|line| line.chars().next()) {
            Some(' ') => indented(rest),
            Some(sign) if sign.is_ascii_punctuation() && blank > 0 => {
                rest.iter().take_while(|line| line.starts_with(sign)).count()
            }
            _ => 0,
        };
        self.code(&rest[..count]);
        if count == 0 { 0 } else { blank + count }
    }

    pub(super) fn code(&mut self, lines: &[&str]) {
        let text = dedented(lines, usize::MAX).join("\n");
        self.emit(BlockKind::Code, InlineText::plain(text));
    }

    fn doctest(&mut self, lines: &[&str]) -> usize {
        let count = lines.iter().position(|line| is_blank(line)).unwrap_or(lines.len());
        self.code(&lines[..count]);
        count
    }

    /// Lines that stay apart: an address, a poem.
    fn line_block(&mut self, lines: &[&str], place: Place) -> usize {
        let is_line = |line: &&str| **line == *"|" || line.starts_with("| ");
        let count = lines.iter().take_while(|line| is_line(line) || line.starts_with(' ')).count();
        let mut rows: Vec<String> = Vec::new();
        for line in &lines[..count] {
            match (line.strip_prefix('|'), rows.last_mut()) {
                (Some(line), _) => rows.push(line.trim().to_owned()),
                (None, Some(row)) => row.extend([" ", line.trim()]),
                (None, None) => {}
            }
        }
        let mut text = InlineText::default();
        for row in rows.iter().filter(|row| !row.is_empty()) {
            let row = self.line(row);
            if !text.text.is_empty() {
                text = text.followed_by(InlineText::plain("\n"));
            }
            text = text.followed_by(row);
        }
        self.emit(place.kind, text);
        count
    }

    /// Reads lines as paragraphs without looking for blocks in them.
    fn flat(&mut self, lines: &[&str], place: Place) {
        for group in lines.split(|line| is_blank(line)) {
            let is_drawn = |line: &str| adornment(line.trim()).is_some();
            let words: Vec<&str> =
                group.iter().map(|line| line.trim()).filter(|line| !is_drawn(line)).collect();
            self.words(place.kind, &words.join("\n"));
        }
    }

    /// Adds a block of text with inline mark-up.
    pub(super) fn words(&mut self, kind: BlockKind, text: &str) {
        let text = self.line(text);
        if !text.text.is_empty() {
            self.emit(kind, text);
        }
    }
}

/// Fields at the top of a page that hold paragraphs rather than a fact about it.
const PROSE_FIELDS: &[&str] = &["abstract", "dedication"];

impl Reader {
    /// Reads one item of a list, whose mark takes `mark` bytes.
    pub(super) fn item(&mut self, lines: &[&str], mark: usize, place: Place) -> usize {
        let (count, body) = body(lines, mark);
        self.emit_prefix(place.kind);
        self.blocks(&body, place.inside(BlockKind::ListItem));
        count
    }

    /// The same for an item with a number, which is kept: texts refer to it. `last` is that of the item before it.
    fn numbered_item(
        &mut self,
        lines: &[&str],
        mark: usize,
        last: Option<ItemNumber>,
        place: Place,
    ) -> usize {
        let (count, body) = body(lines, mark);
        let label = lines.first().and_then(|line| line.get(..mark)).unwrap_or_default();
        let number = ItemNumber::new(label.trim(), last);
        // Of a list that begins an item, both numbers stand in one line: `2. (a)`.
        let outer = self.outer_number();
        self.emit_prefix(place.kind);
        let number_text = InlineText::plain(format!("{} ", number.written()));
        self.prefix = Some(outer.followed_by(number_text));
        self.prefix_is_number = true;
        self.blocks(&body, place.inside(BlockKind::ListItem));
        // An item without words: a picture, or a list that a build makes.
        self.outer_number();
        self.last_number = Some(number);
        count
    }

    /// Takes the number that waits for the first words of its item.
    fn outer_number(&mut self) -> InlineText {
        let is_number = std::mem::take(&mut self.prefix_is_number);
        self.prefix.take_if(|_| is_number).unwrap_or_default()
    }

    /// Reads `:name: body`: a fact about the page at its top, an entry of a list below.
    fn field_item(&mut self, lines: &[&str], name: &str, first: &str, place: Place) -> usize {
        let is_head = place.depth == 0 && !self.assembler.has_text();
        let is_prose = PROSE_FIELDS.contains(&name.to_lowercase().as_str());
        if !is_head || is_prose {
            return self.described(lines, name, first, place);
        }
        let count = 1 + indented(&lines[1..]);
        let below = &lines[1..count];
        let value = std::iter::once(first).chain(below.iter().map(|line| line.trim()));
        let value = value.collect::<Vec<_>>().join("\n");
        let value = self.line(&value).text;
        self.field(name, &value);
        count
    }

    /// Reads an entry with a name: `first` is the beginning of its body.
    pub(super) fn described(
        &mut self,
        lines: &[&str],
        name: &str,
        first: &str,
        place: Place,
    ) -> usize {
        let count = 1 + indented(&lines[1..]);
        let below = dedented(&lines[1..count], usize::MAX);
        let body: Vec<&str> = std::iter::once(first).chain(below).collect();
        self.described_by(name, &body, place);
        count
    }
}

/// Returns how many lines an item takes whose mark takes `mark` bytes, and its lines without the mark.
fn body<'a>(lines: &[&'a str], mark: usize) -> (usize, Vec<&'a str>) {
    let count = 1 + indented(&lines[1..]);
    let below = dedented(&lines[1..count], mark);
    let first = &lines[0][mark..];
    (count, std::iter::once(first).chain(below).collect())
}

/// The items of a list, each as its own lines; what stands between them is left out.
pub(super) fn items<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        let mark = rest.first().and_then(|line| bullet(line));
        at += match mark {
            Some(mark) => {
                let (count, body) = body(rest, mark);
                items.push(body);
                count
            }
            None => 1,
        };
    }
    items
}

/// The options that a directive's lines begin with, and the lines behind them.
pub(super) fn options<'l, 'a>(lines: &'l [&'a str]) -> (Vec<(&'a str, String)>, &'l [&'a str]) {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut count = 0;
    for line in lines {
        match field(line) {
            Some((name, value)) => found.push((name, value.to_owned())),
            None if !is_blank(line) && indent(line) > 0 => match found.last_mut() {
                Some((_, value)) => value.extend(["\n", line.trim()]),
                None => break,
            },
            None => break,
        }
        count += 1;
    }
    (found, &lines[count..])
}
