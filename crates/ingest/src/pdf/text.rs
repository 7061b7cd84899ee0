//! The running text of a document: the paragraphs and tables of its pages, one after the other.

use std::collections::BTreeSet;

use super::columns::blocks;
use super::furniture::{Removed, Sheet, contents_entry, remove_furniture};
use super::ink::Rule;
use super::lines::{Line, Piece, rows};
use super::markers::{begins_section, marker};
use super::pages::{Leaf, Turned};
use super::paragraphs::{Column, Joining, Paragraph, Vocabulary, append, paragraphs};
use super::tables::{Drawn, Laid, PageTable, add_page_table, add_rows, aligned, joined, ruled};

/// Part of the running text.
#[derive(Debug)]
pub(super) enum Part {
    Paragraph(Paragraph),
    Table(PageTable),
}

impl Part {
    /// The page it begins on, from 0.
    pub(super) fn page(&self) -> usize {
        match self {
            Self::Paragraph(paragraph) => paragraph.page,
            Self::Table(table) => table.page,
        }
    }
}

/// The text of the pages.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) parts: Vec<Part>,
    pub(super) removed: Removed,
}

/// A page's text in blocks.
struct Spread {
    page: usize,
    blocks: Vec<(Vec<Row>, bool)>,
    targets: Vec<String>,
}

/// A line, or a table in its place.
enum Row {
    Line(Line),
    Table(PageTable),
}

/// Puts the pages' text in order. `labels` are what the pages call themselves.
pub(super) fn text(leaves: Vec<Leaf>, labels: &[Option<String>]) -> Text {
    let mut others = Vec::new();
    let mut sheets: Vec<Sheet> = Vec::new();
    for (index, leaf) in leaves.into_iter().enumerate() {
        let Leaf { height, pieces, turned, rules, targets, .. } = leaf;
        let label = labels.get(index).cloned().flatten();
        sheets.push(Sheet { height, number: index + 1, label, pieces });
        others.push((turned, rules, targets));
    }
    // Before tables and columns: a running header over both would keep them from being found.
    let removed = remove_furniture(&mut sheets);
    let mut laid = Vec::new();
    for (page, (sheet, (turned, rules, targets))) in sheets.into_iter().zip(others).enumerate() {
        let blocks = spread(page, sheet.pieces, turned, &rules, &targets);
        laid.push(Spread { page, blocks, targets });
    }
    // Of all pages first: a word broken on the first may stand whole on the last.
    let vocabulary = vocabulary(&laid);
    let margin = margin(&laid);
    let mut parts = Vec::new();
    for page in laid {
        add_page(&mut parts, page, margin, &vocabulary);
    }
    Text { parts, removed }
}

/// The blocks of a page in the order of reading, and whether each is a column among others.
fn spread(
    page: usize,
    pieces: Vec<Piece>,
    turned: Vec<Turned>,
    rules: &[Rule],
    targets: &[String],
) -> Vec<(Vec<Row>, bool)> {
    let mut sideways = turned.iter().map(|turned| turned.on_page.clone()).collect();
    let (pieces, ruled) = ruled(pieces, &mut sideways, rules, targets);
    let turned = left_over(turned, &sideways);
    let level = joined(rules, true);
    let mut ruled: Vec<Option<Drawn>> = ruled.into_iter().map(Some).collect();
    let mut spread = Vec::new();
    for block in blocks(pieces) {
        let mut rows = Vec::new();
        for laid in aligned(block.rows, &level, targets) {
            rows.extend(match laid {
                Laid::Table { drawn, left, right } => {
                    Some(Row::Table(PageTable::new(drawn, page, left, right)))
                }
                Laid::Row(pieces) => row(pieces, page, &mut ruled),
            });
        }
        spread.push((rows, block.is_column));
    }
    if !turned.is_empty() {
        let pieces = turned.into_iter().map(|turned| turned.piece).collect();
        let rows = rows(pieces).into_iter().filter_map(|pieces| row(pieces, page, &mut ruled));
        spread.push((rows.collect(), true));
    }
    spread
}

/// The turned pieces that no table took.
fn left_over(turned: Vec<Turned>, sideways: &[Piece]) -> Vec<Turned> {
    let key = |piece: &Piece| {
        (piece.bounds.x0.to_bits(), piece.bounds.y0.to_bits(), piece.bounds.x1.to_bits())
    };
    let left: BTreeSet<_> = sideways.iter().map(key).collect();
    turned.into_iter().filter(|turned| left.contains(&key(&turned.on_page))).collect()
}

fn row(pieces: Vec<Piece>, page: usize, tables: &mut [Option<Drawn>]) -> Option<Row> {
    let first = pieces.first()?;
    if let Some(index) = first.table {
        let drawn = tables.get_mut(index)?.take()?;
        let (left, right) = (first.bounds.x0, first.bounds.x1);
        return Some(Row::Table(PageTable::new(drawn, page, left, right)));
    }
    Some(Row::Line(Line::of(pieces.into_iter().flat_map(|piece| piece.words).collect())))
}

fn vocabulary(pages: &[Spread]) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let rows = pages.iter().flat_map(|page| &page.blocks).flat_map(|(rows, _)| rows);
    for row in rows {
        if let Row::Line(line) = row {
            let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
            vocabulary.learn(&words);
        }
    }
    vocabulary
}

/// Finds the right edge of the text, where most long lines outside of columns end.
fn margin(pages: &[Spread]) -> Option<f64> {
    let mut ends: Vec<f64> = Vec::new();
    for (rows, is_column) in pages.iter().flat_map(|page| &page.blocks) {
        for row in rows {
            if let Row::Line(line) = row
                && !is_column
                && line.words.len() >= 6
            {
                ends.push(line.right);
            }
        }
    }
    ends.sort_by(f64::total_cmp);
    // Not the longest line: one that runs over the edge would make all others look short.
    ends.get(ends.len() * 9 / 10).copied()
}

fn add_page(parts: &mut Vec<Part>, mut page: Spread, margin: Option<f64>, vocabulary: &Vocabulary) {
    let joining = Joining { vocabulary, links: &page.targets };
    if let (Some(Part::Table(last)), Some((rows, _))) = (parts.last_mut(), page.blocks.first_mut())
    {
        let lines = rows.iter().map_while(|row| match row {
            Row::Line(line) => Some(line),
            Row::Table(_) => None,
        });
        let lines: Vec<&Line> = lines.collect();
        let below = rows.iter().find_map(|row| match row {
            Row::Table(table) => Some(table),
            Row::Line(_) => None,
        });
        let taken = add_rows(last, &lines, below, page.page, &page.targets);
        rows.drain(..taken);
    }
    for (rows, is_column) in page.blocks {
        let lines = || {
            rows.iter().filter_map(|row| match row {
                Row::Line(line) => Some(line),
                Row::Table(_) => None,
            })
        };
        let left = lines().map(|line| line.left).fold(f64::MAX, f64::min);
        let mut right = lines().map(|line| line.right).fold(f64::MIN, f64::max);
        // Short lines alone would make a narrow column, in which all of them look full.
        if let Some(margin) = margin.filter(|_| !is_column) {
            right = right.max(margin);
        }
        let column = Column { left, right };
        let mut open: Vec<Line> = Vec::new();
        let mut is_first = true;
        let mut close = |parts: &mut Vec<Part>, open: &mut Vec<Line>| {
            for paragraph in paragraphs(open, page.page, column, joining) {
                add(parts, paragraph, std::mem::take(&mut is_first), vocabulary);
            }
            open.clear();
        };
        for row in rows {
            match row {
                Row::Line(line) => open.push(line),
                Row::Table(table) => {
                    close(parts, &mut open);
                    add_page_table(parts, table);
                }
            }
        }
        close(parts, &mut open);
    }
}

/// Adds a paragraph, or goes on with the last one if that was broken off at the end of its column.
fn add(parts: &mut Vec<Part>, next: Paragraph, begins_block: bool, vocabulary: &Vocabulary) {
    // Notes stand between the text of one page and that of the next.
    let notes = parts.iter().rev().take_while(|part| is_note(part, &next)).count();
    let body = parts.len() - notes;
    let (before, last) = match parts.get_mut(..body) {
        Some([.., before, last]) => (Some(before), Some(last)),
        Some([last]) => (None, Some(last)),
        _ => (None, None),
    };
    if begins_block
        && let Some(Part::Paragraph(last)) = last
        && goes_on(last, &next)
        && !before.is_some_and(|before| ends_alike(before, last))
    {
        append(&mut last.text, next.text, vocabulary);
        last.lines += next.lines;
        last.slack = next.slack;
        last.column = next.column;
        return;
    }
    parts.push(Part::Paragraph(next));
}

/// Returns `true` if this is a note at the foot of a page, below text of the size of `next`.
fn is_note(part: &Part, next: &Paragraph) -> bool {
    let Part::Paragraph(paragraph) = part else {
        return false;
    };
    let begins = paragraph.text.text.chars().next();
    // Notes are a point or so smaller than their text. At 0.7 one stands between the halves of a paragraph
    // (`a_paragraph_goes_on_over_the_page_past_a_note`).
    paragraph.size < 0.93 * next.size
        && begins.is_some_and(|first| first.is_numeric() || matches!(first, '*' | '†'))
        && paragraph.page < next.page
}

/// Returns `true` if the paragraph before ends with a closing bracket too: then it is how they end here.
fn ends_alike(before: &Part, last: &Paragraph) -> bool {
    let Part::Paragraph(before) = before else {
        return false;
    };
    let closes = |text: &str| text.ends_with([')', ']']);
    closes(&before.text.text) && closes(&last.text.text)
}

fn goes_on(last: &Paragraph, next: &Paragraph) -> bool {
    let is_like = (last.size - next.size).abs() < 0.07 * last.size
        && last.style.bold == next.style.bold
        && last.role == next.role
        && !last.is_centred
        && !next.is_centred;
    let text = last.text.text.trim_end_matches(['“', '”', '"', '»', ')', '’']);
    let is_finished = text.ends_with(['.', '!', '?', ':', ';'])
        || contents_entry(text).is_some()
        || last.text.text.starts_with('(') && last.text.text.ends_with(')');
    let starts_small = next.text.text.starts_with(char::is_lowercase);
    let is_full = last.slack < 0.25 * last.size + next.first_width;
    let may = is_full && (next.begins_flush || marker(&last.text.text).is_some());
    let is_new = marker(&next.text.text).is_some() || begins_section(&next.text.text);
    is_like && !is_finished && !is_new && (starts_small || may)
}
