//! Tables between level rules: above and below them, below their head, and between rows here and
//! there, as books set them.

use std::collections::BTreeSet;
use std::ops::Range;

use hayro_interpret::kurbo::{Point, Rect};

use super::grid::{NEAR, Page, split};
use super::layout::{Extent, Layout, TextLine, columns, reach, text_lines, widen};
use crate::pdf::ink::Rule;
use crate::pdf::lines::Piece;
use crate::pdf::words::Word;

/// Most rules of one length on a page that are looked at.
// A ruled form of a hundred lines is no table of this kind; each stretch between two is searched.
const MOST_RULES: usize = 200;
/// Running text has more words in what would be a cell.
// The widest cells of such tables are descriptions in two or three lines.
const MOST_WORDS: usize = 15;

/// Spaces of justified text, in ems: cells stand an em apart at least.
const WIDEST_SPACE: f64 = 0.7;
/// A head over several columns has fewer words, and no full stop.
const MOST_WORDS_OF_A_HEAD: usize = 8;
/// Fewest lines in several columns; one less where a rule parts them.
const FEWEST_LINES: usize = 3;

/// Takes the tables out of a page that stand between level rules.
///
/// `level` are whole lines; `drawn` are the rules as they are drawn, of which several may make a line.
pub(super) fn between_rules(
    page: &mut Page<'_>,
    turned: &mut Vec<Piece>,
    level: &[Rule],
    drawn: &[Rule],
) {
    for group in of_one_length(level) {
        let mut from = 0;
        while from + 1 < group.len() {
            let found = group.get(from..).and_then(|group| table(page, turned, group, drawn));
            from += match found {
                Some(found) => {
                    let used = found.rules;
                    found.take(page, turned);
                    used
                }
                None => 1,
            };
        }
    }
}

/// Rules that begin and end at the same places, from the top down.
fn of_one_length(rules: &[Rule]) -> Vec<Vec<Rule>> {
    let mut groups: Vec<Vec<Rule>> = Vec::new();
    for rule in rules {
        let is_same = |first: &Rule| {
            (first.start - rule.start).abs() < NEAR && (first.end - rule.end).abs() < NEAR
        };
        let known = groups.iter().position(|group| group.first().is_some_and(is_same));
        match known {
            Some(known) => groups[known].push(*rule),
            // Each further rule is compared with all groups.
            None if groups.len() < MOST_RULES => groups.push(vec![*rule]),
            None => {}
        }
    }
    groups.retain(|group| (2..=MOST_RULES).contains(&group.len()));
    for group in &mut groups {
        group.sort_by(|a, b| a.position.total_cmp(&b.position));
        // A double line is one.
        group.dedup_by(|next, last| next.position - last.position < NEAR);
    }
    groups
}

/// A table that was found.
struct Found {
    /// The number of rules it takes.
    rules: usize,
    area: Rect,
    layout: Layout,
}

impl Found {
    fn take(self, page: &mut Page<'_>, turned: &mut Vec<Piece>) {
        let (mut inside, outside) = split(std::mem::take(&mut page.pieces), self.area);
        page.pieces = outside;
        let (mut sideways, upright) = split(std::mem::take(turned), self.area);
        *turned = upright;
        inside.append(&mut sideways);
        let heads = self.layout.known_heads();
        if let Some(cells) = self.layout.cells(&inside) {
            page.add(cells, heads, self.layout.places(), self.area);
        } else {
            page.pieces.extend(inside.into_iter().map(Piece::of_words));
        }
    }
}

/// The lines within an area.
fn lines_in(pieces: &[Piece], area: Rect) -> Vec<TextLine> {
    let near = pieces.iter().filter(|piece| piece.bounds.y1 > area.y0 && piece.bounds.y0 < area.y1);
    let (inside, _) = split(near.cloned().collect(), area);
    text_lines(inside)
}

/// The longest table that begins below the first of these rules.
fn table(page: &Page<'_>, turned: &[Piece], group: &[Rule], drawn: &[Rule]) -> Option<Found> {
    let first = group.first()?;
    let area = |from: f64, to: f64| Rect::new(first.start - NEAR, from, first.end + NEAR, to);
    let mut bands: Vec<Vec<TextLine>> = Vec::new();
    for pair in group.windows(2) {
        let [above, below] = pair else { break };
        let own = area(above.position, below.position);
        // Another table, or a picture's frame, ends this one.
        let holds_table = page
            .pieces
            .iter()
            .any(|piece| piece.table.is_some() && !piece.bounds.intersect(own).is_zero_area());
        let mut lines = lines_in(&page.pieces, own);
        let is_first = bands.is_empty();
        if is_first && lines.len() < 4 {
            // Names of columns may stand on their side.
            lines.extend(lines_in(turned, own));
        }
        let is_heading = matches!(lines.as_slice(), [only] if only.runs().len() == 1) && !is_first;
        if holds_table
            || is_running_text(&lines, own.width())
            || is_first && lines.iter().any(is_sentence)
            || !(is_tabular(&lines) || is_heading)
        {
            break;
        }
        bands.push(lines);
    }
    // A heading between two rules says nothing if no rows follow.
    while bands.last().is_some_and(|lines| !is_tabular(lines)) {
        bands.pop();
    }
    let last = group.get(bands.len()).filter(|_| !bands.is_empty())?;
    let rules = bands.len() + 1;
    let mut inner: Vec<f64> =
        group.iter().take(rules - 1).skip(1).map(|rule| rule.position).collect();
    let (mut top, mut bottom) = (first.position, last.position);
    let columns = columns(&bands.concat());
    // The head may stand above the first rule, and rows below the last.
    let above = lines_in(&page.pieces, area(top - MOST_ABOVE, top));
    if let Some(head) =
        outside(above.into_iter().rev(), top, &columns).filter(|head| head.len() <= 3)
    {
        inner.insert(0, top);
        top = head.iter().map(TextLine::top).fold(top, f64::min);
        bands.insert(0, head.into_iter().rev().collect());
    }
    let next = group.get(rules).map_or(f64::MAX, |rule| rule.position);
    let below = lines_in(&page.pieces, area(bottom, next));
    if let Some(rows) = outside(below.into_iter(), bottom, &columns) {
        inner.push(bottom);
        bottom = rows.iter().map(TextLine::bottom).fold(bottom, f64::max);
        bands.push(rows);
    }
    let area = area(top, bottom);
    let partial: Vec<Rule> = drawn
        .iter()
        .filter(|rule| rule.is_level)
        .filter(|rule| {
            area.contains(Point::new(f64::midpoint(rule.start, rule.end), rule.position))
        })
        .filter(|rule| rule.end - rule.start < first.end - first.start - 2.0 * NEAR)
        .copied()
        .collect();
    let layout = layout(bands, &inner, &partial)?;
    Some(Found { rules, area, layout })
}

/// How far above its first rule, in points, the head of a table may begin: four lines.
const MOST_ABOVE: f64 = 60.0;

/// The lines outside of the rules that stand in the columns between them, from the rule at `from` away.
fn outside(
    lines: impl Iterator<Item = TextLine>,
    from: f64,
    columns: &[Extent],
) -> Option<Vec<TextLine>> {
    let mut found: Vec<TextLine> = Vec::new();
    let mut filled: BTreeSet<usize> = BTreeSet::new();
    for line in lines {
        let reached: Vec<Range<usize>> =
            line.runs().iter().map(|run| reach_or_nearest(columns, *run)).collect();
        // The padding of a cell first, then the pitch of lines; rows stand further apart.
        let is_near = found.last().map_or_else(
            || nearest(&line, from) < 1.5 * line.size,
            |last| {
                let pitch = if reached.len() > 1 { 2.2 } else { 1.4 };
                (line.middle() - last.middle()).abs() < pitch * line.size
                    && (line.size - last.size).abs() < 0.1 * line.size
            },
        );
        if !is_near || reached.iter().any(|columns| columns.len() != 1) {
            break;
        }
        filled.extend(reached.into_iter().map(|columns| columns.start));
        found.push(line);
    }
    let is_row = filled.len() >= 2 && 3 * filled.len() >= 2 * columns.len();
    is_row.then_some(found)
}

/// The columns that a run lies over, or the nearest one: a name that begins at the left of its column may end before
/// the cells below it begin, which stand in the middle.
fn reach_or_nearest(columns: &[Extent], run: Extent) -> Range<usize> {
    let reached = reach(columns, run);
    if !reached.is_empty() {
        return reached;
    }
    let Range { start, .. } = reached;
    let to_left =
        start.checked_sub(1).and_then(|left| columns.get(left)).map(|left| run.0 - left.1);
    let to_right = columns.get(start).map(|right| right.0 - run.1);
    match (to_left, to_right) {
        (Some(left), Some(right)) if left < right => start - 1..start,
        (_, Some(_)) => start..start + 1,
        (Some(_), None) => start - 1..start,
        (None, None) => reached,
    }
}

/// How far the nearest word of a line is from a rule: a line may hold cells of several lines, each half a line further down.
fn nearest(line: &TextLine, from: f64) -> f64 {
    let to_middle = line.middle() - line.baseline;
    let distance = |word: &Word| (word.baseline + to_middle - from).abs();
    line.words.iter().map(distance).fold((line.middle() - from).abs(), f64::min)
}

/// Returns `true` if lines stand in columns: most of them, and a line at least.
fn is_tabular(lines: &[TextLine]) -> bool {
    let columns = columns(lines);
    let crosses = |line: &&TextLine| matches!(line.runs().as_slice(), [run] if reach(&columns, *run).len() > 1);
    columns.len() >= 2 && 2 * lines.iter().filter(crosses).count() <= lines.len()
}

/// Returns `true` if two lines at least run over the whole width without a gap, as text between a page's head and the first
/// rule of a table does.
fn is_running_text(lines: &[TextLine], width: f64) -> bool {
    let is_full = |line: &&TextLine| {
        let (Some(first), Some(last)) = (line.words.first(), line.words.last()) else {
            return false;
        };
        let has_gap = line
            .words
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if b.left - a.right > WIDEST_SPACE * line.size));
        !has_gap && line.words.len() > 6 && last.right - first.left > 0.85 * width
    };
    lines.iter().filter(is_full).count() >= 2
}

/// Returns `true` if a line is a sentence in one run: the text above a table, where only the rule of a running head is above that.
fn is_sentence(line: &TextLine) -> bool {
    let is_end = line.words.last().is_some_and(|word| word.text.ends_with(['.', '?', '!']));
    is_end && line.words.len() > MOST_WORDS_OF_A_HEAD && line.runs().len() == 1
}

fn layout(mut bands: Vec<Vec<TextLine>>, inner: &[f64], partial: &[Rule]) -> Option<Layout> {
    let whole: Vec<TextLine> = bands.iter().flatten().cloned().collect();
    let first = bands.first().cloned().unwrap_or_default();
    let rest: Vec<TextLine> = bands.iter().skip(1).flatten().cloned().collect();
    let (mut head, mut found) = (Vec::new(), None);
    let all_lines = whole.clone();
    let mut body = whole;
    if bands.len() > 1 {
        let lines = bands.remove(0);
        let rest: Vec<TextLine> = bands.into_iter().flatten().collect();
        let columns = body_columns(&lines, &rest);
        let is_short = lines.iter().filter(|line| line.runs().len() > 1).count() <= 4;
        let rows = Layout::of(&rest, columns.clone(), inner).records.len();
        // Where a rule is below each row, the first row need not be a head.
        if columns.len() >= 2 && is_short && rows > inner.len() {
            head = head_rows(lines, &columns, partial);
            body = rest;
            found = Some(columns);
        }
    }
    // One line with wide gaps, as justified text has them between two underlined lines, makes no columns.
    let in_cells = all_lines.iter().filter(|line| line.runs().len() > 1).count();
    let columns = found.unwrap_or_else(|| with_names(columns(&body), &first, &rest));
    let is_ruled = !head.is_empty() || columns.len() > 2 && !inner.is_empty();
    if in_cells < if is_ruled { FEWEST_LINES - 1 } else { FEWEST_LINES } {
        return None;
    }
    let layout = Layout::of(&body, columns, inner);
    if !is_table_text(&layout, &body) {
        return None;
    }
    Some(if head.is_empty() { layout } else { layout.with_head(head) })
}

/// The columns, each with its name: a name beside all cells of its column, which stand in the middle, would be a column of its own.
fn with_names(mut columns: Vec<Extent>, head: &[TextLine], body: &[TextLine]) -> Vec<Extent> {
    let filled = |lines: &[TextLine]| {
        let runs = lines.iter().flat_map(TextLine::runs);
        let runs: Vec<Range<usize>> = runs.map(|run| reach(&columns, run)).collect();
        (0..columns.len()).map(|at| runs.iter().any(|run| run.contains(&at))).collect::<Vec<bool>>()
    };
    if body.is_empty() {
        return columns;
    }
    let (named, used) = (filled(head), filled(body));
    // From the right, so that what is still to be looked at keeps its place.
    let mut right = columns.len();
    while right > 1 {
        right -= 1;
        let left = right - 1;
        let is_name = |name: usize, cells: usize| {
            named.get(name) == Some(&true)
                && used.get(name) == Some(&false)
                && named.get(cells) == Some(&false)
                && used.get(cells) == Some(&true)
        };
        if is_name(left, right) || is_name(right, left) {
            let end = columns.remove(right).1;
            if let Some(column) = columns.get_mut(left) {
                column.1 = end;
            }
            // A column has one name.
            right = left;
        }
    }
    columns
}

/// The columns of the rows below a head, as wide as their names, unless these take several.
fn body_columns(head: &[TextLine], body: &[TextLine]) -> Vec<Extent> {
    let mut own = columns(body);
    let both: Vec<TextLine> = head.iter().chain(body).cloned().collect();
    let common = with_names(columns(&both), head, body);
    if common.len() == own.len() {
        return common;
    }
    for line in head {
        line.runs().into_iter().for_each(|run| widen(&mut own, run, line.size));
    }
    own
}

/// Returns `true` if the cells are no running text, such as that of two columns between the rules of a page.
fn is_table_text(layout: &Layout, lines: &[TextLine]) -> bool {
    let mean = |column: usize| {
        let words = layout.words_of(lines, column);
        words.iter().sum::<usize>() / words.len().max(1)
    };
    let long = (0..layout.columns.len()).filter(|column| mean(*column) > MOST_WORDS).count();
    let (all, of_text) = (layout.columns.len(), layout.columns_of_text());
    let is_text = of_text >= 2 && of_text + 1 >= all;
    all >= 2 && layout.records.len() >= 2 && long < 2 && !is_text
}

/// The rows of a head: one for each level, a level being what is above a partial rule.
fn head_rows(
    lines: Vec<TextLine>,
    columns: &[Extent],
    partial: &[Rule],
) -> Vec<(Vec<TextLine>, Vec<Range<usize>>)> {
    let mut rows: Vec<(Vec<TextLine>, Vec<Range<usize>>)> = Vec::new();
    let mut above: Option<f64> = None;
    for line in lines {
        let spans = spans(&line, columns, partial);
        let is_next = above.is_none_or(|above| {
            partial.iter().any(|rule| above < rule.position && rule.position < line.baseline)
        });
        let last_spans = rows.last().is_some_and(|(_, spans)| !spans.is_empty());
        above = Some(line.baseline);
        match rows.last_mut() {
            Some((row, _)) if !is_next && !last_spans && spans.is_empty() => {
                row.push(line);
            }
            _ => rows.push((vec![line], spans)),
        }
    }
    rows
}

/// The columns that the names of a line take together: those they lie over, and those of the rule below them.
fn spans(line: &TextLine, columns: &[Extent], partial: &[Rule]) -> Vec<Range<usize>> {
    let starts: Vec<f64> = columns.iter().map(|column| column.0).collect();
    let runs = line.runs();
    let runs = if runs.len() > 1 { line.runs_at(&starts) } else { runs };
    let below = |run: &Extent| {
        let middle = f64::midpoint(run.0, run.1);
        partial.iter().position(|rule| {
            let depth = rule.position - line.baseline;
            rule.start < middle && middle < rule.end && (0.0..1.5 * line.size).contains(&depth)
        })
    };
    let ruled: Vec<Option<usize>> = runs.iter().map(below).collect();
    let mut spans = Vec::new();
    for (run, rule) in runs.iter().zip(&ruled) {
        let Some(rule) = rule.and_then(|rule| partial.get(rule)) else {
            spans.push(reach(columns, *run));
            continue;
        };
        let of_rule = reach(columns, (rule.start, rule.end));
        let names = runs
            .iter()
            .zip(&ruled)
            .filter(|(_, other)| other.is_some_and(|at| partial.get(at) == Some(rule)));
        let names: Vec<Extent> = names.map(|(name, _)| *name).collect();
        spans.push(share(*run, &names, columns, of_rule));
    }
    spans.retain(|span| span.len() > 1);
    spans
}

/// The columns of one name, of those that a rule goes over below several: rules that meet are drawn as one.
fn share(name: Extent, names: &[Extent], columns: &[Extent], all: Range<usize>) -> Range<usize> {
    let middle = |extent: &Extent| f64::midpoint(extent.0, extent.1);
    // Names begin where their columns do, or stand in the middle above them.
    let begins = |name: &Extent| columns.iter().any(|column| (column.0 - name.0).abs() < 2.0);
    let by_start = names.iter().all(begins);
    let is_own = |column: &usize| {
        let Some(column) = columns.get(*column) else {
            return false;
        };
        let nearest = if by_start {
            names.iter().rev().find(|other| other.0 < column.0 + 2.0)
        } else {
            names.iter().min_by(|a, b| {
                (middle(a) - middle(column)).abs().total_cmp(&(middle(b) - middle(column)).abs())
            })
        };
        nearest == Some(&name)
    };
    let own: Vec<usize> = all.clone().filter(is_own).collect();
    match (own.first(), own.last()) {
        (Some(first), Some(last)) => *first..last + 1,
        _ => all.start..all.start,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Drawn;
    use super::super::grid::ruled;
    use super::*;

    fn level(position: f64, start: f64, end: f64) -> Rule {
        Rule { is_level: true, position, start, end }
    }

    /// The tables between these level rules, a head marked by `#`; and the number of pieces left.
    fn read(rules: &[Rule], rows: &[(f64, &[(&str, f64)])]) -> (Vec<String>, usize) {
        let piece =
            |baseline: f64| move |(text, left): &(&str, f64)| Piece::sample(text, *left, baseline);
        let pieces = rows.iter().flat_map(|(baseline, row)| row.iter().map(piece(*baseline)));
        let (left, tables) = ruled(pieces.collect(), &mut Vec::new(), rules, &[]);
        let rows = |table: &Drawn| -> Vec<String> {
            let row = |row: &crate::table::RowDraft| {
                let cells: Vec<String> = row
                    .cells
                    .iter()
                    .map(|cell| {
                        format!("{}{}", cell.text.text, "_".repeat(cell.columns as usize - 1))
                    })
                    .collect();
                format!("{}{}", if row.is_head { "#" } else { "" }, cells.join("|"))
            };
            table.draft.rows.iter().map(row).collect()
        };
        (tables.iter().flat_map(rows).collect(), left.len())
    }

    #[test]
    fn a_table_between_rules_with_wrapped_cells() {
        let rules = [level(88.0, 0.0, 350.0), level(116.0, 0.0, 350.0), level(170.0, 0.0, 350.0)];
        let rows: &[(f64, &[(&str, f64)])] = &[
            (60.0, &[("above it all", 0.0)]),
            (100.0, &[("Course", 0.0), ("Visiting", 150.0), ("Closes", 260.0)]),
            (112.0, &[("students", 150.0)]),
            (128.0, &[("Open water", 0.0), ("EUR 118", 150.0), ("4 May", 260.0)]),
            (140.0, &[("Night diving for holders", 0.0), ("EUR 75", 150.0), ("18 May", 260.0)]),
            (152.0, &[("of the second", 0.0)]),
            (164.0, &[("Rescue", 0.0), ("EUR 52", 150.0), ("1 June", 260.0)]),
            (190.0, &[("Fees are paid in cash", 0.0)]),
        ];
        let expected = [
            "#Course|Visiting students|Closes",
            "Open water|EUR 118|4 May",
            "Night diving for holders of the second|EUR 75|18 May",
            "Rescue|EUR 52|1 June",
        ];
        let (table, left) = read(&rules, rows);
        assert_eq!((table, left), (expected.map(str::to_owned).to_vec(), 3));
    }

    #[test]
    fn a_name_goes_over_the_columns_of_the_rule_below_it() {
        let whole = |position: f64| level(position, 0.0, 350.0);
        let body: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Members", 115.0), ("Guests", 255.0)]),
            (
                116.0,
                &[("Boat", 0.0), ("Hour", 90.0), ("Day", 150.0), ("Hour", 230.0), ("Day", 290.0)],
            ),
            (132.0, &[("Dipper", 0.0), ("5", 90.0), ("18", 150.0), ("9", 230.0), ("30", 290.0)]),
            (144.0, &[("Gannet", 0.0), ("7", 90.0), ("27", 150.0), ("12", 230.0), ("45", 290.0)]),
        ];
        let two = [level(104.0, 88.0, 180.0), level(104.0, 228.0, 320.0)];
        let one = [level(104.0, 88.0, 320.0)];
        for partial in [two.as_slice(), one.as_slice()] {
            let mut rules = vec![whole(88.0), whole(120.0), whole(150.0)];
            rules.extend(partial);
            let (table, _) = read(&rules, body);
            assert_eq!(table[..2], ["#|Members_|Guests_", "#Boat|Hour|Day|Hour|Day"]);
        }
    }

    #[test]
    fn text_between_the_rule_of_a_running_head_and_a_table_is_no_row_of_it() {
        let whole = |position: f64| level(position, 0.0, 350.0);
        let rules = [whole(40.0), whole(128.0), whole(146.0), whole(180.0)];
        let line = "t t t t t t t t t t t t";
        let rows: &[(f64, &[(&str, f64)])] = &[
            (60.0, &[("1.2", 0.0), ("Fees of courses", 40.0)]),
            (80.0, &[(line, 0.0)]),
            (92.0, &[(line, 0.0)]),
            (104.0, &[("t t t", 0.0)]),
            (140.0, &[("Course", 0.0), ("Full", 150.0), ("Closes", 260.0)]),
            (160.0, &[("Open water", 0.0), ("EUR 118", 150.0), ("4 May", 260.0)]),
            (174.0, &[("Rescue", 0.0), ("EUR 52", 150.0), ("1 June", 260.0)]),
        ];
        let (table, left) = read(&rules, rows);
        let expected = ["#Course|Full|Closes", "Open water|EUR 118|4 May", "Rescue|EUR 52|1 June"];
        assert_eq!((table, left), (expected.map(str::to_owned).to_vec(), 6));
        // One sentence is enough.
        let mut rows = rows.to_vec();
        rows[2] = (92.0, &[("t t t t t t t t t.", 0.0)]);
        rows.remove(1);
        let (table, left) = read(&rules, &rows);
        assert_eq!((table, left), (expected.map(str::to_owned).to_vec(), 5));
    }

    #[test]
    fn a_head_above_the_first_rule_and_rows_below_the_last() {
        let rules = [level(106.0, 0.0, 350.0), level(130.0, 0.0, 350.0)];
        let rows: &[(f64, &[(&str, f64)])] = &[
            (100.0, &[("Day", 0.0), ("Time", 150.0), ("Room", 260.0)]),
            (116.0, &[("Monday", 0.0), ("8", 150.0), ("Keel", 260.0)]),
            (128.0, &[("9", 150.0), ("Fathom", 260.0)]),
            (140.0, &[("Friday", 0.0), ("8", 150.0), ("Keel", 260.0)]),
        ];
        let (table, left) = read(&rules, rows);
        let expected = ["#Day|Time|Room", "Monday|8|Keel", "9|Fathom", "Friday|8|Keel"];
        assert_eq!((table, left), (expected.map(str::to_owned).to_vec(), 1));
    }

    #[test]
    fn text_in_two_columns_between_the_rules_of_a_page_is_no_table() {
        let rules = [level(40.0, 0.0, 500.0), level(400.0, 0.0, 500.0)];
        let line = "a b c d e f g";
        let rows: Vec<(f64, Vec<(&str, f64)>)> = (0..12)
            .map(|row| (60.0 + 12.0 * f64::from(row), vec![(line, 0.0), (line, 260.0)]))
            .collect();
        let rows: Vec<(f64, &[(&str, f64)])> =
            rows.iter().map(|(baseline, row)| (*baseline, row.as_slice())).collect();
        assert_eq!(read(&rules, &rows), (Vec::new(), 24));
        // Nor are wide gaps in one line between two that are underlined.
        let rows: &[(f64, &[(&str, f64)])] = &[
            (60.0, &[("by", 0.0), ("rule", 60.0), ("of", 140.0)]),
            (72.0, &[("a b c d e f", 0.0)]),
        ];
        assert_eq!(read(&rules, rows).0, Vec::<String>::new());
    }
}
