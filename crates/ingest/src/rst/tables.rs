//! Tables: drawn with `+`, `-` and `|`, drawn with lines of `=`, and given as values or as lists.
//!
//! In a drawn grid the signs `+` give a raster; places of it without a line between them are one
//! cell. So a cell may span rows and columns, and each place is looked at a fixed number of times.

use std::collections::BTreeSet;
use std::ops::Range;

use campanile_corpus::BlockKind;

use super::blocks::{items, options};
use super::marks::{bullet, enumerator, is_blank, is_grid_border, is_simple_border};
use super::numbers::ItemNumber;
use super::{Place, Reader};
use crate::inline::{Inline, InlineText};
use crate::table::{CellDraft, RowDraft, TableDraft};

/// A row of cells, each as the page has it.
pub(crate) type Row = Vec<String>;

impl Reader {
    /// The text of a cell on one line; its paragraphs and items are set apart by commas.
    pub(super) fn cell(&mut self, lines: &[&str]) -> InlineText {
        let mut inline = Inline::default();
        for piece in pieces(lines) {
            inline.separate(true);
            self.push(&mut inline, &piece);
        }
        inline.take()
    }

    /// Adds a table of cells without spans: how many rows at the top and columns at the left are
    /// headers.
    pub(super) fn cells_table(
        &mut self,
        title: &str,
        rows: Vec<Row>,
        (heads, stubs): (usize, usize),
        place: Place,
    ) {
        self.emit_prefix(place.kind);
        let mut table = TableDraft { caption: self.line(title), ..TableDraft::default() };
        for (index, row) in rows.iter().enumerate() {
            let is_head = index < heads;
            let mut cells = Vec::with_capacity(row.len());
            for (column, cell) in row.iter().enumerate() {
                let text = self.cell(&cell.lines().collect::<Vec<_>>());
                let is_header = is_head || column < stubs;
                cells.push(CellDraft { text, is_header, columns: 1, rows: 1 });
            }
            table.rows.push(RowDraft { is_head, cells });
        }
        self.table(table);
    }

    /// Adds a table; one that holds nothing is none.
    pub(super) fn table(&mut self, table: TableDraft) {
        self.label = None;
        let has_text = |row: &RowDraft| row.cells.iter().any(|cell| !cell.text.text.is_empty());
        if table.rows.iter().any(has_text) {
            self.assembler.table(table);
        } else {
            self.assembler.block(BlockKind::Paragraph, table.caption);
        }
        self.read_notes(Place::default());
    }
}

/// The paragraphs and items of a cell.
fn pieces(lines: &[&str]) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut goes_on = false;
    let mut last = None;
    for line in lines.iter().map(|line| line.trim()) {
        if line.is_empty() {
            goes_on = false;
            continue;
        }
        if let Some(mark) = enumerator(line, None).filter(|mark| !goes_on && *mark < line.len()) {
            let (label, words) = line.split_at_checked(mark).unwrap_or((line, ""));
            let number = ItemNumber::new(label.trim(), last.take());
            pieces.push(format!("{} {words}", number.written()));
            last = Some(number);
            goes_on = true;
            continue;
        }
        let mark = bullet(line);
        // A sign alone says that there is nothing to say.
        let words = mark.and_then(|mark| line.get(mark..)).filter(|words| !words.is_empty());
        let is_line = line.starts_with("| ");
        let words = words.unwrap_or(line.strip_prefix("| ").unwrap_or(line));
        match pieces.last_mut().filter(|_| goes_on && mark.is_none() && !is_line) {
            Some(piece) => piece.extend(["\n", words]),
            None => pieces.push(words.to_owned()),
        }
        goes_on = true;
    }
    pieces
}

/// The cells of a table that a directive lists.
pub(crate) struct Listed {
    pub(crate) rows: Vec<Row>,
    /// Rows from the top that are its head.
    pub(crate) heads: usize,
    /// Columns from the left that name their rows.
    pub(crate) stubs: usize,
}

/// The cells that a `csv-table` or a `list-table` lists in the lines below it; `None` where they
/// stand in another file.
pub(crate) fn listed_cells(name: &str, lines: &[&str]) -> Option<Listed> {
    let (options, content) = options(lines);
    let option = |wanted: &str| {
        options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
    };
    let count = |wanted: &str| -> usize {
        option(wanted).and_then(|value| value.trim().parse().ok()).unwrap_or(0)
    };
    let (mut heads, stubs) = (count("header-rows"), count("stub-columns"));
    if name == "list-table" {
        let rows = items(content)
            .iter()
            .map(|row| items(row).iter().map(|cell| cell.join("\n")).collect())
            .collect();
        return Some(Listed { rows, heads, stubs });
    }
    if option("file").or(option("url")).is_some() {
        return None;
    }
    let delimiter = match option("delim") {
        Some("tab") => '\t',
        Some("space") => ' ',
        Some(other) => other.chars().next().unwrap_or(','),
        None => ',',
    };
    let quote = option("quote").and_then(|quote| quote.chars().next()).unwrap_or('"');
    let mut rows = Vec::new();
    if let Some(header) = option("header") {
        rows.extend(separated_values(header, delimiter, quote).into_iter().take(1));
        heads += rows.len();
    }
    rows.extend(separated_values(&content.join("\n"), delimiter, quote));
    Some(Listed { rows, heads, stubs })
}

/// Values between delimiters, one row a line unless a quoted value goes over several.
pub(super) fn separated_values(source: &str, delimiter: char, quote: char) -> Vec<Row> {
    // Not by the `csv` crate, which knows delimiters and quotes of one byte only.
    let mut rows = Vec::new();
    let mut row: Row = Vec::new();
    let mut value = String::new();
    let mut is_quoted = false;
    let mut characters = source.chars().peekable();
    while let Some(character) = characters.next() {
        if is_quoted {
            if character != quote {
                value.push(character);
            } else if characters.next_if_eq(&quote).is_some() {
                value.push(quote);
            } else {
                is_quoted = false;
            }
        } else if character == quote && value.trim().is_empty() {
            value.clear();
            is_quoted = true;
        } else if character == delimiter {
            row.push(std::mem::take(&mut value));
        } else if character == '\n' {
            end_row(&mut rows, &mut row, &mut value);
        } else {
            value.push(character);
        }
    }
    end_row(&mut rows, &mut row, &mut value);
    rows
}

fn end_row(rows: &mut Vec<Row>, row: &mut Row, value: &mut String) {
    row.push(std::mem::take(value));
    let row = std::mem::take(row);
    if row.iter().any(|value| !value.trim().is_empty()) {
        rows.push(row);
    }
}

/// Rasters with more places than this are kept as they are drawn.
// Each place is a cell in memory before any is joined with its neighbours.
const MOST_PLACES: usize = 100_000;

/// A cell of the raster: its first row and column, and those behind its last.
#[derive(Clone, Copy, Debug)]
struct Area {
    top: usize,
    left: usize,
    bottom: usize,
    right: usize,
}

struct Raster {
    /// The table, character by character.
    drawn: Vec<Vec<char>>,
    /// The lines and the columns on which borders lie.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// The first row of the raster that holds no headers.
    body: usize,
}

impl Reader {
    /// Reads the table that the lines begin with.
    pub(super) fn grid_table(&mut self, lines: &[&str], place: Place) -> usize {
        let is_drawn = |line: &&&str| line.starts_with(['+', '|']);
        let count = lines.iter().take_while(is_drawn).count();
        let own = &lines[..count];
        self.emit_prefix(place.kind);
        match Raster::of(own) {
            Some(raster) => {
                let table = self.table_of(&raster);
                self.table(table);
            }
            None => self.code(own),
        }
        count
    }

    fn table_of(&mut self, raster: &Raster) -> TableDraft {
        let mut table = TableDraft::default();
        let mut rows: Vec<Vec<CellDraft>> = Vec::new();
        rows.resize_with(raster.rows.len() - 1, Vec::new);
        for area in raster.areas() {
            let text = raster.text(area);
            let lines: Vec<&str> = text.iter().map(String::as_str).collect();
            let text = self.cell(&lines);
            let cell = CellDraft {
                text,
                is_header: area.top < raster.body,
                columns: u32::try_from(area.right - area.left).unwrap_or(1),
                rows: u32::try_from(area.bottom - area.top).unwrap_or(1),
            };
            rows[area.top].push(cell);
        }
        table.rows = rows
            .into_iter()
            .enumerate()
            .map(|(row, cells)| RowDraft { is_head: row < raster.body, cells })
            .collect();
        table
    }
}

impl Raster {
    fn of(lines: &[&str]) -> Option<Self> {
        let is_whole =
            lines.last().is_some_and(|line| is_grid_border(line) || line.starts_with("+="));
        if lines.len() < 3 || !is_whole {
            return None;
        }
        let drawn: Vec<Vec<char>> = lines.iter().map(|line| line.chars().collect()).collect();
        let width = drawn.first().map(Vec::len)?;
        let mut rows = Vec::new();
        let mut columns = BTreeSet::new();
        let mut body_line = None;
        for (number, line) in drawn.iter().enumerate() {
            let is_border =
                line.windows(2).any(|pair| matches!(pair, ['+', '-' | '='] | ['-' | '=', '+']));
            if !is_border {
                continue;
            }
            rows.push(number);
            let on_border = |at: &usize| {
                let sides = [at.checked_sub(1), Some(at + 1)];
                sides.into_iter().flatten().any(|side| matches!(line.get(side), Some('-' | '=')))
            };
            let crossings = line.iter().enumerate().filter(|(_, sign)| **sign == '+');
            columns.extend(crossings.map(|(at, _)| at).filter(on_border).filter(|at| *at < width));
            // The first such line ends the head; docutils allows no second.
            if line.starts_with(&['+', '=']) {
                body_line = body_line.or(Some(number));
            }
        }
        let columns: Vec<usize> = columns.into_iter().collect();
        let is_small = rows.len().saturating_mul(columns.len()) <= MOST_PLACES;
        let body = rows.iter().position(|row| Some(*row) == body_line).unwrap_or(0);
        (rows.len() > 1 && columns.len() > 1 && is_small).then_some(Self {
            drawn,
            rows,
            columns,
            body,
        })
    }

    fn sign(&self, line: usize, column: usize) -> char {
        self.drawn.get(line).and_then(|line| line.get(column)).copied().unwrap_or(' ')
    }

    /// Returns `true` if a line is drawn below the raster's place.
    fn has_floor(&self, row: usize, column: usize) -> bool {
        let (line, left, right) =
            (self.rows[row + 1], self.columns[column], self.columns[column + 1]);
        (left + 1..right).all(|at| matches!(self.sign(line, at), '-' | '=' | '+'))
    }

    /// Returns `true` if a line is drawn at the right of the raster's place.
    fn has_wall(&self, row: usize, column: usize) -> bool {
        let (top, bottom, at) = (self.rows[row], self.rows[row + 1], self.columns[column + 1]);
        (top + 1..bottom).all(|line| matches!(self.sign(line, at), '|' | '+'))
    }

    /// The cells in reading order.
    fn areas(&self) -> Vec<Area> {
        let (height, width) = (self.rows.len() - 1, self.columns.len() - 1);
        let mut is_taken = vec![false; height * width];
        let mut areas = Vec::new();
        for top in 0..height {
            for left in 0..width {
                if is_taken[top * width + left] {
                    continue;
                }
                let free = |column: usize| !is_taken[top * width + column];
                let mut right = left + 1;
                while right < width && !self.has_wall(top, right - 1) && free(right) {
                    right += 1;
                }
                let mut bottom = top + 1;
                while bottom < height
                    && !(left..right).any(|column| self.has_floor(bottom - 1, column))
                {
                    bottom += 1;
                }
                for row in top..bottom {
                    is_taken[row * width + left..row * width + right].fill(true);
                }
                areas.push(Area { top, left, bottom, right });
            }
        }
        areas
    }

    /// The lines of a cell.
    fn text(&self, area: Area) -> Vec<String> {
        let (top, bottom) = (self.rows[area.top], self.rows[area.bottom]);
        let (left, right) = (self.columns[area.left], self.columns[area.right]);
        let lines = &self.drawn[top + 1..bottom];
        let inner = |line: &Vec<char>| {
            let end = right.min(line.len());
            let text: String = line.get(left + 1..end).unwrap_or_default().iter().collect();
            text.trim_end().to_owned()
        };
        let text: Vec<String> = lines.iter().map(inner).collect();
        let shown = text
            .iter()
            .map(|line| if is_blank(line.trim()) { String::new() } else { line.clone() });
        shown.collect()
    }
}

/// Tables with more columns are read as text.
const MOST_COLUMNS: usize = 200;

impl Reader {
    /// Reads the table that the lines begin with.
    pub(super) fn simple_table(&mut self, lines: &[&str], place: Place) -> usize {
        let Some(shape) = Shape::of(lines) else {
            self.words(place.kind, lines.first().copied().unwrap_or_default());
            return 1;
        };
        self.emit_prefix(place.kind);
        let mut table = TableDraft::default();
        for (is_head, part) in [(true, shape.head), (false, shape.body)] {
            self.rows(lines.get(part).unwrap_or_default(), is_head, &shape.columns, &mut table);
        }
        self.table(table);
        shape.lines
    }

    fn rows(
        &mut self,
        lines: &[&str],
        is_head: bool,
        columns: &[Range<usize>],
        table: &mut TableDraft,
    ) {
        let mut open: Vec<&str> = Vec::new();
        for line in lines {
            // A line below a row says which of its columns are one.
            if is_span_line(line) {
                let spans = columns_of(line);
                self.row(&std::mem::take(&mut open), is_head, (columns, &spans), table);
                continue;
            }
            let first = columns.first().map_or("", |first| slice(line, first.clone()));
            if is_blank(line) || !first.trim().is_empty() {
                self.row(&std::mem::take(&mut open), is_head, (columns, columns), table);
            }
            if !is_blank(line) {
                open.push(line);
            }
        }
        self.row(&open, is_head, (columns, columns), table);
    }

    /// Adds a row: its lines, the table's columns and the row's own.
    fn row(
        &mut self,
        lines: &[&str],
        is_head: bool,
        (columns, own): (&[Range<usize>], &[Range<usize>]),
        table: &mut TableDraft,
    ) {
        if lines.is_empty() {
            return;
        }
        let mut cells = Vec::with_capacity(own.len());
        for (index, range) in own.iter().enumerate() {
            // A cell reaches to where the next one begins; the last one to the end of the line.
            let end = own.get(index + 1).map_or(usize::MAX, |next| next.start);
            let text: Vec<&str> =
                lines.iter().map(|line| slice(line, range.start..end).trim_end()).collect();
            let text = self.cell(&text);
            let within =
                |column: &&Range<usize>| range.start <= column.start && column.start < range.end;
            let spanned = columns.iter().filter(within).count().max(1);
            cells.push(CellDraft {
                text,
                is_header: is_head,
                columns: u32::try_from(spanned).unwrap_or(1),
                rows: 1,
            });
        }
        table.rows.push(RowDraft { is_head, cells });
    }
}

/// The places of a table's parts among its lines.
struct Shape {
    columns: Vec<Range<usize>>,
    head: Range<usize>,
    body: Range<usize>,
    lines: usize,
}

impl Shape {
    /// A table ends at its third border, or at its second with a blank line behind it.
    fn of(lines: &[&str]) -> Option<Self> {
        let columns = columns_of(lines.first()?);
        if columns.len() > MOST_COLUMNS {
            return None;
        }
        let mut head = None;
        for (number, _) in lines.iter().enumerate().skip(1).filter(|(_, line)| is_border(line)) {
            let is_end = lines.get(number + 1).is_none_or(|next| is_blank(next));
            match head {
                None if !is_end => head = Some(number),
                _ => {
                    let (head, body) = match head {
                        Some(border) => (1..border, border + 1..number),
                        None => (1..1, 1..number),
                    };
                    return Some(Self { columns, head, body, lines: number + 1 });
                }
            }
        }
        None
    }
}

fn is_border(line: &str) -> bool {
    is_simple_border(line) || (line.len() > 3 && line.bytes().all(|byte| byte == b'='))
}

/// `-----  ---`
fn is_span_line(line: &str) -> bool {
    line.starts_with('-') && line.len() > 1 && line.bytes().all(|byte| matches!(byte, b'-' | b' '))
}

/// The runs of a border, in columns.
fn columns_of(border: &str) -> Vec<Range<usize>> {
    let mut columns: Vec<Range<usize>> = Vec::new();
    for (at, sign) in border.bytes().enumerate() {
        match columns.last_mut() {
            _ if sign == b' ' => {}
            Some(last) if last.end == at => last.end = at + 1,
            _ => columns.push(at..at + 1),
        }
    }
    columns
}

/// The characters of a line from one column to another.
fn slice(line: &str, columns: Range<usize>) -> &str {
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let start = byte(columns.start);
    let end = if columns.end == usize::MAX { line.len() } else { byte(columns.end) };
    &line[start..end]
}
