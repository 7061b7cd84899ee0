//! Rows of cells as files of separated values and spreadsheets hold them, and the tables in them.
//!
//! A sheet is paper, not a table: it may hold a title, a remark, and several tables with empty rows
//! or columns between them.

mod stacked;
#[cfg(test)]
mod tests;

use campanile_corpus::{BlockKind, Table, TableCell, TableRow};

use crate::assemble::Assembler;
use crate::html;
use crate::inline::InlineText;
use crate::table::{CellDraft, RowDraft, TableDraft};
use stacked::one_below_the_other;

/// Titles above a table's header.
const MOST_TITLES: usize = 3;

/// A sheet: the rows that hold something, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) rows: Vec<SheetRow>,
    /// `true` if tables may stand side by side.
    pub(crate) is_free: bool,
}

/// The cells of a row that hold something, from the left.
#[derive(Clone, Debug, Default)]
pub(crate) struct SheetRow {
    /// Its place in the sheet, from 0.
    pub(crate) number: u32,
    pub(crate) cells: Vec<SheetCell>,
}

#[derive(Clone, Debug)]
pub(crate) struct SheetCell {
    /// Its place in the row, from 0.
    pub(crate) column: u32,
    /// The text, over as many lines as it has.
    pub(crate) text: String,
    pub(crate) is_bold: bool,
    /// The number of columns that it takes.
    pub(crate) columns: u32,
    /// The number of rows that it takes.
    pub(crate) rows: u32,
    pub(crate) link: Option<String>,
}

impl SheetCell {
    pub(crate) fn new(column: u32, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { column, text, is_bold: false, columns: 1, rows: 1, link: None }
    }
}

/// A table of a sheet with the titles above it, or lines of text where `rows` has one column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) titles: Vec<String>,
    pub(crate) rows: Vec<SheetRow>,
    /// Each row is the name of a fact, and what it is.
    is_facts: bool,
}

impl Sheet {
    /// The tables and texts of the sheet, from the top.
    pub(crate) fn parts(self) -> Vec<Part> {
        let is_free = self.is_free;
        let pieces = islands(self).into_iter().flat_map(without_facts);
        let part = |(rows, is_facts)| Part { is_facts, ..with_titles(rows, is_free) };
        pieces.map(part).collect()
    }
}

/// Rows of facts without a colon behind their names that are told from rows of a table: one alone may be a head that names
/// only two columns.
const FEWEST_FACTS: usize = 2;

/// The facts that an export states above its table (`Term: | Winter 2026/27`), the table, and the facts below it; each with whether
/// it is facts.
fn without_facts(mut rows: Vec<SheetRow>) -> Vec<(Vec<SheetRow>, bool)> {
    let filled = |row: &SheetRow| row.cells.len();
    let is_stated = |row: &SheetRow| match row.cells.as_slice() {
        [label, value] => label.text.trim_end().ends_with(':') && !value.text.ends_with(':'),
        _ => false,
    };
    let (left, _) = columns(&rows);
    let is_pair = |row: &SheetRow| match row.cells.as_slice() {
        [label, _] => label.column == left && label.columns == 1,
        _ => false,
    };
    let titles = rows.iter().take_while(|row| filled(row) == 1).count();
    let count_from = |test: &dyn Fn(&SheetRow) -> bool| {
        rows.iter().skip(titles).take_while(|row| test(row)).count()
    };
    let stated = count_from(&is_stated);
    let pairs = count_from(&is_pair);
    // Without colons the table below has to be wider than its facts, in each of its first rows.
    let is_wider = rows.iter().skip(titles + pairs).take(2).filter(|row| filled(row) > 2).count();
    let above = if stated > 0 {
        stated
    } else if pairs >= FEWEST_FACTS && is_wider == 2 {
        pairs
    } else {
        0
    };
    let below = rows.iter().skip(titles + above).rev().take_while(|row| is_stated(row)).count();
    let has_table = titles + above + below < rows.len();
    if !has_table || above + below == 0 {
        return vec![(rows, false)];
    }
    let end = rows.split_off(rows.len() - below);
    let table = rows.split_off(titles + above);
    let mut pieces = Vec::new();
    if above > 0 {
        pieces.push((beside_each_other(rows), true));
        pieces.push((table, false));
    } else {
        rows.extend(table);
        pieces.push((rows, false));
    }
    pieces.push((beside_each_other(end), true));
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

/// Facts with each value right beside its name.
fn beside_each_other(mut rows: Vec<SheetRow>) -> Vec<SheetRow> {
    for row in &mut rows {
        if let [label, value] = row.cells.as_mut_slice() {
            value.column = label.column + 1;
        }
    }
    rows
}

/// Takes the rows above the header that hold a title.
fn with_titles(mut rows: Vec<SheetRow>, is_free: bool) -> Part {
    let (left, right) = columns(&rows);
    let is_title = |row: &SheetRow| {
        row.cells.len() == 1 && row.cells.first().is_some_and(|cell| cell.column == left)
    };
    let count = rows.iter().take_while(|row| is_title(row)).count();
    let has_table = right > left && count < rows.len();
    // Below a title stands a header: several names side by side.
    let next_is_wide = rows.get(count).is_some_and(|row| row.cells.len() > 1);
    let count = if has_table && next_is_wide { count } else { 0 };
    // In a text file so many lines of one field are data, or no table at all.
    if count > MOST_TITLES && !is_free {
        return Part { rows, ..Part::default() };
    }
    let titles = rows.drain(..count).flat_map(|row| row.cells).map(|cell| one_line(&cell.text));
    Part { titles: titles.collect(), rows, is_facts: false }
}

/// The first and the last column that hold something.
pub(crate) fn columns(rows: &[SheetRow]) -> (u32, u32) {
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let left = cells().map(|cell| cell.column).min().unwrap_or_default();
    let right = cells().map(|cell| cell.column + cell.columns.max(1) - 1).max();
    (left, right.unwrap_or_default())
}

impl Part {
    /// The rows as a table, its head marked.
    pub(crate) fn table(&self) -> Table {
        let (left, right) = columns(&self.rows);
        let last = self.rows.last().map_or(0, |row| row.number);
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut covered = Covered::default();
        for (index, row) in self.rows.iter().enumerate() {
            let below = &self.rows[index + 1..];
            rows.push(TableRow {
                is_head: false,
                cells: covered.cells(row, (left, right), last, below),
            });
        }
        let mut table = Table { rows, ..Table::default() };
        if self.is_facts {
            let labels = table.rows.iter_mut().filter_map(|row| row.cells.first_mut());
            labels.for_each(|label| label.is_header = true);
            return table;
        }
        self.mark_bold_head(&mut table);
        self.mark_bold_labels(&mut table);
        table.mark_headers(true);
        self.mark_bold_groups(&mut table);
        table
    }

    /// A text in bold alone in the first column, among rows that are not, names the group of the rows below it.
    fn mark_bold_groups(&self, table: &mut Table) {
        let (left, _) = columns(&self.rows);
        let is_lone = |row: &SheetRow| match row.cells.as_slice() {
            [only] => only.column == left && only.is_bold,
            _ => false,
        };
        let is_plain = |row: &SheetRow| row.cells.iter().any(|cell| !cell.is_bold);
        for ((row, source), next) in
            table.rows.iter_mut().zip(&self.rows).zip(self.rows.iter().skip(1))
        {
            // Below the name of a group there may be names of groups within it.
            let heads_rows = next.cells.len() > 1 && is_plain(next)
                || matches!(next.cells.as_slice(), [only] if only.column == left && !only.is_bold);
            if !row.is_head && is_lone(source) && heads_rows {
                row.cells.iter_mut().take(1).for_each(|cell| cell.is_header = true);
            }
        }
    }

    /// Names of fields in bold beside values that are not, once in each row or several times.
    fn mark_bold_labels(&self, table: &mut Table) {
        let is_label = |cell: &SheetCell, left: u32| (cell.column - left).is_multiple_of(2);
        let (left, right) = columns(&self.rows);
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let is_even = (right - left) % 2 == 1 && cells().all(|cell| cell.columns == 1);
        let are_labels = is_even && cells().all(|cell| cell.is_bold == is_label(cell, left));
        if !are_labels || self.rows.len() < 2 {
            return;
        }
        for row in &mut table.rows {
            let labels = row.cells.iter_mut().step_by(2).filter(|cell| !cell.text.is_empty());
            labels.for_each(|cell| cell.is_header = true);
        }
    }

    /// A first row in bold above rows that are not is a head.
    fn mark_bold_head(&self, table: &mut Table) {
        let is_bold = |row: &SheetRow| row.cells.iter().all(|cell| cell.is_bold);
        // A name alone below a row that names the first column too is that of a group.
        let (left, _) = columns(&self.rows);
        let first = self.rows.first().map_or(&[][..], |row| row.cells.as_slice());
        let names_left = first.len() > 1 && first.iter().any(|cell| cell.column == left);
        let is_group = |row: &SheetRow| match row.cells.as_slice() {
            [only] => names_left && only.column == left,
            _ => false,
        };
        let heads = self.rows.iter().take_while(|row| is_bold(row) && !is_group(row)).count();
        // Where nearly all is bold, bold says nothing.
        if heads == 0 || heads > 3 || heads == self.rows.len() || table.rows.len() < 2 {
            return;
        }
        for row in table.rows.iter_mut().take(heads) {
            row.is_head = true;
            row.cells.iter_mut().for_each(|cell| cell.is_header = true);
        }
    }
}

/// The places that merged cells reach into, by column: until which row.
#[derive(Default)]
struct Covered(std::collections::BTreeMap<u32, u32>);

impl Covered {
    /// The row's cells from the first to the last column, empty ones too.
    fn cells(
        &mut self,
        row: &SheetRow,
        (left, right): (u32, u32),
        last: u32,
        below: &[SheetRow],
    ) -> Vec<TableCell> {
        let mut cells = Vec::new();
        let mut own = row.cells.iter().peekable();
        let mut column = left;
        while column <= right {
            while own.next_if(|cell| cell.column < column).is_some() {}
            if self.0.get(&column).is_some_and(|until| *until >= row.number) {
                column += 1;
                continue;
            }
            let Some(cell) = own.next_if(|cell| cell.column == column) else {
                cells.push(TableCell::new(""));
                column += 1;
                continue;
            };
            let until = row.number.saturating_add(cell.rows.max(1) - 1).min(last);
            let columns = cell.columns.clamp(1, right - column + 1);
            for covered in column..column + columns {
                self.0.insert(covered, until);
            }
            let rows = below.iter().take_while(|row| row.number <= until).count() + 1;
            cells.push(TableCell {
                text: one_line(&cell.text),
                is_header: false,
                columns,
                rows: u32::try_from(rows).unwrap_or(u32::MAX),
            });
            column += columns;
        }
        // A row may be shorter than the table; nothing needs to fill it up.
        while cells.last().is_some_and(|cell| cell.text.is_empty()) && cells.len() > 1 {
            cells.pop();
        }
        cells
    }
}

/// Adds the parts of a sheet to a document.
pub(crate) fn add_parts(assembler: &mut Assembler, parts: Vec<Part>) {
    for part in parts {
        let (left, right) = columns(&part.rows);
        if left == right {
            for line in part.titles {
                assembler.block(BlockKind::Paragraph, InlineText::plain(line));
            }
            for cell in part.rows.into_iter().flat_map(|row| row.cells) {
                assembler.block(BlockKind::Paragraph, linked(&cell, one_line(&cell.text)));
            }
            continue;
        }
        let table = part.table();
        let caption = InlineText::plain(part.titles.join(", "));
        let rows = table.rows.into_iter().zip(&part.rows).map(|(row, source)| draft(row, source));
        assembler.table(TableDraft { caption, rows: rows.collect() });
    }
}

fn draft(row: TableRow, source: &SheetRow) -> RowDraft {
    let mut sources = source.cells.iter();
    let cells = row.cells.into_iter().map(|cell| {
        let is_source = |source: &&SheetCell| one_line(&source.text) == cell.text;
        let source = if cell.text.is_empty() { None } else { sources.find(is_source) };
        let text = match source {
            Some(source) => linked(source, cell.text),
            None => InlineText::plain(cell.text),
        };
        CellDraft { text, is_header: cell.is_header, columns: cell.columns, rows: cell.rows }
    });
    RowDraft { is_head: row.is_head, cells: cells.collect() }
}

fn linked(cell: &SheetCell, text: String) -> InlineText {
    let links = cell.link.iter().map(|target| (0..text.len(), target.clone())).collect();
    InlineText { text, links }
}

/// The rows of each table, from the top and then from the left.
fn islands(sheet: Sheet) -> Vec<Vec<SheetRow>> {
    let mut found: Vec<Island> = Vec::new();
    for band in bands(sheet.rows) {
        let pieces = if sheet.is_free { side_by_side(band) } else { vec![band] };
        let is_single = pieces.len() == 1;
        // Beside a tall table there may be several short ones, one below the other.
        let pieces: Vec<_> =
            if is_single { pieces } else { pieces.into_iter().flat_map(bands).collect() };
        for piece in pieces {
            match found.last_mut().filter(|above| is_single && above.goes_on(&piece)) {
                Some(above) => above.rows.extend(piece),
                None => found.push(Island { columns: columns(&piece), rows: piece }),
            }
        }
    }
    let rows = found.into_iter().map(|island| island.rows);
    if sheet.is_free { rows.flat_map(one_below_the_other).collect() } else { rows.collect() }
}

struct Island {
    rows: Vec<SheetRow>,
    /// The first and the last column of its first rows.
    columns: (u32, u32),
}

/// Rows without an empty row between them.
fn bands(rows: Vec<SheetRow>) -> Vec<Vec<SheetRow>> {
    let mut bands: Vec<Vec<SheetRow>> = Vec::new();
    // The first row that no cell so far reaches into.
    let mut free = 0;
    for row in rows {
        let is_next = row.number <= free && !bands.is_empty();
        let reach = row.cells.iter().map(|cell| cell.rows.max(1)).max().unwrap_or(1);
        // A merged cell reaches into rows that are empty otherwise.
        free = row.number.saturating_add(reach).max(if is_next { free } else { 0 });
        match bands.last_mut().filter(|_| is_next) {
            Some(band) => band.push(row),
            None => bands.push(vec![row]),
        }
    }
    bands
}

impl Island {
    /// Returns `true` if the rows below an empty one are more rows of this table: in the same columns,
    /// without a header of their own.
    fn goes_on(&self, below: &[SheetRow]) -> bool {
        let (left, right) = self.columns;
        let (own_left, own_right) = columns(below);
        let is_within = own_left >= left && own_right <= right && right > left;
        let first_is_wide = below.first().is_some_and(|row| row.cells.len() > 1);
        if !is_within || !first_is_wide {
            return false;
        }
        if let [only] = self.rows.as_slice() {
            // A header, and some air below it.
            return only.cells.len() > 1;
        }
        let part = Part { rows: below.to_vec(), ..Part::default() };
        // Its own header would make it a table of its own.
        let has_head = part.table().rows.first().is_some_and(|row| row.is_head);
        !has_head
    }
}

/// Tables that an empty column parts, if each is one: two columns and two rows at least.
fn side_by_side(band: Vec<SheetRow>) -> Vec<Vec<SheetRow>> {
    // A title over the whole width stands over all of them.
    let is_title = |row: &&SheetRow| matches!(row.cells.as_slice(), [only] if only.columns > 1);
    let title_count = band.iter().take_while(is_title).count();
    let below = band.get(title_count..).unwrap_or_default();
    let (left, right) = columns(below);
    let mut edges: Vec<(u32, u32)> = below
        .iter()
        .flat_map(|row| &row.cells)
        .map(|cell| (cell.column, cell.column + cell.columns.max(1)))
        .collect();
    edges.sort_unstable();
    let mut starts = vec![left];
    let mut end = left;
    for (from, to) in edges {
        if from > end {
            starts.push(from);
        }
        end = end.max(to);
    }
    starts.push(right + 1);
    let pieces: Vec<Vec<SheetRow>> = starts
        .windows(2)
        .map(|pair| within(below, pair.first().copied(), pair.last().copied()))
        .collect();
    let is_table = |piece: &Vec<SheetRow>| {
        let (left, right) = columns(piece);
        right > left && piece.len() > 1
    };
    if pieces.len() < 2 || !pieces.iter().all(is_table) {
        return vec![band];
    }
    let mut pieces = match pieces.split_first() {
        Some((first, rest)) if rest.iter().all(|piece| goes_on_beside(first, piece)) => {
            vec![without_gaps(pieces)]
        }
        _ => pieces,
    };
    let mut titles: Vec<SheetRow> = band.into_iter().take(title_count).collect();
    titles.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| {
        (cell.column, cell.columns) = (left, 1);
    });
    if let Some(first) = pieces.first_mut() {
        first.splice(..0, titles);
    }
    pieces
}

/// Returns `true` if what stands beside a table behind an empty column is more of its columns: its rows are those of the table, and
/// none of its columns names them. Either it has the same heads but for the first, or figures alone below one or two heads.
fn goes_on_beside(table: &[SheetRow], beside: &[SheetRow]) -> bool {
    /// Rows of heads above the figures.
    const MOST_HEADS: usize = 2;
    let numbers = |rows: &[SheetRow]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
    let texts = |row: &SheetRow| -> Vec<String> {
        row.cells.iter().map(|cell| cell.text.trim().to_owned()).collect()
    };
    if numbers(table) != numbers(beside) {
        return false;
    }
    let mut heads = table.iter().zip(beside).take(MOST_HEADS);
    let repeats = heads.any(|(own, other)| {
        let (own, other) = (texts(own), texts(other));
        other.len() > 1 && own.get(1..) == Some(other.as_slice())
    });
    let (left, _) = columns(table);
    let names_rows = |row: &SheetRow| {
        row.cells.first().is_some_and(|cell| cell.column == left && !is_figure(&cell.text))
    };
    let is_figures = |row: &SheetRow| row.cells.iter().all(|cell| is_figure(&cell.text));
    let heads = beside.iter().take_while(|row| !is_figures(row)).count();
    let is_more = (1..=MOST_HEADS).contains(&heads)
        && heads < beside.len()
        && beside.iter().skip(heads).all(is_figures)
        && table.iter().skip(heads).all(names_rows);
    repeats || is_more
}

/// Returns `true` if a cell holds a number, perhaps with a unit behind it or a currency's code in front of it. `HS 1` is a room.
fn is_figure(text: &str) -> bool {
    let text = text.trim();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let code = text.chars().take_while(char::is_ascii_uppercase).count();
    let is_front_free = !text.starts_with(char::is_alphabetic) || code == CURRENCY_LETTERS;
    text.contains(|character: char| character.is_ascii_digit())
        && letters <= UNIT_LETTERS
        && is_front_free
}

/// Letters of a unit beside a number: `ECTS`.
const UNIT_LETTERS: usize = 4;
/// Letters of a currency's code (ISO 4217).
const CURRENCY_LETTERS: usize = 3;

/// Tables side by side as one, without the empty columns between them.
fn without_gaps(pieces: Vec<Vec<SheetRow>>) -> Vec<SheetRow> {
    let mut rows: Vec<SheetRow> = Vec::new();
    let mut end = None;
    for piece in pieces {
        let (left, right) = columns(&piece);
        let gap = end.map_or(0, |end: u32| left.saturating_sub(end));
        end = Some(right + 1 - gap);
        for (place, mut row) in piece.into_iter().enumerate() {
            row.cells.iter_mut().for_each(|cell| cell.column -= gap);
            match rows.get_mut(place) {
                Some(whole) => whole.cells.append(&mut row.cells),
                None => rows.push(row),
            }
        }
    }
    rows
}

/// The cells from a column up to another.
fn within(band: &[SheetRow], from: Option<u32>, to: Option<u32>) -> Vec<SheetRow> {
    let (from, to) = (from.unwrap_or_default(), to.unwrap_or(u32::MAX));
    let part = |row: &SheetRow| SheetRow {
        number: row.number,
        cells: row.cells.iter().filter(|cell| (from..to).contains(&cell.column)).cloned().collect(),
    };
    band.iter().map(part).filter(|row| !row.cells.is_empty()).collect()
}

/// Lines longer than this are prose that was wrapped, not a list.
const ITEM_BYTES: usize = 100;

/// The text of a cell on one line, HTML in it as a browser shows it: lines that are items of a list are set apart by commas.
pub(crate) fn one_line(text: &str) -> String {
    let text = html::lines(text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_item = |line: &&str| {
        let begins = line.chars().next().is_some_and(|first| !first.is_lowercase());
        begins && line.len() <= ITEM_BYTES
    };
    let is_list = lines.len() > 1 && lines.iter().skip(1).all(is_item);
    let mut out = String::with_capacity(text.len());
    for line in lines {
        if !out.is_empty() {
            let ends = out.ends_with([',', ';', ':', '.', '!', '?']);
            out.push_str(if is_list && !ends { ", " } else { " " });
        }
        let mut words = line.split_whitespace();
        out.push_str(words.next().unwrap_or_default());
        for word in words {
            out.push(' ');
            out.push_str(word);
        }
    }
    out
}
