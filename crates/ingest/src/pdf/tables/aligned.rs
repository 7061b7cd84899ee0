//! Tables without rules: rows of short cells that stand below one another.

use super::{Cell, draft};
use crate::pdf::columns::Row;
use crate::pdf::furniture::names_contents;
use crate::pdf::lines::Piece;
use crate::pdf::markers::is_bare_marker;
use crate::table::TableDraft;

/// Fewest rows with several cells.
// With five, a table of three rows and a head is text; two lines stand below one another by chance.
const FEWEST_ROWS: usize = 3;
/// Longer rows of cells are not looked at.
// Every length of a table is tried, each with all of its rows.
const MOST_ROWS: usize = 400;

/// Rows of a block, and the tables found among them.
pub(in crate::pdf) enum Laid {
    Row(Row),
    Table { draft: TableDraft, left: f64, right: f64 },
}

/// Finds the tables among the rows of a block.
pub(in crate::pdf) fn aligned(rows: Vec<Row>, targets: &[String]) -> Vec<Laid> {
    let mut laid = Vec::new();
    let mut rest = rows.into_iter().collect::<std::collections::VecDeque<Row>>();
    while let Some(length) = (!rest.is_empty()).then(|| table_length(rest.make_contiguous())) {
        // A table of contents stands in columns as well, and is taken out by what it says.
        let names_it = match laid.last() {
            Some(Laid::Row(row)) => row.iter().any(|piece| names_contents(&piece.text())),
            _ => false,
        };
        if length == 0 || names_it {
            laid.extend(rest.pop_front().map(Laid::Row));
            continue;
        }
        let table: Vec<Row> = rest.drain(..length).collect();
        let edges =
            |edge: fn(&Piece) -> f64| table.iter().flatten().map(edge).collect::<Vec<f64>>();
        let left = edges(|piece| piece.bounds.x0).into_iter().fold(f64::MAX, f64::min);
        let right = edges(|piece| piece.bounds.x1).into_iter().fold(f64::MIN, f64::max);
        laid.push(Laid::Table { draft: draft(cells(table), targets), left, right });
    }
    laid
}

/// Counts the rows from the first on that make a table; 0 for none.
fn table_length(rows: &[Row]) -> usize {
    if rows.first().is_none_or(|row| row.len() < 2) {
        return 0;
    }
    let mut best = 0;
    for end in FEWEST_ROWS..=rows.len().min(MOST_ROWS) {
        let Some(run) = rows.get(..end) else {
            break;
        };
        if run.iter().flatten().any(|piece| piece.is_block()) || is_broken(run) {
            break;
        }
        let columns = columns(run);
        if columns.len() < 2 {
            break;
        }
        let ends_in_cells =
            run.last().is_some_and(|row| row.len() >= 2 || is_continued(row, &columns));
        if ends_in_cells && is_table(run, &columns) {
            best = end;
        }
    }
    best
}

/// Returns `true` if the last row stands far below the one before.
fn is_broken(run: &[Row]) -> bool {
    let [.., last, next] = run else {
        return false;
    };
    let bottom = last.iter().map(|piece| piece.bounds.y1).fold(f64::MIN, f64::max);
    let (top, size) = next.iter().fold((f64::MAX, 0.0_f64), |(top, size), piece| {
        (top.min(piece.bounds.y0), size.max(piece.size))
    });
    top - bottom > 2.2 * size
}

/// Returns the places of the columns of these rows: what is left between the gaps that nothing crosses.
fn columns(rows: &[Row]) -> Vec<(f64, f64)> {
    let mut spans: Vec<(f64, f64)> =
        rows.iter().flatten().map(|piece| (piece.bounds.x0, piece.bounds.x1)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = rows.iter().flatten().map(|piece| piece.size).fold(f64::MAX, f64::min);
    let mut columns: Vec<(f64, f64)> = Vec::new();
    for (start, end) in spans {
        match columns.last_mut() {
            Some(last) if start - last.1 < 0.6 * size => last.1 = last.1.max(end),
            _ => columns.push((start, end)),
        }
    }
    columns
}

fn column_of(columns: &[(f64, f64)], piece: &Piece) -> usize {
    let middle = piece.bounds.center().x;
    columns.partition_point(|(start, _)| *start <= middle).saturating_sub(1)
}

/// A row of one piece that goes on a cell above: not in the first column.
fn is_continued(row: &Row, columns: &[(f64, f64)]) -> bool {
    matches!(row.as_slice(), [piece] if column_of(columns, piece) > 0)
}

fn is_table(rows: &[Row], columns: &[(f64, f64)]) -> bool {
    let full = rows.iter().filter(|row| row.len() >= 2).count();
    let pieces = || rows.iter().flatten();
    let words: usize = pieces().map(|piece| piece.words.len()).sum();
    let cells = pieces().count();
    let firsts =
        || rows.iter().filter_map(|row| row.first()).filter(|piece| column_of(columns, piece) == 0);
    let markers = firsts().filter(|piece| is_bare_marker(&piece.text())).count();
    // Items of a list stand behind their marks as cells do.
    let has_list_markers = columns.len() == 2 && 2 * markers >= firsts().count();
    let in_line = (0..columns.len()).all(|column| is_in_line(rows, columns, column));
    // Text beside a note in the margin makes two columns too, of long pieces.
    let most_words = if columns.len() == 2 { 4 } else { 6 };
    full >= FEWEST_ROWS
        && 5 * full >= 3 * rows.len()
        && words <= most_words * cells
        && !has_list_markers
        && in_line
}

/// Returns `true` if most cells of a column begin, end or centre at one place.
fn is_in_line(rows: &[Row], columns: &[(f64, f64)], column: usize) -> bool {
    let own = || rows.iter().flatten().filter(|piece| column_of(columns, piece) == column);
    let count = own().count();
    let share = |place: fn(&Piece) -> f64| {
        let mut places: Vec<f64> = own().map(place).collect();
        places.sort_by(f64::total_cmp);
        let middle = places.get(places.len() / 2).copied().unwrap_or(0.0);
        places.iter().filter(|place| (**place - middle).abs() < 3.0).count()
    };
    let best = [
        share(|piece| piece.bounds.x0),
        share(|piece| piece.bounds.x1),
        share(|piece| piece.bounds.center().x),
    ];
    count >= 2 && best.into_iter().max().is_some_and(|best| 3 * best >= 2 * count)
}

/// The cells of a table, rows that only go on put to the row above.
fn cells(rows: Vec<Row>) -> Vec<Vec<Cell>> {
    let columns = columns(&rows);
    let mut cells: Vec<Vec<Cell>> = Vec::new();
    for row in rows {
        let goes_on = is_continued(&row, &columns);
        if !goes_on || cells.is_empty() {
            cells.push(columns.iter().map(|_| Cell::single(Vec::new())).collect());
        }
        for piece in row {
            let column = column_of(&columns, &piece);
            if let Some(cell) = cells.last_mut().and_then(|cells| cells.get_mut(column)) {
                cell.words.extend(piece.words);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of cells at these places, twelve points apart.
    fn found(rows: &[&[(&str, f64)]]) -> Vec<String> {
        let row = |(index, row): (usize, &&[(&str, f64)])| -> Row {
            let baseline = 100.0 + 12.0 * index as f64;
            row.iter().map(|(text, left)| Piece::sample(text, *left, baseline)).collect()
        };
        let rows = rows.iter().enumerate().map(row).collect();
        let shown = |laid: Laid| match laid {
            Laid::Row(row) => row.iter().map(Piece::text).collect::<Vec<_>>().join("_"),
            Laid::Table { draft, .. } => {
                let row = |row: &crate::table::RowDraft| {
                    let cells: Vec<&str> =
                        row.cells.iter().map(|cell| cell.text.text.as_str()).collect();
                    format!("{}{}", if row.is_head { "#" } else { "" }, cells.join("|"))
                };
                draft.rows.iter().map(row).collect::<Vec<_>>().join(" / ")
            }
        };
        aligned(rows, &[]).into_iter().map(shown).collect()
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
}
