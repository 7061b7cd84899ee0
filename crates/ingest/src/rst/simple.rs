//! Tables drawn with lines of `=` above and below, and columns kept apart by spaces.

use std::ops::Range;

use super::marks::{is_blank, is_simple_border};
use super::{Place, Reader};
use crate::table::{CellDraft, RowDraft, TableDraft};

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
    line.get(start..end).unwrap_or_default()
}
