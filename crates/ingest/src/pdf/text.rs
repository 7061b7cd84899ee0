//! The running text of a document: the paragraphs and tables of its pages, one after the other.

use std::collections::BTreeSet;

use hayro_interpret::kurbo::Rect;

use super::beside::take_notes_beside;
use super::captions::give_captions;
use super::catalog::Bookmark;
use super::columns::{Block, Gutters, blocks};
use super::contents::take_printed;
use super::formulas::join_displays;
use super::furniture::{Contents, Removed, Sheet, contents_entry, remove_furniture};
use super::ink::Rule;
use super::lines::{Line, Piece, rows};
use super::markers::{begins_section, marker};
use super::notes::{Note, Signs, Waiting, take};
use super::pages::{Leaf, Turned};
use super::panels::{Aside, Panel, Taken, take_panels};
use super::paragraphs::{Column, Joining, Paragraph, Vocabulary, append, paragraphs};
use super::side_notes::take_side_notes;
use super::tables::{
    Drawn, Laid, PageTable, add_page_table, add_rows, aligned, joined, ruled, striped, tell_fields,
};

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
    pub(super) contents: Contents,
}

/// A page's text in the order of reading.
struct Spread {
    page: usize,
    runs: Vec<Run>,
    /// What is beside the running text.
    asides: Vec<(Aside, Vec<Run>)>,
    notes: Vec<Note>,
    targets: Vec<String>,
}

/// Rows that are read one after the other.
struct Run {
    rows: Vec<Row>,
    /// `true` if it is a column among others.
    is_column: bool,
    /// The right edge of its column, where that is known.
    edge: Option<f64>,
    /// `true` if no sentence leads from elsewhere into it.
    is_apart: bool,
}

impl Spread {
    fn all_runs(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().chain(self.asides.iter().flat_map(|(_, runs)| runs))
    }
}

/// A line, or a table in its place.
enum Row {
    Line(Line),
    Table(PageTable),
}

/// Puts the pages' text in order. `labels` are what the pages call themselves.
pub(super) fn text(leaves: Vec<Leaf>, labels: &[Option<String>], bookmarks: &[Bookmark]) -> Text {
    let mut others = Vec::new();
    let mut sheets: Vec<Sheet> = Vec::new();
    for (index, leaf) in leaves.into_iter().enumerate() {
        let Leaf { height, pieces, turned, rules, grounds, areas, targets, .. } = leaf;
        let label = labels.get(index).cloned().flatten();
        let titles = titles_on(bookmarks, index);
        sheets.push(Sheet { height, number: index + 1, label, titles, pieces });
        others.push((turned, rules, grounds, areas, targets));
    }
    // Before tables and columns: a running header over both would keep them from being found.
    let removed = remove_furniture(&mut sheets);
    let contents = take_printed(&mut sheets);
    let mut sorted = Vec::new();
    let mut places: Vec<Vec<Rect>> = Vec::new();
    for (sheet, (turned, rules, grounds, areas, targets)) in sheets.into_iter().zip(others) {
        places.push(sheet.pieces.iter().map(|piece| piece.bounds).collect());
        let signs = Signs::of(&sheet.pieces, rules.clone());
        let mut sideways = turned.iter().map(|turned| turned.on_page.clone()).collect();
        let (pieces, tables) = ruled(sheet.pieces, &mut sideways, &rules, &targets);
        let (pieces, tables) = striped(pieces, tables, &mut sideways, &areas, &targets);
        let turned = left_over(turned, &sideways);
        let level = joined(&rules, true);
        let Taken { pieces, groups, mut asides } = take_panels(pieces, &rules, &grounds);
        let (pieces, notes) = take_side_notes(pieces);
        asides.extend(notes);
        let (pieces, notes) = take_notes_beside(pieces);
        asides.extend(notes);
        sorted.push(Sorted { pieces, groups, asides, tables, turned, targets, level, signs });
    }
    // Of all pages first: a last page of columns may hold too few lines to show that it is one.
    let gutters = Gutters::of(sorted.iter().map(|page| page.pieces.as_slice()));
    let mut laid = Vec::new();
    for (page, sorted) in sorted.into_iter().enumerate() {
        let Sorted { pieces, groups, asides, tables, turned, targets, level, signs } = sorted;
        let mut laying = Laying {
            page,
            tables: tables.into_iter().map(Some).collect(),
            groups: groups.into_iter().map(Some).collect(),
            targets: &targets,
            gutters: &gutters,
            level,
            signs,
            notes: Vec::new(),
        };
        let mut runs = laying.runs(pieces);
        let asides = asides.into_iter().map(|mut aside| {
            let runs = laying.apart(std::mem::take(&mut aside.pieces), aside.edge);
            (aside, runs)
        });
        let asides = asides.collect();
        if !turned.is_empty() {
            let turned = turned.into_iter().map(|turned| turned.piece).collect();
            let turned = rows(turned).into_iter().filter_map(|pieces| laying.row(pieces)).collect();
            runs.push(Run { rows: turned, is_column: true, edge: None, is_apart: false });
        }
        let notes = laying.notes;
        laid.push(Spread { page, runs, asides, notes, targets });
    }
    give_heads(&mut laid);
    // Of all pages first: a word broken on the first may stand whole on the last.
    let vocabulary = vocabulary(&laid);
    let margin = margin(&laid);
    let mut parts = Vec::new();
    let mut beside = Vec::new();
    let mut waiting = Waiting::default();
    for mut page in laid {
        add_broken_rows(&mut parts, &mut page.runs, page.page, &page.targets);
        let joining = Joining { vocabulary: &vocabulary, links: &page.targets };
        let start = parts.len();
        add_runs(&mut parts, page.page, page.runs, margin, joining);
        for note in page.notes {
            let left = waiting.place(&mut parts, start, note, page.page, joining);
            let left = left.and_then(|note| note.with_mark(page.page, joining));
            parts.extend(left.map(Part::Paragraph));
        }
        for (aside, runs) in page.asides {
            let mut own = Vec::new();
            add_runs(&mut own, page.page, runs, None, joining);
            beside.push((page.page, aside, own));
        }
    }
    let mut parts = waiting.settle(parts);
    // Behind the whole text, since a paragraph may go on over the page past what is beside it.
    for (page, aside, own) in beside {
        put_beside(&mut parts, page, &aside, own);
    }
    join_displays(&mut parts, &vocabulary);
    tell_fields(&mut parts);
    give_captions(&mut parts, &places);
    Text { parts, removed, contents }
}

/// The headings that bookmarks place on a page.
fn titles_on(bookmarks: &[Bookmark], page: usize) -> Vec<String> {
    let here = bookmarks.iter().filter(|mark| mark.page == Some(page));
    here.map(|mark| mark.title.clone()).collect()
}

/// The turned pieces that no table took.
fn left_over(turned: Vec<Turned>, sideways: &[Piece]) -> Vec<Turned> {
    let key = |piece: &Piece| {
        (piece.bounds.x0.to_bits(), piece.bounds.y0.to_bits(), piece.bounds.x1.to_bits())
    };
    let left: BTreeSet<_> = sideways.iter().map(key).collect();
    turned.into_iter().filter(|turned| left.contains(&key(&turned.on_page))).collect()
}

/// A page whose tables, panels and side notes are sorted out from its running text.
struct Sorted {
    pieces: Vec<Piece>,
    groups: Vec<Vec<Panel>>,
    asides: Vec<Aside>,
    tables: Vec<Drawn>,
    /// Turned text that belongs to no table.
    turned: Vec<Turned>,
    targets: Vec<String>,
    /// The level rules.
    level: Vec<Rule>,
    signs: Signs,
}

/// What is needed to lay out one page.
struct Laying<'p> {
    page: usize,
    tables: Vec<Option<Drawn>>,
    groups: Vec<Option<Vec<Panel>>>,
    targets: &'p [String],
    gutters: &'p Gutters,
    /// The level rules of the page.
    level: Vec<Rule>,
    signs: Signs,
    /// The notes at the foot of the page.
    notes: Vec<Note>,
}

impl Laying<'_> {
    /// The runs of pieces that stand for themselves, in lines that end at `edge` at the latest.
    fn apart(&mut self, pieces: Vec<Piece>, edge: Option<f64>) -> Vec<Run> {
        let mut runs = self.runs(pieces);
        let is_whole = runs.len() == 1;
        for run in &mut runs {
            run.is_column = true;
            run.edge = run.edge.or(edge.filter(|_| is_whole));
        }
        if let Some(first) = runs.first_mut() {
            first.is_apart = true;
        }
        runs
    }

    /// The runs of pieces in the order of reading.
    fn runs(&mut self, pieces: Vec<Piece>) -> Vec<Run> {
        let mut runs = Vec::new();
        for block in blocks(pieces, self.gutters) {
            let Block { rows, is_column, edge, mut is_apart } = block;
            // Before tables are looked for: notes with their numbers in front of them look like one.
            let (rows, notes) = take(rows, &self.signs);
            self.notes.extend(notes);
            let mut open = Vec::new();
            for laid in aligned(rows, &self.level, self.targets) {
                let pieces = match laid {
                    Laid::Table { drawn, left, right } => {
                        open.push(Row::Table(PageTable::new(drawn, self.page, left, right)));
                        continue;
                    }
                    Laid::Row(pieces) => pieces,
                };
                let panels = pieces.first().and_then(|piece| piece.panels);
                let Some(group) = panels.and_then(|at| self.groups.get_mut(at)?.take()) else {
                    open.extend(self.row(pieces));
                    continue;
                };
                runs.push(Run { rows: std::mem::take(&mut open), is_column, edge, is_apart });
                for Panel { pieces, edge } in group {
                    runs.extend(self.apart(pieces, Some(edge)));
                }
                is_apart = true;
            }
            runs.push(Run { rows: open, is_column, edge, is_apart });
        }
        runs.retain(|run| !run.rows.is_empty());
        runs
    }

    fn row(&mut self, pieces: Vec<Piece>) -> Option<Row> {
        let first = pieces.first()?;
        if let Some(index) = first.table {
            let drawn = self.tables.get_mut(index)?.take()?;
            let (left, right) = (first.bounds.x0, first.bounds.x1);
            return Some(Row::Table(PageTable::new(drawn, self.page, left, right)));
        }
        Some(Row::Line(Line::of(pieces.into_iter().flat_map(|piece| piece.words).collect())))
    }
}

fn vocabulary(pages: &[Spread]) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let rows = pages.iter().flat_map(Spread::all_runs).flat_map(|run| &run.rows);
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
    for run in pages.iter().flat_map(|page| &page.runs) {
        for row in &run.rows {
            if let Row::Line(line) = row
                && !run.is_column
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

/// Gives the last line of each page to the table that begins the next, where it names its columns.
fn give_heads(pages: &mut [Spread]) {
    for at in 1..pages.len() {
        let (before, next) = pages.split_at_mut(at);
        let (Some(before), Some(next)) = (before.last_mut(), next.first_mut()) else {
            continue;
        };
        let last = before.runs.last_mut().map(|run| &mut run.rows);
        let first = next.runs.first_mut().and_then(|run| run.rows.first_mut());
        let (Some(rows), Some(Row::Table(table))) = (last, first) else {
            continue;
        };
        if let Some(Row::Line(line)) = rows.last()
            && table.take_head(line, &before.targets)
        {
            rows.pop();
        }
    }
}

/// Gives the first lines of a page to the table that the page before ended with, where they go on with it.
fn add_broken_rows(parts: &mut [Part], runs: &mut [Run], page: usize, targets: &[String]) {
    let (Some(Part::Table(last)), Some(run)) = (parts.last_mut(), runs.first_mut()) else {
        return;
    };
    let lines: Vec<&Line> = run
        .rows
        .iter()
        .map_while(|row| match row {
            Row::Line(line) => Some(line),
            Row::Table(_) => None,
        })
        .collect();
    let below = run.rows.iter().find_map(|row| match row {
        Row::Table(table) => Some(table),
        Row::Line(_) => None,
    });
    let taken = add_rows(last, &lines, below, page, targets);
    run.rows.drain(..taken);
}

fn add_runs(
    parts: &mut Vec<Part>,
    page: usize,
    runs: Vec<Run>,
    margin: Option<f64>,
    joining: Joining<'_>,
) {
    for Run { rows, is_column, edge, is_apart } in runs {
        let lines = || {
            rows.iter().filter_map(|row| match row {
                Row::Line(line) => Some(line),
                Row::Table(_) => None,
            })
        };
        let left = lines().map(|line| line.left).fold(f64::MAX, f64::min);
        let mut right = lines().map(|line| line.right).fold(f64::MIN, f64::max);
        if let Some(edge) = edge {
            right = right.max(edge);
        }
        // Short lines alone would make a narrow column, in which all of them look full.
        if let Some(margin) = margin.filter(|_| !is_column) {
            right = right.max(margin);
        }
        let column = Column { left, right, is_known: edge.is_some() };
        let mut open: Vec<Line> = Vec::new();
        let mut is_first = !is_apart;
        let mut close = |parts: &mut Vec<Part>, open: &mut Vec<Line>| {
            for paragraph in paragraphs(open, page, column, joining) {
                add(parts, paragraph, std::mem::take(&mut is_first), joining.vocabulary);
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

/// Puts what is beside the text after the paragraph next to it, or before that.
fn put_beside(parts: &mut Vec<Part>, page: usize, aside: &Aside, own: Vec<Part>) {
    let bounds = aside.bounds;
    let mut best: Option<(f64, usize)> = None;
    for (index, part) in parts.iter().enumerate() {
        let Part::Paragraph(paragraph) = part else {
            continue;
        };
        // Half a line, since small type is a little lower.
        if paragraph.page != page || paragraph.top > bounds.y0 + 0.5 * paragraph.size {
            continue;
        }
        let Column { left, right, .. } = paragraph.column;
        let distance = (left - bounds.x1).max(bounds.x0 - right).max(0.0);
        // The last one of the nearest column; a few points are the difference of two indents.
        if best.is_none_or(|(least, _)| distance < least + 6.0) {
            best = Some((best.map_or(distance, |(least, _)| least.min(distance)), index));
        }
    }
    let place = match best {
        Some((_, index)) if aside.is_before => index,
        Some((_, index)) => index + 1,
        // It is beside the end of a paragraph that began on a page before.
        None => parts.iter().take_while(|part| part.page() < page).count(),
    };
    parts.splice(place..place, own);
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
