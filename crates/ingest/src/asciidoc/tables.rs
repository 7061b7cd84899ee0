//! Tables: cells between bars, or separated values.

use super::blocks::{BlockAttributes, values};
use super::{DEEPEST, Place, Reader};
use crate::html::escaped;

/// Columns and rows that one cell may take, and columns of a table.
const MOST_SPANNED: usize = 100;
const MOST_COLUMNS: usize = 200;
/// A cell that stands for several (`3*|`) is written out while it is no longer than this and the table has no more cells.
const COPIED_BYTES: usize = 10_000;
const MOST_COPIED: usize = 20_000;

/// The look of a cell, by the letter that says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Style {
    #[default]
    Plain,
    /// Blocks of AsciiDoc.
    Blocks,
    Header,
    Verbatim,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    text: String,
    columns: usize,
    rows: usize,
    style: Option<Style>,
    /// The line of the table that it begins on.
    line: usize,
}

/// What stands in front of a bar: `2.3+^.>s`, `3*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spec {
    columns: usize,
    rows: usize,
    copies: usize,
    style: Option<Style>,
}

impl Default for Spec {
    fn default() -> Self {
        Self { columns: 1, rows: 1, copies: 1, style: None }
    }
}

impl Reader {
    /// Reads the lines of a table. `open` is the line of marks above it.
    pub(super) fn table(
        &mut self,
        open: &str,
        lines: &[&str],
        own: &BlockAttributes,
        place: Place,
    ) -> String {
        let columns = columns(own.named("cols").unwrap_or_default());
        let is_separated = open.starts_with([',', ':'])
            || matches!(own.named("format"), Some("csv" | "dsv" | "tsv"));
        let cells = if is_separated {
            separated(open, lines, own)
        } else {
            let sign = own.named("separator").and_then(|separator| separator.chars().next());
            cells(lines, sign.unwrap_or(if open.starts_with('!') { '!' } else { '|' }))
        };
        let filled = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
        let on_first = cells.iter().take_while(|cell| cell.line == filled);
        let first_row: usize = on_first.map(|cell| cell.columns).sum();
        let width = if columns.is_empty() { first_row } else { columns.len() };
        let width = width.clamp(1, MOST_COLUMNS);
        // A first row on one line with an empty line below it is the head.
        let is_set_apart = filled == 0
            && lines.get(1).is_some_and(|line| line.is_empty())
            && first_row == width
            && !own.has_option("noheader");
        let has_head = own.has_option("header") || is_set_apart;
        let mut out = String::from("<table>");
        if let Some(title) = &own.title {
            out.push_str(&format!("<caption>{}</caption>", self.inline(&title.clone())));
        }
        for (number, row) in rows(cells, width).into_iter().enumerate() {
            let is_head = has_head && number == 0;
            out.push_str(if is_head { "<thead><tr>" } else { "<tr>" });
            for (column, cell) in row {
                let style = cell.style.or_else(|| columns.get(column).copied()).unwrap_or_default();
                out.push_str(&self.cell(&cell, style, is_head, place));
            }
            out.push_str(if is_head { "</tr></thead>\n" } else { "</tr>\n" });
        }
        out.push_str("</table>");
        out
    }

    fn cell(&mut self, cell: &Cell, style: Style, is_head: bool, place: Place) -> String {
        let name = if is_head || style == Style::Header { "th" } else { "td" };
        let lines: Vec<&str> = cell.text.lines().map(str::trim_end).collect();
        let content = match style {
            Style::Blocks if !is_head && place.depth < DEEPEST => {
                let inside = place.inside();
                self.blocks(&lines, inside)
            }
            Style::Verbatim => format!("<code>{}</code>", escaped(&cell.text)),
            _ => {
                let paragraphs =
                    cell.text.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
                let paragraphs: Vec<String> = paragraphs.map(|text| self.inline(text)).collect();
                match paragraphs.as_slice() {
                    [one] => one.clone(),
                    many => many.iter().map(|text| format!("<p>{text}</p>")).collect(),
                }
            }
        };
        let span = |name: &str, count: usize| {
            if count > 1 { format!(" {name}=\"{count}\"") } else { String::new() }
        };
        let (columns, rows) = (span("colspan", cell.columns), span("rowspan", cell.rows));
        format!("<{name}{columns}{rows}>{content}</{name}>")
    }
}

/// The looks of columns: `1,2a,3*h`.
fn columns(text: &str) -> Vec<Style> {
    let mut found = Vec::new();
    let separator = if text.contains(';') { ';' } else { ',' };
    for column in text.split(separator).filter(|_| !text.is_empty()) {
        let column = column.trim();
        let (copies, look) = match column.split_once('*') {
            Some((copies, look)) => (copies.parse().unwrap_or(1), look),
            None => (1, column),
        };
        let style = look.chars().last().and_then(style).unwrap_or_default();
        let room = MOST_COLUMNS.saturating_sub(found.len());
        found.extend(std::iter::repeat_n(style, copies.min(room)));
    }
    found
}

fn style(letter: char) -> Option<Style> {
    match letter {
        'a' => Some(Style::Blocks),
        'h' => Some(Style::Header),
        'l' | 'm' => Some(Style::Verbatim),
        'd' | 'e' | 's' | 'v' => Some(Style::Plain),
        _ => None,
    }
}

/// The cells of a table with bars.
fn cells(lines: &[&str], sign: char) -> Vec<Cell> {
    let mut found: Vec<Cell> = Vec::new();
    let mut spec: Option<Spec> = None;
    let mut text = String::new();
    let mut begin = 0;
    let end = |found: &mut Vec<Cell>, spec: Option<Spec>, text: &mut String, line: usize| {
        let text = std::mem::take(text);
        let Some(spec) = spec else { return };
        let cell = Cell {
            text: text.trim().to_owned(),
            columns: spec.columns,
            rows: spec.rows,
            style: spec.style,
            line,
        };
        let is_small = cell.text.len() * spec.copies <= COPIED_BYTES && found.len() <= MOST_COPIED;
        found.extend(std::iter::repeat_n(cell, if is_small { spec.copies } else { 1 }));
    };
    for (number, line) in lines.iter().enumerate() {
        let mut rest = *line;
        while let Some(at) = rest.find(sign) {
            let before = rest.get(..at).unwrap_or_default();
            let behind = rest.get(at + sign.len_utf8()..).unwrap_or_default();
            if let Some(before) = before.strip_suffix('\\') {
                text.push_str(before);
                text.push(sign);
                rest = behind;
                continue;
            }
            let (own, next) = with_spec(before);
            text.push_str(own);
            end(&mut found, spec.take(), &mut text, begin);
            spec = Some(next);
            begin = number;
            rest = behind;
        }
        text.push_str(rest);
        text.push('\n');
    }
    end(&mut found, spec, &mut text, begin);
    found
}

/// The text of a cell, and what stands behind it in front of the next bar.
fn with_spec(before: &str) -> (&str, Spec) {
    let start = before.rfind([' ', '\t']).map_or(0, |blank| blank + 1);
    let (text, word) = before.split_at(start);
    match spec(word) {
        Some(spec) => (text, spec),
        None => (before, Spec::default()),
    }
}

fn spec(word: &str) -> Option<Spec> {
    let mut found = Spec::default();
    let mut rest = word;
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = |text: &str| text.parse().unwrap_or(1).clamp(1, MOST_SPANNED);
    let (first, behind) = rest.split_at(digits(rest));
    let second = behind.strip_prefix('.').map(|behind| behind.split_at(digits(behind)));
    let (rows, behind) = second.filter(|(rows, _)| !rows.is_empty()).unwrap_or(("", behind));
    if let Some(behind) = behind.strip_prefix('+').filter(|_| !first.is_empty() || !rows.is_empty())
    {
        (found.columns, found.rows) = (number(first), number(rows));
        rest = behind;
    } else if let Some(behind) = behind.strip_prefix('*').filter(|_| !first.is_empty()) {
        found.copies = number(first);
        rest = behind;
    }
    let rest = rest.trim_start_matches(['<', '^', '>']);
    let rest = rest.strip_prefix('.').map_or(rest, |rest| rest.trim_start_matches(['<', '^', '>']));
    let mut letters = rest.chars();
    found.style = match letters.next() {
        Some(letter) => Some(style(letter)?),
        None => None,
    };
    letters.next().is_none().then_some(found)
}

/// The cells of a table of separated values.
fn separated(open: &str, lines: &[&str], own: &BlockAttributes) -> Vec<Cell> {
    let is_colons = open.starts_with(':') || own.named("format") == Some("dsv");
    let default = match own.named("format") {
        Some("tsv") => '\t',
        _ if is_colons => ':',
        _ => ',',
    };
    let sign =
        own.named("separator").and_then(|separator| separator.chars().next()).unwrap_or(default);
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let fields =
            if sign == ',' { values(line) } else { line.split(sign).map(str::to_owned).collect() };
        found.extend(fields.into_iter().map(|field| Cell {
            text: field.trim().trim_matches('"').replace("\"\"", "\""),
            columns: 1,
            rows: 1,
            style: None,
            line: number,
        }));
    }
    found
}

/// Cells as rows of so many columns, each with its column.
fn rows(cells: Vec<Cell>, width: usize) -> Vec<Vec<(usize, Cell)>> {
    let mut rows: Vec<Vec<(usize, Cell)>> = Vec::new();
    let mut row = Vec::new();
    // Rows below the present one that a cell above takes, by column.
    let mut taken = vec![0_usize; width];
    let mut column = 0;
    for cell in cells {
        while taken.get(column).is_some_and(|rows| *rows > 0) {
            column += 1;
        }
        if column >= width {
            rows.push(std::mem::take(&mut row));
            taken.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
            column = taken.iter().position(|rows| *rows == 0).unwrap_or(0);
        }
        let end = (column + cell.columns).min(width);
        for place in column..end {
            if let Some(own) = taken.get_mut(place) {
                *own = cell.rows;
            }
        }
        row.push((column, Cell { columns: end - column, ..cell }));
        column = end;
    }
    if !row.is_empty() {
        rows.push(row);
    }
    rows
}
