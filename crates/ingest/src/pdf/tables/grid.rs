//! Tables whose cells are ruled.

use hayro_interpret::kurbo::{Point, Rect};

use super::{Cell, draft};
use crate::pdf::ink::Rule;
use crate::pdf::lines::Piece;
use crate::pdf::words::Word;
use crate::table::TableDraft;

/// Most rows, and most columns, of a table.
const MOST: usize = 400;

/// Takes the tables out of a page that its rules draw; a piece stands in the place of each.
///
/// `targets` are those of the page's links.
pub(in crate::pdf) fn ruled(
    mut pieces: Vec<Piece>,
    rules: &[Rule],
    targets: &[String],
) -> (Vec<Piece>, Vec<TableDraft>) {
    let mut tables = Vec::new();
    for frame in frames(rules) {
        let Some(grid) = Grid::of(&frame) else {
            continue;
        };
        let bounds = frame.bounds();
        let (inside, outside) = split(pieces, bounds);
        let cells = grid.cells(&inside);
        let draft = is_table(&cells).then(|| draft(cells, targets));
        pieces = outside;
        match draft {
            Some(draft) => {
                pieces.push(Piece::of_table(tables.len(), bounds));
                tables.push(draft);
            }
            None => pieces.extend(inside.into_iter().map(Piece::of_words)),
        }
    }
    (pieces, tables)
}

/// The words inside of a frame, and what is left of the pieces.
fn split(pieces: Vec<Piece>, bounds: Rect) -> (Vec<Vec<Word>>, Vec<Piece>) {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for piece in pieces {
        if piece.is_block() || piece.bounds.intersect(bounds).is_zero_area() {
            outside.push(piece);
            continue;
        }
        let (within, beyond): (Vec<Word>, Vec<Word>) =
            piece.words.into_iter().partition(|word| bounds.contains(word.bounds().center()));
        if !within.is_empty() {
            inside.push(within);
        }
        if !beyond.is_empty() {
            outside.push(Piece::of_words(beyond));
        }
    }
    (inside, outside)
}

/// Text in two columns at least, and in two rows.
fn is_table(rows: &[Vec<Cell>]) -> bool {
    let filled = |cell: &&Cell| !cell.words.is_empty();
    let rows_filled = rows.iter().filter(|row| row.iter().any(|cell| filled(&cell))).count();
    let rows_of_cells = rows.iter().filter(|row| row.iter().filter(filled).count() >= 2).count();
    rows_filled >= 2 && rows_of_cells >= 1
}

/// The places of the cells of a frame.
struct Grid<'f> {
    frame: &'f Frame,
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl<'f> Grid<'f> {
    fn of(frame: &'f Frame) -> Option<Self> {
        let (columns, rows) = (frame.edges(false), frame.edges(true));
        // Two columns and two rows, which three edges each part.
        let is_sized = |edges: &[f64]| (3..=MOST).contains(&edges.len());
        (is_sized(&columns) && is_sized(&rows)).then_some(Self { frame, columns, rows })
    }

    /// The cells row by row with the words in them.
    fn cells(&self, words: &[Vec<Word>]) -> Vec<Vec<Cell>> {
        let (height, width) = (self.rows.len() - 1, self.columns.len() - 1);
        let mut words_at: Vec<Vec<Word>> = vec![Vec::new(); height * width];
        for word in words.iter().flatten() {
            let middle = word.bounds().center();
            let row = between(&self.rows, middle.y).min(height - 1);
            let column = between(&self.columns, middle.x).min(width - 1);
            words_at[row * width + column].push(word.clone());
        }
        let mut is_taken = vec![false; height * width];
        let mut rows = Vec::with_capacity(height);
        for row in 0..height {
            let mut cells = Vec::new();
            for column in 0..width {
                if is_taken[row * width + column] {
                    continue;
                }
                let columns = self.reach_right(row, column);
                let depth = self.reach_down(row, column, columns);
                let mut cell = Cell { columns, rows: depth, ..Cell::default() };
                for slot in (row..row + depth)
                    .flat_map(|row| (column..column + columns).map(move |at| row * width + at))
                {
                    is_taken[slot] = true;
                    cell.words.append(&mut words_at[slot]);
                }
                cells.push(cell);
            }
            rows.push(cells);
        }
        rows.retain(|row| !row.is_empty());
        rows
    }

    fn reach_right(&self, row: usize, column: usize) -> usize {
        let is_open = |at: &usize| !self.is_ruled(false, *at, row);
        1 + (column + 1..self.columns.len() - 1).take_while(is_open).count()
    }

    fn reach_down(&self, row: usize, column: usize, columns: usize) -> usize {
        let is_open = |at: &usize| {
            (column..column + columns).all(|column| !self.is_ruled(true, *at, column))
                && self.reach_right(*at, column) >= columns
        };
        1 + (row + 1..self.rows.len() - 1).take_while(is_open).count()
    }

    /// Returns `true` if a rule runs along edge `edge` past row or column `across`.
    fn is_ruled(&self, is_level: bool, edge: usize, across: usize) -> bool {
        let (edges, spans, rules) = if is_level {
            (&self.rows, &self.columns, &self.frame.level)
        } else {
            (&self.columns, &self.rows, &self.frame.upright)
        };
        // As if the rule were level: x along it, y across.
        let middle = Point::new((spans[across] + spans[across + 1]) / 2.0, edges[edge]);
        rules.iter().any(|rule| {
            // Edges nearer to one another were merged, so the rule may lie on either of them.
            (rule.position - middle.y).abs() < 2.0 * NEAR
                && rule.start < middle.x
                && middle.x < rule.end
        })
    }
}

/// The place among sorted edges.
fn between(edges: &[f64], at: f64) -> usize {
    edges.partition_point(|edge| *edge <= at).saturating_sub(1)
}

/// Lines so near, in points, are one.
const NEAR: f64 = 3.0;

/// A frame of rules that touch one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) level: Vec<Rule>,
    pub(super) upright: Vec<Rule>,
}

impl Frame {
    pub(super) fn bounds(&self) -> Rect {
        let boxes = self.level.iter().chain(&self.upright).map(bounds);
        boxes.reduce(|all, next| all.union(next)).unwrap_or(Rect::ZERO)
    }

    /// Returns where the columns (`is_level` false) or rows part: positions of rules, and the ends of the
    /// rules across them where a side is open.
    pub(super) fn edges(&self, is_level: bool) -> Vec<f64> {
        let (own, across) =
            if is_level { (&self.level, &self.upright) } else { (&self.upright, &self.level) };
        let mut edges: Vec<f64> = own.iter().map(|rule| rule.position).collect();
        let start = across.iter().map(|rule| rule.start).fold(f64::MAX, f64::min);
        let end = across.iter().map(|rule| rule.end).fold(f64::MIN, f64::max);
        if across.len() >= 2 {
            edges.extend([start, end]);
        }
        edges.sort_by(f64::total_cmp);
        // Where a border is drawn as a thin box, both its sides are rules.
        edges.dedup_by(|next, last| *next - *last < 2.0 * NEAR);
        edges
    }
}

fn bounds(rule: &Rule) -> Rect {
    if rule.is_level {
        Rect::new(rule.start, rule.position, rule.end, rule.position)
    } else {
        Rect::new(rule.position, rule.start, rule.position, rule.end)
    }
}

/// Joins pieces of one line: a border drawn cell by cell.
pub(in crate::pdf) fn joined(rules: &[Rule], is_level: bool) -> Vec<Rule> {
    let mut rules: Vec<Rule> =
        rules.iter().copied().filter(|rule| rule.is_level == is_level).collect();
    rules.sort_by(|a, b| a.position.total_cmp(&b.position));
    // Those that lie on one line first, then along the line.
    let mut lines: Vec<Vec<Rule>> = Vec::new();
    for rule in rules {
        match lines.last_mut() {
            Some(line)
                if line.first().is_some_and(|first| rule.position - first.position < NEAR) =>
            {
                line.push(rule);
            }
            _ => lines.push(vec![rule]),
        }
    }
    let mut joined: Vec<Rule> = Vec::new();
    for mut line in lines {
        line.sort_by(|a, b| a.start.total_cmp(&b.start));
        for rule in line {
            match joined.last_mut() {
                Some(last) if goes_on(last, &rule) => last.end = last.end.max(rule.end),
                _ => joined.push(rule),
            }
        }
    }
    joined
}

fn goes_on(last: &Rule, rule: &Rule) -> bool {
    (rule.position - last.position).abs() < NEAR && rule.start - last.end < NEAR
}

/// Rules that touch, frame by frame.
fn frames(rules: &[Rule]) -> Vec<Frame> {
    let level = joined(rules, true);
    let upright = joined(rules, false);
    let mut group: Vec<usize> = (0..level.len() + upright.len()).collect();
    for (row, rule) in level.iter().enumerate() {
        for (column, other) in upright.iter().enumerate() {
            if touch(rule, other) {
                let (a, b) = (root(&group, row), root(&group, level.len() + column));
                // The smaller is the root, so that frames come in the order of their first rules.
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut frames: std::collections::BTreeMap<usize, Frame> = Default::default();
    for (index, rule) in level.iter().chain(&upright).enumerate() {
        let frame = frames.entry(root(&group, index)).or_default();
        if rule.is_level { frame.level.push(*rule) } else { frame.upright.push(*rule) }
    }
    frames.into_values().filter(|frame| frame.level.len() + frame.upright.len() >= 4).collect()
}

fn root(group: &[usize], mut index: usize) -> usize {
    while group[index] != index {
        index = group[index];
    }
    index
}

fn touch(level: &Rule, upright: &Rule) -> bool {
    let within = |at: f64, rule: &Rule| at > rule.start - NEAR && at < rule.end + NEAR;
    within(upright.position, level) && within(level.position, upright)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(position: f64, start: f64, end: f64) -> Rule {
        Rule { is_level: true, position, start, end }
    }

    fn upright(position: f64, start: f64, end: f64) -> Rule {
        Rule { is_level: false, position, start, end }
    }

    fn shown(table: &TableDraft) -> Vec<String> {
        let cell = |cell: &crate::table::CellDraft| {
            let spans = if cell.columns * cell.rows > 1 {
                format!("[{}x{}]", cell.columns, cell.rows)
            } else {
                String::new()
            };
            format!("{}{spans}", cell.text.text)
        };
        let row = |row: &crate::table::RowDraft| {
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            format!("{}{}", if row.is_head { "# " } else { "" }, cells.join("|"))
        };
        table.rows.iter().map(row).collect()
    }

    #[test]
    fn ruled_cells_with_merged_ones() {
        // The border of the first row is drawn cell by cell; "Wahl" reaches over two rows.
        let rules = [
            level(100.0, 50.0, 150.0),
            level(100.0, 150.5, 300.0),
            level(120.0, 50.0, 300.0),
            level(140.0, 150.0, 300.0),
            level(160.0, 50.0, 300.0),
            upright(50.0, 100.0, 160.0),
            upright(150.0, 100.0, 160.0),
            upright(300.0, 100.0, 160.0),
        ];
        let pieces = vec![
            Piece::sample("above", 50.0, 80.0),
            Piece::sample("Bereich", 55.0, 114.0),
            Piece::sample("Modul Name", 160.0, 114.0),
            Piece::sample("Wahl", 55.0, 144.0),
            Piece::sample("Ethik", 160.0, 134.0),
            Piece::sample("Logik zwei", 160.0, 154.0),
        ];
        let (left, tables) = ruled(pieces, &rules, &[]);
        assert_eq!(left.len(), 2);
        assert_eq!(shown(&tables[0]), ["# Bereich|Modul Name", "Wahl[1x2]|Ethik", "Logik zwei"]);
    }

    #[test]
    fn a_box_around_text_is_no_table() {
        let rules = [
            level(100.0, 50.0, 300.0),
            level(160.0, 50.0, 300.0),
            upright(50.0, 100.0, 160.0),
            upright(300.0, 100.0, 160.0),
        ];
        let (left, tables) = ruled(vec![Piece::sample("a b c", 60.0, 120.0)], &rules, &[]);
        assert_eq!((left.len(), tables.len()), (1, 0));
    }
}
