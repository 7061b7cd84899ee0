//! Tables without rules: rows of short cells that stand below one another.

use super::Drawn;
use super::layout::{Extent, Layout, PlacedLine, TextLine, column_of, columns, reach};
use crate::pdf::columns::Row;
use crate::pdf::furniture::names_contents;
use crate::pdf::ink::Rule;
use crate::pdf::markers::is_bare_marker;

/// Fewest rows with several cells.
// With five, a table of three rows and a head is text; two lines stand below one another by chance.
const FEWEST_ROWS: usize = 3;
/// Longer rows of cells are not looked at.
// Every length of a table is tried, each with all of its rows.
const MOST_ROWS: usize = 400;

/// So many rows in a row that make no table, together with those before, end the search.
// A page of rows that never make one would be looked through from each of them to its end.
const MOST_UNSURE: usize = 24;

/// Rows of a block, and the tables found among them.
pub(in crate::pdf) enum Laid {
    Row(Row),
    Table { drawn: Drawn, left: f64, right: f64 },
}

/// Finds the tables among the rows of a block. `rules` are the level ones of the page.
pub(in crate::pdf) fn aligned(rows: Vec<Row>, rules: &[Rule], targets: &[String]) -> Vec<Laid> {
    let lines: Vec<TextLine> = rows.iter().cloned().map(TextLine::of).collect();
    let mut laid = Vec::new();
    let mut rest = rows.into_iter();
    let mut start = 0;
    while start < lines.len() {
        // A table of contents stands in columns as well, and is taken out by what it says.
        let names_it = match laid.last() {
            Some(Laid::Row(row)) => row.iter().any(|piece| names_contents(&piece.text())),
            _ => false,
        };
        let below = lines.get(start..).unwrap_or_default();
        let found = if names_it { None } else { table(below, rest.as_slice(), rules) };
        let Some((length, layout)) = found else {
            laid.extend(rest.next().map(Laid::Row));
            start += 1;
            continue;
        };
        let words =
            rest.by_ref().take(length).flatten().map(|piece| piece.words).collect::<Vec<_>>();
        let edges = layout.bounds().map_or((0.0, 0.0), |bounds| (bounds.x0, bounds.x1));
        let cells = layout.cells(&words).unwrap_or_default();
        let drawn = Drawn::of(cells, layout.known_heads(), layout.places(), targets);
        laid.push(Laid::Table { drawn, left: edges.0, right: edges.1 });
        start += length;
    }
    laid
}

/// Returns `true` if rows make one table of several columns: what parts two of these is no gutter between columns of text.
pub(in crate::pdf) fn is_one_table(rows: &[Row]) -> bool {
    let lines: Vec<TextLine> = rows.iter().cloned().map(TextLine::of).collect();
    let columns = columns(&lines);
    // Text is in two columns, hardly in three, and one line of it has more words than a cell.
    if columns.len() < 3 || rows.iter().flatten().any(|piece| piece.is_block()) {
        return false;
    }
    let is_text = |column: usize| {
        let words = lines.iter().map(|line| {
            line.words.iter().filter(|word| column_of(&columns, word) == column).count()
        });
        let filled: Vec<usize> = words.filter(|words| *words > 0).collect();
        2 * filled.iter().filter(|words| **words >= 5).count() > filled.len()
    };
    let is_any_text = (0..columns.len()).any(is_text);
    !is_any_text && is_table(&Layout::of(&lines, columns, &[]), &lines)
}

/// The number of rows of the table that begins with the first of these, if its cells stand in the middle of its rows.
pub(in crate::pdf) fn centred_table(rows: &[Row]) -> Option<usize> {
    let lines: Vec<TextLine> = rows.iter().take(MOST_ROWS).cloned().map(TextLine::of).collect();
    let (length, layout) = table(&lines, rows, &[])?;
    layout.is_centred.then_some(length)
}

/// The longest table that begins with the first of these lines, and the number of its lines.
fn table(lines: &[TextLine], rows: &[Row], rules: &[Rule]) -> Option<(usize, Layout)> {
    if lines.first()?.runs().len() < 2 || is_heading_above(lines) {
        return None;
    }
    let mut best = None;
    let mut last = FEWEST_ROWS;
    for end in FEWEST_ROWS..=lines.len().min(MOST_ROWS) {
        if end > last + MOST_UNSURE {
            break;
        }
        let (run, own) = (lines.get(..end)?, rows.get(..end)?);
        if own.iter().flatten().any(|piece| piece.is_block()) || is_broken(run) {
            break;
        }
        let columns = columns(run);
        if columns.len() < 2 || run.last().is_some_and(|line| is_prose(line, &columns)) {
            break;
        }
        let ends_in_cells = run.last().is_some_and(|line| {
            line.runs().len() >= 2
                || line.words.first().is_some_and(|word| column_of(&columns, word) > 0)
        });
        if !ends_in_cells && !goes_on_a_name(run, &columns) {
            continue;
        }
        let layout = Layout::of(run, columns, &[]);
        if is_table(&layout, run) {
            best = Some((end, layout));
            last = end;
        }
    }
    let (length, layout) = best?;
    let lines = lines.get(..length)?;
    Some((length, headed(layout, lines, rules)))
}

/// A numbered heading is in two runs as well: larger than what follows, or with its words where no column begins.
fn is_heading_above(lines: &[TextLine]) -> bool {
    let [first, second, third, ..] = lines else {
        return false;
    };
    let is_larger = |other: &TextLine| first.size > 1.08 * other.size;
    first.runs().len() == 2
        && first.words.first().is_some_and(|word| is_section_number(&word.text))
        && (is_larger(second) && is_larger(third) || stands_out(first, &[second, third]))
}

/// `1`, `2.1`, `3.`.
fn is_section_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

/// Returns `true` if a line of a number and words is bold where the lines below have bold labels only, in other places.
fn stands_out(first: &TextLine, below: &[&TextLine]) -> bool {
    let is_bold = |line: &TextLine| line.words.iter().all(|word| word.style.bold);
    let Some(title) = first.runs().get(1).copied() else {
        return false;
    };
    let begins_there =
        |line: &TextLine| line.runs().iter().any(|run| (run.0 - title.0).abs() < 3.0);
    is_bold(first) && !below.iter().any(|line| is_bold(line) || begins_there(line))
}

/// Returns `true` if the last line is far below the one before, or is of another size, as a heading is.
fn is_broken(run: &[TextLine]) -> bool {
    let [.., last, next] = run else {
        return false;
    };
    next.top() - last.bottom() > 2.2 * next.size || (next.size - last.size).abs() > 0.15 * last.size
}

/// Returns `true` if a line runs over most of the table, as text below it does.
fn is_prose(line: &TextLine, columns: &[Extent]) -> bool {
    let (Some(first), Some(last)) = (columns.first(), columns.last()) else {
        return false;
    };
    // The name of a group of rows is shorter, in words as well.
    let most = if line.words.len() > 6 { 0.6 } else { 0.8 };
    let is_long =
        |run: &Extent| reach(columns, *run).len() > 1 && run.1 - run.0 > most * (last.1 - first.0);
    matches!(line.runs().as_slice(), [run] if is_long(run) || run.1 > last.1 + line.size)
}

/// Returns `true` if the last line only goes on the name of the row above.
fn goes_on_a_name(run: &[TextLine], columns: &[Extent]) -> bool {
    let placed: Vec<PlacedLine> =
        run.iter().rev().take(2).rev().map(|line| PlacedLine::of(line, columns)).collect();
    placed.len() == 2 && super::layout::records(&placed, columns, &[]).len() == 1
}

fn is_table(layout: &Layout, lines: &[TextLine]) -> bool {
    let Layout { columns, lines: placed, records, .. } = layout;
    let filled = |line: &PlacedLine| if line.spans.is_some() { 1 } else { line.filled() };
    let full = records
        .iter()
        .filter(|record| placed[record.lines.clone()].iter().any(|line| filled(line) >= 2))
        .count();
    let cells: usize = placed.iter().map(filled).sum();
    let words: usize = lines.iter().map(|line| line.words.len()).sum();
    let first_words = lines.iter().filter_map(|line| line.words.first());
    let firsts: Vec<String> = first_words
        .filter(|word| column_of(columns, word) == 0)
        .map(|word| word.text.clone())
        .collect();
    let numbers = firsts.iter().filter(|text| is_section_number(text)).count();
    let is_near = !stands_clear(placed, 1);
    let is_lettered = |text: &str| matches!(text.as_bytes(), [b'a'..=b'z', b'.']);
    let is_marker = |text: &&String| {
        is_bare_marker(text) || is_near && (is_section_number(text) || is_lettered(text))
    };
    let markers = firsts.iter().filter(is_marker).count();
    // Items of a list stand after their marks as cells do, and headings after their numbers.
    let has_list_markers = columns.len() == 2 && 2 * markers >= firsts.len();
    let is_contents = 3 * numbers >= 2 * firsts.len() && names_pages(lines);
    let in_line = (0..columns.len()).all(|column| is_in_line(placed, column));
    // Text beside a note in the margin makes two columns too, of long pieces.
    let most_words = if columns.len() == 2 { 4 } else { 6 };
    full >= FEWEST_ROWS
        && 5 * full >= 3 * records.len()
        && words <= most_words * cells
        && !has_list_markers
        && !is_contents
        && layout.columns_of_text() < 2
        && in_line
        && (1..columns.len()).all(|column| is_parted(placed, column))
}

/// Returns `true` if most cells of a column begin, end or centre at one place.
fn is_in_line(lines: &[PlacedLine], column: usize) -> bool {
    let own: Vec<Extent> = own(lines, column);
    let best = [
        alike(own.iter().map(|cell| cell.0).collect(), 3.0),
        alike(own.iter().map(|cell| cell.1).collect(), 3.0),
        alike(own.iter().map(|cell| f64::midpoint(cell.0, cell.1)).collect(), 3.0),
    ];
    (own.len() >= 2 || column > 1)
        && best.into_iter().max().is_some_and(|best| 3 * best >= 2 * own.len())
}

/// Returns `true` if a column is clear of the one before it: by an em in most lines, or all its cells begin at one place.
///
/// Between words of justified text, gaps as wide as the narrowest strips come about by chance.
fn is_parted(lines: &[PlacedLine], column: usize) -> bool {
    let own = own(lines, column);
    let begin_alike = alike(own.iter().map(|cell| cell.0).collect(), 1.0);
    stands_clear(lines, column) || 10 * begin_alike >= 9 * own.len()
}

/// Returns `true` if an em is free before a column in most lines.
fn stands_clear(lines: &[PlacedLine], column: usize) -> bool {
    let gaps: Vec<f64> = lines
        .iter()
        .filter(|line| line.spans.is_none())
        .filter_map(|line| {
            Some((line.extent(column)?.0 - line.extent(column.checked_sub(1)?)?.1) / line.size)
        })
        .collect();
    let wide = gaps.iter().filter(|gap| **gap >= 1.0).count();
    2 * wide >= gaps.len()
}

/// Returns `true` if all lines end in a number, none smaller than the one above, as the lines of a table of contents do.
fn names_pages(lines: &[TextLine]) -> bool {
    let page = |line: &TextLine| line.words.last()?.text.parse::<u32>().ok();
    let pages: Vec<Option<u32>> = lines.iter().map(page).collect();
    pages.iter().all(Option::is_some) && pages.is_sorted()
}

/// The cells of a column.
fn own(lines: &[PlacedLine], column: usize) -> Vec<Extent> {
    lines
        .iter()
        .filter(|line| line.spans.is_none())
        .filter_map(|line| line.extent(column))
        .collect()
}

/// Counts the places that lie within `near` of the middle one.
fn alike(mut places: Vec<f64>, near: f64) -> usize {
    places.sort_by(f64::total_cmp);
    let middle = places.get(places.len() / 2).copied().unwrap_or(0.0);
    places.iter().filter(|place| (**place - middle).abs() < near).count()
}

/// The table with its head, where a rule below it tells.
fn headed(mut layout: Layout, lines: &[TextLine], rules: &[Rule]) -> Layout {
    let Some(bounds) = layout.bounds() else {
        return layout;
    };
    // Over most of the table, below one of its first lines.
    let is_below = |rule: &&Rule| {
        rule.end.min(bounds.x1) - rule.start.max(bounds.x0) > 0.8 * bounds.width()
            && lines.first().is_some_and(|line| rule.position > line.baseline)
    };
    let rules: Vec<f64> = rules.iter().filter(is_below).map(|rule| rule.position).collect();
    let at = rules.into_iter().fold(f64::MAX, f64::min);
    let above = lines.iter().take_while(|line| line.middle() < at).count();
    let heads = layout.records.iter().take_while(|record| record.lines.end <= above).count();
    if above < lines.len() && (1..=3).contains(&heads) {
        layout.heads = Some(heads);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::lines::Piece;

    /// Rows of cells at these places, twelve points apart.
    fn found(rows: &[&[(&str, f64)]]) -> Vec<String> {
        let row = |(index, row): (usize, &&[(&str, f64)])| -> Row {
            let baseline = 100.0 + 12.0 * index as f64;
            row.iter().map(|(text, left)| Piece::sample(text, *left, baseline)).collect()
        };
        let rows = rows.iter().enumerate().map(row).collect();
        let shown = |laid: Laid| match laid {
            Laid::Row(row) => row.iter().map(Piece::text).collect::<Vec<_>>().join("_"),
            Laid::Table { drawn, .. } => {
                let row = |row: &crate::table::RowDraft| {
                    let cells: Vec<&str> =
                        row.cells.iter().map(|cell| cell.text.text.as_str()).collect();
                    format!("{}{}", if row.is_head { "#" } else { "" }, cells.join("|"))
                };
                drawn.draft.rows.iter().map(row).collect::<Vec<_>>().join(" / ")
            }
        };
        aligned(rows, &[], &[]).into_iter().map(shown).collect()
    }

    #[test]
    fn columns_of_short_cells_are_a_table() {
        let rows: [&[(&str, f64)]; 6] = [
            &[("Deadlines follow", 0.0)],
            &[("Modul", 0.0), ("ECTS", 200.0)],
            &[("Ethik", 0.0), ("6", 200.0)],
            &[("Logik zwei", 0.0), ("9", 200.0)],
            &[("Praktikum", 0.0), ("12", 200.0)],
            &[("a sentence that runs over all of the columns here", 0.0)],
        ];
        let expected = [
            "Deadlines follow",
            "#Modul|ECTS / Ethik|6 / Logik zwei|9 / Praktikum|12",
            "a sentence that runs over all of the columns here",
        ];
        assert_eq!(found(&rows), expected);
    }

    #[test]
    fn lists_and_contents_are_none() {
        let list: [&[(&str, f64)]; 4] = [
            &[("a)", 0.0), ("one two", 40.0)],
            &[("b)", 0.0), ("one two", 40.0)],
            &[("c)", 0.0), ("one two", 40.0)],
            &[("d)", 0.0), ("one two", 40.0)],
        ];
        assert_eq!(found(&list).len(), 4);
        // The end of one list and the whole of another, near to their marks.
        let two: [&[(&str, f64)]; 5] = [
            &[("3.", 0.0), ("one two", 33.0)],
            &[("4.", 0.0), ("one two", 33.0)],
            &[("two more", 0.0)],
            &[("a.", 0.0), ("one two", 33.0)],
            &[("b.", 0.0), ("one two", 33.0)],
        ];
        assert_eq!(found(&two).len(), 5);
        let contents: [&[(&str, f64)]; 4] = [
            &[("Inhalt", 0.0)],
            &[("One", 0.0), ("1", 200.0)],
            &[("Two", 0.0), ("3", 200.0)],
            &[("Three", 0.0), ("7", 200.0)],
        ];
        assert_eq!(found(&contents)[1], "One_1");
    }

    #[test]
    fn a_cell_goes_on_below_itself() {
        let rows: [&[(&str, f64)]; 4] = [
            &[("Mo", 0.0), ("Ethik und", 100.0), ("R1", 300.0)],
            &[("Moral", 100.0)],
            &[("Di", 0.0), ("Logik", 100.0), ("R2", 300.0)],
            &[("Mi", 0.0), ("Musik", 100.0), ("R3", 300.0)],
        ];
        assert_eq!(found(&rows), ["Mo|Ethik und Moral|R1 / Di|Logik|R2 / Mi|Musik|R3"]);
    }

    #[test]
    fn a_numbered_heading_is_no_row() {
        let mut rows: Vec<Row> = [
            [("1", 0.0), ("Bioacoustics", 45.0)],
            [("Module code", 0.0), ("MA 517", 120.0)],
            [("Responsible", 0.0), ("Prof Gisladottir", 120.0)],
            [("Workload", 0.0), ("240 hours", 120.0)],
        ]
        .iter()
        .enumerate()
        .map(|(index, row)| {
            let baseline = 100.0 + 12.0 * index as f64;
            row.iter().map(|(text, left)| Piece::sample(text, *left, baseline)).collect()
        })
        .collect();
        for word in rows[0].iter_mut().flat_map(|piece| &mut piece.words) {
            word.style.bold = true;
        }
        let laid = aligned(rows, &[], &[]);
        assert!(
            matches!(laid.as_slice(), [Laid::Row(_), Laid::Table { drawn, .. }] if drawn.draft.rows.len() == 3)
        );
    }

    #[test]
    fn a_rule_below_the_first_rows_makes_a_head() {
        let rows: Vec<Row> = [["Boat", "Hour"], ["Heron", "7"], ["Gannet", "9"], ["Puffin", "5"]]
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let place = |(text, left): (&&str, f64)| {
                    Piece::sample(text, left, 100.0 + 12.0 * index as f64)
                };
                row.iter().zip([0.0, 100.0]).map(place).collect()
            })
            .collect();
        let rule = Rule { is_level: true, position: 103.0, start: 0.0, end: 130.0 };
        let laid = aligned(rows, &[rule], &[]);
        assert!(
            matches!(laid.as_slice(), [Laid::Table { drawn, .. }] if drawn.draft.rows[0].is_head)
        );
    }

    #[test]
    fn text_in_narrow_columns_and_numbered_lines_are_none() {
        // Two columns of text, six points apart.
        let line = "a b c d e f";
        let prose: [&[(&str, f64)]; 4] = [
            &[(line, 0.0), (line, 183.0)],
            &[(line, 0.0), (line, 183.0)],
            &[(line, 0.0), (line, 183.0)],
            &[(line, 0.0), (line, 183.0)],
        ];
        assert_eq!(found(&prose).len(), 4);
        let numbered: [&[(&str, f64)]; 4] = [
            &[("1", 0.0), ("Fees", 33.0)],
            &[("2", 0.0), ("Keys", 33.0)],
            &[("2.1", 0.0), ("Loss", 33.0)],
            &[("3", 0.0), ("Return", 33.0)],
        ];
        assert_eq!(found(&numbered).len(), 4);
        let contents: [&[(&str, f64)]; 4] = [
            &[("1", 0.0), ("Fees", 60.0), ("1", 200.0)],
            &[("2", 0.0), ("Keys", 60.0), ("1", 200.0)],
            &[("2.1", 0.0), ("Loss", 60.0), ("2", 200.0)],
            &[("3", 0.0), ("Return", 60.0), ("4", 200.0)],
        ];
        assert_eq!(found(&contents).len(), 4);
        // The same numbers the other way round are those of a table.
        let credits: [&[(&str, f64)]; 4] = [
            &[("1", 0.0), ("Waves", 60.0), ("6", 200.0)],
            &[("2", 0.0), ("Tides", 60.0), ("4", 200.0)],
            &[("3", 0.0), ("Ice", 60.0), ("8", 200.0)],
            &[("4", 0.0), ("Law", 60.0), ("5", 200.0)],
        ];
        assert_eq!(found(&credits).len(), 1);
    }

    #[test]
    fn a_name_between_rows_groups_them() {
        let rows: [&[(&str, f64)]; 6] = [
            &[("Module", 0.0), ("Credits", 100.0), ("Hours", 160.0)],
            &[("First year", 0.0)],
            &[("Waves", 0.0), ("6", 100.0), ("60", 160.0)],
            &[("Second year of it", 0.0)],
            &[("Ice", 0.0), ("5", 100.0), ("50", 160.0)],
            &[("Law", 0.0), ("4", 100.0), ("45", 160.0)],
        ];
        let expected = "#Module|Credits|Hours / First year|| / Waves|6|60 / Second year of it| / Ice|5|50 / Law|4|45";
        assert_eq!(found(&rows), [expected]);
    }
}
