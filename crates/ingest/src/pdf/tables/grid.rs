//! Tables whose cells are ruled.

use hayro_interpret::kurbo::{Point, Rect};

use super::layout::{Extent, Layout, TextLine, text_lines};
use super::open::between_rules;
use super::{Cell, Drawn, Heads};
use crate::pdf::ink::Rule;
use crate::pdf::lines::Piece;
use crate::pdf::words::Word;

/// Most rows, and most columns, of a table.
const MOST: usize = 400;

/// Takes the tables out of a page that its rules draw; a piece stands in the place of each.
///
/// `turned` is text that is on its side, each piece where it is on the page: the names of narrow
/// columns. `targets` are those of the page's links.
pub(in crate::pdf) fn ruled(
    pieces: Vec<Piece>,
    turned: &mut Vec<Piece>,
    rules: &[Rule],
    targets: &[String],
) -> (Vec<Piece>, Vec<Drawn>) {
    let mut page = Page { pieces, tables: Vec::new(), targets };
    let mut taken: Vec<Rect> = Vec::new();
    for mut frame in frames(rules) {
        // Two columns, which three edges part.
        if !(3..=MOST).contains(&frame.edges(false).len()) {
            continue;
        }
        let bounds = frame.bounds();
        let (mut inside, outside) = split(std::mem::take(&mut page.pieces), bounds);
        let (mut sideways, upright) = split(std::mem::take(turned), bounds);
        *turned = upright;
        frame.part_rows(&inside);
        let upright = inside.len();
        inside.append(&mut sideways);
        let cells = Grid::of(&frame).map(|grid| grid.cells(&inside)).unwrap_or_default();
        page.pieces = outside;
        if is_table(&cells) {
            let head = page.take_head(&frame, &cells);
            let bounds = head.as_ref().map_or(bounds, |(_, above)| bounds.union(*above));
            let above = head.as_ref().map(|(_, above)| above.y0);
            let cells = head.into_iter().map(|(row, _)| row).chain(cells).collect();
            let columns = frame.edges(false).windows(2).map(|pair| (pair[0], pair[1])).collect();
            let mut tops = frame.edges(true);
            tops.pop();
            let tops = above.into_iter().chain(tops).collect();
            let heads = above.map_or(Heads::Unknown, |_| Heads::Known(1));
            page.add(cells, heads, (columns, tops), bounds);
            taken.push(bounds);
        } else {
            let sideways = inside.split_off(upright);
            turned.extend(sideways.into_iter().map(Piece::of_words));
            page.pieces.extend(inside.into_iter().map(Piece::of_words));
        }
    }
    between_rules(&mut page, turned, &level_rules(rules, &taken), rules);
    (page.pieces, page.tables)
}

/// A page while tables are taken out of it.
pub(super) struct Page<'t> {
    pub(super) pieces: Vec<Piece>,
    pub(super) tables: Vec<Drawn>,
    pub(super) targets: &'t [String],
}

impl Page<'_> {
    /// Puts a table in the place of its words.
    pub(super) fn add(
        &mut self,
        cells: Vec<Vec<Cell>>,
        heads: Heads,
        places: (Vec<Extent>, Vec<f64>),
        bounds: Rect,
    ) {
        self.pieces.push(Piece::of_table(self.tables.len(), bounds));
        self.tables.push(Drawn::of(cells, heads, places, self.targets));
    }

    /// Takes the names of columns that stand above a frame, on a coloured ground perhaps; and their place.
    fn take_head(&mut self, frame: &Frame, cells: &[Vec<Cell>]) -> Option<(Vec<Cell>, Rect)> {
        let (edges, bounds) = (frame.edges(false), frame.bounds());
        let names_columns = |row: &Vec<Cell>| row.iter().all(Cell::is_bold);
        if cells.first().is_none_or(|row| names_columns(row) || row.len() + 1 != edges.len()) {
            return None;
        }
        let area = Rect::new(bounds.x0, bounds.y0 - MOST_HEAD, bounds.x1, bounds.y0);
        let is_near =
            |piece: &&Piece| piece.table.is_none() && !piece.bounds.intersect(area).is_zero_area();
        let near = self.pieces.iter().filter(is_near).map(|piece| piece.words.clone());
        let fits = |line: &TextLine| {
            let column = |run: &Extent| (between(&edges, run.0), between(&edges, run.1));
            line.runs().iter().map(column).all(|(start, end)| start == end)
                && line.words.iter().all(|word| word.left > bounds.x0 && word.right < bounds.x1)
        };
        let (mut below, mut top) = (bounds.y0, None);
        let mut lines = text_lines(near.collect());
        while let Some(line) = lines.pop() {
            // The padding of a cell first, then the pitch of lines.
            let room = if top.is_none() { 1.0 } else { 0.5 } * line.size;
            if below - line.bottom() > room || !fits(&line) {
                break;
            }
            below = line.top();
            top = Some(below);
        }
        let bounds = Rect::new(bounds.x0, top? - 0.5, bounds.x1, bounds.y0);
        let (words, outside) = split(std::mem::take(&mut self.pieces), bounds);
        let mut row: Vec<Cell> = edges.windows(2).map(|_| Cell::single(Vec::new())).collect();
        for word in words.iter().flatten() {
            let column = between(&edges, word.bounds().center().x).min(row.len() - 1);
            row[column].words.push(word.clone());
        }
        self.pieces = outside;
        // A line of text below another table, or a heading, names one column at most.
        let filled = row.iter().filter(|cell| !cell.words.is_empty()).count();
        let is_name = |cell: &Cell| cell.words.len() <= 8;
        if filled >= 2 && 3 * filled >= 2 * row.len() && row.iter().all(is_name) {
            return Some((row, bounds));
        }
        self.pieces.extend(words.into_iter().map(Piece::of_words));
        None
    }
}

/// How far above a frame, in points, its head may begin: four lines.
const MOST_HEAD: f64 = 60.0;

/// The level rules of a page that lie in none of these tables, in pieces of whole lines.
fn level_rules(rules: &[Rule], taken: &[Rect]) -> Vec<Rule> {
    let is_free = |rule: &Rule| {
        let middle = bounds(rule).center();
        !taken.iter().any(|table| table.inflate(NEAR, NEAR).contains(middle))
    };
    joined(rules, true).into_iter().filter(is_free).collect()
}

/// The words inside of a frame, and what is left of the pieces.
pub(super) fn split(pieces: Vec<Piece>, bounds: Rect) -> (Vec<Vec<Word>>, Vec<Piece>) {
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
pub(super) fn is_table(rows: &[Vec<Cell>]) -> bool {
    let filled = |cell: &&Cell| !cell.words.is_empty();
    let rows_filled = rows.iter().filter(|row| row.iter().any(|cell| filled(&cell))).count();
    let rows_of_cells = rows.iter().filter(|row| row.iter().filter(filled).count() >= 2).count();
    rows_filled >= 2 && rows_of_cells >= 1
}

/// The places of the cells of a frame.
pub(super) struct Grid<'f> {
    frame: &'f Frame,
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl<'f> Grid<'f> {
    pub(super) fn of(frame: &'f Frame) -> Option<Self> {
        let (columns, rows) = (frame.edges(false), frame.edges(true));
        // Two columns and two rows, which three edges each part.
        let is_sized = |edges: &[f64]| (3..=MOST).contains(&edges.len());
        (is_sized(&columns) && is_sized(&rows)).then_some(Self { frame, columns, rows })
    }

    /// The cells row by row with the words in them.
    pub(super) fn cells(&self, words: &[Vec<Word>]) -> Vec<Vec<Cell>> {
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

    /// Returns `true` if no cell of this band between rules takes several columns, or goes on in another band.
    fn is_undivided(&self, band: usize) -> bool {
        let (columns, bands) = (self.columns.len() - 1, self.rows.len() - 1);
        let ends = [band, band + 1].into_iter().filter(|edge| (1..bands).contains(edge));
        (1..columns).all(|edge| self.is_ruled(false, edge, band))
            && ends
                .into_iter()
                .all(|edge| (0..columns).all(|column| self.is_ruled(true, edge, column)))
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

/// What the text takes up of each column between these edges.
fn extents(lines: &[TextLine], edges: &[f64]) -> Vec<Extent> {
    let mut extents: Vec<Extent> = edges
        .windows(2)
        .map(|pair| (f64::midpoint(pair[0], pair[1]), f64::midpoint(pair[0], pair[1])))
        .collect();
    for word in lines.iter().flat_map(|line| &line.words) {
        let column = between(edges, word.bounds().center().x);
        let room = (edges.get(column), edges.get(column + 1));
        if let (Some(extent), (Some(left), Some(right))) = (extents.get_mut(column), room) {
            extent.0 = extent.0.min(word.left).max(*left);
            extent.1 = extent.1.max(word.right).min(*right);
        }
    }
    extents
}

/// Lines so near, in points, are one.
pub(super) const NEAR: f64 = 3.0;

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

    /// Parts rows where no rule is drawn between them but their text shows them: a frame with rules
    /// between its columns alone.
    ///
    /// A cell of several lines beside others is known by what goes on in them; where most bands
    /// between rules hold one row, all do.
    fn part_rows(&mut self, words: &[Vec<Word>]) {
        let bounds = self.bounds();
        let (mut columns, rows) = (self.edges(false), self.edges(true));
        // Where no rule is drawn at its sides, those between its columns are the first and the last.
        if columns.first().is_some_and(|first| *first > bounds.x0 + 2.0 * NEAR) {
            columns.insert(0, bounds.x0);
        }
        if columns.last().is_some_and(|last| *last < bounds.x1 - 2.0 * NEAR) {
            columns.push(bounds.x1);
        }
        let Some(left) = columns.get(1).copied() else {
            return;
        };
        if !(2..=MOST).contains(&rows.len()) {
            return;
        }
        let lines = text_lines(words.to_vec());
        let extents = extents(&lines, &columns);
        let grid = Grid { frame: self, columns, rows };
        let (mut single, mut several, mut most) = (0, 0, 0);
        let mut found = Vec::new();
        for band in 0..grid.rows.len() - 1 {
            let own: Vec<TextLine> = lines
                .iter()
                .filter(|line| between(&grid.rows, line.middle()) == band)
                .cloned()
                .collect();
            if own.len() < 2 {
                continue;
            }
            let layout = grid.is_undivided(band).then(|| Layout::of(&own, extents.clone(), &[]));
            let layout = layout.filter(|layout| layout.has_whole_rows());
            let count = layout.as_ref().map_or(1, |layout| layout.records.len());
            // Two lines of names are two rows of a head only where a rule is between them.
            if count < if band == 0 { 3 } else { 2 } {
                single += 1;
                continue;
            }
            several += 1;
            most = count.max(most);
            found.extend(layout);
        }
        let is_only_body = grid.rows.len() <= 3 && several > 0;
        if single > several || !(most >= 3 || is_only_body) {
            return;
        }
        for layout in found {
            let parts = layout.edges();
            let joins = layout.records.iter().map(|record| record.joins_above);
            for (position, joins) in parts.into_iter().zip(joins).skip(1) {
                let start = if joins { left } else { bounds.x0 };
                self.level.push(Rule { is_level: true, position, start, end: bounds.x1 });
            }
        }
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

    fn shown(table: &Drawn) -> Vec<String> {
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
        table.draft.rows.iter().map(row).collect()
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
        let (left, tables) = ruled(pieces, &mut Vec::new(), &rules, &[]);
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
        let (left, tables) =
            ruled(vec![Piece::sample("a b c", 60.0, 120.0)], &mut Vec::new(), &rules, &[]);
        assert_eq!((left.len(), tables.len()), (1, 0));
    }

    /// A frame of three columns with these level rules.
    fn frame_of(heights: &[f64]) -> Vec<Rule> {
        let (top, bottom) = (heights[0], heights[heights.len() - 1]);
        let level = heights.iter().map(|height| level(*height, 0.0, 330.0));
        level.chain([0.0, 110.0, 220.0, 330.0].map(|x| upright(x, top, bottom))).collect()
    }

    fn pieces(rows: &[(f64, [&str; 3])]) -> Vec<Piece> {
        let cells = |(baseline, row): &(f64, [&str; 3])| {
            let places = row.iter().zip([5.0, 115.0, 225.0]).filter(|(text, _)| !text.is_empty());
            places.map(|(text, left)| Piece::sample(text, left, *baseline)).collect::<Vec<_>>()
        };
        rows.iter().flat_map(cells).collect()
    }

    #[test]
    fn rows_of_a_frame_without_rules_between_them() {
        let rows = [
            (112.0, ["Day", "Module", "Room"]),
            (128.0, ["Monday", "Ocean Physics", "Keel 204"]),
            (140.0, ["Tuesday", "Statistics", "Fathom 12"]),
            (152.0, ["Friday", "Field Safety", "Boathouse"]),
        ];
        let (left, tables) =
            ruled(pieces(&rows), &mut Vec::new(), &frame_of(&[100.0, 116.0, 158.0]), &[]);
        let expected = [
            "# Day|Module|Room",
            "Monday|Ocean Physics|Keel 204",
            "Tuesday|Statistics|Fathom 12",
            "Friday|Field Safety|Boathouse",
        ];
        assert_eq!((left.len(), shown(&tables[0])), (1, expected.map(str::to_owned).to_vec()));
        // A name written once for its rows.
        let groups = [
            (112.0, ["Day", "Module", "Room"]),
            (128.0, ["Monday", "Ocean Physics", "Keel 204"]),
            (140.0, ["", "Statistics", "Fathom 12"]),
            (152.0, ["Friday", "Field Safety", "Boathouse"]),
        ];
        let (_, tables) =
            ruled(pieces(&groups), &mut Vec::new(), &frame_of(&[100.0, 116.0, 158.0]), &[]);
        assert_eq!(
            shown(&tables[0])[1..3],
            ["Monday[1x2]|Ocean Physics|Keel 204", "Statistics|Fathom 12"]
        );
    }

    #[test]
    fn cells_of_several_lines_between_rules_stay_whole() {
        let rows = [
            (112.0, ["Day", "Module", "Room"]),
            (128.0, ["Monday", "Ocean Physics and", "Keel 204"]),
            (140.0, ["", "Statistics", ""]),
            (156.0, ["Friday", "Field Safety at", "Boathouse"]),
            (168.0, ["", "Sea", ""]),
        ];
        let rules = frame_of(&[100.0, 116.0, 144.0, 172.0]);
        let (_, tables) = ruled(pieces(&rows), &mut Vec::new(), &rules, &[]);
        let expected = [
            "# Day|Module|Room",
            "Monday|Ocean Physics and Statistics|Keel 204",
            "Friday|Field Safety at Sea|Boathouse",
        ];
        assert_eq!(shown(&tables[0]), expected);
    }

    #[test]
    fn rows_of_several_lines_in_a_frame_are_told_by_their_names() {
        let rows = [
            (112.0, ["Boat", "May be used for", "By whom"]),
            (128.0, ["Heron", "Trips on the", "Crews with"]),
            (140.0, ["", "river, by day", "the badge"]),
            (152.0, ["", "alone", ""]),
            (164.0, ["Otter", "Lessons at the", "Anyone who"]),
            (176.0, ["", "stage with a", "can swim"]),
            (188.0, ["", "teacher", ""]),
            (200.0, ["Plover", "Carrying goods", "The master"]),
        ];
        let rules = frame_of(&[100.0, 116.0, 206.0]);
        let (_, tables) = ruled(pieces(&rows), &mut Vec::new(), &rules, &[]);
        let expected = [
            "# Boat|May be used for|By whom",
            "Heron|Trips on the river, by day alone|Crews with the badge",
            "Otter|Lessons at the stage with a teacher|Anyone who can swim",
            "Plover|Carrying goods|The master",
        ];
        assert_eq!(shown(&tables[0]), expected);
    }

    #[test]
    fn a_head_stands_above_its_frame_or_on_its_side() {
        let rows = [
            (60.0, ["Text that goes on", "", ""]),
            (84.0, ["Course", "Members of", "Visiting"]),
            (96.0, ["", "the school", "students"]),
            (114.0, ["Diving", "EUR 75", "EUR 99"]),
            (134.0, ["Rescue", "EUR 52", "EUR 87"]),
        ];
        let rules = frame_of(&[101.0, 120.0, 140.0]);
        let (left, tables) = ruled(pieces(&rows), &mut Vec::new(), &rules, &[]);
        let expected = [
            "# Course|Members of the school|Visiting students",
            "Diving|EUR 75|EUR 99",
            "Rescue|EUR 52|EUR 87",
        ];
        assert_eq!((left.len(), shown(&tables[0])), (2, expected.map(str::to_owned).to_vec()));
        // A line of text above is none.
        let rows = [
            (96.0, ["See the next table for", "more", ""]),
            (114.0, ["Diving", "EUR 75", "EUR 99"]),
            (134.0, ["Rescue", "EUR 52", "EUR 87"]),
        ];
        let (left, _) = ruled(pieces(&rows), &mut Vec::new(), &rules, &[]);
        assert_eq!(left.len(), 3);
        let mut sideways =
            vec![Piece::sample("Policy", 115.0, 116.0), Piece::sample("margin", 400.0, 116.0)];
        let rows = [(116.0, ["Module", "", "Ecology"]), (134.0, ["Waves", "required", "elective"])];
        let (_, tables) = ruled(pieces(&rows), &mut sideways, &rules, &[]);
        assert_eq!(shown(&tables[0])[0], "# Module|Policy|Ecology");
        assert_eq!(sideways.len(), 1);
    }
}
