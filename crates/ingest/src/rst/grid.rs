//! Tables drawn with `+`, `-` and `|`.
//!
//! The signs `+` on the drawn lines give a raster; places of it without a line between them are one
//! cell. So a cell may span rows and columns, and each place is looked at a fixed number of times.

use std::collections::BTreeSet;

use super::marks::{is_blank, is_grid_border};
use super::{Place, Reader};
use crate::table::{CellDraft, RowDraft, TableDraft};

/// Rasters with more places than this are kept as they are drawn.
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
        let own = lines.get(..count).unwrap_or_default();
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
        rows.resize_with(raster.rows.len().saturating_sub(1), Vec::new);
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
            if let Some(row) = rows.get_mut(area.top) {
                row.push(cell);
            }
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
        let (Some(line), Some(left), Some(right)) =
            (self.rows.get(row + 1), self.columns.get(column), self.columns.get(column + 1))
        else {
            return true;
        };
        (left + 1..*right).all(|at| matches!(self.sign(*line, at), '-' | '=' | '+'))
    }

    /// Returns `true` if a line is drawn at the right of the raster's place.
    fn has_wall(&self, row: usize, column: usize) -> bool {
        let (Some(top), Some(bottom), Some(at)) =
            (self.rows.get(row), self.rows.get(row + 1), self.columns.get(column + 1))
        else {
            return true;
        };
        (top + 1..*bottom).all(|line| matches!(self.sign(line, *at), '|' | '+'))
    }

    /// The cells in reading order.
    fn areas(&self) -> Vec<Area> {
        let (height, width) = (self.rows.len() - 1, self.columns.len() - 1);
        let mut is_taken = vec![false; height * width];
        let mut areas = Vec::new();
        for top in 0..height {
            for left in 0..width {
                if is_taken.get(top * width + left).copied().unwrap_or(true) {
                    continue;
                }
                let free =
                    |column: usize| !is_taken.get(top * width + column).copied().unwrap_or(true);
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
                    for column in left..right {
                        if let Some(taken) = is_taken.get_mut(row * width + column) {
                            *taken = true;
                        }
                    }
                }
                areas.push(Area { top, left, bottom, right });
            }
        }
        areas
    }

    /// The lines of a cell.
    fn text(&self, area: Area) -> Vec<String> {
        let bound = |bounds: &[usize], at: usize| bounds.get(at).copied().unwrap_or(0);
        let (top, bottom) = (bound(&self.rows, area.top), bound(&self.rows, area.bottom));
        let (left, right) = (bound(&self.columns, area.left), bound(&self.columns, area.right));
        let lines = self.drawn.get(top + 1..bottom).unwrap_or_default();
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
